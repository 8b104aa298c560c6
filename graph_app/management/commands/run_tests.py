"""`manage.py run_tests`: replays saved tests and says of each whether it passes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from graph_app.models import SavedTest
from graph_app.saved_tests import KINDS, failed, saved_tests_run
from toolkit_app.errors import ServiceError


class Command(BaseCommand):
    """Runs saved tests: those of one tool or graph, or all."""

    help = "Replays saved tests without any network: a line for each, exit 1 when one fails."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own declaration

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--graph", metavar="NAME", help="the tests of this graph only")
        parser.add_argument("--tool", metavar="NAME", help="the tests of this tool only")
        parser.add_argument("--revision", type=int, metavar="N", help="on this revision; the newest unless given")

    def handle(self, *, graph: str | None, tool: str | None, revision: int | None, **_: Any) -> None:
        if revision is not None and not (graph or tool):
            raise CommandError("--revision needs --graph or --tool.")
        chosen = [(noun, name) for noun, name in (("tool", tool), ("graph", graph)) if name]
        total = bad = 0
        try:
            for noun, name in chosen or _all():
                for test in saved_tests_run(KINDS[noun], name, revision):
                    total += 1
                    bad += failed(test)
                    self.stdout.write(_line(noun, name, test))
        except ServiceError as error:
            raise CommandError(error.detail) from error
        except DatabaseError as error:
            raise CommandError(f"The database can't be read ({error}). Start the server once: make run.") from error
        self.stdout.write(
            f"{total} {'test' if total == 1 else 'tests'}, {bad} failed." if total else "There are no saved tests."
        )
        if bad:
            sys.exit(1)


def _all() -> Iterator[tuple[str, str]]:
    """Returns every tool and graph that has tests."""
    for noun in KINDS:
        names = SavedTest.objects.filter(**{f"{noun}__isnull": False}).values_list(f"{noun}__name", flat=True)
        yield from ((noun, name) for name in names.distinct().order_by(f"{noun}__name"))


def _line(noun: str, name: str, test: SavedTest) -> str:
    line = f"{'FAIL' if failed(test) else 'ok  '} {noun} {name}: {test.title}"
    return f"{line}: {test.last_result['difference']['message']}" if failed(test) else line
