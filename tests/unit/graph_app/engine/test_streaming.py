"""Streams: what happens in a run, in order, to those whom it concerns."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from graph_app.engine import (
    GraphBuilder,
    StreamCtx,
    WaitForAnswer,
    current_ctx,
    get_stream_writer,
    set_streaming_handler,
    stream_writer_env,
)
from tests.unit.graph_app.engine.graphs import Log


@pytest.fixture(autouse=True)
def _no_handler() -> Iterator[None]:
    yield
    set_streaming_handler(None)


async def say(state: Any, stream_writer: Any) -> dict[str, Any]:
    for index in range(3):
        stream_writer.put(index)
        await asyncio.sleep(0)
    return {"log": ["said"]}


def say_sync(state: Any, *, stream_writer: Any) -> dict[str, Any]:
    for index in range(3):
        stream_writer.put(index)
    return {"log": ["said"]}


def graph(*nodes: Any, **build: Any) -> Any:
    builder = GraphBuilder(state_schema=Log)
    for index, node in enumerate(nodes):
        builder.add_node(f"n{index}", node)
        if index:
            builder.add_edge(f"n{index - 1}", f"n{index}")
    builder.set_entry_point("n0")
    return builder.build(**build)


async def collect(engine: Any, inputs: Any = None, **more: Any) -> list[Any]:
    return [event async for event in engine.stream(inputs or {}, **more)]


async def test_everything_that_happens_in_order() -> None:
    events = await collect(graph(say, say_sync), {"total": 1})
    kinds = [(event.type, event.node) for event in events]
    assert kinds == [
        ("run.started", None),
        ("node.started", "n0"), *[("node.output", "n0")] * 3, ("node.finished", "n0"), ("edge.taken", "n0"),
        ("node.started", "n1"), *[("node.output", "n1")] * 3, ("node.finished", "n1"), ("edge.taken", "n1"),
        ("run.finished", None),
    ]  # fmt: skip
    assert [event.data["chunk"] for event in events if event.type == "node.output"] == [0, 1, 2, 0, 1, 2]
    assert events[0].data == {"inputs": {"total": 1}}
    assert events[-1]["data"]["output"]["log"] == ["said", "said"]
    assert len({event.run_id for event in events}) == 1
    assert [event.visit for event in events if event.type == "node.started"] == [1, 2]
    assert {"type", "run_id", "path", "node", "visit", "within", "data"} == set(events[0].asdict())


async def test_the_edges_that_are_taken() -> None:
    builder = GraphBuilder(state_schema=Log)
    builder.add_node("a", lambda state: {"log": ["a"]})
    builder.add_node("b", lambda state: None)
    builder.add_condition_edge("a", lambda state: [("b", lambda state: {"log": ["f"]}), "end"], ["b", "end"])
    builder.set_entry_point("a")
    taken = [event.data for event in await collect(builder.build()) if event.type == "edge.taken"]
    assert taken == [
        {"edge": 0, "source": "a", "target": "b", "state": {"log": ["f"]}},
        {"edge": 0, "source": "a", "target": "end"},
        {"edge": 0, "source": "b", "target": "end"},
    ]


async def test_nested_graphs_tell_their_path() -> None:
    events = await collect(graph(graph(say)))
    inner = [event for event in events if event.path]
    assert [event.type for event in inner] == [
        "node.started", "node.output", "node.output", "node.output", "node.finished", "edge.taken",
    ]  # fmt: skip
    assert {(event.path, event.within) for event in inner} == {(("n0",), (1,))}
    assert len({event.run_id for event in events}) == 1


async def test_a_graph_that_a_sync_node_runs_in_its_own_loop_is_told_too() -> None:
    inner = graph(say)

    def node(state: Any) -> Any:
        return {"log": asyncio.run(inner.run({}))["log"]}

    events = await collect(graph(node))
    assert [event.type for event in events if event.path == ("n0",)].count("node.output") == 3
    assert events[-1].data["output"]["log"] == ["said"]


async def test_two_runs_never_see_each_others_events() -> None:
    engine = graph(say)
    runs = await asyncio.gather(*(collect(engine, {"total": index}) for index in range(5)))
    assert len({events[0].run_id for events in runs}) == 5
    assert all(len({event.run_id for event in events}) == 1 for events in runs)
    assert [events[-1].data["output"]["total"] for events in runs] == [0, 1, 2, 3, 4]


async def test_a_failure() -> None:
    async def bad(state: Any) -> None:
        raise ValueError("no")

    async def slow(state: Any) -> None:
        await asyncio.Event().wait()

    builder = GraphBuilder(state_schema=Log)
    for name, node in (("a", say), ("bad", bad), ("slow", slow)):
        builder.add_node(name, node)
    builder.add_edge("a", "slow")
    builder.add_edge("a", "bad")
    builder.set_entry_point("a")
    events = await collect(builder.build())
    last = [(event.type, event.node) for event in events[-3:]]
    assert last == [("node.failed", "bad"), ("node.skipped", "slow"), ("run.failed", "bad")]
    assert events[-2].data == {"reason": "stopped"}
    assert events[-1].error is not None
    assert events[-1].error.finished == ("a",)  # type: ignore[attr-defined]


async def test_reaching_max_turn_is_a_warning() -> None:
    events = await collect(graph(say, say, max_turn=2))
    assert [event.type for event in events[-2:]] == ["warning", "run.finished"]
    assert "max_turn of 2" in events[-2].data["message"]


async def test_who_stops_early_stops_the_run() -> None:
    stopped = asyncio.Event()

    async def wait(state: Any) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    stream = graph(wait).stream({})
    async for event in stream:
        if event.type == "node.started":
            break
    await stream.aclose()
    assert stopped.is_set()
    assert len(asyncio.all_tasks()) == 1


async def test_a_question_is_told_and_the_run_can_go_on() -> None:
    async def ask(state: Any) -> None:
        raise WaitForAnswer({"question": "?"})

    engine = graph(say, ask, say)
    events = await collect(engine)
    assert [event.type for event in events[-2:]] == ["node.waiting", "run.suspended"]
    assert events[-2].data == {"question": {"question": "?"}}
    suspended = events[-1].data["suspended"]
    frontier, ready = suspended.frontier.complete(events[-2].visit, {"log": ["answer"]})
    more = await collect(engine, frontier=frontier, visits=ready, run_id=suspended.run_id)
    assert more[-1].data["output"]["log"] == ["said", "answer", "said"]
    assert {event.run_id for event in more} == {events[0].run_id}


@pytest.mark.parametrize("node", [say, say_sync])
async def test_a_handler_gets_the_fields_of_the_context_and_the_payload(node: Any) -> None:
    got: list[Any] = []
    set_streaming_handler(got.append)
    await graph(node).run({})
    assert [message["payload"] for message in got] == [0, 1, 2]
    assert all(set(message) == {"node_name", "call_id", "payload"} for message in got)
    assert {message["node_name"] for message in got} == {"n0"}
    assert len({message["call_id"] for message in got}) == 1


async def test_an_async_handler_is_drained_before_run_returns() -> None:
    got: list[Any] = []

    async def handler(message: dict[str, Any]) -> None:
        await asyncio.sleep(0.001)
        got.append(message["payload"])

    set_streaming_handler(handler)
    await graph(say, graph(say_sync)).run({})
    assert got == [0, 1, 2, 0, 1, 2]


@pytest.mark.parametrize("is_async", [True, False])
async def test_a_failing_handler_fails_no_run(is_async: bool, caplog: pytest.LogCaptureFixture) -> None:
    def handler(message: dict[str, Any]) -> None:
        raise ValueError("handler")

    async def async_handler(message: dict[str, Any]) -> None:
        raise ValueError("handler")

    set_streaming_handler(async_handler if is_async else handler)
    assert (await graph(say).run({}))["log"] == ["said"]
    assert "the streaming handler failed" in caplog.text


def test_the_context_by_itself() -> None:
    assert not current_ctx()
    got: list[Any] = []
    set_streaming_handler(got.append)
    with stream_writer_env(StreamCtx(call_id="1", node_name="a", meta={"x": 1})):
        assert current_ctx()
        with stream_writer_env(StreamCtx(tool_name="t", meta={"y": 2})):
            get_stream_writer().put("in")
        get_stream_writer().put("out")
    get_stream_writer().put("none")
    assert got == [
        {"call_id": "1", "node_name": "a", "tool_name": "t", "meta": {"x": 1, "y": 2}, "payload": "in"},
        {"call_id": "1", "node_name": "a", "meta": {"x": 1}, "payload": "out"},
        {"payload": "none"},
    ]
    assert repr(StreamCtx(node_name="a")) == "StreamCtx(node_name='a')"


def test_an_async_handler_without_a_loop() -> None:
    got: list[Any] = []

    async def handler(message: dict[str, Any]) -> None:
        got.append(message)

    set_streaming_handler(handler)
    get_stream_writer().put("x")
    assert got == [{"payload": "x"}]


async def test_a_context_inside_a_node_adds_to_the_nodes_own() -> None:
    got: list[Any] = []
    set_streaming_handler(got.append)

    async def node(state: Any) -> None:
        assert current_ctx().node_name == "n0"
        with stream_writer_env(StreamCtx(tool_name="t")):
            get_stream_writer().put("x")

    await graph(node, say).run({})
    assert got[0]["tool_name"] == "t"
    assert got[0]["node_name"] == "n0"
    assert "tool_name" not in got[1]
    assert not current_ctx()
