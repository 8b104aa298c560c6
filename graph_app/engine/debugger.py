"""The debugger: an engine that stops anywhere, goes back anywhere, and lets anything be changed."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any

from graph_app.engine.debugger_running import Driver
from graph_app.engine.debugger_storage import Storage
from graph_app.engine.debugger_trace import FINISHED, JOINING, WAITING, TraceVisit
from graph_app.engine.debugger_view import DebuggerView
from graph_app.engine.engine import GraphEngine, RunTimeTask
from graph_app.engine.errors import DebuggerError
from graph_app.engine.frontier import Frontier
from graph_app.engine.nested import changes
from graph_app.engine.streaming import Event


class GraphEngineDebugger(DebuggerView):
    """An engine that can be stopped, stepped, taken back and changed. ``run`` runs as ever, and stops nowhere.

    ``debug``, ``resume`` and ``step_over`` return the result once the run is over, and ``None`` while anything is
    left to run.

    Args:
        db_file_path: The file in which the session is kept; each step is written before the call returns.
        db_name: The session's name in that file.
    """

    def model_post_init(self, context: Any) -> None:
        """Prepare a session without a run."""
        super().model_post_init(context)
        self._core.finish_child = self._finish_child

    async def debug(self, inputs: Mapping[str, Any] | None = None) -> Any:
        """Start a session, and run to the first stop.

        Args:
            inputs: Channels and their first values.

        Raises:
            DebuggerError: Another command is being carried out.
            DatabaseLockedError: Another process debugs on the file.
            GraphRunError: A node failed, as in ``run``; it stays a leaf and can be run again.
        """
        async with self._core.command("debug"):
            self._begin(inputs)
            leaves = [visit for visit in self.tree.open.values() if self._core.may_run(visit)]
            return await self._drive(leaves, keep_going=True)

    def _begin(self, inputs: Any) -> None:
        session = self._core.new_session()
        session.name = self.db_name
        checked = session.plan.schema.check(inputs, None, isolate=True)
        storage = self._core.session.storage or Storage.open(self.db_file_path)
        session.use(storage)
        self._core.session.trace.clear()
        self._core.session = session
        self._drop_children()
        storage.forget(session.name)
        storage.note(session.number, "breakpoints", self._core.breakpoints.dump())
        session.start(checked)
        session.save()
        self._core.tell("run.started", data={"inputs": checked})

    async def resume(self, running_queue: list[RunTimeTask] | None = None) -> Any:
        """Go on from where the session stands.

        Args:
            running_queue: The leaves to run, breakpoint or not; all that have no breakpoint unless given.

        Raises:
            DebuggerError: Another command is being carried out, or nothing was started.
            GraphRunError: A node failed, as in ``run``.
        """
        async with self._core.command("resume"):
            self._core.check_started()
            if running_queue is None:
                for visit in self.tree.open.values():
                    visit.held = False
                leaves = [visit for visit in self.tree.open.values() if self._core.may_run(visit)]
            else:
                leaves = self._leaves_of(running_queue)
            return await self._drive(leaves, keep_going=True)

    async def step_over(self, node_uuid: str | None = None) -> Any:
        """Run one leaf, or all of them, breakpoint or not, and stop again.

        Args:
            node_uuid: The leaf. A join that waits first gets what it waits for run. All leaves unless given.

        Raises:
            DebuggerError: It is no leaf, or another command is being carried out.
            GraphRunError: A node failed, as in ``run``.
        """
        async with self._core.command("step"):
            self._core.check_started()
            self._core.session.step += 1
            if node_uuid is None:
                leaves = [v for v in self.tree.open.values() if v.status != WAITING or v.uuid in self._core.children]
            else:
                visit = self.visit(node_uuid)
                if visit.status == JOINING:
                    await self._run_up_to(visit)
                    if node_uuid not in self.tree.open:
                        return self._core.stopped("breakpoint")
                    visit = self.visit(node_uuid)
                if visit.uuid not in self.tree.open:
                    raise DebuggerError(f"visit {node_uuid} of {visit.node!r} has run already")
                leaves = [visit]
            return await self._drive(leaves, keep_going=False)

    async def _run_up_to(self, join: TraceVisit) -> None:
        """Run what a join waits for, up to other breakpoints."""
        plan = self._core.session.plan
        leading = {name for name in plan.nodes if join.node_name in plan.reachable(name)}

        def wanted(visit: TraceVisit) -> bool:
            return visit.node_name in leading and visit.node_name != join.node_name and self._core.may_run(visit)

        while join.uuid in self.tree.joins:
            leaves = [visit for visit in self.tree.open.values() if wanted(visit)]
            if not leaves:
                return
            await Driver(self._core, leaves, wanted).run()

    async def run_one_step(self, running_queue: list[RunTimeTask]) -> tuple[Any, list[RunTimeTask]]:
        """Run these tasks, each one visit.

        Args:
            running_queue: Tasks of leaves.

        Returns:
            The result, or ``None`` while anything is left to run; and the tasks that may run next.

        Raises:
            DebuggerError: A task is of no leaf, or another command is being carried out.
            GraphRunError: A node failed, as in ``run``.
        """
        async with self._core.command("step"):
            self._core.check_started()
            self._core.session.step += 1
            leaves = self._leaves_of(running_queue)
            before = set(self.tree.open)
            result = await self._drive(leaves, keep_going=False)
            new = [visit for uuid, visit in self.tree.open.items() if uuid not in before and self._core.may_run(visit)]
            return result, [visit.task for visit in new]

    def pause(self) -> None:
        """Let the visits that are running finish, and start no other."""
        self._core.pausing = True

    async def answer(self, node_uuid: str, delta: Any = None, output: Any = None) -> Any:
        """Finish a leaf with this delta and output, without running it: an answer from outside.

        Raises:
            DebuggerError: It is no leaf, or another command is being carried out.
            StateError: The delta does not fit.
        """
        async with self._core.command("step"):
            self._core.session.step += 1
            visit = self.visit(node_uuid)
            if visit.uuid not in self.tree.open:
                raise DebuggerError(f"visit {node_uuid} of {visit.node!r} is no leaf")
            checked = self._core.session.plan.schema.check(delta, visit.node, isolate=True)
            await Driver(self._core, [], self._core.may_run).finish(visit, checked, output)
            return self._core.stopped("step")

    async def _drive(self, leaves: list[TraceVisit], *, keep_going: bool) -> Any:
        driver = Driver(self._core, leaves, self._core.may_run if keep_going else None)
        await driver.run()
        return self._core.stopped("pause" if self._core.pausing else "breakpoint" if keep_going else "step")

    def _leaves_of(self, tasks: Iterable[RunTimeTask]) -> list[TraceVisit]:
        found = []
        for task in tasks:
            visit = self.visit(task.visit) if task.visit is not None else self.leaf(task.node_name)
            if visit.uuid not in self.tree.open:
                raise DebuggerError(f"visit {visit.uuid} of {visit.node!r} cannot run now")
            found.append(visit)
        return found

    def restore_step(self, node_uuid: str | None = None) -> None:
        """Go back: to the last step's beginning, or to where a visit had not run. No node runs for that.

        Args:
            node_uuid: The visit; it, and what follows from it, is undone. Other branches stay as they are.

        Raises:
            DebuggerError: There is no such visit, or nothing to go back to; or a command is being carried out.
        """
        self._core.check_idle()
        session = self._core.session
        if node_uuid is None:
            if not session.journal:
                raise DebuggerError("there is no step to go back")
            last = list(session.journal.values())[-1]
            uuids = [entry.uuid for entry in session.journal.values() if last.step and entry.step == last.step]
            uuids = uuids or [last.uuid]
        else:
            visit = self.visit(node_uuid)
            if session.trace.root is visit:
                uuids = list(visit.children)
            elif visit.status == FINISHED:
                uuids = [visit.uuid]
            else:
                return
        session.go_back([uuid for uuid in uuids if uuid in session.trace.visits])
        for uuid in [uuid for uuid in self._core.children if uuid not in session.trace.open]:
            self._core.children.pop(uuid).close()
        visits = [{"node": visit.node, "visit": visit.uuid} for visit in self.leaves()]
        self._core.tell("debug.restored", data={"visits": visits})

    def change_output(self, from_node_uuid: str, to_node_uuid: str, change_key: str, change_value: Any) -> None:
        """Change what a finished visit wrote, for what has not run yet.

        Args:
            from_node_uuid: The finished visit; the start's too, whose output are the inputs.
            to_node_uuid: A leaf that follows from it.
            change_key: The channel, whether it wrote it or not.
            change_value: The new value.

        Raises:
            DebuggerError: There is no such visit; the first is not finished; the second is no leaf, or does not follow
                from the first.
            StateError: The value does not fit.
        """
        self._core.check_idle()
        source = self.visit(from_node_uuid)
        target = self.visit(to_node_uuid)
        if target not in self.leaves():
            raise DebuggerError(f"visit {to_node_uuid} of {target.node!r} is no leaf: it has run already")
        if source.status != FINISHED:
            raise DebuggerError(f"visit {from_node_uuid} of {source.node!r} has not run, so it has no output")
        if source not in target.ancestors():
            raise DebuggerError(f"{target.node!r} does not follow from that visit of {source.node!r}")
        root = self._core.session.trace.root
        node = None if source is root else source.node
        self._core.session.change(source.uuid, self._schema.check({change_key: change_value}, node, isolate=True))
        self._core.tell("debug.changed", source.node, source.uuid, {"key": change_key})

    def reset(self) -> None:
        """Forget the session and the breakpoints.

        Raises:
            DebuggerError: A command is being carried out.
        """
        self._core.check_idle()
        storage = self._core.session.storage
        self._core.session = self._core.new_session()
        self._core.session.name = self.db_name
        if storage is not None:
            self._core.session.use(storage)
        self._drop_children()
        self._core.breakpoints.clear_all()

    def step_into(self, node_uuid: str) -> GraphEngineDebugger:
        """Return a debugger of the graph that a leaf's node is, stopped before its first node.

        Args:
            node_uuid: The leaf. Its debugger is the same until the leaf has run, also in a new process.

        Raises:
            DebuggerError: It is no leaf, or its node is no graph.
        """
        visit = self.visit(node_uuid)
        spec = self.nodes.get(visit.node)
        inner = getattr(spec, "_original", None)
        if not isinstance(inner, GraphEngine):
            raise DebuggerError(f"the node {visit.node!r} is no graph")
        if visit.uuid not in self.tree.open:
            raise DebuggerError(f"visit {node_uuid} of {visit.node!r} is no leaf")
        child = self._core.children.get(node_uuid)
        if child is None:
            child = self._nested(inner, visit)
            self._core.children[node_uuid] = child
        return child

    def _nested(self, inner: GraphEngine, visit: TraceVisit) -> GraphEngineDebugger:
        names = ("nodes", "edges", "state_schema", "max_turn", "timeout", "run_timeout", "isolate")
        given = {name: getattr(inner, name) for name in names}
        name = f"{self.db_name}/{visit.uuid}"
        child = GraphEngineDebugger(**given, db_file_path=self.db_file_path, db_name=name)
        child._core.path = (*self._core.path, visit.node)
        child._core.listeners = self._core.listeners
        child._core.clock = self._core.clock
        try:
            child.load_status_from_db()
        except DebuggerError:
            child._begin(inner.known_inputs(visit.input))
        return child

    async def step_out(self, node_uuid: str) -> Any:
        """Run a nested graph that was stepped into to its end, and finish its visit with what changed.

        Returns:
            As ``step_over``; ``None`` too if the nested graph stopped at a breakpoint of its own.
        """
        async with self._core.command("step"):
            self._core.session.step += 1
            visit = self.visit(node_uuid)
            if visit.uuid not in self.tree.open or node_uuid not in self._core.children:
                raise DebuggerError(f"nothing was stepped into at visit {node_uuid}")
            delta = await self._finish_child(visit)
            if delta is None:
                return None
            checked = self._core.session.plan.schema.check(delta, visit.node)
            await Driver(self._core, [], self._core.may_run).finish(visit, checked, None)
            return self._core.stopped("step")

    async def _finish_child(self, visit: TraceVisit) -> dict[str, Any] | None:
        """Return what a nested graph changed, having run it to its end; ``None`` if it stopped before."""
        child = self._core.children[visit.uuid]
        result = await child.resume()
        if result is None:
            return None
        frontier: Frontier = child._core.session.frontier
        self._core.children.pop(visit.uuid).close()
        return changes(frontier.outcome(), frontier.inputs, self._schema)

    async def stream(  # type: ignore[override]
        self, inputs: Mapping[str, Any] | None = None, *, run_id: str | None = None, resume: bool = False
    ) -> AsyncIterator[Event]:
        """Start a session, or go on with it, and yield everything that happens up to the next stop.

        A stop is a ``stopped`` event: ``data["reason"]`` is ``breakpoint``, ``step``, ``pause`` or ``exception``,
        ``data["visits"]`` the visits about to run, each with the ``difference`` that the visits before it made. What
        commands do that are given while a stream is being read is in it too.

        Args:
            inputs: Channels and their first values.
            run_id: The run's id; a new one unless given.
            resume: Whether to go on instead of starting.
        """
        told: deque[Event] = deque()
        wake = asyncio.Event()

        def emit(event: Event) -> None:
            told.append(event)
            wake.set()

        self._core.run_id = run_id or self._core.run_id or self._scope(None, emit).run_id
        self._core.listeners.append(emit)
        task: asyncio.Task[Any] = asyncio.create_task(self.resume() if resume else self.debug(inputs))
        task.add_done_callback(lambda _: wake.set())
        try:
            while True:
                while told:
                    yield told.popleft()
                if task.done() and not self._core.busy:
                    break
                wake.clear()
                await wake.wait()
        finally:
            self._core.listeners.remove(emit)
            if not task.done():
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task
