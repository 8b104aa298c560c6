"""`manage.py check_tools FOLDER`: reads every tool file of a folder and says what is wrong."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from toolkit_app.engine.files import FileError, read_document
from toolkit_app.tools import tool_check


class Command(BaseCommand):
    """Checks tool files."""

    help = "Checks the tool files (*.yaml, *.yml) of a folder; exit 1 when one has problems."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own declaration

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *, folder: Path, **_: Any) -> None:
        if not folder.is_dir():
            raise CommandError(f"{folder} is no folder.")
        files = sorted(path for path in folder.iterdir() if path.suffix in {".yaml", ".yml"})
        faulty = 0
        names: dict[str, Path] = {}
        for path in files:
            problems = list(_problems(path, names))
            faulty += bool(problems)
            for problem in problems:
                self.stderr.write(problem)
            if not problems:
                self.stdout.write(f"{path}: ok")
        if faulty:
            raise CommandError(f"{faulty} of {len(files)} files have problems.")
        self.stdout.write(f"{len(files)} {'file' if len(files) == 1 else 'files'}, no problems.")


def _problems(path: Path, names: dict[str, Path]) -> list[str]:
    try:
        text = read_document(path)
    except FileError as error:
        return [str(error)]
    checked = tool_check(text)
    found = [f"{path}:{p['line']}:{p['column']}: {p['path']}: {p['message']}" for p in checked.problems]
    if checked.definition is not None and not found:
        earlier = names.setdefault(checked.definition.name, path)
        if earlier != path:
            found.append(f"{path}: the name {checked.definition.name} is used by {earlier} already")
    return found
