"""The variables of the process, read with their types; a wrong one stops the start with a hint.

`VARIABLES` is the one list of them: the settings read it, `manage.py serve --help` and the README print it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable of the process: its name, how its text is read, and what it is when unset."""

    name: str
    read: Callable[[str], Any]
    default: str
    description: str


def _whole_number(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise ValueError(f"expected a whole number from {low} to {high}") from None
        if not low <= number <= high:
            raise ValueError(f"expected a whole number from {low} to {high}")
        return number

    return read


def _yes_or_no(text: str) -> bool:
    lowered = text.strip().lower()
    if lowered in {"1", "true", "yes", "on"}:
        return True
    if lowered in {"0", "false", "no", "off", ""}:
        return False
    raise ValueError("expected yes or no")


def _path(text: str) -> Path:
    return Path(text).expanduser().resolve()


def _optional_path(text: str) -> Path | None:
    return _path(text) if text else None


def _names(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _database(text: str) -> dict[str, Any] | None:
    """Reads `postgresql://user:password@host:port/name` into Django's form; empty means SQLite in the data folder."""
    if not text:
        return None
    parts = urlsplit(text)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ValueError("expected postgresql://user:password@host:port/name; leave it unset for SQLite")
    name = unquote(parts.path.lstrip("/"))
    if not name:
        raise ValueError("the name of the database is missing: postgresql://user:password@host:port/name")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(parts.port or ""),
        "CONN_HEALTH_CHECKS": True,  # the pool looks before it hands out: the server may have been started anew
        "OPTIONS": {"pool": {"min_size": 2, "max_size": 16, "timeout": 10}},
    }


def _redis(text: str) -> str:
    if text and urlsplit(text).scheme not in {"redis", "rediss", "unix"}:
        raise ValueError("expected redis://host:port/number; leave it unset for one process")
    return text


_HERE = Path(__file__).resolve().parent.parent

VARIABLES: tuple[Variable, ...] = (
    Variable("PORT", _whole_number(0, 65535), "8000", "TCP port that `serve` listens on; 0 takes a free one"),
    Variable("WORKBENCH_HOST", str, "127.0.0.1", "address that `serve` listens on; 0.0.0.0 opens it to the network"),
    Variable("WORKBENCH_DATA", _path, str(_HERE / "data"), "folder of the database, the keys and large values"),
    Variable(
        "WORKBENCH_KEY_FILE",
        _optional_path,
        "",
        "file of the keys that encrypt secrets; keys.json in the data folder unless set",
    ),
    Variable("WORKBENCH_TOOLS", _optional_path, "", "folder of tool files (*.yaml) loaded at start"),
    Variable(
        "WORKBENCH_ALLOWED_HOSTS",
        _names,
        "",
        "host names under which people reach the server, with commas; loopback and WORKBENCH_HOST always work",
    ),
    Variable(
        "WORKBENCH_HTTPS",
        _yes_or_no,
        "no",
        "yes when people reach the server through HTTPS: cookies are then sent over HTTPS only",
    ),
    Variable(
        "WORKBENCH_RUNS_PER_USER", _whole_number(1, 100_000), "200", "runs that one user may have under way at once"
    ),
    Variable("WORKBENCH_KEEP_RUNS_DAYS", _whole_number(1, 36_500), "90", "days that finished runs are kept"),
    Variable(
        "WORKBENCH_KEEP_RUNS",
        _whole_number(1, 100_000_000),
        "100000",
        "how many finished runs are kept; the oldest beyond that go",
    ),
    Variable("DATABASE_URL", _database, "", "postgresql://… for PostgreSQL; SQLite in the data folder unless set"),
    Variable("REDIS_URL", _redis, "", "redis://… for events across processes; this process alone unless set"),
)


def read_variables(environ: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Reads every variable.

    Args:
        environ: Where to read from; the process's own environment unless given.

    Returns:
        Name of each variable to its typed value.

    Raises:
        ImproperlyConfigured: If texts don't fit; one error that lists every one with a hint.
    """
    source = os.environ if environ is None else environ
    values: dict[str, Any] = {}
    problems: list[str] = []
    for variable in VARIABLES:
        text = source.get(variable.name, variable.default)
        try:
            values[variable.name] = variable.read(text)
        except ValueError as error:
            problems.append(f"{variable.name}={text!r}: {error}. It is the {variable.description}.")
    if problems:
        raise ImproperlyConfigured("\n".join(problems))
    return values


def describe_variables() -> str:
    """Returns the variables as lines of text: name, default and meaning."""
    return "\n".join(
        f"  {variable.name:<24} {variable.description} [{variable.default.replace(str(_HERE), '.') or 'unset'}]"
        for variable in VARIABLES
    )
