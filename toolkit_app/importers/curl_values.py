"""Texts of a request in which marks of variables may stand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import quote

from .shell_words import MARK


def _pieces(text: str) -> Iterator[tuple[bool, str]]:
    at = 0
    for mark in MARK.finditer(text):
        yield False, text[at : mark.start()]
        yield True, mark.group()
        at = mark.end()
    yield False, text[at:]


def quoted(text: str) -> str:
    """Percent-encode a text; marks of variables stay."""
    return "".join(piece if is_mark else quote(piece, safe="") for is_mark, piece in _pieces(text))


def encoded(value: str) -> str:
    """Give what `--data-urlencode` makes of its value: `name=text`, `=text` or `text`."""
    name, equals, text = value.partition("=")
    if not equals:
        return quoted(value)
    return f"{name}={quoted(text)}" if name else quoted(text)


def is_json(text: str) -> bool:
    """Whether a text is JSON, whatever its variables hold."""
    try:
        json.loads(MARK.sub("0", text), parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return False
    return True
