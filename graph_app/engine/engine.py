"""The engine that runs a graph: what is around a run, from its inputs to its result."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, PrivateAttr, SkipValidation

from graph_app.engine.drawing import draw, open_page
from graph_app.engine.edges import EdgeSpecBase
from graph_app.engine.errors import WaitForAnswer
from graph_app.engine.frontier import Frontier
from graph_app.engine.lineage import Lineage
from graph_app.engine.nested import changes
from graph_app.engine.nodes import GraphNodeSpec
from graph_app.engine.plan import Plan
from graph_app.engine.run_parts import Suspended, Waiting
from graph_app.engine.running import Run
from graph_app.engine.schema import Schema
from graph_app.engine.state import StateCkpt
from graph_app.engine.streaming import Event, RunScope, run_scope, visit_scope
from graph_app.engine.types import DEFAULT_EDGE_GROUP, BaseComponent
from graph_app.engine.visits import Visit

Emit = Callable[[Event], None]


class RunTimeTask(BaseModel):
    """A node that is about to run, as the specification describes it.

    Args:
        node_name: The node.
        state_ckpt: The state that it gets, or the states that wait at its join.
        edge_group: The group of the edges over which it was reached.
        predecessor: The node or nodes from which it was reached.
        state_filter: The filter on its way, applied already in tasks that the engine makes.
        trace_route: The nodes that ran before it, oldest first.
        visit: The visit that it stands for, in tasks that the debugger makes.
    """

    model_config = {"arbitrary_types_allowed": True}

    node_name: str
    state_ckpt: StateCkpt | list[StateCkpt]
    edge_group: str = DEFAULT_EDGE_GROUP
    predecessor: str | list[str] | None = None
    state_filter: Callable[..., Any] | None = None
    trace_route: list[str] = Field(default_factory=list)
    visit: str | None = None


class GraphEngine(BaseComponent):
    """Runs a graph. One engine serves any number of runs at once, in any event loop.

    Args:
        nodes: The nodes by name.
        edges: The edges by source.
        state_schema: A TypedDict or pydantic model class; ``None`` for an unchecked dict.
        max_turn: Greatest number of node calls in a run, ``start`` and ``end`` included; no limit unless given.
        timeout: Seconds that one execution of one node may take; no limit unless given.
        run_timeout: Seconds that a whole run may take; no limit unless given.
        isolate: Whether each node gets the state as a view that copies what it reads and could change.
    """

    nodes: dict[str, GraphNodeSpec] = Field(default_factory=dict)
    edges: dict[str, list[SkipValidation[EdgeSpecBase]]] = Field(default_factory=dict)
    state_schema: SkipValidation[Any] = None
    max_turn: int | None = Field(default=None, ge=1)
    timeout: float | None = Field(default=None, gt=0)
    run_timeout: float | None = Field(default=None, gt=0)
    isolate: bool = True

    _plan: Plan = PrivateAttr()
    _schema: Schema = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Look everything up that running needs."""
        self._schema = Schema(self.state_schema)
        self._plan = self._make_plan(end_visits=False)

    def _make_plan(self, *, end_visits: bool) -> Plan:
        return Plan(
            self.nodes,
            self.edges,
            self._schema,
            max_turn=self.max_turn,
            isolate=self.isolate,
            end_visits=end_visits,
        )

    @property
    def plan(self) -> Plan:
        """The graph as the scheduler reads it."""
        return self._plan

    @property
    def compiled_schema(self) -> Schema:
        """The compiled state schema."""
        return self._schema

    def frontier(self) -> Frontier:
        """Return the frontier of a run that has not started."""
        return Frontier(self._plan)

    async def run(self, inputs: Mapping[str, Any] | BaseModel | None = None) -> Any:
        """Run the graph.

        Args:
            inputs: Channels and their first values.

        Returns:
            The final state: a dict, or an instance of a pydantic schema. ``Suspended`` if nothing can run until an
            answer comes from outside.

        Raises:
            GraphRunError: A node failed, or the run could not end; names the node, keeps the cause and what had
                finished.
            TimeoutError: A node or the run took too long.
        """
        plan = self._plan
        frontier, ready = Frontier(plan).start(inputs)  # type: ignore[arg-type]
        outcome = await Run(self, frontier, self._scope(None, None)).execute(ready)
        return plan.schema.present(outcome.values(), False) if outcome.__class__ is Lineage else outcome

    async def proceed(
        self, frontier: Frontier, visits: Iterable[int | Visit] | None = None, *, run_id: str | None = None
    ) -> Any:
        """Go on with a run from where it stands.

        Args:
            frontier: Where it stands.
            visits: The open visits to run; all unless given. The others stay open, waiting.
            run_id: The run's id; a new one unless given.

        Returns:
            As ``run`` does.

        Raises:
            GraphRunError: As ``run`` does.
            TimeoutError: As ``run`` does.
        """
        ready = _chosen(frontier, visits)
        outcome = await Run(self, frontier.copy(), self._scope(run_id, None), _others(frontier, ready)).execute(ready)
        return outcome if isinstance(outcome, Suspended) else self._schema.present(outcome.values(), False)

    def _scope(self, run_id: str | None, emit: Emit | None) -> RunScope:
        """Return the scope of a run that starts here: one of its own, or inside the node that is running here."""
        outer = run_scope.get()
        visit = visit_scope.get()
        if outer is None or visit is None or emit is not None:
            return RunScope(run_id, (), (), emit, self._schema)
        path = (*outer.path, visit.node)
        within = (*outer.within, visit.id)
        if outer.loop is asyncio.get_running_loop():
            return RunScope(outer.run_id, path, within, outer.emit, self._schema, outer)
        # A sync node runs a graph in an event loop of its own: what happens there is told in the loop around it.
        emit_outside, loop = outer.emit, outer.loop

        def tell(event: Event) -> None:
            assert emit_outside is not None
            loop.call_soon_threadsafe(emit_outside, event)

        return RunScope(outer.run_id, path, within, None if emit_outside is None else tell, self._schema)

    async def stream(
        self,
        inputs: Mapping[str, Any] | BaseModel | None = None,
        *,
        frontier: Frontier | None = None,
        visits: Iterable[int | Visit] | None = None,
        run_id: str | None = None,
    ) -> AsyncIterator[Event]:
        """Run the graph, and yield everything that happens.

        The last event says how it ended: ``run.finished`` (``data["output"]`` is the result), ``run.failed``
        (``error`` is the exception), or ``run.suspended`` (``data["suspended"]``). Who stops early stops the run.

        Args:
            inputs: Channels and their first values.
            frontier: Where to go on from, instead of starting.
            visits: With ``frontier``: the open visits to run; all unless given.
            run_id: The run's id; a new one unless given.
        """
        told: deque[Event] = deque()
        wake = asyncio.Event()

        def emit(event: Event) -> None:
            told.append(event)
            wake.set()

        scope = self._scope(run_id, emit)
        task = asyncio.create_task(self._streamed(inputs, frontier, visits, scope))
        task.add_done_callback(lambda _: wake.set())
        try:
            while True:
                while told:
                    yield told.popleft()
                if task.done():
                    break
                wake.clear()
                await wake.wait()
        finally:
            if not task.done():
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        task.result()

    async def _streamed(
        self,
        inputs: Any,
        frontier: Frontier | None,
        visits: Iterable[int | Visit] | None,
        scope: RunScope,
    ) -> None:
        run_scope.set(None)
        visit_scope.set(None)
        try:
            if frontier is None:
                frontier, ready = Frontier(self._plan).start(inputs)
                scope.event("run.started", data={"inputs": frontier.inputs})
            else:
                ready = _chosen(frontier, visits)
                scope.event("run.resumed")
            outcome = await Run(self, frontier.copy(), scope, _others(frontier, ready)).execute(ready)
        except asyncio.CancelledError as error:
            scope.event("run.cancelled", error=error)
            raise
        except Exception as error:
            node = getattr(error, "node", None)
            visit = getattr(error, "visit", None)
            scope.event("run.failed", node, visit, {"error": str(error), "kind": type(error).__name__}, error)
            return
        if isinstance(outcome, Suspended):
            scope.event("run.suspended", data={"suspended": outcome})
        else:
            scope.event("run.finished", data={"output": self._schema.present(outcome.values(), False)})

    async def __call__(self, state: Any, stream_writer: Any = None) -> Any:
        """Run as a node of another graph: take the channels that are known here, return what changed.

        Raises:
            WaitForAnswer: Nothing in here can run until an answer comes.
        """
        inputs = self.known_inputs(state)
        outer = run_scope.get()
        frontier, ready = Frontier(self._plan).start(inputs)
        outcome = await Run(self, frontier, self._scope(None, None)).execute(ready)
        if isinstance(outcome, Suspended):
            raise WaitForAnswer(outcome)
        return changes(outcome, frontier.inputs, outer.schema if outer is not None else None)

    def known_inputs(self, state: Any) -> dict[str, Any]:
        """Return what of another graph's state can go into this one."""
        fields = state.__dict__ if isinstance(state, BaseModel) else state
        known = self._schema
        if known.unchecked:
            return dict(fields)
        names = [name for name in fields if name in known.channels]
        return {name: fields[name] for name in names if not known.channels[name].is_empty(fields[name])}

    def draw_graph(self, save_path: str | Path | None = None, auto_open: bool = True) -> str:
        """Draw the graph as one page of HTML that needs nothing else.

        Args:
            save_path: Where to write it; nowhere unless given.
            auto_open: Whether to open it in the browser.

        Returns:
            The page.
        """
        page = draw(self._plan)
        if save_path is not None:
            Path(save_path).write_text(page, encoding="utf-8")
        if auto_open:
            open_page(page, save_path)
        return page


def _chosen(frontier: Frontier, visits: Iterable[int | Visit] | None) -> tuple[Visit, ...]:
    return frontier.visits if visits is None else tuple(frontier.visit(visit) for visit in visits)


def _others(frontier: Frontier, ready: tuple[Visit, ...]) -> dict[int, Waiting]:
    """Return the open visits that are not to run now: they go on waiting."""
    chosen = {visit.id for visit in ready}
    return {visit.id: Waiting(visit.id, visit.node, None) for visit in frontier.visits if visit.id not in chosen}
