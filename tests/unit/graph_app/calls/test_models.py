"""Models over real HTTP: the sandbox, and servers that do everything wrong."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from aiohttp import web

from graph_app.calls.chat import ChatClient
from graph_app.calls.errors import CallError, ModelError
from graph_app.calls.models import Models, Provider
from graph_app.calls.structured import StructuredOutput
from toolkit_app import sandbox
from toolkit_app.engine import Door, EgressPolicy

MESSAGES = [{"role": "user", "content": "hello there"}]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    async with Door(EgressPolicy(allow_private=True, sandbox=sandbox.address())) as opened:
        yield opened


@pytest.fixture
async def serve() -> AsyncIterator[Callable[[Handler], Awaitable[str]]]:
    runners: list[web.AppRunner] = []

    async def start(handler: Handler) -> str:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", handler)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        runners.append(runner)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        return f"http://127.0.0.1:{runner.addresses[0][1]}/v1"

    yield start
    for runner in runners:
        await runner.cleanup()


def client(url: str, door: Door, **changes: Any) -> ChatClient:
    async def no_wait(_: float) -> None:
        return

    return ChatClient(url, "key-value-123", door, **{"label": "test", "silence_s": 5.0, "sleep": no_wait, **changes})


async def text_of(chat: ChatClient, **request: Any) -> str:
    return "".join(
        [chunk.content or "" async for chunk in chat.stream({"model": "m", "messages": MESSAGES, **request})]
    )


def piece(content: str | None = None, **choice: Any) -> bytes:
    delta = {} if content is None else {"content": content}
    return b"data: " + json.dumps({"choices": [{"delta": delta, **choice}]}).encode() + b"\n\n"


def streaming(*pieces: bytes, cut: bool = False) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for one in pieces:
            await response.write(one)
        if cut and request.transport is not None:
            request.transport.abort()
        return response

    return handle


class TestSandbox:
    async def test_streamed_and_whole(self, door: Door) -> None:
        chat = client("http://sandbox/v1", door)
        streamed = await text_of(chat)
        whole = await chat.complete({"model": "m", "messages": MESSAGES})
        assert streamed == whole.content
        assert "rule" in streamed
        assert "hello there" in streamed
        assert whole.usage.total_tokens > 0

    async def test_usage_comes_last(self, door: Door) -> None:
        chunks = [c async for c in client("http://sandbox/v1", door).stream({"messages": MESSAGES})]
        assert chunks[-1].usage.completion_tokens > 0
        assert chunks[-1].finish_reason == "stop"

    async def test_calls_of_tools(self, door: Door) -> None:
        tool = {
            "name": "order_status",
            "parameters": {"type": "object", "properties": {"order_id": {"type": "string"}}},
        }
        asked = [{"role": "user", "content": "What is the status of order 1042?"}]
        tools = [{"type": "function", "function": tool}]
        chunks = [c async for c in client("http://sandbox/v1", door).stream({"messages": asked, "tools": tools})]
        (call,) = chunks[-1].tool_calls
        assert (call.name, json.loads(call.arguments)) == ("order_status", {"order_id": "1042"})

    async def test_objects(self, door: Door) -> None:
        schema = {
            "type": "object",
            "properties": {"count": {"type": "integer"}, "name": {"type": "string"}, "urgent": {"type": "boolean"}},
            "required": ["count", "name"],
        }
        structured = StructuredOutput(client("http://sandbox/v1", door), "m")
        found = await structured.make([{"role": "user", "content": "name: Ada, 3 mugs, urgent"}], schema)
        assert found == {"count": 3, "name": "Ada", "urgent": True}

    async def test_providers(self, door: Door) -> None:
        provider = Provider(name="s", base_url="http://sandbox/v1", reasoning="big", function="small")
        models = Models([provider], door)
        chunks = [c async for c in models.reasoning.call(MESSAGES, streaming=False)]
        assert len(chunks) == 1
        assert models.function is not None
        assert await models.function.call(MESSAGES, {"type": "object", "properties": {}}) == {}
        with pytest.raises(ModelError, match="there is s") as refused:
            models.client("none")
        assert refused.value.kind == "not_configured"
        assert Models([], door).function is None


class TestRefusals:
    @pytest.mark.parametrize(
        ("status", "body", "kind"),
        [
            (401, {"error": {"message": "bad key"}}, "key"),
            (403, {"error": "forbidden"}, "key"),
            (404, {"error": {"message": "no such model"}}, "unknown_model"),
            (400, {"error": {"message": "The model `x` does not exist"}}, "unknown_model"),
            (400, {"error": {"message": "bad request"}}, "refused"),
            (503, {"error": {"message": "down"}}, "busy"),
        ],
    )
    async def test_kinds(self, serve: Any, door: Door, status: int, body: Any, kind: str) -> None:
        async def handle(_: web.Request) -> web.Response:
            return web.json_response(body, status=status)

        with pytest.raises(ModelError) as refused:
            await text_of(client(await serve(handle), door, retries=1))
        assert refused.value.kind == kind
        assert "test" in refused.value.message
        assert "key-value-123" not in refused.value.message

    async def test_a_busy_server_is_asked_again_after_what_it_says(self, serve: Any, door: Door) -> None:
        waits: list[float] = []
        asked = 0

        async def sleep(seconds: float) -> None:
            waits.append(seconds)

        async def handle(request: web.Request) -> web.StreamResponse:
            nonlocal asked
            asked += 1
            if asked == 1:
                return web.Response(status=429, headers={"Retry-After": "7"})
            if asked == 2:
                return web.Response(status=500)
            if asked == 3:
                return web.Response(status=429, headers={"Retry-After": "100000"})
            return await streaming(piece("ok", finish_reason="stop"))(request)

        assert await text_of(client(await serve(handle), door, sleep=sleep)) == "ok"
        assert waits == [7.0, 1.0, 60.0]

    async def test_a_storm_ends(self, serve: Any, door: Door) -> None:
        asked = 0

        async def handle(_: web.Request) -> web.Response:
            nonlocal asked
            asked += 1
            return web.Response(status=429)

        with pytest.raises(ModelError, match="busy"):
            await text_of(client(await serve(handle), door, retries=3))
        assert asked == 4

    async def test_an_address_that_is_closed(self, door: Door) -> None:
        with pytest.raises(ModelError) as refused:
            await text_of(client("http://127.0.0.1:9/v1", door))
        assert refused.value.kind == "connection"

    async def test_the_door_holds_for_models_too(self) -> None:
        async with Door(EgressPolicy()) as strict:
            with pytest.raises(ModelError) as refused:
                await text_of(client("http://127.0.0.1:9/v1", strict))
        assert refused.value.kind == "connection"
        assert "127.0.0.1" in refused.value.message


class TestHostileStreams:
    @pytest.mark.parametrize(
        ("pieces", "kind"),
        [
            ([b"data: {broken\n\n"], "malformed"),
            ([b"data: [1]\n\n"], "malformed"),
            ([piece("a"), b'data: {"error": {"message": "overloaded"}}\n\n'], "refused"),
            ([b"data: " + b"x" * 2_000_000], "malformed"),
            ([piece("a")], "malformed"),
            ([], "malformed"),
        ],
    )
    async def test_ends_in_a_clear_error(self, serve: Any, door: Door, pieces: list[bytes], kind: str) -> None:
        with pytest.raises(ModelError) as refused:
            await text_of(client(await serve(streaming(*pieces)), door))
        assert refused.value.kind == kind

    async def test_a_cut_stream(self, serve: Any, door: Door) -> None:
        with pytest.raises(ModelError) as refused:
            await text_of(client(await serve(streaming(piece("a"), cut=True)), door))
        assert refused.value.kind in ("connection", "malformed")

    async def test_silence(self, serve: Any, door: Door) -> None:
        async def handle(request: web.Request) -> web.StreamResponse:
            response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await response.prepare(request)
            await response.write(piece("a"))
            await asyncio.sleep(60)
            return response

        began = time.monotonic()
        with pytest.raises(ModelError) as refused:
            await text_of(client(await serve(handle), door, silence_s=0.2))
        assert refused.value.kind == "time_out"
        assert time.monotonic() - began < 30

    async def test_odd_pieces_are_read(self, serve: Any, door: Door) -> None:
        odd = [
            b": comment\n\n",
            b"event: x\n",
            b'data: {"choices": []}\n\n',
            b'data: {"choices": [{"delta": null}]}\n\n',
            piece(None),
            b"data:" + piece("a")[6:],
            b"data: " + piece("ü")[6:20],
            piece("ü")[20:],
            b'data: {"usage": {"total_tokens": "x"}, "choices": [{"delta": {}, "finish_reason": "stop"}]}\r\n\r\n',
        ]
        assert await text_of(client(await serve(streaming(*odd)), door)) == "aü"

    async def test_a_server_that_does_not_stream(self, serve: Any, door: Door) -> None:
        async def handle(_: web.Request) -> web.Response:
            return web.json_response({"choices": [{"message": {"content": "whole"}}]})

        assert await text_of(client(await serve(handle), door)) == "whole"

    async def test_calls_of_tools_in_pieces(self, serve: Any, door: Door) -> None:
        def call(**function: str) -> bytes:
            delta = {"tool_calls": [{"index": 0, "function": function}]}
            return b"data: " + json.dumps({"choices": [{"delta": delta}]}).encode() + b"\n\n"

        pieces = [call(name="f"), call(arguments='{"a"'), call(arguments=": 1}"), b"data: [DONE]\n\n"]
        chunks = [c async for c in client(await serve(streaming(*pieces)), door).stream({})]
        assert (chunks[-1].tool_calls[0].name, chunks[-1].tool_calls[0].arguments) == ("f", '{"a": 1}')

    async def test_cancelling_closes_the_connection(self, serve: Any, door: Door) -> None:
        gone = asyncio.Event()

        async def handle(request: web.Request) -> web.StreamResponse:
            response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await response.prepare(request)
            try:
                while True:
                    await response.write(piece("a"))
                    await asyncio.sleep(0.01)
            except (ConnectionError, asyncio.CancelledError):
                gone.set()
                raise

        stream = client(await serve(handle), door).stream({})
        await anext(stream)
        await stream.aclose()
        await asyncio.wait_for(gone.wait(), 10)


SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


class TestStructured:
    async def test_by_whatever_the_server_can(self, serve: Any, door: Door) -> None:
        seen: list[str] = []

        async def handle(request: web.Request) -> web.Response:
            body = await request.json()
            way = "format" if "response_format" in body else "tool" if "tools" in body else "prompt"
            seen.append(way)
            if way != "prompt":
                return web.json_response({"error": {"message": f"{way} is unknown"}}, status=400)
            content = 'Sure:\n```json\n{"n": 5}\n```'
            return web.json_response({"choices": [{"message": {"content": content}}]})

        structured = StructuredOutput(client(await serve(handle), door), "m")
        assert await structured.make(MESSAGES, SCHEMA) == {"n": 5}
        assert await structured.make(MESSAGES, SCHEMA) == {"n": 5}
        assert seen == ["format", "tool", "prompt", "prompt"], "the way that works is remembered"

    async def test_what_does_not_fit_is_asked_again_once(self, serve: Any, door: Door) -> None:
        answers = ['{"n": "x"}', '{"n": 1}']

        async def handle(request: web.Request) -> web.Response:
            return web.json_response({"choices": [{"message": {"content": answers.pop(0)}}]})

        assert await StructuredOutput(client(await serve(handle), door), "m").make(MESSAGES, SCHEMA) == {"n": 1}

    async def test_never_an_object_that_does_not_fit(self, serve: Any, door: Door) -> None:
        async def handle(request: web.Request) -> web.Response:
            return web.json_response({"choices": [{"message": {"content": "no idea"}}]})

        with pytest.raises(ModelError, match="no JSON object"):
            await StructuredOutput(client(await serve(handle), door), "m").make(MESSAGES, SCHEMA)

    async def test_no_schema(self, door: Door) -> None:
        with pytest.raises(CallError, match="no JSON Schema"):
            await StructuredOutput(client("http://sandbox/v1", door), "m").make(MESSAGES, {"type": 7})
