"""Requests of other programs as parts of tools: what API and command line share."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from toolkit_app.engine import RunError, suggest_extract, try_extract
from toolkit_app.errors import InvalidError
from toolkit_app.importers import CurlError, CurlImport, read_curl


def curl_import(command: str) -> CurlImport:
    """Turns a cURL command into a step; nothing is stored or logged, and no value of a secret comes out.

    Raises:
        InvalidError: It is none, or gives no request.
    """
    try:
        return read_curl(command)
    except CurlError as error:
        raise InvalidError(str(error), code="curl", fields={"command": [str(error)]}) from None


def extract_try(text: str, extract: str) -> dict[str, Any]:
    """Tries an extraction on a text; a malformed one is told, not raised."""
    try:
        return {"extract": extract, "problem": None, **asdict(try_extract(text, extract))}
    except RunError as error:
        return {"extract": extract, "problem": error.message, "found": False, "value": "", "before": "", "after": ""}


def extract_suggest(text: str, start: int, end: int) -> dict[str, Any]:
    """Writes a pattern for what is selected in a text, and tries it.

    Raises:
        InvalidError: Nothing is selected.
    """
    extract = suggest_extract(text, start, end)
    if not extract:
        raise InvalidError("Nothing but blanks is selected. Select the value.", code="selection")
    return extract_try(text, extract)
