"""Errors of the tool engine.

ToolError
├── ToolSyntaxError          a definition that can't be used; carries every problem of the document
└── RunError                 a call that ended early; `kind` is what callers branch on
    ├── ParamsError          params
    ├── RequestError         request
    ├── EgressError          egress
    ├── HeaderError          header
    ├── TooLargeError        too_large
    ├── ExtractError         extract
    ├── PathSyntaxError      path_syntax
    ├── RegexSyntaxError     regex_syntax
    ├── NotStructuredError   not_structured
    ├── ConfigError          config
    └── StepLimitError       step_limit

Definition errors are raised by the loader, run errors never leave `ToolRunner.run`: they become `ToolResult.error`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar


class ToolError(Exception):
    """Anything the tool engine refuses or gives up on."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a tool's document, with its place.

    Attributes:
        path: Field in the document, such as `steps[1].var[0].jump`; empty for the document itself.
        line: Line in the YAML text, from 1.
        column: Column in the YAML text, from 1.
        message: What is wrong and what to do about it.
    """

    path: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        where = f" ({self.path})" if self.path else ""
        return f"line {self.line}, column {self.column}{where}: {self.message}"


class ToolSyntaxError(ToolError):
    """The document is no usable tool.

    Attributes:
        problems: Every problem of the document, in the order of the text.
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems: list[Problem] = list(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class RunError(ToolError):
    """A call that could not go on; the message is shown to people and to the model.

    Attributes:
        kind: Which kind of failure it is.
        message: What happened, where, and what to do about it.
    """

    kind: ClassVar[str]

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


class ParamsError(RunError):
    """An argument is missing or has the wrong type; nothing was sent."""

    kind = "params"


class RequestError(RunError):
    """The request could not be made or answered: address, connection, TLS, time-out, broken answer."""

    kind = "request"


class EgressError(RunError):
    """The network policy forbids the address; nothing was sent to it."""

    kind = "egress"


class HeaderError(RunError):
    """A request header holds characters that a header can't hold; nothing was sent."""

    kind = "header"


class TooLargeError(RunError):
    """The answer is larger than allowed; it was given up."""

    kind = "too_large"


class ExtractError(RunError):
    """An extraction with `abort: true` failed."""

    kind = "extract"


class PathSyntaxError(RunError):
    """An extraction path is malformed."""

    kind = "path_syntax"


class RegexSyntaxError(RunError):
    """A regular expression is malformed or uses what isn't supported."""

    kind = "regex_syntax"


class NotStructuredError(RunError):
    """A path was to be followed in an answer that is neither JSON nor YAML."""

    kind = "not_structured"


class ConfigError(RunError):
    """The definition itself sends the call somewhere that doesn't exist."""

    kind = "config"


class StepLimitError(RunError):
    """The call visited more steps than allowed: most likely it goes round in circles."""

    kind = "step_limit"
