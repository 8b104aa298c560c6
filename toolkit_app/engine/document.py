"""A tool's document as plain data with a place for every field."""

from dataclasses import dataclass, field
from typing import Any

from .errors import Problem
from .yaml_reader import Node, place_of

Loc = tuple[str | int, ...]
_SNIPPET = 24
_MAX_MESSAGE = 1_500
MAX_PROBLEMS = 200


@dataclass(slots=True)
class Document:
    """Plain data read from YAML, the places of its fields, and the problems found so far.

    Attributes:
        text: The YAML text.
        data: The document as dicts, lists and scalars.
        places: Line and column of each value, by its location.
        key_places: Line and column of each key, by the location of its value.
        problems: What is wrong, in the order it was found.
    """

    text: str
    data: Any = None
    places: dict[Loc, tuple[int, int]] = field(default_factory=dict)
    key_places: dict[Loc, tuple[int, int]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def report(self, loc: Loc, message: str, *, at_key: bool = False) -> None:
        """Add a problem at a field, or at the nearest field above it that has a place."""
        places = self.key_places if at_key else self.places
        self._add(loc, places.get(loc) or self._nearest(loc), message)

    def report_inside(self, loc: Loc, value: str, offset: int, message: str) -> None:
        """Add a problem at a character inside a text value."""
        self._add(loc, self._inside(loc, value, offset), message)

    def report_at(self, loc: Loc, line: int, column: int, message: str) -> None:
        """Add a problem at a place that is known."""
        self._add(loc, (line, column), message)

    @property
    def full(self) -> bool:
        """Whether there are so many problems that no one needs more."""
        return len(self.problems) >= MAX_PROBLEMS

    def _add(self, loc: Loc, place: tuple[int, int], message: str) -> None:
        if len(message) > _MAX_MESSAGE:
            message = f"{message[:_MAX_MESSAGE]}…"
        problem = Problem(path_of(loc), *place, message)
        if not self.full and problem not in self.problems:
            self.problems.append(problem)

    def _nearest(self, loc: Loc) -> tuple[int, int]:
        while loc and loc not in self.places:
            loc = loc[:-1]
        return self.places.get(loc, (1, 1))

    def _inside(self, loc: Loc, value: str, offset: int) -> tuple[int, int]:
        """Find a piece of a value in the YAML text: quoting and indentation move it."""
        line, column = self._nearest(loc)
        snippet = value[offset : offset + _SNIPPET].split("\n", 1)[0]
        at = _offset_of(self.text, line, column)
        for _ in range(value.count(snippet, 0, offset) + 1 if snippet else 0):
            found = self.text.find(snippet, at)
            if found < 0:
                return line, column
            at = found + 1
        return place_of(self.text, at - 1) if snippet else (line, column)


def read_document(root: Node, text: str) -> Document:
    """Turn the tree of a document into plain data; duplicate and complex keys become problems."""
    document = Document(text)
    document.data = _data(root, (), document)
    return document


def path_of(loc: Loc) -> str:
    """Write a location as people do: `steps[1].var[0].jump`."""
    path = ""
    for part in loc:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path


def _data(node: Node, loc: Loc, document: Document) -> Any:
    document.places[loc] = (node.line, node.column)
    if node.kind == "list":
        return [_data(item, (*loc, index), document) for index, item in enumerate(node.items)]
    if node.kind == "scalar":
        value = node.value
        if isinstance(value, int) and not isinstance(value, bool):
            return int(value)
        if isinstance(value, float):
            return float(value)
        return str(value) if isinstance(value, str) else value
    data: dict[str, Any] = {}
    for key, item in node.pairs:
        if key.kind != "scalar":
            document.report(loc, "A key must be a plain text here, not a list or a map.")
            continue
        inner = (*loc, key.text)
        if key.text in data:
            first = document.key_places[inner][0]
            message = f"The key `{key.text[:60]}` stands here a second time (first in line {first}); remove one."
            document.report_at(inner, key.line, key.column, message)
            continue
        document.key_places[inner] = (key.line, key.column)
        data[key.text] = _data(item, inner, document)
    return data


def _offset_of(text: str, line: int, column: int) -> int:
    at = 0
    for _ in range(line - 1):
        at = text.find("\n", at) + 1
    return at + column - 1
