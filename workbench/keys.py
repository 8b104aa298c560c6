"""Keys that are made at the first start, each in a file that only its owner can read."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


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
    """
    try:
        return path.read_text(encoding="utf-8").strip()
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
    return path.read_text(encoding="utf-8").strip()
