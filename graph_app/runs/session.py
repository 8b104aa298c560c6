"""A session: runs the open visits of a ledger, one task a visit, and tells a sink everything that happens.

It knows no database. The server, the worker and the command line use it with sinks of their own. A run that waits for
a person or is paused is no session: the session ends, and another one goes on from the journal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from graph_app.calls.errors import CallError
from graph_app.calls.node import CallNode
from graph_app.calls.places import outermost
from graph_app.engine import GraphError, VisitError
from graph_app.runs.ledger import OpenVisit
from graph_app.runs.outcome import CUT_OFF, CommandError, Outcome, Question
from graph_app.runs.running import VisitRunner
from graph_app.runs.states import plain, plain_delta
from graph_app.runs.telling import told_routes


class Session(VisitRunner):
    """Runs a graph from where its ledger stands."""

    async def run(self) -> Outcome:
        """Runs until nothing can run any more.

        Raises:
            CancelledError: If the run is stopped; everything under way is stopped first.
        """
        try:
            async with asyncio.timeout(self.engine.run_timeout):
                return await self._run()
        except TimeoutError:
            message = f"The run took longer than {self.engine.run_timeout:g} s."
            return self._failed({"kind": "time_out", "message": message, "step": None, "node": None})
        finally:
            await self._stop_all()
            self._teller.close()

    async def _run(self) -> Outcome:
        for visit in self.ledger.open:
            resting = visit.number in self.waiting or visit.number in self.held or visit.number in self._asking()
            if not resting and visit.number not in self._tasks:
                self._launch(visit, again=visit.number in self._teller.started)  # one that was cut off just goes on
        while True:
            await self._quiet()
            if self._crash is not None:
                raise self._crash
            if self._failure is not None:
                return await self._fail(*self._failure)
            if self._tasks:
                continue
            if self.ledger.frontier.finished:
                return self._finish()
            if self.held:
                visits = [visit for visit in self.ledger.open if visit.number in self.held]
                return Outcome("paused", self._kept(), visits=visits, questions=list(self.waiting.values()))
            return Outcome("waiting", self._kept(), questions=list(self.waiting.values()))

    async def ask_again(self) -> BaseException | None:
        """Runs the visits whose nested graphs ask, up to where they ask: what is nested lives in memory only.

        What the journal says of nested visits is not done again.

        Returns:
            What kept one from getting there.
        """
        outer = {outermost(name) for name in self.waiting if "/" in name}
        for visit in self.ledger.open:
            if visit.number in outer:
                self._start(visit)
        await self._quiet()
        return self._crash or self._fault

    async def stop(self) -> None:
        """Stops what is under way, where the session does not go on."""
        await self._stop_all()
        self._teller.close()

    # Commands. Each raises CommandError when it can't be carried out; the journal tells what it did.

    def pause(self) -> None:
        """Holds every visit that would start from now on; what runs goes on to its end."""
        self._pausing = True

    def resume(self) -> None:
        """Runs the visits at which the run is paused, and goes on."""
        self._pausing = self._stepping = False
        self._release(list(self.held))

    def step_over(self, visit: str | None = None) -> None:
        """Runs one held visit, or all of them, and holds what follows."""
        chosen = self._held_visits(visit)
        self._pausing, self._stepping = False, True
        self._release(chosen)

    def run_to(self, node: str) -> None:
        """Goes on until a visit of a node is about to run."""
        if node not in self.engine.plan.nodes:
            raise CommandError(f"There is no step {node!r}.")
        self._pausing = self._stepping = False
        self._run_to = node
        self._release(list(self.held))

    def restore_step(self, visit: str | None = None) -> None:
        """Goes back to before a visit; what followed from it is taken back, other branches stay."""
        if self._tasks:
            raise CommandError("Something still runs. Pause first, and wait until it has ended.")
        try:
            again = self.ledger.restore(visit)
        except VisitError as error:
            raise CommandError(str(error)) from error
        still = {one.number for one in self.ledger.open}
        self.held = {number: reason for number, reason in self.held.items() if number in still}
        self.waiting = {number: question for number, question in self.waiting.items() if outermost(number) in still}
        for one in self.ledger.open:
            if one.number not in self.waiting and one.number not in self._asking():
                self.held.setdefault(one.number, "step")
        lost = {"lost": self.ledger.lost} if self.ledger.lost else {}
        self._teller.say("debug.restored", {"visit": visit, "visits": [_named(one) for one in again], **lost})

    def change_output(self, visit: str, key: str, value: Any) -> None:
        """Changes what a finished visit wrote to a channel."""
        if self._tasks:
            raise CommandError("Something still runs. Pause first, and wait until it has ended.")
        try:
            changed = self.ledger.change(visit, key, value)
        except (VisitError, GraphError) as error:
            raise CommandError(str(error)) from error
        data: dict[str, Any] = {"key": key, "value": plain(changed.value)}
        if changed.routes is not None:
            data["routes"] = told_routes(changed.routes)
        self.sink.emit("debug.changed", data, node=self.ledger.node_of(visit), visit=visit)

    def set_breakpoint(self, node: str, condition: str | None = None, on: str = "enter") -> None:
        """Sets a breakpoint on a node."""
        if node not in self.engine.plan.nodes or node == "start":
            raise CommandError(f"There is no step {node!r}.")
        self.breakpoints.set(node, condition, on)

    def clear_breakpoint(self, node: str) -> None:
        """Clears a node's breakpoints; one that is not set is no error."""
        self.breakpoints.clear(node)

    def answer(self, visit: str, value: Any) -> None:
        """Answers a question; the visit is finished without being run again.

        Raises:
            CommandError: If the visit asks nothing, or the answer doesn't fit.
        """
        question = self.waiting.get(visit)
        if question is None:
            raise CommandError(f"The visit {visit} asks nothing. It may have been answered already.")
        if question.interrupted:
            self._repeat(visit, value)
            return
        if "/" in visit:
            self._answer_nested(visit, value)
            return
        open_visit = self.ledger.find(visit)
        delta, output = self._accepted(open_visit.spec, open_visit, value)
        routes = self.ledger.frontier.route(open_visit, delta, output)
        del self.waiting[visit]
        self._finished(OpenVisit(visit, open_visit), delta, output, routes)

    def answer_again(self, early: Mapping[str, Any]) -> None:
        """Gives the answers again that were accepted, and were not taken yet when the run was cut off."""
        for visit, value in early.items():
            if visit in self.waiting:
                self._early[visit] = value
                self._answer_early(visit)

    def hold_interrupted(self) -> None:
        """Asks a person about steps that were cut off and must not run twice: `repeatable: false` in the document."""
        for one in self.ledger.open:
            node = one.visit.spec.spec.node if one.visit.spec.spec else None
            info = node.info if isinstance(node, CallNode) else None
            cut_off = one.number in self._teller.started and one.number not in self.waiting
            if cut_off and getattr(info, "repeatable", True) is False:
                asked = {
                    "question": f"{one.node} was interrupted. Run it again?",
                    "kind": "confirm",
                    "reason": CUT_OFF,
                }
                self._ask(Question(one.number, one.node, asked), ())

    def _repeat(self, visit: str, value: Any) -> None:
        if not isinstance(value, bool):
            raise CommandError("Answer true to run the step again, or false to let the run fail.")
        one = OpenVisit(visit, self.ledger.find(visit))
        del self.waiting[visit]
        self._teller.started.discard(visit)
        if value:
            self._start(one)
        else:
            self._broke(one, CallError(f"{one.node} was interrupted, and was not to run again."))

    def questions(self) -> list[Question]:
        """Returns what people are asked now."""
        return list(self.waiting.values())

    # What follows is how it works.

    def _held_visits(self, visit: str | None) -> list[str]:
        if visit is None:
            return list(self.held)
        if visit not in self.held:
            raise CommandError(f"The visit {visit} is not paused.")
        return [visit]

    async def _fail(self, visit: OpenVisit, error: BaseException) -> Outcome:
        stopped = [one for one in self.ledger.open if one.number in self._tasks]
        await self._stop_all()
        for one in stopped:
            self._teller.stopped(one)
        return self._failed(self._teller.error(visit, error))

    def _failed(self, error: dict[str, Any]) -> Outcome:
        return Outcome("failed", self._kept(), error=error)

    def _finish(self) -> Outcome:
        frontier = self.ledger.frontier
        try:
            state = self.engine.plan.schema.present(frontier.outcome().values(), False)
        except GraphError as error:
            node = getattr(error, "node", None)
            return self._failed({"kind": "graph", "message": str(error), "step": None, "node": node})
        if frontier.limited:
            limit = self.engine.plan.max_turn
            self._teller.say("warning", {"message": f"max_turn of {limit} was reached", "max_turn": limit})
        return Outcome("finished", plain_delta(state))

    def _kept(self) -> dict[str, Any]:
        kept = self.ledger.frontier.kept()
        return plain_delta(kept.values()) if kept is not None else {}


def _named(visit: OpenVisit) -> dict[str, str]:
    return {"node": visit.node, "visit": visit.number}
