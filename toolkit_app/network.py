"""The network policy: which addresses beyond the public ones tools and models may reach."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from toolkit_app import sandbox
from toolkit_app.audit import audit
from toolkit_app.engine import AllowRule, EgressPolicy
from toolkit_app.errors import InvalidError
from toolkit_app.models import NetworkRule
from toolkit_app.schemas import NetworkRuleBody

_HOST = re.compile(
    r"(?=.{1,253}$)([A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\.)*[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\.?"
)


def egress_policy(use: str, *, allow_private: bool = False) -> EgressPolicy:
    """Returns the policy in force for `tools` or for `models`.

    Args:
        use: `tools` or `models`.
        allow_private: Opens every private address; only the command line's `--allow-private` says so.
    """
    rules = NetworkRule.objects.filter(use__in=[use, NetworkRule.Use.BOTH]).values_list("address", flat=True)
    return EgressPolicy(
        allow_private=allow_private, allow=tuple(AllowRule(address) for address in rules), sandbox=sandbox.address()
    )


def network_rules() -> list[dict[str, Any]]:
    """Returns the allow-list in the order in which it was written."""
    return [
        {"address": rule.address, "for": rule.use, "reason": rule.reason} for rule in NetworkRule.objects.order_by("pk")
    ]


@transaction.atomic
def network_rules_replace(actor: str, rules: Sequence[NetworkRuleBody]) -> None:
    """Replaces the allow-list and records both in the audit trail.

    Raises:
        InvalidError: If an address is neither a host, host:port, IP address nor network.
    """
    fields = {}
    for index, rule in enumerate(rules):
        message = address_problem(rule.address)
        if message:
            fields[f"network.allow.{index}.address"] = [message]
    if fields:
        raise InvalidError(" ".join(text for texts in fields.values() for text in texts), fields=fields)
    before = network_rules()
    NetworkRule.objects.all().delete()
    NetworkRule.objects.bulk_create(
        NetworkRule(address=rule.address, use=rule.for_, reason=rule.reason) for rule in rules
    )
    audit(actor, "settings.network", "network", before=before, after=network_rules())


def address_problem(address: str) -> str | None:
    """Says what is wrong with an address of a rule or with the host of a secret, or `None`."""
    text = address
    try:
        ipaddress.ip_network(text, strict=False)
        return None
    except ValueError:
        pass
    bracketed = re.fullmatch(r"\[([^\]]*)\](?::(\d+))?", text)
    if bracketed:
        host, port = bracketed.group(1), bracketed.group(2)
        try:
            ipaddress.IPv6Address(host)
        except ValueError:
            return f"{address}: between the brackets stands no IPv6 address."
    else:
        host, colon, port = text.partition(":")
        if colon and not port:
            return f"{address}: after the colon a port is missing."
        try:
            ascii_host = host.encode("idna").decode() if host else ""
        except UnicodeError:
            ascii_host = ""
        if not _HOST.fullmatch(ascii_host):
            return (
                f"{address} is no host, host:port, IP address or network such as 10.0.0.0/8. "
                "Leave out https:// and paths."
            )
    if port and not (port.isascii() and port.isdigit() and 1 <= int(port) <= 65535):
        return f"{address}: a port is a number from 1 to 65535."
    return None
