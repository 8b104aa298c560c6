"""The text of a definition file: YAML or JSON, read within bounds, with the line of every place.

YAML is read by rules of its own: a plain scalar is null, true, false, a number as JSON writes it, or text. So ``no``
and ``12:30:45`` stay text. Aliases are refused, and so are keys that come twice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml

from graph_app.engine.errors import GraphDocumentError, Problem

_MOST_BYTES = 2_000_000
_MOST_EVENTS = 200_000
_MOST_DEPTH = 50
_INT = re.compile(r"[-+]?(0|[1-9]\d{0,300})")
_FLOAT = re.compile(r"[-+]?(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][-+]?\d{1,3})?")

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_text(text: str | bytes) -> tuple[Any, dict[str, int]]:
    """Return what a text holds, and the line of every place in it.

    Raises:
        GraphDocumentError: It is no YAML, or goes past its bounds.
    """
    try:
        text = text.decode() if isinstance(text, bytes) else text
        text.encode()
    except UnicodeError:
        raise _error("the text is no UTF-8") from None
    if len(text) > _MOST_BYTES:
        raise _error(f"the text is longer than {_MOST_BYTES} characters")
    try:
        _guard(text)
        root = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = None if mark is None else mark.line + 1
        raise _error(error.problem or error.context or "this is no YAML", line) from error
    except yaml.YAMLError as error:
        raise _error(str(error)) from error
    lines: dict[str, int] = {}
    return (None if root is None else _value(root, "", lines)), lines


def line_at(lines: Mapping[str, int], place: str) -> int | None:
    """Return the line of a place, or of the nearest place around it that has one."""
    at = place
    while at and at not in lines:
        at = at.rpartition(".")[0]
    return lines.get(at)


def _error(message: str, line: int | None = None) -> GraphDocumentError:
    problem = Problem("", message, line)
    return GraphDocumentError(f"the graph document cannot be read: {problem}", [problem])


def _guard(text: str) -> None:
    depth = 0
    for count, event in enumerate(yaml.parse(text, Loader=_Loader)):
        line = event.start_mark.line + 1 if event.start_mark is not None else None
        if isinstance(event, yaml.AliasEvent):
            raise _error("aliases are not allowed", line)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > _MOST_DEPTH:
            raise _error(f"it is nested more than {_MOST_DEPTH} levels deep", line)
        if count > _MOST_EVENTS:
            raise _error("it has too many parts", line)
        tag = getattr(event, "tag", None)
        if tag is not None and tag != "!":
            raise _error(f"the tag {tag!r} is not allowed", line)


def _value(node: Any, place: str, lines: dict[str, int]) -> Any:
    lines[place] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        result: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise _error("a key is text", key_node.start_mark.line + 1)
            key = key_node.value
            at = f"{place}.{key}" if place else key
            if key in result:
                raise _error(f"the key {key!r} comes twice", key_node.start_mark.line + 1)
            result[key] = _value(value_node, at, lines)
            lines[at] = key_node.start_mark.line + 1
        return result
    if isinstance(node, yaml.SequenceNode):
        return [
            _value(item, f"{place}.{index}" if place else str(index), lines) for index, item in enumerate(node.value)
        ]
    return node.value if node.style else _scalar(node.value)


def _scalar(text: str) -> Any:
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE"):
        return True
    if text in ("false", "False", "FALSE"):
        return False
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text
