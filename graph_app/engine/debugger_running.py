"""Running visits of a debug session: awaits nodes, stops where it is told to, and writes down what they did."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from graph_app.engine.debugger_core import Core
from graph_app.engine.debugger_trace import FAILED, RUNNING, WAITING, TraceVisit
from graph_app.engine.errors import GraphError, GraphTimeoutError, StateError, WaitForAnswer
from graph_app.engine.isolation import IsolatedDict
from graph_app.engine.nodes import NodeResult
from graph_app.engine.routing import Route, ask
from graph_app.engine.running import named
from graph_app.engine.streaming import Event, RunScope, run_scope, visit_scope
from graph_app.engine.visits import Visit

_YIELD_EVERY = 128


class Driver:
    """Carries out one command.

    Args:
        core: The debugger's shared part.
        leaves: The visits to run.
        may_run: Tells whether a visit that became ready runs too; none does unless given.
    """

    def __init__(
        self,
        core: Core,
        leaves: list[TraceVisit],
        may_run: Callable[[TraceVisit], bool] | None,
    ) -> None:
        self._core = core
        self._session = core.session
        self._leaves = leaves
        self._may_run = may_run
        self._group: asyncio.TaskGroup | None = None
        self._alone = True
        self._steps = 0

    async def run(self) -> None:
        """Run the leaves, and what may run after them.

        Raises:
            GraphError: A node failed; the others were stopped, and stay leaves.
        """
        if not self._leaves:
            return
        scope = RunScope(self._core.run_id, self._core.path, (), self._heard(), self._core.plan.schema)
        scopes = (run_scope.set(scope), visit_scope.set(None))
        try:
            async with asyncio.timeout(self._core.run_timeout), asyncio.TaskGroup() as self._group:
                first, *others = self._leaves
                for leaf in others:
                    self._spawn(leaf)
                await self._branch(first)
        except BaseExceptionGroup as group:
            # The first is what went wrong; what others raised while they were stopped is of no interest.
            raise group.exceptions[0] from group.exceptions[0].__cause__
        except TimeoutError as error:
            if isinstance(error, GraphError) or error.__cause__ is None:
                raise
            raise GraphTimeoutError(f"the run took longer than {self._core.run_timeout:g} s") from error
        finally:
            visit_scope.reset(scopes[1])
            run_scope.reset(scopes[0])
            if scope.outlet is not None:
                await scope.outlet.drained()

    def _heard(self) -> Callable[[Event], None] | None:
        listeners = self._core.listeners
        if not listeners:
            return None

        def emit(event: Event) -> None:
            visit = visit_scope.get()
            known = (
                self._session._by_number.get(visit.id) if visit is not None and event.path == self._core.path else None
            )
            if known is not None:
                event.visit = known.uuid
            for listener in list(listeners):
                listener(event)

        return emit

    def _spawn(self, leaf: TraceVisit) -> None:
        assert self._group is not None
        self._alone = False
        self._group.create_task(self._branch(leaf))

    async def _branch(self, trace: TraceVisit) -> None:
        while True:
            ready = await self._visit(trace)
            if self._may_run is None:
                return
            if len(ready) == 1 and self._alone:
                trace = ready[0]
                if not self._may_run(trace):
                    return
                self._steps += 1
                if self._steps % _YIELD_EVERY == 0:
                    await asyncio.sleep(0)
                continue
            runnable = [visit for visit in ready if self._may_run(visit)]
            if not runnable:
                return
            for other in runnable[1:]:
                self._spawn(other)
            trace = runnable[0]
            self._steps += 1
            if not self._alone or self._steps % _YIELD_EVERY == 0:
                await asyncio.sleep(0)

    async def _visit(self, trace: TraceVisit) -> list[TraceVisit]:
        """Run one visit; return the visits that became ready."""
        visit = trace.visit
        assert visit is not None
        core = self._core
        trace.status = RUNNING
        trace.error = None
        trace.started_at = self._session.clock()
        spec = visit.spec
        if spec.run is None:
            return self._session.finish(trace, {}, None, None)
        visit_scope.set(visit)
        heard = bool(core.listeners)
        if heard:
            core.tell("node.started", trace.node, trace.uuid)
        spec.active[0] += 1
        try:
            result = await self._call(trace, visit)
            output = None
            if isinstance(result, NodeResult):
                result, output = result.delta, result.output
            delta = self._session.plan.schema.check(result, spec.name, isolate=core.isolate)
            return await self.finish(trace, delta, output)
        except WaitForAnswer as signal:
            trace.status = WAITING
            core.tell("node.waiting", trace.node, trace.uuid, {"question": signal.question})
            return []
        except asyncio.CancelledError:
            core.tell("node.skipped", trace.node, trace.uuid, {"reason": "stopped"})
            raise
        except BaseException as error:
            told = named(visit, error)
            self._failed(trace, told)
            if told is error:
                raise
            raise told from error
        finally:
            spec.active[0] -= 1

    async def _call(self, trace: TraceVisit, visit: Visit) -> Any:
        core = self._core
        if trace.uuid in core.children:
            delta = await core.finish_child(trace)
            if delta is None:
                raise WaitForAnswer("the nested graph stopped")
            return delta
        schema = self._session.plan.schema
        values = visit.lineage.values()
        state = schema.present(values, True)
        run = visit.spec.run
        assert run is not None
        if core.timeout is None:
            result = await run(state)
        else:
            result = await self._timed(visit, state, core.timeout)
        if not core.isolate:
            changed = changed_channels(state, values)
            if changed:
                listed = ", ".join(map(repr, changed))
                said = f"node {visit.node!r} changed its input in place, which isolate=False forbids: channel {listed}"
                raise StateError(said, node=visit.node, channel=changed[0])
        return result

    async def _timed(self, visit: Visit, state: Any, seconds: float) -> Any:
        assert visit.spec.run is not None
        try:
            async with asyncio.timeout(seconds) as limit:
                return await visit.spec.run(state)
        except TimeoutError:
            if not limit.expired():
                raise
            said = f"node {visit.node!r} took longer than {seconds:g} s"
            raise GraphTimeoutError(said, node=visit.node, visit=visit.id) from None

    async def finish(self, trace: TraceVisit, delta: dict[str, Any], output: Any) -> list[TraceVisit]:
        """Finish a visit with a checked delta; return the visits that became ready."""
        visit = trace.visit
        assert visit is not None
        session = self._session
        routes: list[Route] | None = None
        after = None
        if visit.spec.filtering:
            after = session.frontier.after(visit, delta, output)
            routes = await ask(session.plan, visit.spec, after, session.frontier.inputs)
        ready = session.finish(trace, delta, output, routes, after)
        core = self._core
        if core.listeners:
            self._tell_finished(trace, visit, delta, output, routes)
        if core.breakpoints and core.breakpoints.hit(trace.node_name, "leave", trace):
            for following in ready:
                following.held = True
        return ready

    def _tell_finished(
        self, trace: TraceVisit, visit: Visit, delta: dict[str, Any], output: Any, routes: list[Route] | None
    ) -> None:
        tell = self._core.tell
        data = {"delta": delta} if output is None else {"delta": delta, "output": output}
        tell("node.finished", trace.node_name, trace.uuid, data)
        if routes is None:
            routes = [Route(index, edge.target) for index, edge in enumerate(visit.spec.out)]
        for route in routes:
            taken: dict[str, Any] = {"edge": route.edge, "source": visit.node, "target": route.target}
            if route.state is not None:
                taken["state"] = route.state
            tell("edge.taken", trace.node_name, trace.uuid, taken)

    def _failed(self, trace: TraceVisit, error: BaseException) -> None:
        trace.status = FAILED
        trace.error = error
        if isinstance(error, GraphError | TimeoutError):
            self._session.note_on(error)
        said = {"error": str(error), "kind": type(error).__name__}
        self._core.tell("node.failed", trace.node, trace.uuid, said, error)


def changed_channels(view: Any, values: dict[str, Any]) -> list[str]:
    """Return the channels that a node changed in the view that it got of these values."""
    if isinstance(view, BaseModel):
        now = object.__getattribute__(view, "__dict__")
        read = dict.__getitem__
    else:
        assert isinstance(view, IsolatedDict)
        now = view
        read = dict.__getitem__
    changed = [name for name in values if name not in now]
    for name in dict.keys(now):
        mine = read(now, name)
        if name not in values or (mine is not values[name] and mine != values[name]):
            changed.append(name)
    return changed
