"""The one door that every request of the product goes through.

It checks the URL and the policy, follows redirects hop by hop, caps what is read, and turns every failure into a
RunError.

Source: security.md, "SSRF", "bombs" and "credential sent elsewhere"; RFC 9110 section 15.4 (redirects).
"""

import asyncio
import io
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import aiohttp
from aiohttp import hdrs
from multidict import CIMultiDict, CIMultiDictProxy

from .bodies import read_body
from .checks import FORBIDDEN_HEADERS, HEADER_NAME
from .connector import CheckedConnector, connection_was_kept, sandbox_address
from .egress import SANDBOX_HOST, STRICT, EgressPolicy
from .errors import HeaderError, RequestError
from .failures import translated
from .urls import Target, parse_target, redirect_target

MAX_RESPONSE_BYTES = 10 * 1024 * 1024
MAX_REDIRECTS = 10

_LARGE_BODY = 2**20  # aiohttp warns about larger ones that are not sent in pieces
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_NO_TIMEOUT = aiohttp.ClientTimeout(total=None, connect=None, sock_connect=None, sock_read=None)
_AUTOMATIC = ("User-Agent", "Content-Type", "Accept", "Accept-Encoding")
_DEFAULTS = (("Accept", "*/*"), ("Accept-Encoding", "gzip, deflate"), ("User-Agent", "Workbench"))
_BAD_IN_HEADER = re.compile("[\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]")
_SECRET_HEADER = re.compile(
    r"authorization|cookie|(?:^|[-_]|api|auth|access|csrf|session|private)(?:key|token|secret|password)(?:$|[-_])",
    re.IGNORECASE,
)

Guard = Callable[["DoorRequest"], None]


@dataclass(slots=True)
class DoorRequest:
    """A request, ready to be sent.

    Attributes:
        method: The method, upper case.
        url: The whole URL.
        headers: The headers, names compared without case.
        body: The body; None for none.
    """

    method: str
    url: str
    headers: CIMultiDict[str]
    body: bytes | None = None

    def header_items(self) -> Iterable[tuple[str, str]]:
        """Names and values of the headers."""
        return self.headers.items()

    @property
    def text(self) -> str:
        """The body as text; empty for none."""
        return self.body.decode("utf-8", "replace") if self.body else ""


@dataclass(slots=True)
class DoorResponse:
    """An answer, read to its end.

    Attributes:
        status: The status, such as 200.
        reason: The reason phrase.
        headers: The headers, names compared without case.
        body: The body, decompressed.
        url: The URL that answered, after redirects.
        resent: Whether the request went out a second time since a kept connection had been closed.
    """

    status: int
    reason: str
    headers: CIMultiDictProxy[str]
    body: bytes
    url: str
    resent: bool = False

    @property
    def content_type(self) -> str:
        """The Content-Type header; empty when there is none."""
        return self.headers.get(hdrs.CONTENT_TYPE, "")


class Door:
    """Sends requests, keeps connections; belongs to one event loop.

    Attributes:
        policy: Where requests may go; may be changed at any time and holds for kept connections too.
    """

    def __init__(self, policy: EgressPolicy = STRICT) -> None:
        self.policy = policy
        self._session: aiohttp.ClientSession | None = None
        self._closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close every connection."""
        self._closed = True
        if self._session is not None:
            session, self._session = self._session, None
            await session.close()
            await asyncio.sleep(0)

    async def send(
        self, request: DoorRequest, *, guard: Guard | None = None, max_bytes: int = MAX_RESPONSE_BYTES
    ) -> DoorResponse:
        """Send a request, follow redirects, read the answer.

        Args:
            request: What to send.
            guard: Called before each hop is sent, with what will go out; may raise a RunError.
            max_bytes: Most bytes of the body, after decompression.

        Raises:
            RunError: Whatever went wrong: `request`, `egress`, `header` or `too_large`. There is no time limit here.
        """
        hop, target = request, parse_target(request.url)
        resent = False
        for _ in range(MAX_REDIRECTS + 1):
            response, again = await self._hop(hop, target, guard)
            resent = resent or again
            location = response.headers.get(hdrs.LOCATION) if response.status in _REDIRECTS else None
            if location is None:
                body = await _read(response, target, max_bytes)
                return DoorResponse(response.status, response.reason or "", response.headers, body, target.url, resent)
            response.release()
            following = redirect_target(target, location)
            hop = _redirected(hop, response.status, target, following)
            target = following
        raise RequestError(f"The server redirects in circles: {MAX_REDIRECTS} redirects were followed.")

    async def open(self, request: DoorRequest, *, guard: Guard | None = None) -> aiohttp.ClientResponse:
        """Send a request without following redirects and give the open response, which the caller closes.

        Its body is not decompressed yet (see `bodies.iter_body`).

        Raises:
            RunError: The request could not be made.
        """
        response, _ = await self._hop(request, parse_target(request.url), guard)
        return response

    async def _hop(
        self, request: DoorRequest, target: Target, guard: Guard | None
    ) -> tuple[aiohttp.ClientResponse, bool]:
        if target.host == SANDBOX_HOST:
            sandbox_address(self.policy)
        headers = _checked(request.headers)
        if guard is not None:
            guard(request)
        try:
            return await self._dial(request, target, headers), False
        except Exception as error:
            # RFC 9110 section 9.2.2: only what is safe is repeated, and only when a kept connection closed under us.
            if request.method != "GET" or not _closed_while_kept(error):
                raise translated(error, target) from error
        if guard is not None:
            guard(request)
        try:
            return await self._dial(request, target, headers), True
        except Exception as error:
            raise translated(error, target) from error

    async def _dial(self, request: DoorRequest, target: Target, headers: CIMultiDict[str]) -> aiohttp.ClientResponse:
        session = self._session or self._open_session()
        body = request.body
        data = io.BytesIO(body) if body is not None and len(body) > _LARGE_BODY else body
        return await session.request(
            request.method, target.wire, headers=headers, data=data, allow_redirects=False, timeout=_NO_TIMEOUT
        )

    def _open_session(self) -> aiohttp.ClientSession:
        if self._closed:
            raise RuntimeError("The runner is closed.")
        session = aiohttp.ClientSession(
            connector=CheckedConnector(lambda: self.policy),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            trust_env=False,
            skip_auto_headers=_AUTOMATIC,
            max_line_size=16_384,
            max_field_size=32_768,
            max_headers=256,
        )
        session._retry_connection = False
        self._session = session
        return session


async def _read(response: aiohttp.ClientResponse, target: Target, max_bytes: int) -> bytes:
    try:
        return await read_body(response, max_bytes)
    except Exception as error:
        response.close()
        raise translated(error, target) from error
    except BaseException:
        response.close()
        raise


def _checked(headers: CIMultiDict[str]) -> CIMultiDict[str]:
    """The headers as they go out, with the engine's defaults where the request has none."""
    checked: CIMultiDict[str] = CIMultiDict()
    for name, value in headers.items():
        if not HEADER_NAME.fullmatch(name):
            raise HeaderError(f"`{name[:60]!r}` can't be the name of a header; nothing was sent.")
        if name.lower() in FORBIDDEN_HEADERS:
            raise HeaderError(f"The header `{name}` is set by the engine itself; nothing was sent. Remove it.")
        if _BAD_IN_HEADER.search(value):
            raise HeaderError(
                f"The value of the header `{name}` holds a line break or another character that a header can't hold; "
                "nothing was sent. Check the values that are filled in."
            )
        checked.add(name, value)
    for name, value in _DEFAULTS:
        checked.setdefault(name, value)
    return checked


def _redirected(request: DoorRequest, status: int, base: Target, target: Target) -> DoorRequest:
    headers = request.headers.copy()
    method, body = request.method, request.body
    if status == 303 or (status in {301, 302} and method == "POST"):
        method, body = "GET", None
        headers.popall(hdrs.CONTENT_TYPE, None)
    if base.origin != target.origin:
        headers.popall(hdrs.HOST, None)
        for name in {name for name in headers if _SECRET_HEADER.search(name) and name.lower() != "idempotency-key"}:
            headers.popall(name, None)
    return DoorRequest(method, target.url, headers, body)


def _closed_while_kept(error: Exception) -> bool:
    if isinstance(error, aiohttp.ClientConnectorError) or not connection_was_kept():
        return False
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return isinstance(error.message, str)
    return isinstance(error, (aiohttp.ClientOSError, aiohttp.ClientConnectionResetError))
