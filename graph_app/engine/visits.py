"""What a frontier is made of: visits, what waits at joins and at the end, and an order of branches."""

from __future__ import annotations

import functools
import uuid
from collections.abc import Iterable, Sequence
from typing import Any

import immutables

from graph_app.engine.lineage import Lineage
from graph_app.engine.plan import PlanNode


class Rank:
    """A place in the order of branches that does not depend on which of them was faster."""

    __slots__ = ("depth", "element", "parent")

    def __init__(self, parent: Rank | None, element: int) -> None:
        self.parent = parent
        self.element = element
        self.depth: int = 0 if parent is None else parent.depth + 1


ROOT_RANK = Rank(None, 0)


def compare(one: Rank, two: Rank) -> int:
    a, b = one, two
    while a.depth > b.depth:
        a = a.parent or a
    while b.depth > a.depth:
        b = b.parent or b
    if a is b:
        return one.depth - two.depth
    while a.parent is not b.parent and a.parent is not None and b.parent is not None:
        a, b = a.parent, b.parent
    return a.element - b.element


def joined_rank(ranks: Sequence[Rank]) -> Rank:
    """Return the rank of what goes on after a join: its branches' common place, under the first of them."""
    parent = ranks[0].parent
    if all(rank.parent is parent for rank in ranks):
        return Rank(parent, min(rank.element for rank in ranks))
    common = ranks[0]
    for rank in ranks[1:]:
        other = rank
        while common is not other:
            if common.depth >= other.depth and common.parent is not None:
                common = common.parent
            elif other.parent is not None:
                other = other.parent
            else:
                break
    first = min(ranks, key=functools.cmp_to_key(compare))
    if first is common:
        return common
    below = first
    while below.parent is not None and below.parent is not common:
        below = below.parent
    return Rank(common, below.element)


class Visit:
    """One execution of a node in a run, to come or under way.

    Attributes:
        id: Its number, unique in the run.
        node: The node's name.
        parents: The visits from which it follows; more than one at a join.
        group: The edge group over which it was reached.
        slots: The edges over which it was reached.
        lineage: The state that it gets.
    """

    __slots__ = ("_call_id", "group", "id", "lineage", "node", "parents", "rank", "slots", "spec")

    def __init__(
        self,
        visit_id: int,
        spec: PlanNode,
        lineage: Lineage,
        parents: tuple[int, ...],
        rank: Rank,
        group: str,
        slots: tuple[int, ...],
    ) -> None:
        self.id = visit_id
        self.spec = spec
        self.node = spec.name
        self.lineage = lineage
        self.parents = parents
        self.rank = rank
        self.group = group
        self.slots = slots
        self._call_id: str | None = None

    def __repr__(self) -> str:
        return f"Visit({self.id}, {self.node!r})"

    def state(self, isolate: bool = True) -> Any:
        """Return the state that the node gets.

        Args:
            isolate: Whether as a copying view, or as the engine's own values.
        """
        return self.lineage.schema.present(self.lineage.values(), isolate)

    @property
    def values(self) -> dict[str, Any]:
        """The engine's own values: to be read, never changed."""
        return self.lineage.values()

    @property
    def steps(self) -> dict[str, Any]:
        """What the nodes before it put out, by node; the last output of each."""
        return self.lineage.outputs()

    @property
    def step_order(self) -> list[str]:
        """The nodes before it that put something out, oldest first, repeats included."""
        return self.lineage.order()

    def call_id(self) -> str:
        """Return an id of this visit that no other visit of any run has."""
        if self._call_id is None:
            self._call_id = str(uuid.uuid4())
        return self._call_id


class Arrival:
    """A state that came over an edge and waits: at a join, at the end, or for a turn that it did not get."""

    __slots__ = ("group", "lineage", "parents", "rank", "slot", "spec", "visit")

    def __init__(
        self, spec: PlanNode, slot: int, group: str, lineage: Lineage, parents: tuple[int, ...], rank: Rank, visit: int
    ) -> None:
        self.spec = spec
        self.slot = slot
        self.group = group
        self.lineage = lineage
        self.parents = parents
        self.rank = rank
        self.visit = visit


class Join:
    """What has come to a join in one edge group: one arrival an edge, and those that came too early for this round."""

    __slots__ = ("arrivals", "early", "mask")

    def __init__(self, mask: int, arrivals: Any, early: tuple[Arrival, ...]) -> None:
        self.mask = mask
        self.arrivals = arrivals
        self.early = early


NO_VISITS: immutables.Map[int, Visit] = immutables.Map()
NO_JOINS: immutables.Map[tuple[str, str], Join] = immutables.Map()


def unrolled(cell: Any) -> list[Any]:
    """Return a linked list's items, oldest first."""
    items = []
    while cell is not None:
        item, cell = cell
        items.append(item)
    items.reverse()
    return items


def _by_edge(one: Arrival, two: Arrival) -> int:
    return one.slot - two.slot or compare(one.rank, two.rank) or one.visit - two.visit


def by_edge(arrivals: Iterable[Arrival]) -> list[Arrival]:
    """Return arrivals in the order in which edges were added, whenever they came."""
    return sorted(arrivals, key=functools.cmp_to_key(_by_edge))
