"""Recording a journal, replaying it, and telling what differs: without database and network."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from graph_app.calls import CallServices, shared_engine
from graph_app.runs.differences import Difference, asked_difference, output_difference
from graph_app.runs.events import dump
from graph_app.runs.fold import fold
from graph_app.runs.recording import Places, recorded_visits
from graph_app.runs.replay import Recording, replay_graph, replay_tool
from graph_app.runs.session import Session
from toolkit_app.engine import ToolDefinition, check_tool
from toolkit_app.engine.redaction import MARK

TOOL = """
name: find
desc: Finds
params: [{name: word, type: string, required: true, description: Word}]
steps:
  - url: http://sandbox/echo?word=${param:word}
    var: [{name: n, extract: n}]
    result: "${step0:n}"
"""
EACH = """
name: each
state: [{name: words, type: list, update: overwrite}, {name: rows, type: list, update: overwrite}]
inputs: [words]
entry: all
nodes:
  all:
    call: ForEach
    settings: {items: "${state:words}", tool: find, params: {word: "${item:value}"}, on_failure: collect}
    outputs: {rows: results}
edges: []
"""
TALK = """
name: talk
state: [{name: said, type: str, update: overwrite}, {name: found, type: dict, update: overwrite}]
inputs: []
entry: think
nodes:
  think: {call: LLM, settings: {user_prompt: "Find", tools: [find]}, outputs: {said: text}}
  pick: {call: Extract, settings: {source: "${state:said}", schema: {type: object}}, outputs: {found: ""}}
edges: [{source: think, target: pick}]
"""
ASKS = """
name: asks
state: [{name: word, type: str, update: overwrite}]
inputs: []
entry: wait
nodes:
  wait: {call: Delay, settings: {seconds: 3600}}
  inner: {call: Graph, settings: {graph: inside}, outputs: {word: word}}
edges: [{source: wait, target: inner}]
"""
INSIDE = """
name: inside
state: [{name: word, type: str, update: overwrite}]
inputs: []
entry: ask
nodes:
  ask: {call: Ask, settings: {question: "Word?", kind: choice, choices: [a, b]}, outputs: {word: answer}}
edges: []
"""


def event(kind: str, data: Any, node: str | None = None, visit: str | None = None, path: Sequence[str] = ()) -> Any:
    return {"type": kind, "data": data, "node": node, "visit": visit, "path": list(path)}


def started(node: str, visit: str, *parents: str, path: Sequence[str] = ()) -> Any:
    return event("node.started", {"parents": list(parents)} if not path else None, node, visit, path)


def finished(node: str, visit: str, output: Any, path: Sequence[str] = ()) -> Any:
    return event("node.finished", {"delta": {}, "output": output, "routes": []}, node, visit, path)


def asked(
    node: str | None, visit: str, url: str, text: str | None, *, call: int | None = None, at: int = 0
) -> list[Any]:
    more = {} if call is None else {"call": call}
    place = {"step": 0, "visit": at, **more}
    begin = event("step.started", place, node, visit)
    if text is None:
        return [begin]
    response = {
        "status": 200,
        "reason": "OK",
        "headers": {"Content-Type": "application/json; charset=gbk"},
        "text": text,
    }
    request = {"method": "GET", "url": url}
    return [begin, event("step.response", {**place, "request": request, "response": response}, node, visit)]


def tool(text: str = TOOL) -> ToolDefinition:
    definition, problems = check_tool(text)
    assert definition is not None, problems
    return definition


def replay(text: str, events: list[Any], *, output: Any, inputs: Mapping[str, Any] | None = None) -> Difference | None:
    recording = Recording(inputs or {}, recorded_visits(events), "finished", output)
    return asyncio.run(replay_graph(text, recording, tools={"find": tool()}, graphs={"inside": INSIDE}))


def test_each_call_of_a_step_gets_its_own_answers() -> None:
    events = [
        started("all", "1"),
        *asked("all", "1", "http://sandbox/echo?word=b", '{"n": 2}', call=1),
        *asked("all", "1", "http://sandbox/echo?word=a", '{"n": 1}', call=0),
        *asked("all", "1", "http://sandbox/echo?word=c", None, call=2),
        finished("all", "1", {"results": [], "errors": {"2": "the tool find failed: No route."}}),
    ]
    rows = [{"text": str(n), "data": n, "variables": {"step0": {"n": n}}} for n in (1, 2)]
    inputs = {"words": ["a", "b", "c"]}
    output = {"messages": [], "words": ["a", "b", "c"], "rows": [*rows, None]}
    assert replay(EACH, events, output=output, inputs=inputs) is None
    other = replay(EACH, events, output={**output, "rows": [rows[0], rows[0], None]}, inputs=inputs)
    assert other is not None
    assert (other.kind, other.path, other.expected, other.got) == ("output", "rows[1].text", '"1"', '"2"')
    more = replay(EACH, events, output=output, inputs={"words": ["a", "b", "c", "d"]})
    assert more is not None
    assert (more.kind, more.node, more.got) == ("no_answer", "all", "GET http://sandbox/echo?word=d")


def test_models_say_what_they_said_and_call_what_they_called() -> None:
    told = {"name": "find", "arguments": {"word": "a"}, "output": "1"}
    usage = {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}
    thought = {"text": "It is 1.", "tool_calls": [told], "usage": usage}
    events = [
        started("think", "1"),
        *asked("think", "1", "http://sandbox/echo?word=a", '{"n": 1}', call=0),
        finished("think", "1", thought),
        started("pick", "2", "1"),
        finished("pick", "2", {"n": 1}),
    ]
    output = {"messages": [], "said": "It is 1.", "found": {"n": 1}}
    assert replay(TALK, events, output=output) is None
    silent = [*events[:-1], finished("pick", "2", None)]
    missing = replay(TALK, silent, output=output)
    assert missing is not None
    assert (missing.kind, missing.node) == ("no_model", "pick")


def test_a_model_that_is_asked_otherwise_is_a_difference() -> None:
    system = {"role": "system", "content": "Be brief."}
    first = [system, {"role": "user", "content": f"Find with {MARK}"}]
    later = [*first, {"role": "assistant", "content": None, "tool_calls": []}]
    data = {"delta": {}, "output": {"text": "1", "tool_calls": [], "usage": {}}, "routes": []}
    told = [{"provider": "p", "model": "m", "messages": later, "sent": [2, 3]}]
    text = TALK.replace("tools: [find]", "system_prompt: Be brief.").replace('"Find"', '"Find with a1b2c3"')
    text = text.replace("edges: [{source: think, target: pick}]", "edges: []").replace("  pick:", "  # pick:")
    output = {"messages": [], "said": "1", "found": {}}

    def again(text: str, *, failed: bool = False, **more: Any) -> Difference | None:
        end = event("node.failed", {"error": {"message": "No."}, **more}, "think", "1")
        well = event("node.finished", {**data, **more}, "think", "1")
        recording = Recording(
            {},
            recorded_visits([started("think", "1"), end if failed else well]),
            "failed" if failed else "finished",
            output,
            {"message": "No.", "node": "think"} if failed else None,
        )
        return asyncio.run(replay_graph(text, recording, tools={}, graphs={}))

    assert again(text, asked=told) is None
    rude = text.replace("Be brief", "Be rude")
    assert again(rude) is None, "an older recording doesn't say what was asked"
    for failed in (False, True):
        asked_otherwise = again(rude, failed=failed, asked=told)
        assert asked_otherwise is not None
        assert (asked_otherwise.kind, asked_otherwise.node) == ("asked", "think")
        assert asked_otherwise.path == "[0].content"
        assert (asked_otherwise.expected, asked_otherwise.got) == ('"Be brief."', '"Be rude."')
    more = again(text.replace("system_prompt: Be brief.", "enable_context: false"), asked=told)
    assert more is not None
    assert more.kind == "asked"


def test_what_a_model_is_told_of_its_tools_is_compared_too() -> None:
    told = {"name": "find", "arguments": {"word": "a"}, "output": "1"}
    messages = [{"role": "user", "content": "Find"}]
    asked_so = [{"provider": "p", "model": "m", "messages": messages, "sent": [1, 3]}]
    output = {"text": "It is 1.", "tool_calls": [told], "usage": {}}
    text = TALK.replace("edges: [{source: think, target: pick}]", "edges: []").replace("  pick:", "  # pick:")
    answers = asked("think", "1", "http://sandbox/echo?word=a", '{"n": 1}', call=0)

    def again(tool_text: str, **more: Any) -> Difference | None:
        end = event("node.finished", {"delta": {}, "output": output, "routes": [], **more}, "think", "1")
        events = [started("think", "1"), *answers, end]
        state = {"messages": [], "said": "It is 1.", "found": {}}
        recording = Recording({}, recorded_visits(events), "finished", state)
        return asyncio.run(replay_graph(text, recording, tools={"find": tool(tool_text)}, graphs={}))

    assert again(TOOL, asked=asked_so) is None
    changed = TOOL.replace('"${step0:n}"', '"number ${step0:n}"')
    assert again(changed) is None, "an older recording doesn't say what was asked"
    difference = again(changed, asked=asked_so)
    assert difference is not None
    assert (difference.kind, difference.expected, difference.got) == ("asked", '"1"', '"number 1"')


def test_ids_that_messages_have_in_every_run_are_no_difference() -> None:
    def messages(number: str) -> list[Any]:
        inner = dump([{"role": "user", "content": "x", "msg_id": number}])
        return [{"role": "system", "content": f"talk: {inner} and {dump(inner)}"}]

    assert asked_difference("reply", messages("1"), messages("2")) is None
    assert asked_difference("reply", messages("1"), [*messages("1"), *messages("1")]) is not None


def test_a_step_that_became_a_model_has_no_answer() -> None:
    convert = TALK.replace(
        'call: LLM, settings: {user_prompt: "Find", tools: [find]}', 'call: Convert, settings: {text: "x"}'
    )
    events = [started("think", "1"), finished("think", "1", {"text": "x"}), started("pick", "2", "1")]
    events.append(finished("pick", "2", {}))
    assert replay(convert, events, output={"messages": [], "said": "x", "found": {}}) is None
    asks = replay(TALK, events, output={})
    assert asks is not None
    assert asks.message == "think asked a model, and the recording has no answer of one for it."


def test_people_answer_inside_nested_graphs_and_delays_take_no_time() -> None:
    events = [
        started("wait", "1"),
        finished("wait", "1", {}),
        started("inner", "2", "1"),
        started("ask", "2/1", path=["inner"]),
        event("node.waiting", {"question": {}}, "ask", "2/1", ["inner"]),
        finished("ask", "2/1", {"answer": "b"}, ["inner"]),
        finished("inner", "2", {"word": "b"}),
    ]
    assert replay(ASKS, events, output={"messages": [], "word": "b"}) is None
    other = [*events[:5], finished("ask", "2/1", {"answer": "z"}, ["inner"]), events[6]]
    unfit = replay(ASKS, other, output={})
    assert unfit is not None
    assert (unfit.kind, unfit.node, unfit.expected) == ("answer", "ask", '"z"')


def test_branches_may_come_in_any_order() -> None:
    ways = []
    for first, second in (("a", "b"), ("b", "a")):
        places = Places()
        places.begin("start_here", "1", [])
        places.begin(first, "2", ["1"])
        places.begin(second, "3", ["1"])
        numbers = {first: "2", second: "3"}
        ways.append([places.begin("next", "4" if node == first else "5", [numbers[node]]) for node in ("a", "b")])
    assert ways[0] == ways[1]
    assert len(set(ways[0])) == 2


def test_what_was_taken_back_is_no_part_of_a_recording() -> None:
    events = [
        started("a", "1"),
        finished("a", "1", {"n": 1}),
        started("b", "2", "1"),
        started("x", "2/1", path=["b"]),
        finished("x", "2/1", {}, ["b"]),
        finished("b", "2", {"n": 2}),
        event("debug.restored", {"visit": None, "visits": [{"node": "b", "visit": "3"}]}),
        started("b", "3", "1"),
        finished("b", "3", {"n": 3}),
    ]
    assert [(one["node"], one["output"]) for one in recorded_visits(events)] == [("a", {"n": 1}), ("b", {"n": 3})]
    twice = [*events, event("debug.restored", {"visit": "1", "visits": []}), started("a", "4"), finished("a", "4", {})]
    assert [one["node"] for one in recorded_visits(twice)] == ["a"]


def test_a_step_that_was_repeated_keeps_its_last_answers() -> None:
    events = [
        started("all", "1"),
        *asked("all", "1", "http://x/1", "{}", at=0),
        *asked("all", "1", "http://x/2", "{}", at=1),
        event("node.failed", {"error": {"message": "No."}}, "all", "1"),
        started("all", "1"),
        *asked("all", "1", "http://x/3", "{}", at=0),
        finished("all", "1", {}),
    ]
    (visit,) = recorded_visits(events)
    assert [answer["url"] for answer in visit["calls"][0]["answers"]] == ["http://x/3"]
    assert visit["error"] is None


def test_a_failed_request_fails_again_with_the_same_words() -> None:
    events = [
        *asked(None, "0", "http://sandbox/echo?word=a", None),
        event("run.failed", {"error": {"kind": "egress", "message": "Not there.", "step": 0}}),
    ]
    recording = Recording({"word": "a"}, recorded_visits(events), "failed", "Not there.", {"message": "Not there."})
    assert asyncio.run(replay_tool(tool(), recording)) is None
    better = Recording(
        {"word": "a"}, recorded_visits(asked(None, "0", "http://sandbox/echo?word=a", "{}")), "failed", ""
    )
    told = asyncio.run(replay_tool(tool(), better))
    assert told is not None
    assert told.kind == "status"


@pytest.mark.parametrize(
    ("expected", "got", "path"),
    [
        ({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]}, None),
        ({"a": 1}, {"a": 1.0}, None),
        ({"a": 1}, {"a": True}, "a"),
        ({"a": [1]}, {"a": [1, 2]}, "a[1]"),
        ({"a": 1}, {}, "a"),
        ({}, {"b": {"c": 1}}, "b"),
        ("one", "two", ""),
        ({"t": f"key {MARK}!"}, {"t": "key 1234!"}, None),
        ({"t": f"key {MARK}!"}, {"t": "kex 1234!"}, "t"),
        ([{"role": "user", "content": "x", "msg_id": "1"}], [{"role": "user", "content": "x", "msg_id": "2"}], None),
        ([{"msg_id": "1"}], [{"msg_id": "2"}], "[0].msg_id"),
    ],
)
def test_the_first_difference_of_outputs(expected: Any, got: Any, path: str | None) -> None:
    found = output_difference(expected, got)
    assert (None if found is None else found.path) == path


def test_long_texts_are_shown_where_they_part() -> None:
    found = output_difference("x" * 5_000 + "one" + "y" * 5_000, "x" * 5_000 + "two" + "y" * 5_000)
    assert found is not None
    assert found.expected is not None
    assert found.expected.startswith('"…xxx')
    assert "one" in found.expected
    assert len(found.message) < 1_000


BRANCHES = """
name: branches
state: [{name: a, type: str, update: overwrite}, {name: b, type: str, update: overwrite}]
inputs: []
entry: begin
nodes:
  begin: {call: Convert, settings: {text: go}}
  breaks: {call: Tool, settings: {tool: find, params: {word: a}}, outputs: {a: variables/step0/missing}}
  slow: {call: Tool, settings: {tool: find, params: {word: b}}, outputs: {b: text}}
  after: {call: Tool, settings: {tool: find, params: {word: c}}}
edges:
  - {source: begin, target: breaks}
  - {source: begin, target: slow}
  - {source: slow, target: after}
"""


def test_what_was_cut_off_when_another_branch_failed_is_no_difference() -> None:
    error = {"message": "breaks: outputs.a asks for 'variables/step0/missing', but there is no 'missing' in it."}
    began = [
        started("begin", "1"),
        finished("begin", "1", {"text": "go"}),
        started("slow", "3", "1"),
        *asked("slow", "3", "http://sandbox/echo?word=b", None),
        started("breaks", "2", "1"),
        *asked("breaks", "2", "http://sandbox/echo?word=a", '{"n": "one"}'),
        event("node.failed", {"error": error}, "breaks", "2"),
    ]

    def again(text: str, events: list[Any]) -> Difference | None:
        recording = Recording({}, recorded_visits(events), "failed", {}, error)
        return asyncio.run(replay_graph(text, recording, tools={"find": tool()}, graphs={}))

    told = again(BRANCHES, began)
    assert told is not None, "the sentence of the failure is the engine's, not the test's"
    assert told.got is not None
    error["message"] = told.got
    assert again(BRANCHES, began) is None
    further = [*began[:3], *asked("slow", "3", "http://sandbox/echo?word=b", '{"n": 2}'), *began[4:]]
    assert again(BRANCHES, further) is None, "the branch that goes on now was cut off"
    mended = again(BRANCHES.replace("step0/missing", "step0/n"), further)
    assert mended is not None
    assert (mended.kind, mended.node) == ("visit", "after")


def test_what_a_session_tells_can_be_replayed() -> None:
    """The journal's own events, not ones written for a test."""
    text = ASKS.replace("seconds: 3600", "seconds: 0")
    events: list[Any] = []

    class Kept:
        def emit(self, kind: str, data: Any, *, node: Any = None, visit: Any = None, path: Any = ()) -> None:
            events.append(event(kind, data, node, visit, path))

        async def room(self) -> None:
            return

    async def graph(_: str) -> str:
        return INSIDE

    async def run() -> Any:
        engine = shared_engine(text)
        session = Session(engine, CallServices(graph=graph), fold(engine.plan, {}, ()).ledger, Kept())
        waiting = await session.run()
        session.answer(waiting.questions[0].visit, "a")
        return await session.run()

    outcome = asyncio.run(run())
    assert outcome.status == "finished"
    assert replay(text, events, output=outcome.state) is None
    assert replay(text, events, output={**outcome.state, "word": "b"}) is not None
