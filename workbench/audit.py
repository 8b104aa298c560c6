"""The audit trail: hash-chained records, and the chain's head kept outside the table.

Each record's hash is an HMAC over its fields and the hash before it, so that a changed, removed or reordered record
breaks the chain. The head (number and hash of the last record) stands in a file of the data folder, so that records
removed from the end are missed as well.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from toolkit_app.locks import one_at_a_time
from workbench.keys import django_key, write_private
from workbench.models import AuditRecord

_FIRST = "0" * 64
_HEAD_MAY_LAG = 8
"""Records whose heads a killed process may not have written, one for each of its threads about."""
_HEAD_FOLLOWS_WITHIN_S = 2.0
_log = logging.getLogger(__name__)


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
    head = _read_head()  # first: records that come while the chain is read make it longer, never shorter
    number, previous = 0, _FIRST
    named = _FIRST
    for entry in AuditRecord.objects.order_by("number").iterator():
        number += 1
        if entry.number != number:
            problems.append(f"Records {number} to {entry.number - 1} are missing.")
            number = entry.number
        if not hmac.compare_digest(entry.hash, _hash(entry, previous)):
            problems.append(f"Record {entry.number} was changed, or the record before it was.")
        previous = entry.hash
        if head is not None and entry.number == head.number:
            named = entry.hash
    if head is None:
        if number:
            problems.append(f"The chain's head is missing: {_head_path()} is gone.")
    elif head.number > number:
        problems.append(f"Records {number + 1} to {head.number} are missing at the end.")
    elif named != head.hash and head.number:
        problems.append(f"Record {head.number} is not the one that the chain's head names.")
    elif not _head_follows(number):
        problems.append(f"The chain's head names record {head.number}, but there are {number}.")
    return problems


def _head_follows(number: int) -> bool:
    """Says whether the head names the last records; some may be between their commit and the writing of the head."""
    deadline = time.monotonic() + _HEAD_FOLLOWS_WITHIN_S
    while True:
        head = _read_head()
        if head is not None and head.number >= number - _HEAD_MAY_LAG:
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)


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
    try:
        with one_at_a_time(_head_path().with_name(".audit.head.lock")):
            current = _read_head()
            if current is None or current.number < head.number:
                stamp = datetime.now(UTC).isoformat(timespec="seconds")
                write_private(_head_path(), json.dumps({"number": head.number, "hash": head.hash, "at": stamp}))
    except OSError:
        # What the record is about is committed already, and must not look as if it had failed; the next one catches up.
        _log.exception("The head of the audit trail could not be written")


def _read_head() -> Head | None:
    try:
        data = json.loads(_head_path().read_text(encoding="utf-8"))
        return Head(int(data["number"]), str(data["hash"]))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        return Head(-1, "unreadable")
