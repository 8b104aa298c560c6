"""Generated URLs to private places: no connection is tried. A sample by default, 5,000 with `WORKBENCH_SOAK=1`."""

import asyncio
import ipaddress
import os
import socket

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolkit_app.engine import ToolDefinition, ToolRunner

SOAK = os.environ.get("WORKBENCH_SOAK") == "1"
NETWORKS_4 = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
]
NETWORKS_4 += ["192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4"]
NETWORKS_6 = [
    "::1/128",
    "::/96",
    "fc00::/7",
    "fe80::/10",
    "ff00::/8",
    "::ffff:0:0/96",
    "64:ff9b::/96",
    "2002::/16",
    "2001::/32",
]


def inside(network):
    net = ipaddress.ip_network(network)
    return st.integers(int(net.network_address), int(net.broadcast_address)).map(type(net[0]))


private_4 = st.sampled_from(NETWORKS_4).flatmap(inside)
private_6 = st.sampled_from(NETWORKS_6).flatmap(inside)


def number(value, base):
    return {"d": str(value), "x": hex(value), "X": hex(value).upper().replace("0X", "0x"), "o": f"0{value:o}"}[base]


@st.composite
def hosts_4(draw):
    value = int(draw(private_4))
    parts = draw(st.integers(1, 4))
    numbers = [(value >> (24 - 8 * index)) & 255 for index in range(parts - 1)]
    numbers.append(value & ((1 << (32 - 8 * (parts - 1))) - 1))
    text = ".".join(number(part, draw(st.sampled_from("dxXo"))) for part in numbers)
    if draw(st.booleans()):
        text = text.translate(str.maketrans("0123456789", "０１２３４５６７８９"))
    return text + draw(st.sampled_from(["", "", ".", ".."]))


@st.composite
def hosts_6(draw):
    address = draw(private_6)
    low = int(address) & 0xFFFFFFFF
    forms = [str(address), address.exploded, address.exploded.upper()]
    if int(address) >> 32 in (0, 0xFFFF):
        forms.append(f"::{'ffff:' if int(address) >> 32 else ''}{ipaddress.IPv4Address(low)}")
    return f"[{draw(st.sampled_from(forms))}{draw(st.sampled_from(['', '', '%25lo', '%lo']))}]"


names = st.sampled_from(
    ["localhost", "LOCALHOST", "localhost.", "inner.example", "mapped.example", "ｌocalhost", "loc%61lhost"]
)
ports = st.sampled_from(["", ":80", ":8080", ":0", ":99999", ":"])
credentials = st.sampled_from(["", "", "", "user@", "user:pw@", "8.8.8.8@", "8.8.8.8%40", "8.8.8.8#@", "8.8.8.8\\@"])
urls = st.tuples(
    st.sampled_from(["http://", "https://", "HTTP://", "http:/", "http:", "//"]),
    credentials,
    st.one_of(hosts_4(), hosts_6(), names),
    ports,
    st.sampled_from(["", "/", "/x?y=http://8.8.8.8", "?q", "#f"]),
).map("".join)


@pytest.fixture
def dialled(monkeypatch):
    """Addresses that were dialled; numeric names resolve as ever, the others to private places."""
    tried = []
    real = socket.getaddrinfo

    def getaddrinfo(host, port, **kwargs):
        if host.endswith(".example") or host.lower().rstrip(".") == "localhost":
            host = "::ffff:10.0.0.1" if host.startswith("mapped") else "127.0.0.1"
        return real(host, port, flags=socket.AI_NUMERICHOST, **kwargs)

    async def sock_connect(self, sock, address):
        tried.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setattr(asyncio.SelectorEventLoop, "sock_connect", sock_connect)
    return tried


@settings(
    max_examples=5_000 if SOAK else 150, deadline=None, derandomize=not SOAK, suppress_health_check=list(HealthCheck)
)
@given(url=urls)
def test_no_connection(dialled, url):
    param = {"name": "u", "type": "string", "required": True, "description": "d"}
    tool = ToolDefinition.model_validate(
        {"name": "t", "desc": "d", "params": [param], "steps": [{"url": "${param:u}"}]}
    )

    async def call():
        async with ToolRunner() as strict:
            return await strict.run(tool, {"u": url})

    dialled.clear()
    result = asyncio.run(call())
    private = [address for address in dialled if not address[0].startswith("8.8.8.8")]
    assert private == []
    assert result.error is not None
    assert result.error.kind in {"egress", "request"}
