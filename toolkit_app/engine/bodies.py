"""Reads bodies of answers with a cap on what is held, compressed or not."""

import zlib
from collections.abc import AsyncIterator, Iterator

import aiohttp

from .errors import RequestError, TooLargeError

_PIECE = 65_536


async def read_body(response: aiohttp.ClientResponse, max_bytes: int) -> bytes:
    """Read the whole body, decompressed.

    Args:
        response: The open response, not decompressed by aiohttp.
        max_bytes: Most bytes to hold, counted after decompression.

    Raises:
        TooLargeError: There is more.
        RequestError: The compression is broken or unknown.
    """
    length = response.content_length
    if length is not None and length > max_bytes:
        raise _too_large(max_bytes)
    # A length binds the body only where nothing else says how it comes.
    if length is not None and not any(name in response.headers for name in ("Content-Encoding", "Transfer-Encoding")):
        return await response.read()
    body = bytearray()
    async for piece in iter_body(response):
        body += piece
        if len(body) > max_bytes:
            raise _too_large(max_bytes)
    return bytes(body)


async def iter_body(response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    """Yield the body, decompressed, in pieces of at most 64 KiB each.

    Raises:
        RequestError: The compression is broken or unknown.
    """
    declared = ",".join(response.headers.getall("Content-Encoding", ()))
    encodings = [name.strip().lower() for name in declared.split(",")]
    encodings = [name for name in encodings if name not in {"", "identity"}]
    if not encodings:
        async for piece in response.content.iter_any():
            yield piece
        return
    if len(encodings) > 1 or encodings[0] not in {"gzip", "x-gzip", "deflate"}:
        listed = ", ".join(encodings)[:60]
        raise RequestError(f"The answer is compressed as `{listed}`, which can't be read; gzip and deflate can.")
    inflater = _Inflater(raw_allowed=encodings[0] == "deflate")
    async for piece in response.content.iter_any():
        for inflated in inflater.feed(piece):
            yield inflated
    inflater.finish()


class _Inflater:
    """Inflates in bounded pieces; `deflate` comes with and without the zlib wrapping."""

    def __init__(self, *, raw_allowed: bool) -> None:
        self._gzip = not raw_allowed
        self._raw_allowed = raw_allowed
        self._stream = zlib.decompressobj(zlib.MAX_WBITS if raw_allowed else zlib.MAX_WBITS | 16)
        self._begun = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Take compressed bytes and yield what they inflate to.

        Raises:
            RequestError: They can't be inflated.
        """
        more = True
        while data or more:
            if self._stream.eof:
                if not self._gzip or data[:1] != b"\x1f":
                    return  # what stands behind the end of a stream is no part of the answer
                self._stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
            inflated = self._inflate(data)
            data = self._stream.unused_data if self._stream.eof else self._stream.unconsumed_tail
            more = len(inflated) == _PIECE
            if inflated:
                yield inflated

    def finish(self) -> None:
        """Check that the stream was complete.

        Raises:
            RequestError: The body ended in the middle of it.
        """
        if self._begun and not self._stream.eof:
            raise RequestError("The compressed answer ended too early.")

    def _inflate(self, data: bytes) -> bytes:
        try:
            inflated = self._stream.decompress(data, _PIECE)
        except zlib.error as error:
            if not self._raw_allowed or self._begun:
                raise RequestError("The compressed answer is broken.") from error
            self._raw_allowed = False
            self._stream = zlib.decompressobj(-zlib.MAX_WBITS)
            return self._inflate(data)
        self._begun = self._begun or bool(data)
        return inflated


def _too_large(max_bytes: int) -> TooLargeError:
    return TooLargeError(
        f"The answer is larger than {max_bytes:,} bytes, so it was given up. Ask the server for less, page by page."
    )
