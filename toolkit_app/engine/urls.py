"""URLs as they are sent: checked, ASCII, without surprises.

Source: contract, "Values in templates" (after expansion); RFC 3986.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote, quote_from_bytes, unquote, urljoin

import idna
from yarl import URL

from .egress import SANDBOX_HOST, normal_host, parse_ip
from .errors import EgressError, RequestError

_BAD = re.compile("[\x00-\x20\x7f\\\\\ud800-\udfff]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_PARTS = re.compile(r"(https?)://([^/?#]*)([^#]*)", re.IGNORECASE | re.DOTALL)
_HOST = re.compile(r"[A-Za-z0-9._~-]+")
MAX_URL = 65_536
_REMEMBERED = 2_048
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Target:
    """A URL that can be dialled.

    Attributes:
        url: The whole URL, ASCII, without fragment.
        scheme: `http` or `https`.
        host: The host as it is compared and resolved.
        port: The port, 1 to 65535.
        wire: The URL that goes on the wire; differs for the sandbox only.
    """

    url: str
    scheme: str
    host: str
    port: int
    wire: URL

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host and port."""
        return self.scheme, self.host, self.port


def parse_target(url: str) -> Target:
    """Check a URL and bring it into the form it is sent in.

    Raises:
        RequestError: It is no complete URL, is too long, or holds what a URL can't hold.
        EgressError: Its scheme is neither http nor https, or it asks for more of the sandbox than there is.
    """
    if len(url) <= _REMEMBERED:
        return _remembered(url)
    if len(url) > MAX_URL:
        raise RequestError(f"The URL is too long after its values were filled in: at most {MAX_URL:,} characters.")
    return _parsed(url)


@lru_cache(maxsize=2048)
def _remembered(url: str) -> Target:
    return _parsed(url)


def _parsed(url: str) -> Target:
    if bad := _BAD.search(url):
        raise RequestError(
            f"The URL holds {_named(bad.group())} after its values were filled in; nothing was sent.{_shown(url)}"
        )
    match = _PARTS.match(url)
    if match is None:
        raise _no_target(url)
    scheme, authority, rest = match[1].lower(), match[2], match[3]
    if "@" in authority:
        raise RequestError(
            "The URL holds a user name or password (before the `@`); send them in an `Authorization` header."
        )
    host, port = _host_and_port(authority, scheme, url)
    if not rest.startswith("/"):
        rest = f"/{rest}"
    if not rest.isascii():
        rest = "".join([sign if sign.isascii() else quote(sign) for sign in rest])
    shown_port = "" if port == _DEFAULT_PORTS[scheme] else f":{port}"
    authority = f"[{host}]{shown_port}" if ":" in host else f"{host}{shown_port}"
    full = f"{scheme}://{authority}{rest}"
    name = normal_host(host)
    wire = _sandbox_url(scheme, port, rest) if name == SANDBOX_HOST else full
    return Target(full, scheme, name, port, URL(wire, encoded=True))


def redirect_target(base: Target, location: str) -> Target:
    """The URL that a `Location` header leads to.

    Blanks, control characters and non-ASCII bytes in it are percent-encoded.

    Raises:
        RequestError, EgressError: As for any other URL.
    """
    raw = location.encode("utf-8", "surrogateescape")
    encoded = "".join(
        [chr(byte) if 0x20 < byte < 0x7F and byte != 0x5C else quote_from_bytes(bytes([byte])) for byte in raw]
    )
    try:
        joined = urljoin(base.url, encoded)
    except ValueError:
        raise RequestError("The server redirects to something that is no URL.") from None
    return parse_target(joined)


def _host_and_port(authority: str, scheme: str, url: str) -> tuple[str, int]:
    match = re.fullmatch(r"(\[[^\]]*\]|[^:\[\]]*)(?::([0-9]{0,5}))?", authority)
    if match is None or not match[1]:
        raise RequestError(f"The URL has no readable host; write `https://host/path`.{_shown(url)}")
    port = int(match[2]) if match[2] else _DEFAULT_PORTS[scheme]
    if not 0 < port < 65_536:
        raise RequestError(f"The URL has the port {port}, which does not exist (1 to 65535).{_shown(url)}")
    host = match[1]
    if host.startswith("["):
        ip = parse_ip(host[1:-1])
        if ip is None or "%" in host or ip.version != 6:
            raise RequestError(f"The URL has {host} as host, which is no IPv6 address.{_shown(url)}")
        return str(ip), port
    if not host.isascii():
        host = _to_ascii(host, url)
    if not _HOST.fullmatch(host) or not host.strip("."):
        raise RequestError(f"The URL has signs in its host that a host can't have.{_shown(url)}")
    return host.lower(), port


def _to_ascii(host: str, url: str) -> str:
    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except (idna.IDNAError, UnicodeError, IndexError):
        raise RequestError(f"The host of the URL is no valid international name.{_shown(url)}") from None


def _sandbox_url(scheme: str, port: int, rest: str) -> str:
    if scheme != "http" or port != 80:
        raise EgressError("The name `sandbox` is reserved; it is reached as `http://sandbox/…` only.")
    path = re.split(r"\?", rest, maxsplit=1)[0]
    if any(segment in {".", ".."} for segment in re.split(r"[/\\]", unquote(path))):
        raise EgressError("A path of the sandbox can't hold `.` or `..`.")
    inside = path == "/sandbox" or path.startswith("/sandbox/")
    return f"http://{SANDBOX_HOST}{rest if inside else '/sandbox' + rest}"


def _no_target(url: str) -> RequestError | EgressError:
    scheme = _SCHEME.match(url)
    if (
        scheme
        and scheme[1].lower() not in _DEFAULT_PORTS
        and not re.match(r"[0-9]{1,5}(?:[/?#]|$)", url[scheme.end() :])
    ):
        return EgressError(f"Only http and https addresses are allowed, not `{scheme[1][:20]}:`.")
    return RequestError(f"The URL is not complete; it must begin with `http://` or `https://`.{_shown(url)}")


def _named(sign: str) -> str:
    if sign == " ":
        return "a blank"
    if sign in "\r\n":
        return "a line break"
    if sign == "\\":
        return "a backslash"
    return "half a character (a lone surrogate)" if sign >= "\ud800" else "a control character"


def _shown(url: str) -> str:
    """Scheme and host only: the rest may hold secrets."""
    head = re.split(r"[/?#]", re.sub(r"^[A-Za-z][A-Za-z0-9+.-]*://", "", url), maxsplit=1)[0]
    head = head.rpartition("@")[2].encode("ascii", "replace").decode()
    return f" (Host: `{head[:60]}`)" if head else ""
