"""A client of OpenAI-style chat completions over the outbound door: streaming, time-outs, retries, clear errors."""

from __future__ import annotations

import asyncio
import contextlib
import email.utils
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from graph_app.calls.errors import ModelError
from graph_app.calls.services import next_request_key
from toolkit_app.engine import Door, DoorRequest, DoorTransport

MAX_ANSWER_CHARACTERS = 4_000_000
MAX_LINE_CHARACTERS = 1_000_000
LONGEST_WAIT_S = 60.0
"""However long a server asks to wait, no longer than this."""
_FIRST_WAIT_S = 0.5
_SHOWN = 300


@dataclass(slots=True)
class Usage:
    """Tokens that an answer took."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.total_tokens + other.total_tokens,
        )

    def as_dict(self) -> dict[str, int]:
        """Returns the counts by name."""
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "total_tokens": self.total_tokens,
        }


@dataclass(slots=True)
class ToolCall:
    """A call of a tool that a model asks for; `arguments` is JSON text as it was sent."""

    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class ModelChunk:
    """A piece of an answer; the last one of a stream carries the calls of tools and the usage."""

    content: str | None = None
    tool_calls: list[ToolCall] = field(default_factory=list)
    usage: Usage | None = None
    finish_reason: str | None = None


class ChatClient:
    """Asks one server."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        door: Door,
        *,
        guard: Callable[[DoorRequest], None] | None = None,
        silence_s: float = 60.0,
        retries: int = 3,
        label: str = "model",
        sleep: Callable[[float], Any] = asyncio.sleep,
    ) -> None:
        """Opens nothing yet.

        Args:
            base_url: Address up to `/chat/completions`.
            api_key: Sent as bearer token; empty for none.
            door: Through which requests go.
            guard: Is called before each request.
            silence_s: Seconds without a byte after which a request is given up.
            retries: How often a busy server is asked again.
            label: The provider's name, for messages.
            sleep: Waits between tries.
        """
        self.label = label
        self._url = base_url.rstrip("/") + "/chat/completions"
        self._headers = {"Content-Type": "application/json"}
        if api_key:
            self._headers["Authorization"] = f"Bearer {api_key}"
        self._silence_s = silence_s
        self._retries = retries
        self._sleep = sleep
        self._http = httpx.AsyncClient(
            transport=DoorTransport(door, guard),
            timeout=httpx.Timeout(silence_s, connect=min(silence_s, 15.0)),
            trust_env=False,
        )

    async def complete(self, request: Mapping[str, Any]) -> ModelChunk:
        """Asks for a whole answer.

        Raises:
            ModelError: If the server can't be asked, refuses, or answers what can't be used.
        """
        async with self._answer({**request, "stream": False}) as answer:
            return self._whole(await self._text(answer))

    async def stream(self, request: Mapping[str, Any]) -> AsyncGenerator[ModelChunk, None]:
        """Asks for an answer in pieces.

        Yields:
            The pieces, as they come; the last one has the calls of tools and the usage.

        Raises:
            ModelError: As `complete`; also when the stream ends before the answer does.
        """
        asked = {**request, "stream": True, "stream_options": {"include_usage": True}}
        async with self._answer(asked) as answer:
            if "json" in answer.headers.get("content-type", "").lower():
                yield self._whole(await self._text(answer))  # a server that doesn't stream
                return
            gathered = _Gathered()
            async for data in self._events(answer):
                if data == "[DONE]":
                    gathered.done = True
                    break
                content = gathered.take(self._parsed(data))
                if content:
                    yield ModelChunk(content)
            if not gathered.done:
                raise self._error("malformed", "the answer broke off before its end")
            yield ModelChunk(None, gathered.calls(), gathered.usage, gathered.finish_reason)

    @contextlib.asynccontextmanager
    async def _answer(self, request: Mapping[str, Any]) -> AsyncIterator[httpx.Response]:
        """Sends a request, again while the server is busy; yields an answer of success."""
        body = json.dumps(request, ensure_ascii=False).encode("utf-8", "replace")
        wait_s = _FIRST_WAIT_S
        key = next_request_key()
        headers = {**self._headers, **({"Idempotency-Key": key} if key else {})}
        for tries_left in range(self._retries, -1, -1):
            try:
                async with self._http.stream("POST", self._url, content=body, headers=headers) as answer:
                    if answer.status_code < 300:
                        yield answer
                        return
                    refusal = self._refusal(answer, await self._text(answer))
                    if refusal.kind != "busy" or not tries_left:
                        raise refusal
                    asked_s = _retry_after(answer.headers.get("retry-after"))
            except httpx.TimeoutException as error:
                raise self._error("time_out", f"nothing came for {self._silence_s:g} s") from error
            except httpx.HTTPError as error:
                raise self._error("connection", str(error)) from error
            await self._sleep(min(wait_s if asked_s is None else asked_s, LONGEST_WAIT_S))
            wait_s *= 2

    async def _text(self, answer: httpx.Response) -> str:
        pieces, size = [], 0
        async for piece in answer.aiter_bytes():
            size += len(piece)
            if size > MAX_ANSWER_CHARACTERS:
                raise self._error("malformed", f"the answer is longer than {MAX_ANSWER_CHARACTERS} bytes")
            pieces.append(piece)
        return b"".join(pieces).decode("utf-8", "replace")

    async def _events(self, answer: httpx.Response) -> AsyncGenerator[str, None]:
        """Yields the data of server-sent events.

        Source: HTML standard, "Server-sent events"; only `data` fields matter here.
        """
        rest, size = b"", 0
        async for piece in answer.aiter_bytes():
            size += len(piece)
            if size > MAX_ANSWER_CHARACTERS * 4:
                raise self._error("malformed", "the answer does not end")
            lines = (rest + piece).split(b"\n")
            rest = lines.pop()
            if len(rest) > MAX_LINE_CHARACTERS:
                raise self._error("malformed", "a line of the answer is too long")
            for line in lines:
                if line.startswith(b"data:"):
                    yield line[5:].strip().decode("utf-8", "replace")
        if rest.startswith(b"data:"):
            yield rest[5:].strip().decode("utf-8", "replace")

    def _parsed(self, data: str) -> Mapping[str, Any]:
        try:
            parsed = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise self._error("malformed", f"a piece of the answer is no JSON: {data[:_SHOWN]!r}") from error
        if not isinstance(parsed, Mapping):
            raise self._error("malformed", f"a piece of the answer is no object: {data[:_SHOWN]!r}")
        if parsed.get("error"):
            raise self._error("refused", f"the server says: {_message(parsed)[:_SHOWN]}")
        return parsed

    def _whole(self, text: str) -> ModelChunk:
        parsed = self._parsed(text)
        choice = _first(parsed.get("choices"))
        message = choice.get("message")
        if not isinstance(message, Mapping):
            raise self._error("malformed", f"the answer has no message: {text[:_SHOWN]!r}")
        content = message.get("content")
        gathered = _Gathered()
        gathered.add_calls(message.get("tool_calls"))
        return ModelChunk(
            content if isinstance(content, str) else None,
            gathered.calls(),
            _usage(parsed.get("usage")),
            str(choice.get("finish_reason") or "stop"),
        )

    def _refusal(self, answer: httpx.Response, text: str) -> ModelError:
        said = _message_of(text)[:_SHOWN]
        status = answer.status_code
        if status in (401, 403):
            return self._error("key", f"the key is not accepted ({status}): {said}")
        if status == 404:
            return self._error("unknown_model", f"there is no such model or address ({status}): {said}")
        if status == 429 or status >= 500:
            return self._error("busy", f"the server is busy or down ({status}): {said}")
        if "model" in said.lower() and ("not found" in said.lower() or "does not exist" in said.lower()):
            return self._error("unknown_model", f"there is no such model ({status}): {said}")
        return self._error("refused", f"the request was refused ({status}): {said}", status=status)

    def _error(self, kind: str, said: str, **data: Any) -> ModelError:
        return ModelError(kind, f"The model {self.label}: {said}", data)


class _Gathered:
    """Puts the pieces of a stream together."""

    def __init__(self) -> None:
        self.done = False
        self.usage: Usage | None = None
        self.finish_reason: str | None = None
        self._calls: dict[int, ToolCall] = {}

    def take(self, parsed: Mapping[str, Any]) -> str | None:
        """Takes a piece; returns its text."""
        if parsed.get("usage"):
            self.usage = _usage(parsed["usage"])
        choices = parsed.get("choices")
        if not choices:
            return None
        choice = _first(choices)
        if choice.get("finish_reason"):
            self.finish_reason = str(choice["finish_reason"])
            self.done = True  # servers exist that end without [DONE]
        delta = choice.get("delta")
        if not isinstance(delta, Mapping):
            return None
        if delta.get("tool_calls"):
            self.add_calls(delta["tool_calls"])
        content = delta.get("content")
        return content if isinstance(content, str) else None

    def add_calls(self, pieces: Any) -> None:
        """Adds pieces of calls, each to the call of its index."""
        for place, piece in enumerate(pieces if isinstance(pieces, list) else ()):
            if not isinstance(piece, Mapping):
                continue
            index = piece.get("index", place)
            call = self._calls.setdefault(index if isinstance(index, int) else place, ToolCall())
            function = piece.get("function")
            if isinstance(piece.get("id"), str):
                call.id = piece["id"]
            if isinstance(function, Mapping):
                call.name += str(function.get("name") or "")
                arguments = function.get("arguments")
                if arguments is not None:
                    call.arguments += arguments if isinstance(arguments, str) else json.dumps(arguments)

    def calls(self) -> list[ToolCall]:
        """Returns the calls in order."""
        calls = [self._calls[index] for index in sorted(self._calls)]
        for number, call in enumerate(calls):
            call.id = call.id or f"call_{number}"
        return calls


def _first(choices: Any) -> Mapping[str, Any]:
    found = choices[0] if isinstance(choices, list) and choices else {}
    return found if isinstance(found, Mapping) else {}


def _usage(value: Any) -> Usage | None:
    if not isinstance(value, Mapping):
        return None
    counts = [value.get(name) for name in ("prompt_tokens", "completion_tokens", "total_tokens")]
    return Usage(*(count if isinstance(count, int) else 0 for count in counts))


def _message_of(text: str) -> str:
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return " ".join(text.split())
    return _message(parsed) if isinstance(parsed, Mapping) else text


def _message(parsed: Mapping[str, Any]) -> str:
    error = parsed.get("error", parsed)
    if isinstance(error, Mapping):
        return str(error.get("message") or error)
    return str(error)


def _retry_after(text: str | None) -> float | None:
    """Returns the seconds that a `Retry-After` header asks for.

    Source: RFC 9110, section 10.2.3.
    """
    if not text:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None
