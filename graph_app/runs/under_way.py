"""What a visit does that has not ended: the journal tells it with the event that ends the visit, and only once.

Whoever looks at a visit that still runs is told from the memory of the process that runs it.
"""

from __future__ import annotations

import contextlib
from typing import Any

from graph_app.models import Run
from graph_app.runs.host import host
from graph_app.runs.states import plain

_LONGEST_TEXT = 2_000
_MOST_ITEMS = 100
_AT_MOST_S = 5.0


def account_so_far(run: Run, visit: str) -> dict[str, Any]:
    """Returns what a visit was called with and has asked of models so far, without secrets; long texts are cut.

    Args:
        run: The run.
        visit: The visit.

    Returns:
        `input` and `asked`, as the event that ends the visit has them; empty where another process runs the run, or
        nothing is known of the visit.
    """
    found = None
    if run.lease_owner == host.owner:
        with contextlib.suppress(TimeoutError):  # too busy to tell just now; whoever looks asks again
            found = host.submit(host.account(run.pk, visit)).result(_AT_MOST_S)
    known, redactor = found or ({}, None)
    told = plain(known)
    if redactor is not None:
        told = redactor.value(told)  # before texts are cut: a secret across the cut would be missed
    return {"input": _short(told.get("input")), "asked": _short(told.get("asked", []))}


def _short(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= _LONGEST_TEXT else f"{value[:_LONGEST_TEXT]}…"
    if isinstance(value, dict):
        return {key: _short(item) for key, item in list(value.items())[:_MOST_ITEMS]}
    return [_short(item) for item in value[:_MOST_ITEMS]] if isinstance(value, list) else value
