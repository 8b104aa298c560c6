"""Threads that talk to the database and keep their connections: opening one costs more than most questions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import DatabaseError, InterfaceError, connection


class DatabaseThreads:
    """A few threads, each with a connection of its own; a connection that failed is opened anew."""

    def __init__(self, count: int, name: str) -> None:
        """Starts no thread yet.

        Args:
            count: How many at most.
            name: What they are called.
        """
        self._count = count
        self._threads = ThreadPoolExecutor(count, thread_name_prefix=name)

    async def run(self, work: Callable[[], Any]) -> Any:
        """Does work in one of the threads and returns what it gives."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, _kept, work)

    def close(self) -> None:
        """Ends the threads and their connections; called from another thread than theirs."""
        for _ in range(self._count):
            self._threads.submit(_close)
        self._threads.shutdown(wait=True)


def _kept(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except (DatabaseError, InterfaceError):
        _close()
        raise
    finally:
        # With PostgreSQL the connection goes back into the pool; SQLite's stays open in its thread.
        if connection.vendor != "sqlite" and not connection.in_atomic_block:
            _close()


def _close() -> None:
    connection.close()  # the calling thread's own
