"""Locks between the processes of one machine, held on files and let go of by the system when a process dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def one_at_a_time(path: Path, *, shared: bool = False) -> Iterator[None]:
    """Waits for the lock and holds it.

    Args:
        path: The lock's file, made where there is none; nothing is written into it.
        shared: Whether others who share it may hold it at the same time; whoever doesn't share waits for all of them.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
