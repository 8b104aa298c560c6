"""Work of several people at once, inside this process."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connection

_T = TypeVar("_T")


def at_once(work: Callable[[int], _T], count: int = 6) -> list[_T]:
    """Calls `work` with 0, 1, … in as many threads that begin together.

    Each ends with its connection: one left to the garbage collector keeps the database in use, and its removal waits.

    Returns:
        What the calls gave, in the order of their numbers.
    """
    barrier = threading.Barrier(count)

    def run(number: int) -> _T:
        try:
            barrier.wait()
            return work(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as people:
        return list(people.map(run, range(count)))
