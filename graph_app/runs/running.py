"""Running the open visits of a ledger, one task a visit, and holding them where the debugger says so."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from graph_app.calls.errors import CallError
from graph_app.calls.nested import NestedQuestions
from graph_app.calls.node import CallNode
from graph_app.calls.places import outermost
from graph_app.calls.services import CallServices, present_services
from graph_app.engine import GraphEngine, NodeResult, Route, WaitForAnswer
from graph_app.engine.lineage import Lineage
from graph_app.engine.routing import ask
from graph_app.engine.streaming import RunScope, run_scope, visit_scope
from graph_app.runs.breakpoints import Breakpoints
from graph_app.runs.ledger import Ledger, OpenVisit
from graph_app.runs.outcome import CommandError, Question, Reason, Sink
from graph_app.runs.telling import Teller, nested_question

_log = logging.getLogger(__name__)
_STANDING = ("waiting", "held", "_tasks", "_failure", "_crash", "_fault", "_early", "_pausing", "_stepping", "_run_to")
"""What a session knows beside its ledger."""


class VisitRunner:
    """Runs visits. What it is told to do, and when it ends, is the session's."""

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
        stepping: bool = False,
        run_to: str | None = None,
        pausing: bool = False,
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
            stepping: Whether what follows is held already.
            run_to: The node before which the run is to be held.
            pausing: Whether somebody paused the run already.
        """
        self.engine = engine
        self.services = services
        self.ledger = ledger
        self.debug = debug
        self.breakpoints = breakpoints or Breakpoints()
        self.waiting: dict[str, Question] = dict(waiting or {})
        self.held: dict[str, Reason] = dict(held or {})
        self._teller = Teller(sink, services, ledger, started if started is not None else set())
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._failure: tuple[OpenVisit, BaseException] | None = None
        self._crash: BaseException | None = None
        self._fault: BaseException | None = None
        self._changed = asyncio.Event()
        self._early: dict[str, Any] = {}
        self._pausing = pausing or "exception" in self.held.values()
        self._stepping = stepping
        self._run_to = run_to
        self._scope = RunScope(str(services.run_id), (), (), self._teller.hear, engine.plan.schema)
        services.top_visit = ledger.number

    @property
    def sink(self) -> Sink:
        """Takes the events."""
        return self._teller.sink

    @sink.setter
    def sink(self, sink: Sink) -> None:
        self._teller.sink = sink

    @property
    def early(self) -> dict[str, Any]:
        """The answers that were accepted and wait until they can be taken, by visit."""
        return dict(self._early)

    @property
    def pausing(self) -> bool:
        """Whether whatever would start is held: somebody paused the run, or a step of it failed."""
        return self._pausing

    async def _quiet(self) -> None:
        """Waits until nothing runs or something failed."""
        while self._tasks and self._failure is None and self._crash is None:
            self._changed.clear()
            await self._changed.wait()

    def _answer_nested(self, visit: str, value: Any) -> None:
        place, _, number = visit.rpartition("/")
        outer = outermost(place)
        if outer in self._tasks:  # another branch of the nested graph is under way: the answer waits for it
            self._keep_early(visit, value)
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
        self._teller.finished(inner.node, visit, delta, output, routes, tuple(path))
        self._launch(OpenVisit(outer, self.ledger.find(outer)), again=True)

    def _keep_early(self, visit: str, value: Any) -> None:
        """Keeps an answer until it can be taken; one that won't do is refused now, while somebody listens."""
        place, _, number = visit.rpartition("/")
        around = self.services.children.get(place) or self.services.under_way.get(place)
        if visit in self._early or around is None:
            raise CommandError(f"The visit {visit} asks nothing. It may have been answered already.")
        inner = around.frontier.visit(int(number))
        self._accepted(inner.spec, inner, value)
        self._early[visit] = value

    def _answer_early(self, visit: str) -> None:
        """Gives an answer that waited; one that can't be taken after all leaves the question open."""
        value, before = self._early.pop(visit), self.kept()
        try:
            self._answer_nested(visit, value)
        except Exception:
            _log.exception("An answer to the visit %s could not be taken", visit)
            before()

    def kept(self) -> Callable[[], None]:
        """Keeps how the session stands; returns what puts everything back, and stops what was started since.

        Nothing may run in between but what this session does itself, without waiting.
        """
        now = {name: getattr(self, name) for name in _STANDING}
        parts = {name: dict(part) if isinstance(part, dict) else part for name, part in now.items()}
        ledger, started, points = self.ledger.kept(), set(self._teller.started), self.breakpoints.kept()
        children = {name: (child, child.frontier) for name, child in self.services.children.items()}

        def put_back() -> None:
            for number, task in self._tasks.items():
                if number not in parts["_tasks"]:
                    task.cancel()
            for name, part in parts.items():
                setattr(self, name, part)
            ledger()
            points()
            self._teller.started.clear()
            self._teller.started.update(started)
            self.services.children.clear()
            for name, (child, frontier) in children.items():
                child.frontier = frontier
                self.services.children[name] = child

        return put_back

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
        if self.breakpoints.hold(visit.node, "enter", visit.visit.values, self._warn):
            return "breakpoint"
        return "step" if self._stepping else None

    def _release(self, numbers: Sequence[str]) -> None:
        for number in numbers:
            self.held.pop(number, None)
            self._start(OpenVisit(number, self.ledger.find(number)))

    def _start(self, visit: OpenVisit) -> None:
        task = asyncio.create_task(self._execute(visit), name=f"visit {visit.number}")
        self._tasks[visit.number] = task
        task.add_done_callback(lambda done: self._ended(visit.number, done))

    def _ended(self, number: str, task: asyncio.Task[None]) -> None:
        self._tasks.pop(number, None)
        early = [visit for visit in self._early if outermost(visit) == number]
        if early and not task.cancelled():
            self._answer_early(early[0])
        if not task.cancelled() and task.exception() is not None:
            self._crash = self._crash or task.exception()  # the sink's, such as a lost lease: nobody listens any more
        self._changed.set()

    async def _execute(self, visit: OpenVisit) -> None:
        """Runs one visit in this task."""
        present_services.set(self.services)
        run_scope.set(self._scope)
        visit_scope.set(visit.visit)
        await self.sink.room()  # before it begins: afterwards what follows would have begun already
        self._teller.begin(visit)
        try:
            async with asyncio.timeout(self.engine.timeout) as limit:
                result = await visit.visit.spec.run(visit.visit.values)  # type: ignore[misc]
                delta, output = (result.delta, result.output) if isinstance(result, NodeResult) else (result, None)
                plan, inputs = self.engine.plan, self.ledger.frontier.inputs
                checked = plan.schema.check(delta, visit.node, isolate=plan.isolate)
                routes = None
                lineage = self.ledger.frontier.after(visit.visit, checked, output)
                if visit.visit.spec.filtering:
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
            self._teller.flush(visit.number)
            self._finished(visit, checked, output, routes, lineage)

    def _finished(
        self, visit: OpenVisit, delta: Any, output: Any, routes: list[Route] | None, after: Lineage | None = None
    ) -> None:
        """Tells what came of a visit, and starts what follows."""
        spec = visit.visit.spec
        taken = routes if routes is not None else [Route(i, edge.target) for i, edge in enumerate(spec.out)]
        state = after or self.ledger.frontier.after(visit.visit, delta, output)
        hold = self.debug and self.breakpoints.hold(visit.node, "leave", state.values, self._warn)
        ready = self.ledger.finish(visit.number, delta, output, taken, after)
        held = [following.number for following in ready] if hold else ()
        self._teller.finished(visit.node, visit.number, delta, output, taken, held=held)
        for following in ready:
            if hold:
                self.held[following.number] = "breakpoint"
            else:
                self._launch(following)
        self._changed.set()

    def _warn(self, message: str) -> None:
        self._teller.say("warning", {"message": message})

    def _wait(self, visit: OpenVisit, asked: Any) -> None:
        self._teller.flush(visit.number)
        nested = asked.questions if isinstance(asked, NestedQuestions) else None
        if nested is None:
            self._ask(Question(visit.number, visit.node, asked), ())
        for one in nested or ():
            self._ask(nested_question(one), one.path)

    def _ask(self, question: Question, path: Sequence[str]) -> None:
        if question.visit not in self.waiting:
            self.waiting[question.visit] = question
            self._teller.asked(question, path)

    def _asking(self) -> set[str]:
        """Returns the outermost visits in which somebody is asked."""
        return {outermost(number) for number in self.waiting}

    def _broke(self, visit: OpenVisit, error: Exception) -> None:
        self._teller.failed(visit, error)
        self._fault = error
        if self.debug:
            self.held[visit.number] = "exception"
            self._pausing = True
        elif self._failure is None:
            self._failure = (visit, error)
        self._changed.set()

    async def _stop_all(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*tasks, return_exceptions=True)
