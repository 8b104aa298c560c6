"""What a call gives back, and what it tells while it runs."""

from dataclasses import dataclass, field
from typing import Any, Literal

from multidict import CIMultiDict, CIMultiDictProxy


@dataclass(frozen=True, slots=True)
class SentRequest:
    """A request with its templates expanded.

    Attributes:
        method: The method.
        url: The whole URL, query included.
        headers: The headers that the tool gives; names are compared without case.
        body: The body; None for none.
    """

    method: str
    url: str
    headers: CIMultiDict[str]
    body: str | None


@dataclass(frozen=True, slots=True)
class ReceivedResponse:
    """An answer.

    Attributes:
        status: The status, such as 200.
        reason: The reason phrase.
        headers: The headers; names are compared without case.
        text: The body as text.
        size: Bytes of the body, decompressed.
        content_type: The Content-Type header; empty when there is none.
    """

    status: int
    reason: str
    headers: CIMultiDictProxy[str]
    text: str
    size: int
    content_type: str


@dataclass(slots=True)
class StepTrace:
    """One visit of a step.

    Attributes:
        index: Index of the step in the tool.
        request: What was sent; None when the visit ended before it was put together.
        response: The answer; None when there was none or it was served from the cache.
        cached: Whether it was served from the cache.
        variables: The extracted values by name.
    """

    index: int
    request: SentRequest | None = None
    response: ReceivedResponse | None = None
    cached: bool = False
    variables: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CallError:
    """Why a call failed.

    Attributes:
        kind: One of the kinds of `errors.py`.
        message: What happened, where, and what to do about it.
        step: Index of the step it happened at; None before the first one.
    """

    kind: str
    message: str
    step: int | None


@dataclass(slots=True)
class ToolResult:
    """What came of a call.

    Attributes:
        output: What the model gets: the result, or the error's text.
        error: None, or why the call failed.
        steps: One trace for each visit of a step, in order.
        warnings: What was left empty or ignored.
    """

    output: str = ""
    error: CallError | None = None
    steps: list[StepTrace] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class StepStarted:
    """A visit of a step begins; its templates are not expanded yet. `visit` counts the visits of the call from 0."""

    step: int
    visit: int


@dataclass(frozen=True, slots=True)
class ResponseReceived:
    """A step has its answer, from the server or from the cache (`response` is None then)."""

    step: int
    visit: int
    request: SentRequest
    response: ReceivedResponse | None
    cached: bool
    duration_ms: float


@dataclass(frozen=True, slots=True)
class VariableExtracted:
    """A variable has its value.

    Attributes:
        value: The plain value.
        text: Its text form, numbers as they were sent.
        missing: None when it was found; else what stands for it: `empty` text or the `default`.
    """

    step: int
    visit: int
    name: str
    value: Any
    text: str
    missing: Literal["empty", "default"] | None


@dataclass(frozen=True, slots=True)
class JumpTaken:
    """The call goes on at another step than the following one; `variable` is the one that was missing, for a `jump`."""

    step: int
    visit: int
    target: int
    reason: Literal["jump", "next"]
    variable: str | None


@dataclass(frozen=True, slots=True)
class StepFinished:
    """A visit of a step is over."""

    step: int
    visit: int
    cached: bool
    duration_ms: float


@dataclass(frozen=True, slots=True)
class Warned:
    """Something was left empty or ignored."""

    message: str


@dataclass(frozen=True, slots=True)
class CallFinished:
    """The last event of a call."""

    result: ToolResult


ToolEvent = StepStarted | ResponseReceived | VariableExtracted | JumpTaken | StepFinished | Warned | CallFinished
