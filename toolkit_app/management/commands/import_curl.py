"""`manage.py import_curl [FILE]`: a cURL command as a tool."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from toolkit_app.engine import dump_tool
from toolkit_app.errors import InvalidError
from toolkit_app.importers import Need, tool_of
from toolkit_app.importing import curl_import

_PLACES = {
    "basic": "user:password in base64, of the header {field}",
    "cookie": "the value of the header {field}",
    "header": "the value of the header {field}",
    "query": "the value of the query {field}",
    "body": "the value of {field} in the body",
    "path": "the key in the address",
    "variable": "what the shell's variable of this name holds",
}


class Command(BaseCommand):
    """Prints the tool; what needs a look goes to standard error."""

    help = (
        "Turns a cURL command, from a file or standard input, into the YAML of a tool. Credentials become names of an "
        "environment's secrets; what was left out is told on standard error."
    )
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own declaration

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", default="-", help="file with the command; standard input unless given")
        parser.add_argument("--name", default="from_curl", help="name of the tool (from_curl)")
        parser.add_argument("--desc", default="Describe what this tool does", help="what the tool is for")

    def handle(self, *, file: str, name: str, desc: str, **_: Any) -> None:
        try:
            command = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{file} can't be read as text: {error}") from error
        try:
            imported = curl_import(command)
        except InvalidError as error:
            raise CommandError(error.detail) from None
        self.stdout.write(dump_tool(tool_of(imported, name, desc)), ending="")
        for need in imported.needs:
            self.stderr.write(_told(need, imported.step.headers))
        for note in imported.notes:
            self.stderr.write(note)


def _told(need: Need, headers: dict[str, str]) -> str:
    kind = "secret" if need.secret else "variable"
    value = _PLACES[need.part].format(field=need.field)
    # The tool keeps a word such as Bearer: in the secret it would be sent twice.
    before, found, _ = headers.get(need.field, "").partition(f"${{env:{need.name}}}")
    if need.part == "header" and found and before.strip():
        value = f"what follows {before.strip()} in the header {need.field}, without the word {before.strip()}"
    where = f", for the host {need.host}" if need.secret and need.host else ""
    return f"The environment needs the {kind} {need.name}: {value}{where}."
