"""One debug session: the journal of what was finished, and the frontier and trace that follow from it.

The journal is the truth. Going back takes visits out of it, changing an output changes one entry; then frontier and
trace are made again by repeating the journal, and no node runs for that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from graph_app.engine.debugger_storage import Storage, written
from graph_app.engine.debugger_trace import (
    FAILED,
    FINISHED,
    JOINING,
    READY,
    RUNNING,
    WAITING,
    TraceTree,
    TraceVisit,
    uuid_after,
    uuid_of,
)
from graph_app.engine.errors import DebuggerError, GraphError
from graph_app.engine.frontier import Frontier
from graph_app.engine.lineage import Lineage
from graph_app.engine.plan import Plan
from graph_app.engine.routing import Route
from graph_app.engine.types import START
from graph_app.engine.visits import Visit, unrolled


class Session:
    """A session on a graph.

    Args:
        plan: The graph, whose end is a visit.
        clock: Tells the time, in seconds.
    """

    def __init__(self, plan: Plan, clock: Callable[[], float]) -> None:
        self.plan = plan
        self.clock = clock
        self.storage: Storage | None = None
        self.name = ""
        self.number = 0
        self.inputs: dict[str, Any] | None = None
        self.journal: dict[str, TraceVisit] = {}
        self.step = 0
        self.trace = TraceTree()
        self.frontier = Frontier(plan)
        self._by_number: dict[int, TraceVisit] = {}

    @property
    def started(self) -> bool:
        """Whether there are inputs to run from."""
        return self.inputs is not None

    def start(self, inputs: Any) -> None:
        """Begin with these inputs.

        Raises:
            StateError: They do not fit.
        """
        checked = self.plan.schema.check(inputs, None, isolate=True)
        self.inputs = checked
        self.journal = {}
        self.step = 0
        self.trace = TraceTree()
        self.rebuild()

    def rebuild(self, *, ask_again: bool = False) -> list[str]:
        """Make frontier and trace again by repeating the journal.

        Args:
            ask_again: Whether routers and filters are asked again for the states on their edges. The targets stay.

        Returns:
            The uuids of entries that no longer follow from the rest; they are taken out of the journal.
        """
        old = {**self.trace.visits, **self.journal}
        self.trace = TraceTree()
        self._by_number = {}
        self.frontier, ready = Frontier(self.plan).start(self.inputs)
        root = self._visit_of(uuid_of(START), START, old)
        root.status = FINISHED
        root.delta = self.frontier.inputs
        root.after = Lineage(self.plan.schema, None, 0, START, self.frontier.inputs)
        root.visit = Visit(0, self.plan.nodes[START], root.after, (), *_NOWHERE)
        self.trace.root = root
        self._by_number[0] = root
        self._opened(root, ready, Frontier(self.plan), old)
        dropped = []
        for visit in self.journal.values():
            if visit.uuid not in self.trace.open or visit.visit is None:
                dropped.append(visit.uuid)
                continue
            if ask_again and visit.visit.spec.filtering:
                visit.routes = self._asked_again(visit, visit.visit)
            self._complete(visit, old)
        for uuid in dropped:
            self.journal.pop(uuid).forget()
        return dropped

    def _asked_again(self, trace: TraceVisit, visit: Visit) -> list[Route] | None:
        try:
            routes = self.frontier.route(visit, trace.delta, trace.output)
        except (GraphError, TypeError):
            return trace.routes
        same = [route[:2] for route in routes] == [route[:2] for route in trace.routes or ()]
        return routes if same else trace.routes

    def _visit_of(self, uuid: str, node: str, old: dict[str, TraceVisit]) -> TraceVisit:
        visit = old.get(uuid)
        if visit is None:
            visit = TraceVisit(uuid, node)
        else:
            visit.node_name = node
            visit.above = ()
            visit.below = ()
            if visit.status not in (FAILED, WAITING):
                visit.status = READY
        self.trace.visits[uuid] = visit
        return visit

    def finish(
        self,
        visit: TraceVisit,
        delta: dict[str, Any],
        output: Any,
        routes: list[Route] | None,
        after: Lineage | None = None,
    ) -> list[TraceVisit]:
        """Finish an open visit, write that down, and return the visits that may run now.

        Args:
            visit: The visit.
            delta: Its checked delta.
            output: What it put out beside that.
            routes: The edges taken, if they are known.
            after: The state after it, if it was made already.

        Raises:
            DebuggerError: What it put out cannot be kept.
        """
        visit.delta = delta
        visit.output = output
        visit.routes = routes
        visit.step = self.step
        visit.finished_at = self.clock()
        try:
            text = self._body(visit) if self.storage is not None else ""
            ready = self._complete(visit, _NO_ONE, after)
        except BaseException:
            visit.forget()
            raise
        self.journal[visit.uuid] = visit
        if self.storage is not None:
            visit.position = self.storage.append(self.number, visit.uuid, text)
        return ready

    def _complete(
        self, trace: TraceVisit, old: dict[str, TraceVisit], after: Lineage | None = None
    ) -> list[TraceVisit]:
        """Finish an open visit with the delta, output and routes that it has."""
        visit = trace.visit
        delta = trace.delta
        assert visit is not None
        assert delta is not None
        before = self.frontier
        if after is None:
            after = before.after(visit, delta, trace.output)
        spec = visit.spec
        new = None
        if spec.next is not None and not spec.next.waits:
            # Only where a join follows must the frontier before be kept: it tells what came there, and when.
            new = before.hop(visit, after, spec.next, spec.next_via)
        if new is None:
            self.frontier, ready = before.advance(visit.id, delta, trace.output, trace.routes, after)
        else:
            ready = (new,)
        trace.status = FINISHED
        trace.error = None
        trace.held = False
        trace.after = after
        del self.trace.open[trace.uuid]
        return self._opened(trace, ready, before, old)

    def _opened(
        self, completed: TraceVisit, ready: Iterable[Visit], before: Frontier, old: dict[str, TraceVisit]
    ) -> list[TraceVisit]:
        """Add the visits that became ready to the trace, and the joins that wait."""
        found = []
        for visit in ready:
            spec = visit.spec
            if not spec.waits:
                uuid = uuid_after(completed.uuid, visit.via[1][0])
                if uuid in self.trace.visits:
                    uuid = uuid_of(completed.uuid, visit.via[1][0], visit.id)
            else:
                join = before.joins.get((spec.name, visit.via[0]))
                uuid = self._join_uuid(spec.name, visit.via[0], join, completed)
            made = self._visit_of(uuid, spec.name, old)
            made.visit = visit
            made.above = tuple(self._by_number[number] for number in visit.parents)
            for parent in made.above:
                parent.below = (*parent.below, made)
            self._by_number[visit.id] = made
            self.trace.open[uuid] = made
            found.append(made)
        if self.frontier.joins or self.trace.joins:
            self._joins()
        return found

    def _join_uuid(self, name: str, group: str, join: Any, completed: TraceVisit) -> str:
        first = completed.uuid if join is None else self._by_number[unrolled(join[1])[0][2]].uuid
        uuid = uuid_of("join", name, group, first)
        return uuid if uuid not in self.trace.visits else uuid_of("join", name, group, first, len(self.trace.visits))

    def _joins(self) -> None:
        old = self.trace.joins
        self.trace.joins = {}
        for (name, group), join in sorted(self.frontier.joins.items()):
            arrived = [*unrolled(join[1]), *join[2]]
            uuid = self._join_uuid(name, group, join, self._by_number[arrived[0][2]])
            leaf = old.get(uuid) or TraceVisit(uuid, name)
            leaf.status = JOINING
            leaf.above = tuple(dict.fromkeys(self._by_number[source] for _, _, source, _ in arrived))
            leaf.arrived = tuple(lineage for _, lineage, _, _ in arrived)
            self.trace.joins[uuid] = leaf

    def go_back(self, uuids: Iterable[str]) -> None:
        """Take finished visits, and all that follows from them, out of the journal."""
        gone = set()
        for uuid in uuids:
            gone.add(uuid)
            gone.update(self.trace.visits[uuid].descendants())
        for uuid in gone:
            visit = self.trace.visits.get(uuid)
            if visit is not None and uuid not in self.journal:
                visit.forget()
        self._remove([uuid for uuid in self.journal if uuid in gone])

    def _remove(self, uuids: list[str]) -> None:
        positions = [self.journal[uuid].position for uuid in uuids]
        for uuid in uuids:
            self.journal.pop(uuid).forget()
        before = {uuid: visit.position for uuid, visit in self.journal.items()}
        positions += [before[uuid] for uuid in self.rebuild()]
        if self.storage is not None:
            self.storage.remove(positions)
            for uuid in uuids:
                self.storage.forget(f"{self.name}/{uuid}")

    def change(self, uuid: str, delta: dict[str, Any]) -> None:
        """Change what a finished visit wrote, or the inputs."""
        if self.trace.root is not None and uuid == self.trace.root.uuid:
            self.inputs = {**(self.inputs or {}), **delta}
        else:
            visit = self.journal[uuid]
            visit.delta = {**(visit.delta or {}), **delta}
        self.rebuild(ask_again=True)
        self.save()

    def save(self) -> None:
        """Write the inputs, and again every step whose routes or delta may have changed."""
        if self.storage is None or not self.started:
            return
        self.storage.note(self.number, "inputs", self.inputs)
        self.storage.note(self.number, "graph", fingerprint(self.plan))
        visits = self.journal.values()
        self.storage.replace([(self._body(visit), visit.position) for visit in visits if visit.position])
        for visit in visits:
            if not visit.position:
                visit.position = self.storage.append(self.number, visit.uuid, self._body(visit))

    def _body(self, visit: TraceVisit) -> str:
        body: dict[str, Any] = {"d": visit.delta, "s": visit.step, "t": (visit.started_at, visit.finished_at)}
        if visit.output is not None:
            body["o"] = visit.output
        if visit.routes is not None:
            body["r"] = visit.routes
        return written(body)

    def use(self, storage: Storage) -> None:
        """Keep the session in this file from now on."""
        self.storage = storage
        self.number = storage.session(self.name)

    def load(self) -> dict[str, Any]:
        """Take the session up as its file has it, and return what else was noted about it.

        Raises:
            DebuggerError: The file has no such session, or one of another graph.
        """
        assert self.storage is not None
        meta, rows = self.storage.load(self.number)
        if "inputs" not in meta:
            raise DebuggerError(f"the file {self.storage.path} has no session {self.name!r}")
        if meta.get("graph") != fingerprint(self.plan):
            raise DebuggerError(f"the session {self.name!r} was of another graph, or the graph has changed since")
        load = self.plan.schema.load
        self.inputs = load(meta["inputs"])
        self.journal = {}
        for position, uuid, body in rows:
            routes = body.get("r")
            known = None if routes is None else [Route(e, t, None if s is None else load(s)) for e, t, s in routes]
            visit = TraceVisit(uuid, "")
            visit.position = position
            visit.delta = load(body["d"])
            visit.output = body.get("o")
            visit.routes = known
            visit.step = body["s"]
            visit.started_at, visit.finished_at = body["t"]
            self.journal[uuid] = visit
            self.step = max(self.step, visit.step)
        self.trace = TraceTree()
        self.rebuild()
        return meta

    def note_on(self, error: BaseException) -> None:
        """Note on an error what had finished, and what was written until then."""
        kept = self.frontier.kept()
        for name, value in (
            ("finished", tuple(self.trace.visits[uuid].node_name for uuid in self.journal)),
            ("frontier", self.frontier.copy()),
            ("state", None if kept is None else self.plan.schema.present(kept.peek(), True)),
        ):
            setattr(error, name, value)

    def running(self) -> list[TraceVisit]:
        """Return the visits that are running now."""
        return [visit for visit in self.trace.open.values() if visit.status == RUNNING]


_NO_ONE: dict[str, TraceVisit] = {}
_NOWHERE: Any = (None, ("", ()))


def fingerprint(plan: Plan) -> list[Any]:
    """Return what makes a graph the same graph, for a session that is taken up again."""
    nodes = [[node.name, node.waits, node.partial] for node in plan.nodes.values()]
    edges = [[edge.source, edge.get_possible_targets(), edge.group, edge.edge_type] for edge in plan.edges]
    return [nodes, edges, plan.max_turn]
