"""What a journal tells of a step's input, and of what it asked a model: without database and network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from graph_app.calls import CallServices, Provider, shared_engine
from graph_app.calls.chat import ModelChunk, ToolCall
from graph_app.calls.models import Models
from graph_app.runs.fold import fold
from graph_app.runs.session import Session
from toolkit_app.engine import Door

TALK = """
name: talk
state: [{name: said, type: str, update: overwrite}, {name: found, type: dict, update: overwrite}]
inputs: [said]
entry: think
nodes:
  think: {call: LLM, settings: {system_prompt: Be brief, user_prompt: "Find ${state:said}"}, outputs: {said: text}}
  plain: {call: Convert, settings: {text: x}}
  pick:
    call: Extract
    settings: {source: "${state:said}", schema: {type: object, required: [n], properties: {n: {type: integer}}}}
    outputs: {found: ""}
edges: [{source: think, target: plain}, {source: plain, target: pick}]
"""
OUTER = """
name: outer
state: [{name: words, type: list, update: overwrite}]
inputs: [words]
entry: all
nodes:
  all: {call: ForEach, settings: {items: "${state:words}", graph: talk, inputs: {said: "${item:value}"}}}
  once: {call: Graph, settings: {graph: talk, inputs: {said: "${state:words/0}"}}}
edges: [{source: all, target: once}]
"""


class Client:
    """Stands where a model's server is asked: gives these answers, one after the other."""

    label = "house"

    def __init__(self, *answers: ModelChunk | Exception) -> None:
        self._answers = list(answers)

    async def complete(self, _: Any) -> ModelChunk:
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def stream(self, request: Any) -> AsyncIterator[ModelChunk]:
        yield await self.complete(request)


def journal(text: str, inputs: dict[str, Any], *answers: ModelChunk | Exception) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []

    class Kept:
        def emit(self, kind: str, data: Any, *, node: Any = None, visit: Any = None, path: Any = ()) -> None:
            events.append({"type": kind, "data": data, "node": node, "visit": visit})

        async def room(self) -> None:
            return

    async def graph(_: str) -> str:
        return TALK

    models = Models([Provider(name="house", base_url="http://x/v1", reasoning="big", function="small")], Door())
    models._clients["house"] = Client(*answers)  # type: ignore[assignment]
    services = CallServices(graph=graph, models=models)

    async def run() -> None:
        engine = shared_engine(text)
        await Session(engine, services, fold(engine.plan, inputs, ()).ledger, Kept()).run()

    asyncio.run(run())
    assert services.accounts == {}, "nothing is kept of what has ended"
    return events


def ended(events: list[dict[str, Any]], node: str, kind: str = "node.finished") -> Any:
    return [event["data"] for event in events if event["type"] == kind and event["node"] == node]


WRONG = ToolCall("7", "no_tool", "{}")
ANSWERS = (
    ModelChunk(tool_calls=[WRONG]),
    ModelChunk(content="It is 3."),
    ModelChunk(content="Three."),
    ModelChunk(content='{"n": 3}'),
)


def test_what_a_model_was_asked_is_told_once_with_what_came_of_it() -> None:
    events = journal(TALK, {"said": "it"}, *ANSWERS)
    (thought,), (plain,), (picked,) = (ended(events, node) for node in ("think", "plain", "pick"))
    (asked,) = thought["asked"]
    assert (asked["provider"], asked["model"], asked["sent"]) == ("house", "big", [2, 4])
    assert asked["messages"][:2] == [
        {"role": "system", "content": "Be brief"},
        {"role": "user", "content": "Find it"},
    ]
    assert asked["messages"][2]["tool_calls"][0]["function"]["name"] == "no_tool"
    assert asked["messages"][3]["role"] == "tool"
    assert set(plain) == {"delta", "output", "routes"}
    (asked,) = picked["asked"]
    assert (asked["model"], asked["sent"]) == ("small", [2, 4])
    assert asked["messages"][2] == {"role": "assistant", "content": "Three."}


def test_what_a_model_was_asked_is_told_where_the_step_fails() -> None:
    events = journal(TALK, {"said": "it"}, RuntimeError("No."))
    (failed,) = ended(events, "think", "node.failed")
    assert failed["asked"][0]["messages"][-1]["content"] == "Find it"


def test_steps_tell_with_what_they_were_called_also_inside_of_others() -> None:
    events = journal(OUTER, {"words": ["one"]}, *ANSWERS, *ANSWERS)
    (each,), (once,) = ended(events, "all"), ended(events, "once")
    assert each["input"] == {"items": ["one"], "graph": "talk", "inputs": {"said": "${item:value}"}}
    assert once["input"] == {"graph": "talk", "inputs": {"said": "one"}}
    questions = [asked["messages"][1]["content"] for end in ended(events, "think") for asked in end["asked"]]
    assert questions == ["Find one", "Find one"]
