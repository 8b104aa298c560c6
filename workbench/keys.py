"""Keys that are made at the first start, each in a file that only its owner can read."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

_SHORTEST_KEY = 32


def make_folder(path: Path) -> None:
    """Makes the data folder, and says in a sentence why it can't be used.

    Raises:
        ImproperlyConfigured: If it can't be made or nothing can be written into it.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = path / f".probe.{secrets.token_hex(6)}"
        write_private(probe, "")
        probe.unlink()
    except OSError as error:
        raise ImproperlyConfigured(
            f"The data folder {path} can't be used ({error.strerror}). "
            "Set WORKBENCH_DATA to a folder that has room and that this user may write to."
        ) from error


def write_private(path: Path, text: str) -> None:
    """Writes a file of mode 0600 in one piece: readers see the old text or the new one, never a part."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    scratch.replace(path)


def django_key(path: Path) -> str:
    """Returns the key that signs sessions, made at the first call.

    Two processes that start at once agree: the first to link its file into place wins.

    Raises:
        ImproperlyConfigured: If there is something else in its place.
    """
    try:
        return _read_key(path)
    except FileNotFoundError:
        pass
    scratch = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    write_private(scratch, secrets.token_urlsafe(64))
    try:
        os.link(scratch, path)
    except FileExistsError:
        pass
    finally:
        scratch.unlink()
    return _read_key(path)


def _read_key(path: Path) -> str:
    try:
        key = path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"The key {path} can't be read: {error}") from error
    if len(key) < _SHORTEST_KEY:
        raise ImproperlyConfigured(
            f"The key {path} is cut off. Put the right one back; or delete it, and a new one is made at the next start."
        )
    return key
