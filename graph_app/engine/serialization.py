"""Builders in files: the whole graph as JSON values, without code in it, and back without running any."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from graph_app.engine.edges import ConditionEdgeSpec, EdgeSpec, EdgeSpecBase
from graph_app.engine.errors import GraphDefinitionError, SerializationError
from graph_app.engine.expressions import Expression
from graph_app.engine.nodes import GraphNodeSpec, NodeBase
from graph_app.engine.registry import lookup, reference
from graph_app.engine.schema_files import dump_schema, load_schema
from graph_app.engine.types import START

if TYPE_CHECKING:
    from graph_app.engine.builder import GraphBuilder


def _dump_function(function: Any, who: str) -> dict[str, Any]:
    if isinstance(function, Expression):
        return {"expression": function.source}
    if isinstance(function, NodeBase) and reference(type(function)) is not None:
        fields = function.model_dump(mode="json")
        return {"class": reference(type(function)), "fields": fields}
    written = reference(function)
    if written is None:
        name = getattr(function, "__qualname__", None) or repr(function)
        raise SerializationError(
            f"{who}: {name} cannot be written to a file; register it by name (register_function), define it at the top "
            "of a module, or use an expression"
        )
    return dict(written)


def _load_function(written: Any, who: str, allow: Iterable[Any]) -> Any:
    if written is None:
        return None
    if isinstance(written, dict) and set(written) == {"expression"} and isinstance(written["expression"], str):
        return Expression(written["expression"])
    try:
        if isinstance(written, dict) and "class" in written:
            cls = lookup(written["class"], allow)
            if not (isinstance(cls, type) and issubclass(cls, NodeBase)):
                raise LookupError(f"{written['class']!r} is no class of nodes")
            return cls(**written.get("fields", {}))
        return lookup(written, allow)
    except Exception as error:
        raise SerializationError(f"{who}: {error}") from error


def dump_builder(builder: GraphBuilder, graph_name: str, version: str) -> dict[str, Any]:
    """Return a builder as JSON values; see ``GraphBuilder.dumps``."""
    result = {
        "graph_name": graph_name,
        "version": version,
        "state_schema": dump_schema(builder.state_schema),
        "nodes": {name: _dump_node(name, node) for name, node in builder._nodes.items()},
        "edges": {source: [_dump_edge(edge) for edge in edges] for source, edges in builder.edges.items()},
        "entry_set": builder._entry_set,
    }
    try:
        json.dumps(result, ensure_ascii=False).encode()
    except (TypeError, ValueError) as error:
        raise SerializationError(f"the graph has something in it that JSON cannot hold: {error}") from error
    return result


def _dump_node(name: str, node: GraphNodeSpec) -> dict[str, Any]:
    who = f"node {name!r}"
    try:
        written = {
            "node_name": name,
            "node": _dump_function(node._original, who),
            "action_mode": node.action_mode.value,
            "partial_join": node.partial_join,
            "multi_input_merge_strategy": None,
        }
    except (TypeError, ValueError) as error:
        raise error if isinstance(error, SerializationError) else SerializationError(f"{who}: {error}") from error
    if node.multi_input_merge_strategy is not None:
        written["multi_input_merge_strategy"] = {
            group: _dump_function(function, f"{who}, merge strategy of group {group!r}")
            for group, function in node.multi_input_merge_strategy.items()
        }
    return written


def _dump_edge(edge: EdgeSpecBase) -> dict[str, Any]:
    who = f"an edge of node {edge.source!r}"
    written: dict[str, Any] = {
        "source": edge.source, "group": edge.group, "edge_type": edge.edge_type, "order": edge.order,
    }  # fmt: skip
    if isinstance(edge, EdgeSpec):
        written["target"] = edge.target
        written["state_filter"] = None if edge.state_filter is None else _dump_function(edge.state_filter, who)
    elif isinstance(edge, ConditionEdgeSpec):
        written["router"] = _dump_function(edge.router, who)
        written["possible_targets"] = list(edge.possible_targets)
    return written


def load_builder(cls: type[GraphBuilder], data: Mapping[str, Any], allow: Iterable[Any]) -> GraphBuilder:
    """Return a builder from what ``dump_builder`` returned; see ``GraphBuilder.loads``."""
    allow = tuple(allow)
    try:
        builder = cls(state_schema=load_schema(data["state_schema"], allow))
        for name, node in data.get("nodes", {}).items():
            who = f"node {name!r}"
            strategies = node.get("multi_input_merge_strategy")
            builder.add_node(
                name,
                _load_function(node["node"], who, allow),
                node.get("action_mode", "any"),
                None if strategies is None else {
                    group: _load_function(function, f"{who}, merge strategy of group {group!r}", allow)
                    for group, function in strategies.items()
                },
                partial_join=bool(node.get("partial_join", False)),
            )  # fmt: skip
        every = [edge for edges in data.get("edges", {}).values() for edge in edges]
        every.sort(key=lambda edge: (edge.get("order") is None, edge.get("order") or 0))
        for edge in every:
            _load_edge(builder, edge, allow, bool(data.get("entry_set")))
    except GraphDefinitionError:
        raise
    except Exception as error:
        raise SerializationError(f"the graph cannot be read: {type(error).__name__}: {error}") from error
    return builder


def _load_edge(builder: GraphBuilder, edge: Mapping[str, Any], allow: Iterable[Any], entry_set: bool) -> None:
    source = edge["source"]
    who = f"an edge of node {source!r}"
    if edge.get("edge_type", "edge") == "conditional":
        router = _load_function(edge["router"], who, allow)
        builder.add_condition_edge(source, router, list(edge["possible_targets"]), edge.get("group", "all"))
    elif source == START and entry_set and not builder._entry_set:
        builder.set_entry_point(edge["target"])
    else:
        state_filter = _load_function(edge.get("state_filter"), who, allow)
        builder.add_edge(source, edge["target"], edge.get("group", "all"), state_filter)
    order = edge.get("order")
    if isinstance(order, int):
        builder._edges[-1].order = order
        builder._last_order = max(builder._last_order, order)
