"""The trace of a debug session: its visits, how they follow from each other, and where each stands."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from graph_app.engine.errors import DebuggerError
from graph_app.engine.lineage import Lineage
from graph_app.engine.routing import Route
from graph_app.engine.visits import Visit

if TYPE_CHECKING:
    from graph_app.engine.engine import RunTimeTask

READY, RUNNING, FINISHED, FAILED, WAITING, JOINING = "ready", "running", "finished", "failed", "waiting", "joining"


class TraceVisit:
    """One visit, or a join that waits for its visit.

    Attributes:
        uuid: Its id.
        node_name: Its node; also ``node``.
        status: ``ready``, ``running``, ``finished``, ``failed``, ``waiting`` (for an answer) or ``joining`` (a join
            that waits for more of its edges).
        above: The visits from which it follows; by uuid in ``parent`` and ``parents``.
        below: The visits that follow from it; by uuid in ``children``.
        delta: What it wrote, once it is finished.
        output: What it put out beside that.
        error: What it failed with, if it did.
        started_at: When it last started, by the debugger's clock.
        finished_at: When it finished.
        routes: The edges that were taken after it, where routers or filters had a say.
        position: Where it stands in the file.
        step: The command that finished it; 0 for one that runs on.
        held: Whether a breakpoint on leaving what comes before it holds it.
    """

    __slots__ = (
        "above", "after", "arrived", "below", "delta", "error", "finished_at", "held", "node_name", "output",
        "position", "routes", "started_at", "status", "step", "uuid", "visit",
    )  # fmt: skip

    def __init__(self, uuid: str, node_name: str) -> None:
        self.uuid = uuid
        self.node_name = node_name
        self.status = READY
        self.above: tuple[TraceVisit, ...] = ()
        self.below: tuple[TraceVisit, ...] = ()
        self.visit: Visit | None = None
        self.after: Lineage | None = None
        self.arrived: tuple[Lineage, ...] = ()
        self.delta: dict[str, Any] | None = None
        self.output: Any = None
        self.error: BaseException | None = None
        self.started_at: float | None = None
        self.finished_at: float | None = None
        self.held = False
        self.routes: list[Route] | None = None
        self.position = 0
        self.step = 0

    def __repr__(self) -> str:
        return f"TraceVisit({self.node_name!r}, {self.status}, {self.uuid!r})"

    def forget(self) -> None:
        """Be as if it had never run."""
        self.status = READY
        self.after = self.delta = self.output = self.error = self.routes = None
        self.started_at = self.finished_at = None
        self.held = False
        self.position = 0

    @property
    def node(self) -> str:
        """The node's name."""
        return self.node_name

    @property
    def parent(self) -> dict[str, TraceVisit]:
        """The visits from which it follows, by uuid."""
        return {visit.uuid: visit for visit in self.above}

    @property
    def children(self) -> dict[str, TraceVisit]:
        """The visits that follow from it, by uuid."""
        return {visit.uuid: visit for visit in self.below}

    @property
    def parents(self) -> dict[str, TraceVisit]:
        """The visits from which it follows, by uuid."""
        return self.parent

    @property
    def times(self) -> dict[str, float | None]:
        """When it started and finished."""
        return {"started": self.started_at, "finished": self.finished_at}

    @property
    def input(self) -> Any:
        """The state that it gets: a dict, or an instance of a pydantic schema. ``None`` for a join that waits."""
        return None if self.visit is None else _shown(self.visit.lineage)

    @property
    def state(self) -> Any:
        """The state after it; before it is finished, the state that it gets."""
        return _shown(self.after) if self.after is not None else self.input

    @property
    def task(self) -> RunTimeTask:
        """It as the specification describes what is about to run."""
        from graph_app.engine.engine import RunTimeTask
        from graph_app.engine.state import StateCkpt

        names = [parent.node_name for parent in self.above]
        states = [StateCkpt._of(lineage) for lineage in self.arrived]
        if self.visit is not None:
            states = [StateCkpt._of(self.visit.lineage)]
        return RunTimeTask(
            node_name=self.node_name,
            state_ckpt=states[0] if len(states) == 1 else states,
            edge_group=self.visit.group if self.visit is not None else "all",
            predecessor=names[0] if len(names) == 1 else names or None,
            trace_route=[visit.node_name for visit in self.ancestors()],
            visit=self.uuid,
        )

    def ancestors(self) -> list[TraceVisit]:
        """Return the visits before it, oldest first."""
        found: dict[str, TraceVisit] = {}
        waiting = list(self.above)
        while waiting:
            visit = waiting.pop(0)
            if visit.uuid not in found:
                found[visit.uuid] = visit
                waiting.extend(visit.above)
        return list(reversed(found.values()))

    def descendants(self) -> dict[str, TraceVisit]:
        """Return the visits after it, by uuid."""
        found: dict[str, TraceVisit] = {}
        waiting = list(self.below)
        while waiting:
            visit = waiting.pop()
            if visit.uuid not in found:
                found[visit.uuid] = visit
                waiting.extend(visit.below)
        return found


def _shown(lineage: Lineage) -> Any:
    return lineage.schema.present(lineage.peek(), True)


class TraceTree:
    """All visits of a session."""

    def __init__(self) -> None:
        self.visits: dict[str, TraceVisit] = {}
        self.open: dict[str, TraceVisit] = {}
        self.joins: dict[str, TraceVisit] = {}
        self.root: TraceVisit | None = None

    def __iter__(self) -> Iterator[TraceVisit]:
        return iter(self.visits.values())

    def __len__(self) -> int:
        return len(self.visits)

    def clear(self) -> None:
        """Let the visits go of each other, so that they are freed at once."""
        for visit in self.visits.values():
            visit.below = ()

    def leaves(self) -> list[TraceVisit]:
        """Return the visits that can run next, and the joins that wait."""
        return [*self.open.values(), *self.joins.values()]

    def find(self, uuid: str | None) -> TraceVisit:
        """Return a visit.

        Raises:
            DebuggerError: There is no such visit.
        """
        visit = self.visits.get(uuid or "") or self.joins.get(uuid or "")
        if visit is None:
            raise DebuggerError(f"there is no visit {uuid!r}")
        return visit

    def visit(self, uuid: str) -> TraceVisit:
        """Return a visit; see ``find``."""
        return self.find(uuid)

    def leaf(self, node_name: str) -> TraceVisit:
        """Return the leaf of a node, the oldest if there are several.

        Raises:
            DebuggerError: The node has none.
        """
        for visit in self.leaves():
            if visit.node_name == node_name:
                return visit
        raise DebuggerError(f"no visit of {node_name!r} is about to run")

    def get_node_by_uuid(self, node_uuid: str) -> TraceVisit:
        """Return a visit; see ``find``."""
        return self.find(node_uuid)

    def get_leaf_node_uuid_by_node_name(self, node_name: str) -> str:
        """Return the uuid of a node's leaf; see ``leaf``."""
        return self.leaf(node_name).uuid


def uuid_after(uuid: str, slot: int) -> str:
    """Return the uuid of the visit that follows from another one over an edge."""
    return hashlib.blake2b(f"{uuid}|{slot}".encode(), digest_size=16).hexdigest()


def uuid_of(*parts: Any) -> str:
    """Return the uuid that follows from these parts, always the same one."""
    return hashlib.blake2b("|".join(map(str, parts)).encode(), digest_size=16).hexdigest()
