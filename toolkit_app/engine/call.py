"""One call of a tool: the loop over its steps.

Source: specification, "execution flow"; contract, "Running".
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from multidict import CIMultiDict, CIMultiDictProxy

from .answers import decode
from .definition import Step, ToolDefinition, Variable
from .door import Door, DoorRequest, Guard
from .errors import ConfigError, ExtractError, RequestError, RunError, StepLimitError, TooLargeError
from .expand import Scope, expand_text
from .extract import Answer
from .params import check_params
from .paths import MissingError
from .requests import encode_body, expand_request
from .results import (
    CallError,
    CallFinished,
    JumpTaken,
    ReceivedResponse,
    ResponseReceived,
    SentRequest,
    StepFinished,
    StepStarted,
    StepTrace,
    ToolEvent,
    ToolResult,
    VariableExtracted,
    Warned,
)
from .urls import parse_target
from .values import Value

_CacheKey = tuple[str, str, tuple[tuple[str, str], ...], str | None]
_END = -1
MAX_HELD = 100 * 1024 * 1024
"""Most bytes of answers that one call holds: each stays in the trace until the call ends."""


@dataclass(frozen=True, slots=True)
class CallOptions:
    """How one call is run.

    Attributes:
        max_response_bytes: Most bytes of one answer, after decompression.
        max_steps: Most visits of steps.
        guard: Called before each request and redirect hop is sent; may raise an EgressError.
        idempotency_key: Gives the `Idempotency-Key` for the n-th request of the call, from 0.
        until_step: Index of the step after whose first visit the call ends.
    """

    max_response_bytes: int
    max_steps: int
    guard: Guard | None = None
    idempotency_key: Callable[[int], str] | None = None
    until_step: int | None = None


@dataclass(slots=True)
class _Kept:
    """What the cache keeps of a request: its variables and its body."""

    values: dict[str, Value]
    text: str


class Call:
    """A single call; used once."""

    def __init__(
        self, tool: ToolDefinition, door: Door, options: CallOptions, emit: Callable[[ToolEvent], None] | None = None
    ) -> None:
        self._tool = tool
        self._door = door
        self._options = options
        self._emit = emit
        self._result = ToolResult()
        self._warn = _warner(self._result, emit)
        self._cache: dict[_CacheKey, _Kept] = {}
        self._at: int | None = None
        self._visit = 0
        self._requests = 0
        self._last_text = ""
        self._held = 0

    async def run(self, params: Any, env: Mapping[str, Any] | None) -> ToolResult:
        """Run the call to its end; what goes wrong is in the result's `error`."""
        result = self._result
        try:
            values = check_params(self._tool, params, self._warn)
            self._scope = Scope(values, env or {}, self._tool.env, self._warn)
            result.output = _clean(await self._walk())
        except RunError as error:
            message = _clean(error.message)
            self._tidy()
            result.error = CallError(error.kind, message, self._at)
            result.output = message
        if self._emit is not None:
            self._emit(CallFinished(result))
        return result

    async def _walk(self) -> str:
        steps = self._tool.steps
        index = 0
        while index < len(steps):
            self._at = index
            if self._visit >= self._options.max_steps:
                raise StepLimitError(
                    f"The call has visited {self._visit} steps and was stopped before step {index}; "
                    "it seems to go round in circles. Check `next` and `jump`."
                )
            step = steps[index]
            started = time.perf_counter()
            trace = StepTrace(index)
            self._result.steps.append(trace)
            target, output = await self._step(index, step, trace)
            if self._emit is not None:
                self._emit(StepFinished(index, self._visit, trace.cached, _ms_since(started)))
            self._visit += 1
            if output is not None:
                return output
            if index == self._options.until_step:
                break
            index = target
        return self._last_text

    async def _step(self, index: int, step: Step, trace: StepTrace) -> tuple[int, str | None]:
        """Visit a step; returns where to go on, and the output where the tool ends here."""
        if self._emit is not None:
            self._emit(StepStarted(index, self._visit))
        sent = self._expanded(step, trace)
        key = (sent.method, sent.url, tuple(sent.headers.items()), sent.body) if step.cache else None
        kept = self._cache.get(key) if key is not None else None
        if kept is not None and step.var and all(entry.name in kept.values for entry in step.var):
            self._serve(index, step, trace, kept)
            failed = None
        else:
            answer = await self._fetch(index, step, trace)
            values: dict[str, Value] = {}
            failed = self._extract(index, step, trace, answer, values)
            if key is not None:
                if kept is None:
                    self._cache[key] = _Kept(values, answer.text)
                else:
                    kept.values.update(values)
                    kept.text = answer.text
        if failed is not None and failed.jump is not None:
            return self._go(index, failed.jump, failed.name), None
        if step.result is not None:
            return _END, expand_text(step.result, self._scope)
        if step.next is not None:
            ends_here = index == self._options.until_step
            return (_END if ends_here else self._go(index, step.next, None)), None
        return index + 1, None

    def _expanded(self, step: Step, trace: StepTrace) -> SentRequest:
        sent = expand_request(step, self._scope)
        trace.request = sent
        url = parse_target(sent.url).url
        if url != sent.url:
            trace.request = sent = replace(sent, url=url)
        return sent

    def _serve(self, index: int, step: Step, trace: StepTrace, kept: _Kept) -> None:
        trace.cached = True
        self._last_text = kept.text
        if self._emit is not None and trace.request is not None:
            self._emit(ResponseReceived(index, self._visit, trace.request, None, True, 0.0))
        for entry in step.var:
            self._store(index, trace, entry.name, kept.values[entry.name], None)

    async def _fetch(self, index: int, step: Step, trace: StepTrace) -> Answer:
        sent = trace.request
        assert sent is not None
        request = DoorRequest(sent.method, sent.url, sent.headers, encode_body(sent.body))
        if self._options.idempotency_key is not None and sent.method != "GET":
            sent.headers.setdefault("Idempotency-Key", self._options.idempotency_key(self._requests))
        self._requests += 1
        started = time.perf_counter()
        try:
            async with asyncio.timeout(step.timeout) as deadline:
                response = await self._door.send(
                    request, guard=self._options.guard, max_bytes=self._options.max_response_bytes
                )
        except TimeoutError:
            if not deadline.expired():
                raise
            raise RequestError(
                f"Step {index} had no complete answer within {step.timeout} s; raise its `timeout` if the server needs "
                "longer."
            ) from None
        if response.resent:
            self._warn(f"Step {index}: the server had closed the kept connection, so the request was sent once more.")
        self._held += len(response.body)
        if self._held > max(MAX_HELD, self._options.max_response_bytes):
            raise TooLargeError(
                f"The answers of this call together are larger than {MAX_HELD:,} bytes, so it was given up at step "
                f"{index}. Ask the servers for less, or split the tool."
            )
        headers = _readable(response.headers)
        content_type = headers.get("Content-Type", "")
        text = decode(response.body, content_type)
        reason = _clean(response.reason)
        received = ReceivedResponse(response.status, reason, headers, text, len(response.body), content_type)
        trace.response = received
        self._last_text = text
        if self._emit is not None:
            self._emit(ResponseReceived(index, self._visit, sent, received, False, _ms_since(started)))
        return Answer(text)

    def _extract(
        self, index: int, step: Step, trace: StepTrace, answer: Answer, values: dict[str, Value]
    ) -> Variable | None:
        """Extract a step's variables in order; returns the entry whose failure makes the call jump."""
        for entry in step.var:
            try:
                value = answer.extract(entry.extract)
            except MissingError:
                if entry.abort:
                    raise ExtractError(f"变量 {entry.name} 提取失败") from None
                if entry.default is None and entry.jump is not None:
                    return entry
                value = Value("" if entry.default is None else entry.default)
                self._store(index, trace, entry.name, value, "empty" if entry.default is None else "default")
            else:
                self._store(index, trace, entry.name, value, None)
            values[entry.name] = value
        return None

    def _store(self, index: int, trace: StepTrace, name: str, value: Value, missing: Any) -> None:
        self._scope.variables[index, name] = value
        trace.variables[name] = value.plain
        if self._emit is not None:
            self._emit(VariableExtracted(index, self._visit, name, value.plain, value.as_text(), missing))

    def _go(self, index: int, target: int, variable: str | None) -> int:
        field = "next" if variable is None else "jump"
        if not 0 <= target < len(self._tool.steps):
            raise ConfigError(
                f"`{field}` of step {index} leads to step {target}, which does not exist; "
                f"the tool has steps 0 to {len(self._tool.steps) - 1}."
            )
        if self._emit is not None:
            self._emit(JumpTaken(index, self._visit, target, "next" if variable is None else "jump", variable))
        return target

    def _tidy(self) -> None:
        """Make the request of a refused visit text that can be stored."""
        trace = self._result.steps[-1] if self._result.steps else None
        if trace is not None and trace.request is not None:
            sent = trace.request
            headers = CIMultiDict((name, _clean(value)) for name, value in sent.headers.items())
            body = None if sent.body is None else _clean(sent.body)
            trace.request = SentRequest(sent.method, _clean(sent.url), headers, body)


def _warner(result: ToolResult, emit: Callable[[ToolEvent], None] | None) -> Callable[[str], None]:
    """What tells warnings. It doesn't know the call: a circle would keep a call's answers until the collector comes."""

    def warn(message: str) -> None:
        message = _clean(message)
        if message in result.warnings:
            return
        result.warnings.append(message)
        if emit is not None:
            emit(Warned(message))

    return warn


def _readable(headers: CIMultiDictProxy[str]) -> CIMultiDictProxy[str]:
    """Headers as text that can be stored: bytes that are no UTF-8 come as lone surrogates."""
    if all(value.isascii() for value in headers.values()):
        return headers
    return CIMultiDictProxy(CIMultiDict((name, _clean(value)) for name, value in headers.items()))


def _ms_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000


def _clean(text: str) -> str:
    """Text that can be stored and sent: arguments may bring lone surrogates."""
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode() if any("\ud800" <= sign <= "\udfff" for sign in text) else text
