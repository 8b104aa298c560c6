"""`manage.py run_tool FILE|NAME`: runs a tool and prints its output."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Container, Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from toolkit_app import sandbox
from toolkit_app.engine import EgressPolicy, ToolDefinition, ToolResult, ToolRunner
from toolkit_app.engine.files import FileError, read_document
from toolkit_app.engine.redaction import Redactor
from toolkit_app.engine.secret_guard import SecretGuard
from toolkit_app.environments import EnvironmentValues, environment_values
from toolkit_app.errors import ServiceError
from toolkit_app.network import egress_policy
from toolkit_app.tools import TOOLS, tool_check
from toolkit_app.vault import VaultError


class Command(BaseCommand):
    """Runs a tool from a file, or a stored one by name."""

    help = "Runs a tool: prints its output and exits 0, or prints the error on standard error and exits 1."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own declaration

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("tool", metavar="FILE|NAME", help="a YAML file, or the name of a stored tool")
        parser.add_argument("--param", action="append", default=[], metavar="K=V", help="a parameter; may be repeated")
        parser.add_argument("--env", action="append", default=[], metavar="K=V", help="an environment entry")
        parser.add_argument("--environment", metavar="NAME", help="a stored environment; --env goes before it")
        parser.add_argument("--allow-private", action="store_true", help="lets the tool reach private addresses")

    def handle(self, *, tool: str, allow_private: bool, environment: str | None, **given: Any) -> None:
        params, env = pairs(given["param"], "--param"), pairs(given["env"], "--env")
        try:
            definition = _find(tool)
            values = environment_values(environment)
            policy = _policy(tool, environment, allow_private=allow_private)
        except (ServiceError, VaultError) as error:
            raise CommandError(getattr(error, "detail", str(error))) from error
        except DatabaseError as error:
            raise CommandError(f"The database can't be read ({error}). Start the server once: make run.") from error
        entries = {**values.env(), **env}
        if environment or not names_file(tool):  # a file alone goes as the engine's contract says: with a warning
            require_entries(definition.env, entries, environment)
        result = asyncio.run(_run(definition, params, entries, values, policy))
        redactor = Redactor(secret.value for secret in values.secrets)
        for warning in result.warnings:
            self.stderr.write(f"Warning: {redactor.text(warning)}")
        if result.error is not None:
            where = "" if result.error.step is None else f"Step {result.error.step}: "
            self.stderr.write(f"{where}{redactor.text(result.error.message)}")
            sys.exit(1)
        self.stdout.write(redactor.text(result.output))


async def _run(
    tool: ToolDefinition, params: dict[str, Any], env: dict[str, str], values: EnvironmentValues, policy: EgressPolicy
) -> ToolResult:
    async with ToolRunner(egress=policy) as runner:
        return await runner.run(tool, params, env, guard=SecretGuard(values.secrets))


def _find(tool: str) -> ToolDefinition:
    if names_file(tool):
        try:
            text = read_document(Path(tool), pipes=True)
        except FileError as error:
            raise CommandError(str(error)) from error
    else:
        text = TOOLS.version_for_run(tool, None, may_edit=True).yaml
    checked = tool_check(text)
    if checked.definition is None or checked.problems:
        lines = [f"{tool}:{p['line']}:{p['column']}: {p['path']}: {p['message']}" for p in checked.problems]
        raise CommandError("\n".join(lines))
    return checked.definition


def names_file(tool: str) -> bool:
    """Whether an argument means a file rather than what is stored under that name."""
    path = Path(tool)
    return path.is_file() or "/" in tool or path.suffix in {".yaml", ".yml"}


def _policy(tool: str, environment: str | None, *, allow_private: bool) -> EgressPolicy:
    """Returns the stored policy; a file without an environment needs no database."""
    try:
        return egress_policy("tools", allow_private=allow_private)
    except DatabaseError:
        if environment or not Path(tool).exists():
            raise
        return EgressPolicy(allow_private=allow_private, sandbox=sandbox.address())


def require_entries(needed: Iterable[str], given: Container[str], environment: str | None) -> None:
    """Refuses a run that would send nothing where a token belongs, as the API does.

    Raises:
        CommandError: If a needed entry of the environment was not given; the message names all of them.
    """
    missing = [name for name in dict.fromkeys(needed) if name not in given]
    if missing:
        lacking = f"The environment {environment} lacks" if environment else "The run lacks"
        options = " ".join(f"--env {name}=VALUE" for name in missing)
        raise CommandError(
            f"{lacking} {', '.join(missing)}. Add {options}, or name a stored environment that has what is missing: "
            "--environment NAME."
        )


def pairs(texts: list[str], option: str) -> dict[str, str]:
    """Reads `name=value` options; values may hold `=`.

    Raises:
        CommandError: If one has no name or no `=`.
    """
    pairs = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise CommandError(f"{option} {text!r}: write {option} name=value.")
        pairs[key] = value
    return pairs
