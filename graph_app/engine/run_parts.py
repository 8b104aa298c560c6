"""What a run is made of: visits that wait, a run that is suspended, and the time limit of a node."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from graph_app.engine.errors import GraphTimeoutError
from graph_app.engine.frontier import Frontier
from graph_app.engine.visits import Visit


@dataclass(frozen=True, slots=True)
class Waiting:
    """A visit that waits for an answer from outside.

    Args:
        visit: Its id.
        node: Its node.
        question: What the node asks.
    """

    visit: int
    node: str
    question: Any


@dataclass(frozen=True, slots=True)
class Suspended:
    """What ``run`` returns when nothing can run until an answer comes.

    ``frontier.complete(visit, delta, output)`` answers; ``engine.proceed(*that)`` goes on.

    Args:
        frontier: Where the run stands.
        waiting: The visits that wait, oldest first.
        run_id: The run's id.
    """

    frontier: Frontier
    waiting: tuple[Waiting, ...]
    run_id: str


class Deadline:
    """The time limit of one branch's present node: one timer, armed again only when it goes off too early."""

    __slots__ = ("_cancelled_before", "_handle", "_loop", "_task", "_until", "passed", "seconds")

    def __init__(self, seconds: float, task: asyncio.Task[Any]) -> None:
        self.seconds = seconds
        self.passed = False
        self._loop = task.get_loop()
        self._task = task
        self._cancelled_before = task.cancelling()
        self._until: float | None = None
        self._handle: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Start the time of a node."""
        self.passed = False
        self._until = until = self._loop.time() + self.seconds
        if self._handle is None or self._handle.when() > until:
            if self._handle is not None:
                self._handle.cancel()
            self._handle = self._loop.call_at(until, self._ring)

    def end(self) -> None:
        """Stop it; the timer may go on."""
        self._until = None

    def taken_back(self) -> bool:
        """Take the cancellation back; tell whether nobody else asked for one."""
        return self._task.uncancel() <= self._cancelled_before

    def error(self, visit: Visit) -> GraphTimeoutError:
        """Return what a visit that took too long is told as."""
        said = f"node {visit.node!r} took longer than {self.seconds:g} s"
        return GraphTimeoutError(said, node=visit.node, visit=visit.id)

    def close(self) -> None:
        """Let go of the timer."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _ring(self) -> None:
        self._handle = None
        if self._until is None:
            return
        if self._loop.time() < self._until:
            self._handle = self._loop.call_at(self._until, self._ring)
            return
        self.passed = True
        self._task.cancel()
