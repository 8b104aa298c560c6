"""What a visit was called with and what it asked of models: kept while it runs, told with the event that ends it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graph_app.calls.places import present_visit
from graph_app.calls.services import present_services


def note_input(given: Mapping[str, Any]) -> None:
    """Keeps what the present visit was called with."""
    account = _present()
    if account is not None:
        account["input"] = given


def note_asked(
    provider: str, model: str, messages: Sequence[Mapping[str, Any]], *, offered: Sequence[str] = ()
) -> None:
    """Keeps what a model is asked in the present visit.

    Messages that go on from those of the request before are one conversation with them, and kept once.

    Args:
        provider: Name of the model's provider.
        model: Name of the model.
        messages: The messages, as they are sent.
        offered: Names of the tools that the model may call.
    """
    account = _present()
    if account is None:
        return
    asked: list[dict[str, Any]] = account.setdefault("asked", [])
    sent = list(messages)
    last = asked[-1] if asked else None
    if last is not None and len(last["messages"]) < len(sent) and _same(last["messages"], sent):
        last["messages"] = sent
        last["sent"].append(len(sent))
        return
    conversation = {"provider": provider, "model": model, "messages": sent, "sent": [len(sent)]}
    if offered:
        conversation["tools"] = list(offered)
    asked.append(conversation)


def _same(before: Sequence[Any], now: Sequence[Any]) -> bool:
    return all(one is other for one, other in zip(before, now, strict=False))


def _present() -> dict[str, Any] | None:
    services = present_services.get()
    if services is None:
        return None
    name = present_visit(services.top_visit)
    return services.accounts.setdefault(name, {}) if name else None
