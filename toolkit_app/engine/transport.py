"""The door as an httpx transport, for libraries that speak httpx."""

import asyncio
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

    Redirects are the client's business. The client's connect and read time-outs hold.

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
        limits = request.extensions.get("timeout", {})
        connect_s, read_s = limits.get("connect"), limits.get("read")
        try:
            async with asyncio.timeout(None if connect_s is None or read_s is None else connect_s + read_s):
                response = await self._door.open(sent, guard=self._guard)
        except TimeoutError as error:
            raise httpx.ReadTimeout("There was no answer in time.", request=request) from error
        except RunError as error:
            raise httpx.ConnectError(error.message, request=request) from error
        kept = [(name, value) for name, value in response.headers.items() if name.lower() not in _DECODED]
        return httpx.Response(response.status, headers=kept, stream=_Stream(response, request, read_s))


class _Stream(httpx.AsyncByteStream):
    def __init__(self, response: aiohttp.ClientResponse, request: httpx.Request, read_s: float | None) -> None:
        self._response = response
        self._request = request
        self._read_s = read_s

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces = iter_body(self._response)
        try:
            while (piece := await self._next(pieces)) is not None:
                yield piece
        except TimeoutError as error:
            self._response.close()
            raise httpx.ReadTimeout("The answer stopped coming.", request=self._request) from error
        except Exception as error:
            self._response.close()
            failure = translated(error, parse_target(str(self._request.url)))
            raise httpx.ReadError(failure.message, request=self._request) from failure

    async def aclose(self) -> None:
        self._response.release()

    async def _next(self, pieces: AsyncIterator[bytes]) -> bytes | None:
        async with asyncio.timeout(self._read_s):
            return await anext(pieces, None)
