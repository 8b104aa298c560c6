"""Base of all websocket consumers: who may, and sending to a reader that may be slow."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, ClassVar

from channels.db import database_sync_to_async
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import DatabaseError

_log = logging.getLogger(__name__)

STALLED_AFTER_S = 30.0
"""A reader that takes nothing for so long is disconnected; it comes back with the number of its last event."""
FRAME_CHARACTERS = 64 * 1024
MAX_COMMAND_CHARACTERS = 256 * 1024

CLOSE_UNAUTHENTICATED = 4401
CLOSE_FORBIDDEN = 4403
CLOSE_NOT_FOUND = 4404
CLOSE_STALLED = 4408
CLOSE_AGAIN = 1013
"""The server can't go on just now; the reader comes back with the number of its last event."""
CHECK_EVERY_S = 5.0
"""How often an open socket asks whether its user may still have it: roles change, sessions end, tokens expire."""


class Consumer(AsyncWebsocketConsumer):
    """Base consumer: refuses whoever lacks the permission that `needs` names, before anything is accepted.

    The origin of sockets opened by cookie is checked in front of it, in `workbench.sockets`.
    """

    needs: ClassVar[str] = ""
    _streaming: asyncio.Task[None] | None = None
    _checking: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Accepts and closes with a reason, or accepts and starts to send."""
        user = self.scope.get("user")
        if user is None or not getattr(user, "is_authenticated", False):
            await self._refuse(CLOSE_UNAUTHENTICATED)
        elif not self.needs or not user.may(self.needs):
            await self._refuse(CLOSE_FORBIDDEN)
        else:
            await self.accept()
            self._streaming = asyncio.create_task(self._stream_safely())
            self._checking = asyncio.create_task(self._keep_checking())

    async def disconnect(self, code: int) -> None:
        """Ends the stream."""
        tasks = [task for task in (self._streaming, self._checking) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise StopConsumer

    async def may(self, permission: str) -> bool:
        """Says whether whoever opened the socket has a permission now, not when it was opened."""
        find: Callable[[], Any] = self.scope["find_user"]
        self.scope["user"] = user = await database_sync_to_async(find)()
        return user is not None and user.may(permission)

    async def stream(self) -> None:
        """Sends what the consumer is for, until it is cancelled."""
        raise NotImplementedError

    async def send_text(self, text: str) -> None:
        """Sends a frame.

        Raises:
            TimeoutError: If the reader takes nothing.
        """
        async with asyncio.timeout(STALLED_AFTER_S):
            await self.send(text_data=text)

    async def _refuse(self, code: int) -> None:
        await self.accept()  # a browser sees the code of an accepted socket only
        await self.close(code=code)

    async def _stream_safely(self) -> None:
        try:
            await self.stream()
        except TimeoutError:
            await self.close(code=CLOSE_STALLED)
        except (OSError, RuntimeError):
            return  # the reader is gone
        except Exception:
            _log.exception("A socket could not go on; its reader will come back")
            await self.close(code=CLOSE_AGAIN)

    async def _keep_checking(self) -> None:
        while True:
            await asyncio.sleep(CHECK_EVERY_S)
            try:
                allowed = await self.may(self.needs)
            except DatabaseError:
                continue  # the next look decides
            if not allowed:
                gone = self.scope["user"] is None
                if self._streaming is not None:
                    self._streaming.cancel()
                await self.close(code=CLOSE_UNAUTHENTICATED if gone else CLOSE_FORBIDDEN)
                return
