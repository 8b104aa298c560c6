"""Which addresses requests may go to.

Source: security.md, "SSRF"; IANA's special-purpose address registries.
"""

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

SANDBOX_HOST = "sandbox"

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_HOST = re.compile(r"[\w.~-]+")
_SPECIAL_IPV4 = tuple(
    ipaddress.IPv4Network(network)
    for network in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
    )
)  # fmt: skip
_PUBLIC_IPV6 = ipaddress.IPv6Network("2000::/3")
_SPECIAL_IPV6 = tuple(
    ipaddress.IPv6Network(network)
    for network in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
)


@dataclass(frozen=True, slots=True)
class AllowRule:
    """An address that is open though it is private.

    Attributes:
        address: A host, `host:port`, an IP address, `IP:port` (`[IPv6]:port`), or a network such as `10.1.0.0/16`.
    """

    address: str
    _network: _Network | None = field(init=False, repr=False, compare=False)
    _host: str = field(init=False, repr=False, compare=False)
    _port: int | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Parse the address.

        Raises:
            ValueError: It is none of the forms above.
        """
        host, port = _split(self.address.strip())
        try:
            network: _Network | None = ipaddress.ip_network(host, strict=False)
        except ValueError:
            network = None
            if not _HOST.fullmatch(host):
                raise ValueError(
                    f"`{self.address}` is no host, address or network; write `api.internal:8080`, `10.0.0.5` or "
                    "`10.1.0.0/16`."
                ) from None
        object.__setattr__(self, "_network", network)
        object.__setattr__(self, "_host", normal_host(host))
        object.__setattr__(self, "_port", port)

    def matches(self, host: str, port: int, address: str) -> bool:
        """Whether the rule opens a connection to an address that a host stands for."""
        if self._port is not None and self._port != port:
            return False
        if self._network is None:
            return self._host == host
        ip = parse_ip(address)
        return ip is not None and ip in self._network


@dataclass(frozen=True, slots=True)
class EgressPolicy:
    """Where requests may go; by default to public addresses only.

    Attributes:
        allow_private: Whether every private address is open.
        allow: Private addresses that are open.
        sandbox: Host and port that the reserved name `sandbox` stands for; None when there is none.
    """

    allow_private: bool = False
    allow: Sequence[AllowRule] = ()
    sandbox: tuple[str, int] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "allow", tuple(self.allow))

    def permits(self, host: str, port: int, address: str) -> bool:
        """Whether a connection to an address is allowed.

        Args:
            host: The host of the URL, as `normal_host` gives it.
            port: The port, 1 to 65535.
            address: The IP address that would be dialled.
        """
        if self.allow_private or is_public(address):
            return True
        return any(rule.matches(host, port, address) for rule in self.allow)


STRICT = EgressPolicy()


@lru_cache(maxsize=4096)
def is_public(address: str) -> bool:
    """Whether an address belongs to the public internet; what can't be read does not."""
    ip = parse_ip(address)
    if ip is None:
        return False
    if isinstance(ip, ipaddress.IPv4Address):
        return not any(ip in network for network in _SPECIAL_IPV4)
    return ip in _PUBLIC_IPV6 and not any(ip in network for network in _SPECIAL_IPV6)


@lru_cache(maxsize=4096)
def parse_ip(address: str) -> _Address | None:
    """Read an IP address, without the zone that link-local ones carry."""
    try:
        return ipaddress.ip_address(address.split("%", 1)[0])
    except ValueError:
        return None


def normal_host(host: str) -> str:
    """A host as it is compared: lower case, without brackets and trailing dots."""
    return host.strip("[]").rstrip(".").lower()


def _split(address: str) -> tuple[str, int | None]:
    match = re.fullmatch(r"(\[[^\]]*\]|[^:]*):([0-9]{1,5})", address)
    if match is None or not 0 < int(match[2]) < 65_536:
        return address.strip("[]"), None
    return match[1].strip("[]"), int(match[2])
