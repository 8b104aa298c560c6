"""The door against servers that are broken or hostile."""

import asyncio
import datetime
import gzip
import json
import ssl
import zlib

import httpx
import pytest
from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from toolkit_app.engine import Door, DoorRequest, DoorTransport, EgressPolicy, RunError, ToolRunner
from toolkit_app.engine.answers import decode


def reply(headers: str, body: bytes = b"", status: str = "200 OK") -> bytes:
    return f"HTTP/1.1 {status}\r\n{headers}\r\n".encode("latin-1") + body


def sized(body: bytes, headers: str = "") -> bytes:
    return reply(f"{headers}Content-Length: {len(body)}\r\n", body)


BOMB = gzip.compress(bytes(30_000_000))
RAW_BOMB = zlib.compress(bytes(30_000_000))


async def run(raw_server, answer, *, limit=1_000_000, **step):
    from toolkit_app.engine import ToolDefinition

    url = await raw_server(answer)
    tool = ToolDefinition.model_validate(
        {"name": "t", "desc": "d", "steps": [{"url": url + "/", "timeout": 5, **step}]}
    )
    async with ToolRunner(egress=EgressPolicy(allow_private=True), max_response_bytes=limit) as runner:
        result = await runner.run(tool)
    if result.error is not None:
        assert result.error.step == 0
        assert result.output == result.error.message
    return result


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (sized(b"plain"), "plain"),
        (sized(gzip.compress(b"zipped"), "Content-Encoding: gzip\r\n"), "zipped"),
        (sized(gzip.compress(b"one ") + gzip.compress(b"two"), "Content-Encoding: gzip\r\n"), "one two"),
        (sized(gzip.compress(b"x") + b"\0garbage", "Content-Encoding: gzip\r\n"), "x"),
        (sized(zlib.compress(b"deflated"), "Content-Encoding: deflate\r\n"), "deflated"),
        (sized(zlib.compress(b"raw")[2:-4], "Content-Encoding: deflate\r\n"), "raw"),
        (sized(b"same", "Content-Encoding: identity\r\n"), "same"),
        (sized(b"", "Content-Encoding: gzip\r\n"), ""),
        (sized(gzip.compress(b"y" * 65_536 * 3), "Content-Encoding: gzip\r\n"), "y" * 65_536 * 3),
        (reply("Transfer-Encoding: chunked\r\n", b"3\r\nabc\r\n0\r\n\r\n"), "abc"),
        (reply("Connection: close\r\n", b"until the end"), "until the end"),
        (reply("Content-Length: 0\r\n", status="204 No Content"), ""),
        (sized("ü".encode("latin-1"), "Content-Type: text/plain; charset=latin-1\r\n"), "ü"),
        (sized(b"\xff", "Content-Type: text/plain; charset=nonsense\r\n"), "\ufffd"),
        (sized(b"+2AA-", "Content-Type: text/plain; charset=utf-7\r\n"), "+2AA-"),
        (sized(b"x", "Content-Type: text/plain; charset=hex\r\n"), "x"),
        (sized(b"\\ud800", "Content-Type: text/plain; charset=unicode_escape\r\n"), "\\ud800"),
        (sized(b"x", "Content-Type: ;;;charset=\r\n"), "x"),
    ],
)
async def test_answers_that_are_read(raw_server, answer, text):
    result = await run(raw_server, answer)
    assert result.error is None, result.error
    assert result.output == text
    assert result.steps[0].response.size >= 0


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (sized(b"x" * 1_000_001), "too_large"),
        (reply("Content-Length: 99999999999999\r\n", b"x"), "too_large"),
        (reply("Connection: close\r\n", b"x" * 1_000_001), "too_large"),
        (sized(BOMB, "Content-Encoding: gzip\r\n"), "too_large"),
        (sized(RAW_BOMB, "Content-Encoding: deflate\r\n"), "too_large"),
        (sized(RAW_BOMB[2:-4], "Content-Encoding: deflate\r\n"), "too_large"),
        (sized(b"x", "Content-Encoding: br\r\n"), "request"),
        (sized(b"x", "Content-Encoding: gzip\r\nContent-Encoding: br\r\n"), "request"),
        (sized(b"x", "Content-Encoding: zstd\r\n"), "request"),
        (sized(gzip.compress(gzip.compress(b"x")), "Content-Encoding: gzip, gzip\r\n"), "request"),
        (sized(b"no gzip", "Content-Encoding: gzip\r\n"), "request"),
        (sized(gzip.compress(b"x" * 1000)[:-12], "Content-Encoding: gzip\r\n"), "request"),
        (reply("Content-Length: 10\r\n", b"short"), "request"),
        (reply("Content-Length: -5\r\n", b"x"), "request"),
        (reply("Content-Length: x\r\n", b"x"), "request"),
        (reply("Content-Length: 1\r\nContent-Length: 2\r\n", b"xy"), "request"),
        (reply("Transfer-Encoding: chunked\r\n", b"zz\r\nabc\r\n0\r\n\r\n"), "request"),
        (reply("Transfer-Encoding: chunked\r\n", b"5\r\nab"), "request"),
        (reply("".join(f"X-{n}: y\r\n" for n in range(100_000)) + "Content-Length: 0\r\n"), "request"),
        (reply("X: " + "y" * 1_000_000 + "\r\nContent-Length: 0\r\n"), "request"),
        (reply("Content-Length: 0\r\n", status="200 " + "O" * 100_000), "request"),
        (b"", "request"),
        (b"\x00\x01\x02\r\n\r\n", "request"),
        (b"HTTP/9.9 200 OK\r\n\r\n", "request"),
        (b"HTTP/1.1 abc OK\r\n\r\n", "request"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "request"),
        (reply("no colon here\r\nContent-Length: 0\r\n"), "request"),
        (reply(": empty\r\nContent-Length: 0\r\n"), "request"),
        (reply("A: b\x00c\r\nContent-Length: 0\r\n"), "request"),
    ],
)
async def test_answers_that_are_refused(raw_server, answer, kind):
    result = await run(raw_server, answer)
    assert result.error is not None
    assert result.error.kind == kind
    assert "Traceback" not in result.error.message


async def test_the_limit_itself_is_allowed(raw_server):
    assert (await run(raw_server, sized(b"x" * 1000), limit=1000)).error is None
    assert (
        await run(raw_server, sized(gzip.compress(b"x" * 1000), "Content-Encoding: gzip\r\n"), limit=1000)
    ).error is None
    assert (
        await run(raw_server, sized(gzip.compress(b"x" * 1001), "Content-Encoding: gzip\r\n"), limit=1000)
    ).error.kind == "too_large"


async def test_endless_headers_end_at_the_deadline(raw_server):
    async def endless(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\n")
        while True:
            writer.write(b"X: ")
            await writer.drain()
            await asyncio.sleep(0.05)

    result = await run(raw_server, endless, timeout=1)
    assert result.error.kind == "request"


async def test_an_endless_chunked_body_is_cut(raw_server):
    async def endless(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"8000\r\n" + b"x" * 0x8000 + b"\r\n")
            await writer.drain()

    assert (await run(raw_server, endless)).error.kind == "too_large"


async def test_tls_errors_are_told(raw_server, one_step, runner):
    async def plain(reader, writer):
        writer.write(b"220 this is no TLS\r\n")
        await writer.drain()

    url = (await raw_server(plain)).replace("http://", "https://")
    result = await runner.run(one_step(url=url, timeout=5))
    assert result.error.kind == "request"
    assert "secure connection" in result.error.message


def self_signed(folder):
    """A certificate for `localhost` that nobody vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    start = datetime.datetime(2020, 1, 1)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(start)
        .not_valid_after(start + datetime.timedelta(days=36_500))
        .sign(key, hashes.SHA256())
    )
    path = folder / "certificate.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path


async def test_an_untrusted_certificate_is_refused(server, runner, one_step, tmp_path):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(self_signed(tmp_path))
    secure = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0, ssl=context)
    port = secure.sockets[0].getsockname()[1]
    result = await runner.run(one_step(url=f"https://localhost:{port}/", headers={"Authorization": "secret"}))
    secure.close()
    await secure.wait_closed()
    assert result.error.kind == "request"
    assert "certificate" in result.error.message


# redirects


def moved(status, location):
    return lambda _: web.Response(status=status, headers={"Location": location})


@pytest.mark.parametrize(
    ("status", "method", "then", "body"),
    [
        (301, "GET", "GET", b""), (302, "POST", "GET", b""), (301, "POST", "GET", b""),
        (303, "PUT", "GET", b""), (302, "PUT", "PUT", b"b"),
        (307, "POST", "POST", b"b"), (308, "PATCH", "PATCH", b"b"), (303, "DELETE", "GET", b""),
    ],
)  # fmt: skip
async def test_methods_of_redirects(server, runner, one_step, status, method, then, body):
    server.answer("/a", moved(status, "/b"))
    step = (
        {"body": "b", "headers": {"Content-Type": "text/plain", "X-Own": "1"}}
        if method != "GET"
        else {"headers": {"X-Own": "1"}}
    )
    result = await runner.run(one_step(url=server.url + "/a", method=method, **step))
    assert result.error is None
    seen = server.seen[1]
    assert (seen.method, seen.body, seen.headers["X-Own"]) == (then, body, "1")
    assert ("Content-Type" in seen.headers) == bool(body)
    assert result.steps[0].request.url == server.url + "/a"


async def test_a_redirect_loop(server, runner, one_step):
    server.answer("/a", moved(302, "/a"))
    result = await runner.run(one_step(url=server.url + "/a"))
    assert result.error.kind == "request"
    assert "circles" in result.error.message
    assert len(server.seen) == 11


async def test_credentials_stay_with_their_origin(server, runner, one_step):
    other = f"http://localhost:{server.port}"
    server.answer("/a", moved(307, "/b"))
    server.answer("/b", moved(307, other + "/c"))
    names = ["Authorization", "Cookie", "X-Api-Key", "X-Auth-Token", "Host"]
    headers = {**dict.fromkeys(names, "secret"), "X-Own": "1", "Accept": "text/plain"}
    await runner.run(one_step(url=server.url + "/a", headers=headers))
    assert all(server.seen[1].headers[name] == "secret" for name in names)
    assert not any(server.seen[2].headers.get(name) == "secret" for name in names)
    assert (server.seen[2].headers["X-Own"], server.seen[2].headers["Accept"]) == ("1", "text/plain")


@pytest.mark.parametrize(
    ("location", "path"),
    [
        (b"/a b", "/a%20b"),
        (b"/a\x01b", None),
        ("/ü".encode(), "/%C3%BC"),
        (b"/\xfc", "/%FC"),
        (b"/x\\y", "/x%5Cy"),
        (b"?q=1", "/start?q=1"),
        (b"", "/start"),
        (b"/z#frag", "/z"),
        (b"/%0d%0aX:%20y", "/%0d%0aX:%20y"),
    ],
)
async def test_locations(raw_server, server, one_step, runner, location, path):
    seen = []

    async def handle(reader, writer):
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            seen.append(head.split(b" ")[1].decode())
            if len(seen) == 1:
                writer.write(b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + location + b"\r\n\r\n")
            else:
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

    result = await runner.run(one_step(url=await raw_server(handle) + "/start"))
    if path is None:
        assert result.error is None or result.error.kind == "request"
        return
    assert result.error is None, result.error
    assert seen[1:] == [path]


@pytest.mark.parametrize(
    "location",
    [
        "http://[",
        "http://user:pw@127.0.0.1/",
        "http://:0",
        "http://a b/",
        "http://\xff/",
        "http://127.0.0.1:1:2/",
        "mailto:x",
    ],
)
async def test_locations_that_lead_nowhere(raw_server, location):
    result = await run(raw_server, reply(f"Content-Length: 0\r\nLocation: {location}\r\n", status="302 Found"))
    assert result.error.kind in {"request", "egress"}
    assert "pw" not in result.error.message


async def test_crlf_in_a_location_adds_no_request(raw_server):
    seen = []

    async def handle(reader, writer):
        seen.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /x\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n")
        await writer.drain()

    await run(raw_server, handle)
    assert all(b"smuggled" not in head for head in seen)


# kept connections


def closing_after(count):
    """A server that answers `count` requests of a connection and then closes it upon the next one."""
    seen = []

    async def handle(reader, writer):
        for _ in range(count):
            head = await reader.readuntil(b"\r\n\r\n")
            seen.append(head.split(b" ")[0].decode())
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            await writer.drain()
        seen.append((await reader.readuntil(b"\r\n\r\n")).split(b" ")[0].decode() + " unanswered")

    return seen, handle


async def test_a_get_on_a_stale_connection_is_repeated_once_and_told(raw_server, runner, one_step):
    seen, handle = closing_after(1)
    tool = one_step(url=await raw_server(handle))
    guarded = []
    first = await runner.run(tool)
    second = await runner.run(tool, guard=guarded.append)
    assert (first.error, second.error) == (None, None)
    assert seen == ["GET", "GET unanswered", "GET"]
    assert "sent once more" in second.warnings[0]
    assert len(guarded) == 2


async def test_a_post_is_never_repeated(raw_server, runner, one_step):
    seen, handle = closing_after(1)
    tool = one_step(url=await raw_server(handle), method="POST")
    await runner.run(tool)
    second = await runner.run(tool)
    assert second.error.kind == "request"
    assert seen == ["POST", "POST unanswered"]


async def test_a_fresh_connection_is_never_repeated(raw_server, runner, one_step):
    seen, handle = closing_after(0)
    result = await runner.run(one_step(url=await raw_server(handle)))
    assert result.error.kind == "request"
    assert seen == ["GET unanswered"]


async def test_connections_are_kept(raw_server, runner, tool_of):
    connections = []

    async def handle(reader, writer):
        connections.append(writer)
        while True:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

    url = await raw_server(handle)
    await runner.run(tool_of([{"url": url}] * 5))
    await runner.run(tool_of([{"url": url}]))
    assert len(connections) == 1


async def test_pipelined_answers_never_reach_another_call(raw_server, runner, one_step):
    async def handle(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
        await writer.drain()
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

    tool = one_step(url=await raw_server(handle))
    await runner.run(tool)
    assert (await runner.run(tool)).output != "evil"


# what goes out


async def test_what_goes_out(raw_server, runner, one_step):
    heads = []

    async def handle(reader, writer):
        heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    await runner.run(one_step(url=await raw_server(handle) + "/p?q=1", headers={"X-B": "2", "accept": "text/csv"}))
    lines = heads[0].split("\r\n")
    assert lines[0] == "GET /p?q=1 HTTP/1.1"
    names = [line.split(":")[0].lower() for line in lines[1:] if line]
    assert sorted(names) == ["accept", "accept-encoding", "host", "user-agent", "x-b"]


# for libraries that speak httpx


async def test_transport(server):
    server.answer(
        "/x", lambda _: web.Response(text=json.dumps({"a": "ü"}), headers={"Content-Type": "application/json"})
    )
    async with (
        Door(EgressPolicy(allow_private=True)) as door,
        httpx.AsyncClient(transport=DoorTransport(door)) as client,
    ):
        response = await client.post(server.url + "/x", json={"q": 1}, headers={"X-A": "b"})
        assert response.json() == {"a": "ü"}
        assert (server.seen[0].method, server.seen[0].body, server.seen[0].headers["X-A"]) == ("POST", b'{"q":1}', "b")
        with pytest.raises(httpx.TransportError) as caught:
            door.policy = EgressPolicy()
            await client.get(server.url)
        assert isinstance(caught.value.__cause__, RunError)
        assert caught.value.__cause__.kind == "egress"


async def test_transport_streams(raw_server):
    go_on = asyncio.Event()

    async def handle(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
        await writer.drain()
        await go_on.wait()
        writer.write(b"3\r\ntwo\r\n0\r\n\r\n")

    url = await raw_server(handle)
    async with (
        Door(EgressPolicy(allow_private=True)) as door,
        httpx.AsyncClient(transport=DoorTransport(door)) as client,
    ):
        async with client.stream("GET", url) as response:
            pieces = []
            async for piece in response.aiter_raw():
                pieces.append(piece)
                go_on.set()
        assert pieces == [b"one", b"two"]


async def test_transport_translates_a_broken_body(raw_server):
    url = await raw_server(reply("Content-Length: 10\r\n", b"short"))
    async with (
        Door(EgressPolicy(allow_private=True)) as door,
        httpx.AsyncClient(transport=DoorTransport(door)) as client,
    ):
        with pytest.raises(httpx.ReadError):
            await client.get(url)


async def test_unclosed_transport_bodies_are_released(server):
    async with (
        Door(EgressPolicy(allow_private=True)) as door,
        httpx.AsyncClient(transport=DoorTransport(door)) as client,
    ):
        async with client.stream("GET", server.url):
            pass
        assert (await client.get(server.url)).status_code == 200


async def test_a_closed_door_is_a_fault_of_ours():
    from multidict import CIMultiDict

    door = Door(EgressPolicy(allow_private=True))
    await door.aclose()
    with pytest.raises(RunError):
        await door.send(DoorRequest("GET", "http://127.0.0.1:1/", CIMultiDict()))


def test_decoding():
    assert decode("\ufeffä".encode(), "text/plain; charset=latin-1") == "ä"
    assert decode("ä".encode("utf-16"), "") == "ä"
    assert decode("ä".encode("utf-32"), "") == "ä"
    assert decode("中".encode("gb18030"), 'text/plain; charset="GB18030"') == "中"
    assert decode(b"\xff\xfe\x00", "") == "\ufffd"


@pytest.mark.parametrize("begin", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"])
async def test_transport_keeps_the_clients_time_outs(raw_server, begin):
    async def hold(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(begin)
        await reader.read()

    url = await raw_server(hold)
    async with (
        Door(EgressPolicy(allow_private=True)) as door,
        httpx.AsyncClient(transport=DoorTransport(door), timeout=0.05) as client,
    ):
        with pytest.raises(httpx.ReadTimeout):
            await client.get(url)


async def test_small_redirects_keep_their_connection(raw_server, runner, one_step):
    connections = []

    async def handle(reader, writer):
        connections.append(writer)
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            moved_on = b"/next" in head
            writer.write(b"HTTP/1.1 200 OK\r\n" if moved_on else b"HTTP/1.1 302 Found\r\nLocation: /next\r\n")
            writer.write(b"Content-Length: 2\r\n\r\nok")
            await writer.drain()

    result = await runner.run(one_step(url=await raw_server(handle)))
    assert result.output == "ok"
    assert len(connections) == 1


async def test_long_headers_are_read(raw_server):
    assert (await run(raw_server, sized(b"ok", "Content-Security-Policy: " + "x" * 20_000 + "\r\n"))).output == "ok"


async def test_large_bodies_go_out_whole(server, runner, one_step):
    result = await runner.run(one_step(url=server.url, method="POST", body="${param:a}"), {"a": "ü" * 1_500_000})
    assert result.error is None
    assert len(server.seen[0].body) == 3_000_000
    assert server.seen[0].headers["Content-Length"] == "3000000"
    assert "Content-Type" not in server.seen[0].headers


async def test_a_length_does_not_hide_a_chunked_flood(raw_server):
    async def flood(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"8000\r\n" + b"x" * 0x8000 + b"\r\n")
            await writer.drain()

    assert (await run(raw_server, flood)).error.kind in {"too_large", "request"}
