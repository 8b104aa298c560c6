"""Removing old runs, in small bites, so that nothing else waits for it."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from graph_app.models import TERMINAL, Run

BITE = 100


def remove_old_runs(*, bites: int = 50) -> int:
    """Removes runs that ended and are older than one setting says, or beyond the number that another one says.

    Args:
        bites: How many times at most `BITE` runs are removed, each in a transaction of its own.

    Returns:
        How many runs were removed. Those that a fork which has not ended goes on from are kept: it begins with their
        journals whenever it is taken up.
    """
    ended = Run.objects.filter(status__in=TERMINAL).exclude(pk__in=_gone_on_from())
    before = timezone.now() - timedelta(days=settings.KEEP_RUNS_DAYS)
    old = ended.filter(created_at__lt=before, finished_at__lt=before)
    removed = 0
    for _ in range(bites):
        bite = list(old.order_by("created_at").values_list("pk", flat=True)[:BITE])
        if not bite:
            bite = _oldest(ended, ended.count() - settings.KEEP_RUNS)
        if not bite:
            break
        Run.objects.filter(pk__in=bite).delete()
        removed += len(bite)
    return removed


def _oldest(ended: QuerySet[Run], count: int) -> list[UUID]:
    """Returns the oldest runs that ended, a bite at most."""
    if count <= 0:
        return []
    return list(ended.order_by("created_at", "pk").values_list("pk", flat=True)[: min(count, BITE)])


def _gone_on_from() -> set[UUID]:
    """Returns the runs whose journals those begin with that have not ended: parents, their parents, and so on."""
    found: set[UUID] = set()
    forks = Run.objects.exclude(status__in=TERMINAL)
    while parents := set(forks.filter(parent__isnull=False).values_list("parent", flat=True)) - found:
        found |= parents
        forks = Run.objects.filter(pk__in=parents)
    return found
