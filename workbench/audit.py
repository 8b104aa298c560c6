"""The audit trail: hash-chained records, and the chain's head kept outside the table.

Each record's hash is an HMAC over its fields and the hash before it, so that a changed, removed or reordered record
breaks the chain. The head (number and hash of the last record) stands in a file of the data folder, so that records
removed from the end are missed as well.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from workbench.keys import django_key, write_private
from workbench.models import AuditRecord

_FIRST = "0" * 64
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Head:
    """The last record of the chain."""

    number: int
    hash: str


def record(actor: str, action: str, target: str, detail: dict[str, Any]) -> AuditRecord:
    """Appends one record in the caller's transaction; the head is written when that commits.

    Args:
        actor: Name of the user, or `system`.
        action: Verb on a noun, such as `tool.publish`.
        target: Name of what it was done to.
        detail: What a reader needs beyond that; never a secret's value.
    """
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(hashtext('workbench.audit'))")
        last = AuditRecord.objects.order_by("-number").values_list("number", "hash").first() or (0, _FIRST)
        entry = AuditRecord(
            number=last[0] + 1,
            at=timezone.now(),
            actor=actor[:64],
            action=action[:64],
            target=target[:200],
            detail=detail,
        )
        entry.hash = _hash(entry, last[1])
        entry.save(force_insert=True)
        head = Head(entry.number, entry.hash)
        transaction.on_commit(lambda: _write_head(head))
    return entry


def verify() -> list[str]:
    """Checks the whole chain and its head.

    Returns:
        One sentence for each thing that is wrong; empty when the trail is whole.
    """
    problems: list[str] = []
    number, previous = 0, _FIRST
    seen: dict[int, str] = {}
    for entry in AuditRecord.objects.order_by("number").iterator():
        number += 1
        if entry.number != number:
            problems.append(f"Records {number} to {entry.number - 1} are missing.")
            number = entry.number
        if not hmac.compare_digest(entry.hash, _hash(entry, previous)):
            problems.append(f"Record {entry.number} was changed, or the record before it was.")
        previous = entry.hash
        seen[entry.number] = entry.hash
    head = _read_head()
    if head is None:
        if number:
            problems.append(f"The chain's head is missing: {_head_path()} is gone.")
    elif head.number > number:
        problems.append(f"Records {number + 1} to {head.number} are missing at the end.")
    elif seen.get(head.number) != head.hash and head.number:
        problems.append(f"Record {head.number} is not the one that the chain's head names.")
    elif head.number < number - 1:  # one record may be between its commit and the writing of its head
        problems.append(f"The chain's head names record {head.number}, but there are {number}.")
    return problems


def _hash(entry: AuditRecord, previous: str) -> str:
    text = json.dumps(
        [
            entry.number,
            entry.at.astimezone(UTC).isoformat(timespec="microseconds"),
            entry.actor,
            entry.action,
            entry.target,
            entry.detail,
            previous,
        ],
        sort_keys=True,
        ensure_ascii=True,
        separators=(",", ":"),
    )
    return hmac.new(_key(), text.encode(), hashlib.sha256).hexdigest()


def _key() -> bytes:
    return django_key(Path(settings.DATA) / "audit.key").encode()


def _head_path() -> Path:
    return Path(settings.DATA) / "audit.head"


def _write_head(head: Head) -> None:
    with _lock:
        current = _read_head()
        if current is None or current.number < head.number:
            stamp = datetime.now(UTC).isoformat(timespec="seconds")
            write_private(_head_path(), json.dumps({"number": head.number, "hash": head.hash, "at": stamp}))


def _read_head() -> Head | None:
    try:
        data = json.loads(_head_path().read_text(encoding="utf-8"))
        return Head(int(data["number"]), str(data["hash"]))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        return Head(-1, "unreadable")
