"""The server that the benchmark of tools runs against, in a process of its own; it prints its port."""

import asyncio
import gzip
import json
import sys
import zlib

BODY = json.dumps({"data": {"status": "shipped", "rows": [{"id": n, "name": f"name {n}"} for n in range(25)]}}).encode()
SMALL = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY
GIGABYTE = 2**30
PIECE = bytes(2**20)


class Server(asyncio.Protocol):
    """Answers /big and /gzip with a gigabyte, everything else with 1 KB of JSON, as cheaply as it can."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.buffer = b""

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head, self.buffer = self.buffer[:end], self.buffer[end + 4 :]
            path = head.split(b" ", 2)[1]
            if path in (b"/big", b"/gzip", b"/chunked"):
                self.task = asyncio.ensure_future(self.flood(path))
            else:
                self.transport.write(SMALL)

    async def flood(self, path: bytes) -> None:
        write = self.transport.write
        write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n")
        if path == b"/gzip":
            write(b"Content-Encoding: gzip\r\n\r\n" + BOMB)
            return
        write(b"Transfer-Encoding: chunked\r\n\r\n" if path == b"/chunked" else b"\r\n")
        for _ in range(GIGABYTE // len(PIECE)):
            if self.transport.is_closing():
                return
            write(b"100000\r\n" + PIECE + b"\r\n" if path == b"/chunked" else PIECE)
            await asyncio.sleep(0.0005)


def bomb() -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    return b"".join([packer.compress(PIECE) for _ in range(GIGABYTE // len(PIECE))]) + packer.flush()


BOMB = bomb() if "--bomb" in sys.argv else gzip.compress(b"")


async def main() -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Server, "127.0.0.1", 0, backlog=1000)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
