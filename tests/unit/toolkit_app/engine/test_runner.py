"""Calls: parameters, flow, cache, limits, events."""

import asyncio
import gc
import json

import pytest
from aiohttp import web

from toolkit_app.engine import (
    CallFinished,
    EgressError,
    JumpTaken,
    ResponseReceived,
    StepFinished,
    StepStarted,
    ToolDefinition,
    ToolRunner,
    VariableExtracted,
    Warned,
    load_tool,
)
from toolkit_app.engine.call import Call

SPECIFIED = """
name: order_status
desc: Looks an order up
params:
  - name: order_id
    type: string
    required: true
    description: The order's number
env: [BASE_URL, CLIENT_ID, CLIENT_SECRET]
steps:
  - url: ${env:BASE_URL}/auth/token
    method: POST
    headers:
      Content-Type: application/json
    body: |
      {"client_id": "${env:CLIENT_ID}", "client_secret": "${env:CLIENT_SECRET}"}
    timeout: 15
    cache: true
    var:
      - name: token
        extract: access_token
        abort: true
    next: 1
  - url: ${env:BASE_URL}/orders/${param:order_id}
    method: GET
    headers:
      Authorization: Bearer ${step0:token}
    var:
      - name: status
        extract: data.status
      - name: amount
        extract: data.amount
    result: |
      订单号: ${param:order_id}
      状态: ${step1:status}
      金额: ${step1:amount}
"""


async def test_the_specified_example(server, runner):
    server.answer("/auth/token", '{"access_token": "T-1"}')
    server.answer("/orders/A-1", '{"data": {"status": "shipped", "amount": 12.50}}')
    env = {"BASE_URL": server.url, "CLIENT_ID": "id", "CLIENT_SECRET": 's"x'}
    result = await runner.run(load_tool(SPECIFIED), {"order_id": "A-1"}, env)
    assert result.error is None
    assert result.output == "订单号: A-1\n状态: shipped\n金额: 12.50\n"
    assert result.warnings == []
    token, order = result.steps
    assert (token.index, token.request.method, token.request.url) == (0, "POST", f"{server.url}/auth/token")
    assert json.loads(token.request.body) == {"client_id": "id", "client_secret": 's"x'}
    assert token.variables == {"token": "T-1"}
    assert (order.index, order.request.headers["authorization"], order.request.body) == (1, "Bearer T-1", None)
    assert (order.response.status, order.response.text) == (200, '{"data": {"status": "shipped", "amount": 12.50}}')
    assert order.variables == {"status": "shipped", "amount": 12.5}
    assert [(seen.method, seen.path) for seen in server.seen] == [("POST", "/auth/token"), ("GET", "/orders/A-1")]


async def test_the_specified_example_without_a_token(server, runner):
    env = {"BASE_URL": server.url, "CLIENT_ID": "id", "CLIENT_SECRET": "s"}
    result = await runner.run(load_tool(SPECIFIED), {"order_id": "A-1"}, env)
    assert result.output == "变量 token 提取失败"
    assert (result.error.kind, result.error.message, result.error.step) == ("extract", "变量 token 提取失败", 0)
    assert len(server.seen) == 1


def with_param(server, **param):
    fields = {"name": "p", "type": "string", "required": False, "description": "d", **param}
    step = {"url": server.url, "result": "${param:p}"}
    return ToolDefinition.model_validate({"name": "t", "desc": "d", "params": [fields], "steps": [step]})


@pytest.mark.parametrize(
    ("kind", "given", "text"),
    [
        ("string", "x", "x"), ("string", 5, "5"), ("string", True, "true"), ("string", "", ""),
        ("integer", 3, "3"), ("integer", "3", "3"), ("integer", "-3", "-3"), ("integer", 3.0, "3"),
        ("integer", 2**70, str(2**70)),
        ("number", 2.5, "2.5"), ("number", "2.5", "2.5"), ("number", "2.50", "2.50"), ("number", 3, "3"),
        ("number", "3", "3"),
        ("number", 0, "0"), ("integer", 0, "0"),
        ("boolean", True, "true"), ("boolean", False, "false"), ("boolean", "true", "true"),
        ("boolean", "false", "false"),
    ],
)  # fmt: skip
async def test_arguments_that_fit(server, runner, kind, given, text):
    result = await runner.run(with_param(server, type=kind), {"p": given})
    assert result.error is None
    assert result.output == text
    assert result.warnings == []


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("string", [1]), ("string", {"a": 1}), ("string", b"x"), ("string", float("nan")),
        ("integer", 3.5), ("integer", "3.5"), ("integer", "x"), ("integer", True), ("integer", ""), ("integer", [3]),
        ("integer", float("inf")), ("integer", "٣"), ("integer", "9" * 9999),
        ("number", True), ("number", "x"), ("number", float("nan")), ("number", float("inf")), ("number", "1e999"),
        ("number", "nan"),
        ("number", {}),
        ("boolean", 1), ("boolean", 0), ("boolean", "yes"), ("boolean", ""), ("boolean", []),
    ],
)  # fmt: skip
async def test_arguments_that_do_not_fit(server, runner, kind, given):
    result = await runner.run(with_param(server, type=kind), {"p": given})
    assert (result.error.kind, result.error.step) == ("params", None)
    assert "`p`" in result.error.message
    assert result.output == result.error.message
    assert server.seen == []


@pytest.mark.parametrize("kind", ["string", "integer", "number"])
async def test_numbers_too_long_to_be_written(server, runner, kind):
    assert (await runner.run(with_param(server, type=kind), {"p": 10**5000})).error.kind == "params"


async def test_a_missing_argument(server, runner):
    result = await runner.run(with_param(server, required=True))
    assert result.error.kind == "params"
    assert "`p`" in result.error.message
    assert (server.seen, result.steps) == ([], [])


@pytest.mark.parametrize("required", [True, False])
async def test_the_default_applies_when_absent(server, runner, required):
    tool = with_param(server, type="integer", required=required, default=7)
    assert (await runner.run(tool)).output == "7"
    assert (await runner.run(tool, {"p": 8})).output == "8"


async def test_unknown_arguments_are_ignored_with_a_warning(server, runner):
    result = await runner.run(with_param(server), {"p": "x", "q": 1, 5: 2})
    assert result.output == "x"
    assert len(result.warnings) == 2
    assert "`q`" in result.warnings[0]


async def test_arguments_must_be_an_object(server, runner):
    assert (await runner.run(with_param(server), ["x"])).error.kind == "params"


async def test_without_result_the_last_body_is_the_output(server, runner, tool_of):
    server.answer("/a", "first")
    server.answer("/b", "second\n")
    result = await runner.run(tool_of([{"url": server.url + "/a"}, {"url": server.url + "/b"}]))
    assert result.output == "second\n"


async def test_an_empty_result_ends_the_tool(server, runner, tool_of):
    result = await runner.run(tool_of([{"url": server.url, "result": "", "next": 1}, {"url": server.url}]))
    assert (result.output, len(server.seen)) == ("", 1)


async def test_next_skips(server, runner, tool_of):
    steps = [{"url": server.url + "/0", "next": 2}, {"url": server.url + "/1"}, {"url": server.url + "/2"}]
    result = await runner.run(tool_of(steps))
    assert [trace.index for trace in result.steps] == [0, 2]


async def test_failure_handling(server, runner, one_step):
    var = [{"name": "a", "extract": "x"}, {"name": "b", "extract": "x", "default": "d"}, {"name": "c", "extract": "y"}]
    server.answer("/", '{"y": 1}')
    result = await runner.run(one_step(url=server.url, var=var, result="[${step0:a}|${step0:b}|${step0:c}]"))
    assert result.output == "[|d|1]"
    assert result.steps[0].variables == {"a": "", "b": "d", "c": 1}


async def test_jump_to_another_source(server, runner, tool_of):
    server.answer("/1", '{"x": 5, "y": 6}')
    steps = [
        {
            "url": server.url + "/0",
            "var": [{"name": "x", "extract": "x", "jump": 1}, {"name": "y"}],
            "result": "never",
        },
        {"url": server.url + "/1", "var": [{"name": "x", "extract": "x"}], "result": "${step1:x}|${step0:y}"},
    ]
    result = await runner.run(tool_of(steps))
    assert result.output == "5|"
    assert result.steps[0].variables == {}


async def test_result_goes_before_next(server, runner, tool_of):
    result = await runner.run(tool_of([{"url": server.url, "next": 0, "result": "done"}]))
    assert result.output == "done"


async def test_step_limit(server, runner, one_step):
    result = await runner.run(one_step(url=server.url, next=0))
    assert (result.error.kind, result.error.step) == ("step_limit", 0)
    assert (len(server.seen), len(result.steps)) == (100, 100)


async def test_step_limit_is_a_setting(server, one_step, runner):
    async with ToolRunner(egress=runner.egress, max_steps=3) as small:
        result = await small.run(one_step(url=server.url, next=0))
    assert (result.error.kind, len(server.seen)) == ("step_limit", 3)


@pytest.mark.parametrize("target", [5, -1])
@pytest.mark.parametrize("field", ["next", "jump"])
async def test_targets_that_do_not_exist(server, runner, one_step, field, target):
    step = {"next": target} if field == "next" else {"var": [{"name": "a", "extract": "x", "jump": target}]}
    result = await runner.run(one_step(url=server.url, **step))
    assert (result.error.kind, result.error.step) == ("config", 0)


async def test_malformed_fields_of_a_tool_made_by_hand(server, runner, one_step):
    for extract, kind in (("a..b", "path_syntax"), ("/(/", "regex_syntax"), ("/a", "regex_syntax")):
        result = await runner.run(one_step(url=server.url, var=[{"name": "v", "extract": extract, "default": "d"}]))
        assert (result.error.kind, result.error.step) == (kind, 0)
        assert extract in result.error.message
    assert (await runner.run(one_step(url="${foo:x}"))).error.kind == "config"


async def test_a_changed_definition_is_seen(server, runner, one_step):
    tool = one_step(url=server.url, result="a")
    assert (await runner.run(tool)).output == "a"
    tool.steps[0].result = "b"
    assert (await runner.run(tool)).output == "b"


async def test_own_and_later_steps_are_empty_until_they_ran(server, runner, tool_of):
    server.answer("/", '{"n": 1}', '{"n": 2}', "{}")
    steps = [
        {
            "url": server.url + "/",
            "headers": {"X": "[${step0:n}${step1:m}]"},
            "var": [{"name": "n", "extract": "n", "jump": 1}],
            "next": 0,
        },
        {"url": server.url + "/end", "var": [{"name": "m"}], "result": "${step0:n}"},
    ]
    result = await runner.run(tool_of(steps))
    assert [seen.headers.get("X") for seen in server.seen] == ["[]", "[1]", "[2]", None]
    assert (result.output, result.warnings) == ("2", [])


@pytest.mark.parametrize("status", [199 + 5, 301, 404, 500])
async def test_a_status_is_no_failure(server, runner, one_step, status):
    server.answer("/", lambda _: web.Response(status=status, text="body"))
    result = await runner.run(one_step(url=server.url))
    assert result.error is None
    assert result.steps[0].response.status == status


async def test_a_refused_connection(runner, tool_of):
    var = [{"name": "a", "extract": "x", "jump": 1}, {"name": "b", "extract": "x", "default": "d"}]
    result = await runner.run(tool_of([{"url": "http://127.0.0.1:1/", "var": var}, {"url": "http://127.0.0.1:1/"}]))
    assert (result.error.kind, result.error.step) == ("request", 0)
    assert "127.0.0.1:1" in result.output
    assert (len(result.steps), result.steps[0].response) == (1, None)


async def test_time_out_covers_a_dripping_body(server, runner, one_step):
    async def drip(request):
        response = web.StreamResponse()
        await response.prepare(request)
        while True:
            await response.write(b"x")
            await asyncio.sleep(0.05)

    server.answer("/", drip)
    result = await runner.run(one_step(url=server.url, timeout=1))
    assert (result.error.kind, result.error.step) == ("request", 0)
    assert "`timeout`" in result.error.message


# cache


def cached(server, var, **more):
    return {"url": server.url + "/token", "cache": True, "var": var, **more}


VAR = [{"name": "token", "extract": "token"}]


async def test_cache_serves_the_second_visit(server, runner, tool_of):
    server.answer("/token", '{"token": "T", "n": null}')
    server.answer("/x", '{"go": 1}', "{}")
    var = [*VAR, {"name": "n", "extract": "n"}, {"name": "none", "extract": "none"}]
    steps = [
        cached(server, var),
        {"url": server.url + "/x", "var": [{"name": "go", "extract": "go", "jump": 2}], "next": 0},
        {"url": server.url + "/end", "result": "${step0:token}"},
    ]
    result = await runner.run(tool_of(steps))
    assert result.output == "T"
    assert [seen.path for seen in server.seen] == ["/token", "/x", "/x", "/end"]
    again = result.steps[2]
    assert (again.index, again.cached, again.response) == (0, True, None)
    assert again.request.url == server.url + "/token"
    assert again.variables == {"token": "T", "n": None, "none": ""}


async def test_cache_lives_for_one_call(server, runner, one_step):
    server.answer("/token", '{"token": "T"}')
    tool = one_step(**cached(server, VAR))
    await runner.run(tool)
    await runner.run(tool)
    assert len(server.seen) == 2


async def test_cache_is_shared_by_steps_with_the_same_request(server, runner, tool_of):
    server.answer("/token", '{"token": "T", "more": 1}')
    steps = [
        cached(server, VAR),
        cached(server, VAR),
        cached(server, [*VAR, {"name": "more", "extract": "more"}]),
        cached(server, VAR),
    ]
    result = await runner.run(tool_of(steps))
    assert [trace.cached for trace in result.steps] == [False, True, False, True]
    assert result.output == '{"token": "T", "more": 1}'


@pytest.mark.parametrize(
    "other",
    [
        {"headers": {"A": "b"}},
        {"method": "POST"},
        {"method": "POST", "body": "b"},
        {"query": [{"key": "k", "value": "v"}]},
        {"url": "/other"},
    ],
)
async def test_cache_key(server, runner, tool_of, other):
    step = cached(server, VAR)
    changed = {**step, **other}
    if "url" in other:
        changed["url"] = server.url + other["url"]
    await runner.run(tool_of([step, changed]))
    assert len(server.seen) == 2


async def test_a_cached_step_without_var_never_hits(server, runner, tool_of):
    await runner.run(tool_of([cached(server, []), cached(server, [])]))
    assert len(server.seen) == 2


async def test_a_missing_key_is_asked_for_again(server, runner, tool_of):
    server.answer("/token", "{}", '{"token": "T"}')
    var = [{"name": "token", "extract": "token", "jump": 1}]
    result = await runner.run(tool_of([cached(server, var), cached(server, var)]))
    assert [trace.cached for trace in result.steps] == [False, False]


# extras


async def test_guard_sees_every_request_and_hop(server, runner, tool_of):
    server.answer("/a", lambda _: web.Response(status=302, headers={"Location": "/b"}))
    seen = []
    steps = [
        {"url": server.url + "/a"},
        {"url": server.url + "/c", "method": "POST", "headers": {"X": "${param:a}"}, "body": "${param:a}"},
    ]
    await runner.run(
        tool_of(steps),
        {"a": "v"},
        guard=lambda request: seen.append((request.method, request.url, request.headers.get("X"), request.body)),
    )
    assert seen == [
        ("GET", server.url + "/a", None, None),
        ("GET", server.url + "/b", None, None),
        ("POST", server.url + "/c", "v", b"v"),
    ]


async def test_guard_refuses(server, runner, one_step):
    def guard(request):
        raise EgressError("not there")

    result = await runner.run(one_step(url=server.url), guard=guard)
    assert (result.error.kind, result.error.message, result.error.step) == ("egress", "not there", 0)
    assert server.seen == []


async def test_idempotency_keys(server, runner, tool_of):
    steps = [
        {"url": server.url},
        {"url": server.url, "method": "POST"},
        {"url": server.url, "method": "DELETE", "headers": {"idempotency-key": "own"}},
        {"url": server.url, "method": "PUT"},
    ]
    await runner.run(tool_of(steps), idempotency_key=lambda ordinal: f"k{ordinal}")
    assert [seen.headers.get("Idempotency-Key", seen.headers.get("idempotency-key")) for seen in server.seen] == [
        None,
        "k1",
        "own",
        "k3",
    ]


@pytest.mark.parametrize("more", [{}, {"next": 2}, {"next": 0}])
async def test_until_step(server, runner, tool_of, more):
    server.answer("/1", "one")
    steps = [{"url": server.url + "/0"}, {"url": server.url + "/1", **more}, {"url": server.url + "/2"}]
    result = await runner.run(tool_of(steps), until_step=1)
    assert (result.output, len(server.seen)) == ("one", 2)


async def test_until_step_with_a_result(server, runner, tool_of):
    result = await runner.run(tool_of([{"url": server.url, "result": "r"}, {"url": server.url}]), until_step=0)
    assert result.output == "r"


async def test_a_runner_without_a_context(server, runner, one_step):
    other = ToolRunner(egress=runner.egress)
    assert (await other.run(one_step(url=server.url))).error is None
    await other.aclose()


# events


async def test_events_in_order(server, runner, tool_of):
    server.answer("/0", "{}")
    server.answer("/1", '{"v": 1.50}')
    steps = [
        {
            "url": server.url + "/0",
            "var": [{"name": "d", "extract": "x", "default": "z"}, {"name": "x", "extract": "x", "jump": 1}],
        },
        {"url": server.url + "/1", "var": [{"name": "v", "extract": "v"}, {"name": "e", "extract": "e"}], "next": 2},
        {"url": server.url + "/2", "result": "${param:q}"},
    ]
    events = [event async for event in runner.stream(tool_of(steps))]
    assert [type(event) for event in events] == [
        StepStarted, ResponseReceived, VariableExtracted, JumpTaken, StepFinished,
        StepStarted, ResponseReceived, VariableExtracted, VariableExtracted, JumpTaken, StepFinished,
        StepStarted, ResponseReceived, Warned, StepFinished, CallFinished,
    ]  # fmt: skip
    assert (events[2].name, events[2].value, events[2].missing) == ("d", "z", "default")
    assert events[3] == JumpTaken(0, 0, 1, "jump", "x")
    assert (events[7].value, events[7].text, events[7].missing, events[7].visit) == (1.5, "1.50", None, 1)
    assert (events[8].value, events[8].missing) == ("", "empty")
    assert events[9] == JumpTaken(1, 1, 2, "next", None)
    response = events[6]
    assert (response.response.status, response.response.size, response.cached) == (200, 11, False)
    assert response.response.content_type == "application/json"
    assert response.duration_ms >= 0
    result = await runner.run(tool_of(steps))
    assert events[-1].result.output == result.output
    assert events[-1].result.warnings == result.warnings


async def test_a_failure_is_the_last_event(runner, one_step):
    events = [event async for event in runner.stream(one_step(url="http://127.0.0.1:1/"))]
    assert [type(event) for event in events] == [StepStarted, CallFinished]
    assert events[-1].result.error.kind == "request"


async def test_stepped_before_expansion(runner, one_step):
    events = [event async for event in runner.stream(one_step(url="${foo:x}"))]
    assert [type(event) for event in events] == [StepStarted, CallFinished]


async def test_cached_visits_have_events(server, runner, tool_of):
    server.answer("/token", '{"token": "T"}')
    events = [event async for event in runner.stream(tool_of([cached(server, VAR), cached(server, VAR)]))]
    received = [event for event in events if isinstance(event, ResponseReceived)]
    assert [(event.cached, event.response is None) for event in received] == [(False, False), (True, True)]
    assert sum(isinstance(event, VariableExtracted) for event in events) == 2


async def test_a_fault_of_our_own_is_raised_not_hung(server, runner, one_step):
    def broken(ordinal):
        raise LookupError("no key")

    with pytest.raises(LookupError):
        async for _ in runner.stream(one_step(url=server.url, method="POST"), idempotency_key=broken):
            pass


# cancelling and many at once


async def test_cancelling_closes_the_connection(raw_server, runner, one_step):
    closed = asyncio.Event()
    begun = asyncio.Event()

    async def hold(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        begun.set()
        await reader.read()
        closed.set()

    url = await raw_server(hold)
    task = asyncio.create_task(runner.run(one_step(url=url)))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(closed.wait(), 5)


async def test_leaving_a_stream_cancels_the_call(raw_server, runner, one_step):
    closed = asyncio.Event()

    async def hold(reader, writer):
        await reader.read()
        closed.set()

    events = runner.stream(one_step(url=await raw_server(hold)))
    await anext(events)
    await asyncio.sleep(0)
    await events.aclose()
    assert len(asyncio.all_tasks()) <= 2 or closed.is_set()


async def test_many_calls_at_once_do_not_mix(server, runner, tool_of):
    async def echo(request):
        await asyncio.sleep(0.01)
        return web.json_response({"v": request.query["v"]})

    server.answer("/echo", echo)
    steps = [
        {
            "url": server.url + "/echo",
            "query": [{"key": "v", "value": "${param:a}"}],
            "var": [{"name": "v", "extract": "v"}],
        },
        {
            "url": server.url + "/echo",
            "query": [{"key": "v", "value": "${step0:v}"}],
            "var": [{"name": "v", "extract": "v"}],
            "result": "${step1:v}",
        },
    ]
    tool = tool_of(steps)
    results = await asyncio.gather(*(runner.run(tool, {"a": f"value-{number}"}) for number in range(200)))
    assert [result.output for result in results] == [f"value-{number}" for number in range(200)]


async def test_no_cookies_from_one_request_to_the_next(server, runner, tool_of):
    server.answer("/", lambda _: web.Response(text="{}", headers={"Set-Cookie": "a=b; Path=/"}))
    await runner.run(tool_of([{"url": server.url + "/"}, {"url": server.url + "/"}]))
    assert "Cookie" not in server.seen[1].headers


async def test_headers_that_are_no_text_are_readable(raw_server, runner, one_step):
    url = await raw_server(b"HTTP/1.1 200 \xff\r\nX-A: \xff\r\nContent-Type: text/\xfe\r\nContent-Length: 0\r\n\r\n")
    result = await runner.run(one_step(url=url))
    if result.error is None:
        response = result.steps[0].response
        (response.reason + response.content_type + "".join(response.headers.values())).encode()


@pytest.mark.parametrize("field", ["url", "body", "headers"])
async def test_refused_requests_can_be_stored(server, runner, one_step, field):
    value = "\ud800${param:a}"
    step = {field: {"X": value} if field == "headers" else value}
    result = await runner.run(one_step(**{"url": server.url, "method": "POST", **step}), {"a": "\udfff"})
    assert result.error is not None
    request = result.steps[0].request
    if request is not None:
        (request.url + (request.body or "") + "".join(request.headers.values())).encode()


async def test_a_url_without_end(server, runner, one_step):
    result = await runner.run(one_step(url=server.url + "/${param:a}"), {"a": "x" * 100_000})
    assert result.error.kind == "request"
    assert "too long" in result.error.message


async def test_a_fault_of_the_guard_is_no_failure_of_the_request(server, runner, one_step):
    def guard(request):
        raise LookupError("broken guard")

    with pytest.raises(LookupError):
        await runner.run(one_step(url=server.url), guard=guard)
    assert server.seen == []


async def test_all_answers_of_a_call_are_bounded(server, runner, one_step, monkeypatch):
    monkeypatch.setattr("toolkit_app.engine.call.MAX_HELD", 10_000)
    async with ToolRunner(egress=runner.egress, max_response_bytes=4_000) as small:
        server.answer("/", "x" * 3_000)
        result = await small.run(one_step(url=server.url + "/", next=0))
    assert (result.error.kind, result.error.step, len(server.seen)) == ("too_large", 0, 4)


async def test_a_call_goes_when_it_has_ended(server, runner, one_step):
    """Its answers may be large, and the collector of circles comes late: large texts don't call it."""
    server.answer("/", '{"a": 1}')
    gc.collect()
    gc.disable()
    before = sum(type(kept) is Call for kept in gc.get_objects())
    try:
        for more in ({}, {"var": [{"name": "v", "extract": "b", "abort": True}]}, {"result": "${param:a}"}):
            await runner.run(one_step(url=server.url, **more))
            async for _ in runner.stream(one_step(url=server.url, **more)):
                pass
        await asyncio.sleep(0)
        assert sum(type(kept) is Call for kept in gc.get_objects()) == before
    finally:
        gc.enable()
