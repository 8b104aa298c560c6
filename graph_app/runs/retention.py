"""Removing old runs, in small bites, so that nothing else waits for it."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from graph_app.models import TERMINAL, Run

BITE = 100


def remove_old_runs(*, bites: int = 50) -> int:
    """Removes runs that ended longer ago than the setting says.

    Args:
        bites: How many times at most `BITE` runs are removed, each in a transaction of its own.

    Returns:
        How many runs were removed.
    """
    before = timezone.now() - timedelta(days=settings.KEEP_RUNS_DAYS)
    removed = 0
    for _ in range(bites):
        old = list(
            Run.objects.filter(status__in=TERMINAL, created_at__lt=before, finished_at__lt=before)
            .order_by("created_at")
            .values_list("pk", flat=True)[:BITE]
        )
        if not old:
            break
        Run.objects.filter(pk__in=old).delete()
        removed += len(old)
    return removed
