"""References in a node's settings: `${kind:path}`, resolved once, by value.

A setting that is exactly one reference keeps the value's type; inside other text it becomes text, as in tools.

Source: the Calls' contract, "References in a node's settings".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from toolkit_app.engine.values import compact

KINDS = ("node", "state", "input", "sys", "env", "item")
_REFERENCE = re.compile(r"\$\$\{|\$\{([^{}]*)\}")

Lookup = Callable[[str], Any]
_NOTHING = object()


class UnresolvedError(ValueError):
    """A reference that can't be resolved; the message says what, and what there is."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference in a text: its kind and path."""

    kind: str
    path: str

    def __str__(self) -> str:
        return f"${{{self.kind}:{self.path}}}"


def references(value: Any) -> Iterator[Reference]:
    """Yields the references in a setting, in lists and maps too."""
    if isinstance(value, str):
        for match in _REFERENCE.finditer(value):
            if match[1] is not None:
                kind, colon, path = match[1].partition(":")
                yield Reference(kind.strip() if colon else match[1], path.strip())
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from references(item)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def environment_names(definition: Mapping[str, Any], tool_env: Callable[[str], Iterable[str]]) -> list[str]:
    """Returns the entries of the environment that a graph's own settings and its tools name.

    Args:
        definition: The graph.
        tool_env: Gives the entries that a tool names; none for a tool that isn't there.
    """
    found: dict[str, None] = {}
    for entry in definition.get("nodes", {}).values():
        given = entry.get("settings") or {}
        found.update((reference.path, None) for reference in references(given) if reference.kind == "env")
        for tool in [given.get("tool"), *(given.get("tools") or [])]:
            if isinstance(tool, str):
                found.update(dict.fromkeys(tool_env(tool)))
    return list(found)


def resolve(value: Any, lookups: Mapping[str, Lookup]) -> Any:
    """Returns a setting with its references replaced; what is put in is never looked at again.

    Args:
        value: Text, list or map.
        lookups: For each kind, what finds the value of a path; kinds without one stay as they are.

    Raises:
        UnresolvedError: If a reference finds nothing.
    """
    if isinstance(value, str):
        return _resolve_text(value, lookups)
    if isinstance(value, Mapping):
        return {key: resolve(item, lookups) for key, item in value.items()}
    if isinstance(value, list):
        return [resolve(item, lookups) for item in value]
    return value


def _resolve_text(text: str, lookups: Mapping[str, Lookup]) -> Any:
    if "${" not in text:
        return text
    whole = _REFERENCE.fullmatch(text)
    if whole is not None and whole[1] is not None:
        found = _find(whole[1], lookups)
        return text if found is _NOTHING else found

    def replace(match: re.Match[str]) -> str:
        if match[1] is None:
            return "${"
        found = _find(match[1], lookups)
        return match[0] if found is _NOTHING else as_text(found)

    return _REFERENCE.sub(replace, text)


def _find(inside: str, lookups: Mapping[str, Lookup]) -> Any:
    kind, colon, path = inside.partition(":")
    kind = kind.strip()
    if not colon or kind not in KINDS:
        raise UnresolvedError(f"${{{inside}}} is no reference; there are {', '.join(f'${{{k}:…}}' for k in KINDS)}")
    lookup = lookups.get(kind)
    return _NOTHING if lookup is None else lookup(path.strip())


def as_text(value: Any) -> str:
    """Returns the text form of a value: as in tools, and whole floats without `.0`."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    return compact(_whole(value))


def _whole(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**63:
        return int(value)
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(item) for item in value]
    if hasattr(value, "model_dump"):
        return _whole(value.model_dump(exclude_none=True))
    return value


def walk(value: Any, path: str, what: str) -> Any:
    """Follows a path of keys and indexes with slashes.

    Args:
        value: Where to begin.
        path: `key/to/value`; empty for the whole.
        what: What the value is, for the message.

    Raises:
        UnresolvedError: If there is nothing; the message says what there is instead.
    """
    for key in [part for part in path.split("/") if part]:
        if hasattr(value, "model_dump"):
            value = value.model_dump()
        if isinstance(value, Mapping) and key in value:
            value = value[key]
        elif isinstance(value, list | tuple) and key.isascii() and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            raise UnresolvedError(f"{what} has no {key!r}{_there_is(value)}")
    return value


def _there_is(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"; it has {', '.join(map(str, list(value)[:20])) or 'nothing'}"
    if isinstance(value, list | tuple):
        return f"; it is a list of {len(value)}"
    return f"; it is {as_text(value)[:80]!r}" if value is not None else "; it is null"
