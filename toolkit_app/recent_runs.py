"""The last runs of a tool, asked of whoever keeps runs: tools know that they are run, not how."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

RecentRuns = Callable[[str, Sequence[str]], dict[str, list[dict[str, Any]]]]
_reader: list[RecentRuns] = []


def keep_runs(reader: RecentRuns) -> None:
    """Says who keeps runs; called once when the app that does is ready."""
    _reader[:] = [reader]


def recent_runs(kind: str, names: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """Returns the last runs by name, the newest first, at most 20 each; nothing while nobody keeps runs."""
    return _reader[0](kind, names) if _reader and names else {}
