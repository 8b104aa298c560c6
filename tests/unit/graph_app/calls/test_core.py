"""CoreCall and its types, as the specification describes them."""

from __future__ import annotations

import logging
import uuid
from collections.abc import AsyncGenerator
from types import SimpleNamespace
from typing import Any

import pytest

from graph_app.calls import (
    CallError,
    CallInfo,
    CallOutputChunk,
    CallOutputType,
    CallVars,
    CoreCall,
    DataBase,
    ExecutorBackground,
    ExecutorHistory,
    LanguageType,
    NodeInfo,
    call_class,
    registered_calls,
)

TASK = uuid.uuid4()


class MyInput(DataBase):
    field1: str
    field2: str


class MyOutput(DataBase):
    message: str = ""


class MyCall(CoreCall, input_model=MyInput, output_model=MyOutput):
    """自定义Call实现"""

    @classmethod
    def info(cls, language: LanguageType = LanguageType.CHINESE) -> CallInfo:
        if language == LanguageType.CHINESE:
            return CallInfo(name="我的工具", description="这是一个自定义工具")
        return CallInfo(name="My Tool", description="This is a custom tool")

    async def _init(self, call_vars: CallVars) -> MyInput:
        return MyInput(field1="value1", field2="value2")

    async def _exec(self, input_data: dict[str, Any]) -> AsyncGenerator[CallOutputChunk, None]:
        result = "处理结果"
        yield CallOutputChunk(type=CallOutputType.TEXT, content=result)


class Model:
    def __init__(self, answer: dict[str, Any] | None = None) -> None:
        self.answer = answer or {}
        self.asked: list[Any] = []

    async def call(self, messages: list[dict[str, Any]], **given: Any) -> Any:
        self.asked.append((messages, given))
        return self.answer


class Reasoning:
    async def call(self, messages: list[dict[str, Any]], streaming: bool) -> AsyncGenerator[Any, None]:
        for content in ("a", None, "b"):
            yield SimpleNamespace(content=content)


def executor(**changes: Any) -> Any:
    given = {
        "context": [],
        "state": SimpleNamespace(executorId="flow", appId=None),
        "question": "what?",
        "background": ExecutorBackground(num=3, conversation=[{"role": "user", "content": "hi"}], facts=["f"]),
        "function": None,
        **changes,
    }
    return SimpleNamespace(
        task=SimpleNamespace(
            metadata=SimpleNamespace(id=TASK, userId="ada", conversationId=None),
            state=given["state"],
            runtime=SimpleNamespace(language=LanguageType.ENGLISH, sessionId="s", reasoning="hm"),
            context=given["context"],
        ),
        step=SimpleNamespace(step=SimpleNamespace(name="step", description="what it does")),
        question=given["question"],
        background=given["background"],
        llm=SimpleNamespace(reasoning=Reasoning(), function=given["function"]),
    )


async def collect(call: CoreCall, given: Any) -> list[CallOutputChunk]:
    return [chunk async for chunk in call.exec(given, call.input)]


async def test_the_specifications_own_example() -> None:
    given = executor()
    call = await MyCall.instance(given, NodeInfo(name="step"))
    assert (call.name, call.description, call.node.name) == ("step", "what it does", "step")
    assert call.input == {"field1": "value1", "field2": "value2"}
    (chunk,) = await collect(call, given)
    assert (chunk.type, chunk.content) == (CallOutputType.TEXT, "处理结果")
    assert MyCall.info().name == "我的工具"
    assert MyCall.info(LanguageType.ENGLISH).name == "My Tool"
    assert MyCall.input_model is MyInput
    assert registered_calls()["MyCall"] is MyCall


def test_names_and_descriptions_are_no_settings() -> None:
    schema = MyCall.model_json_schema()
    assert not {"name", "description", "node", "input"} & set(schema["properties"])
    assert "to_user" in schema["properties"]
    assert not {"name", "description"} & set(schema.get("required", []))


@pytest.mark.parametrize("missing", ["input_model", "output_model"])
def test_a_class_without_models_is_no_call(missing: str) -> None:
    given = {"input_model": MyInput, "output_model": MyOutput}
    del given[missing]
    with pytest.raises(TypeError, match="Unfinished") as refused:
        type(CoreCall)("Unfinished", (CoreCall,), {"__module__": __name__}, **given)
    assert missing in str(refused.value)


def test_an_abstract_class_stays_out_of_the_registry() -> None:
    class Between(CoreCall, input_model=MyInput, output_model=MyOutput, abstract=True):
        pass

    class Concrete(Between, input_model=MyInput, output_model=MyOutput):
        pass

    assert "Between" not in registered_calls()
    assert registered_calls()["Concrete"] is Concrete
    with pytest.raises(CallError, match="there are"):
        call_class("Between")


async def test_what_a_subclass_must_say() -> None:
    class Silent(CoreCall, input_model=MyInput, output_model=MyOutput):
        pass

    with pytest.raises(NotImplementedError):
        Silent.info()
    with pytest.raises(NotImplementedError):
        await Silent.instance(executor())


async def test_the_default_exec_yields_one_empty_text() -> None:
    class Quiet(CoreCall, input_model=MyInput, output_model=MyOutput):
        async def _init(self, call_vars: CallVars) -> MyInput:
            return MyInput(field1="", field2="")

    given = executor()
    (chunk,) = await collect(await Quiet.instance(given), given)
    assert (chunk.type, chunk.content) == (CallOutputType.TEXT, "")


async def test_extra_settings_are_kept() -> None:
    call = await MyCall.instance(executor(), None, to_user=True, anything=[1])
    assert call.to_user is True
    assert call.anything == [1]


def test_override_covers_properties_and_leaves_the_class_alone() -> None:
    before = MyInput.model_json_schema()
    schema = MyInput.model_json_schema(override={"field1": {"type": "integer"}, "new": {"type": "null"}})
    assert schema["properties"]["field1"] == {"type": "integer"}
    assert schema["properties"]["new"] == {"type": "null"}
    assert MyInput.model_json_schema() == before
    assert DataBase.model_json_schema(override={"x": {}})["properties"] == {"x": {}}


class TestVars:
    def test_all_of_them(self) -> None:
        first, second = uuid.uuid4(), "step2"
        context = [
            ExecutorHistory(stepId=str(first), outputData={"n": 1}),
            SimpleNamespace(stepId=second, outputData={"n": 2}),
            ExecutorHistory(stepId=str(first), outputData={"n": 3}),
        ]
        found = MyCall._assemble_call_vars(executor(context=context))
        assert found.language is LanguageType.ENGLISH
        assert (found.ids.task_id, found.ids.executor_id, found.ids.user_id) == (TASK, "flow", "ada")
        assert (found.question, found.thinking, found.background.facts) == ("what?", "hm", ["f"])
        assert found.step_order == [str(first), second, str(first)], "a step that ran twice stands twice"
        assert found.step_data[first].outputData == {"n": 3}, "with its last output"
        assert found.step_data[str(first)] is found.step_data[first]
        assert found.step_data["step2"].outputData == {"n": 2}
        assert first in found.step_data
        assert uuid.uuid4() not in found.step_data
        assert found.step_data.get("none") is None

    def test_whatever_has_the_attributes_will_do(self) -> None:
        given = executor(background=SimpleNamespace(num=1, conversation=[], facts=["x"]))
        assert MyCall._assemble_call_vars(given).background.facts == ["x"]

    @pytest.mark.parametrize("state", [None, {}])
    def test_a_task_without_state(self, state: Any, caplog: pytest.LogCaptureFixture) -> None:
        with caplog.at_level(logging.ERROR), pytest.raises(ValueError, match="state"):
            MyCall._assemble_call_vars(executor(state=state))
        assert caplog.records


class TestHistory:
    HISTORY = {  # noqa: RUF012
        "step1": ExecutorHistory(stepId="step1", outputData={"result": {"list": [{"x": 1}, None]}, "zero": 0}),
        uuid.UUID(int=7): ExecutorHistory(stepId=str(uuid.UUID(int=7)), outputData={"y": 2}),
    }

    @pytest.mark.parametrize(
        ("path", "value"),
        [
            ("step1/result/list/0/x", 1),
            ("step1/zero", 0),
            ("step1/result/list/1", None),
            (f"{uuid.UUID(int=7)}/y", 2),
            ("step1", {"result": {"list": [{"x": 1}, None]}, "zero": 0}),
        ],
    )
    def test_found(self, path: str, value: Any) -> None:
        assert MyCall._extract_history_variables(path, self.HISTORY) == value

    @pytest.mark.parametrize(
        "path", ["", "/", "none/x", "step1/none", "step1/result/list/2", "step1/result/list/-1", "step1/zero/x"]
    )
    def test_not_found_is_none_and_logged(self, path: str, caplog: pytest.LogCaptureFixture) -> None:
        with caplog.at_level(logging.ERROR):
            assert MyCall._extract_history_variables(path, self.HISTORY) is None
        assert caplog.records


class Tracked(CoreCall, input_model=MyInput, output_model=MyOutput):
    fail: bool = False

    async def _init(self, call_vars: CallVars) -> MyInput:
        self.told: list[str] = []
        return MyInput(field1="", field2="")

    async def _exec(self, input_data: dict[str, Any]) -> AsyncGenerator[CallOutputChunk, None]:
        try:
            for number in range(3):
                yield CallOutputChunk(type=CallOutputType.DATA, content={"n": number})
                if self.fail:
                    raise KeyError("unchanged")
        finally:
            self.told.append("closed")

    async def _after_exec(self, input_data: dict[str, Any]) -> None:
        self.told.append("after")


class TestExec:
    async def test_after_the_last_piece_once(self) -> None:
        call = await Tracked.instance(executor())
        assert len(await collect(call, executor())) == 3
        assert call.told == ["closed", "after"]

    async def test_a_consumer_that_stops_early(self) -> None:
        call = await Tracked.instance(executor())
        stream = call.exec(executor(), call.input)
        await anext(stream)
        await stream.aclose()
        assert call.told == ["closed"]

    async def test_a_failure_comes_out_unchanged(self) -> None:
        call = await Tracked.instance(executor(), None, fail=True)
        with pytest.raises(KeyError, match="unchanged"):
            await collect(call, executor())
        assert call.told == ["closed"]


class TestModels:
    async def test_text(self) -> None:
        call = await MyCall.instance(executor())
        assert [piece async for piece in call._llm([], streaming=True)] == ["a", "", "b"]

    async def test_objects(self) -> None:
        model = Model({"x": 1})
        call = await MyCall.instance(executor(function=model))
        assert await call._json([{"role": "user", "content": "q"}], {"type": "object"}) == {"x": 1}
        assert model.asked[0][1] == {"schema": {"type": "object"}}

    async def test_without_a_function_model(self, caplog: pytest.LogCaptureFixture) -> None:
        call = await MyCall.instance(executor())
        with caplog.at_level(logging.ERROR), pytest.raises(CallError, match="no model"):
            await call._json([], {})
        assert caplog.records


class Open(DataBase):
    city: str
    days: int
    note: str = ""


class Fills(CoreCall, input_model=Open, output_model=MyOutput):
    async def _init(self, call_vars: CallVars) -> Open:
        return Open.model_construct(city="Paris")


class TestFilling:
    async def test_only_what_is_missing_is_asked_for(self) -> None:
        model = Model({"days": 3, "city": "Rome"})
        call = await Fills.instance(executor(function=model), None, enable_filling=True)
        assert call.input["city"] == "Paris"
        assert call.input["days"] == 3
        messages, given = model.asked[0]
        assert given["schema"]["required"] == ["days"]
        assert "what?" in messages[-1]["content"]

    @pytest.mark.parametrize("answer", [{}, {"days": None}, {"days": "many"}])
    async def test_what_still_lacks_is_named(self, answer: dict[str, Any]) -> None:
        with pytest.raises(CallError, match="days"):
            await Fills.instance(executor(function=Model(answer)), None, enable_filling=True)

    async def test_nothing_is_asked_without_it(self) -> None:
        model = Model()
        assert (await Fills.instance(executor(function=model))).input == {"city": "Paris", "note": ""}
        assert not model.asked
