"""What is most likely not meant in a graph document, though nothing keeps it from running.

It is looked for in faulty documents too, in as much of them as can be understood.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graph_app.calls.ask import Ask
from graph_app.calls.core import CoreCall
from graph_app.calls.registry import registered_calls
from graph_app.calls.settings import widget_fields
from graph_app.engine import Problem
from graph_app.engine.checks import reached_from
from graph_app.engine.document_text import line_at
from graph_app.engine.types import START
from toolkit_app.engine import ToolDefinition


@dataclass(frozen=True, slots=True)
class ToolVariables:
    """The variables that a tool's steps take, as paths: `step0/token`.

    Attributes:
        used: Those of the version by which a run would go.
        newest: Those of the newest version.
    """

    used: frozenset[str]
    newest: frozenset[str]


ToolSource = Callable[[str], ToolVariables | None]
"""Finds what a tool's steps take; `None` where that isn't known."""


def variables_of(tool: ToolDefinition) -> frozenset[str]:
    """Returns the variables that a tool's steps take, as paths."""
    return frozenset(f"step{index}/{variable.name}" for index, step in enumerate(tool.steps) for variable in step.var)


def unlikely_in(document: Any, lines: Mapping[str, int], tool: ToolSource = lambda _: None) -> list[Problem]:
    """Returns what is most likely not meant, each with its place, in the order of the document's nodes.

    Args:
        document: What the text holds, whatever that is.
        lines: The line of every place in it.
        tool: Finds what tools take out of their answers.
    """
    nodes = document.get("nodes") if isinstance(document, Mapping) else None
    if not isinstance(nodes, Mapping):
        return []
    entry = document.get("entry")
    reached = _reached(document, entry) if isinstance(entry, str) and entry in nodes else nodes
    found: list[tuple[str, str]] = []
    known = functools.cache(tool)  # many steps call the same few tools
    for name, node in nodes.items():
        place = f"nodes.{name}"
        if name not in reached:
            found.append((place, f"Nothing leads to `{name}`, so it never runs. Draw a wire to it."))
        if isinstance(node, Mapping):
            found += _in_node(place, name, node, known)
    return [Problem(place, message, line_at(lines, place)) for place, message in found]


def _reached(document: Mapping[str, Any], entry: str) -> set[str]:
    following: dict[str, set[str]] = {START: {entry}}
    edges = document.get("edges")
    for edge in edges if isinstance(edges, list) else ():
        if not isinstance(edge, Mapping) or not isinstance(edge.get("source"), str):
            continue
        targets = edge.get("possible_targets")
        listed = [edge.get("target"), *(targets if isinstance(targets, list) else ())]
        following.setdefault(edge["source"], set()).update(one for one in listed if isinstance(one, str))
    return reached_from(following)


def _in_node(place: str, name: str, node: Mapping[str, Any], tool: ToolSource) -> Iterator[tuple[str, str]]:
    call = registered_calls().get(str(node.get("call")))
    settings = node.get("settings") or {}
    if call is None or not isinstance(settings, Mapping):
        return
    question = settings.get("question", ...)
    if issubclass(call, Ask) and (question is None or (isinstance(question, str) and not question.strip())):
        message = f"`{name}` asks no question: whoever answers sees an empty card. Write one."
        yield f"{place}.settings.question", message
    outputs = node.get("outputs")
    for variable, path in outputs.items() if isinstance(outputs, Mapping) else ():
        lack = _lack(call, settings, path, tool) if isinstance(path, str) else None
        if lack == "":
            yield (
                f"{place}.outputs.{variable}",
                f"`{name}` puts out no `{path}`, so taking it into `{variable}` will fail. Pick one of its outputs.",
            )
        elif lack:
            yield (
                f"{place}.outputs.{variable}",
                f"The tool `{lack}` gives `{path}` in its newest version only, but runs go by the published one, so "
                f"taking it into `{variable}` will fail. Publish the tool.",
            )


def _lack(call: type[CoreCall], settings: Mapping[str, Any], path: str, tool: ToolSource) -> str | None:
    """Returns empty text when a step certainly puts out nothing at a path, `None` when it does or that isn't known.

    The tool's name when it will once that is published.
    """
    outputs = _outputs_of(call)
    top, *rest = [part for part in path.split("/") if part] or [""]
    if not top or outputs.get("additionalProperties") is True:
        return None
    if top not in outputs.get("properties", {}):
        return ""
    if top != "variables" or not rest:
        return None
    for field in widget_fields(call, "tool"):
        known = tool(settings[field]) if isinstance(settings.get(field), str) else None
        if known is not None and not _has(known.used, rest):
            return str(settings[field]) if _has(known.newest, rest) else ""
    return None


@functools.cache
def _outputs_of(call: type[CoreCall]) -> dict[str, Any]:
    return call.output_model.model_json_schema()


def _has(known: frozenset[str], path: list[str]) -> bool:
    """Whether a path leads to a variable, to the variables of a step, or into a variable's value."""
    wanted = "/".join(path)
    return any(f"{one}/".startswith(f"{wanted}/") or f"{wanted}/".startswith(f"{one}/") for one in known)
