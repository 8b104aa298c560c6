"""Servers on loopback and a runner that may reach them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

import pytest
from aiohttp import web

from toolkit_app.engine import EgressPolicy, ToolDefinition, ToolRunner, load_tool


@dataclass
class Seen:
    """A request as a server saw it."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    query: list[tuple[str, str]]


@dataclass
class Server:
    """A server on loopback that answers by path and keeps what it saw."""

    port: int = 0
    answers: dict[str, object] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def answer(self, path: str, *answers: object) -> None:
        """Answer a path by texts, bytes or responses in turn; the last one stays."""
        self.answers[path] = list(answers)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        self.seen.append(
            Seen(request.method, request.raw_path, dict(request.headers), body, list(request.query.items()))
        )
        queue = self.answers.get(request.path, ["{}"])
        answer = queue.pop(0) if len(queue) > 1 else queue[0]
        if callable(answer):
            answer = answer(request)
        if asyncio.iscoroutine(answer):
            answer = await answer
        if isinstance(answer, web.StreamResponse):
            return answer
        data = answer.encode() if isinstance(answer, str) else answer
        return web.Response(body=data, content_type="application/json")


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    found = Server()
    app = web.Application(client_max_size=2**26)
    app.router.add_route("*", "/{path:.*}", found.handle)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    found.port = site._server.sockets[0].getsockname()[1]
    yield found
    await runner.cleanup()


@pytest.fixture
async def runner() -> AsyncIterator[ToolRunner]:
    async with ToolRunner(egress=EgressPolicy(allow_private=True)) as opened:
        yield opened


RawHandler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture
async def raw_server() -> AsyncIterator[Callable[[bytes | RawHandler], Awaitable[str]]]:
    """Start servers that answer every connection by the given bytes, or by a function of their own."""
    servers: list[asyncio.Server] = []
    tasks: set[asyncio.Task[None]] = set()

    async def start(answer: bytes | RawHandler) -> str:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            tasks.add(task)
            try:
                if isinstance(answer, bytes):
                    await reader.readuntil(b"\r\n\r\n")
                    writer.write(answer)
                    await writer.drain()
                else:
                    await answer(reader, writer)
            except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                pass
            finally:
                writer.close()
                tasks.discard(task)

        server = await asyncio.start_server(handle, "127.0.0.1", 0)
        servers.append(server)
        return f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"

    yield start
    for task in list(tasks):
        task.cancel()
    for server in servers:
        server.close()
        await server.wait_closed()
    await asyncio.sleep(0)


def make_tool(**step: object) -> ToolDefinition:
    """A tool of one step with parameters a, b and environment BASE, KEY."""
    return make_tool_of([step])


def make_tool_of(steps: list[dict[str, object]], **fields: object) -> ToolDefinition:
    """A tool of several steps."""
    params = [{"name": name, "type": "string", "required": False, "description": name} for name in ("a", "b")]
    data = {"name": "t", "desc": "d", "params": params, "env": ["BASE", "KEY"], "steps": steps, **fields}
    return ToolDefinition.model_validate(data)


@pytest.fixture
def one_step() -> Callable[..., ToolDefinition]:
    return make_tool


@pytest.fixture
def tool_of() -> Callable[..., ToolDefinition]:
    return make_tool_of


@pytest.fixture
def load() -> Callable[[str], ToolDefinition]:
    """Load a tool from its steps alone."""
    return lambda steps: load_tool(f"name: t\ndesc: d\nenv: [BASE]\nsteps:\n{steps}")
