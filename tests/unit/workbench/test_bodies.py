"""The limit on bodies holds before anything is kept, also where no length is declared."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from workbench.bodies import BoundedBodies


async def ask(limit: int, pieces: list[bytes], **headers: str) -> tuple[list[dict[str, Any]], bytes]:
    seen = b""
    sent: list[dict[str, Any]] = []
    messages = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
    messages.append({"type": "http.request", "body": b"", "more_body": False})

    async def receive() -> dict[str, Any]:
        return messages.pop(0)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def inner(_: Any, receive: Any, send: Any) -> None:
        nonlocal seen
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                break
            seen += message["body"]
            if not message["more_body"]:
                break
        await send({"type": "http.response.start", "status": 200, "headers": []})

    scope: dict[str, Any] = {"method": "POST", "path": "/api/v1/tools/", "query_string": b""}
    scope["headers"] = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    await BoundedBodies(inner, limit)(scope, receive, send)
    return sent, seen


async def test_a_body_within_the_limit_passes() -> None:
    sent, seen = await ask(10, [b"12345", b"67890"], content_length="10")
    assert sent[0]["status"] == 200
    assert seen == b"1234567890"


@pytest.mark.parametrize("declared", ["11", "9" * 400])
async def test_a_declared_length_is_refused_unread(declared: str) -> None:
    sent, seen = await ask(10, [b"x" * 11], content_length=declared)
    assert sent[0]["status"] == 413
    assert seen == b""


async def test_pieces_of_no_declared_length_are_counted() -> None:
    sent, seen = await ask(10, [b"x" * 4] * 1000)
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    assert json.loads(sent[1]["body"])["code"] == "too_large"
    assert len(seen) <= 10


async def test_a_flood_of_sign_ins_keeps_nobody_else_waiting() -> None:
    held = asyncio.Event()
    begun: list[str] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(_: dict[str, Any]) -> None:
        pass

    async def inner(scope: dict[str, Any], _receive: Any, _send: Any) -> None:
        begun.append(scope["path"])
        if scope["path"] == "/api/v1/session/":
            await held.wait()

    bodies = BoundedBodies(inner, 10)
    scope: dict[str, Any] = {"method": "POST", "path": "/api/v1/session/", "query_string": b"", "headers": []}
    flood = [asyncio.ensure_future(bodies(scope, receive, send)) for _ in range(50)]
    await asyncio.sleep(0)
    await asyncio.wait_for(bodies({**scope, "path": "/api/v1/tools/"}, receive, send), 5)
    assert begun == ["/api/v1/session/", "/api/v1/session/", "/api/v1/tools/"]
    held.set()
    await asyncio.gather(*flood)
    assert len(begun) == 51
