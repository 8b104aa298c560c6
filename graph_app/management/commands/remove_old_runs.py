"""`manage.py remove_old_runs`: removes runs past their time or beyond their number; the server does it too."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from graph_app.runs.retention import remove_old_runs


class Command(BaseCommand):
    """Removes old runs with their journals."""

    help = "Removes finished runs older than WORKBENCH_KEEP_RUNS_DAYS, or beyond WORKBENCH_KEEP_RUNS."

    def handle(self, **_: Any) -> None:
        removed = 0
        while found := remove_old_runs():
            removed += found
        self.stdout.write(f"{removed} runs were removed.")
