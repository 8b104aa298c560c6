"""What can be wrong with a graph, all of it found at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graph_app.engine.edges import ConditionEdgeSpec, EdgeSpec, EdgeSpecBase
from graph_app.engine.errors import GraphDefinitionError, Problem
from graph_app.engine.expressions import Expression
from graph_app.engine.nodes import GraphNodeSpec
from graph_app.engine.schema import Schema
from graph_app.engine.types import END, START, NodeActionMode


def problems_of(
    state_schema: Any, nodes: Mapping[str, GraphNodeSpec], edges: Sequence[EdgeSpecBase], entry_set: bool
) -> tuple[list[Problem], list[str]]:
    """Return what keeps a graph from running, and what is allowed and most likely not meant.

    Args:
        state_schema: The state schema.
        nodes: The nodes by name.
        edges: All edges, those to the end included.
        entry_set: Whether an entry was set.
    """
    found: list[Problem] = []
    try:
        Schema(state_schema)
    except GraphDefinitionError as error:
        found.append(Problem("state_schema", str(error)))
    if not nodes:
        found.append(Problem("nodes", "the graph has no node"))
    if not entry_set:
        found.append(Problem("entry", "no entry is set; set_entry_point() names it"))
    for index, edge in enumerate(edges):
        found += _edge_problems(f"edges.{index}", edge, nodes)
    if nodes and not any(END in edge.get_possible_targets() for edge in edges):
        found.append(Problem("edges", "nothing leads to the end"))
    incoming: dict[str, list[EdgeSpecBase]] = {}
    for edge in edges:
        for target in edge.get_possible_targets():
            incoming.setdefault(target, []).append(edge)
    for name, node in nodes.items():
        found += _node_problems(name, node, incoming.get(name, ()))
    unlikely = []
    if not found:
        following: dict[str, set[str]] = {}
        for edge in edges:
            following.setdefault(edge.source, set()).update(edge.get_possible_targets())
        reached = reached_from(following)
        unlikely = [f"node {name!r} is never reached" for name in nodes if name not in reached]
        if END not in reached:
            found.append(Problem("edges", "the end is never reached"))
    return found, unlikely


def _edge_problems(place: str, edge: EdgeSpecBase, nodes: Mapping[str, GraphNodeSpec]) -> list[Problem]:
    found = []
    if edge.source not in nodes and edge.source != START:
        found.append(Problem(f"{place}.source", f"{edge.source!r} is no node"))
    targets = edge.get_possible_targets()
    found += [
        Problem(f"{place}.target", f"{target!r} is no node")
        for target in targets
        if target not in nodes and target != END
    ]
    if isinstance(edge, ConditionEdgeSpec):
        if not targets:
            found.append(Problem(f"{place}.possible_targets", "there is no possible target"))
        found += expression_problems(f"{place}.router", edge.router)
    if isinstance(edge, EdgeSpec):
        found += expression_problems(f"{place}.filter", edge.state_filter)
    return found


def expression_problems(place: str, function: Any) -> list[Problem]:
    """Return why a function does not compile, if it is an expression that does not."""
    problem = function.problem() if isinstance(function, Expression) else None
    return [] if problem is None else [Problem(place, problem)]


def _node_problems(name: str, node: GraphNodeSpec, incoming: Sequence[EdgeSpecBase]) -> list[Problem]:
    found = []
    groups: dict[str, set[str]] = {}
    for edge in incoming:
        groups.setdefault(edge.group, set()).add(edge.source)
    for group in node.multi_input_merge_strategy or {}:
        if group not in groups:
            found.append(
                Problem(f"nodes.{name}.multi_input_merge_strategy", f"no edge into {name!r} is in the group {group!r}")
            )
    if node.action_mode is NodeActionMode.ALL and not node.partial_join:
        for group, sources in groups.items():
            if name in sources and len(sources) > 1:
                message = (
                    f"{name!r} waits in the group {group!r} for itself, so it never starts; "
                    "put its own edge into another group"
                )
                found.append(Problem(f"nodes.{name}", message))
    return found


def reached_from(following: Mapping[str, Iterable[str]]) -> set[str]:
    """Return what is reached from the start.

    Args:
        following: Where the edges of each node may lead.
    """
    reached = {START}
    waiting = [START]
    while waiting:
        for target in following.get(waiting.pop(), ()):
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    return reached
