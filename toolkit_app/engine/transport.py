"""The door as an httpx transport, for libraries that speak httpx."""

from collections.abc import AsyncIterator

import aiohttp
import httpx
from multidict import CIMultiDict

from .bodies import iter_body
from .door import Door, DoorRequest, Guard
from .errors import RunError
from .failures import translated
from .urls import parse_target

_OURS = frozenset({b"host", b"content-length", b"transfer-encoding", b"connection", b"accept-encoding"})
_DECODED = frozenset({"content-encoding", "content-length", "transfer-encoding"})


class DoorTransport(httpx.AsyncBaseTransport):
    """Sends httpx requests through the door; bodies of answers stream.

    Redirects are the client's business, time limits too.

    Args:
        door: The door; it isn't closed with the transport.
        guard: Called before each request is sent; may raise an EgressError.
    """

    def __init__(self, door: Door, guard: Guard | None = None) -> None:
        self._door = door
        self._guard = guard

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request.

        Raises:
            httpx.TransportError: It could not be sent or answered; the RunError is its cause.
        """
        headers: CIMultiDict[str] = CIMultiDict()
        for name, value in request.headers.raw:
            if name.lower() not in _OURS:
                headers.add(name.decode("ascii"), value.decode("utf-8", "replace"))
        body = await request.aread()
        sent = DoorRequest(request.method, str(request.url), headers, body or None)
        try:
            response = await self._door.open(sent, guard=self._guard)
        except RunError as error:
            raise httpx.ConnectError(error.message, request=request) from error
        kept = [(name, value) for name, value in response.headers.items() if name.lower() not in _DECODED]
        return httpx.Response(response.status, headers=kept, stream=_Stream(response, request))


class _Stream(httpx.AsyncByteStream):
    def __init__(self, response: aiohttp.ClientResponse, request: httpx.Request) -> None:
        self._response = response
        self._request = request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for piece in iter_body(self._response):
                yield piece
        except Exception as error:
            self._response.close()
            failure = translated(error, parse_target(str(self._request.url)))
            raise httpx.ReadError(failure.message, request=self._request) from failure

    async def aclose(self) -> None:
        self._response.release()
