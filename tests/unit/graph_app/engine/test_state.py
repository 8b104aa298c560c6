"""State: schemas, strategies, checkpoints, messages, isolation."""

from __future__ import annotations

import copy
import json
import operator
from typing import Annotated, Any, Dict, List, Literal, NotRequired, Optional, TypedDict  # noqa: UP035 - as programs write

import pytest
from pydantic import BaseModel, Field, field_validator

from graph_app.engine import (
    MISSING,
    AssistantMessage,
    GraphBuilder,
    GraphBuildError,
    StateCkpt,
    StateError,
    StateMessage,
    StateUpdater,
    SystemMessage,
    ToolMessage,
    UserMessage,
    _append_messages,
    _overwrite_state_update_strategy,
    generate_state_schema,
)
from graph_app.engine.isolation import IsolatedDict, IsolatedList, isolated
from graph_app.engine.schema import Schema


class Plain(TypedDict):
    a: int
    text: Annotated[str, "overwrite"]
    items: Annotated[List[str], Field(max_length=5), "append"]  # noqa: UP006
    maybe: Optional[Annotated[List[int], "append"]]  # noqa: UP006, UP045
    table: NotRequired[Annotated[Dict[str, int], "merge"]]  # noqa: UP006
    kind: Literal["x", "y"]


def test_strategies_are_found_wherever_they_stand() -> None:
    schema = Schema(Plain)
    names = {name: channel.strategy_name for name, channel in schema.channels.items()}
    assert names == {
        "a": "overwrite", "text": "overwrite", "items": "append", "maybe": "append", "table": "merge",
        "kind": "overwrite",
    }  # fmt: skip


def test_an_empty_text_for_a_number_is_told_as_such() -> None:
    schema = Schema(TypedDict("Counted", {"total": float, "count": int, "name": str}))
    with pytest.raises(StateError, match=r"'n': channel 'total': a number is wanted, but an empty text came$"):
        schema.check({"total": "", "name": ""}, "n")
    with pytest.raises(StateError, match=r"channel 'count': a whole number is wanted, but an empty text came$"):
        schema.check({"count": ""})
    with pytest.raises(StateError, match=r"channel 'total': Input should be a valid number"):
        schema.check({"total": "much"})


def test_channels_that_nobody_wrote() -> None:
    assert Schema(Plain).initial() == {"a": 0, "text": "", "items": [], "maybe": None, "table": {}, "kind": None}


def test_an_optional_channel_can_be_appended_to() -> None:
    schema = Schema(Plain)
    values = schema.initial()
    schema.apply(values, schema.check({"maybe": [1]}), {})
    schema.apply(values, schema.check({"maybe": [2]}), {})
    assert values["maybe"] == [1, 2]


def test_validation_is_lax_and_only_for_what_is_written() -> None:
    assert Schema(Plain).check({"a": "3"}) == {"a": 3}
    with pytest.raises(StateError, match="items"):
        Schema(Plain).check({"items": list("123456")})


def test_an_unregistered_strategy_is_refused_when_the_graph_is_built() -> None:
    class Bad(TypedDict):
        a: Annotated[str, "no_such_strategy"]

    builder = GraphBuilder(state_schema=Bad)
    builder.add_node("a", lambda state: None)
    builder.set_entry_point("a")
    with pytest.raises(GraphBuildError, match=r"'a'.*no_such_strategy"):
        builder.build()


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        ("overwrite", 1, 2, 2), ("append", [1], [2], [1, 2]), ("add", 1, 2, 3),
        ("merge", {"a": 1}, {"b": 2}, {"a": 1, "b": 2}), ("max", 3, 2, 3), ("min", 3, 2, 2),
        ("union", [1, 2], [2, 3], [1, 2, 3]), ("union", [[1]], [[1], [2]], [[1], [2]]),
        ("overwrite", 1, MISSING, 1), ("append", MISSING, [1], [1]), ("add", MISSING, 2, 2), ("max", MISSING, 2, 2),
        ("union", [1], [True, 1.0], [1, True, 1.0]),
    ],
)  # fmt: skip
def test_registered_strategies(name: str, old: Any, new: Any, expected: Any) -> None:
    before = copy.deepcopy((old, new))
    assert StateUpdater.get(name)(old, new) == expected
    assert (old, new) == before


def test_the_engine_applies_strategies_as_they_are() -> None:
    class All(TypedDict):
        append: Annotated[list, "append"]
        add: Annotated[float, "add"]
        merge: Annotated[dict, "merge"]
        max: Annotated[int, "max"]
        min: Annotated[int, "min"]
        union: Annotated[list, "union"]

    schema = Schema(All)
    values, known = schema.initial(), {}
    for delta in (
        {"append": [1], "add": 1, "merge": {"a": 1}, "max": -5, "min": 5, "union": [1, [2]]},
        {"append": [1], "add": 2, "merge": {"a": 2, "b": 1}, "max": -7, "min": 7, "union": [[2], 1, 3]},
    ):
        schema.apply(values, schema.check(delta), known)
    assert values == {"append": [1, 1], "add": 3, "merge": {"a": 2, "b": 1}, "max": -5, "min": 5, "union": [1, [2], 3]}


def test_extremes_start_from_a_declared_default() -> None:
    class Limits(BaseModel):
        low: Annotated[int, "min"] = 3

    schema = Schema(Limits)
    values = schema.initial()
    schema.apply(values, schema.check({"low": 9}), {})
    assert values["low"] == 3


def test_a_function_is_a_strategy_and_cannot_change_what_it_gets() -> None:
    def in_place(old: list[int], new: list[int]) -> list[int]:
        old.extend(new)
        return old

    class Own(TypedDict):
        a: Annotated[list, in_place]
        b: Annotated[int, operator.add]

    root = StateCkpt(delta={"a": [1], "b": 1}, state_schema=Own)
    first = StateCkpt(delta={"a": [2], "b": 1}, parent=root)
    second = StateCkpt(delta={"a": [3], "b": 1}, parent=root)
    assert first.materialize() == {"a": [1, 2], "b": 2}
    assert second.materialize() == {"a": [1, 3], "b": 2}
    assert root.materialize() == {"a": [1], "b": 1}


def test_the_registry_of_strategies() -> None:
    @StateUpdater.register("test_only")
    def mine(old: Any, new: Any) -> Any:
        return new

    try:
        assert StateUpdater.get("test_only") is mine
        assert StateUpdater.registered("test_only")
        assert "test_only" in StateUpdater.list_strategies()
        with pytest.raises(KeyError):
            StateUpdater.register("test_only")(mine)
    finally:
        del StateUpdater._strategies["test_only"]
    with pytest.raises(KeyError, match="test_only"):
        StateUpdater.get("test_only")


def test_the_pages_two_strategies() -> None:
    assert _overwrite_state_update_strategy() is MISSING
    assert _overwrite_state_update_strategy(1) == 1
    assert _append_messages() == []
    first = UserMessage(content="a", msg_id="1")
    merged = _append_messages([first], [UserMessage(content="b", msg_id="1"), {"role": "user", "content": "c"}])
    assert [message.content for message in merged] == ["a", "c"]
    assert all(message.msg_id for message in merged)


def test_checkpoints() -> None:
    class Chat(TypedDict):
        messages: Annotated[list, "append_messages"]
        n: int

    root = StateCkpt(delta={"n": 1}, state_schema=Chat)
    child = StateCkpt(delta={"messages": [{"role": "user", "content": "x"}]}, parent=root)
    assert child.materialize()["n"] == 1
    child.materialize()["messages"].append("spoilt")
    assert len(child.materialize()["messages"]) == 1
    one, two = (StateCkpt(delta={"n": n}, parent=child) for n in (2, 3))
    merged = StateCkpt.merge([one, two]).materialize()
    assert (merged["n"], len(merged["messages"])) == (3, 1)
    assert StateCkpt.merge([one, two], lambda states: states[0]).materialize()["n"] == 2
    assert StateCkpt.filter(one, lambda state: {**state, "n": 9}).materialize()["n"] == 9
    with pytest.raises(StateError):
        StateCkpt.filter(one, lambda state: 3)
    with pytest.raises(ValueError, match="no checkpoints"):
        StateCkpt.merge([])
    assert StateCkpt.merge_state({"n": 1, "messages": []}, {"n": 4}, Chat)["n"] == 4


def test_a_model_is_materialized_as_an_instance() -> None:
    class Model(BaseModel):
        a: int = 1

    state = StateCkpt(delta={"a": 2}, state_schema=Model).materialize()
    assert isinstance(state, Model)
    assert state.model_dump() == {"a": 2}
    assert isinstance(StateCkpt.merge_state(None, {"a": 5}, Model), Model)


def test_field_validators_of_a_model_hold() -> None:
    class Model(BaseModel):
        a: int = 1
        b: list[int] = []

        @field_validator("a")
        @classmethod
        def even(cls, value: int) -> int:
            if value % 2:
                raise ValueError("odd")
            return value

    assert Schema(Model).check({"a": "4"}) == {"a": 4}
    with pytest.raises(StateError, match="odd"):
        Schema(Model).check({"a": 3})


def test_a_delta_may_be_a_model() -> None:
    class Model(BaseModel):
        a: int = 1
        b: Annotated[list[int], "append"] = []

    class Other(BaseModel):
        a: int = 0

    schema = Schema(Model)
    assert schema.check(Other(a=4)) == {"a": 4}
    assert schema.check(Model(a=4)) == {"a": 4}
    state = schema.present({"a": 1, "b": [1]}, isolate=True)
    assert schema.check(state.model_copy(update={"a": 7})) == {"a": 7}
    state.a = 8
    assert schema.check(state) == {"a": 8}


@pytest.mark.parametrize(
    ("variables", "problem"),
    [
        ([("1a", str, "overwrite")], "no name"), ([("class", str, "overwrite")], "no name"),
        ([("a b", str, "overwrite")], "no name"), ([("messages", list, "append")], "always there"),
        ([("a", str, "overwrite"), ("a", int, "overwrite")], "twice"), ([("a", set, "overwrite")], "type"),
        ([("a", "__import__('os')", "overwrite")], "type"), ([("a", str, "nope")], "strategy"),
        ([("a", "bytes", "overwrite")], "type"),
    ],
)  # fmt: skip
def test_variables_that_make_no_schema(variables: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        generate_state_schema(variables)


def test_a_generated_schema() -> None:
    schema = generate_state_schema(
        [("user_id", bool, "overwrite"), ("total", "float", "add"), ("copy", "list", "append"), ("low", int, "min")]
    )
    assert issubclass(schema, BaseModel)
    assert list(schema.model_fields) == ["messages", "user_id", "total", "copy", "low"]
    compiled = Schema(schema)
    values = compiled.initial()
    compiled.apply(values, compiled.check({"low": 4, "total": "1.5", "messages": [{"role": "ai", "content": "x"}]}), {})
    state = compiled.present(values, isolate=False)
    assert (state.low, state["total"], state.messages[0].role) == (4, 1.5, "assistant")
    assert dict(**{key: state[key] for key in state.keys()})["low"] == 4  # noqa: SIM118 - the mapping's own method


def test_deltas_of_generated_schemas_are_json() -> None:
    schema = Schema(generate_state_schema([("t", tuple, "overwrite"), ("d", dict, "merge")]))
    delta = schema.check(
        {"messages": [AssistantMessage(content="x", tool_calls=[{"a": 1}])], "t": (1, "a"), "d": {"x": None}}
    )
    written = json.loads(json.dumps(schema.dump(delta)))
    assert schema.load(written) == delta


@pytest.mark.parametrize(
    ("role", "cls"),
    [("user", UserMessage), ("assistant", AssistantMessage), ("system", SystemMessage), ("tool", ToolMessage)],
)
def test_dicts_become_messages_of_their_role(role: str, cls: type) -> None:
    class Chat(TypedDict):
        messages: Annotated[list, "append_messages"]

    (message,) = Schema(Chat).check({"messages": [{"role": role, "content": "x", "more": 1}]})["messages"]
    assert type(message) is cls
    assert isinstance(message, StateMessage)
    assert StateMessage.model_validate({"role": role, "content": "x"}).role == role


@pytest.mark.parametrize("value", [[3], [{"content": "x"}], [{"role": "nobody", "content": ""}], "text", [None]])
def test_what_is_no_message(value: Any) -> None:
    class Chat(TypedDict):
        messages: Annotated[list, "append_messages"]

    with pytest.raises(StateError, match=r"'n'.*'messages'"):
        Schema(Chat).check({"messages": value}, "n")


def test_isolated_values_copy_what_is_read_and_no_more() -> None:
    inner = [{"a": [1]} for _ in range(3)]
    engine = {"x": inner, "y": {"z": (1, [2])}, "n": 1, "s": {1, 2}}
    view = isolated(engine)
    assert isinstance(view, dict)
    assert view["x"][-1]["a"] is not inner[-1]["a"]
    assert list.__getitem__(view["x"], 0) is inner[0]
    view["x"][0]["a"].append(2)
    view["y"]["z"][1].append(3)
    view["s"].add(3)
    for item in view["x"]:
        item["b"] = 1
    view["x"].pop()["a"].clear()
    next(iter([*view["x"]]))["c"] = 1
    sorted(view["x"], key=str)[0]["d"] = 1
    dict(view)["x"].append(1)
    view.copy()["y"]["q"] = 1
    view.get("y")["r"] = 1
    next(reversed(view["x"]))
    (view | {})["x"].append(2)
    view["x"][:1][0]["e"] = 1
    (view["x"] + [])[0]["f"] = 1
    view["x"].sort(key=str)
    copy.deepcopy(view)
    assert json.dumps(engine, default=list) == json.dumps(
        {"x": [{"a": [1]}] * 3, "y": {"z": (1, [2])}, "n": 1, "s": {1, 2}}, default=list
    )


def test_views_are_equal_and_stay_what_they_are() -> None:
    view = isolated({"a": [1, {"b": 2}]})
    assert view == {"a": [1, {"b": 2}]}
    assert view["a"] is view["a"]
    assert isinstance(view["a"], IsolatedList)
    assert isinstance(view["a"][1], IsolatedDict)
    assert json.loads(json.dumps(view)) == {"a": [1, {"b": 2}]}
    view["a"] = 3
    assert view["a"] == 3


class Later(TypedDict):
    inner: Annotated[list[Unknown], "append"]


class Unknown(BaseModel):
    a: int


class Address(TypedDict):
    street: str
    number: NotRequired[int]


def test_typed_dicts_inside_a_state() -> None:
    class Nested(TypedDict):
        home: Address
        others: Annotated[list[Optional[Address]], "append"]  # noqa: UP045
        pair: tuple[Address, ...]

    schema = Schema(Nested)
    assert schema.initial() == {"home": {}, "others": [], "pair": ()}
    checked = schema.check({"home": {"street": "a", "number": "3"}, "others": [{"street": "b"}, None]})
    assert checked == {"home": {"street": "a", "number": 3}, "others": [{"street": "b"}, None]}
    with pytest.raises(StateError, match="street"):
        schema.check({"home": {"number": 1}})


def test_sets_and_tuples_stay_what_they_are() -> None:
    class Kinds(TypedDict):
        tags: Annotated[set, "union"]
        trail: Annotated[tuple, "append"]

    values = Schema(Kinds).initial()
    for delta in ({"tags": [1, 2], "trail": (1,)}, {"tags": {2, 3}, "trail": [2]}):
        Schema(Kinds).apply(values, Schema(Kinds).check(delta), {})
    assert values == {"tags": {1, 2, 3}, "trail": (1, 2)}


def test_postponed_annotations() -> None:
    assert Schema(Later).check({"inner": [{"a": 1}]})["inner"][0].a == 1


def test_postponed_annotations_inside_a_function() -> None:
    class Local(BaseModel):
        a: int

    class Here(TypedDict):
        inner: Annotated[list[Local], "append"]

    assert Schema(Here).check({"inner": [{"a": 1}]})["inner"] == [Local(a=1)]
