"""URLs as they are sent."""

import pytest

from toolkit_app.engine import EgressError, RequestError
from toolkit_app.engine.urls import parse_target, redirect_target


@pytest.mark.parametrize(
    ("url", "sent", "host", "port"),
    [
        ("http://Example.COM", "http://example.com/", "example.com", 80),
        ("HTTPS://example.com:443/x", "https://example.com/x", "example.com", 443),
        ("http://example.com:8080?q#f", "http://example.com:8080/?q", "example.com", 8080),
        ("http://example.com:/x", "http://example.com/x", "example.com", 80),
        ("http://bücher.example/ü?ü", "http://xn--bcher-kva.example/%C3%BC?%C3%BC", "xn--bcher-kva.example", 80),
        ("http://BÜCHER。example/", "http://xn--bcher-kva.example/", "xn--bcher-kva.example", 80),
        ("http://[2606:4700:0::1]:81/", "http://[2606:4700::1]:81/", "2606:4700::1", 81),
        ("http://a_b.internal/", "http://a_b.internal/", "a_b.internal", 80),
        ("http://example.com./", "http://example.com./", "example.com", 80),
        ("http://example.com/a%2Fb/../c;x?y=[1]|{}", "http://example.com/a%2Fb/../c;x?y=[1]|{}", "example.com", 80),
        ("http://example.com/a\u00a0b", "http://example.com/a%C2%A0b", "example.com", 80),
        ("http://example.com/@x:y", "http://example.com/@x:y", "example.com", 80),
    ],
)
def test_targets(url, sent, host, port):
    target = parse_target(url)
    assert (target.url, target.host, target.port) == (sent, host, port)
    assert str(target.wire) == sent


@pytest.mark.parametrize(
    "url", ["http://\u2f00.\u0000/", "http://a..b\u00fc/", "http://-\u00fc-/", "http://xn--\u00fc/", "http://..../"]
)
def test_hosts_that_are_none(url):
    with pytest.raises(RequestError):
        parse_target(url)


@pytest.mark.parametrize(
    ("location", "url"),
    [
        ("/x", "http://h:1/x"),
        ("x", "http://h:1/a/x"),
        ("../x", "http://h:1/x"),
        ("?q", "http://h:1/a/b?q"),
        ("//other/x", "http://other/x"),
        ("https://other", "https://other/"),
        ("/a b\tc", "http://h:1/a%20b%09c"),
        ("/\udcfc", "http://h:1/%FC"),
    ],
)
def test_redirects(location, url):
    assert redirect_target(parse_target("http://h:1/a/b?x"), location).url == url


@pytest.mark.parametrize("location", ["ftp://h/", "javascript:x", "file:///etc/passwd"])
def test_redirects_elsewhere(location):
    with pytest.raises(EgressError):
        redirect_target(parse_target("http://h/"), location)


async def test_the_own_headers_of_the_engine(server, runner, one_step):
    for name in ("Content-Length", "transfer-encoding", "Expect", "a b"):
        result = await runner.run(one_step(url=server.url, headers={name: "1"}))
        assert result.error.kind == "header"
    assert server.seen == []
