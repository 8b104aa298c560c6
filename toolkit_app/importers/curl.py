"""A cURL command as a step of a tool, with a list of what it could not take over.

Reads what browsers, Postman and descriptions of APIs give ("Copy as cURL"), for bash, cmd.exe and PowerShell. Nothing
is run, no file is read, no connection is opened. A value that is secret never reaches the step: a reference to the
environment stands there, and `CurlImport.needs` says what the environment has to hold.

CurlError    a text that gives no request; the message says what, where and what to do, and holds no value
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from toolkit_app.engine import Step, ToolDefinition

from .credentials import Need
from .curl_options import Option, read_options
from .curl_request import CurlRequest, UnusableError
from .shell_words import MARK_CLOSE, MARK_OPEN, UnclosedError, marked, split_command

MAX_COMMAND = 500_000
"""Most characters of a command."""

_BEGINNING = re.compile(
    r"\ufeff?\s*(?:[$>#%]\s+|PS [^>\n]{0,200}>\s*|[A-Za-z]:\\[^>\n]{0,200}>\s*)?(?:/[\w./-]{0,100}/)?curl(?:\.exe)?"
    r"(?=\s|$)",
    re.IGNORECASE | re.ASCII,
)
_CONTROL = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f{MARK_OPEN}{MARK_CLOSE}\ud800-\udfff]")
_POSTMAN = re.compile(r"\{\{([A-Za-z_][\w-]{0,63})\}\}", re.ASCII)
_WITH_VARIABLES = {"url", "header", "user", "cookie", "url-query"}


class CurlError(Exception):
    """A text that gives no request; the message says what is wrong, where, and what to do."""


@dataclass(frozen=True, slots=True)
class CurlImport:
    """What a command became.

    Attributes:
        step: The request, in the engine's own terms.
        env: Names that the tool has to declare.
        needs: What the environment has to hold under these names.
        notes: What was left out or needs a look, a sentence each.
    """

    step: Step
    env: tuple[str, ...]
    needs: tuple[Need, ...]
    notes: tuple[str, ...]


def read_curl(text: str) -> CurlImport:
    """Turn a cURL command into a step.

    Args:
        text: The command, at most `MAX_COMMAND` characters; it begins with `curl`, perhaps behind a prompt.

    Raises:
        CurlError: It is no cURL command, or gives no request.
    """
    if len(text) > MAX_COMMAND:
        raise CurlError(
            f"The command is longer than {MAX_COMMAND:,} characters. Shorten its body, and write the rest in the step."
        )
    beginning = _BEGINNING.match(text)
    if not beginning:
        raise CurlError(
            "This is no cURL command: it has to begin with `curl`. In a browser's network list pick "
            "Copy, Copy as cURL; in Postman pick Code, cURL."
        )
    if bad := _CONTROL.search(text):
        raise CurlError(
            f"There is a control character in {_place(text, bad.start())}. Remove it, or copy the command again."
        )
    try:
        line = split_command(text[beginning.end() :])
    except UnclosedError as error:
        where = _place(text, beginning.end() + error.offset)
        raise CurlError(f"The quote in {where} is never closed. Copy the whole command, to its very end.") from None
    request = CurlRequest(line)
    try:
        step = request.step(map(_with_variables, read_options(line.words)))
    except UnusableError as error:
        raise CurlError(str(error)) from None
    needs = tuple(request.needs)
    return CurlImport(step, tuple(need.name for need in needs), needs, tuple(request.notes))


def tool_of(imported: CurlImport, name: str, desc: str) -> ToolDefinition:
    """A tool of that one step.

    Args:
        imported: What `read_curl` gave.
        name: The tool's name.
        desc: What it is for, for the model to read.
    """
    fields = {"name": name, "desc": desc, "env": list(imported.env), "steps": [imported.step]}
    return ToolDefinition.model_validate({key: value for key, value in fields.items() if value != []})


def _with_variables(option: Option) -> Option:
    """Postman leaves its variables in where it doesn't know them; in a body they may be somebody's own text."""
    if option.value is None or option.name not in _WITH_VARIABLES:
        return option
    return replace(option, value=_POSTMAN.sub(lambda found: marked(found[1]), option.value))


def _place(text: str, offset: int) -> str:
    before = text[:offset].split("\n")
    return f"line {len(before)}, column {len(before[-1]) + 1}"
