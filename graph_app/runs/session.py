"""A session: runs the open visits of a ledger, one task a visit, and tells a sink everything that happens.

It knows no database. The server, the worker and the command line use it with sinks of their own. A run that waits for
a person or is paused is no session: the session ends, and another one goes on from the journal.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from graph_app.calls.errors import CallError
from graph_app.calls.nested import NestedQuestion, NestedQuestions
from graph_app.calls.node import CallNode
from graph_app.calls.places import outermost, visit_name
from graph_app.calls.services import CallServices, present_services
from graph_app.engine import GraphEngine, GraphError, NodeResult, Route, VisitError, WaitForAnswer
from graph_app.engine.routing import ask
from graph_app.engine.streaming import Event, RunScope, run_scope, visit_scope
from graph_app.runs.breakpoints import Breakpoints
from graph_app.runs.chunks import Chunks
from graph_app.runs.ledger import Ledger, OpenVisit
from graph_app.runs.states import plain, plain_delta

_CUT_OFF = "interrupted"
Reason = Literal["breakpoint", "step", "pause", "exception", "goto"]


class Sink(Protocol):
    """Takes a session's events."""

    def emit(
        self,
        kind: str,
        data: dict[str, Any],
        *,
        node: str | None = None,
        visit: str | None = None,
        path: Sequence[str] = (),
    ) -> None:
        """Takes one event."""

    async def room(self) -> None:
        """Waits while the sink is far behind."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a person: the visit's name, its node, and what is asked."""

    visit: str
    node: str
    question: Any


@dataclass(slots=True)
class Outcome:
    """How a session ended.

    Attributes:
        status: `finished`, `failed`, `waiting` or `paused`.
        state: The final state; of a failed run what was written until then.
        error: Why it failed.
        questions: What people are asked.
        visits: The visits at which the run is paused.
    """

    status: Literal["finished", "failed", "waiting", "paused"]
    state: dict[str, Any] = field(default_factory=dict)
    error: dict[str, Any] | None = None
    questions: list[Question] = field(default_factory=list)
    visits: list[OpenVisit] = field(default_factory=list)


class CommandError(Exception):
    """A command that can't be carried out now; the message says why."""


class Session:
    """Runs a graph from where its ledger stands."""

    def __init__(
        self,
        engine: GraphEngine,
        services: CallServices,
        ledger: Ledger,
        sink: Sink,
        *,
        debug: bool = False,
        breakpoints: Breakpoints | None = None,
        waiting: Mapping[str, Question] | None = None,
        held: Mapping[str, Reason] | None = None,
        started: set[str] | None = None,
    ) -> None:
        """Runs nothing yet.

        Args:
            engine: The graph.
            services: What the run gives to its Calls.
            ledger: Where the run stands.
            sink: Takes the events.
            debug: Whether breakpoints hold and a failing node pauses the run.
            breakpoints: What is set.
            waiting: Visits that wait for a person already.
            held: Visits at which the run is paused already.
            started: Visits that were told to have started.
        """
        self.engine = engine
        self.services = services
        self.ledger = ledger
        self.debug = debug
        self.breakpoints = breakpoints or Breakpoints()
        self.waiting: dict[str, Question] = dict(waiting or {})
        self.held: dict[str, Reason] = dict(held or {})
        self.sink = sink
        self._started = started if started is not None else set()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._failure: tuple[OpenVisit, BaseException] | None = None
        self._crash: BaseException | None = None
        self._changed = asyncio.Event()
        self._early: dict[str, Any] = {}
        self._pausing = False
        self._stepping = False
        self._run_to: str | None = None
        self._chunks = Chunks(self._emit_chunk)
        self._scope = RunScope(str(services.run_id), (), (), self._hear, engine.plan.schema)
        services.top_visit = ledger.number

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
            self._chunks.close()

    async def _run(self) -> Outcome:
        for visit in self.ledger.open:
            resting = visit.number in self.waiting or visit.number in self.held or visit.number in self._asking()
            if not resting and visit.number not in self._tasks:
                self._launch(visit)
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

    async def _quiet(self) -> None:
        """Waits until nothing runs or something failed."""
        while self._tasks and self._failure is None and self._crash is None:
            self._changed.clear()
            await self._changed.wait()

    async def ask_again(self) -> None:
        """Runs the visits whose nested graphs ask, up to where they ask: what is nested lives in memory only.

        What the journal says of nested visits is not done again.
        """
        outer = {outermost(name) for name in self.waiting if "/" in name}
        for visit in self.ledger.open:
            if visit.number in outer:
                self._start(visit)
        await self._quiet()

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
            raise CommandError(f"There is no node {node!r}.")
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
        self._tell("debug.restored", {"visit": visit, "visits": [_named(one) for one in again]})

    def change_output(self, visit: str, key: str, value: Any) -> None:
        """Changes what a finished visit wrote to a channel."""
        if self._tasks:
            raise CommandError("Something still runs. Pause first, and wait until it has ended.")
        try:
            changed = self.ledger.change(visit, key, value)
        except (VisitError, GraphError) as error:
            raise CommandError(str(error)) from error
        node = self.ledger.node_of(visit)
        self.sink.emit("debug.changed", {"key": key, "value": plain(changed)}, node=node, visit=visit)

    def set_breakpoint(self, node: str, condition: str | None = None, on: str = "enter") -> None:
        """Sets a breakpoint on a node."""
        if node not in self.engine.plan.nodes or node == "start":
            raise CommandError(f"There is no node {node!r}.")
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
        if _interrupted(question):
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

    def hold_interrupted(self) -> None:
        """Asks a person about steps that were cut off and must not run twice: `repeatable: false` in the document."""
        for one in self.ledger.open:
            node = one.visit.spec.spec.node if one.visit.spec.spec else None
            info = node.info if isinstance(node, CallNode) else None
            cut_off = one.number in self._started and one.number not in self.waiting
            if cut_off and getattr(info, "repeatable", True) is False:
                asked = {
                    "question": f"{one.node} was interrupted. Run it again?",
                    "kind": "confirm",
                    "reason": _CUT_OFF,
                }
                self._ask(Question(one.number, one.node, asked), ())

    def _repeat(self, visit: str, value: Any) -> None:
        if not isinstance(value, bool):
            raise CommandError("Answer true to run the step again, or false to let the run fail.")
        one = OpenVisit(visit, self.ledger.find(visit))
        del self.waiting[visit]
        self._started.discard(visit)
        if value:
            self._start(one)
        else:
            self._broke(one, CallError(f"{one.node} was interrupted, and was not to run again."))

    def questions(self) -> list[Question]:
        """Returns what people are asked now."""
        return list(self.waiting.values())

    # What follows is how it works.

    def _answer_nested(self, visit: str, value: Any) -> None:
        place, _, number = visit.rpartition("/")
        outer = outermost(place)
        if outer in self._tasks:  # another branch of the nested graph is under way: the answer waits for it
            self._early[visit] = value
            return
        child = self.services.children.get(place)
        if child is None:
            raise CommandError(f"The visit {visit} asks nothing any more.")
        inner = child.frontier.visit(int(number))
        delta, output = self._accepted(inner.spec, inner, value)
        routes = child.frontier.route(inner, delta, output)
        child.frontier, _ = child.frontier.complete(inner, delta, output, routes=routes)
        question = self.waiting.pop(visit)
        path = question.question.get("path", ()) if isinstance(question.question, Mapping) else ()
        self._tell_finished(inner.node, visit, delta, output, routes, inner.spec, tuple(path))
        self._launch(OpenVisit(outer, self.ledger.find(outer)), again=True)

    def _accepted(self, spec: Any, visit: Any, value: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        node = spec.spec.node
        if not isinstance(node, CallNode):
            raise CommandError(f"{visit.node} takes no answers.")
        try:
            present_services.set(self.services)
            return node.answered(value, visit)
        except CallError as error:
            raise CommandError(error.message) from error

    def _launch(self, visit: OpenVisit, *, again: bool = False) -> None:
        """Starts a visit, or holds it where the debugger says so."""
        if self.debug and not again:
            reason = self._reason_to_hold(visit)
            if reason is not None:
                self.held[visit.number] = reason
                return
        self._start(visit)

    def _reason_to_hold(self, visit: OpenVisit) -> Reason | None:
        if self._pausing:
            return "pause"
        if self._run_to == visit.node:
            self._run_to = None
            return "goto"
        if self.breakpoints.hold(visit.node, "enter", visit.visit.values):
            return "breakpoint"
        return "step" if self._stepping else None

    def _release(self, numbers: Sequence[str]) -> None:
        for number in numbers:
            self.held.pop(number, None)
            self._start(OpenVisit(number, self.ledger.find(number)))

    def _held_visits(self, visit: str | None) -> list[str]:
        if visit is None:
            return list(self.held)
        if visit not in self.held:
            raise CommandError(f"The visit {visit} is not paused.")
        return [visit]

    def _start(self, visit: OpenVisit) -> None:
        task = asyncio.create_task(self._execute(visit), name=f"visit {visit.number}")
        self._tasks[visit.number] = task
        task.add_done_callback(lambda done: self._ended(visit.number, done))

    def _ended(self, number: str, task: asyncio.Task[None]) -> None:
        self._tasks.pop(number, None)
        early = [visit for visit in self._early if outermost(visit) == number]
        if early and not task.cancelled():
            self._answer_nested(early[0], self._early.pop(early[0]))
        if not task.cancelled() and task.exception() is not None:
            self._crash = self._crash or task.exception()  # the sink's, such as a lost lease: nobody listens any more
        self._changed.set()

    async def _execute(self, visit: OpenVisit) -> None:
        """Runs one visit in this task."""
        present_services.set(self.services)
        run_scope.set(self._scope)
        visit_scope.set(visit.visit)
        if visit.number not in self._started:
            self._started.add(visit.number)
            self.sink.emit("node.started", {}, node=visit.node, visit=visit.number)
        try:
            async with asyncio.timeout(self.engine.timeout) as limit:
                result = await visit.visit.spec.run(visit.visit.values)  # type: ignore[misc]
                delta, output = (result.delta, result.output) if isinstance(result, NodeResult) else (result, None)
                plan, inputs = self.engine.plan, self.ledger.frontier.inputs
                checked = plan.schema.check(delta, visit.node, isolate=plan.isolate)
                routes = None
                if visit.visit.spec.filtering:
                    lineage = self.ledger.frontier.after(visit.visit, checked, output)
                    routes = await ask(plan, visit.visit.spec, lineage, inputs)
        except WaitForAnswer as signal:
            self._wait(visit, signal.question)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            late = limit.expired()
            self._broke(
                visit, TimeoutError(f"{visit.node} took longer than {self.engine.timeout:g} s") if late else error
            )
        else:
            self._chunks.flush(visit.number)
            self._finished(visit, checked, output, routes)
            await self.sink.room()

    def _finished(self, visit: OpenVisit, delta: Any, output: Any, routes: list[Route] | None) -> None:
        """Tells what came of a visit, and starts what follows."""
        spec = visit.visit.spec
        taken = routes if routes is not None else [Route(i, edge.target) for i, edge in enumerate(spec.out)]
        hold = self.debug and self.breakpoints.hold(
            visit.node, "leave", self.ledger.frontier.after(visit.visit, delta, output).values
        )
        ready = self.ledger.finish(visit.number, delta, output, taken)
        self._tell_finished(visit.node, visit.number, delta, output, taken, spec, ())
        for following in ready:
            if hold:
                self.held[following.number] = "breakpoint"
            else:
                self._launch(following)
        self._changed.set()

    def _tell_finished(
        self, node: str, visit: str, delta: Any, output: Any, routes: Sequence[Route], spec: Any, path: Sequence[str]
    ) -> None:
        data: dict[str, Any] = {"delta": plain_delta(delta)}
        if output is not None:
            data["output"] = plain(output)
        data["routes"] = [_route(route) for route in routes]
        self.sink.emit("node.finished", data, node=node, visit=visit, path=path)
        for route in routes:
            edge = {"source": node, "target": route.target, "edge": route.edge}
            self.sink.emit("edge.taken", edge, node=node, visit=visit, path=path)

    def _wait(self, visit: OpenVisit, asked: Any) -> None:
        self._chunks.flush(visit.number)
        nested = asked.questions if isinstance(asked, NestedQuestions) else None
        if nested is None:
            self._ask(Question(visit.number, visit.node, asked), ())
        for one in nested or ():
            self._ask_nested(one)

    def _ask(self, question: Question, path: Sequence[str]) -> None:
        if question.visit not in self.waiting:
            self.waiting[question.visit] = question
            shown = plain(question.question)
            shown = {k: v for k, v in shown.items() if k != "path"} if isinstance(shown, dict) else shown
            self.sink.emit("node.waiting", {"question": shown}, node=question.node, visit=question.visit, path=path)

    def _ask_nested(self, one: NestedQuestion) -> None:
        question = {**one.question, "path": one.path} if isinstance(one.question, Mapping) else one.question
        self._ask(Question(one.visit, one.node, question), one.path)

    def _asking(self) -> set[str]:
        """Returns the outermost visits in which somebody is asked."""
        return {outermost(number) for number in self.waiting}

    def _broke(self, visit: OpenVisit, error: Exception) -> None:
        self._chunks.flush(visit.number)
        shown = self._error(visit, error)
        self.sink.emit("node.failed", {"error": shown}, node=visit.node, visit=visit.number)
        self._started.discard(visit.number)
        if self.debug:
            self.held[visit.number] = "exception"
            self._pausing = True
        elif self._failure is None:
            self._failure = (visit, error)
        self._changed.set()

    def _error(self, visit: OpenVisit, error: BaseException) -> dict[str, Any]:
        kind = getattr(error, "kind", None) or ("time_out" if isinstance(error, TimeoutError) else "node")
        message = self.services.redactor.text(str(error) or type(error).__name__)
        return {"kind": str(kind), "message": message, "step": None, "node": visit.node}

    async def _fail(self, visit: OpenVisit, error: BaseException) -> Outcome:
        stopped = [one for one in self.ledger.open if one.number in self._tasks]
        await self._stop_all()
        for one in stopped:
            self.sink.emit("node.skipped", {"reason": "stopped"}, node=one.node, visit=one.number)
        return self._failed(self._error(visit, error))

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
            self._tell("warning", {"message": f"max_turn of {limit} was reached", "max_turn": limit})
        return Outcome("finished", plain_delta(state))

    def _kept(self) -> dict[str, Any]:
        kept = self.ledger.frontier.kept()
        return plain_delta(kept.values()) if kept is not None else {}

    def _tell(self, kind: str, data: dict[str, Any]) -> None:
        self.sink.emit(kind, data)

    def _hear(self, event: Event) -> None:
        """Takes what nodes say while they run, and everything that happens in nested graphs."""
        if event.visit is None:
            self.sink.emit(event.type, plain(event.data), node=event.node, path=event.path)
            return
        name = visit_name(self.ledger.number, event.path, event.within, int(event.visit))
        if event.type == "node.output":
            self._chunks.add(name, event.node or "", event.path, str(event.data["chunk"]))
            return
        self._chunks.flush(name)
        if event.type == "node.started":
            if name in self._started:
                return
            self._started.add(name)
        if event.type == "node.waiting":
            return  # asked when the enclosing visit is left
        data = plain(event.data)
        data.pop("state", None)
        if event.type == "node.failed":
            data = {"error": {"kind": "node", "message": data.get("error"), "step": None, "node": event.node}}
            self._started.discard(name)
        self.sink.emit(event.type, data, node=event.node, visit=name, path=event.path)

    def _emit_chunk(self, visit: str, node: str, path: Sequence[str], text: str) -> None:
        self.sink.emit("node.output", {"chunk": text}, node=node, visit=visit, path=path)

    async def _stop_all(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*tasks, return_exceptions=True)


def _interrupted(question: Question) -> bool:
    return isinstance(question.question, Mapping) and question.question.get("reason") == _CUT_OFF


def _route(route: Route) -> list[Any]:
    return [route.edge, route.target] if route.state is None else [route.edge, route.target, plain_delta(route.state)]


def _named(visit: OpenVisit) -> dict[str, str]:
    return {"node": visit.node, "visit": visit.number}
