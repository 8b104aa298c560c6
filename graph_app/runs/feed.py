"""Waking readers inside one process; what happened they read from a ring in memory or from the database."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

RING_BYTES = 512 * 1024
"""How much of a live run's journal is held in memory for its readers, in bytes."""


class Reader:
    """One waiting reader; lives in the event loop that made it."""

    def __init__(self) -> None:
        """Binds to the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._event = asyncio.Event()

    def wake(self) -> None:
        """Says from any thread that there is more."""
        with contextlib.suppress(RuntimeError):  # its loop ended: nobody is waiting
            self._loop.call_soon_threadsafe(self._event.set)

    async def wait(self) -> None:
        """Waits until there is more."""
        await self._event.wait()
        self._event.clear()


@dataclass(slots=True)
class _Channel:
    wakers: set[Callable[[], None]] = field(default_factory=set)
    ring: deque[tuple[int, str]] = field(default_factory=deque)
    size: int = 0
    live: bool = False


class Feed:
    """What was committed, told to whoever waits for it."""

    def __init__(self) -> None:
        """Starts with no readers."""
        self._lock = threading.Lock()
        self._channels: dict[str, _Channel] = {}

    def subscribe(self, run_id: str, wake: Callable[[], None]) -> Callable[[], None]:
        """Calls `wake`, from any thread, whenever a run's journal grew.

        Returns:
            Ends the subscription.
        """
        with self._lock:
            self._channels.setdefault(run_id, _Channel()).wakers.add(wake)

        def end() -> None:
            with self._lock:
                channel = self._channels.get(run_id)
                if channel is not None:
                    channel.wakers.discard(wake)
                    self._drop_if_idle(run_id, channel)

        return end

    def publish(self, run_id: str, events: list[tuple[int, str]], *, last: bool = False) -> None:
        """Tells readers what was committed.

        Args:
            run_id: The run.
            events: Numbers and texts, in order, without a gap to the ones before.
            last: Whether the run has ended with these.
        """
        with self._lock:
            channel = self._channels.setdefault(run_id, _Channel())
            channel.live = not last
            if channel.ring and events and events[0][0] != channel.ring[-1][0] + 1:
                channel.ring.clear()  # another process wrote what lies between: the database has it
                channel.size = 0
            channel.ring.extend(events)
            channel.size += sum(len(text) for _, text in events)
            while channel.size > RING_BYTES and channel.ring:
                channel.size -= len(channel.ring.popleft()[1])
            wakers = list(channel.wakers)
            self._drop_if_idle(run_id, channel)
        for wake in wakers:
            wake()

    def forget(self, run_id: str) -> None:
        """Drops what memory holds of a run that another process goes on with; its readers ask the database."""
        with self._lock:
            channel = self._channels.get(run_id)
            if channel is not None:
                channel.ring.clear()
                channel.size, channel.live = 0, False
                self._drop_if_idle(run_id, channel)

    def after(self, run_id: str, seq: int, limit: int) -> list[tuple[int, str]] | None:
        """Returns events after `seq` from memory, or `None` where the database must be asked."""
        with self._lock:
            channel = self._channels.get(run_id)
            if channel is None or not channel.ring:
                return None
            first = channel.ring[0][0]
            if first > seq + 1:
                return None
            skip = seq + 1 - first
            return [channel.ring[i] for i in range(skip, min(len(channel.ring), skip + limit))]

    def has_readers(self, run_id: str) -> bool:
        """Says whether anybody waits for what is told here."""
        with self._lock:
            channel = self._channels.get(run_id)
            return channel is not None and bool(channel.wakers)

    def held(self, run_id: str) -> list[tuple[int, str]]:
        """Returns everything that memory holds."""
        with self._lock:
            channel = self._channels.get(run_id)
            return list(channel.ring) if channel else []

    def _drop_if_idle(self, run_id: str, channel: _Channel) -> None:
        if not channel.wakers and not channel.live:
            self._channels.pop(run_id, None)


feed = Feed()
"""The feed of this process."""
LIST = "list"
"""The channel that changes of the list of runs go through; its numbers count changes in this process."""
