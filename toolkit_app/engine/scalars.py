"""What a plain YAML scalar means here, and numbers that remember how they were written.

Source: YAML 1.2 core schema, without what surprises people: `no` and `12:30:45` and dates are text, a number with
leading zeros is text (an article number, a postcode), and `.inf`/`.nan` are text, since no NaN is ever a number here.
"""

import math
import re

_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_HEX_OCT = re.compile(r"0x[0-9a-fA-F]+|0o[0-7]+")
JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_NUMBER_START = frozenset("-+.0123456789")
_WORDS: dict[str, bool | None] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip

MAX_DIGITS = 4_000
"""Python writes integers of up to 4,300 digits; longer ones stay text, with every digit."""


class ExactFloat(float):
    """A float that remembers the text it was sent as (`1.10`)."""

    __slots__ = ("text",)
    text: str


class ExactInt(int):
    """An integer that remembers the text it was sent as (`-0`, `+5`)."""

    text: str


class NumberText(str):
    """A number that no Python number can hold or write, as the text it was sent as."""

    __slots__ = ()


def exact_float(text: str) -> float | NumberText:
    """Read a decimal number; a float whose own text differs keeps the text that was sent."""
    value = float(text)
    if repr(value) == text:
        return value
    if math.isinf(value):
        return NumberText(text)
    exact = ExactFloat(value)
    exact.text = text
    return exact


def exact_int(text: str) -> int | NumberText:
    """Read a whole number; one of more than MAX_DIGITS digits stays text."""
    if len(text) > MAX_DIGITS:
        return NumberText(text)
    value = int(text)
    if str(value) == text:
        return value
    exact = ExactInt(value)
    exact.text = text
    return exact


def plain_scalar(text: str) -> object:
    """The value of an unquoted YAML scalar."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_START:
        return text
    if _INT.fullmatch(text):
        return exact_int(text)
    if _FLOAT.fullmatch(text):
        return exact_float(text)
    if _HEX_OCT.fullmatch(text) and len(text) <= MAX_DIGITS:
        return int(text[2:], 16 if text[1] == "x" else 8)
    return text
