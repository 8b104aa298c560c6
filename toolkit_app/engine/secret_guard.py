"""Keeps secrets from hosts that they are not for: looks at each request before it is sent.

Source: security.md, "credential sent elsewhere".
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from toolkit_app.engine.door import DoorRequest
from toolkit_app.engine.errors import EgressError
from toolkit_app.engine.redaction import Redactor, SecretValue

_DEFAULT_PORTS = {"http": 80, "https": 443}


class SecretGuard:
    """Refuses requests that carry a secret, in any form, to a host that the secret doesn't list."""

    def __init__(self, secrets: Sequence[SecretValue]) -> None:
        """Knows the secrets of one environment.

        Args:
            secrets: Each with the hosts (`host` or `host:port`) that it may go to; without any it may go nowhere.
        """
        self._guarded = [(secret, Redactor([secret.value])) for secret in secrets]

    def __call__(self, request: DoorRequest) -> None:
        """Checks a request that is about to be sent; each hop of a redirect too.

        Raises:
            EgressError: If it carries a secret that may not go to its host. The message names the secret, never its
                value.
        """
        if not self._guarded:
            return
        parts = urlsplit(request.url)
        host = (parts.hostname or "").rstrip(".").lower()
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme, 0)
        body = (request.body or b"").decode("utf-8", "replace")
        text = "\n".join([request.url, *(f"{name}: {value}" for name, value in request.headers.items()), body])
        for secret, finder in self._guarded:
            if not _listed(secret.hosts, host, port) and finder.holds(text):
                allowed = ", ".join(secret.hosts) or "no host yet"
                raise EgressError(
                    f"The secret {secret.name} may not go to {host}: it is for {allowed}. "
                    "An admin can add the host to the secret, under Environments."
                )


def _listed(hosts: Sequence[str], host: str, port: int) -> bool:
    return any(entry in (host, f"{host}:{port}") for entry in map(str.lower, hosts))
