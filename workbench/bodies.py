"""Limits on requests: how large a body is, and how many are worked on at once.

Bodies are read here, before anything of them is kept: Django would read whatever comes into a file.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

from workbench.errors import PROBLEM_TYPE, problem

AT_ONCE = 8
"""Requests worked on at the same time: each has a thread, and two hundred would be in each other's way."""

_DOORS = ("/api/v1/session/", "/api/v1/set-up/")


class BoundedBodies:
    """Refuses requests whose body is larger than the limit, also where it comes in pieces of unknown number."""

    def __init__(self, inner: Any, limit: int, at_once: int = AT_ONCE) -> None:
        """Wraps an ASGI application.

        Args:
            inner: The application.
            limit: Most bytes of a body.
            at_once: Requests that are worked on at the same time.
        """
        self._inner = inner
        self._limit = limit
        self._slots = asyncio.Semaphore(at_once)
        self._doors = asyncio.Semaphore(2)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Lets a request through, or answers it with 413."""
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if declared.isdigit() and int(declared[:20]) > self._limit:
            await self._refuse(send)
            return
        pieces: list[bytes] = []
        size = 0
        while True:
            message: dict[str, Any] = await receive()
            if message["type"] == "http.disconnect":
                return
            pieces.append(message.get("body", b""))
            size += len(pieces[-1])
            if size > self._limit:
                await self._refuse(send)
                return
            if not message.get("more_body"):
                break
        waiting = [{"type": "http.request", "body": b"".join(pieces), "more_body": False}]

        async def read() -> dict[str, Any]:
            return waiting.pop() if waiting else await receive()

        if _may_wait(scope):
            await self._inner(scope, read, send)
            return
        # Only now: a body that drips keeps nobody out. Nor does a flood of sign-ins, whose passwords take long.
        knocks = scope["method"] == "POST" and scope["path"].startswith(_DOORS)
        async with self._doors if knocks else self._slots:
            await self._inner(scope, read, send)

    async def _refuse(self, send: Any) -> None:
        text = json.dumps(problem(413, f"A body has at most {self._limit:,} bytes.", "too_large")).encode()
        headers = [
            (b"content-type", PROBLEM_TYPE.encode()),
            (b"content-length", str(len(text)).encode()),
            (b"connection", b"close"),
        ]
        await send({"type": "http.response.start", "status": 413, "headers": headers})
        await send({"type": "http.response.body", "body": text})


def _may_wait(scope: dict[str, Any]) -> bool:
    """Says whether a request waits for a run; those that do must not keep others out."""
    return scope["path"].endswith("/command/") or b"wait=" in scope["query_string"]
