"""Reading graphs for lists and pages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from graph_app.graphs import GRAPHS, graph_warnings
from toolkit_app.selectors import document_row


def graph_row(graph: Any, runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Returns a graph as listed, with its last runs, the newest first."""
    row = document_row(graph, runs)
    row["description"] = row.pop("desc")
    return row


def graph_detail(graph: Any) -> dict[str, Any]:
    """Returns a graph with its newest definition, what is wrong with it and what is most likely not meant."""
    version = GRAPHS.version(graph)
    checked = GRAPHS.check(version.text)
    return {
        "name": graph.name,
        "description": checked.desc,
        "definition": stored_form(version),
        "revision": graph.revision,
        "published_revision": graph.published_revision,
        "problems": checked.problems,
        "warnings": graph_warnings(version.text),
        "inputs": _inputs(checked.definition),
        "updated_at": version.created_at,
        "updated_by": version.created_by.username if version.created_by else None,
    }


def stored_form(version: Any) -> Any:
    """Returns a version's definition in the form in which it was stored: text byte for byte, or an object."""
    return json.loads(version.text) if version.as_object else version.text


def _inputs(definition: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Returns the state variables that are asked for at the start, with their types."""
    if definition is None:
        return []
    types = {variable["name"]: variable for variable in definition.get("state") or []}
    return [
        {
            "name": name,
            "type": str(types.get(name, {}).get("type", "messages")),
            "description": str(types.get(name, {}).get("description") or ""),
        }
        for name in definition.get("inputs") or []
    ]
