"""Where requests may go."""

import socket

import pytest
from aiohttp import web

from toolkit_app.engine import AllowRule, EgressPolicy, ToolRunner
from toolkit_app.engine.egress import is_public

PRIVATE = [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "127.0.0.1", "127.255.0.1", "169.254.169.254",
    "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.9", "192.0.0.170", "192.0.2.1", "192.88.99.1", "192.168.1.1",
    "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
    "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::1", "100::1", "2001::1", "2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::1", "2002:808:808::1",
    "3fff::1", "5f00::1", "fc00::1", "fd00::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "4000::1", "1fff::1",
    "2620:4f:8000::1", "nonsense", "",
]  # fmt: skip
PUBLIC = ["1.1.1.1", "8.8.8.8", "9.255.255.255", "100.63.255.255", "172.32.0.1", "192.0.1.1", "223.255.255.255",
    "2606:4700::1111",
          "2a00:1450::1", "2001:200::1", "3ffe::1"]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_private(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_public(address):
    assert is_public(address)


@pytest.mark.parametrize(
    ("rule", "matches", "not_matches"),
    [
        ("10.1.2.3", [("x", 1, "10.1.2.3")], [("x", 1, "10.1.2.4"), ("10.1.2.3", 1, "10.9.9.9")]),
        ("10.1.2.3:80", [("x", 80, "10.1.2.3")], [("x", 81, "10.1.2.3")]),
        ("10.1.0.0/16", [("x", 1, "10.1.255.1")], [("x", 1, "10.2.0.1")]),
        ("Api.Internal", [("api.internal", 1, "10.0.0.1")], [("xapi.internal", 1, "10.0.0.1")]),
        ("api.internal:8080", [("api.internal", 8080, "10.0.0.1")], [("api.internal", 80, "10.0.0.1")]),
        ("fd00::1", [("x", 1, "fd00::1")], [("x", 1, "fd00::2")]),
        ("[fd00::1]:80", [("x", 80, "fd00::1")], [("x", 81, "fd00::1")]),
        ("fd00::/8", [("x", 1, "fd12::1")], [("x", 1, "10.0.0.1")]),
        ("localhost", [("localhost", 1, "127.0.0.1")], [("evil", 1, "127.0.0.1")]),
    ],
)
def test_rules(rule, matches, not_matches):
    policy = EgressPolicy(allow=[AllowRule(rule)])
    assert all(policy.permits(*entry) for entry in matches)
    assert not any(policy.permits(*entry) for entry in not_matches)


@pytest.mark.parametrize(
    "address", ["", " ", "a b", "10.0.0.0/99", "http://x/", "x/y", "a:b:c", "host:99999", "host:0"]
)
def test_rules_that_are_none(address):
    with pytest.raises(ValueError, match="no host, address or network"):
        AllowRule(address)


@pytest.fixture
def names(monkeypatch):
    """A name server of our own: names to lists of answers, one list for each look-up, the last one stays."""
    table = {}
    asked = []
    real = socket.getaddrinfo

    def getaddrinfo(host, port, *args, **kwargs):
        asked.append(host)
        if host not in table:
            return real(host, port, *args, **kwargs)
        answers = table[host]
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(addresses, Exception):
            raise addresses
        return [
            (
                socket.AF_INET6 if ":" in text else socket.AF_INET,
                socket.SOCK_STREAM,
                6,
                "",
                (text, port, 0, 0) if ":" in text else (text, port),
            )
            for text in addresses
        ]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    table["asked"] = asked
    return table


@pytest.fixture
def dialled(monkeypatch):
    """Every address that a connection was tried to."""
    import asyncio

    found = []
    loop_class = asyncio.SelectorEventLoop
    real = loop_class.sock_connect

    async def sock_connect(self, sock, address):
        found.append(address)
        return await real(self, sock, address)

    monkeypatch.setattr(loop_class, "sock_connect", sock_connect)
    return found


LITERALS = [
    "127.0.0.1", "0.0.0.0", "169.254.169.254", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]", "[fe80::1]", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "127.0.1",
    "017700000001",
    "127.0.0.1.", "localhost", "localhost.", "LOCALHOST", "１２７.0.0.1", "127。0。0。1", "192.0.0.8", "10.0.0.1",
    "3232235777",
    "0", "00000000177.1", "[::127.0.0.1]", "[0:0:0:0:0:0:0:1]",
]  # fmt: skip


@pytest.mark.parametrize("host", LITERALS)
async def test_private_places_are_never_dialled(server, one_step, dialled, host):
    async with ToolRunner() as strict:
        result = await strict.run(one_step(url=f"http://{host}:{server.port}/"))
    assert result.error.kind in {"egress", "request"}
    assert dialled == []
    assert server.seen == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "10.0.0.1", "localhost.", "[::ffff:127.0.0.1]"])
async def test_the_message_is_an_egress_error(one_step, host):
    async with ToolRunner() as strict:
        result = await strict.run(one_step(url=f"http://{host}/"))
    assert (result.error.kind, result.error.step) == ("egress", 0)
    assert "network policy" in result.error.message


@pytest.mark.parametrize(
    "addresses", [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["2606:4700::1", "::1"], ["::ffff:10.0.0.1"]]
)
async def test_every_address_of_a_name_is_checked(one_step, names, dialled, addresses):
    names["evil.example"] = [addresses]
    async with ToolRunner() as strict:
        result = await strict.run(one_step(url="http://evil.example/"))
    assert result.error.kind == "egress"
    assert dialled == []


async def test_a_rebinding_name_is_resolved_once_and_dialled_as_checked(server, one_step, names, dialled):
    names["rebind.example"] = [["127.0.0.1"], ["169.254.169.254"]]
    policy = EgressPolicy(allow=[AllowRule("127.0.0.1")])
    async with ToolRunner(egress=policy) as runner:
        result = await runner.run(one_step(url=f"http://rebind.example:{server.port}/"))
        assert result.error is None
        assert names["asked"].count("rebind.example") == 1
        server.answer("/", lambda _: web.Response(headers={"Connection": "close"}))
        await runner.run(one_step(url=f"http://rebind.example:{server.port}/"))
        again = await runner.run(one_step(url=f"http://rebind.example:{server.port}/"))
    assert again.error.kind == "egress"
    assert {address[0] for address in dialled} == {"127.0.0.1"}
    assert server.seen[0].headers["Host"] == f"rebind.example:{server.port}"


async def test_a_name_that_does_not_resolve(one_step, names):
    for number, error in enumerate((socket.gaierror(-2, "Name or service not known"), UnicodeError("label too long"))):
        names[f"nope{number}.example"] = [error]
        async with ToolRunner() as strict:
            result = await strict.run(one_step(url=f"http://nope{number}.example/"))
        assert result.error.kind == "request"
        assert f"nope{number}.example" in result.error.message


async def test_a_changed_policy_holds_for_kept_connections(server, one_step):
    tool = one_step(url=server.url)
    async with ToolRunner(egress=EgressPolicy(allow_private=True)) as runner:
        assert (await runner.run(tool)).error is None
        runner.egress = EgressPolicy()
        assert (await runner.run(tool)).error.kind == "egress"
        runner.egress = EgressPolicy(allow=[AllowRule(f"127.0.0.1:{server.port}")])
        assert (await runner.run(tool)).error is None
    assert len(server.seen) == 2


async def test_a_name_on_a_kept_connection_is_checked_too(server, one_step, names):
    names["inner.example"] = [["127.0.0.1"]]
    tool = one_step(url=f"http://inner.example:{server.port}/")
    async with ToolRunner(egress=EgressPolicy(allow=[AllowRule("inner.example")])) as runner:
        assert (await runner.run(tool)).error is None
        runner.egress = EgressPolicy()
        assert (await runner.run(tool)).error.kind == "egress"
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    "location",
    ["http://10.0.0.1/", "http://[::1]/", "//169.254.169.254/x", "http://localhost:1/", "file:///etc/passwd"],
)
async def test_redirects_to_private_places(server, one_step, dialled, location):
    server.answer("/", lambda _: web.Response(status=302, headers={"Location": location}))
    async with ToolRunner(egress=EgressPolicy(allow=[AllowRule(f"127.0.0.1:{server.port}")])) as runner:
        result = await runner.run(one_step(url=server.url + "/"))
    assert result.error.kind == "egress"
    assert {address[1] for address in dialled} <= {server.port}


async def test_proxy_variables_are_not_read(server, runner, one_step, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1/")
    assert (await runner.run(one_step(url=server.url))).error is None


# the sandbox


@pytest.fixture
async def sandboxed(server):
    async with ToolRunner(egress=EgressPolicy(sandbox=("127.0.0.1", server.port))) as opened:
        yield opened


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("http://sandbox/token", "/sandbox/token"),
        ("http://sandbox/sandbox/token", "/sandbox/token"),
        ("http://SANDBOX:80/items?page=2", "/sandbox/items?page=2"),
        ("http://sandbox.", "/sandbox/"),
        ("http://sandbox/sandboxed", "/sandbox/sandboxed"),
        ("http://sandbox", "/sandbox/"),
    ],
)
async def test_sandbox_is_mapped(server, sandboxed, one_step, url, path):
    result = await sandboxed.run(one_step(url=url))
    assert result.error is None, result.error
    assert server.seen[0].path == path
    assert server.seen[0].headers["Host"].rstrip(".") == "sandbox"


@pytest.mark.parametrize(
    "url",
    [
        "https://sandbox/", "http://sandbox:81/", "http://sandbox/../admin", "http://sandbox/sandbox/../x",
        "http://sandbox/%2e%2e/x",
        "http://sandbox/a%2f..%2f..%2fx", "http://sandbox/./x",
    ],
)  # fmt: skip
async def test_nothing_else_passes_for_the_sandbox(server, sandboxed, one_step, url):
    result = await sandboxed.run(one_step(url=url))
    assert result.error.kind == "egress"
    assert server.seen == []


async def test_the_sandbox_opens_nothing_else(server, sandboxed, one_step):
    assert (await sandboxed.run(one_step(url=server.url))).error.kind == "egress"


async def test_redirects_inside_the_sandbox(server, sandboxed, one_step):
    server.answer("/sandbox/a", lambda _: web.Response(status=302, headers={"Location": "/sandbox/b"}))
    server.answer("/sandbox/b", lambda _: web.Response(status=302, headers={"Location": "c"}))
    await sandboxed.run(one_step(url="http://sandbox/a"))
    assert [seen.path for seen in server.seen] == ["/sandbox/a", "/sandbox/b", "/sandbox/c"]


@pytest.mark.parametrize("private", [True, False])
async def test_without_a_sandbox_the_name_is_an_error(one_step, dialled, private):
    async with ToolRunner(egress=EgressPolicy(allow_private=private)) as runner:
        result = await runner.run(one_step(url="http://sandbox/x"))
    assert result.error.kind == "egress"
    assert "sandbox" in result.error.message
    assert dialled == []


async def test_a_sandbox_that_moved(server, sandboxed, one_step):
    assert (await sandboxed.run(one_step(url="http://sandbox/x"))).error is None
    sandboxed.egress = EgressPolicy(sandbox=("127.0.0.1", 1))
    assert (await sandboxed.run(one_step(url="http://sandbox/x"))).error.kind == "request"
    assert len(server.seen) == 1
