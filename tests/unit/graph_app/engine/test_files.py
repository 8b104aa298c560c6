"""Graphs in files: builders to JSON and back without code, and definition files with every problem's place."""

from __future__ import annotations

import asyncio
import json
import operator
import sys
from pathlib import Path
from typing import Annotated, Any, List, Literal, Optional, TypedDict  # noqa: UP035 - as programs write

import pytest
from pydantic import BaseModel, Field, field_validator

from graph_app.engine import (
    AsyncNode,
    Expression,
    GraphBuilder,
    GraphDocumentError,
    Problem,
    SerializationError,
    StateError,
    load_document,
    register_function,
)
from graph_app.engine.registry import _given
from graph_app.engine.schema_files import dump_schema, load_schema


class Schema(TypedDict):
    log: Annotated[list[str], "append"]
    n: Annotated[Optional[int], Field(ge=0, le=100), "overwrite"]  # noqa: UP045
    total: Annotated[int, operator.add]
    kind: Literal["a", "b"]


class Model(BaseModel):
    z: Annotated[List[int], "append"] = [1]  # noqa: UP006
    a: int = Field(default=3, ge=1, description="said")
    items: dict[str, list[float]] = Field(default_factory=dict)
    text: str
    short: Annotated[str, Field(max_length=3, pattern="^a")] = "a"


class Checked(BaseModel):
    a: int = 0

    @field_validator("a")
    @classmethod
    def check(cls, value: int) -> int:
        assert value < 5
        return value


def first(state: Any) -> dict[str, Any]:
    return {"log": ["first"], "n": 1, "total": 1}


def second(state: Any) -> dict[str, Any]:
    return {"log": ["second"], "total": 1}


def route(state: Any) -> list[str]:
    return ["b", "c"]


def keep(state: Any) -> Any:
    return {**state, "log": [*state["log"], "kept"]}


def longest(states: list[Any]) -> Any:
    return max(states, key=lambda state: len(state["log"]))


@register_function("tests.third")
def third(state: Any) -> dict[str, Any]:
    return {"log": ["third"], "total": 1}


class Saying(AsyncNode):
    text: str

    async def __call__(self, state: Any) -> dict[str, Any]:
        return {"log": [self.text], "total": 1}


def whole() -> GraphBuilder:
    builder = GraphBuilder(state_schema=Schema)
    builder.add_node("a", first)
    builder.add_node("c", Saying(text="saying"))
    builder.add_node("b", second)
    builder.add_node("j", third, "all", {"all": longest})
    builder.add_node("p", second, "all", partial_join=True)
    builder.add_condition_edge("a", route, ["b", "c"])
    builder.add_edge("c", "j")
    builder.add_edge("b", "j", state_filter=keep)
    builder.add_condition_edge("j", 'state.n == 1.0 ? "p" : "end"', ["p", "end"], group="g")
    builder.set_entry_point("a")
    return builder


async def test_a_round_trip_behaves_the_same(tmp_path: Path) -> None:
    builder = whole()
    written = builder.dumps("name", "2.0")
    assert list(written) == ["graph_name", "version", "state_schema", "nodes", "edges", "entry_set"]
    assert (written["graph_name"], written["version"], written["entry_set"]) == ("name", "2.0", True)
    assert list(written["edges"]) == ["a", "c", "b", "j", "start"]
    again = GraphBuilder.loads(json.loads(json.dumps(written)))
    assert again.dumps("name", "2.0") == written
    assert await again.build().run({"log": ["i"]}) == await builder.build().run({"log": ["i"]})
    builder.dump(str(tmp_path / "g.json"))
    assert GraphBuilder.load(str(tmp_path / "g.json")).dumps() == builder.dumps()


def test_no_code_is_written() -> None:
    text = json.dumps(whole().dumps())
    assert "lambda" not in text
    assert "def " not in text
    assert {"import": f"{__name__}:first"} == whole().dumps()["nodes"]["a"]["node"]
    assert whole().dumps()["nodes"]["j"]["node"] == {"registered": "tests.third"}
    assert whole().dumps()["edges"]["j"][0]["router"] == {"expression": 'state.n == 1.0 ? "p" : "end"'}


@pytest.mark.parametrize("where", ["node", "router", "filter", "merge"])
def test_what_cannot_be_written_names_its_node(where: str) -> None:
    builder = GraphBuilder(state_schema=Schema)
    builder.add_node("b", first)
    if where == "node":
        builder.add_node("guilty", lambda state: None)
    elif where == "merge":
        builder.add_node("guilty", first, "all", {"all": lambda states: states[0]})
    else:
        builder.add_node("guilty", first)
    if where == "router":
        builder.add_condition_edge("guilty", lambda state: "b", ["b"])
    elif where == "filter":
        builder.add_edge("guilty", "b", state_filter=lambda state: state)
    with pytest.raises(SerializationError, match=r"'guilty'.*<lambda>"):
        builder.dumps()


def test_loading_names_only_what_is_allowed() -> None:
    builder = GraphBuilder(state_schema=Schema)
    builder.add_node("a", first)
    builder.set_entry_point("a")
    written = builder.dumps()
    for path in ("os:system", "builtins:eval", "subprocess:run", f"{__name__}:never_given", "no_such_module:f"):
        written["nodes"]["a"]["node"] = {"import": path}
        with pytest.raises(SerializationError, match="'a'"):
            GraphBuilder.loads(written)
    assert "no_such_module" not in sys.modules
    written["nodes"]["a"]["node"] = {"import": f"{__name__}:never_given"}
    assert GraphBuilder.loads(written, allow=[never_given]).nodes["a"]._original is never_given
    written["nodes"]["a"]["node"] = {"registered": "nobody"}
    with pytest.raises(SerializationError, match="nobody"):
        GraphBuilder.loads(written)
    written["nodes"]["a"]["node"] = {"class": {"import": f"{__name__}:Schema"}, "fields": {}}
    with pytest.raises(SerializationError, match="'a'"):
        GraphBuilder.loads(written, allow=[Schema])


def never_given(state: Any) -> None:
    return None


@pytest.mark.parametrize(
    "wrong", [{}, {"state_schema": 3}, {"state_schema": None, "nodes": {"a": 1}}, {"state_schema": {"kind": "x"}}]
)
def test_what_cannot_be_loaded(wrong: Any) -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        GraphBuilder.loads(wrong)


@pytest.mark.parametrize("source", [Schema, Model, None])
def test_schemas_keep_types_defaults_constraints_and_order(source: Any) -> None:
    written = json.loads(json.dumps(dump_schema(source)))
    again = load_schema(written)
    assert dump_schema(again) == written
    if source is Model:
        assert list(again.model_fields) == ["z", "a", "items", "text", "short"]
        assert again(text="x").model_dump() == Model(text="x").model_dump()
        assert again(text="x").z is not again(text="x").z
        for wrong in ({"a": 0}, {"short": "abcd"}, {"short": "b"}, {"items": {"a": ["x"]}}):
            with pytest.raises(ValueError, match=r"."):
                again(text="x", **wrong)


def test_a_schema_with_validators_is_named_not_written() -> None:
    written = dump_schema(Checked)
    assert written == {"kind": "class", "name": "Checked", "class": {"import": f"{__name__}:Checked"}}
    assert load_schema(written) is Checked
    _given.pop(f"{__name__}:Checked")
    with pytest.raises(ValueError, match="Checked"):
        load_schema(written)


# Documents.

DOCUMENT = """
name: order_desk
description: Looks an order up and decides what to do with it
state:
- {name: order_id, type: str, update: overwrite}
- {name: total, type: float, update: overwrite}
- {name: log, type: list, update: append}
inputs: [order_id]
entry: look_up
nodes:
  look_up:
    call: Note
    settings: {text: "no", at: 12:30:45}
    outputs: {log: text}
  review: {call: Note, settings: {text: review}}
  reply: {call: Note, settings: {text: reply}, action_mode: all, partial_join: true}
edges:
- {source: look_up, router: 'state.total > 100.0 ? "review" : "reply"', possible_targets: [review, reply]}
- {source: review, target: reply, filter: '{"log": state.log + ["filtered"]}'}
max_turn: 50
timeout: 30
run_timeout: 600
layout: {look_up: {x: 0, y: 0}}
"""


def factory(name: str, entry: dict[str, Any]) -> Any:
    if entry["call"] != "Note":
        raise ValueError(f"there is no Call {entry['call']!r}")

    async def node(state: Any) -> dict[str, Any]:
        return {"log": [entry["settings"]["text"]]}

    return node


async def test_a_document() -> None:
    builder = load_document(DOCUMENT, factory)
    assert builder.document.name == "order_desk"
    assert builder.document.inputs == ["order_id"]
    assert builder.document.definition["nodes"]["look_up"]["settings"] == {"text": "no", "at": "12:30:45"}
    engine = builder.build()
    assert (engine.max_turn, engine.timeout, engine.run_timeout) == (50, 30, 600)
    assert builder.build(max_turn=7).max_turn == 7
    state = await engine.run({"order_id": "1", "total": 200})
    assert state.log == ["no", "review", "filtered", "reply"]
    assert state["log"] == state.log
    assert (await engine.run({"total": 1.5})).log == ["no", "reply"]
    with pytest.raises(StateError):
        await engine.run({"nope": 1})


def test_a_document_as_json_or_as_a_map() -> None:
    definition = load_document(DOCUMENT, factory).document.definition
    for document in (json.dumps(definition), definition, json.dumps(definition).encode()):
        assert load_document(document, factory).document.definition == definition


WRONG = """
name: a b
nonsense: 1
state:
- {name: total, type: float, update: sum}
- {name: total, type: money}
- [x]
inputs: [nobody]
entry: nowhere
nodes:
  look_up: {call: Nope, settings: {}}
  2x: {call: Note}
  good: {call: Note, settings: {text: x}, outputs: {unknown: text}, action_mode: some, colour: red, partial_join: 1}
  list: []
edges:
- {source: look_up, target: nowhere}
- {source: good, router: 'state.', possible_targets: [look_up]}
- {source: good}
- {target: good}
- {source: good, router: x}
- {source: good, target: look_up, weight: 3}
max_turn: 0
timeout: soon
layout: []
"""


def test_every_problem_of_a_document_is_told_with_its_place() -> None:
    with pytest.raises(GraphDocumentError) as caught:
        load_document(WRONG, factory)
    found = {problem.place: problem for problem in caught.value.problems}
    assert set(found) == {
        "name", "nonsense", "state.0", "state.1", "state.2", "inputs.0", "entry", "nodes.look_up", "nodes.2x",
        "nodes.good.outputs.unknown", "nodes.good.action_mode", "nodes.good.colour", "nodes.good.partial_join",
        "nodes.list", "edges.0.target", "edges.1.router", "edges.2", "edges.3.source", "edges.4.possible_targets",
        "edges.4.router",
        "edges.5.weight", "max_turn", "timeout", "layout",
    }  # fmt: skip
    assert "no Call 'Nope'" in found["nodes.look_up"].message
    assert found["name"].line == 2
    assert found["nodes.good.colour"].line == 13
    assert found["edges.5.weight"].line == 21


def test_problems_of_a_nodes_factory_keep_their_place() -> None:
    def strict(name: str, entry: Any) -> Any:
        error = ValueError("bad")
        error.problems = [Problem("settings.text", "too short")]  # type: ignore[attr-defined]
        raise error

    with pytest.raises(GraphDocumentError) as caught:
        load_document({"name": "x", "entry": "a", "nodes": {"a": {"call": "Note"}}, "edges": []}, strict)
    assert [(problem.place, problem.message) for problem in caught.value.problems] == [
        ("nodes.a.settings.text", "too short")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "3", "a: [", "a: &x 1\nb: *x", "a: 1\na: 2", "a: !!python/object/apply:os.system [ls]", "? [a]\n: 1",
        "a: " + "[" * 200 + "]" * 200, "\x00", "name: x\nentry: a\nnodes: {}\nedges: {}", "a: !!binary aGk=",
        b"\xff\xfe", "&a [*a]", "x" * 3_000_000,
    ],
)  # fmt: skip
def test_texts_that_are_no_document(text: Any) -> None:
    with pytest.raises(GraphDocumentError) as caught:
        load_document(text, factory)
    assert caught.value.problems


CASES = Path(__file__).parents[3] / "cases" / "graphs"


def convert(name: str, entry: dict[str, Any]) -> Any:
    """Stand in for the Calls Convert and Delay, which the cases use."""
    settings = entry["settings"]

    async def node(state: Any) -> Any:
        if entry["call"] == "Delay":
            await asyncio.sleep(min(settings["seconds"], 0.02) if settings["seconds"] < 1 else 60)
            return None
        values = {
            key: await Expression(source).evaluate_async({"state": lambda: state})
            for key, source in settings["values"].items()
        }
        return {channel: values[path] for channel, path in entry.get("outputs", {}).items()}

    return node


@pytest.mark.parametrize("case", ["G01", "G03", "G08"])
async def test_cases_from_the_field(case: str) -> None:
    text = (CASES / case / "graph.yaml").read_text()
    expected = json.loads((CASES / case / "expected.json").read_text())
    for run in expected["runs"]:
        document = text
        if "with" in run:
            document = text.replace("    action_mode: all", "    action_mode: all\n    partial_join: true")
        if case == "G03":
            moved = text.replace("{source: a, target: slow}", "{source: a, target: left}").replace(
                "{source: slow, target: left}", "{source: a, target: slow}"
            )
            moved = moved.replace("{source: a, target: right}", "{source: slow, target: right}")
            assert moved.count("slow, target: right") == 1
        engine = load_document(document, convert).build()
        if run["state"] == "finished":
            state = await engine.run(run["inputs"])
            assert {name: state[name] for name in run["result"]} == run["result"]
            continue
        with pytest.raises(RuntimeError) as caught:
            await engine.run(run["inputs"])
        assert all(repr(name) in str(caught.value) for name in run["error_names"])
        if "finished" in run:
            assert set(caught.value.finished) == set(run["finished"])  # type: ignore[attr-defined]
            assert caught.value.state.log == run["kept"]["log"]  # type: ignore[attr-defined]
