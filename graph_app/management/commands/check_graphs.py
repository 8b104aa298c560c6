"""`manage.py check_graphs FOLDER`: reads every graph file of a folder and says what is wrong, and what not meant."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from graph_app.graphs import GRAPHS, graph_warnings
from graph_app.runs.folder import SUFFIXES, Folder, kind_of
from toolkit_app.engine.files import FileError, read_document


class Command(BaseCommand):
    """Checks graph files."""

    help = "Checks the graph files (*.yaml, *.yml, *.json) of a folder; exit 1 when one has problems, not for warnings."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own declaration

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *, folder: Path, **_: Any) -> None:
        if not folder.is_dir():
            raise CommandError(f"{folder} is no folder.")
        others = Folder(folder)
        files = [path for path in sorted(folder.iterdir()) if path.suffix in SUFFIXES]
        checked = [one for one in (_check(path, others) for path in files) if one is not None]
        names: dict[str, Path] = {}
        for one in checked:
            first = names.setdefault(one.name or str(one.path), one.path)
            if first != one.path:
                one.problems.append(f"{one.path}: the name {one.name} is used by {first} already")
            for told in [*one.problems, *one.warnings]:
                self.stderr.write(told)
            if not one.problems:
                self.stdout.write(f"{one.path}: ok")
        faulty = sum(bool(one.problems) for one in checked)
        if faulty:
            raise CommandError(f"{faulty} of {len(checked)} files have problems.")
        warned = sum(len(one.warnings) for one in checked)
        self.stdout.write(
            f"{len(checked)} {'file' if len(checked) == 1 else 'files'}, no problems"
            + (f", {warned} {'warning' if warned == 1 else 'warnings'}." if warned else ".")
        )


@dataclass(slots=True)
class _Checked:
    path: Path
    problems: list[str]
    warnings: list[str] = field(default_factory=list)
    name: str | None = None


def _check(path: Path, others: Folder) -> _Checked | None:
    """Returns what is wrong with a graph's file; `None` for a tool's."""
    try:
        text = read_document(path)
    except FileError as error:
        return _Checked(path, [str(error)])
    if kind_of(text) == "tool":
        return None
    checked = GRAPHS.check(text)

    def told(problem: dict[str, Any]) -> str:
        return f"{path}:{problem['line']}:{problem['column']}: {problem['path']}: {problem['message']}"

    likely = [f"{told(one)} (warning)" for one in graph_warnings(text, others.variables)]
    return _Checked(path, [told(one) for one in checked.problems], likely, checked.name)
