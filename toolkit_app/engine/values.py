"""Values of a call and the text they stand for."""

import json
from typing import Any, NoReturn

from .scalars import ExactFloat, ExactInt, NumberText

MAX_LEVELS = 200


class Value:
    """A plain value, and the text it was sent as where that differs from its own.

    Attributes:
        plain: `None`, bool, int, float, str, list or dict.
        text: The text that was sent, for numbers and what contains them; None where `plain` tells it all.
    """

    __slots__ = ("plain", "text")

    def __init__(self, plain: Any, text: str | None = None) -> None:
        self.plain = plain
        self.text = text

    def as_text(self) -> str:
        """The text form: strings as they are, null as nothing, numbers as sent, lists and objects as compact JSON."""
        plain = self.plain
        if isinstance(plain, str):
            return plain
        if self.text is not None:
            return self.text
        return "" if plain is None else compact(plain)


def value_of(raw: Any) -> Value:
    """Separate what was read from an answer into its plain value and its text.

    Raises:
        RecursionError: It is nested more than MAX_LEVELS deep.
    """
    kind = type(raw)
    if kind is str or raw is None or kind is bool or kind is int or kind is float:
        return Value(raw)
    if isinstance(raw, ExactFloat):
        return Value(float(raw), raw.text)
    if isinstance(raw, ExactInt):
        return Value(int(raw), raw.text)
    if isinstance(raw, NumberText):
        return Value(str(raw))
    if _remembers_text(raw):
        return Value(_plain(raw), _written(raw))
    return Value(raw)


def compact(value: Any) -> str:
    """Compact JSON with non-ASCII kept; what JSON doesn't know is written as its text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def is_json(text: str) -> bool:
    """Whether a text is one JSON value, by the letter of the standard."""
    try:
        _STRICT.decode(text)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)


_STRICT = json.JSONDecoder(parse_constant=_refuse, parse_int=str, parse_float=str)


def _remembers_text(raw: Any) -> bool:
    """Whether some number inside remembers its text; also the guard against values nested too deeply."""
    level = [raw]
    found = False
    for _ in range(MAX_LEVELS):
        deeper = []
        for container in level:
            for item in container.values() if isinstance(container, dict) else container:
                kind = type(item)
                if kind is dict or kind is list:
                    deeper.append(item)
                elif kind is ExactFloat or kind is ExactInt or kind is NumberText:
                    found = True
        if not deeper:
            return found
        level = deeper
    raise RecursionError


def _plain(raw: Any) -> Any:
    if isinstance(raw, dict):
        return {key: _plain(item) for key, item in raw.items()}
    if isinstance(raw, list):
        return [_plain(item) for item in raw]
    if isinstance(raw, ExactFloat):
        return float(raw)
    if isinstance(raw, ExactInt):
        return int(raw)
    return str(raw) if isinstance(raw, NumberText) else raw


def _written(raw: Any) -> str:
    if isinstance(raw, dict):
        return "{" + ",".join([f"{compact(key)}:{_written(item)}" for key, item in raw.items()]) + "}"
    if isinstance(raw, list):
        return "[" + ",".join([_written(item) for item in raw]) + "]"
    if isinstance(raw, (ExactFloat, ExactInt)):
        return raw.text.removeprefix("+")
    if isinstance(raw, NumberText):
        return str(raw)
    return compact(raw)
