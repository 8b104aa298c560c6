"""How many runs still need a document, asked of whoever keeps runs: documents know that they are run, not how."""

from __future__ import annotations

from collections.abc import Callable

OpenRuns = Callable[[str, str], int]
"""Takes `tool` or `graph` and the name; returns how many runs are under way or rest and go by a version of it."""
_count: list[OpenRuns] = []


def keep_open_runs(count: OpenRuns) -> None:
    """Says who keeps runs; called once when the app that does is ready."""
    _count[:] = [count]


def open_runs(kind: str, name: str) -> int:
    """Returns how many runs need a document; none while nobody keeps runs."""
    return _count[0](kind, name) if _count else 0
