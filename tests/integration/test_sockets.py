"""Sockets that stay open while roles, sessions and tokens end, and while the database is away."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
import websockets
from asgiref.testing import ApplicationCommunicator
from channels.routing import URLRouter
from django.db import OperationalError

from graph_app import consumers, sockets
from graph_app.models import Run
from graph_app.routing import websocket_urlpatterns
from tests.integration.test_server import connect
from tests.support.server import Client, Server
from workbench.models import User


class Socket(ApplicationCommunicator):
    """A socket without a server: `user` opened it, `find` says who that is now."""

    def __init__(self, user: User | None, run: Run, find: Callable[[], User | None] | None = None) -> None:
        scope = {
            "type": "websocket",
            "path": f"/ws/runs/{run.pk}/",
            "query_string": b"",
            "headers": [],
            "user": user,
            "find_user": find or (lambda: user),
        }
        super().__init__(URLRouter(websocket_urlpatterns), scope)

    async def open(self) -> None:
        await self.send_input({"type": "websocket.connect"})
        assert (await self.receive_output(10))["type"] == "websocket.accept"

    async def command(self, text: str) -> str:
        await self.send_input({"type": "websocket.receive", "text": text})
        return str((await self.receive_output(10))["text"])

    async def disconnect(self) -> None:
        await self.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.wait(10)

    async def closed(self) -> int:
        message = await self.receive_output(10)
        assert message["type"] == "websocket.close", message
        await self.disconnect()
        return int(message["code"])


@pytest.fixture
def run(users: dict[str, User]) -> Run:
    return Run.objects.create(kind="tool", name="x", revision=1, user=users["author"], status="finished")


async def test_a_database_that_is_away_closes_the_socket_and_the_reader_comes_back(
    users: dict[str, User], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any) -> Any:
        raise OperationalError("the database is away")

    monkeypatch.setattr(consumers, "events_after", away)
    socket = Socket(users["viewer"], run)
    await socket.open()
    assert await socket.closed() == sockets.CLOSE_AGAIN


async def test_a_user_who_may_no_longer_read_is_sent_away(
    users: dict[str, User], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "CHECK_EVERY_S", 0.01)
    socket = Socket(users["viewer"], run, lambda: None)
    await socket.open()
    assert await socket.closed() == sockets.CLOSE_UNAUTHENTICATED


async def test_a_command_asks_for_the_role_of_now(users: dict[str, User], run: Run) -> None:
    socket = Socket(users["admin"], run, lambda: users["viewer"])
    await socket.open()
    reply = json.loads(await socket.command('{"id": 1, "command": "cancel"}'))
    assert (reply["ok"], "role" in reply["error"]) == (False, True)
    await socket.disconnect()


@pytest.mark.parametrize(
    "text",
    [
        '{"id": ' + "[" * 5000 + "]" * 5000 + "}",
        '{"id": {"a": 1}, "command": "cancel"}',
        json.dumps({"id": "x" * 5000, "command": "cancel"}),
        '{"id": NaN}',
        '{"id": ' + "9" * 5000 + "}",
        '"cancel"',
        "",
        json.dumps({"command": "x" * 300_000}),
    ],
)
async def test_bad_commands_are_answered_briefly(users: dict[str, User], run: Run, text: str) -> None:
    socket = Socket(users["admin"], run)
    await socket.open()
    reply = await socket.command(text)
    assert json.loads(reply)["ok"] is False
    assert len(reply) < 500
    await socket.disconnect()


async def test_sockets_end_with_what_opened_them(server: Server, ada: Client) -> None:
    """By cookie and by token, on a real server."""
    name = f"leaver-{uuid.uuid4().hex[:8]}"
    leaver = server.member(ada, name, "operator")
    made = leaver.post("tokens/", {"name": "t", "scope": "viewer"}, expect=201)
    address = f"ws://127.0.0.1:{server.port}/ws/runs/"
    bearer = {"Authorization": f"Bearer {made['token']}"}
    async with (
        connect(server, leaver, "ws/runs/") as by_cookie,
        websockets.connect(address, additional_headers=bearer) as by_token,
    ):
        leaver.request("DELETE", f"tokens/{made['id']}/", expect=204)
        with pytest.raises(websockets.ConnectionClosed) as ended:
            while True:
                await asyncio.wait_for(by_token.recv(), 20)
        assert ended.value.rcvd.code == sockets.CLOSE_UNAUTHENTICATED
        ada.request("POST", f"users/{name}/end-sessions/", {}, expect=204)
        with pytest.raises(websockets.ConnectionClosed) as ended:
            while True:
                await asyncio.wait_for(by_cookie.recv(), 20)
        assert ended.value.rcvd.code == sockets.CLOSE_UNAUTHENTICATED
