"""Changes of the list of runs, told to every open list."""

from __future__ import annotations

import itertools
import json
import threading
from typing import Any
from uuid import UUID

from graph_app.models import Run
from graph_app.runs.feed import LIST, feed
from graph_app.selectors import LARGE, run_row
from graph_app.short_inputs import with_short_inputs

_numbers = itertools.count(1)
_lock = threading.Lock()


def announce(run_id: UUID) -> None:
    """Tells open lists that a run's row changed; reads the row."""
    with _lock:  # two that read and tell at once would end with the older row
        run = with_short_inputs(Run.objects.select_related("user").defer(*LARGE)).filter(pk=run_id).first()
        if run is not None:
            feed.publish(LIST, [(next(_numbers), json.dumps(run_row(run), default=_plain, ensure_ascii=False))])


def _plain(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
