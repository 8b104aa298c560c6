"""Definition files: the graph document, in YAML or JSON, and the builder that it makes.

What a node is, only the ``node_factory`` knows; everything else in the document is read here, and every problem is
told with its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from graph_app.engine.builder import GraphBuilder
from graph_app.engine.checks import expression_problems
from graph_app.engine.document_text import line_at, read_text
from graph_app.engine.errors import GraphDefinitionError, GraphDocumentError, Problem
from graph_app.engine.expressions import Expression
from graph_app.engine.state import generate_state_schema

NodeFactory = Callable[[str, dict[str, Any]], Callable[..., Any]]

_TOP = {
    "name", "description", "state", "inputs", "entry", "nodes", "edges", "max_turn", "timeout", "run_timeout", "layout",
    "notes",
}  # fmt: skip
_NODE = {
    "call", "settings", "outputs", "action_mode", "partial_join", "repeatable", "description", "label",
    "to_user", "enable_filling",
}  # fmt: skip
_EDGE = {"source", "target", "filter", "router", "possible_targets", "group", "description", "label"}
_VARIABLE = {"name", "type", "update", "description", "label"}
_NAME = re.compile(r"[\w-]{1,64}")
_MOST_NAME = 64


@dataclass
class GraphDocument:
    """What a document says beside nodes and edges.

    Args:
        name: The graph's name.
        description: What it is for.
        inputs: The state variables that are asked for at the start.
        definition: The whole document.
    """

    name: str = ""
    description: str = ""
    inputs: list[str] = field(default_factory=list)
    definition: dict[str, Any] = field(default_factory=dict)


class DocumentBuilder(GraphBuilder):
    """A builder that was made from a document, with the document's limits as its defaults."""

    document: GraphDocument = GraphDocument()


def load_document(document: str | bytes | Mapping[str, Any], node_factory: NodeFactory) -> DocumentBuilder:
    """Return a builder from a definition file.

    Args:
        document: The text, YAML or JSON, or what it holds.
        node_factory: Makes the node of an entry under ``nodes``; called with the node's name and the entry.

    Raises:
        GraphDocumentError: The document has problems; all of them are listed, each with its place.
    """
    lines: dict[str, int] = {}
    if isinstance(document, str | bytes):
        read, lines = read_text(document)
    else:
        read = dict(document)
    reader = _Reader(read, lines)
    builder = reader.read(node_factory)
    if reader.found:
        listed = "\n".join(f"- {problem}" for problem in reader.found)
        raise GraphDocumentError(f"the graph document has problems:\n{listed}", reader.found)
    assert builder is not None
    return builder


class _Reader:
    """Reads one document, and gathers its problems."""

    def __init__(self, document: Any, lines: dict[str, int]) -> None:
        self.document = document
        self.lines = lines
        self.found: list[Problem] = []

    def problem(self, place: str, message: str) -> None:
        self.found.append(Problem(place, message, line_at(self.lines, place)))

    def read(self, node_factory: NodeFactory) -> DocumentBuilder | None:
        document = self.document
        if not isinstance(document, dict):
            self.problem("", "a graph document is a map")
            return None
        self.unknown("", document, _TOP)
        name = document.get("name", "")
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            self.problem("name", f"a name is letters, digits, '_' and '-', at most 64 of them, not {name!r}")
        description = document.get("description", "")
        if description is not None and not isinstance(description, str):
            self.problem("description", "a description is text")
        schema = self.schema(document.get("state"))
        builder = DocumentBuilder(state_schema=schema)
        inputs = self.inputs(document.get("inputs"), schema)
        builder.document = GraphDocument(str(name), description or "", inputs, document)
        self.nodes(builder, document.get("nodes"), node_factory, schema)
        self.edges(builder, document.get("edges"))
        self.entry(builder, document.get("entry"))
        self.limits(builder)
        if not isinstance(document.get("layout", {}), dict | None):
            self.problem("layout", "a layout is a map of nodes")
        if not self.found:
            self.whole(builder)
        return builder

    def unknown(self, place: str, value: Mapping[str, Any], known: set[str]) -> None:
        for key in value:
            if key not in known:
                at = f"{place}.{key}" if place else str(key)
                self.problem(at, f"{key!r} is unknown here; there are {', '.join(sorted(known))}")

    def schema(self, state: Any) -> Any:
        variables: list[tuple[str, Any, str]] = []
        if state is not None and not isinstance(state, list):
            self.problem("state", "the state is a list of variables")
            state = None
        for index, item in enumerate(state or ()):
            place = f"state.{index}"
            if not isinstance(item, dict):
                self.problem(place, "a variable is a map with name, type and update")
                continue
            self.unknown(place, item, _VARIABLE)
            variable = (item.get("name"), item.get("type", "str"), item.get("update", "overwrite"))
            if not isinstance(variable[1], str):
                self.problem(f"{place}.type", f"a type is text, not {variable[1]!r}")
                continue
            try:
                generate_state_schema([*variables, variable])  # type: ignore[list-item]
            except GraphDefinitionError as error:
                self.problem(place, str(error))
            else:
                variables.append(variable)  # type: ignore[arg-type]
        return generate_state_schema(variables)

    def inputs(self, inputs: Any, schema: Any) -> list[str]:
        if inputs is None:
            return []
        if not isinstance(inputs, list):
            self.problem("inputs", "the inputs are a list of state variables")
            return []
        for index, name in enumerate(inputs):
            if not isinstance(name, str) or name not in schema.model_fields:
                self.problem(f"inputs.{index}", f"{name!r} is no state variable")
        return [name for name in inputs if isinstance(name, str)]

    def nodes(self, builder: GraphBuilder, nodes: Any, factory: NodeFactory, schema: Any) -> None:
        if not isinstance(nodes, dict) or not nodes:
            self.problem("nodes", "a graph needs a map of nodes")
            return
        for name, entry in nodes.items():
            place = f"nodes.{name}"
            if isinstance(name, str) and len(name) > _MOST_NAME:
                self.problem(
                    place, f"a node's name has at most {_MOST_NAME} characters; {name[:20]!r}… has {len(name)}"
                )
                continue
            if not isinstance(name, str) or not name.isidentifier():
                self.problem(place, f"a node's name is an identifier, not {name!r}")
                continue
            if not isinstance(entry, dict):
                self.problem(place, "a node is a map with call and settings")
                continue
            self.node(builder, name, entry, factory, schema)

    def node(self, builder: GraphBuilder, name: str, entry: dict[str, Any], factory: NodeFactory, schema: Any) -> None:
        place = f"nodes.{name}"
        self.unknown(place, entry, _NODE)
        if not isinstance(entry.get("call"), str) or not entry["call"]:
            self.problem(f"{place}.call", "the name of a Call is wanted")
        settings = entry.get("settings")
        if settings is not None and not isinstance(settings, dict):
            self.problem(f"{place}.settings", "settings are a map")
            return
        outputs = entry.get("outputs")
        if outputs is not None and not isinstance(outputs, dict):
            self.problem(f"{place}.outputs", "outputs are a map of state variables")
            outputs = None
        for variable in outputs or {}:
            if variable not in schema.model_fields:
                self.problem(f"{place}.outputs.{variable}", f"{variable!r} is no state variable")
        mode = entry.get("action_mode", (settings or {}).get("action_mode", "any"))
        if mode not in ("any", "all"):
            self.problem(f"{place}.action_mode", f"action_mode is any or all, not {mode!r}")
            mode = "any"
        partial = self.flag(f"{place}.partial_join", entry.get("partial_join", False))
        self.flag(f"{place}.repeatable", entry.get("repeatable", True))
        if any(problem.place == f"{place}.call" for problem in self.found):
            made: Any = _nothing
        else:
            made = self.made(place, name, entry, factory)
        try:
            builder.add_node(name, made, mode, partial_join=partial)
        except GraphDefinitionError as error:
            self.problem(place, str(error))

    def made(self, place: str, name: str, entry: dict[str, Any], factory: NodeFactory) -> Any:
        try:
            return factory(name, entry)
        except Exception as error:
            inner = getattr(error, "problems", None)
            if inner:
                for item in inner:
                    at = getattr(item, "place", "")
                    self.problem(f"{place}.{at}" if at else place, getattr(item, "message", str(item)))
            else:
                self.problem(place, str(error) or type(error).__name__)
            return _nothing

    def flag(self, place: str, value: Any) -> bool:
        if not isinstance(value, bool):
            self.problem(place, f"true or false is wanted, not {value!r}")
            return False
        return value

    def edges(self, builder: GraphBuilder, edges: Any) -> None:
        if edges is not None and not isinstance(edges, list):
            self.problem("edges", "the edges are a list")
            return
        for index, edge in enumerate(edges or ()):
            place = f"edges.{index}"
            if not isinstance(edge, dict):
                self.problem(place, "an edge is a map with source and target")
                continue
            self.edge(builder, place, edge)

    def edge(self, builder: GraphBuilder, place: str, edge: dict[str, Any]) -> None:
        self.unknown(place, edge, _EDGE)
        before = len(self.found)
        for key in ("source", "target", "router", "filter", "group"):
            if key in edge and not isinstance(edge[key], str):
                self.problem(f"{place}.{key}", f"text is wanted, not {edge[key]!r}")
        if "source" not in edge:
            self.problem(f"{place}.source", "the source is missing")
        if ("target" in edge) == ("router" in edge):
            self.problem(place, "an edge has a target, or a router with possible_targets")
        targets = edge.get("possible_targets", [])
        if "router" in edge and not (
            isinstance(targets, list) and targets and all(isinstance(t, str) for t in targets)
        ):
            self.problem(f"{place}.possible_targets", "a router needs a list of possible targets")
        if "router" in edge and "filter" in edge:
            self.problem(f"{place}.filter", "only a plain edge has a filter")
        for key in ("router", "filter"):
            if isinstance(edge.get(key), str):
                self.found += [
                    Problem(problem.place, problem.message, self.lines.get(f"{place}.{key}"))
                    for problem in expression_problems(f"{place}.{key}", Expression(edge[key]))
                ]
        if len(self.found) > before:
            return
        known = {*builder._nodes, "start", "end"}
        for key, names in (
            ("source", [edge["source"]]),
            ("target", [edge.get("target")]),
            ("possible_targets", targets),
        ):
            for name in names:
                if name is not None and name not in known and name not in self.listed():
                    self.problem(f"{place}.{key}", f"{name!r} is no node")
        if len(self.found) > before:
            return
        group = edge.get("group", "all")
        try:
            if "router" in edge:
                builder.add_condition_edge(edge["source"], edge["router"], targets, group)
            else:
                builder.add_edge(edge["source"], edge["target"], group, edge.get("filter"))
        except GraphDefinitionError as error:
            if not self.found:
                self.problem(place, str(error))

    def listed(self) -> Any:
        """Return the document's nodes, those too that could not be read: their problem was told once."""
        nodes = self.document.get("nodes")
        return nodes if isinstance(nodes, dict) else ()

    def entry(self, builder: GraphBuilder, entry: Any) -> None:
        if entry is None:
            self.problem("entry", "the entry is missing")
        elif not isinstance(entry, str) or (entry not in builder._nodes and entry not in self.listed()):
            self.problem("entry", f"the entry {entry!r} is no node")
        elif entry in builder._nodes:
            builder.set_entry_point(entry)

    def limits(self, builder: GraphBuilder) -> None:
        for name in ("max_turn", "timeout", "run_timeout"):
            value = self.document.get(name)
            if value is None:
                continue
            number = isinstance(value, int if name == "max_turn" else int | float) and not isinstance(value, bool)
            if not number or not value > 0:
                self.problem(name, f"a {'whole ' if name == 'max_turn' else ''}number above 0 is wanted, not {value!r}")
            else:
                builder._limits[name] = value

    def whole(self, builder: GraphBuilder) -> None:
        """Look for what is only wrong with the graph as a whole, expressions included."""
        found, _ = builder.problems()
        for problem in found:
            self.problem(problem.place, problem.message)


async def _nothing(state: Any) -> None:
    """Stand in for a node that could not be made, so that the rest of the document is still read."""
