"""What a replay has in place of the outside: a runner of tools and models that answer from a recording alone.

They stand where a run has its door and its providers, so that the engines are the same. Nothing goes out.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter, defaultdict, deque
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

import aiohttp
from multidict import CIMultiDict, CIMultiDictProxy

from graph_app.calls.chat import ModelChunk, ToolCall, Usage
from graph_app.calls.errors import CallError
from graph_app.calls.extract import Extract
from graph_app.calls.llm import LLM
from graph_app.calls.models import Function, Models, Reasoning
from graph_app.calls.node import CallNode
from graph_app.calls.places import call_scope, present_visit
from graph_app.engine import Visit
from graph_app.engine.streaming import visit_scope
from graph_app.runs.differences import Difference, asked_difference, cut, same_text
from graph_app.runs.recording import Places
from toolkit_app.engine import (
    Door,
    DoorRequest,
    DoorResponse,
    RequestError,
    RunError,
    StepStarted,
    ToolDefinition,
    ToolEvent,
    ToolRunner,
)
from toolkit_app.engine.call import Call, CallOptions
from toolkit_app.engine.door import MAX_RESPONSE_BYTES, Guard
from toolkit_app.engine.redaction import MARK

_FAILURES = {kind.kind: kind for kind in RunError.__subclasses__()}
_CHARSET = re.compile(r";\s*charset\s*=[^;]*", re.IGNORECASE)
PATIENCE_S = 1.0
"""How long a step waits for another one's failure. A replay takes no time: whatever is to fail has failed by then."""
_NO_OBJECT = "The arguments are no JSON object: "


class ReplayEnded(Exception):  # noqa: N818 - the first difference ends a replay; no Call may take it for its own fault
    """The replay differs from its recording; there is no going on."""


class Book:
    """A recording that is being replayed.

    Attributes:
        visits: The recorded visits, by key.
        places: Names the replay's visits.
        begun: Keys of the visits that began, in order.
        difference: The first difference.
        astray: Where the replay of a failed run first came further than its recording. That is no difference as long as
            the run fails as it did: the recording ended when a step of another branch failed.
        top: Gives the number of a visit of the outermost graph.
    """

    def __init__(self, visits: Sequence[Mapping[str, Any]], *, failed: bool = False) -> None:
        """Begins at the beginning.

        Args:
            visits: As `recorded_visits` returns them.
            failed: Whether the run failed.
        """
        self.failed = failed
        self.astray: Difference | None = None
        self.visits = {visit["key"]: visit for visit in visits}
        self.places = Places()
        self.begun: dict[str, None] = {}
        self.difference: Difference | None = None
        self.top: Callable[[int], str] = str

    def differs(self, difference: Difference) -> ReplayEnded:
        """Keeps the first difference; returns what is raised."""
        self.difference = self.difference or difference
        return ReplayEnded(difference.message)

    async def lacks(self, difference: Difference) -> ReplayEnded:
        """Keeps a difference where the recording has no more to say; returns what is raised.

        What another branch did when a step failed was cut off: the failure that is recorded comes first.
        """
        if self.failed:
            self.astray = self.astray or difference
            await asyncio.sleep(PATIENCE_S)
        return self.differs(difference)

    def here(self) -> Mapping[str, Any] | None:
        """Returns the recorded visit that the present code replays."""
        return self.visits.get(self.places.key(present_visit(self.top)))

    def answers(self, call: int | None) -> list[dict[str, Any]]:
        """Returns the recorded answers to a call of a tool in the present visit."""
        found = (self.here() or {}).get("calls", ())
        return next((one["answers"] for one in found if one["call"] == call), [])


class RecordedDoor(Door):
    """Answers the requests of one call of a tool; the nth one of a step gets the nth recorded answer of that step."""

    def __init__(self, book: Book, tool: str) -> None:
        """Looks up what was recorded for the call that is made here."""
        super().__init__()
        self.step = 0
        self._book = book
        self._tool = tool
        self._node = _present_node()
        self._left: defaultdict[int, deque[dict[str, Any]]] = defaultdict(deque)
        for answer in book.answers(call_scope.get()):
            self._left[answer["step"]].append(answer)

    async def send(
        self, request: DoorRequest, *, guard: Guard | None = None, max_bytes: int = MAX_RESPONSE_BYTES
    ) -> DoorResponse:
        """Answers a request as the recording does.

        Raises:
            ReplayEnded: If the recording has no answer, or one to another request.
            RunError: If the request failed when it was recorded.
        """
        sent = f"{request.method} {request.url}"
        place = f"Step {self.step} of {self._tool}"
        if not self._left[self.step]:
            message = f"{place} sent {cut(sent)}, and the recording has no answer to it."
            raise await self._book.lacks(Difference("no_answer", message, self._node, self.step, got=cut(sent)))
        answer = self._left[self.step].popleft()
        if "method" in answer:
            before = f"{answer['method']} {answer['url']}"
            if not same_text(_marked(before), _marked(sent)):
                message = f"{place} sent {cut(before)} when this was recorded; now it sends {cut(sent)}."
                told = Difference("request", message, self._node, self.step, expected=cut(before), got=cut(sent))
                raise self._book.differs(told)
        if "failed" in answer:
            raise _FAILURES.get(str(answer.get("kind")), RequestError)(answer["failed"])
        return _response(answer, request.url)

    async def open(self, request: DoorRequest, *, guard: Guard | None = None) -> aiohttp.ClientResponse:
        """Opens nothing.

        Raises:
            ReplayEnded: Always: answers that stream are no tool's.
        """
        message = f"{request.method} {cut(request.url)} was to be sent, and the recording has no answer to it."
        raise self._book.differs(Difference("no_answer", message, self._node, got=cut(request.url)))


class RecordedRunner(ToolRunner):
    """Runs tools on what was recorded."""

    def __init__(self, book: Book) -> None:
        """Opens nothing.

        Args:
            book: The recording.
        """
        super().__init__()
        self._book = book

    def _call(
        self, tool: ToolDefinition, options: CallOptions, emit: Callable[[ToolEvent], None] | None = None
    ) -> Call:
        door = RecordedDoor(self._book, tool.name)

        def hear(event: ToolEvent) -> None:
            if isinstance(event, StepStarted):
                door.step = event.step
            if emit is not None:
                emit(event)

        return Call(tool, door, options, hear)


class RecordedModels(Models):
    """Models that answer what they answered when the run was recorded."""

    def __init__(self, book: Book) -> None:
        """Asks nobody.

        Args:
            book: The recording.
        """
        super().__init__([], Door())
        self._reasoning = _RecordedReasoning(self, book)
        self._function = _RecordedFunction(self, book)

    @property
    def reasoning(self) -> Reasoning:
        """The model that writes text."""
        return self._reasoning

    @property
    def function(self) -> Function:
        """The model that gives objects."""
        return self._function


class _RecordedReasoning(Reasoning):
    def __init__(self, models: Models, book: Book) -> None:
        super().__init__(models)
        object.__setattr__(self, "_book", book)
        object.__setattr__(self, "_rounds", Counter())

    async def call(self, messages: Any, streaming: bool = True, **_: Any) -> AsyncGenerator[ModelChunk, None]:
        """Answers with the calls of tools first, all of them at once, and then with the text."""
        book: Book = self._book  # type: ignore[attr-defined]
        rounds: Counter[str] = self._rounds  # type: ignore[attr-defined]
        visit = await _asked(book, messages if not rounds[_key(book)] else None)
        output = visit["output"] if isinstance(visit["output"], dict) else {}
        told = isinstance(output.get("text"), str) and ("usage" in output or _present_call() is not LLM)
        asked = rounds[visit["key"]]
        rounds[visit["key"]] += 1
        called = output.get("tool_calls") or []
        if not told or asked > (1 if called else 0):
            raise await _no_model(book)
        if asked == 1 and "asked" in visit:
            _compare_answers(book, called, messages)
        if called and asked == 0:
            yield ModelChunk(tool_calls=[_tool_call(number, one) for number, one in enumerate(called)])
            return
        yield ModelChunk(content=output["text"], usage=Usage(**(output.get("usage") or {})))


class _RecordedFunction(Function):
    def __init__(self, models: Models, book: Book) -> None:
        super().__init__(models)
        object.__setattr__(self, "_book", book)

    async def call(self, messages: Any, schema: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        """Answers with the object that the step put out; the only one whose answer is that is `Extract`."""
        book: Book = self._book  # type: ignore[attr-defined]
        output = (await _asked(book, messages))["output"]
        if _present_call() is not Extract or not isinstance(output, dict):
            raise await _no_model(book)
        return dict(output)


def _key(book: Book) -> str:
    return book.places.key(present_visit(book.top))


async def _asked(book: Book, messages: Sequence[Mapping[str, Any]] | None) -> Mapping[str, Any]:
    """Returns the recorded visit that asks a model here.

    Args:
        book: The recording.
        messages: What begins a conversation with the model; none where it goes on with answers.

    Raises:
        ReplayEnded: If there is none, or it was asked with other messages.
        CallError: If the model failed when it was recorded.
    """
    visit = book.here()
    if visit is None:
        raise await _no_model(book)
    asked = visit.get("asked")  # older recordings don't say
    if messages is not None and asked:
        difference = asked_difference(_present_node(), asked[0], list(messages))
        if difference is not None:
            raise book.differs(difference)
    if visit["error"] is not None:
        raise CallError(visit["error"].get("message") or "The model failed when this was recorded.")
    return visit


def _compare_answers(book: Book, called: Sequence[Mapping[str, Any]], messages: Sequence[Mapping[str, Any]]) -> None:
    """Compares what the model is told of the tools that it called.

    Raises:
        ReplayEnded: If it is told something else than when this was recorded.
    """
    told = [message for message in messages if message.get("role") == "tool"][-len(called) :]
    for number, (call, message) in enumerate(zip(called, told, strict=False)):
        if any("failed" in answer for answer in book.answers(number)):
            continue  # the words of a failure are not all in a recording
        difference = asked_difference(_present_node(), call.get("output"), message.get("content"))
        if difference is not None:
            raise book.differs(difference)


async def _no_model(book: Book) -> ReplayEnded:
    node = _present_node()
    message = f"{node} asked a model, and the recording has no answer of one for it."
    return await book.lacks(Difference("no_model", message, node))


def _present_node() -> str | None:
    visit: Visit | None = visit_scope.get()
    return visit.node if visit is not None else None


def _present_call() -> Any:
    visit: Visit | None = visit_scope.get()
    node = visit.spec.spec.node if visit is not None and visit.spec.spec is not None else None
    return node.call if isinstance(node, CallNode) else None


def _tool_call(number: int, told: Mapping[str, Any]) -> ToolCall:
    arguments = told.get("arguments")
    if arguments is None:  # what the model sent was no object; the answer to it shows its beginning
        return ToolCall(str(number), str(told.get("name")), str(told.get("output")).removeprefix(_NO_OBJECT))
    return ToolCall(str(number), str(told.get("name")), json.dumps(arguments, ensure_ascii=False))


def _marked(text: str) -> str:
    """Returns a request with the mark of secrets as it is, also where it was put into an address."""
    return text.replace(quote(MARK), MARK)


def _response(answer: Mapping[str, Any], url: str) -> DoorResponse:
    headers: CIMultiDict[str] = CIMultiDict(answer["headers"])
    kind = headers.get("Content-Type")
    if kind is not None:  # the body was decoded when it was recorded
        headers["Content-Type"] = _CHARSET.sub("", kind)
    body = answer["text"].encode("utf-8", "replace")
    return DoorResponse(answer["status"], answer["reason"], CIMultiDictProxy(headers), body, url)
