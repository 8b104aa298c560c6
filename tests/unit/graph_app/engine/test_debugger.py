"""The debugger: stops, steps, going back, changing, in every shape of graph."""

from __future__ import annotations

import asyncio
import itertools
import random
from pathlib import Path
from typing import Annotated, Any, List, TypedDict  # noqa: UP035 - as the specification's example has it

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graph_app.engine import (
    AssistantMessage,
    DebuggerError,
    GraphBuilder,
    GraphMode,
    JoinWaitingError,
    NodeError,
    StateError,
    StateMessage,
    UserMessage,
    WaitForAnswer,
)
from tests.unit.graph_app.engine.graphs import Log, Shape, delta_of, examples, shapes


def note(name: str, **more: Any) -> Any:
    async def node(state: Any) -> dict[str, Any]:
        return {"log": [name], **more}

    return node


def wired(path: Path | str, edges: str, *, alls: str = "", nodes: dict[str, Any] | None = None, **build: Any) -> Any:
    builder = GraphBuilder(state_schema=Log)
    pairs = [pair.split(">") for pair in edges.split()]
    names = list(dict.fromkeys(name for pair in pairs for name in pair if name != "end"))
    for name in names:
        builder.add_node(name, (nodes or {}).get(name) or note(name), "all" if name in alls.split() else "any")
    for source, target in pairs:
        builder.add_edge(source, target)
    builder.set_entry_point(names[0])
    where = path if path == ":memory:" else Path(path) / "debug.db"
    return builder.build(graph_mode="debug", db_file_path=str(where), **build)


def nodes(engine: Any) -> list[str]:
    return sorted(visit.node for visit in engine.leaves())


async def test_the_pages_example(tmp_path: Path) -> None:
    class State(TypedDict):
        messages: Annotated[List, "append_messages"]  # noqa: UP006
        node_output: Annotated[str, "overwrite"]

    def node_a(state):
        return {"messages": [AssistantMessage(content="node a output")], "node_output": "a"}

    def node_b(state):
        assert isinstance(state, dict)
        assert isinstance(state["messages"][0], StateMessage)
        return {"messages": [AssistantMessage(content="node b output")], "node_output": "b"}

    def node_c(state):
        return {"messages": [AssistantMessage(content="node c output")], "node_output": "c"}

    def node_d(state):
        return {"messages": [AssistantMessage(content="node d output")], "node_output": "d"}

    graph_builder = GraphBuilder(state_schema=State)
    graph_builder.add_node("a", node_a)
    graph_builder.add_node("b", node_b)
    graph_builder.add_node("c", node_c)
    graph_builder.add_node("d", node_d)
    graph_builder.add_edge("a", "b")
    graph_builder.add_edge("b", "c")
    graph_builder.add_edge("c", "d")
    graph_builder.set_entry_point("a")
    graph = graph_builder.build(graph_mode=GraphMode.DEBUG, db_file_path=str(tmp_path / ".db_storage.db"))

    graph.set_breakpoint(node_name_bp="b")
    await graph.debug({"messages": [UserMessage(content="hello")]})
    await graph.step_over(node_uuid=graph._trace_tree.get_leaf_node_uuid_by_node_name(node_name="b"))
    graph.restore_step()
    graph.clear_breakpoint(node_name_bp="b")
    result = await graph.resume()
    said = [message.content for message in result["messages"]]
    assert said == ["hello", "node a output", "node b output", "node c output", "node d output"]
    assert result["node_output"] == "d"


async def test_stop_step_and_go_on(tmp_path: Path) -> None:
    engine = wired(tmp_path, "a>b b>c")
    engine.set_breakpoint("b")
    assert await engine.debug({}) is None
    assert nodes(engine) == ["b"]
    assert await engine.resume() is None
    assert nodes(engine) == ["b"]
    assert await engine.step_over() is None
    assert nodes(engine) == ["c"]
    assert (await engine.resume())["log"] == ["a", "b", "c"]
    assert engine.leaves() == []
    engine.close()


async def test_run_is_as_ever(tmp_path: Path) -> None:
    engine = wired(tmp_path, "a>b")
    engine.set_breakpoint("b")
    assert (await engine.run({}))["log"] == ["a", "b"]
    assert not (tmp_path / "debug.db").exists()


async def test_what_a_visit_tells(tmp_path: Path) -> None:
    engine = wired(tmp_path, "a>b b>c", nodes={"a": note("a", rounds=1)})
    times = itertools.count(10)
    engine._core.clock = lambda: float(next(times))
    engine.set_breakpoint("c")
    await engine.debug({"total": 4})
    leaf = engine.leaf("c")
    b = engine.visit(next(iter(leaf.parents)))
    a = next(iter(b.parent.values()))
    assert (a.node, a.node_name, a.input["log"], a.state["log"], a.input["total"]) == ("a", "a", [], ["a"], 4)
    assert list(a.children) == [b.uuid]
    assert leaf.state["log"] == ["a", "b"]
    assert a.times == {"started": 10.0, "finished": 11.0}
    assert (a.status, a.delta) == ("finished", {"log": ["a"], "rounds": 1})
    assert leaf.times == {"started": None, "finished": None}
    assert (leaf.task.node_name, leaf.task.predecessor, leaf.task.trace_route) == ("c", "b", ["start", "a", "b"])
    assert leaf.task.state_ckpt.materialize()["log"] == ["a", "b"]
    assert engine._trace_tree.get_node_by_uuid(leaf.uuid) is leaf
    assert engine.tree.root.node == "start"
    leaf.input["log"].append("not the engine's")
    assert leaf.input["log"] == ["a", "b"]


async def test_breakpoints_with_a_condition_on_entering_and_leaving(tmp_path: Path) -> None:
    builder = GraphBuilder(state_schema=Log)
    builder.add_node("a", note("a", total=1))
    builder.add_condition_edge("a", lambda state: "a" if state["total"] < 5 else "end", ["a", "end"])
    builder.set_entry_point("a")
    engine = builder.build(graph_mode="debug", db_file_path=tmp_path / "x.db")
    engine.set_breakpoint("a", condition="state.total == 2.0")
    await engine.debug({})
    assert engine.leaf("a").input["total"] == 2
    engine.clear_all_breakpoint()
    engine.set_breakpoint("a", condition=lambda state: state["total"] == 4, on="leave")
    await engine.resume()
    assert engine.leaf("a").input["total"] == 4
    engine.set_breakpoint("end")
    await engine.resume()
    assert nodes(engine) == ["end"]
    assert (await engine.step_over())["total"] == 5


async def test_what_breakpoints_refuse(tmp_path: Path) -> None:
    engine = wired(tmp_path, "a>b")
    for wrong in (
        engine.set_breakpoint,
        lambda: engine.set_breakpoint("zz"),
        lambda: engine.set_breakpoint("a", condition="state."),
        lambda: engine.set_breakpoint("a", condition=3),
        lambda: engine.set_breakpoint("a", on="elsewhere"),
        engine.clear_breakpoint,
        lambda: engine.clear_breakpoint("zz"),
    ):
        with pytest.raises(RuntimeError, match=r"."):
            wrong()
    engine.clear_breakpoint("a")
    engine.set_breakpoint("a", condition_bp="state.missing > 1.0")
    with pytest.raises(DebuggerError, match=r"breakpoint at 'a'.*missing"):
        await engine.debug({})


async def test_unknown_visits_are_errors(tmp_path: Path) -> None:
    engine = wired(tmp_path, "a>b")
    with pytest.raises(DebuggerError, match="nothing was started"):
        await engine.resume()
    engine.set_breakpoint("b")
    await engine.debug({})
    for wrong in (
        lambda: engine.visit("zz"),
        lambda: engine.leaf("a"),
        lambda: engine.leaf("zz"),
        lambda: engine.restore_step("zz"),
        lambda: engine.change_output("zz", engine.leaf("b").uuid, "n", 1),
        lambda: engine._trace_tree.get_node_by_uuid("zz"),
    ):
        with pytest.raises(RuntimeError, match=r"zz|'a'"):
            wrong()
    with pytest.raises(DebuggerError, match="zz"):
        await engine.step_over("zz")
    with pytest.raises(DebuggerError, match="has run already"):
        await engine.step_over(next(iter(engine.leaf("b").parents)))


async def test_a_command_at_a_time(tmp_path: Path) -> None:
    gate = asyncio.Event()

    async def wait(state: Any) -> None:
        await gate.wait()

    engine = wired(tmp_path, "a>b", nodes={"a": wait})
    task = asyncio.create_task(engine.debug({}))
    await asyncio.sleep(0)
    for wrong in (engine.resume(), engine.step_over(), engine.debug({}), engine.run_one_step([])):
        with pytest.raises(RuntimeError, match="running"):
            await wrong
    with pytest.raises(RuntimeError, match="running"):
        engine.restore_step()
    gate.set()
    assert (await task)["log"] == ["b"]


async def test_one_branch_can_be_stepped_while_another_stays(tmp_path: Path) -> None:
    engine = wired(tmp_path, "a>b a>c b>x c>y x>j y>j", alls="j")
    engine.set_breakpoint("b")
    engine.set_breakpoint("c")
    await engine.debug({})
    assert nodes(engine) == ["b", "c"]
    await engine.step_over(engine.leaf("b").uuid)
    assert nodes(engine) == ["c", "x"]
    await engine.step_over(engine.leaf("x").uuid)
    assert nodes(engine) == ["c", "j"]
    assert engine.leaf("j").status == "joining"
    assert engine.leaf("j").task.predecessor == "x"
    await engine.step_over(engine.leaf("c").uuid)
    await engine.step_over(engine.leaf("y").uuid)
    assert (await engine.resume())["log"] == ["a", "b", "x", "c", "y", "j"]


async def test_stepping_over_a_waiting_join_runs_what_it_waits_for(tmp_path: Path) -> None:
    engine = wired(tmp_path, "a>b a>c a>z c>d b>j d>j j>k", alls="j")
    for name in "cz":
        engine.set_breakpoint(name)
    await engine.debug({})
    join = engine.leaf("j").uuid
    assert await engine.step_over(join) is None
    assert nodes(engine) == ["c", "j", "z"]
    engine.clear_breakpoint("c")
    assert await engine.step_over(join) is None
    assert engine.visit(join).status == "finished"
    assert nodes(engine) == ["k", "z"]


async def test_going_back_one_branch_leaves_the_others(tmp_path: Path) -> None:
    ran: list[str] = []

    def counted(name: str) -> Any:
        async def node(state: Any) -> dict[str, Any]:
            ran.append(name)
            return {"log": [name]}

        return node

    engine = wired(tmp_path, "a>b a>c b>x c>y x>j y>j", alls="j", nodes={n: counted(n) for n in "abcxyj"})
    engine.set_breakpoint("end")
    await engine.debug({})
    turns = engine.turns
    b = next(visit for visit in engine.tree if visit.node == "b")
    y = next(visit for visit in engine.tree if visit.node == "y")
    engine.restore_step(b.uuid)
    assert nodes(engine) == ["b", "j"]
    assert engine.visit(y.uuid).status == "finished"
    assert engine.turns == turns - 3
    ran.clear()
    engine.clear_breakpoint("end")
    assert (await engine.resume())["log"] == ["a", "b", "x", "c", "y", "j"]
    assert ran == ["b", "x", "j"]


async def test_going_back_step_by_step_to_the_start(tmp_path: Path) -> None:
    engine = wired(tmp_path, "a>b b>c")
    assert (await engine.debug({}))["log"] == ["a", "b", "c"]
    seen = []
    while engine.leaves() == [] or engine.leaves()[0].node != "a":
        engine.restore_step()
        seen.append(nodes(engine))
    assert seen == [["end"], ["c"], ["b"], ["a"]]
    with pytest.raises(DebuggerError, match="no step"):
        engine.restore_step()
    assert (await engine.resume())["log"] == ["a", "b", "c"]
    engine.restore_step(engine.tree.root.uuid)
    assert nodes(engine) == ["a"]


async def test_a_step_over_all_leaves_is_one_step_back(tmp_path: Path) -> None:
    engine = wired(tmp_path, "a>b a>c b>x c>y")
    for name in "bc":
        engine.set_breakpoint(name)
    await engine.debug({})
    await engine.step_over()
    assert nodes(engine) == ["x", "y"]
    engine.restore_step()
    assert nodes(engine) == ["b", "c"]


async def test_changing_an_output(tmp_path: Path) -> None:
    engine = wired(tmp_path, "a>b b>c", nodes={"a": note("a", rounds=1)})
    engine.set_breakpoint("c")
    await engine.debug({})
    leaf = engine.leaf("c")
    b = next(iter(leaf.parents.values()))
    a = next(iter(b.parents.values()))
    engine.change_output(a.uuid, leaf.uuid, "rounds", "7")
    engine.change_output(b.uuid, leaf.uuid, "log", ["changed"])
    engine.change_output(b.uuid, leaf.uuid, "total", 3)
    engine.change_output(engine.tree.root.uuid, leaf.uuid, "log", ["input"])
    assert engine.leaf("c").input == {
        "log": ["input", "a", "changed"], "last": "", "total": 3, "seen": [], "rounds": 7,
    }  # fmt: skip
    for key, value, message in (("rounds", "x", "'rounds'"), ("nope", 1, "'nope'")):
        with pytest.raises(StateError, match=message):
            engine.change_output(b.uuid, leaf.uuid, key, value)
    with pytest.raises(DebuggerError, match="no leaf"):
        engine.change_output(a.uuid, b.uuid, "rounds", 1)
    engine.clear_all_breakpoint()
    assert (await engine.resume())["log"] == ["input", "a", "changed", "c"]


async def test_a_change_counts_for_filters_on_the_way_too(tmp_path: Path) -> None:
    builder = GraphBuilder(state_schema=Log)
    builder.add_node("a", note("a"))
    builder.add_node("b", note("b"))
    builder.add_edge("a", "b", state_filter=lambda state: {"log": [*state["log"], "f"]})
    builder.set_entry_point("a")
    engine = builder.build(graph_mode="debug", db_file_path=tmp_path / "x.db")
    engine.set_breakpoint("b")
    await engine.debug({})
    leaf = engine.leaf("b")
    engine.change_output(next(iter(leaf.parents)), leaf.uuid, "log", ["new"])
    engine.clear_all_breakpoint()
    assert (await engine.resume())["log"] == ["new", "f", "b"]


async def test_a_failing_node_stays_a_leaf_and_can_run_again(tmp_path: Path) -> None:
    async def divide(state: Any) -> dict[str, Any]:
        return {"total": 10 // state["rounds"]}

    engine = wired(tmp_path, "a>b a>c b>j c>j", alls="j", nodes={"b": divide})
    with pytest.raises(NodeError, match=r"'b'.*ZeroDivisionError") as caught:
        await engine.debug({})
    assert caught.value.finished[0] == "a"
    leaf = engine.leaf("b")
    assert (leaf.status, leaf.error) == ("failed", caught.value)
    with pytest.raises(NodeError):
        await engine.resume()
    engine.change_output(next(iter(leaf.parents)), leaf.uuid, "rounds", 5)
    assert (await engine.resume())["total"] == 2


async def test_max_turn_and_joins_that_wait(tmp_path: Path) -> None:
    engine = wired(tmp_path, "a>b b>c", max_turn=3)
    assert (await engine.debug({}))["log"] == ["a", "b"]
    builder = GraphBuilder(state_schema=Log)
    for name in "ab":
        builder.add_node(name, note(name))
    builder.add_node("j", note("j"), "all")
    builder.add_condition_edge("a", lambda state: "j", ["j", "b"])
    builder.add_edge("b", "j")
    builder.set_entry_point("a")
    stuck = builder.build(graph_mode="debug", db_file_path=tmp_path / "y.db")
    with pytest.raises(JoinWaitingError, match="'j' still waits for 'b'"):
        await stuck.debug({})
    stuck.restore_step()
    assert nodes(stuck) == ["a"]


async def test_a_self_loop_and_several_ends(tmp_path: Path) -> None:
    builder = GraphBuilder(state_schema=Log)
    builder.add_node("a", note("a", total=1))
    builder.add_node("b", note("b"))
    builder.add_node("c", note("c"))
    builder.add_condition_edge("a", lambda state: "a" if state["total"] < 3 else ["b", "c"], ["a", "b", "c"])
    builder.set_entry_point("a")
    engine = builder.build(graph_mode="debug", db_file_path=tmp_path / "x.db")
    engine.set_breakpoint("end")
    await engine.debug({})
    assert nodes(engine) == ["end", "end"]
    engine.restore_step(next(visit for visit in engine.tree if visit.node == "b").uuid)
    assert nodes(engine) == ["b", "end"]
    engine.clear_all_breakpoint()
    assert (await engine.resume())["log"] == ["a", "a", "a", "b", "c"]


async def test_run_one_step(tmp_path: Path) -> None:
    engine = wired(tmp_path, "a>b a>c b>j c>j", alls="j")
    engine.set_breakpoint("a")
    await engine.debug({})
    result, tasks = await engine.run_one_step([engine.leaf("a").task])
    assert (result, [task.node_name for task in tasks]) == (None, ["b", "c"])
    result, tasks = await engine.run_one_step(tasks)
    assert (result, [task.node_name for task in tasks]) == (None, ["j"])
    _, tasks = await engine.run_one_step(tasks)
    result, tasks = await engine.run_one_step(tasks)
    assert result["log"] == ["a", "b", "c", "j"]
    assert tasks == []
    with pytest.raises(DebuggerError, match="no visit"):
        await engine.run_one_step([engine.tree.root.task.model_copy(update={"visit": "gone"})])


async def test_resume_with_tasks_runs_those_branches_only(tmp_path: Path) -> None:
    engine = wired(tmp_path, "a>b a>c b>x")
    for name in "bc":
        engine.set_breakpoint(name)
    await engine.debug({})
    assert await engine.resume([engine.leaf("b").task]) is None
    assert nodes(engine) == ["c"]


async def test_reset_forgets_everything(tmp_path: Path) -> None:
    engine = wired(tmp_path, "a>b")
    engine.set_breakpoint("b")
    await engine.debug({})
    engine.reset()
    assert engine.leaves() == []
    assert (await engine.debug({}))["log"] == ["a", "b"]


async def test_pausing(tmp_path: Path) -> None:
    async def pausing(state: Any) -> dict[str, Any]:
        engine.pause()
        return {"log": ["a"]}

    engine = wired(tmp_path, "a>b", nodes={"a": pausing})
    assert await engine.debug({}) is None
    assert nodes(engine) == ["b"]
    assert (await engine.resume())["log"] == ["a", "b"]


async def test_a_question_waits_and_is_answered(tmp_path: Path) -> None:
    async def ask(state: Any) -> None:
        raise WaitForAnswer("?")

    engine = wired(tmp_path, "a>b b>c", nodes={"b": ask})
    assert await engine.debug({}) is None
    assert engine.leaf("b").status == "waiting"
    assert await engine.resume() is None
    assert await engine.answer(engine.leaf("b").uuid, {"log": ["answer"]}) is None
    assert (await engine.resume())["log"] == ["a", "answer", "c"]


async def test_stepping_into_and_out_of_a_nested_graph(tmp_path: Path) -> None:
    inner = GraphBuilder(state_schema=Log)
    for name in ("x", "y"):
        inner.add_node(name, note(name, total=1))
    inner.add_edge("x", "y")
    inner.set_entry_point("x")
    engine = wired(tmp_path, "a>b b>c", nodes={"b": inner.build()})
    engine.set_breakpoint("b")
    await engine.debug({"total": 1})
    leaf = engine.leaf("b").uuid
    child = engine.step_into(leaf)
    assert engine.step_into(leaf) is child
    assert nodes(child) == ["x"]
    assert child.leaf("x").input["log"] == ["a"]
    await child.step_over()
    child.set_breakpoint("y")
    assert await engine.step_out(leaf) is None
    assert nodes(engine) == ["b"]
    child.clear_all_breakpoint()
    assert await engine.step_out(leaf) is None
    assert nodes(engine) == ["c"]
    result = await engine.resume()
    assert (result["log"], result["total"]) == (["a", "x", "y", "c"], 3)
    with pytest.raises(DebuggerError, match=r"no leaf|no graph"):
        engine.step_into(leaf)


@pytest.mark.parametrize("change", ["list", "key", "deep"])
async def test_without_isolation_a_node_that_changes_its_input_is_named(tmp_path: Path, change: str) -> None:
    async def vandal(state: Any) -> None:
        if change == "list":
            state["log"].append("x")
        elif change == "key":
            state["total"] = 3
        else:
            state["seen"][0].append(1)

    engine = wired(tmp_path, "a>b", nodes={"a": note("a", seen=[[0]]), "b": vandal}, isolate=False)
    with pytest.raises(StateError, match="'b' changed its input in place") as caught:
        await engine.debug({})
    assert caught.value.channel == {"list": "log", "key": "total", "deep": "seen"}[change]
    assert engine.leaf("b").input["log"] == ["a"]


async def test_without_isolation_a_node_that_only_reads_is_fine(tmp_path: Path) -> None:
    async def reader(state: Any) -> dict[str, Any]:
        return {"log": [len(state["log"]), *(item for item in state["seen"][0])]}

    engine = wired(tmp_path, "a>b", nodes={"a": note("a", seen=[[0]]), "b": reader}, isolate=False)
    assert (await engine.debug({}))["log"] == ["a", 1, 0]


async def test_the_stream_of_a_session(tmp_path: Path) -> None:
    engine = wired(tmp_path, "a>b b>c")
    engine.set_breakpoint("b")
    events = [event async for event in engine.stream({})]
    assert [event.type for event in events] == ["run.started", "node.started", "node.finished", "edge.taken", "stopped"]
    stopped = events[-1]
    leaf = engine.leaf("b").uuid
    assert (stopped.node, stopped.visit, stopped.data["reason"]) == ("b", leaf, "breakpoint")
    assert stopped.data["visits"] == [{"node": "b", "visit": leaf, "difference": {"log": ["a"]}}]
    engine.clear_all_breakpoint()
    more = [event async for event in engine.stream(resume=True)]
    assert more[-1].type == "run.finished"
    assert {event.run_id for event in more} == {events[0].run_id}


async def test_commands_given_while_a_stream_is_read_are_in_it(tmp_path: Path) -> None:
    engine = wired(tmp_path, "a>b b>c")
    engine.set_breakpoint("b")
    kinds = []
    async for event in engine.stream({}):
        kinds.append((event.type, event.data.get("reason")))
        if event.type == "stopped" and event.data["reason"] == "breakpoint":
            await engine.step_over()
            engine.restore_step()
            leaf = engine.leaf("b")
            engine.change_output(next(iter(leaf.parents)), leaf.uuid, "log", ["z"])
            engine.clear_all_breakpoint()
            await engine.resume()
    shown = [kind for kind in kinds if kind[0].startswith(("stopped", "debug", "run"))]
    assert shown == [
        ("run.started", None), ("stopped", "breakpoint"), ("stopped", "step"), ("debug.restored", None),
        ("debug.changed", None), ("run.finished", None),
    ]  # fmt: skip


async def test_a_failure_is_a_stop_in_the_stream(tmp_path: Path) -> None:
    async def bad(state: Any) -> None:
        raise ValueError("no")

    engine = wired(tmp_path, "a>b", nodes={"b": bad})
    events = [event async for event in engine.stream({})]
    assert [event.type for event in events[-2:]] == ["node.failed", "stopped"]
    assert events[-1].data["reason"] == "exception"


# A plain run of the same changes, and a walk with detours, come to the same.


def fixed(name: str) -> Any:
    async def node(state: Any) -> dict[str, Any]:
        return delta_of(name)

    return node


@given(shapes(partial=False), st.integers(0, 1_000_000))
@examples(60)
def test_random_walks_come_to_what_a_plain_run_comes_to(shape: Shape, seed: int) -> None:
    asyncio.run(walk(shape, seed))


async def walk(shape: Shape, seed: int) -> None:
    builder = shape.builder()
    chance = random.Random(seed)
    try:
        expected = await builder.build().run({"total": 1})
    except JoinWaitingError as error:
        expected = sorted(error.joins)
    engine = builder.build(graph_mode="debug", db_file_path=":memory:")
    names = [f"n{index}" for index in range(len(shape.modes))]
    for name in chance.sample(names, k=min(2, len(names))):
        engine.set_breakpoint(name, on=chance.choice(["enter", "leave"]))
    result: Any = None
    with_result = [engine.debug({"total": 1})]
    for _ in range(25):
        try:
            result = await with_result.pop()
        except JoinWaitingError as error:
            result = sorted(error.joins)
        visits = [visit.uuid for visit in engine.tree if visit.status == "finished"]
        leaves = [leaf.uuid for leaf in engine.leaves()]
        choice = chance.random()
        if choice < 0.35 and leaves:
            with_result.append(engine.step_over(chance.choice(leaves)))
        elif choice < 0.45:
            with_result.append(engine.step_over())
        elif choice < 0.75 and visits:
            engine.restore_step(chance.choice(visits))
            with_result.append(engine.resume())
        elif choice < 0.85 and engine._core.session.journal:
            engine.restore_step()
            with_result.append(engine.step_over())
        else:
            with_result.append(engine.resume())
        counts: dict[str, int] = {}
        for visit in engine.tree:
            counts[visit.node] = counts.get(visit.node, 0) + 1
    with_result.pop().close()
    engine.clear_all_breakpoint()
    try:
        result = await engine.resume()
    except JoinWaitingError as error:
        result = sorted(error.joins)
    finished = [visit.node for visit in engine.tree if visit.status == "finished"]
    assume(not any(shape.modes[t] == "all" and finished.count(f"n{s}") > 1 for s, t, _ in shape.edges))
    assert result == expected
