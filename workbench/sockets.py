"""Who opens a websocket: by session cookie, from this server's own pages only, or by token."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import parse_cookie

from workbench.accounts import session_user, token_user
from workbench.models import User


class SocketAccess:
    """Sets `scope["user"]`: a token's owner, or the session's user where the origin is the server's own.

    `scope["find_user"]` finds them again: a socket stays open longer than a role, a session or a token may last.
    """

    def __init__(self, inner: Any) -> None:
        """Wraps an ASGI application."""
        self._inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Finds the user and goes on; a foreign origin counts as nobody."""
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        kind, _, key = headers.get(b"authorization", "").partition(" ")
        if kind.lower() == "bearer":
            await self._open(scope, receive, send, lambda: token_user(key.strip()))
        elif _own_origin(headers.get(b"origin"), headers.get(b"host", "")):
            cookies = parse_cookie(headers.get(b"cookie", ""))
            await self._open(scope, receive, send, lambda: session_user(cookies.get(settings.SESSION_COOKIE_NAME)))
        else:
            await self._open(scope, receive, send, lambda: None)

    async def _open(self, scope: dict[str, Any], receive: Any, send: Any, find: Callable[[], User | None]) -> None:
        user = await database_sync_to_async(find)()
        await self._inner({**scope, "user": user or AnonymousUser(), "find_user": find}, receive, send)


def _own_origin(origin: str | None, host: str) -> bool:
    if not origin:
        return False
    parts = urlsplit(origin)
    return parts.scheme in {"http", "https"} and parts.netloc.lower() == host.lower()
