"""Values in templates, position by position."""

import pytest

from toolkit_app.engine import FieldReference, tool_references
from toolkit_app.engine.template import parse_template

JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


async def sent(server, runner, tool, **values):
    """The last request that a server sees of a call."""
    params = {name: value for name, value in values.items() if name in "ab"}
    env = {name: value for name, value in values.items() if name not in "ab"}
    result = await runner.run(tool, params, {"BASE": server.url, **env})
    assert result.error is None, result.error
    return server.seen[-1]


async def body(server, runner, one_step, template, headers, **values):
    tool = one_step(url="${env:BASE}/", method="POST", headers=headers, body=template)
    return (await sent(server, runner, tool, **values)).body.decode()


HOSTILE = "a/b?c&d=e#f%20 +\"'<>ä中"
ENCODED = "a%2Fb%3Fc%26d%3De%23f%2520%20%2B%22%27%3C%3E%C3%A4%E4%B8%AD"


async def test_url_encodes_all_but_unreserved(server, runner, one_step):
    seen = await sent(server, runner, one_step(url="${env:BASE}/x/${param:a}/-._~"), a=HOSTILE)
    assert seen.path == f"/x/{ENCODED}/-._~"


async def test_url_takes_the_environment_and_position_0_as_they_are(server, runner, one_step):
    assert (
        await sent(server, runner, one_step(url="${param:a}/y?${env:KEY}"), a=server.url, KEY="q=1&r=/")
    ).path == "/y?q=1&r=/"


async def test_url_keeps_paths_exactly(server, runner, one_step):
    assert (
        await sent(server, runner, one_step(url="${env:BASE}/a%2fb/../%7E/{x}?q='"))
    ).path == "/a%2fb/../%7E/{x}?q='"


async def test_url_encodes_other_non_ascii(server, runner, one_step):
    assert (await sent(server, runner, one_step(url="${env:BASE}/ü?中=1#frag"))).path == "/%C3%BC?%E4%B8%AD=1"


async def test_query_keeps_order_repeats_and_what_is_there(server, runner, one_step):
    query = [{"key": "k", "value": "2"}, {"key": "a b", "value": "${param:a}"}, {"key": "k", "value": ""}]
    seen = await sent(server, runner, one_step(url="${env:BASE}/?z=0#f", query=query), a=HOSTILE)
    assert seen.query == [("z", "0"), ("k", "2"), ("a b", HOSTILE), ("k", "")]


async def test_keys_of_the_query_are_no_templates(server, runner, one_step):
    seen = await sent(server, runner, one_step(url="${env:BASE}/", query=[{"key": "${param:a}", "value": "1"}]), a="x")
    assert seen.query == [("${param:a}", "1")]


async def test_header_value(server, runner, one_step):
    seen = await sent(server, runner, one_step(url="${env:BASE}/", headers={"X-A": "t ${param:a}"}), a="a:ü")
    assert seen.headers["X-A"] == "t a:ü"


@pytest.mark.parametrize("value", ["a\rb", "a\nb", "a\r\nX: y", "a\x00b", "a\x1b", "\ud800"])
async def test_header_values_that_are_refused(server, runner, one_step, value):
    result = await runner.run(one_step(url=server.url, headers={"X-A": "${param:a}"}), {"a": value})
    assert result.error.kind == "header"
    assert result.error.step == 0
    assert "X-A" in result.error.message
    assert server.seen == []


@pytest.mark.parametrize("content_type", ["application/json", "APPLICATION/JSON; charset=utf-8", "application/ld+json"])
async def test_json_inside_a_string(server, runner, one_step, content_type):
    text = await body(
        server, runner, one_step, '{"a": "x${param:a}y\\"${param:b}"}', {"content-type": content_type}, a='"\n\\', b="ü"
    )
    assert text == '{"a": "x\\"\\n\\\\y\\"ü"}'


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plain", '"plain"'),
        ("12", "12"),
        ("1.50", "1.50"),
        ("true", "true"),
        ("null", "null"),
        ('{"x": [1]}', '{"x": [1]}'),
        ('"q"', '"q"'),
        ("", '""'),
        ("NaN", '"NaN"'),
        ("01", '"01"'),
        ("-", '"-"'),
        ('{"x": ', '"{\\"x\\": "'),
        ('1, "admin": true', '"1, \\"admin\\": true"'),
        ("[" * 5000, '"' + "[" * 5000 + '"'),
        ("9" * 5000, "9" * 5000),
    ],
)
async def test_json_outside_a_string(server, runner, one_step, value, expected):
    assert await body(server, runner, one_step, '{"a": ${param:a}}', JSON, a=value) == f'{{"a": {expected}}}'


async def test_json_outside_a_string_from_an_answer(server, runner, tool_of):
    server.answer("/", '{"n":1.10,"i":-0,"t":true,"z":null,"l":[1.0,{"ü":1e2}],"s":"x","big":12345678901234567890}')
    names = ["n", "i", "t", "z", "l", "s", "big"]
    steps = [
        {"url": server.url, "var": [{"name": name, "extract": name} for name in names]},
        {
            "url": server.url,
            "method": "POST",
            "headers": JSON,
            "body": " ".join(f"${{step0:{name}}}" for name in [*names]),
        },
        {"url": server.url, "result": "|".join(f"${{step0:{name}}}" for name in names)},
    ]
    result = await runner.run(tool_of(steps))
    assert server.seen[1].body.decode() == '1.10 -0 true null [1.0,{"ü":1e2}] "x" 12345678901234567890'
    assert result.output == '1.10|-0|true||[1.0,{"ü":1e2}]|x|12345678901234567890'
    assert result.steps[0].variables["l"] == [1.0, {"ü": 100.0}]
    assert type(result.steps[0].variables["n"]) is float
    assert type(result.steps[0].variables["i"]) is int


async def test_missing_is_an_empty_string_in_json(server, runner, tool_of):
    steps = [
        {
            "url": server.url,
            "method": "PUT",
            "headers": JSON,
            "body": '[${param:a}, "${step0:x}", ${step0:x}]',
            "var": [{"name": "x"}],
        }
    ]
    await runner.run(tool_of(steps))
    assert server.seen[0].body.decode() == '["", "", ""]'


async def test_lone_surrogates_are_escaped_in_json(server, runner, one_step):
    assert (
        await body(server, runner, one_step, '["${param:a}", ${param:a}]', JSON, a="x\ud800")
        == '["x\\ud800", "x\\ud800"]'
    )


async def test_form_encodes_everything(server, runner, one_step):
    assert (
        await body(server, runner, one_step, "a=${param:a}&k=${env:KEY}", FORM, a=HOSTILE, KEY="&x=1")
        == f"a={ENCODED}&k=%26x%3D1"
    )


async def test_other_bodies_as_they_are(server, runner, one_step):
    assert await body(server, runner, one_step, "<a>${param:a}</a>", {}, a='"&<') == '<a>"&<</a>'
    assert "Content-Type" not in server.seen[-1].headers


@pytest.mark.parametrize("value", ["${env:KEY}", "$${env:KEY}", "${step0:x}", "${"])
async def test_a_value_is_never_expanded_again(server, runner, tool_of, value):
    step = {
        "url": "${env:BASE}/${param:a}", "method": "POST", "headers": {"X": "${param:a}"}, "body": "${param:a}",
        "query": [{"key": "q", "value": "${param:a}"}], "result": "${param:a}",
    }  # fmt: skip
    result = await runner.run(tool_of([step]), {"a": value}, {"BASE": server.url, "KEY": "SECRET"})
    assert result.output == value
    seen = server.seen[0]
    assert "SECRET" not in str(seen)
    assert (seen.headers["X"], seen.body.decode(), dict(seen.query)["q"]) == (value, value, value)


async def test_literal_reference(server, runner, one_step):
    result = await runner.run(one_step(url=server.url, result="$${param:a} ${param:a}$$ $x"), {"a": "1"})
    assert result.output == "${param:a} 1$$ $x"


async def test_undefined_and_unset_are_empty_with_a_warning(server, runner, one_step):
    tool = one_step(url=server.url, result="[${param:nope}|${param:a}|${env:KEY}|${env:HOME}|${param:nope}]")
    result = await runner.run(tool, {}, {"HOME": "/root"})
    assert result.output == "[||||]"
    assert len(result.warnings) == 4
    for name in ("param:nope", "param:a", "KEY", "env:HOME"):
        assert any(name in warning for warning in result.warnings)


async def test_the_own_environment_is_never_read(server, runner, one_step, monkeypatch):
    monkeypatch.setenv("KEY", "mine")
    assert (await runner.run(one_step(url=server.url, result="[${env:KEY}]"))).output == "[]"


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("http://h/a b", "request"),
        ("http://h/\r\nX: y", "request"),
        ("http://h/\x00", "request"),
        ("http://h\\@evil/", "request"),
        ("http://h/\ud800", "request"),
        ("http://user:pw@h/", "request"),
        ("http://", "request"),
        ("http:///x", "request"),
        ("http://h:0/", "request"),
        ("http://h:99999/", "request"),
        ("http://h:x/", "request"),
        ("http://[::1/", "request"),
        ("http://[x]/", "request"),
        ("http://%31/", "request"),
        ("http://a_b c/", "request"),
        ("http://\u2028/", "request"),
        ("/relative", "request"),
        ("h/x", "request"),
        ("", "request"),
        ("localhost:8000/x", "request"),
        ("ftp://h/", "egress"),
        ("file:///etc/passwd", "egress"),
        ("gopher://h/", "egress"),
        ("javascript:alert(1)", "egress"),
        ("data:text/plain,x", "egress"),
    ],
)
async def test_urls_that_are_refused(runner, one_step, url, kind):
    result = await runner.run(one_step(url="${param:a}"), {"a": url})
    assert (result.error.kind, result.error.step) == (kind, 0)
    assert "pw" not in result.error.message


@pytest.mark.parametrize("field", ["url", "query", "form"])
async def test_lone_surrogates_elsewhere(server, runner, one_step, field):
    step = {
        "url": {"url": server.url + "/${param:a}"},
        "query": {"url": server.url, "query": [{"key": "k", "value": "${param:a}"}]},
        "form": {"url": server.url, "method": "POST", "headers": FORM, "body": "${param:a}"},
    }[field]
    result = await runner.run(one_step(**step), {"a": "\udfff"})
    assert result.error.kind == "request"
    assert server.seen == []


async def test_lone_surrogate_in_a_plain_body_and_result(server, runner, one_step):
    result = await runner.run(one_step(url=server.url, method="POST", body="${param:a}"), {"a": "\udfff"})
    assert result.error.kind == "request"
    result = await runner.run(one_step(url=server.url, result="x${param:a}"), {"a": "\udfff"})
    assert result.output == "x?"


def test_string_state_in_json():
    template = parse_template('{"a\\"": ${param:x}, "b": "${param:y}${param:z}", "c${param:k}": ${param:v}}')
    assert [(reference.name, reference.in_string) for reference in template.references] == [
        ("x", False), ("y", True), ("z", True), ("k", True), ("v", False),
    ]  # fmt: skip


def test_references_of_a_tool(tool_of):
    tool = tool_of(
        [
            {"url": "${env:BASE}/${param:a}", "headers": {"Authorization": "${env:KEY}"}, "var": [{"name": "x"}]},
            {
                "url": "http://x/",
                "query": [{"key": "k", "value": "${step0:x}"}],
                "body": "${param:b}",
                "result": "${step0:x}",
            },
        ]
    )
    assert tool_references(tool) == [
        FieldReference(0, "url", "env", None, "BASE"),
        FieldReference(0, "url", "param", None, "a"),
        FieldReference(0, "headers.Authorization", "env", None, "KEY"),
        FieldReference(1, "query[0].value", "step", 0, "x"),
        FieldReference(1, "body", "param", None, "b"),
        FieldReference(1, "result", "step", 0, "x"),
    ]
