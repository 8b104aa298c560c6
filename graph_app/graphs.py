"""Graphs as stored documents."""

from __future__ import annotations

import functools
import json
import unicodedata
from typing import Any

from graph_app.calls import CallServices, load_builder
from graph_app.calls.unlikely import ToolSource, ToolVariables, unlikely_in, variables_of
from graph_app.engine import GraphDocumentError, GraphError
from graph_app.engine.document_text import read_text
from graph_app.models import Graph
from toolkit_app.documents import CheckedText, DocumentKind
from toolkit_app.errors import InvalidError, NotFoundError
from toolkit_app.names import check_name
from toolkit_app.tools import TOOLS, read_tool

RULE = "Names have letters of any language, digits, _ and -, at most 64, without blanks."
_RESERVED = {"validate"}


@functools.lru_cache(maxsize=128)
def graph_check(text: str) -> CheckedText:
    """Reads a definition, YAML or JSON; whatever it is, the answer says what is wrong with it."""
    try:
        data, lines = read_text(text)
    except GraphDocumentError as error:
        return CheckedText(text, None, "", None, [_problem(one) for one in error.problems])
    named = isinstance(data, dict)
    name = data.get("name") if named and isinstance(data.get("name"), str) else None
    desc = data.get("description") if named and isinstance(data.get("description"), str) else ""
    try:
        load_builder(text, CallServices()).build(isolate=False, warn=False)  # `graph_warnings` tells them
    except GraphDocumentError as error:
        return CheckedText(text, name, desc or "", None, [_problem(one) for one in error.problems])
    except GraphError as error:
        problems = [_problem(one, lines) for one in getattr(error, "problems", [])]
        return CheckedText(text, name, desc or "", None, problems or [_sentence(str(error))])
    return CheckedText(text, name, desc or "", data, [])


def graph_warnings(text: str, tool: ToolSource | None = None) -> list[dict[str, Any]]:
    """Says what is most likely not meant in a definition, as problems are told; none of it keeps it from running.

    Args:
        text: The definition, a faulty one too.
        tool: Finds what tools take out of their answers; among the stored tools unless given.
    """
    try:
        data, lines = read_text(text)
    except GraphDocumentError:
        return []
    return [_problem(one) for one in unlikely_in(data, lines, tool or stored_variables)]


def stored_variables(name: str) -> ToolVariables | None:
    """Returns what the steps of a stored tool take, in the version by which a run would go and in the newest one."""
    try:
        check_name(name)
        versions = (TOOLS.version_for_run(name, None, may_edit=True), TOOLS.version(TOOLS.get(name)))
        used, newest = (variables_of(read_tool(version.yaml)) for version in versions)
    except (NotFoundError, InvalidError):
        return None
    return ToolVariables(used, newest)


def normal_name(name: str) -> str:
    """Returns a name in its normal form (NFC), so that two spellings of one name are one.

    Raises:
        InvalidError: If it doesn't fit the rule; the message tells the rule.
    """
    normal = unicodedata.normalize("NFC", name)
    fits = 0 < len(normal) <= 64 and all(char.isalnum() or char in "_-" for char in normal)
    if not fits:
        raise InvalidError(f"{name[:80]!r} can't be a name. {RULE}", fields={"name": [RULE]}, code="name")
    if normal in _RESERVED:
        raise InvalidError(f"{normal} is an address of the server. Pick another name.", code="name")
    return normal


GRAPHS = DocumentKind("graph", Graph, "text", "definition", graph_check, normal_name)


def definition_text(definition: Any) -> str:
    """Returns the text of a definition that was sent as text or as an object."""
    return definition if isinstance(definition, str) else json.dumps(definition, ensure_ascii=False, indent=2)


def _problem(problem: Any, lines: dict[str, int] | None = None) -> dict[str, Any]:
    line = problem.line or (lines or {}).get(problem.place) or 1
    return {"path": problem.place, "line": line, "column": 1, "message": problem.message}


def _sentence(message: str) -> dict[str, Any]:
    return {"path": "", "line": 1, "column": 1, "message": message}
