"""What is most likely not meant in a graph document is told with its place, and nothing that may be meant."""

from __future__ import annotations

import pytest

from graph_app.calls.unlikely import ToolVariables, unlikely_in
from graph_app.engine.document_text import read_text

KNOWN = ToolVariables(used=frozenset({"step0/temperature"}), newest=frozenset({"step0/temperature", "step1/new"}))
NONE = ToolVariables(used=frozenset(), newest=frozenset())


def found(text: str, known: ToolVariables | None = KNOWN) -> list[tuple[str, int | None, str]]:
    data, lines = read_text(f"name: g\nentry: a\n{text}")
    return [(one.place, one.line, one.message) for one in unlikely_in(data, lines, lambda _: known)]


def output(path: str, call: str = "Tool, settings: {tool: t}", known: ToolVariables | None = KNOWN) -> list[str]:
    return [message for *_, message in found(f"nodes:\n  a: {{call: {call}, outputs: {{x: {path}}}}}\n", known)]


def test_steps_that_nothing_leads_to() -> None:
    nodes = "nodes:\n  a: {call: Delay}\n  b: {call: Delay}\n  c: {call: Delay}\n"
    assert found(f"{nodes}edges:\n  - {{source: a, target: b}}\n") == [
        ("nodes.c", 6, "Nothing leads to `c`, so it never runs. Draw a wire to it.")
    ]
    circle = found(f"{nodes}edges:\n  - {{source: b, target: c}}\n  - {{source: c, target: b}}\n")
    assert [place for place, *_ in circle] == ["nodes.b", "nodes.c"]
    router = "edges:\n  - {source: a, router: '\"b\"', possible_targets: [b, c]}\n"
    assert found(nodes + router) == []
    assert found(f"{nodes}edges:\n  - {{source: start, target: b}}\n  - {{source: b, target: c}}\n") == []


@pytest.mark.parametrize("entry", ["", "entry: other\n", "entry: [a]\n"])
def test_nothing_is_guessed_while_there_is_no_entry(entry: str) -> None:
    data, lines = read_text(f"name: g\n{entry}nodes:\n  a: {{call: Delay}}\n")
    assert unlikely_in(data, lines) == []


@pytest.mark.parametrize("question", ['""', '" "', "null"])
def test_an_ask_without_a_question(question: str) -> None:
    assert found(f"nodes:\n  a:\n    call: Ask\n    settings:\n      question: {question}\n") == [
        (
            "nodes.a.settings.question",
            7,
            "`a` asks no question: whoever answers sees an empty card. Write one.",
        )
    ]
    assert found('nodes:\n  a: {call: Ask, settings: {question: "Well?"}}\n') == []
    assert found("nodes:\n  a: {call: Ask, settings: {question: [1]}}\n") == []


@pytest.mark.parametrize("path", ["temperature", "variables/step1/temperature", "variables/step0/other"])
def test_outputs_that_are_none(path: str) -> None:
    told = f"`a` puts out no `{path}`, so taking it into `x` will fail. Pick one of its outputs."
    assert output(path) == [told]


def test_a_variable_of_a_version_that_is_not_published() -> None:
    assert output("variables/step1/new") == [
        "The tool `t` gives `variables/step1/new` in its newest version only, but runs go by the published one, so "
        "taking it into `x` will fail. Publish the tool."
    ]


def test_a_tool_that_takes_nothing() -> None:
    assert len(output("variables/step0/x", known=NONE)) == 1


@pytest.mark.parametrize(
    "path",
    [
        "text",
        "/text",
        '""',
        "data/any/thing",
        "variables",
        "variables/step0",
        "variables/step0/temperature",
        "variables/step0/temperature/0",
    ],
)
def test_outputs_that_may_be(path: str) -> None:
    assert output(path) == []


def test_nothing_is_said_of_what_cannot_be_known() -> None:
    assert output("anything", "Graph, settings: {graph: g}") == []
    assert output("variables/step9/y", known=None) == []
    assert output("variables/step9/y", "Tool") == []
    assert output("y", "Unknown") == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nodes: 1",
        "nodes: [a]",
        "nodes: {a: }",
        "nodes: {a: {call: [Ask], settings: 1, outputs: 2}}",
        "nodes: {a: {call: Tool, settings: {tool: [t]}, outputs: {x: [y], y: variables/z/u}}}\nedges: 1",
        "nodes: {a: {call: Ask, settings: }}\nedges: [1, {source: [a]}, {source: a, target: {}, possible_targets: a}]",
    ],
)
def test_any_document_is_looked_through(text: str) -> None:
    assert found(text) == []


def test_what_holds_no_map_has_no_steps() -> None:
    assert unlikely_in(None, {}) == []
    assert unlikely_in(["nodes"], {}) == []


def test_a_tool_is_looked_up_once_however_many_steps_call_it() -> None:
    step = {"call": "Tool", "settings": {"tool": "orders"}, "outputs": {"a": "variables/step0/a", "b": "variables/b"}}
    asked: list[str] = []

    def tool(name: str) -> None:
        asked.append(name)

    assert unlikely_in({"nodes": {f"n{number}": step for number in range(3)}}, {}, tool) == []
    assert asked == ["orders"]
