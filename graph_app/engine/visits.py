"""What a frontier is made of: visits, what waits at joins and at the end, and an order of branches."""

from __future__ import annotations

import functools
import operator
import uuid
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import immutables

from graph_app.engine.lineage import Lineage
from graph_app.engine.plan import PlanNode

Rank: TypeAlias = tuple[Any, int, int, int]
"""A place in the order of branches that does not depend on which of them was faster: the rank above it, the branch's
place among those that forked there, the join's first edge (-1 if it is none), and how many ranks are above.

A plain tuple, since each branch gets one; ranks are told apart by identity.
"""

ROOT_RANK: Rank = (None, 0, -1, 0)


def compare(one: Rank, two: Rank) -> int:
    """Return a negative number if the first branch comes first, a positive one if the second does."""
    a, b = one, two
    while a[3] > b[3]:
        a = a[0]
    while b[3] > a[3]:
        b = b[0]
    if a is b:
        return one[3] - two[3]
    while a[0] is not b[0] and a[0] is not None and b[0] is not None:
        a, b = a[0], b[0]
    return (a[1:3] > b[1:3]) - (a[1:3] < b[1:3])


_branch = operator.itemgetter(1)


def joined_rank(ranks: Sequence[Rank], slot: int) -> Rank:
    """Return the rank of what goes on after a join: at its branches' common place, right after the first of them.

    Args:
        ranks: The branches' ranks.
        slot: The join's first edge, which keeps apart joins of the same branches.
    """
    above = ranks[0][0]
    for rank in ranks:
        if rank[0] is not above:
            break
    else:
        return (above, min(map(_branch, ranks)), slot, ranks[0][3])
    common = ranks[0]
    for rank in ranks[1:]:
        other = rank
        while common is not other:
            if common[3] >= other[3] and common[0] is not None:
                common = common[0]
            elif other[0] is not None:
                other = other[0]
            else:
                break
    below = min(ranks, key=functools.cmp_to_key(compare))
    if below is common:
        return (common, -1, slot, common[3] + 1)
    while below[0] is not None and below[0] is not common:
        below = below[0]
    return (common, below[1], slot, common[3] + 1)


class Visit:
    """One execution of a node in a run, to come or under way.

    Attributes:
        id: Its number, unique in the run.
        spec: The node.
        parents: The visits from which it follows; more than one at a join.
        lineage: The state that it gets.
        rank: Its branch's place among all branches.
        via: The edge group, and the edges, over which it was reached.
    """

    __slots__ = ("_call_id", "id", "lineage", "parents", "rank", "spec", "via")

    def __init__(
        self,
        visit_id: int,
        spec: PlanNode,
        lineage: Lineage,
        parents: tuple[int, ...],
        rank: Rank,
        via: tuple[str, tuple[int, ...]],
    ) -> None:
        self.id = visit_id
        self.spec = spec
        self.lineage = lineage
        self.parents = parents
        self.rank = rank
        self.via = via
        self._call_id: str | None = None

    def __repr__(self) -> str:
        return f"Visit({self.id}, {self.node!r})"

    @property
    def node(self) -> str:
        """The node's name."""
        return self.spec.name

    @property
    def group(self) -> str:
        """The edge group over which it was reached."""
        return self.via[0]

    @property
    def slots(self) -> tuple[int, ...]:
        """The edges over which it was reached, by their numbers in the graph."""
        return self.via[1]

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


Parked: TypeAlias = tuple[int, Lineage, int, Rank]
"""A state that waits at a join: the edge over which it came, the state, the visit from which, that branch's rank."""

Join: TypeAlias = tuple[int, Any, tuple[Parked, ...]]
"""What came to a join in one edge group: a mask of its edges, one arrival an edge as a linked list, and those that came
too early for this round."""

NOTHING_YET: Join = (0, None, ())
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


def _by_edge(one: Visit, two: Visit) -> int:
    return one.via[1][0] - two.via[1][0] or compare(one.rank, two.rank) or one.id - two.id


def by_edge(arrivals: Iterable[Visit]) -> list[Visit]:
    """Return arrivals in the order in which edges were added, whenever they came."""
    return sorted(arrivals, key=functools.cmp_to_key(_by_edge))
