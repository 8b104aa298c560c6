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

SHORT_DIGITS = 4_000
"""Python converts integers of up to 4,300 digits by itself; longer ones take the way below."""
MAX_DIGITS = 100_000
"""Longer integers stay text: every digit is kept, and converting them would take seconds."""


class ExactFloat(float):
    """A float that remembers the text it was sent as (`1.10`)."""

    __slots__ = ("text",)
    text: str


class ExactInt(int):
    """An integer that remembers the text it was sent as (`-0`, `+5`, very many digits)."""

    text: str


def exact_float(text: str) -> float | str:
    """Read a decimal number; a float whose own text differs keeps the text that was sent."""
    value = float(text)
    if repr(value) == text:
        return value
    if math.isinf(value):
        return text
    exact = ExactFloat(value)
    exact.text = text
    return exact


def exact_int(text: str) -> int | str:
    """Read a whole number of any length; one of more than MAX_DIGITS digits stays text."""
    if len(text) > MAX_DIGITS:
        return text
    value = int(text) if len(text) <= SHORT_DIGITS else _long_int(text)
    if len(text) <= SHORT_DIGITS and str(value) == text:
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
    if _HEX_OCT.fullmatch(text) and len(text) <= SHORT_DIGITS:
        return int(text[2:], 16 if text[1] == "x" else 8)
    return text


def _long_int(text: str) -> int:
    sign, digits = (-1, text[1:]) if text[0] == "-" else (1, text.removeprefix("+"))
    return sign * _halves(digits)


def _halves(digits: str) -> int:
    if len(digits) <= SHORT_DIGITS:
        return int(digits)
    low = len(digits) // 2
    return int(_halves(digits[:-low]) * 10**low) + _halves(digits[-low:])
