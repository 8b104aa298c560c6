"""Runs: scheduling, joins, limits, failures, time-outs, isolation, nesting."""

from __future__ import annotations

import asyncio
import functools
import operator
import threading
from typing import Annotated, Any, TypedDict

import pytest
from pydantic import BaseModel, ConfigDict, Field

from graph_app.engine import (
    AssistantMessage,
    AsyncNode,
    AsyncStreamNode,
    GraphBuilder,
    GraphEngine,
    GraphError,
    GraphMode,
    GraphRunError,
    JoinWaitingError,
    NodeError,
    NodeResult,
    RoutingError,
    StateError,
    StateMessage,
    Suspended,
    SyncNode,
    SyncStreamNode,
    UserMessage,
    WaitForAnswer,
    current_visit,
)


class Log(TypedDict):
    log: Annotated[list, "append"]
    n: Annotated[int, "overwrite"]
    total: Annotated[int, operator.add]
    table: Annotated[dict, "merge"]


def note(name: str, **more: Any) -> Any:
    async def node(state: Any) -> dict[str, Any]:
        return {"log": [name], **more}

    return node


def wired(edges: str, schema: Any = Log, *, alls: str = "", nodes: dict[str, Any] | None = None, **build: Any) -> Any:
    """Build from ``a>b b>c``; every node notes its name; the first one is the entry."""
    builder = GraphBuilder(state_schema=schema)
    pairs = [pair.split(">") for pair in edges.split()]
    names = list(dict.fromkeys(name for pair in pairs for name in pair if name != "end"))
    for name in names:
        builder.add_node(name, (nodes or {}).get(name) or note(name), "all" if name in alls.split() else "any")
    for source, *targets in pairs:
        for target in targets:
            builder.add_edge(source, target)
    builder.set_entry_point(names[0])
    return builder.build(**build)


async def test_a_chain() -> None:
    assert (await wired("a>b b>c").run({}))["log"] == ["a", "b", "c"]


async def test_inputs_go_through_the_strategy() -> None:
    state = await wired("a>b").run({"log": ["before"], "n": "3", "total": 4})
    assert state == {"log": ["before", "a", "b"], "n": 3, "total": 4, "table": {}}


async def test_no_inputs() -> None:
    assert (await wired("a>b").run())["n"] == 0


async def test_unknown_input_is_refused() -> None:
    with pytest.raises(StateError, match="'nonsense'"):
        await wired("a>b").run({"nonsense": 1})


async def test_a_fork_and_an_all_join_count_each_delta_once() -> None:
    nodes = {name: note(name, total=1) for name in "abcd"}
    state = await wired("a>b a>c b>d c>d", alls="d", nodes=nodes).run({})
    assert state["log"] == ["a", "b", "c", "d"]
    assert state["total"] == 4


async def test_a_branch_does_not_put_back_what_it_did_not_write() -> None:
    nodes = {"a": note("a", n=1), "b": note("b", n=2)}
    state = await wired("a>b a>c b>d c>d", alls="d", nodes=nodes).run({})
    assert state["n"] == 2


async def test_merges_follow_the_order_of_edges_not_of_arrival() -> None:
    started = asyncio.Event()

    async def late(state: Any) -> dict[str, Any]:
        await started.wait()
        return {"log": ["b"], "n": 1}

    async def early(state: Any) -> dict[str, Any]:
        started.set()
        return {"log": ["c"], "n": 2}

    first = await wired("a>b a>c b>d c>d", alls="d", nodes={"b": late, "c": early}).run({})
    assert (first["log"], first["n"]) == (["a", "b", "c", "d"], 2)
    started.clear()
    turned = await wired("a>b a>c c>d b>d", alls="d", nodes={"b": late, "c": early}).run({})
    assert (turned["log"], turned["n"]) == (["a", "c", "b", "d"], 1)


async def test_any_runs_once_for_each_arrival() -> None:
    seen: list[Any] = []

    async def look(state: Any) -> dict[str, Any]:
        seen.append(list(state["log"]))
        return {"log": ["d"]}

    state = await wired("a>b a>c b>d c>d", nodes={"d": look}).run({})
    assert sorted(seen) == [["a", "b"], ["a", "c"]]
    assert state["log"] == ["a", "b", "d", "c", "d"]


async def test_a_slow_branch_holds_back_nothing() -> None:
    order: list[str] = []
    gate = asyncio.Event()

    async def slow(state: Any) -> None:
        await gate.wait()
        order.append("slow")

    async def last(state: Any) -> None:
        order.append("last")
        gate.set()

    await wired("a>slow a>b b>c c>last", nodes={"slow": slow, "last": last}).run({})
    assert order == ["last", "slow"]


async def test_groups_of_a_join_fire_by_themselves() -> None:
    builder = GraphBuilder(state_schema=Log)
    for name in "abc":
        builder.add_node(name, note(name))
    builder.add_node("j", note("j"), "all")
    builder.set_entry_point("a")
    builder.add_edge("a", "b")
    builder.add_edge("a", "c")
    builder.add_edge("a", "j", group="one")
    builder.add_edge("b", "j", group="two")
    builder.add_edge("c", "j", group="two")
    state = await builder.build().run({})
    assert state["log"].count("j") == 2


async def test_a_join_inside_a_loop_waits_afresh() -> None:
    builder = GraphBuilder(state_schema=Log)
    builder.add_node("a", note("a", total=1))
    builder.add_node("b", note("b"))
    builder.add_node("c", note("c"))
    builder.add_node("j", note("j"), "all")
    for edge in ("ab", "ac", "bj", "cj"):
        builder.add_edge(*edge)
    builder.add_condition_edge("j", lambda state: "a" if state["total"] < 3 else "end", ["a", "end"])
    builder.set_entry_point("a")
    assert (await builder.build().run({}))["log"] == ["a", "b", "c", "j"] * 3


async def test_a_self_loop_of_a_join_in_a_group_of_its_own() -> None:
    builder = GraphBuilder(state_schema=Log)
    builder.add_node("a", note("a", total=1), "all")
    builder.add_condition_edge("a", lambda state: "a" if state["total"] < 4 else "end", ["a", "end"], group="again")
    builder.set_entry_point("a")
    assert (await builder.build().run({}))["total"] == 4


def routed(which: str, *, partial: bool = False) -> Any:
    builder = GraphBuilder(state_schema=Log)
    for name in ("a", "b1", "b2"):
        builder.add_node(name, note(name))
    builder.add_node("c", note("c"), "all", partial_join=partial)
    builder.add_condition_edge("a", lambda state: ["b1"] if which == "one" else ["b1", "b2"], ["b1", "b2"])
    builder.add_edge("b1", "c")
    builder.add_edge("b2", "c")
    builder.set_entry_point("a")
    return builder.build()


async def test_a_join_over_conditional_edges() -> None:
    assert (await routed("both").run({}))["log"] == ["a", "b1", "b2", "c"]
    with pytest.raises(JoinWaitingError, match=r"'c' still waits for 'b2'.*partial_join") as caught:
        await routed("one").run({})
    assert caught.value.finished == ("a", "b1")
    assert caught.value.joins == {"c": ["b2"]}
    assert caught.value.state["log"] == ["a", "b1"]
    assert (await routed("one", partial=True).run({}))["log"] == ["a", "b1", "c"]


async def test_a_source_of_a_conditional_edge_counts_whether_chosen_or_not() -> None:
    builder = GraphBuilder(state_schema=Log)
    builder.add_node("a", note("a"))
    builder.add_node("b", note("b"))
    builder.add_node("j", note("j"), "all")
    builder.set_entry_point("a")
    builder.add_edge("a", "b")
    builder.add_condition_edge("a", lambda state: "end", ["j", "end"])
    builder.add_edge("b", "j")
    with pytest.raises(JoinWaitingError, match="'j' still waits for 'a'"):
        await builder.build().run({})


async def test_partial_joins_fire_in_the_order_in_which_they_lead_to_each_other() -> None:
    builder = GraphBuilder(state_schema=Log)
    for name in ("a", "x"):
        builder.add_node(name, note(name))
    builder.add_node("late", note("late"), "all", partial_join=True)
    builder.add_node("soon", note("soon"), "all", partial_join=True)
    builder.add_condition_edge("a", lambda state: ["soon", "late"], ["soon", "late", "x"])
    builder.add_edge("x", "soon")
    builder.add_edge("x", "late")
    builder.add_edge("soon", "late")
    builder.set_entry_point("a")
    assert (await builder.build().run({}))["log"] == ["a", "soon", "late"]


async def test_merge_strategies_are_by_group_and_answer_the_whole_state() -> None:
    def best(states: list[Any]) -> Any:
        return max(states, key=lambda state: state["n"])

    builder = GraphBuilder(state_schema=Log)
    builder.add_node("a", note("a"))
    builder.add_node("b", note("b", n=5))
    builder.add_node("c", note("c", n=4))
    builder.add_node("j", note("j"), "all", {"all": best})
    for edge in ("ab", "ac", "bj", "cj"):
        builder.add_edge(*edge)
    builder.set_entry_point("a")
    assert (await builder.build().run({}))["log"] == ["a", "b", "j"]


async def test_a_merge_strategy_that_answers_no_state() -> None:
    builder = GraphBuilder(state_schema=Log)
    builder.add_node("a", note("a"))
    builder.add_node("j", note("j"), "all", {"all": lambda states: 7})
    builder.add_edge("a", "j")
    builder.set_entry_point("a")
    with pytest.raises(StateError, match=r"'j'.*no state"):
        await builder.build().run({})


async def test_a_filter_replaces_the_state_of_its_edge_alone() -> None:
    builder = GraphBuilder(state_schema=Log)
    for name in "abc":
        builder.add_node(name, note(name))
    builder.add_node("j", note("j"), "all")
    builder.add_edge("a", "b", state_filter=lambda state: {**state, "log": ["filtered"]})
    builder.add_edge("a", "c")
    builder.add_edge("b", "j")
    builder.add_edge("c", "j")
    builder.set_entry_point("a")
    assert (await builder.build().run({}))["log"] == ["filtered", "b", "a", "c", "j"]


@pytest.mark.parametrize("answer", [True, None, 3, "text"])
async def test_a_filter_that_answers_no_state(answer: Any) -> None:
    builder = GraphBuilder(state_schema=Log)
    builder.add_node("a", note("a"))
    builder.add_node("b", note("b"))
    builder.add_edge("a", "b", state_filter=lambda state: answer)
    builder.set_entry_point("a")
    with pytest.raises(GraphRunError, match="from 'a' to 'b'"):
        await builder.build().run({})


@pytest.mark.parametrize(
    ("answer", "log"),
    [
        ("b", ["a", "b"]),
        (["b", "c"], ["a", "b", "c"]),
        (("b", lambda state: {"log": ["f"]}), ["f", "b"]),
        ([("b", lambda state: {"log": ["f"]}), ("c", None)], ["f", "b", "a", "c"]),
        ([("b", lambda state: {"log": ["f"]}), "c"], ["f", "b", "a", "c"]),
    ],
)
async def test_all_answers_of_a_router(answer: Any, log: list[str]) -> None:
    builder = GraphBuilder(state_schema=Log)
    for name in "abc":
        builder.add_node(name, note(name))
    builder.add_condition_edge("a", lambda state: answer, ["b", "c"])
    builder.set_entry_point("a")
    assert (await builder.build().run({}))["log"] == log


@pytest.mark.parametrize("answer", [None, 3, "nowhere", ["b", 3], {"b": 1}])
async def test_a_router_that_answers_nonsense(answer: Any) -> None:
    builder = GraphBuilder(state_schema=Log)
    for name in "ab":
        builder.add_node(name, note(name))
    builder.add_condition_edge("a", lambda state: answer, ["b"])
    builder.set_entry_point("a")
    with pytest.raises(RoutingError, match="'a'") as caught:
        await builder.build().run({})
    assert caught.value.node == "a"


async def test_a_router_gets_the_state_after_its_node() -> None:
    seen = []

    async def router(state: Any) -> str:
        seen.append(state["n"])
        return "end"

    builder = GraphBuilder(state_schema=Log)
    builder.add_node("a", note("a", n=7))
    builder.add_condition_edge("a", router, {"end"})
    builder.set_entry_point("a")
    await builder.build().run({})
    assert seen == [7]


async def test_max_turn_counts_start_and_end() -> None:
    visits: list[str] = []

    def counted(name: str) -> Any:
        async def node(state: Any) -> dict[str, Any]:
            visits.append(name)
            return {"log": [name]}

        return node

    nodes = {name: counted(name) for name in "abc"}
    for limit, expected in ((2, ["a"]), (3, ["a", "b"]), (4, ["a", "b", "c"]), (5, ["a", "b", "c"])):
        visits.clear()
        state = await wired("a>b b>c", nodes=nodes, max_turn=limit).run({})
        assert visits == expected
        assert state["log"] == expected


async def test_max_turn_keeps_what_reached_the_end() -> None:
    builder = GraphBuilder(state_schema=Log)
    builder.add_node("a", note("a", total=1))
    builder.add_node("out", note("out"))
    builder.add_condition_edge("a", lambda state: ["a", "out"] if state["total"] == 1 else ["a"], ["a", "out"])
    builder.add_edge("out", "end")
    builder.set_entry_point("a")
    state = await builder.build(max_turn=20).run({})
    assert state["log"] == ["a", "out"]


async def test_max_turn_merges_what_was_about_to_run() -> None:
    state = await wired("a>b a>c b>d c>d", alls="d", max_turn=4).run({})
    assert state["log"] == ["a", "b", "c"]


async def test_an_endless_loop_ends_by_max_turn() -> None:
    builder = GraphBuilder(state_schema=Log)
    builder.add_node("a", note("a", total=1))
    builder.add_condition_edge("a", lambda state: "a", ["a", "end"])
    builder.set_entry_point("a")
    assert (await builder.build(max_turn=501).run({}))["total"] == 500


async def test_a_failure_names_the_node_and_keeps_the_cause_and_what_had_finished() -> None:
    stopped = []

    async def slow(state: Any) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            stopped.append(True)
            raise

    async def bad(state: Any) -> None:
        raise KeyError("missing")

    with pytest.raises(NodeError, match="'bad' failed: KeyError") as caught:
        await wired("a>slow a>b b>bad slow>j bad>j", alls="j", nodes={"slow": slow, "bad": bad}).run({})
    error = caught.value
    assert isinstance(error, RuntimeError)
    assert isinstance(error.__cause__, KeyError)
    assert (error.node, error.finished, error.state["log"]) == ("bad", ("a", "b"), ["a", "b"])
    assert stopped == [True]


@pytest.mark.parametrize("where", ["first", "second"])
async def test_a_failure_in_any_branch_stops_the_others(where: str) -> None:
    async def wait(state: Any) -> None:
        await asyncio.Event().wait()

    async def bad(state: Any) -> None:
        await asyncio.sleep(0)
        raise ValueError("no")

    nodes = {"b": bad, "c": wait} if where == "first" else {"b": wait, "c": bad}
    engine = wired("a>b a>c", nodes=nodes)
    with pytest.raises(NodeError):
        await engine.run({})
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0
    await asyncio.sleep(0)


async def test_cancellation_stays_what_it_is() -> None:
    begun = asyncio.Event()

    async def wait(state: Any) -> None:
        begun.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(wired("a>b a>c", nodes={"b": wait, "c": wait}).run({}))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(asyncio.all_tasks()) == 1


async def test_a_node_that_raises_a_timeout_error() -> None:
    async def bad(state: Any) -> None:
        raise TimeoutError("mine")

    with pytest.raises(TimeoutError, match="mine"):
        await wired("a>b", nodes={"b": bad}).run({})


@pytest.mark.parametrize("branch", ["first", "second"])
async def test_timeout_is_for_one_execution_of_one_node(branch: str) -> None:
    async def wait(state: Any) -> None:
        await asyncio.Event().wait()

    nodes = {"b": wait} if branch == "first" else {"c": wait}
    with pytest.raises(TimeoutError, match=r"node '[bc]' took longer than 0.01 s") as caught:
        await wired("a>b a>c", nodes=nodes, timeout=0.01).run({})
    assert isinstance(caught.value, GraphError)
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


async def test_many_quick_nodes_outlast_a_time_limit_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.get_running_loop()
    now = [loop.time()]
    monkeypatch.setattr(loop, "time", lambda: now[0])

    async def step(state: Any) -> None:
        now[0] += 0.4
        await asyncio.sleep(0)

    await wired("a>b b>c c>d d>e", nodes=dict.fromkeys("abcde", step), timeout=0.5).run({})


async def test_run_timeout_is_for_the_whole_run() -> None:
    async def wait(state: Any) -> None:
        await asyncio.sleep(0.004)

    builder = GraphBuilder(state_schema=Log)
    builder.add_node("a", wait)
    builder.add_condition_edge("a", lambda state: "a", ["a", "end"])
    builder.set_entry_point("a")
    with pytest.raises(TimeoutError, match=r"the run took longer than 0.02 s"):
        await builder.build(run_timeout=0.02).run({})


async def test_sync_nodes_run_off_the_loops_thread() -> None:
    threads = []

    def node(state: Any) -> dict[str, Any]:
        threads.append(threading.get_ident())
        return {"log": ["x"]}

    state = await wired("a>b", nodes={"a": node, "b": node}).run({})
    assert state["log"] == ["x", "x"]
    assert threading.get_ident() not in threads


async def test_a_sync_node_that_raises_stop_iteration() -> None:
    def node(state: Any) -> Any:
        raise StopIteration

    with pytest.raises(NodeError, match="StopIteration"):
        await wired("a>b", nodes={"a": node}).run({})


class Adder:
    def __init__(self, text: str) -> None:
        self.text = text

    def method(self, state: Any) -> dict[str, Any]:
        return {"log": [self.text]}

    async def amethod(self, state: Any) -> dict[str, Any]:
        return {"log": [self.text]}

    def __call__(self, state: Any) -> dict[str, Any]:
        return {"log": [self.text]}


class AsyncCallable:
    async def __call__(self, state: Any, *, stream_writer: Any) -> dict[str, Any]:
        stream_writer.put("x")
        return {"log": ["ac"]}


class S(SyncNode):
    text: str = "s"

    def __call__(self, state: Any) -> dict[str, Any]:
        return {"log": [self.text]}


class A(AsyncNode):
    async def __call__(self, state: Any) -> dict[str, Any]:
        return {"log": ["a"]}


class SS(SyncStreamNode):
    def __call__(self, state: Any, stream_writer: Any) -> dict[str, Any]:
        stream_writer.put("x")
        return {"log": ["ss"]}


class AS(AsyncStreamNode):
    async def __call__(self, state: Any, stream_writer: Any) -> dict[str, Any]:
        stream_writer.put("x")
        return {"log": ["as"]}


async def _w(state: Any) -> dict[str, Any]:
    return {"log": ["w"]}


@functools.wraps(_w)
def wrapped_sync(state: Any) -> Any:
    return asyncio.run(_w(state))


@functools.wraps(_w)
def wrapped_async(state: Any) -> Any:
    return _w(state)


async def _two(prefix: str, state: Any) -> dict[str, Any]:
    return {"log": [prefix]}


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (Adder("m").method, "m"), (Adder("am").amethod, "am"), (Adder("c"), "c"), (AsyncCallable(), "ac"),
        (S(text="t"), "t"), (A(), "a"), (SS(), "ss"), (AS(), "as"), (functools.partial(_two, "p"), "p"),
        (lambda state: _two("l", state), "l"), (wrapped_sync, "w"), (wrapped_async, "w"),
    ],
)  # fmt: skip
async def test_every_kind_of_callable_is_a_node(node: Any, text: str) -> None:
    assert (await wired("x>y", nodes={"x": node}).run({}))["log"] == [text, "y"]


@pytest.mark.parametrize("answer", [3, "text", ["log"], True])
async def test_an_answer_that_is_no_delta(answer: Any) -> None:
    async def node(state: Any) -> Any:
        return answer

    with pytest.raises(GraphRunError, match="'a'"):
        await wired("a>b", nodes={"a": node}).run({})


@pytest.mark.parametrize(
    ("delta", "names"), [({"nope": 1}, "nope"), ({"n": "x"}, "n"), ({"log": 3}, "log"), ({"table": [1]}, "table")]
)
async def test_a_delta_that_does_not_fit_names_node_and_channel(delta: Any, names: str) -> None:
    async def node(state: Any) -> Any:
        return delta

    with pytest.raises(StateError, match=f"'b'.*'{names}'") as caught:
        await wired("a>b", nodes={"b": node}).run({})
    assert (caught.value.node, caught.value.channel) == ("b", names)


async def test_nothing_is_a_delta() -> None:
    async def node(state: Any) -> None:
        return None

    assert (await wired("a>b", nodes={"a": node}).run({}))["log"] == ["b"]


class Deep(BaseModel):
    model_config = ConfigDict(frozen=True)
    log: Annotated[list[str], "append"] = Field(default_factory=list)
    inner: dict[str, list[int]] = {"a": [1]}
    n: Annotated[int, Field(ge=0, le=9)] = 5


@pytest.mark.parametrize("schema", [Log, Deep])
@pytest.mark.parametrize("isolate", [True, False])
async def test_frozen_models_and_typed_dicts_are_whole_states(schema: Any, isolate: bool) -> None:
    seen = []

    async def node(state: Any) -> Any:
        seen.append(state)
        return {"log": ["x"]}

    state = await wired("a>b", schema, nodes={"a": node}, isolate=isolate).run({})
    assert isinstance(seen[0], dict if schema is Log else Deep)
    assert isinstance(state, dict if schema is Log else Deep)


async def test_a_models_constraint() -> None:
    async def node(state: Any) -> Any:
        return {"n": 10}

    with pytest.raises(StateError, match=r"'a'.*'n'"):
        await wired("a>b", Deep, nodes={"a": node}).run({})


async def test_what_a_node_does_to_its_state_stays_its_own() -> None:
    async def vandal(state: Any) -> None:
        state["log"].append("vandal")
        state["table"]["deep"].append(9)
        state["table"]["new"] = 1
        state["n"] = 99
        for item in state["table"].values():
            if isinstance(item, list):
                item.clear()
        next(iter(state.items()))[1].append("again")
        {**state}["log"].append("and again")

    async def first(state: Any) -> Any:
        return {"table": {"deep": [1]}}

    state = await wired("a>b a>c b>d c>d", alls="d", nodes={"a": first, "b": vandal}).run({})
    assert state == {"log": ["c", "d"], "n": 0, "total": 0, "table": {"deep": [1]}}


async def test_what_a_node_does_to_a_models_containers_stays_its_own() -> None:
    async def vandal(state: Any) -> Any:
        state.inner["a"].append(2)
        state.log.append("vandal")
        return None

    state = await wired("a>b", Deep, nodes={"a": vandal}).run({})
    assert state.inner == {"a": [1]}
    assert state.log == ["b"]


async def test_a_node_that_keeps_what_it_returned_changes_nothing_later() -> None:
    mine: list[str] = ["a"]

    async def keep(state: Any) -> Any:
        return {"log": mine}

    async def later(state: Any) -> Any:
        mine.append("sneaked in")
        return {"log": ["b"]}

    assert (await wired("a>b b>c", nodes={"a": keep, "b": later}).run({}))["log"] == ["a", "b", "c"]


async def test_the_callers_inputs_are_not_changed() -> None:
    inputs = {"log": ["i"], "table": {"x": [1]}}
    await wired("a>b", isolate=False).run(inputs)
    await wired("a>b").run(inputs)
    assert inputs == {"log": ["i"], "table": {"x": [1]}}


async def test_captured_states_do_not_change_later_even_without_isolation() -> None:
    seen: list[Any] = []

    async def look(state: Any) -> Any:
        seen.append(state)
        return {"log": [len(state["log"])]}

    await wired("a>b b>c c>d", nodes=dict.fromkeys("abcd", look), isolate=False).run({})
    assert [state["log"] for state in seen] == [[], [0], [0, 1], [0, 1, 2]]


class Chat(TypedDict):
    messages: Annotated[list, "append_messages"]


async def test_messages_get_ids_and_the_name_of_their_node() -> None:
    mine = AssistantMessage(content="hello")

    async def say(state: Any) -> Any:
        assert isinstance(state["messages"][0], StateMessage)
        return {"messages": [mine, {"role": "tool", "content": "x"}]}

    asked = UserMessage(content="hi")
    state = await wired("a>b", Chat, nodes={"a": say, "b": say}).run({"messages": [asked]})
    messages = state["messages"]
    assert [message.role for message in messages] == ["user", "assistant", "tool", "assistant", "tool"]
    assert [message.node_name for message in messages] == [None, "a", "a", "b", "b"]
    assert len({message.msg_id for message in messages}) == 5
    assert asked.msg_id is None
    assert mine.msg_id is None
    assert mine.node_name is None


async def test_a_repeated_message_counts_once() -> None:
    async def again(state: Any) -> Any:
        return {"messages": [*state["messages"], AssistantMessage(content="new", msg_id="x")]}

    state = await wired("a>b", Chat, nodes={"a": again, "b": again}).run({"messages": [UserMessage(content="hi")]})
    assert [message.content for message in state["messages"]] == ["hi", "new"]


async def test_a_changed_message_stays_the_nodes_own() -> None:
    async def vandal(state: Any) -> None:
        state["messages"][0].content = "changed"

    state = await wired("a>b", Chat, nodes={"a": vandal, "b": vandal}).run({"messages": [UserMessage(content="hi")]})
    assert state["messages"][0].content == "hi"


async def test_an_unchecked_dict() -> None:
    async def node(state: Any) -> Any:
        return {"anything": state["x"] + 1}

    assert await wired("a>b", None, nodes={"a": node, "b": lambda state: None}).run({"x": 1}) == {"x": 1, "anything": 2}


def inner_engine(schema: Any = Log) -> GraphEngine:
    engine: GraphEngine = wired("x>y", schema, nodes={"x": note("x", total=1, n=3), "y": note("y", total=1)})
    return engine


async def test_a_nested_graph_reports_only_its_changes() -> None:
    inner = inner_engine()
    state = await wired("a>b b>c", nodes={"a": note("a", total=1), "b": inner, "c": inner}).run({"log": ["i"]})
    assert state["log"] == ["i", "a", "x", "y", "x", "y"]
    assert state["total"] == 5
    assert state["n"] == 3


async def test_a_nested_graph_with_a_filter_reports_only_its_changes() -> None:
    builder = GraphBuilder(state_schema=Log)
    builder.add_node("x", note("x", total=1))
    builder.add_node("y", note("y"))
    builder.add_edge("x", "y", state_filter=dict)
    builder.set_entry_point("x")
    state = await wired("a>b", nodes={"a": note("a", total=1), "b": builder.build()}).run({"log": ["i"]})
    assert (state["log"], state["total"]) == (["i", "a", "x", "y"], 2)


async def test_a_nested_graph_leaves_out_channels_that_the_outer_one_lacks() -> None:
    class Small(TypedDict):
        log: Annotated[list, "append"]

    state = await wired("a>b", Small, nodes={"b": inner_engine()}).run({})
    assert state == {"log": ["a", "x", "y"]}


async def test_a_failure_in_a_nested_graph_names_both_nodes() -> None:
    async def bad(state: Any) -> None:
        raise ValueError("deep")

    with pytest.raises(NodeError, match=r"'b' failed.*'x' failed: ValueError: deep"):
        await wired("a>b", nodes={"b": wired("x>y", nodes={"x": bad})}).run({})


async def test_one_engine_serves_many_runs_at_once() -> None:
    engine = wired("a>b a>c b>d c>d", alls="d")
    states = await asyncio.gather(*(engine.run({"n": index}) for index in range(50)))
    assert [state["n"] for state in states] == list(range(50))
    assert all(state["log"] == ["a", "b", "c", "d"] for state in states)


def test_one_engine_serves_several_event_loops() -> None:
    engine = wired("a>b a>c b>d c>d", alls="d", nodes={"b": lambda state: {"log": ["sync"]}})
    for _ in range(2):
        assert asyncio.run(engine.run({}))["log"] == ["a", "sync", "c", "d"]


def asking() -> Any:
    async def ask(state: Any) -> Any:
        raise WaitForAnswer("approve?")

    return wired("a>q1 a>q2 a>b q1>d q2>d b>d", alls="d", nodes={"q1": ask, "q2": ask})


async def test_a_visit_that_waits_while_other_work_goes_on() -> None:
    engine = asking()
    suspended = await engine.run({})
    assert isinstance(suspended, Suspended)
    assert [(wait.node, wait.question) for wait in suspended.waiting] == [("q1", "approve?"), ("q2", "approve?")]
    first, second = (wait.visit for wait in suspended.waiting)
    frontier, ready = suspended.frontier.complete(second, {"log": ["no"]})
    assert ready == ()
    again = await engine.proceed(frontier, ready)
    assert [wait.visit for wait in again.waiting] == [first]
    frontier, ready = again.frontier.complete(first, {"log": ["yes"]})
    state = await engine.proceed(frontier, ready)
    assert state["log"] == ["a", "yes", "no", "b", "d"]


async def test_going_on_leaves_the_frontier_as_it_was() -> None:
    engine = asking()
    suspended = await engine.run({})
    frontier, ready = suspended.frontier.complete(suspended.waiting[0].visit, {})
    frontier, ready = frontier.complete(suspended.waiting[1].visit, {})
    results = [await engine.proceed(frontier, ready) for _ in range(2)]
    assert results[0] == results[1]


async def test_an_output_beside_the_delta_is_seen_by_later_visits() -> None:
    seen: list[Any] = []

    async def put_out(state: Any) -> Any:
        return NodeResult({"log": ["a"]}, {"text": "hello"})

    async def look(state: Any) -> None:
        visit = current_visit()
        assert visit is not None
        seen.append((visit.node, visit.steps, visit.step_order))

    await wired("a>b b>c", nodes={"a": put_out, "b": look, "c": look}).run({})
    assert seen == [("b", {"a": {"text": "hello"}}, ["a"]), ("c", {"a": {"text": "hello"}}, ["a"])]


async def test_is_active_while_a_node_runs() -> None:
    builder = GraphBuilder(state_schema=Log)
    seen = []

    async def look(state: Any) -> None:
        seen.append(builder.nodes["a"].is_active)

    builder.add_node("a", look)
    builder.set_entry_point("a")
    engine = builder.build()
    await engine.run({})
    assert seen == [True]
    assert not engine.nodes["a"].is_active


async def test_a_spec_can_be_called_by_itself() -> None:
    builder = GraphBuilder(state_schema=Log)
    builder.add_node("a", lambda state: {"log": ["called"]})
    assert await builder.nodes["a"]({}) == {"log": ["called"]}


def test_debug_mode_makes_a_debugger() -> None:
    assert type(wired("a>b", graph_mode=GraphMode.DEBUG, db_file_path=":memory:")).__name__ == "GraphEngineDebugger"


@pytest.mark.parametrize("isolate", [True, False])
async def test_appending_costs_the_same_however_long_the_list(isolate: bool) -> None:
    async def last(state: Any) -> dict[str, Any]:
        return {"messages": [AssistantMessage(content=str(len(state["messages"])))]}

    builder = GraphBuilder(state_schema=Chat)
    builder.add_node("a", last)
    builder.add_condition_edge("a", lambda state: "a" if len(state["messages"]) < 300 else "end", ["a", "end"])
    builder.set_entry_point("a")
    engine = builder.build(isolate=isolate)
    seen = []
    frontier, ready = engine.frontier().start({})
    while ready:
        (visit,) = ready
        seen.append(id(visit.values["messages"]))
        frontier, ready = frontier.complete(visit, await last(visit.state(isolate)))
    # One list all along: none was copied to append to it.
    assert len(set(seen)) == 1
    assert len((await engine.run({}))["messages"]) == 300


async def test_a_long_run_of_nodes_that_never_wait_lets_others_run() -> None:
    builder = GraphBuilder(state_schema=Log)
    builder.add_node("a", note("a", total=1))
    builder.add_condition_edge("a", lambda state: "a" if state["total"] < 5_000 else "end", ["a", "end"])
    builder.set_entry_point("a")
    task = asyncio.create_task(builder.build(isolate=False).run({}))
    turns = 0
    while not task.done():
        await asyncio.sleep(0)
        turns += 1
    assert turns > 10
