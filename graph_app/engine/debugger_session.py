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
    uuid_of,
)
from graph_app.engine.errors import DebuggerError, GraphError
from graph_app.engine.frontier import Frontier
from graph_app.engine.lineage import Lineage
from graph_app.engine.plan import Plan
from graph_app.engine.routing import Route
from graph_app.engine.types import START
from graph_app.engine.visits import Visit, unrolled


class Entry:
    """One finished visit in the journal."""

    __slots__ = ("delta", "finished_at", "output", "position", "routes", "started_at", "step", "uuid")

    def __init__(
        self,
        position: int,
        uuid: str,
        delta: dict[str, Any],
        output: Any,
        routes: list[Route] | None,
        step: int,
        started_at: float | None,
        finished_at: float | None,
    ) -> None:
        self.position = position
        self.uuid = uuid
        self.delta = delta
        self.output = output
        self.routes = routes
        self.step = step
        self.started_at = started_at
        self.finished_at = finished_at


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
        self.inputs: dict[str, Any] | None = None
        self.journal: dict[str, Entry] = {}
        self.step = 0
        self.trace = TraceTree()
        self.frontier = Frontier(plan)
        self._position = 0
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
        self._position = 0
        self.trace = TraceTree()
        self.rebuild()

    def rebuild(self, *, ask_again: bool = False) -> list[str]:
        """Make frontier and trace again by repeating the journal.

        Args:
            ask_again: Whether routers and filters are asked again for the states on their edges. The targets stay.

        Returns:
            The uuids of entries that no longer follow from the rest; they are taken out of the journal.
        """
        old = self.trace.visits
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
        for entry in self.journal.values():
            visit = self.trace.open.get(entry.uuid)
            if visit is None or visit.visit is None:
                dropped.append(entry.uuid)
                continue
            if ask_again and visit.visit.spec.filtering:
                entry.routes = self._asked_again(visit.visit, entry)
            visit.started_at = entry.started_at
            self._complete(visit, entry, old)
        for uuid in dropped:
            del self.journal[uuid]
        return dropped

    def _asked_again(self, visit: Visit, entry: Entry) -> list[Route] | None:
        try:
            routes = self.frontier.route(visit, entry.delta, entry.output)
        except (GraphError, TypeError):
            return entry.routes
        same = [route[:2] for route in routes] == [route[:2] for route in entry.routes or ()]
        return routes if same else entry.routes

    def _visit_of(self, uuid: str, node: str, old: dict[str, TraceVisit]) -> TraceVisit:
        visit = old.get(uuid)
        if visit is None:
            visit = TraceVisit(uuid, node)
        else:
            visit.parent = {}
            visit.children = {}
            visit.after = None
            visit.delta = visit.output = visit.finished_at = None
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
        self._position += 1
        entry = Entry(self._position, visit.uuid, delta, output, routes, self.step, visit.started_at, self.clock())
        text = self._body(entry) if self.storage is not None else ""
        ready = self._complete(visit, entry, {}, after)
        self.journal[visit.uuid] = entry
        if self.storage is not None:
            self.storage.append(self.name, entry.position, entry.uuid, text)
        return ready

    def _complete(
        self, visit: TraceVisit, entry: Entry, old: dict[str, TraceVisit], after: Lineage | None = None
    ) -> list[TraceVisit]:
        assert visit.visit is not None
        before = self.frontier
        if after is None:
            after = before.after(visit.visit, entry.delta, entry.output)
        self.frontier, ready = before.advance(visit.visit.id, entry.delta, entry.output, entry.routes, after)
        visit.status = FINISHED
        visit.error = None
        visit.held = False
        visit.delta = entry.delta
        visit.output = entry.output
        visit.after = after
        visit.finished_at = entry.finished_at
        del self.trace.open[visit.uuid]
        return self._opened(visit, ready, before, old)

    def _opened(
        self, completed: TraceVisit, ready: Iterable[Visit], before: Frontier, old: dict[str, TraceVisit]
    ) -> list[TraceVisit]:
        """Add the visits that became ready to the trace, and the joins that wait."""
        found = []
        for visit in ready:
            spec = visit.spec
            if not spec.waits:
                uuid = uuid_of(completed.uuid, visit.via[1][0])
                if uuid in self.trace.visits:
                    uuid = uuid_of(completed.uuid, visit.via[1][0], visit.id)
            else:
                join = before.joins.get((spec.name, visit.via[0]))
                uuid = self._join_uuid(spec.name, visit.via[0], join, completed)
            made = self._visit_of(uuid, spec.name, old)
            made.visit = visit
            for number in visit.parents:
                parent = self._by_number[number]
                made.parent[parent.uuid] = parent
                parent.children[uuid] = made
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
            parents = [self._by_number[source] for _, _, source, _ in arrived]
            leaf.parent = {parent.uuid: parent for parent in parents}
            leaf.arrived = [lineage for _, lineage, _, _ in arrived]
            self.trace.joins[uuid] = leaf

    def go_back(self, uuids: Iterable[str]) -> None:
        """Take finished visits, and all that follows from them, out of the journal."""
        gone = set()
        for uuid in uuids:
            gone.add(uuid)
            gone.update(self.trace.visits[uuid].descendants())
        for uuid in gone:
            visit = self.trace.visits.get(uuid)
            if visit is not None:
                visit.status = READY
                visit.error = None
                visit.held = False
        self._remove([uuid for uuid in self.journal if uuid in gone])

    def _remove(self, uuids: list[str]) -> None:
        positions = [self.journal.pop(uuid).position for uuid in uuids]
        before = {uuid: entry.position for uuid, entry in self.journal.items()}
        positions += [before[uuid] for uuid in self.rebuild()]
        if self.storage is not None:
            self.storage.remove(self.name, positions)
            for uuid in uuids:
                self.storage.forget(f"{self.name}/{uuid}")

    def change(self, uuid: str, delta: dict[str, Any]) -> None:
        """Change what a finished visit wrote, or the inputs."""
        if self.trace.root is not None and uuid == self.trace.root.uuid:
            self.inputs = {**(self.inputs or {}), **delta}
        else:
            entry = self.journal[uuid]
            entry.delta = {**entry.delta, **delta}
        self.rebuild(ask_again=True)
        self.save()

    def save(self) -> None:
        """Write the whole session to its file."""
        if self.storage is None or not self.started:
            return
        self.storage.note(self.name, "inputs", self.plan.schema.dump(self.inputs or {}))
        self.storage.note(self.name, "graph", fingerprint(self.plan))
        rows = [(entry.position, entry.uuid, self._body(entry)) for entry in self.journal.values()]
        self.storage.rewrite(self.name, rows)

    def _body(self, entry: Entry) -> str:
        dump = self.plan.schema.dump
        body: dict[str, Any] = {"d": dump(entry.delta), "s": entry.step, "t": [entry.started_at, entry.finished_at]}
        if entry.output is not None:
            body["o"] = entry.output
        if entry.routes is not None:
            body["r"] = [[edge, target, None if s is None else dump(s)] for edge, target, s in entry.routes]
        return written(body)

    def load(self) -> dict[str, Any]:
        """Take the session up as its file has it, and return what else was noted about it.

        Raises:
            DebuggerError: The file has no such session, or one of another graph.
        """
        assert self.storage is not None
        meta, rows = self.storage.load(self.name)
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
            self.journal[uuid] = Entry(
                position, uuid, load(body["d"]), body.get("o"), known, body["s"], body["t"][0], body["t"][1]
            )
            self._position = max(self._position, position)
            self.step = max(self.step, body["s"])
        self.trace = TraceTree()
        self.rebuild()
        return meta

    def running(self) -> list[TraceVisit]:
        """Return the visits that are running now."""
        return [visit for visit in self.trace.open.values() if visit.status == RUNNING]


_NOWHERE: Any = (None, ("", ()))


def fingerprint(plan: Plan) -> list[Any]:
    """Return what makes a graph the same graph, for a session that is taken up again."""
    nodes = [[node.name, node.waits, node.partial] for node in plan.nodes.values()]
    edges = [[edge.source, edge.get_possible_targets(), edge.group, edge.edge_type] for edge in plan.edges]
    return [nodes, edges, plan.max_turn]
