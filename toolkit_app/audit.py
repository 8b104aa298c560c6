"""How a service says what somebody did; who keeps it is not known here: the project connects a receiver."""

from __future__ import annotations

from typing import Any

from django.dispatch import Signal

audited = Signal()
"""Sent within the transaction of the deed, with `actor`, `action`, `target` and `detail`."""


def audit(actor: str, action: str, target: str, **detail: Any) -> None:
    """Says that somebody did something.

    Args:
        actor: Name of the user, or `system`.
        action: Verb on a noun, such as `tool.publish`.
        target: Name of what it was done to.
        **detail: What a reader needs beyond that; never a secret's value.
    """
    audited.send(sender=None, actor=actor, action=action, target=target, detail=detail)
