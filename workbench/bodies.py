"""A limit on the bodies of requests, before anything of them is kept: Django reads whatever comes into a file."""

from __future__ import annotations

import json
from typing import Any

from workbench.errors import PROBLEM_TYPE, problem


class BoundedBodies:
    """Refuses requests whose body is larger than the limit, also where it comes in pieces of unknown number."""

    def __init__(self, inner: Any, limit: int) -> None:
        """Wraps an ASGI application.

        Args:
            inner: The application.
            limit: Most bytes of a body.
        """
        self._inner = inner
        self._limit = limit

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Lets a request through, or answers it with 413."""
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if declared.isdigit() and int(declared[:20]) > self._limit:
            await self._refuse(send)
            return
        read, answered = 0, False

        async def bounded() -> dict[str, Any]:
            nonlocal read, answered
            message: dict[str, Any] = await receive()
            read += len(message.get("body", b""))
            if read > self._limit and not answered:
                answered = True
                await self._refuse(send)
            return {"type": "http.disconnect"} if answered else message

        async def unless_answered(message: dict[str, Any]) -> None:
            if not answered:
                await send(message)

        await self._inner(scope, bounded, unless_answered)

    async def _refuse(self, send: Any) -> None:
        text = json.dumps(problem(413, f"A body has at most {self._limit:,} bytes.", "too_large")).encode()
        headers = [
            (b"content-type", PROBLEM_TYPE.encode()),
            (b"content-length", str(len(text)).encode()),
            (b"connection", b"close"),
        ]
        await send({"type": "http.response.start", "status": 413, "headers": headers})
        await send({"type": "http.response.body", "body": text})
