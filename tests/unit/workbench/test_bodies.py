"""The limit on bodies holds before anything is kept, also where no length is declared."""

from __future__ import annotations

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

    scope: dict[str, Any] = {"path": "/api/v1/tools/", "query_string": b""}
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
