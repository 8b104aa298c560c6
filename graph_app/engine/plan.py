"""A graph as the scheduler reads it: nodes, edges and joins, with everything looked up beforehand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from graph_app.engine.edges import ConditionEdgeSpec, EdgeSpec, EdgeSpecBase
from graph_app.engine.expressions import Expression
from graph_app.engine.nodes import GraphNodeSpec
from graph_app.engine.schema import Schema
from graph_app.engine.types import END, START, NodeActionMode


class PlanEdge:
    """One edge.

    Attributes:
        spec: The edge as it was added.
        slots: For each possible target a number that is unique in the graph and grows in the order of adding.
        via: For each possible target the edge's group, and that number.
        filter: The state filter of a plain edge.
        plain: Whether it leads to one node, always, with the state as it is.
    """

    __slots__ = ("filter", "plain", "slots", "spec", "target", "via")

    def __init__(self, spec: EdgeSpecBase, first_slot: int) -> None:
        self.spec = spec
        self.slots = {target: first_slot + index for index, target in enumerate(spec.get_possible_targets())}
        self.via = {target: (spec.group, (slot,)) for target, slot in self.slots.items()}
        self.filter: Callable[..., Any] | None = spec.state_filter if isinstance(spec, EdgeSpec) else None
        self.target = spec.target if isinstance(spec, EdgeSpec) else ""
        self.plain = isinstance(spec, EdgeSpec) and self.filter is None


class PlanNode:
    """One node.

    Attributes:
        waits: Whether it is a join: ALL, and more than one edge in some group, or a merge strategy.
        groups: By edge group, the slots of the edges that come in.
        sources: The source of each slot that comes in.
        fan: The nodes that follow and how, where every edge is taken with the state as it is.
        full: By edge group, the mask of a join at which everything has arrived.
        choice: The only edge that goes out, if a function routes it.
        places: The place of each slot that comes in within its group.
        out: The edges that go out, in the order of adding.
        next: The only node that can follow, where scheduling needs no more than that.
    """

    __slots__ = (
        "active", "choice", "fan", "filtering", "full", "groups", "index", "is_end", "name", "next", "next_via",
        "out", "partial", "places", "run", "sources", "spec", "strategies", "waits",
    )  # fmt: skip

    def __init__(self, name: str, index: int, spec: GraphNodeSpec | None) -> None:
        self.name = name
        self.index = index
        self.spec = spec
        self.is_end = name == END
        self.waits = spec is not None and spec.action_mode is NodeActionMode.ALL and not self.is_end
        self.partial = spec is not None and spec.partial_join
        self.strategies = (spec.multi_input_merge_strategy if spec is not None else None) or {}
        self.run: Callable[[Any], Any] | None = spec._run if spec is not None else None
        self.active = spec._active if spec is not None else [0]
        self.groups: dict[str, tuple[int, ...]] = {}
        self.sources: dict[int, str] = {}
        self.places: dict[int, int] = {}
        self.out: list[PlanEdge] = []
        self.next: PlanNode | None = None
        self.next_via: tuple[str, tuple[int, ...]] = ("", ())
        self.full: dict[str, int] = {}
        self.choice: PlanEdge | None = None
        self.fan: list[tuple[PlanNode, tuple[str, tuple[int, ...]]]] = []
        self.filtering = False


class Plan:
    """The whole graph.

    Args:
        nodes: Node specifications by name; ``start`` and ``end`` may be left out.
        edges: Edges by source.
        schema: The compiled schema.
        max_turn: Greatest number of node calls, ``start`` and ``end`` included; no limit unless given.
        isolate: Whether routers, filters and merge strategies get copying views of the state.
        end_visits: Whether reaching the end is a visit that must be completed like any other (for the debugger).
    """

    __slots__ = ("edges", "end_visits", "isolate", "max_turn", "nodes", "schema")

    def __init__(
        self,
        nodes: Mapping[str, GraphNodeSpec],
        edges: Mapping[str, Sequence[EdgeSpecBase]],
        schema: Schema,
        *,
        max_turn: int | None = None,
        isolate: bool = True,
        end_visits: bool = False,
    ) -> None:
        self.schema = schema
        self.max_turn = max_turn
        self.isolate = isolate
        self.end_visits = end_visits
        names = dict.fromkeys([START, *nodes, END])
        self.nodes = {name: PlanNode(name, index, nodes.get(name)) for index, name in enumerate(names)}
        self.edges = in_order(edges)
        self._connect()

    def _connect(self) -> None:
        slot = 0
        for spec in self.edges:
            edge = PlanEdge(spec, slot)
            slot += len(edge.slots)
            self.nodes[spec.source].out.append(edge)
            for target, number in edge.slots.items():
                node = self.nodes[target]
                node.places[number] = len(node.groups.get(spec.group, ()))
                node.groups[spec.group] = (*node.groups.get(spec.group, ()), number)
                node.sources[number] = spec.source
        for node in self.nodes.values():
            if node.waits and not node.strategies and all(len(slots) == 1 for slots in node.groups.values()):
                node.waits = False
            node.full = {group: (1 << len(slots)) - 1 for group, slots in node.groups.items()}
            node.filtering = not all(edge.plain for edge in node.out)
        for node in self.nodes.values():
            if not node.filtering:
                node.fan = [(self.nodes[edge.target], edge.via[edge.target]) for edge in node.out]
            if len(node.out) == 1 and node.out[0].plain:
                only = self.nodes[node.out[0].target]
                if not only.is_end or self.end_visits:
                    node.next = only
                    node.next_via = node.out[0].via[only.name]
            elif len(node.out) == 1 and isinstance(node.out[0].spec, ConditionEdgeSpec):
                router = node.out[0].spec.router
                node.choice = None if isinstance(router, Expression) else node.out[0]

    def reachable(self, name: str) -> set[str]:
        """Return the names of all nodes that can follow a node, itself only if a loop leads back to it."""
        found: set[str] = set()
        waiting = [name]
        while waiting:
            for edge in self.nodes[waiting.pop()].out:
                for target in edge.slots:
                    if target not in found:
                        found.add(target)
                        waiting.append(target)
        return found


def in_order(edges: Mapping[str, Sequence[EdgeSpecBase]]) -> list[EdgeSpecBase]:
    """Return all edges in the order in which they were added; those that do not know it come last, source by source."""
    every = [edge for some in edges.values() for edge in some]
    last = len(every)
    return sorted(every, key=lambda edge: last + 1 if edge.order is None else edge.order)


__all__ = ["ConditionEdgeSpec", "Plan", "PlanEdge", "PlanNode", "in_order"]
