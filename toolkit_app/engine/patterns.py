"""Regular expressions in linear time, by RE2.

Source: specification, "extract"; security.md, "bombs".
"""

import re
from functools import lru_cache
from typing import Any

import re2

from .errors import RegexSyntaxError
from .paths import MissingError

MAX_PATTERN = 10_000
_HINT = (
    "Supported is RE2's syntax: no look-around, no back-references; "
    r"`\w` is ASCII only (`\p{L}` stands for any letter)."
)
_LOOK_AROUND = re.compile(r"\(\?<?[=!]")


def is_pattern(extract: str) -> bool:
    """Whether an extraction is written as a regular expression: `/…/`."""
    return extract.startswith("/")


@lru_cache(maxsize=1024)
def parse_pattern(extract: str) -> Any:
    """Compile an extraction written as `/pattern/`.

    Raises:
        RegexSyntaxError: It is malformed, too long, or uses what RE2 doesn't know.
    """
    if len(extract) < 2 or not extract.endswith("/"):
        raise RegexSyntaxError(
            f"The regular expression `{extract}` must end with `/`; options are written inside, such as `/(?i)total/`."
        )
    pattern = extract[1:-1]
    if not pattern:
        raise RegexSyntaxError("The regular expression `//` is empty; write a pattern between the slashes.")
    if len(pattern) > MAX_PATTERN:
        raise RegexSyntaxError(
            f"The regular expression `{extract[:60]}…` is too long: at most {MAX_PATTERN:,} characters are allowed."
        )
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except (re2.error, UnicodeError) as error:
        reason = _reason(error)
        if _LOOK_AROUND.search(pattern):
            reason = "look-around is not supported"
        raise RegexSyntaxError(f"The regular expression `{extract}` can't be used: {reason}. {_HINT}") from error


def search(pattern: Any, text: bytes) -> str:
    """Find the first match in a UTF-8 text: group 1, or the whole match of a pattern without groups.

    Raises:
        MissingError: No match, or group 1 took no part in it.
    """
    start, end = locate(pattern, text)
    return str(text[start:end], "utf-8", "replace")


def locate(pattern: Any, text: bytes) -> tuple[int, int]:
    """Find where the value of the first match stands, in bytes.

    Raises:
        MissingError: No match, or group 1 took no part in it.
    """
    match = pattern.search(text)
    if match is None:
        raise MissingError
    start, end = match.span(1 if pattern.groups else 0)
    if start < 0:
        raise MissingError
    return start, end


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeError) or not error.args:
        return "it holds characters that are no text"
    detail = error.args[0]
    return detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)
