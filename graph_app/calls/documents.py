"""From a graph document to an engine whose nodes are Calls. Every problem of the settings is told with its place."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from graph_app.calls.core import CoreCall
from graph_app.calls.errors import CallError, PlacedMessage, SettingsProblem
from graph_app.calls.node import MESSAGES, CallNode
from graph_app.calls.references import KINDS, references
from graph_app.calls.registry import call_class
from graph_app.calls.schemas import SchemaTextError, read_schema
from graph_app.calls.services import CallServices, present_services
from graph_app.calls.settings import expression_fields, schema_fields, template_fields
from graph_app.calls.types import NodeInfo
from graph_app.engine import DocumentBuilder, Expression, GraphEngine, load_document

_FLAGS = ("to_user", "enable_filling")
_OUTSIDE = frozenset({"Tool", "LLM", "Extract", "ForEach", "Graph"})
"""Calls that talk to the outside and may name entries of the environment."""


class CallFactory:
    """Makes the nodes of one document: the loader's `node_factory`."""

    def __init__(self, services: CallServices, document: Mapping[str, Any] | None = None) -> None:
        """Knows what names the document has, for checking references.

        Args:
            services: What the run gives.
            document: The document as data; without it references to names are not checked.
        """
        self._services = services
        self._graph_name = str((document or {}).get("name") or "")
        self._nodes = _names(document, "nodes")
        self._inputs = _names(document, "inputs")
        variables = (document or {}).get("state")
        listed = variables if isinstance(variables, list) else []
        names = {str(item.get("name")) for item in listed if isinstance(item, Mapping)}
        self._state = None if document is None else {MESSAGES, *names}

    def __call__(self, name: str, entry: Mapping[str, Any]) -> CallNode:
        """Makes a node.

        Raises:
            SettingsProblem: With every problem of the entry and its place.
        """
        try:
            call = call_class(str(entry["call"]))
        except CallError as error:
            raise SettingsProblem([PlacedMessage("call", error.message)]) from error
        settings = dict(entry.get("settings") or {})
        problems = [*self._settings_problems(call, settings), *self._reference_problems(call, settings)]
        outputs = entry.get("outputs") or {}
        if isinstance(outputs, Mapping):
            for channel, path in outputs.items():
                if not isinstance(path, str):
                    problems.append(
                        PlacedMessage(f"outputs.{channel}", "a path in the step's output is wanted, as text")
                    )
        flags = {}
        for flag in _FLAGS:
            if flag in entry:
                if not isinstance(entry[flag], bool):
                    problems.append(PlacedMessage(flag, f"true or false is wanted, not {entry[flag]!r}"))
                flags[flag] = entry[flag]
        if problems:
            raise SettingsProblem(problems)
        return CallNode(
            call=call,
            info=NodeInfo(name=name, call=call.__name__, **_details(entry)),
            settings=settings,
            outputs=dict(outputs),
            flags=flags,
            bound=self._services,
            graph_name=self._graph_name,
            step_description=str(entry.get("description") or ""),
        )

    def _settings_problems(self, call: type[CoreCall], settings: Mapping[str, Any]) -> Iterator[PlacedMessage]:
        known = {field.alias or name for name, field in call.model_fields.items() if name not in _OWN}
        for key in settings:
            if key not in known:
                yield PlacedMessage(
                    f"settings.{key}", f"{call.__name__} has no setting {key!r}; it has {', '.join(sorted(known))}"
                )
        try:
            call(name="", description="", **{key: value for key, value in settings.items() if key not in _OWN})
        except ValidationError as error:
            for problem in error.errors(include_url=False, include_context=False):
                path = [str(part) for part in problem["loc"]]
                if path and path[0] not in settings and problem["type"] != "missing" and path[0] in _OWN:
                    continue
                message = "a value is wanted" if problem["type"] == "missing" else str(problem["msg"])
                yield PlacedMessage(".".join(["settings", *path[:1]]), message.removeprefix("Value error, "))
        for field in expression_fields(call):
            sources = settings.get(field)
            for key, source in sources.items() if isinstance(sources, Mapping) else ():
                if isinstance(source, str) and (wrong := Expression(source).problem()):
                    yield PlacedMessage(f"settings.{field}.{key}", f"the expression does not compile: {wrong}")

        for field in schema_fields(call, settings):
            schema = settings.get(field)
            try:
                if isinstance(schema, Mapping):
                    read_schema(schema)
            except SchemaTextError as error:
                yield PlacedMessage(f"settings.{field}", error.message)

    def _reference_problems(self, call: type[CoreCall], settings: Mapping[str, Any]) -> Iterator[PlacedMessage]:
        for field in template_fields(call):
            for reference in references(settings.get(field)):
                problem = self._reference_problem(call, reference.kind, reference.path)
                if problem:
                    yield PlacedMessage(f"settings.{field}", f"{reference}: {problem}")

    def _reference_problem(self, call: type[CoreCall], kind: str, path: str) -> str | None:
        name = path.partition("/")[0]
        match kind:
            case "node":
                return _unknown("step", name, self._nodes)
            case "state":
                return _unknown("state variable", name, self._state)
            case "input":
                return _unknown("input", name, None if self._inputs is None else self._inputs | {MESSAGES})
            case "sys":
                return None if path == "question" else "there is ${sys:question} and no other"
            case "env":
                return (
                    None if call.__name__ in _OUTSIDE else "only Calls that talk to the outside may use the environment"
                )
            case "item":
                return None if call.__name__ == "ForEach" else "an item exists in ForEach only"
        return f"this is no reference; there are {', '.join(f'${{{k}:…}}' for k in KINDS)}"


_OWN = frozenset({"name", "description", "node", "input"})


def load_builder(document: str | bytes | Mapping[str, Any], services: CallServices) -> DocumentBuilder:
    """Returns a builder from a graph document whose nodes are Calls.

    Args:
        document: The text, YAML or JSON, or what it holds.
        services: What the run gives.

    Raises:
        GraphDocumentError: With every problem and its place.
    """
    factory: list[CallFactory] = []

    def make(name: str, entry: dict[str, Any]) -> CallNode:
        return factory[0](name, entry)

    factory.append(CallFactory(services, _as_data(document)))
    return load_document(document, make)


def build_engine(document: str | bytes | Mapping[str, Any], services: CallServices) -> GraphEngine:
    """Returns an engine that runs a graph document; the Calls never write into what they get, so nothing is copied.

    Raises:
        GraphDocumentError: With every problem and its place.
    """
    engine: GraphEngine = load_builder(document, services).build(isolate=False)
    return engine


@functools.lru_cache(maxsize=128)
def shared_engine(text: str) -> GraphEngine:
    """Returns the engine of a definition, made once for all runs: their sessions say what each run gives.

    Raises:
        GraphDocumentError: With every problem and its place.
    """
    engine: GraphEngine = load_builder(text, CallServices()).build(isolate=False, warn=False)
    return engine


def nested_engine(text: str, services: CallServices) -> GraphEngine:
    """Returns the engine of a graph that runs inside another one."""
    return shared_engine(text) if present_services.get() is not None else build_engine(text, services)


def _as_data(document: str | bytes | Mapping[str, Any]) -> Mapping[str, Any] | None:
    if isinstance(document, Mapping):
        return document
    from graph_app.engine.document_text import read_text

    try:
        data, _ = read_text(document)
    except Exception:
        return None  # the loader says what is wrong with the text
    return data if isinstance(data, Mapping) else None


def _names(document: Mapping[str, Any] | None, key: str) -> frozenset[str] | None:
    if document is None:
        return None
    found = document.get(key) or ()
    return frozenset(str(name) for name in found) if isinstance(found, Mapping | list) else frozenset()


def _unknown(what: str, name: str, known: Any) -> str | None:
    if known is None or name in known:
        return None
    return (
        f"there is no {what} {name!r}; there {'is' if len(known) == 1 else 'are'} {', '.join(sorted(known)) or 'none'}"
    )


def _details(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: entry[key] for key in ("label", "repeatable", "action_mode") if key in entry}
