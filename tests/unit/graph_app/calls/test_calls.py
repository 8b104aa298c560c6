"""The built-in Calls, by graph files with exact results, and the page that walks through a new one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from graph_app.calls import CallServices, Models, build_engine, call_class, load_builder, registered_calls
from graph_app.calls.types import LanguageType
from graph_app.engine import GraphDocumentError, NodeError, Suspended
from graph_app.runs.assembly import SANDBOX
from graph_app.runs.folder import Folder
from graph_app.runs.states import plain_delta
from toolkit_app import sandbox
from toolkit_app.engine import Door, EgressPolicy, ToolRunner
from toolkit_app.engine.redaction import MARK, Redactor

CASES = Path(__file__).parents[3] / "cases" / "calls"
SAYS = "This answer was made by a rule of the sandbox, not by a model."
ORDER = '{"status": "delivered", "total": 261.9}'


async def run(file: str, inputs: dict[str, Any] | None = None, **services: Any) -> Any:
    folder = Folder.of(str(CASES / file))
    policy = EgressPolicy(sandbox=sandbox.address())
    async with ToolRunner(egress=policy) as runner, Door(policy) as door:
        given = CallServices(
            tool=folder.tool, graph=folder.graph, runner=runner, models=Models([SANDBOX], door), **services
        )
        engine = build_engine(folder.document(str(CASES / file)), given)
        state = await engine.run(inputs or {})
    return state if isinstance(state, Suspended) else plain_delta(state)


@pytest.mark.parametrize(
    ("file", "inputs", "result"),
    [
        ("tool.yaml", {"order_id": "2"}, {"status": "delivered", "total": 21.9}),
        (
            "llm.yaml",
            {},
            {
                "answer": f"{SAYS} The tool answered: {ORDER}",
                "calls": [{"name": "order_of", "arguments": {"order_id": "1042"}, "output": ORDER}],
            },
        ),
        ("extract.yaml", {}, {"count": 3, "who": "Ada"}),
        ("convert.yaml", {"n": 3}, {"n": 7, "half": 1.5, "text": "n is 7, half was 1.5"}),
        ("graph.yaml", {}, {"out": "n is 7, half was 1.5"}),
        ("delay.yaml", {"seconds": 0.01}, {"done": True}),
    ],
)
async def test_results(file: str, inputs: dict[str, Any], result: dict[str, Any]) -> None:
    state = await run(file, inputs)
    assert {key: state[key] for key in result} == result


async def test_for_each_keeps_the_order_and_collects() -> None:
    state = await run("for_each.yaml", {"items": [{"n": 0.05}, {"n": 0.01}, {"n": -1}, {}]})
    assert [one and one["text"] for one in state["results"]] == ["0: 0.05", "1: 0.01", None, None]
    assert set(state["errors"]) == {"2", "3"}


async def test_for_each_stops() -> None:
    text = (CASES / "for_each.yaml").read_text().replace("collect", "stop")
    folder = Folder.of(str(CASES / "for_each.yaml"))
    engine = build_engine(text, CallServices(graph=folder.graph))
    with pytest.raises(NodeError, match=r"each\[1\]"):
        await engine.run({"items": [{"n": 0.0}, {"n": -1}]})


async def test_ask_waits() -> None:
    suspended = await run("ask.yaml")
    assert isinstance(suspended, Suspended)
    (waiting,) = suspended.waiting
    assert waiting.question["question"] == "Go on?"


async def test_what_a_call_puts_out_is_redacted_before_it_enters_the_state() -> None:
    redactor = Redactor(["secret-status", "delivered"])
    state = await run("tool.yaml", {"order_id": "2"}, redactor=redactor)
    assert state["status"] == MARK


def problems(nodes: str) -> dict[str, str]:
    text = f"name: x\nstate: [{{name: n, type: int}}]\nentry: a\nnodes:\n{nodes}\nedges: []\n"
    with pytest.raises(GraphDocumentError) as refused:
        load_builder(text, CallServices())
    return {problem.place: problem.message for problem in refused.value.problems}


@pytest.mark.parametrize(
    ("node", "place", "says"),
    [
        ("{call: Nothing}", "nodes.a.call", "there are"),
        ("{call: Tool, settings: {}}", "nodes.a.settings.tool", "wanted"),
        ("{call: Tool, settings: {tool: t, parms: {}}}", "nodes.a.settings.parms", "params"),
        ("{call: Convert, settings: {values: {x: '1 +'}}}", "nodes.a.settings.values.x", "compile"),
        ("{call: Convert, settings: {text: '${state:m}'}}", "nodes.a.settings.text", "no state variable 'm'"),
        ("{call: Convert, settings: {text: '${node:b/x}'}}", "nodes.a.settings.text", "no step 'b'"),
        ("{call: Convert, settings: {text: '${env:K}'}}", "nodes.a.settings.text", "outside"),
        ("{call: Convert, settings: {text: '${item:k}'}}", "nodes.a.settings.text", "ForEach"),
        ("{call: Convert, settings: {text: '${step0:k}'}}", "nodes.a.settings.text", "no reference"),
        ("{call: ForEach, settings: {items: [], tool: t, graph: g}}", "nodes.a.settings", "not both"),
        ("{call: Ask, settings: {question: q, kind: maybe}}", "nodes.a.settings.kind", "text"),
        ("{call: LLM, settings: {temperature: 9}}", "nodes.a.settings.temperature", "2"),
        ("{call: Delay, settings: {seconds: 1}, to_user: 7}", "nodes.a.to_user", "true or false"),
        ("{call: Delay, settings: {seconds: 1}, outputs: {n: 7}}", "nodes.a.outputs.n", "path"),
    ],
)
def test_problems_of_settings_are_told_with_their_place(node: str, place: str, says: str) -> None:
    found = problems(f"  a: {node}")
    assert says in found[place]


async def test_errors_name_step_and_field() -> None:
    text = """name: x
state: [{name: n, type: int}]
entry: a
nodes:
  a: {call: Convert, settings: {text: hello}, outputs: {n: missing/path}}
edges: []
"""
    with pytest.raises(NodeError, match=r"a: outputs\.n \(Into the state\) asks for 'missing/path'"):
        await build_engine(text, CallServices()).run({})


def test_every_setting_has_labels_and_hints_in_both_languages() -> None:
    for name in ("Tool", "LLM", "Extract", "Convert", "Ask", "Graph", "ForEach", "Delay"):
        call = call_class(name)
        chinese, english = call.settings_schema(), call.settings_schema(LanguageType.ENGLISH)
        for field in english["properties"]:
            for text in ("title", "description"):
                assert english["properties"][field][text] != chinese["properties"][field][text], (name, field)


def test_every_setting_with_fixed_values_has_labels_for_them() -> None:
    for name in ("Tool", "LLM", "Extract", "Convert", "Ask", "Graph", "ForEach", "Delay"):
        for language in LanguageType:
            properties = call_class(name).settings_schema(language)["properties"]
            for field, details in properties.items():
                assert set(details.get("x-options", {})) == set(details.get("enum", [])), (name, field)
                assert all(isinstance(label, str) for label in details.get("x-options", {}).values())


def test_the_form_is_told_which_settings_belong_to_which() -> None:
    ask = call_class("Ask").settings_schema(LanguageType.ENGLISH)["properties"]
    assert (ask["choices"]["x-when"], ask["schema"]["x-when"]) == ({"kind": ["choice"]}, {"kind": ["form"]})
    each = call_class("ForEach").settings_schema(LanguageType.ENGLISH)["properties"]
    assert (each["tool"]["x-instead"], each["graph"]["x-instead"]) == ("graph", "tool")
    assert (each["params"]["x-when"], each["inputs"]["x-when"]) == ({"tool": []}, {"graph": []})


async def test_the_page_on_writing_a_call_is_true() -> None:
    page = (Path(__file__).parents[4] / "graph_app" / "calls" / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (document,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert len(code.strip().splitlines()) < 40
    exec(compile(code, "page", "exec", dont_inherit=True), {"__name__": "page_on_calls"})
    assert "Shout" in registered_calls()
    state = await build_engine(document, CallServices()).run({"said": "hello"})
    assert plain_delta(state)["loud"] == "HELLO!"
