"""One run: awaits the visits that the frontier says may run, each branch in a task of its own.

A branch goes on inside its task until it forks or reaches a join; the first branch uses the caller's task.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from graph_app.engine.errors import (
    GraphError,
    GraphTimeoutError,
    NodeError,
    RoutingError,
    StateError,
    WaitForAnswer,
)
from graph_app.engine.frontier import Frontier
from graph_app.engine.lineage import Lineage
from graph_app.engine.nodes import NodeResult
from graph_app.engine.plan import PlanNode
from graph_app.engine.routing import Route, ask, choose
from graph_app.engine.run_parts import Deadline, Suspended, Waiting
from graph_app.engine.streaming import RunScope, run_scope, visit_scope
from graph_app.engine.visits import Visit

if TYPE_CHECKING:
    from graph_app.engine.engine import GraphEngine

__all__ = ["Run", "Suspended", "Waiting", "named"]

_YIELD_EVERY = 128


class Run:
    """One run of an engine.

    Args:
        engine: The engine.
        frontier: Where the run stands.
        scope: Whom it tells what happens.
        waiting: Visits that wait already, by id.
    """

    __slots__ = (
        "_alive", "_failed", "_idle", "_interrupting", "_isolate", "_main", "_plan", "_run_timeout", "_steps", "_tasks",
        "_timeout", "error", "finished", "frontier", "scope", "waiting",
    )  # fmt: skip

    def __init__(
        self, engine: GraphEngine, frontier: Frontier, scope: RunScope, waiting: dict[int, Waiting] | None = None
    ) -> None:
        self.frontier = frontier
        self.scope = scope
        self.waiting = waiting or {}
        self.finished: list[str] = []
        self.error: BaseException | None = None
        self._plan = frontier.plan
        self._isolate = engine.isolate
        self._timeout = engine.timeout
        self._run_timeout = engine.run_timeout
        self._tasks: list[asyncio.Task[None]] = []
        self._alive = 0
        self._idle: asyncio.Future[None] | None = None
        self._main: asyncio.Task[Any] | None = None
        self._interrupting = False
        self._steps = 0
        self._failed: Visit | None = None

    async def execute(self, ready: Iterable[Visit]) -> Lineage | Suspended:
        """Run these visits and all that follows, until nothing can run.

        Returns:
            The final state, or where the run stands if it waits for answers.

        Raises:
            GraphError: The run failed; a node's ``TimeoutError`` and ``CancelledError`` come as they are.
        """
        main = asyncio.current_task()
        assert main is not None
        self._main = main
        cancelled_before = main.cancelling()
        timer = None
        if self._run_timeout is not None:
            timer = main.get_loop().call_later(self._run_timeout, self._overdue, self._run_timeout)
        scopes = (run_scope.set(self.scope), visit_scope.set(None))
        try:
            first, *others = (*ready, None)
            for visit in others:
                if visit is not None:
                    self._spawn(visit)
            if first is not None:
                await self._branch(first, True)
            while self._alive:
                self._idle = main.get_loop().create_future()
                await self._idle
        except asyncio.CancelledError as error:
            if self._interrupting:
                self._interrupting = False
                if main.uncancel() > cancelled_before:
                    self.error = error
            else:
                self.error = error
        except BaseException as error:
            if self.error is None:
                self.error = error
        finally:
            if timer is not None:
                timer.cancel()
            visit_scope.reset(scopes[1])
            run_scope.reset(scopes[0])
            if self._tasks:
                await self._stop_all()
            if self._interrupting:
                main.uncancel()
            if self.scope.outlet is not None and not self.scope.path:
                await self.scope.outlet.drained()
        if self.error is None:
            try:
                return self._outcome()
            except GraphError as error:
                self.error = error
        try:
            raise self.told(self.error)
        finally:
            # An exception that its own traceback's frames hold is a cycle, which only the collector would free.
            self.error = None

    def _outcome(self) -> Lineage | Suspended:
        frontier = self.frontier
        if not frontier.finished:
            waits = tuple(self.waiting[visit.id] for visit in frontier.visits)
            return Suspended(frontier, waits, self.scope.run_id)
        outcome = frontier.outcome()
        if frontier.limited and self.scope.emit is not None:
            limit = self._plan.max_turn
            self.scope.event("warning", data={"message": f"max_turn of {limit} was reached", "max_turn": limit})
        return outcome

    def _spawn(self, visit: Visit) -> None:
        self._alive += 1
        self._tasks.append(self.scope.loop.create_task(self._branch(visit, False)))
        if len(self._tasks) > 2 * self._alive + 100:
            self._tasks = [task for task in self._tasks if not task.done()]

    def _fail(self, error: BaseException) -> None:
        if self.error is not None:
            return
        self.error = error
        for task in self._tasks:
            task.cancel()
        assert self._main is not None
        self._interrupting = True
        self._main.cancel()

    def _overdue(self, seconds: float) -> None:
        self._fail(GraphTimeoutError(f"the run took longer than {seconds:g} s"))

    async def _stop_all(self) -> None:
        # More than once: who is told to stop may start something on its way out, and so may whoever waits here.
        while tasks := [task for task in self._tasks if not task.done()]:
            for task in tasks:
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait(tasks)

    async def _branch(self, visit: Visit, main: bool) -> None:
        """Run a visit, and what follows it one after the other; leave other branches to other tasks.

        Args:
            visit: The visit.
            main: Whether this is the task of the run itself, and not one of the branch's own.
        """
        scope = self.scope
        schema = self._plan.schema
        isolate = self._isolate
        heard = scope.emit is not None
        ready: tuple[Visit, ...] = ()
        deadline = None
        if self._timeout is not None:
            task = asyncio.current_task()
            assert task is not None
            deadline = Deadline(self._timeout, task)
        try:
            while True:
                spec = visit.spec
                visit_scope.set(visit)
                if heard:
                    scope.event("node.started", visit.node, visit.id)
                if deadline is not None:
                    deadline.begin()
                spec.active[0] += 1
                try:
                    result = await spec.run(schema.present(visit.lineage.values(), isolate))  # type: ignore[misc]
                    if self.error is not None:
                        # The node went on although it was told to stop.
                        return
                    if deadline is not None and deadline.passed:
                        deadline.taken_back()
                        raise deadline.error(visit)
                    output = None
                    if result.__class__ is NodeResult:
                        output = result.output
                        result = result.delta
                    delta = schema.check(result, spec.name, isolate=isolate)
                    result = None
                    routes = lineage = None
                    node = spec.next
                    via = spec.next_via
                    if spec.filtering:
                        lineage = self.frontier.after(visit, delta, output)
                        routes, node = await self._route(spec, lineage)
                        if node is not None:
                            via = spec.out[0].via[node.name]
                except WaitForAnswer as signal:
                    self._wait(visit, signal)
                    return
                except BaseException as error:
                    told = self._named(visit, error, deadline)
                    if told is error:
                        raise
                    raise told from error
                finally:
                    spec.active[0] -= 1
                    if deadline is not None:
                        deadline.end()
                frontier = self.frontier
                following = None
                parked = False
                if node is not None:
                    if lineage is None:
                        lineage = visit.lineage
                        if delta or output is not None:
                            lineage = Lineage(schema, lineage, visit.id, spec.name, delta, output)
                    if node.waits:
                        parked = frontier.park(visit, lineage, node, via)
                    else:
                        following = frontier.hop(visit, lineage, node, via)
                if following is None and not parked:
                    self.frontier, ready = frontier.advance(visit.id, delta, output, routes, lineage)
                    following = ready[0] if ready else None
                self.finished.append(spec.name)
                if heard:
                    self._tell_finished(visit, delta, output, routes)
                if following is None:
                    return
                for other in ready[1:]:
                    self._spawn(other)
                ready = ()
                visit = following
                self._steps += 1
                if self._alive or self._steps % _YIELD_EVERY == 0:
                    # Nodes that never wait would otherwise keep other branches, and everything else, from running.
                    await asyncio.sleep(0)
        except BaseException as error:
            if main:
                raise
            self._fail(error)
            if isinstance(error, asyncio.CancelledError):
                raise
        finally:
            if deadline is not None:
                deadline.close()
            if not main:
                self._ended()

    async def _route(self, spec: PlanNode, lineage: Lineage) -> tuple[list[Route], PlanNode | None]:
        """Return the edges that are taken, and the node to which they lead if it is one, with the state as it is."""
        plan = self._plan
        inputs = self.frontier.inputs
        if spec.choice is None:
            return await ask(plan, spec, lineage, inputs), None
        answer = choose(plan, spec, lineage)
        if answer.__class__ is str and answer in spec.choice.slots:
            return [Route(0, answer)], plan.nodes[answer]
        return await ask(plan, spec, lineage, inputs, answer), None

    def _ended(self) -> None:
        """Note that the present task, which is not the run's own, is about to end."""
        self._alive -= 1
        if not self._alive and self._idle is not None and not self._idle.done():
            self._idle.set_result(None)

    def _wait(self, visit: Visit, signal: WaitForAnswer) -> None:
        self.waiting[visit.id] = Waiting(visit.id, visit.node, signal.question)
        self.scope.event("node.waiting", visit.node, visit.id, {"question": signal.question})

    def _tell_finished(self, visit: Visit, delta: dict[str, Any], output: Any, routes: list[Route] | None) -> None:
        data: dict[str, Any] = {"delta": delta}
        if output is not None:
            data["output"] = output
        if routes is not None:
            data["routes"] = routes  # who asked knows what filters made of the state, and need not ask again
        self.scope.event("node.finished", visit.node, visit.id, data)
        if routes is None:
            routes = [Route(index, edge.target) for index, edge in enumerate(visit.spec.out)]
        for route in routes:
            taken: dict[str, Any] = {"edge": route.edge, "source": visit.node, "target": route.target}
            if route.state is not None:
                taken["state"] = route.state
            self.scope.event("edge.taken", visit.node, visit.id, taken)

    def _named(self, visit: Visit, error: BaseException, deadline: Deadline | None) -> BaseException:
        """Return the error as the run tells it, with the node's name."""
        if self._failed is None and not (isinstance(error, asyncio.CancelledError) and self.error is not None):
            self._failed = visit
        if isinstance(error, asyncio.CancelledError):
            if deadline is not None and deadline.passed and deadline.taken_back() and self.error is None:
                return deadline.error(visit)
            return error
        return named(visit, error)

    def told(self, error: BaseException) -> BaseException:
        """Return the error that ends the run, with what had finished; tell it to whoever listens."""
        if isinstance(error, GraphError | TimeoutError | asyncio.CancelledError):
            kept = self.frontier.kept()
            with contextlib.suppress(Exception):
                error.finished = tuple(self.finished)  # type: ignore[union-attr]
                error.frontier = self.frontier  # type: ignore[union-attr]
                error.state = None if kept is None else self._plan.schema.present(kept.values(), False)  # type: ignore[union-attr]
        failed = self._failed
        if self.scope.emit is not None:
            if failed is not None and not isinstance(error, asyncio.CancelledError):
                said = {"error": str(error), "kind": type(error).__name__}
                self.scope.event("node.failed", failed.node, failed.id, said, error)
            for visit in self.frontier.visits:
                if visit is not failed and visit.id not in self.waiting:
                    self.scope.event("node.skipped", visit.node, visit.id, {"reason": "stopped"})
        return error


def named(visit: Visit, error: BaseException) -> BaseException:
    """Return what a node's failure is told as: an error that names the node, unless it has to stay what it is."""
    if isinstance(error, TimeoutError) or not isinstance(error, Exception):
        return error
    if isinstance(error, StateError | RoutingError) and error.visit is None and error.node == visit.node:
        error.visit = visit.id
        return error
    said = f"node {visit.node!r} failed: {type(error).__name__}: {error}"
    return NodeError(said, node=visit.node, visit=visit.id)
