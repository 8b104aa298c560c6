"""Names of the processes that hold leases, so that one which died on this machine is known at once.

Elsewhere a lease that runs out tells the same, later.
"""

from __future__ import annotations

import hashlib
import os
import platform
from pathlib import Path


def _machine() -> str:
    """Returns what tells this machine, since its start, from others."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")
    except OSError:
        boot = ""
    return hashlib.sha256(f"{platform.node()}:{boot}".encode()).hexdigest()[:8]


def _began(pid: int) -> str | None:
    """Returns when a process of this machine began, in ticks since the machine did; `None` where it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]


def own_name(number: int = 0) -> str:
    """Returns the name of this process; at most 32 characters.

    Args:
        number: Tells several holders in one process apart.
    """
    return f"{_machine()}.{os.getpid()}.{_began(os.getpid()) or 0}.{number}"[:32]


def is_gone(name: str) -> bool:
    """Says whether the process of a name is known to have died: it ran on this machine and does no more."""
    machine, _, rest = name.partition(".")
    pid, _, began = rest.partition(".")
    if machine != _machine() or not pid.isdigit() or not Path("/proc/self/stat").exists():
        return False
    return _began(int(pid)) != began.partition(".")[0]
