"""Building: what is refused, where, and with every problem at once; drawing; what the package exports."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import graph_app.engine as engine
from graph_app.engine import (
    ConditionEdgeSpec,
    EdgeSpec,
    Expression,
    GraphBuilder,
    GraphBuildError,
    GraphEngine,
    GraphNodeSpec,
    GraphWarning,
    RunTimeTask,
    StateCkpt,
    callable_to_node,
    cast_edge,
)
from tests.unit.graph_app.engine.graphs import Log


def node(state: Any) -> None:
    return None


def small() -> GraphBuilder:
    builder = GraphBuilder(state_schema=Log)
    builder.add_node("a", node)
    builder.add_node("b", node)
    return builder


PAGE = """GraphBuilder GraphEngine RunTimeTask GraphEngineDebugger NodeBase SyncNode AsyncNode SyncStreamNode
AsyncStreamNode GraphNodeSpec callable_to_node EdgeSpecBase EdgeSpec ConditionEdgeSpec cast_edge StateUpdater StateCkpt
generate_state_schema _overwrite_state_update_strategy _append_messages StreamWriter StreamCtx set_streaming_handler
current_ctx stream_writer_env get_stream_writer NodeActionMode GraphMode SpecialNode State StateDelta StateSchema
UserMessage AssistantMessage SystemMessage ToolMessage StateMessage MISSING DEFAULT_EDGE_GROUP WaitForAnswer Frontier"""


@pytest.mark.parametrize("name", PAGE.split())
def test_every_name_of_the_page_is_exported(name: str) -> None:
    assert hasattr(engine, name)
    assert name in engine.__all__


def test_all_that_is_exported_exists_and_is_sorted_once() -> None:
    assert len(set(engine.__all__)) == len(engine.__all__)
    assert all(hasattr(engine, name) for name in engine.__all__)


def test_no_module_evaluates_text_or_unpickles() -> None:
    for path in Path(engine.__file__).parent.glob("*.py"):
        for call in ast.walk(ast.parse(path.read_text())):
            if isinstance(call, ast.Call):
                name = getattr(call.func, "id", getattr(call.func, "attr", ""))
                assert name not in {"eval", "exec", "__import__", "import_module"} or isinstance(
                    call.func, ast.Attribute
                ), path
                assert name not in {"__import__", "import_module", "unsafe_load"}, path
            if isinstance(call, ast.Import | ast.ImportFrom):
                names = [alias.name for alias in call.names] + [getattr(call, "module", None) or ""]
                assert not any(name.split(".")[0] in {"pickle", "marshal", "dill", "cloudpickle"} for name in names), (
                    path
                )


@pytest.mark.parametrize("name", ["start", "end", "", 3])
def test_reserved_names(name: Any) -> None:
    with pytest.raises(ValueError, match="node"):
        small().add_node(name, node)


def test_what_adding_refuses() -> None:
    builder = small()
    for wrong in (
        lambda: builder.add_node("a", node),
        lambda: builder.add_node("c", 3),  # type: ignore[arg-type]
        lambda: builder.add_node("c", node, "some"),
        lambda: builder.add_node("c", node, "all", {"all": 3}),  # type: ignore[dict-item]
        lambda: builder.add_edge("a", "zz"),
        lambda: builder.add_edge("zz", "a"),
        lambda: builder.add_edge("end", "a"),
        lambda: builder.add_edge("a", "start"),
        lambda: builder.add_edge("a", "b", state_filter=3),  # type: ignore[arg-type]
        lambda: builder.add_condition_edge("a", node, []),
        lambda: builder.add_condition_edge("a", node, ["zz"]),
        lambda: builder.add_condition_edge("a", 3, ["b"]),  # type: ignore[arg-type]
        lambda: builder.set_entry_point("zz"),
        lambda: builder.set_entry_point("start"),
    ):
        with pytest.raises(ValueError, match=r"."):
            wrong()


def test_build_lists_every_problem() -> None:
    builder = small()
    builder.add_edge("a", "b", state_filter="state.")
    builder.add_condition_edge("b", "foo(", ["a"])
    builder.add_node("j", node, "all", {"nope": lambda states: states[0]})
    builder.add_edge("a", "j")
    builder.add_edge("j", "j")
    with pytest.raises(GraphBuildError) as caught:
        builder.build(max_turn=0, timeout=-1, run_timeout="x")  # type: ignore[arg-type]
    places = {problem.place for problem in caught.value.problems}
    assert places == {
        "entry", "edges.0.filter", "edges.1.router", "nodes.j.multi_input_merge_strategy", "nodes.j", "edges",
        "max_turn", "timeout", "run_timeout",
    }  # fmt: skip
    assert all(str(problem) in str(caught.value) for problem in caught.value.problems)


def test_nothing_leads_to_the_end() -> None:
    builder = small()
    builder.add_edge("a", "b")
    builder.set_entry_point("a")
    with pytest.raises(ValueError, match="nothing leads to the end"):
        builder.build(auto_conn_end=False)
    builder.add_edge("b", "a")
    with pytest.raises(ValueError, match="nothing leads to the end"):
        builder.build()


def test_an_unreachable_node_is_a_warning() -> None:
    builder = small()
    builder.set_entry_point("a")
    with pytest.warns(GraphWarning, match="'b' is never reached"):
        builder.build()


def test_building_leaves_the_builder_as_it_was() -> None:
    builder = small()
    builder.add_edge("a", "b")
    builder.set_entry_point("a")
    before = builder.dumps()
    builder.build()
    builder.build()
    assert builder.dumps() == before


async def test_the_entry_can_be_set_again() -> None:
    builder = GraphBuilder(state_schema=Log)
    builder.add_node("a", lambda state: {"log": ["a"]})
    builder.add_node("b", lambda state: {"log": ["b"]})
    builder.add_edge("b", "a")
    builder.set_entry_point("a")
    builder.set_entry_point("b")
    assert (await builder.build().run({}))["log"] == ["b", "a"]
    assert builder.entry_point == "b"


async def test_an_engine_can_be_made_without_a_builder() -> None:
    made = GraphEngine(
        nodes={"a": GraphNodeSpec(node=lambda state: {"log": ["a"]}, node_name="a", action_mode="any")},
        edges={"start": [EdgeSpec(source="start", target="a")], "a": [EdgeSpec(source="a", target="end")]},
        state_schema=Log,
    )
    assert (await made.run({}))["log"] == ["a"]


def test_edges_by_themselves() -> None:
    edge = EdgeSpec(source="a", target="b")
    assert (edge.get_targets({}), edge.get_possible_targets(), edge.group) == ([("b", None)], ["b"], "all")
    condition = ConditionEdgeSpec(source="a", router=lambda state: ["c", "b"], possible_targets={"b", "c"})
    assert condition.get_targets({}) == [("c", None), ("b", None)]
    assert condition.get_possible_targets() == ["b", "c"]


def test_cast_edge() -> None:
    assert isinstance(cast_edge({"edge_type": "edge", "source": "a", "target": "b"}), EdgeSpec)
    made = cast_edge({"edge_type": "conditional", "source": "a", "router": "'b'", "possible_targets": ["b"]})
    assert isinstance(made, ConditionEdgeSpec)
    assert made.router == Expression("'b'")
    assert made.get_targets({}) == [("b", None)]
    for wrong in ({"edge_type": "base", "source": "a"}, {"edge_type": "edge", "source": "a"}):
        with pytest.raises(ValueError, match="edge"):
            cast_edge(wrong)


def test_callable_to_node_of_what_cannot_be_called() -> None:
    with pytest.raises(ValueError, match="cannot be called"):
        callable_to_node(3)  # type: ignore[arg-type]


def test_a_task_holds_a_checkpoint() -> None:
    task = RunTimeTask(node_name="a", state_ckpt=StateCkpt(delta={"log": ["x"]}, state_schema=Log), edge_group="all")
    assert task.state_ckpt.materialize()["log"] == ["x"]  # type: ignore[union-attr]
    assert (task.predecessor, task.trace_route) == (None, [])


def test_the_drawing_is_one_page_that_needs_nothing_else(tmp_path: Path) -> None:
    builder = GraphBuilder(state_schema=Log)
    builder.add_node("<script>alert(1)</script>", node)
    builder.add_node("b", node, "all")
    builder.add_edge("<script>alert(1)</script>", "b", group='"><img src=x>')
    builder.add_condition_edge("b", 'state.n > 1.0 ? "b" : "end"', ["b", "end"], group="g")
    builder.set_entry_point("<script>alert(1)</script>")
    path = tmp_path / "graph.html"
    page = builder.build().draw_graph(str(path), auto_open=False)
    assert path.read_text() == page
    assert "<script" not in page
    assert "<img" not in page
    assert not re.findall(r"""<[^>]*(?:src|href)=|url\((?!#)|@import|https?://(?!www\.w3\.org/2000/svg)""", page)
    assert page.count("<rect") == 4
