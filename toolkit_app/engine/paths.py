"""Extraction paths: `data.items[0].name`, `books[].title`, `["a.b"]`.

Source: specification, "extract"; contract, "Extraction".
"""

import json
import re
from functools import lru_cache
from typing import Any

from .errors import PathSyntaxError

_KEY = re.compile(r"[^.\[\]]+")
_QUOTED = re.compile(r'\[("(?:[^"\\]|\\.)*")\]', re.DOTALL)
_INDEX = re.compile(r"\[([0-9]*)\]")
_FAR = 10**9


class Key(str):
    """A key of an object."""

    __slots__ = ()


class _Each:
    """The step `[]` of a path: every element of a list."""

    __slots__ = ()


EACH = _Each()
Op = Key | int | _Each


class MissingError(Exception):
    """What a path names is not in the answer."""


@lru_cache(maxsize=4096)
def parse_path(path: str) -> tuple[Op, ...]:
    """Parse a path into what is done one after another.

    Raises:
        PathSyntaxError: An empty segment, an index that is none, an unclosed bracket.
    """
    ops: list[Op] = []
    at = 0
    expect_key = True
    while at < len(path):
        sign = path[at]
        if sign == "[" and (not expect_key or at == 0):
            op, at = _bracket(path, at)
            ops.append(op)
            expect_key = False
        elif sign == "." and not expect_key:
            at += 1
            expect_key = True
        elif expect_key and (key := _KEY.match(path, at)):
            ops.append(Key(key.group()))
            at = key.end()
            expect_key = False
        else:
            raise _unexpected(path, at, expect_key)
    if expect_key:
        raise _unexpected(path, at, expect_key)
    return tuple(ops)


def follow(ops: tuple[Op, ...], root: Any) -> Any:
    """Follow a parsed path in a value.

    Raises:
        MissingError: There is nothing where the path leads.
    """
    at = root
    for index, op in enumerate(ops):
        kind = type(op)
        if kind is Key:
            if type(at) is not dict or op not in at:
                raise MissingError
            at = at[op]
        elif kind is int:
            if type(at) is not list or not isinstance(op, int) or op >= len(at):
                raise MissingError
            at = at[op]
        else:
            if type(at) is not list:
                raise MissingError
            return _follow_each(ops[index + 1 :], at)
    return at


def _follow_each(ops: tuple[Op, ...], elements: list[Any]) -> list[Any]:
    found = elements
    for op in ops:
        kind = type(op)
        deeper: list[Any] = []
        hits = 0
        for item in found:
            if kind is Key:
                if type(item) is dict and op in item:
                    deeper.append(item[op])
                    hits += 1
            elif type(item) is list:
                if kind is not int:
                    deeper.extend(item)
                    hits += 1
                elif isinstance(op, int) and op < len(item):
                    deeper.append(item[op])
                    hits += 1
        if found and not hits:
            raise MissingError
        found = deeper
    return found


def _bracket(path: str, at: int) -> tuple[Op, int]:
    if match := _INDEX.match(path, at):
        digits = match[1]
        if not digits:
            return EACH, match.end()
        return int(digits) if len(digits) < 10 else _FAR, match.end()
    if match := _QUOTED.match(path, at):
        try:
            return Key(json.loads(match[1])), match.end()
        except ValueError:
            raise PathSyntaxError(f"The path `{path}` has a quoted key with a faulty escape: {match[1]}.") from None
    end = path.find("]", at)
    if end < 0:
        raise PathSyntaxError(f"The path `{path}` has a `[` that is never closed; add `]`.")
    inside = path[at + 1 : end]
    if re.fullmatch(r"-[0-9]+", inside):
        raise PathSyntaxError(f"The path `{path}` has the negative index {inside}; indexes count from 0.")
    raise PathSyntaxError(
        f"The path `{path}` has `[{inside}]`, which is no index. Write `[0]` for one element, `[]` for all, "
        f'or `["{inside}"]` for a key with special signs.'
    )


def _unexpected(path: str, at: int, expect_key: bool) -> PathSyntaxError:
    if not path:
        return PathSyntaxError("The path `` is empty; write the name of a field, such as `data.status`.")
    if expect_key and (at >= len(path) or path[at] in ".["):
        return PathSyntaxError(f"The path `{path}` has an empty segment at position {at + 1}; remove the extra dot.")
    return PathSyntaxError(
        f"The path `{path}` has an unexpected `{path[at]}` at position {at + 1}; "
        'a key with special signs is written `["like.this"]`.'
    )
