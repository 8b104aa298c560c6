"""Rotating the keys: every row that holds something sealed is wrapped with a new key, whichever app it belongs to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from toolkit_app.audit import audit
from toolkit_app.environments import secret_identity, vault
from toolkit_app.models import Secret
from toolkit_app.vault import Sealed


@dataclass(frozen=True, slots=True)
class SealedRows:
    """A model whose rows hold a sealed value beside `key_id` and `wrapped_key`.

    Attributes:
        model: The Django model.
        value_field: The field with the sealed value; empty bytes where a row holds none.
        identity: Returns what binds a row's value to it.
    """

    model: Any
    value_field: str
    identity: Callable[[Any], str]


_kinds: list[SealedRows] = [SealedRows(Secret, "sealed_value", secret_identity)]


def keep_sealed(rows: SealedRows) -> None:
    """Says which other rows hold something sealed; called once when their app is ready."""
    if rows not in _kinds:
        _kinds.append(rows)


def sealed_models() -> list[Any]:
    """Returns the models that a rotation goes through."""
    return [rows.model for rows in _kinds]


def rotate_keys() -> tuple[int, int]:
    """Makes a new key, wraps every data key with it, and removes the older keys from the file.

    Servers that run meanwhile go on: they find the new key in the file when they meet it.

    Returns:
        How many values were wrapped again, and how many keys were removed.
    """
    with vault().rotating():
        current = vault().add_key()
        wrapped = sum(
            _wrap_again(rows, pk) for rows in _kinds for pk in rows.model.objects.values_list("pk", flat=True)
        )
        removed = vault().drop_old_keys()
    audit("system", "keys.rotate", current, secrets=wrapped)
    return wrapped, removed


@transaction.atomic
def _wrap_again(rows: SealedRows, pk: Any) -> bool:
    row = rows.model.objects.select_for_update().filter(pk=pk).first()
    if row is None or not getattr(row, rows.value_field):
        return False
    kept = Sealed(row.key_id, bytes(row.wrapped_key), bytes(getattr(row, rows.value_field)))
    sealed = vault().wrap_again(kept, rows.identity(row))
    row.key_id, row.wrapped_key = sealed.key_id, sealed.wrapped_key
    row.save(update_fields=["key_id", "wrapped_key"])
    return True
