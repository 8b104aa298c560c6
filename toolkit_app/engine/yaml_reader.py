"""YAML to a tree with places, behind a guard on the parser's events.

The parser only ever hands out events; nothing is constructed from a tag, and limits stop a document while it is read.
The same reader serves tool documents and answers of servers.
"""

import re
from dataclasses import dataclass, field
from typing import Any, Literal

import yaml

from .scalars import plain_scalar

_UNREADABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CORE = "tag:yaml.org,2002:"
_CORE_SCALARS = {f"{_CORE}{name}" for name in ("str", "int", "float", "bool", "null")}


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one document.

    Attributes:
        chars: Characters of the text.
        depth: Levels of nesting.
        nodes: Values and keys, those that aliases repeat counted each time.
        aliases: Uses of `*alias`.
        scalar: Characters of a single value.
        digits: Digits of a whole number.
    """

    chars: int
    depth: int
    nodes: int
    aliases: int
    scalar: int
    digits: int


@dataclass(slots=True)
class Node:
    """A value of the document: a scalar, a list of nodes, or a list of (key, value) pairs."""

    kind: Literal["scalar", "list", "map"]
    line: int
    column: int
    value: Any = None
    text: str = ""
    plain: bool = False
    items: list["Node"] = field(default_factory=list)
    pairs: list[tuple["Node", "Node"]] = field(default_factory=list)
    key: "Node | None" = None
    size: int = 1
    closed: bool = True


class YamlError(Exception):
    """The text can't be read as YAML, or is past a limit.

    Attributes:
        line: Line, from 1.
        column: Column, from 1.
        message: What is wrong.
    """

    def __init__(self, message: str, line: int, column: int) -> None:
        self.message = message
        self.line = line
        self.column = column
        super().__init__(message)


def read_yaml(text: str, limits: Limits) -> Node | None:
    """Read the one document in a text.

    Args:
        text: The YAML text.
        limits: What the document may measure.

    Returns:
        The root of the document; None when there is nothing in it.

    Raises:
        YamlError: The text is malformed, holds more than one document, a foreign tag, or is past a limit.
    """
    if len(text) > limits.chars:
        _fail_at(text, limits.chars, f"The document is too long: at most {limits.chars:,} characters are allowed.")
    if unreadable := _UNREADABLE.search(text.removeprefix("\ufeff")):
        offset = unreadable.start() + text.startswith("\ufeff")
        _fail_at(text, offset, f"The character U+{ord(unreadable.group()):04X} is not allowed here; remove it.")
    try:
        return _Composer(limits).compose(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        message = _explained(error, text)
        raise YamlError(message, mark.line + 1 if mark else 1, mark.column + 1 if mark else 1) from error
    except (yaml.YAMLError, UnicodeError) as error:
        raise YamlError("The text is not readable as YAML.", 1, 1) from error


def place_of(text: str, offset: int) -> tuple[int, int]:
    """Line and column, from 1, of a character of a text."""
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - start + 1


def _fail_at(text: str, offset: int, message: str) -> None:
    raise YamlError(message, *place_of(text, offset))


def _explained(error: yaml.MarkedYAMLError, text: str) -> str:
    problem = error.problem or "malformed"
    mark = error.problem_mark
    sign = text[mark.index : mark.index + 1] if mark else ""
    if "tab" in problem or (sign == "\t" and "cannot start any token" in problem):
        return "YAML is indented by spaces; replace the tab here by spaces."
    if "cannot start any token" in problem:
        return f"A value can't begin with `{sign}`; put it in quotes."
    if "nesting depth" in problem:
        return "The document is nested too deeply."
    if "mapping values are not allowed" in problem:
        return "A colon is not expected here; put the text in quotes, or check the indentation."
    if "could not find expected ':'" in problem:
        return "A colon is missing after this line's key, or the indentation is off."
    line = text[text.rfind("\n", 0, mark.index) + 1 :].split("\n", 1)[0] if mark else ""
    if "flow" in (error.context or "") and "${" in line:
        return "Inside `{ }` and `[ ]`, a text with `${…}` must stand in quotes."
    context = f" {error.context}" if error.context else ""
    return f"The YAML is malformed{context}: {problem}."


class _Composer:
    """Builds the tree out of events, one at a time."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._anchors: dict[str, Node] = {}
        self._aliases = 0
        self._nodes = 0
        self._open: list[tuple[Node, str | None]] = []
        self._root: Node | None = None
        self._documents = 0

    def compose(self, text: str) -> Node | None:
        event: Any
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._add(self._scalar(event), event.anchor)
            elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                self._start(event)
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self._end()
            elif kind is yaml.AliasEvent:
                self._alias(event)
            elif kind is yaml.DocumentStartEvent:
                self._documents += 1
                if self._documents > 1:
                    raise _at(event, "A second document starts here; only one is allowed (remove the `---`).")
        return self._root

    def _scalar(self, event: Any) -> Node:
        mark = event.start_mark
        text = event.value
        if len(text) > self._limits.scalar:
            raise _at(event, f"This value is too long: at most {self._limits.scalar:,} characters are allowed.")
        tag = event.tag
        if tag is None:
            plain = event.implicit[0]
        elif tag in _CORE_SCALARS or tag == "!":
            plain = tag not in {f"{_CORE}str", "!"}
        else:
            raise _foreign(event)
        if not plain:
            return Node("scalar", mark.line + 1, mark.column + 1, text, text)
        value = plain_scalar(text)
        if type(value) is not str and len(text) > self._limits.digits:
            raise _at(event, f"This number is too long: at most {self._limits.digits:,} digits are allowed.")
        return Node("scalar", mark.line + 1, mark.column + 1, value, text, plain=True)

    def _start(self, event: Any) -> None:
        is_map = type(event) is yaml.MappingStartEvent
        if event.tag not in (None, "!", f"{_CORE}{'map' if is_map else 'seq'}"):
            raise _foreign(event)
        if len(self._open) >= self._limits.depth:
            raise _at(event, f"The document is nested too deeply: at most {self._limits.depth} levels are allowed.")
        mark = event.start_mark
        node = Node("map" if is_map else "list", mark.line + 1, mark.column + 1, closed=False)
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        self._open.append((node, event.anchor))

    def _end(self) -> None:
        node, _ = self._open.pop()
        node.closed = True
        self._add(node, None)

    def _alias(self, event: Any) -> None:
        self._aliases += 1
        if self._aliases > self._limits.aliases:
            raise _at(event, f"Too many aliases: at most {self._limits.aliases} uses of `*name` are allowed.")
        node = self._anchors.get(event.anchor)
        if node is None:
            raise _at(event, f"The alias *{event.anchor} has no anchor &{event.anchor} before it.")
        if not node.closed:
            raise _at(event, f"The alias *{event.anchor} stands inside its own anchor.")
        self._count(node.size, node)
        self._attach(node)

    def _add(self, node: Node, anchor: str | None) -> None:
        if anchor is not None:
            self._anchors[anchor] = node
        self._count(1, node)
        self._attach(node)

    def _count(self, size: int, node: Node) -> None:
        self._nodes += size
        if self._nodes > self._limits.nodes:
            message = f"The document holds too many values: at most {self._limits.nodes:,} are allowed."
            raise YamlError(message, node.line, node.column)

    def _attach(self, node: Node) -> None:
        if not self._open:
            self._root = node
            return
        parent, _ = self._open[-1]
        parent.size += node.size
        if parent.kind == "list":
            parent.items.append(node)
        elif parent.key is None:
            parent.key = node
        else:
            parent.pairs.append((parent.key, node))
            parent.key = None


def _at(event: Any, message: str) -> YamlError:
    return YamlError(message, event.start_mark.line + 1, event.start_mark.column + 1)


def _foreign(event: Any) -> YamlError:
    tag = event.tag.replace(_CORE, "!!")
    return _at(event, f"The tag {tag} is not allowed; remove it and write the value as it is.")
