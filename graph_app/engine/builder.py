"""The builder: nodes and edges are added to it, and it makes an engine of them."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import PrivateAttr, SkipValidation

from graph_app.engine.checks import problems_of
from graph_app.engine.debugger import GraphEngineDebugger
from graph_app.engine.edges import ConditionEdgeSpec, EdgeSpec, EdgeSpecBase, unique_targets
from graph_app.engine.engine import GraphEngine
from graph_app.engine.errors import GraphBuildError, GraphDefinitionError, Problem
from graph_app.engine.expressions import Expression
from graph_app.engine.nodes import GraphNodeSpec, MergeStrategies, NodeBase
from graph_app.engine.plan import in_order
from graph_app.engine.registry import remember
from graph_app.engine.streaming import get_stream_writer
from graph_app.engine.types import (
    DEFAULT_EDGE_GROUP,
    END,
    START,
    BaseComponent,
    GraphMode,
    NodeActionMode,
    SpecialNode,
    StateFilterLike,
)


class GraphWarning(UserWarning):
    """Something about a graph that is allowed, and most likely not meant."""


class GraphBuilder(BaseComponent):
    """Builds a graph.

    Args:
        state_schema: A TypedDict or pydantic model class; ``None`` for an unchecked dict.
    """

    state_schema: SkipValidation[Any] = None

    _nodes: dict[str, GraphNodeSpec] = PrivateAttr(default_factory=dict)
    _edges: list[EdgeSpecBase] = PrivateAttr(default_factory=list)
    _entry_set: bool = PrivateAttr(default=False)
    _last_order: int = PrivateAttr(default=-1)
    _limits: dict[str, Any] = PrivateAttr(default_factory=dict)

    @property
    def nodes(self) -> dict[str, GraphNodeSpec]:
        """The nodes by name."""
        return dict(self._nodes)

    @property
    def edges(self) -> dict[str, list[EdgeSpecBase]]:
        """The edges by source, in the order in which they were added."""
        return _by_source(self._edges)

    @property
    def entry_point(self) -> str | None:
        """The entry's name, once it is set."""
        entries = [edge for edge in self._edges if isinstance(edge, EdgeSpec) and edge.source == START]
        return entries[0].target if self._entry_set and entries else None

    def add_node(
        self,
        name: str,
        node: Callable[..., Any] | NodeBase,
        action_mode: NodeActionMode | str = "any",
        multi_input_merge_strategy: MergeStrategies | None = None,
        *,
        partial_join: bool = False,
    ) -> None:
        """Add a node.

        Args:
            name: Its name, unique in the graph.
            node: A node, or any callable.
            action_mode: ``any`` starts it for each arrival, ``all`` waits for every edge of a group.
            multi_input_merge_strategy: How the states that arrive at a join are merged, by edge group.
            partial_join: Whether a join starts with what arrived once nothing else can run.

        Raises:
            GraphDefinitionError: The name is reserved or taken, or something else does not fit.
        """
        if not isinstance(name, str) or not name:
            raise GraphDefinitionError(f"a node's name is text, not {name!r}")
        if SpecialNode.is_special_node(name):
            raise GraphDefinitionError(f"the node name {name!r} is reserved")
        if name in self._nodes:
            raise GraphDefinitionError(f"there is a node {name!r} already")
        if not callable(node):
            raise GraphDefinitionError(f"node {name!r}: {node!r} cannot be called")
        try:
            mode = NodeActionMode(action_mode)
        except ValueError:
            raise GraphDefinitionError(f"node {name!r}: action_mode is any or all, not {action_mode!r}") from None
        for group, strategy in (multi_input_merge_strategy or {}).items():
            if not callable(strategy):
                raise GraphDefinitionError(f"node {name!r}: the merge strategy of group {group!r} cannot be called")
        remember(type(node) if isinstance(node, NodeBase) else node)
        for strategy in (multi_input_merge_strategy or {}).values():
            remember(strategy)
        self._nodes[name] = GraphNodeSpec(
            node_name=name,
            node=node,
            action_mode=mode,
            stream_writer=get_stream_writer(),
            multi_input_merge_strategy=multi_input_merge_strategy,
            partial_join=partial_join,
        )

    def add_edge(
        self,
        source: str,
        target: str,
        group: str = DEFAULT_EDGE_GROUP,
        state_filter: StateFilterLike | str | None = None,
    ) -> None:
        """Add a plain edge.

        Args:
            source: Name of the node that it leaves.
            target: Name of the node that it leads to.
            group: The group in which a join waits for it.
            state_filter: Answers the state that the edge carries instead; a function, or an expression that yields a
                map of channels.

        Raises:
            GraphDefinitionError: A node does not exist, or the filter cannot be called.
        """
        self._check_ends(source, [target])
        if state_filter is not None and not isinstance(state_filter, str) and not callable(state_filter):
            raise GraphDefinitionError(f"the filter from {source!r} to {target!r} cannot be called")
        remember(state_filter)
        self._add(EdgeSpec(source=source, target=target, group=group, state_filter=_expressed(state_filter)))

    def add_condition_edge(
        self,
        source: str,
        router: Callable[..., Any] | str,
        possible_targets: Iterable[str],
        group: str = DEFAULT_EDGE_GROUP,
    ) -> None:
        """Add an edge whose targets a router chooses.

        Args:
            source: Name of the node that it leaves.
            router: Answers a target, a list of targets, or the same with filters; a function, or an expression.
            possible_targets: Every node that it may choose.
            group: The group in which a join waits for it.

        Raises:
            GraphDefinitionError: A node does not exist, there is no target, or the router cannot be called.
        """
        targets = unique_targets(possible_targets)
        self._check_ends(source, targets)
        if not targets:
            raise GraphDefinitionError(f"the conditional edge from {source!r} has no possible target")
        if not isinstance(router, str) and not callable(router):
            raise GraphDefinitionError(f"the router of {source!r} cannot be called")
        remember(router)
        self._add(ConditionEdgeSpec(source=source, router=_expressed(router), possible_targets=targets, group=group))

    def _add(self, edge: EdgeSpecBase) -> None:
        self._last_order += 1
        edge.order = self._last_order
        self._edges.append(edge)

    def _check_ends(self, source: str, targets: Iterable[str]) -> None:
        if source != START and source not in self._nodes:
            raise GraphDefinitionError(f"an edge leaves {source!r}, which is no node")
        for target in targets:
            if target != END and target not in self._nodes:
                raise GraphDefinitionError(f"an edge from {source!r} leads to {target!r}, which is no node")

    def set_entry_point(self, entry_name: str) -> None:
        """Set the node with which every run starts.

        Raises:
            GraphDefinitionError: There is no such node.
        """
        if entry_name not in self._nodes:
            raise GraphDefinitionError(f"the entry {entry_name!r} is no node")
        if self._entry_set:
            self._edges = [edge for edge in self._edges if not (edge.source == START and isinstance(edge, EdgeSpec))]
        self._add(EdgeSpec(source=START, target=entry_name))
        self._entry_set = True

    def problems(self, auto_conn_end: bool = True) -> tuple[list[Any], list[str]]:
        """Return what keeps the graph from being built, and what is allowed and most likely not meant."""
        edges = self._connected(auto_conn_end)
        return problems_of(self.state_schema, self._nodes, edges, self._entry_set)

    def _connected(self, auto_conn_end: bool) -> list[EdgeSpecBase]:
        edges = in_order(_by_source(self._edges))
        if auto_conn_end:
            sources = {edge.source for edge in edges}
            order = max((edge.order or 0 for edge in edges), default=-1) + 1
            loose = [name for name in self._nodes if name not in sources]
            edges += [EdgeSpec(source=name, target=END, order=order + index) for index, name in enumerate(loose)]
        return edges

    def build(
        self,
        auto_conn_end: bool = True,
        max_turn: int | None = None,
        timeout: float | None = None,
        graph_mode: GraphMode | str = GraphMode.RUN,
        db_file_path: str | Path = "./.storage.db",
        db_name: str = "evofabric",
        *,
        run_timeout: float | None = None,
        isolate: bool = True,
        warn: bool = True,
    ) -> Any:
        """Make an engine of the graph, after checking all of it. The builder stays as it was.

        Args:
            auto_conn_end: Whether nodes without an edge lead to the end.
            max_turn: Greatest number of node calls in a run, ``start`` and ``end`` included.
            timeout: Seconds that one execution of one node may take.
            graph_mode: ``run``, or ``debug`` for an engine that can be stopped.
            db_file_path: In debug mode: the file in which the session is kept.
            db_name: In debug mode: the session's name in that file.
            run_timeout: Seconds that a whole run may take.
            isolate: Whether nodes get copying views of the state.
            warn: Whether what is most likely not meant is a ``GraphWarning``; ``problems`` tells it anyway.

        Raises:
            GraphBuildError: The graph has problems; all of them are listed.
        """
        found, unlikely = self.problems(auto_conn_end)
        limits = {"max_turn": max_turn, "timeout": timeout, "run_timeout": run_timeout}
        limits = {name: self._limits.get(name) if value is None else value for name, value in limits.items()}
        found += _limit_problems(limits)
        try:
            mode = GraphMode(graph_mode)
        except ValueError:
            raise GraphBuildError(f"graph_mode is run or debug, not {graph_mode!r}") from None
        if found:
            raise GraphBuildError("the graph cannot be built:\n" + "\n".join(f"- {item}" for item in found), found)
        for message in unlikely if warn else ():
            warnings.warn(message, GraphWarning, stacklevel=2)
        given: dict[str, Any] = {
            "nodes": dict(self._nodes),
            "edges": _by_source(self._connected(auto_conn_end)),
            "state_schema": self.state_schema,
            "isolate": isolate,
            **limits,
        }
        if mode is GraphMode.DEBUG:
            return GraphEngineDebugger(**given, db_file_path=str(db_file_path), db_name=db_name)
        return GraphEngine(**given)

    def dumps(self, graph_name: str = "graph", version: str = "1.0") -> dict[str, Any]:
        """Return the graph as JSON values, without code.

        Args:
            graph_name: The graph's name.
            version: The version of this definition.

        Raises:
            SerializationError: A function, node or type cannot be written; names the node.
        """
        from graph_app.engine.serialization import dump_builder

        return dump_builder(self, graph_name, version)

    def dump(self, save_path: str | Path, graph_name: str = "graph", version: str = "1.0") -> None:
        """Write what ``dumps`` returns to a file."""
        text = json.dumps(self.dumps(graph_name, version), ensure_ascii=False, indent=2)
        Path(save_path).write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, file_path: str | Path, *, allow: Iterable[Any] = ()) -> GraphBuilder:
        """Return a builder from a file that ``dump`` wrote; see ``loads``."""
        return cls.loads(json.loads(Path(file_path).read_text(encoding="utf-8")), allow=allow)

    @classmethod
    def loads(cls, data: Mapping[str, Any], *, allow: Iterable[Any] = ()) -> GraphBuilder:
        """Return a builder from what ``dumps`` returned. Nothing in it is run or imported.

        Args:
            data: The definition.
            allow: Functions and classes that it may name, beside those that this process gave to a builder.

        Raises:
            SerializationError: It names what is not allowed, or cannot be read.
        """
        from graph_app.engine.serialization import load_builder

        return load_builder(cls, data, allow)


def _limit_problems(limits: dict[str, Any]) -> list[Any]:
    found = []
    for name, value in limits.items():
        whole = name == "max_turn"
        number = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
        if value is not None and not (number and value > 0):
            found.append(Problem(name, f"a {'whole ' if whole else ''}number above 0 is wanted, not {value!r}"))
    return found


def _expressed(function: Any) -> Any:
    return Expression(function) if isinstance(function, str) else function


def _by_source(edges: Iterable[EdgeSpecBase]) -> dict[str, list[EdgeSpecBase]]:
    result: dict[str, list[EdgeSpecBase]] = {}
    for edge in edges:
        result.setdefault(edge.source, []).append(edge)
    return result
