"""Who opens a websocket: by session cookie, from this server's own pages only, or by token."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from channels.auth import AuthMiddlewareStack
from channels.db import database_sync_to_async
from django.contrib.auth.models import AnonymousUser

from workbench.accounts import token_user


class SocketAccess:
    """Sets `scope["user"]`: a token's owner, or the session's user where the origin is the server's own."""

    def __init__(self, inner: Any) -> None:
        """Wraps an ASGI application."""
        self._by_token = inner
        self._by_cookie = AuthMiddlewareStack(inner)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Finds the user and goes on; a foreign origin counts as nobody."""
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        kind, _, key = headers.get(b"authorization", "").partition(" ")
        if kind.lower() == "bearer":
            user = await database_sync_to_async(token_user)(key.strip())
            await self._by_token({**scope, "user": user or AnonymousUser()}, receive, send)
        elif _own_origin(headers.get(b"origin"), headers.get(b"host", "")):
            await self._by_cookie(scope, receive, send)
        else:
            await self._by_token({**scope, "user": AnonymousUser()}, receive, send)


def _own_origin(origin: str | None, host: str) -> bool:
    if not origin:
        return False
    parts = urlsplit(origin)
    return parts.scheme in {"http", "https"} and parts.netloc.lower() == host.lower()
