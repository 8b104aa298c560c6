"""Runs of stored graphs over REST: results, journals, questions, the debugger, forks and retries, recovery."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from graph_app.models import Run, RunEvent, Status
from graph_app.runs.host import host
from graph_app.services import run_wait
from tests.integration.conftest import Api
from workbench.models import User

CASES = Path(__file__).parent.parent / "cases" / "graphs"


@pytest.fixture(autouse=True)
def quiet_end(transactional_db: None) -> Iterator[None]:
    """No run of a test goes on into the next one."""
    yield
    for run in Run.objects.filter(status__in=["queued", "running", "stopping"]):
        host.cancel(run.pk)
        run_wait(run.pk, at_most_s=10)


def document(case: str, file: str = "graph.yaml") -> str:
    return (CASES / case / file).read_text(encoding="utf-8")


def make(author: Api, text: str) -> str:
    made = author("POST", "graphs/", {"definition": text})
    assert made.status_code == 201, made.content
    return made.json()["name"]


def start(api: Api, name: str, **body: Any) -> str:
    answer = api("POST", f"graphs/{name}/run/", body)
    assert answer.status_code == 202, answer.content
    return answer.json()["run"]


def events(api: Api, run: str) -> list[dict[str, Any]]:
    return api("GET", f"runs/{run}/events/?limit=10000").json()["events"]


def visits(found: list[dict[str, Any]], kind: str = "node.finished") -> Counter[str]:
    return Counter(event["node"] for event in found if event["type"] == kind)


def command(api: Api, run: str, name: str, **arguments: Any) -> Any:
    return api("POST", f"runs/{run}/command/", {"command": name, **arguments})


@pytest.mark.parametrize("case", ["G01", "G03", "G08"])
def test_cases_from_the_field(case: str, author: Api) -> None:
    text = document(case)
    name = make(author, text)
    for expected in json.loads(document(case, "expected.json"))["runs"]:
        if expected.get("with"):
            partial = text.replace("    action_mode: all", "    action_mode: all\n    partial_join: true")
            author("PUT", f"graphs/{name}/", {"definition": partial, "base_revision": 1})
        run = start(author, name, inputs=expected.get("inputs", {}))
        done = run_wait(run, at_most_s=30)
        assert done.status == expected["state"]
        found = events(author, run)
        output = author("GET", f"runs/{run}/").json()["output"]
        for key, value in (expected.get("result") or expected.get("kept") or {}).items():
            assert output[key] == value
        finished = visits(found)
        for node, count in expected.get("visits", {}).items():
            assert finished[node] == count, node
        for node in expected.get("finished", []):
            assert finished[node] == 1
        for node in expected.get("not_started", []):
            assert visits(found, "node.started")[node] == 0
        for node in expected.get("stopped", []):
            assert visits(found, "node.skipped")[node] == 1
        for node in expected.get("error_names", []):
            assert node in done.error["message"] or node == done.error["node"]
        types = Counter(event["type"] for event in found)
        for kind, count in expected.get("terminal_events", {}).items():
            assert types[kind] == count
        assert [event["seq"] for event in found] == list(range(1, len(found) + 1))


def test_two_questions_one_after_the_other(author: Api) -> None:
    name = make(author, document("G06"))
    run = start(author, name)
    assert run_wait(run, at_most_s=20).status == Status.WAITING
    asked = {e["node"]: e["visit"] for e in events(author, run) if e["type"] == "node.waiting"}
    assert set(asked) == {"ask1", "ask2"}
    assert Run.objects.get(pk=run).lease_until is None, "a waiting run is only rows"
    assert command(author, run, "answer", visit=asked["ask1"], value=7).status_code == 409, "text is wanted"
    assert command(author, run, "answer", visit="99", value="x").status_code == 409
    assert command(author, run, "answer", visit=asked["ask1"], value="yes").json()["ok"] is True
    assert run_wait(run, at_most_s=20).status == Status.WAITING
    assert visits(events(author, run)) == {"a": 1, "ask1": 1}
    assert command(author, run, "answer", visit=asked["ask1"], value="again").status_code == 409
    assert command(author, run, "answer", visit=asked["ask2"], value="no").json()["ok"] is True
    assert run_wait(run, at_most_s=20).status == Status.FINISHED
    found = events(author, run)
    assert visits(found, "node.started") == {"a": 1, "ask1": 1, "ask2": 1, "done": 1}
    output = author("GET", f"runs/{run}/").json()["output"]
    assert (output["one"], output["two"], output["log"]) == ("yes", "no", ["a", "done yes/no"])


def test_a_waiting_run_can_be_stopped(author: Api) -> None:
    run = start(author, make(author, document("G06")))
    run_wait(run, at_most_s=20)
    assert command(author, run, "cancel").json()["ok"] is True
    deadline = time.monotonic() + 10
    while Run.objects.get(pk=run).status != Status.CANCELLED:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert command(author, run, "cancel").status_code == 409


def test_wait_answers_202_when_a_person_is_asked(author: Api) -> None:
    name = make(author, document("G06"))
    assert author("POST", f"graphs/{name}/run/?wait=true", {}).status_code == 202
    done = author("POST", f"graphs/{make(author, document('G03'))}/run/?wait=true", {})
    assert done.status_code == 200
    assert done.json()["output"]["total"] == 121.0


LOOP = """name: loop
description: counts to three
state:
- {name: n, type: int, update: add}
- {name: log, type: list, update: append}
- {name: limit, type: float, update: overwrite}
inputs: [limit]
entry: count
nodes:
  count: {call: Convert, settings: {values: {n: '1', log: '["n"]'}}, outputs: {n: n, log: log}}
  last: {call: Convert, settings: {text: 'counted to ${state:n}', values: {log: '["last"]'}}, outputs: {log: log}}
edges:
- {source: count, router: 'state.n < state.limit ? "count" : "last"', possible_targets: [count, last]}
max_turn: 50
"""


class TestDebugger:
    @pytest.fixture
    def run(self, author: Api) -> str:
        name = make(author, LOOP)
        run = start(author, name, inputs={"limit": 3}, mode="debug", breakpoints=[{"node": "last"}])
        assert run_wait(run, at_most_s=20).status == Status.PAUSED
        return run

    def test_a_breakpoint_holds(self, run: str, author: Api) -> None:
        paused = [e for e in events(author, run) if e["type"] == "run.paused"]
        assert len(paused) == 1
        assert paused[0]["data"]["reason"] == "breakpoint"
        assert [one["node"] for one in paused[0]["data"]["visits"]] == ["last"]
        assert command(author, run, "resume").json()["ok"] is True
        assert run_wait(run, at_most_s=20).status == Status.FINISHED
        assert author("GET", f"runs/{run}/").json()["output"]["log"] == ["n", "n", "n", "last"]

    def test_back_step_and_on_gives_the_same(self, run: str, author: Api) -> None:
        second = [e["visit"] for e in events(author, run) if e["type"] == "node.finished"][1]
        assert command(author, run, "restore_step", visit=second).json()["ok"] is True
        restored = events(author, run)[-1]
        assert restored["type"] == "debug.restored"
        assert [one["node"] for one in restored["data"]["visits"]] == ["count"]
        assert restored["data"]["visits"][0]["visit"] != second, "a visit is named once in a run"
        assert command(author, run, "step_over").json()["ok"] is True
        assert run_wait(run, at_most_s=20).status == Status.PAUSED
        assert events(author, run)[-1]["data"]["reason"] == "step"
        assert command(author, run, "resume").json()["ok"] is True
        assert run_wait(run, at_most_s=20).status == Status.PAUSED, "the breakpoint is still set"
        assert command(author, run, "clear_breakpoint", node="last").json()["ok"] is True
        assert command(author, run, "resume").json()["ok"] is True
        assert run_wait(run, at_most_s=20).status == Status.FINISHED
        assert author("GET", f"runs/{run}/").json()["output"]["n"] == 3

    def test_changing_what_a_visit_wrote(self, run: str, author: Api) -> None:
        last = [e["visit"] for e in events(author, run) if e["type"] == "node.finished"][-1]
        first = next(e["visit"] for e in events(author, run) if e["type"] == "node.finished")
        assert command(author, run, "change_output", visit=last, key="n", value="many").status_code == 409
        assert command(author, run, "change_output", visit=first, key="n", value=5).status_code == 409
        assert command(author, run, "change_output", visit=last, key="n", value=40).json()["ok"] is True
        assert events(author, run)[-1]["type"] == "debug.changed"
        command(author, run, "resume")
        assert run_wait(run, at_most_s=20).status == Status.FINISHED
        assert author("GET", f"runs/{run}/").json()["output"]["n"] == 42

    def test_conditions_run_to_and_refusals(self, author: Api) -> None:
        name = make(author, LOOP)
        body = {"inputs": {"limit": 5}, "mode": "debug"}
        run = start(author, name, **body, breakpoints=[{"node": "count", "condition": "state.n == 2.0"}])
        assert run_wait(run, at_most_s=20).status == Status.PAUSED
        assert visits(events(author, run))["count"] == 2
        assert command(author, run, "run_to", node="last").json()["ok"] is True
        assert run_wait(run, at_most_s=20).status == Status.PAUSED
        assert events(author, run)[-1]["data"]["reason"] == "goto"
        unknown = command(author, run, "run_to", node="none")
        assert unknown.status_code == 409
        assert "There is no step 'none'." in unknown.content.decode()
        assert command(author, run, "step_over", visit="77").status_code == 409
        assert command(author, run, "set_breakpoint", node="last", condition="1 +").status_code == 409
        assert command(author, run, "restore_step", visit="77").status_code == 409
        assert Run.objects.get(pk=run).status == Status.PAUSED
        nowhere = author("POST", f"graphs/{name}/run/", {**body, "breakpoints": [{"node": "x"}]})
        assert nowhere.status_code == 400
        assert nowhere.json()["detail"] == "There is no step 'x' to set a breakpoint at."
        plain = start(author, name, inputs={"limit": 1})
        run_wait(plain, at_most_s=20)
        assert command(author, plain, "resume").status_code == 409

    def test_a_condition_that_fails_stops_and_says_why(self, author: Api) -> None:
        where = [{"node": "count", "condition": "state.nope > 1.0"}]
        run = start(author, make(author, LOOP), inputs={"limit": 2}, mode="debug", breakpoints=where)
        assert run_wait(run, at_most_s=20).status == Status.PAUSED
        (warning,) = [event["data"]["message"] for event in events(author, run) if event["type"] == "warning"]
        assert warning.startswith("The condition of the breakpoint at 'count' failed, so the run stopped there: ")
        assert "nope" in warning

    @pytest.mark.parametrize(
        ("name", "more", "reason"), [("step_over", {}, "step"), ("run_to", {"node": "last"}, "goto")]
    )
    def test_a_step_over_a_question_ends_after_its_answer(
        self, author: Api, name: str, more: dict[str, str], reason: str
    ) -> None:
        text = """name: asks
entry: ask
nodes:
  ask: {call: Ask, settings: {question: 'Go on?', kind: confirm}}
  between: {call: Delay, settings: {seconds: 0}}
  last: {call: Convert, settings: {text: 'done'}}
edges:
- {source: ask, target: between}
- {source: between, target: last}
"""
        run = start(author, make(author, text), inputs={}, mode="debug", breakpoints=[{"node": "ask"}])
        assert run_wait(run, at_most_s=20).status == Status.PAUSED
        assert command(author, run, name, **more).json()["ok"] is True
        assert run_wait(run, at_most_s=20).status == Status.WAITING
        asked = events(author, run)[-1]["visit"]
        assert command(author, run, "answer", visit=asked, value=True).json()["ok"] is True
        assert run_wait(run, at_most_s=20).status == Status.PAUSED
        paused = events(author, run)[-1]["data"]
        assert paused["reason"] == reason
        assert [one["node"] for one in paused["visits"]] == ["between" if name == "step_over" else "last"]
        assert command(author, run, "resume").json()["ok"] is True
        assert run_wait(run, at_most_s=20).status == Status.FINISHED

    def test_a_failing_node_pauses(self, author: Api) -> None:
        text = LOOP.replace('state.n < state.limit ? "count" : "last"', '"last"').replace(
            "text: 'counted to ${state:n}'", "text: '${node:none_such/x}'"
        )
        assert author("POST", "graphs/", {"definition": text}).status_code == 400, "told before it runs"
        text = LOOP.replace("""values: {log: '["last"]'}""", """values: {log: '[[1][int(state.limit)]]'}""")
        name = make(author, text)
        run = start(author, name, inputs={"limit": 3}, mode="debug")
        assert run_wait(run, at_most_s=20).status == Status.PAUSED
        assert events(author, run)[-1]["data"]["reason"] == "exception"
        last = [e["visit"] for e in events(author, run) if e["type"] == "node.finished"][-1]
        assert command(author, run, "change_output", visit=last, key="limit", value=0).json()["ok"] is True
        assert command(author, run, "resume").json()["ok"] is True
        assert run_wait(run, at_most_s=20).status == Status.FINISHED


class TestForks:
    def test_a_fork_goes_on_from_a_visit(self, author: Api) -> None:
        run = start(author, make(author, LOOP), inputs={"limit": 3})
        run_wait(run, at_most_s=20)
        second = [e["visit"] for e in events(author, run) if e["type"] == "node.finished"][1]
        before = events(author, run)
        forked = author("POST", f"runs/{run}/fork/", {"visit": second}).json()["run"]
        assert run_wait(forked, at_most_s=20).status == Status.FINISHED
        detail = author("GET", f"runs/{forked}/").json()
        assert detail["parent"] == run
        assert detail["output"]["log"] == ["n", "n", "n", "last"]
        assert visits(events(author, forked))["count"] == 2, "the first visit is the parent's"
        assert events(author, forked)[0]["data"]["parent"] == run
        assert events(author, run) == before
        again = author("POST", f"runs/{forked}/fork/", {"visit": second}).status_code
        assert again == 400, "the fork took that visit back"
        assert author("POST", f"runs/{run}/fork/", {"visit": "99"}).status_code == 400

    def test_a_fork_in_debug_mode_starts_paused_and_survives(self, author: Api) -> None:
        run = start(author, make(author, LOOP), inputs={"limit": 3})
        run_wait(run, at_most_s=20)
        second = [e["visit"] for e in events(author, run) if e["type"] == "node.finished"][1]
        forked = author("POST", f"runs/{run}/fork/", {"visit": second, "mode": "debug"}).json()["run"]
        assert run_wait(forked, at_most_s=20).status == Status.PAUSED
        assert command(author, forked, "resume").json()["ok"] is True
        assert run_wait(forked, at_most_s=20).status == Status.FINISHED
        assert author("GET", f"runs/{forked}/").json()["output"]["n"] == 3

    def test_a_mended_graph_goes_on_from_where_the_run_failed(self, author: Api) -> None:
        broken = LOOP.replace("""values: {log: '["last"]'}""", """values: {log: '[[1][int(state.limit)]]'}""")
        name = make(author, broken)
        run = start(author, name, inputs={"limit": 3})
        assert run_wait(run, at_most_s=20).status == Status.FAILED
        failed = [e["visit"] for e in events(author, run) if e["type"] == "node.failed"][-1]
        saved = author("PUT", f"graphs/{name}/", {"definition": LOOP, "base_revision": 1}).json()["revision"]
        body = {"visit": failed, "revision": saved}
        forked = author("POST", f"runs/{run}/fork/", body).json()["run"]
        assert run_wait(forked, at_most_s=20).status == Status.FINISHED
        detail = author("GET", f"runs/{forked}/").json()
        assert (detail["revision"], detail["output"]["log"]) == (saved, ["n", "n", "n", "last"])
        assert "count" not in visits(events(author, forked)), "what came before the failure is the parent's"

        other = LOOP.replace("count", "renamed")
        saved = author("PUT", f"graphs/{name}/", {"definition": other, "base_revision": saved}).json()["revision"]
        refused = author("POST", f"runs/{run}/fork/", {**body, "revision": saved})
        assert refused.status_code == 400
        assert "too different" in refused.json()["detail"]
        assert author("POST", f"runs/{run}/fork/", {**body, "revision": 99}).status_code == 404

    def test_retry_takes_over_what_was_done(self, author: Api) -> None:
        name = make(author, document("G08"))
        run = start(author, name)
        assert run_wait(run, at_most_s=20).status == Status.FAILED
        again = author("POST", f"runs/{run}/retry/").json()["run"]
        assert run_wait(again, at_most_s=20).status == Status.FAILED
        found = events(author, again)
        assert visits(found, "node.started") == {"bad": 1, "slow": 1}
        finished = start(author, make(author, document("G03")))
        run_wait(finished, at_most_s=20)
        assert author("POST", f"runs/{finished}/retry/").status_code == 409


class TestNested:
    @pytest.fixture
    def parent(self, author: Api) -> str:
        inner = """name: inner
state: [{name: item, type: str, update: overwrite}, {name: reply, type: str, update: overwrite}]
inputs: [item]
entry: before
nodes:
  before: {call: Convert, settings: {text: 'asked for ${state:item}'}, outputs: {reply: text}}
  ask: {call: Ask, settings: {question: 'Take ${state:item}?', kind: confirm}}
  after: {call: Convert, settings: {text: '${state:item}: ${node:ask/answer}'}, outputs: {reply: text}}
edges: [{source: before, target: ask}, {source: ask, target: after}]
"""
        make(author, inner)
        outer = """name: outer
state: [{name: items, type: list, update: overwrite}, {name: out, type: list, update: overwrite}]
inputs: [items]
entry: each
nodes:
  each:
    call: ForEach
    settings: {items: '${state:items}', graph: inner, inputs: {item: '${item:value}'}, concurrency: 2}
    outputs: {out: results}
edges: []
"""
        return make(author, outer)

    def test_questions_inside_items(self, parent: str, author: Api) -> None:
        run = start(author, parent, inputs={"items": ["a", "b", "c"]})
        assert run_wait(run, at_most_s=20).status == Status.WAITING
        asked = {e["visit"]: e for e in events(author, run) if e["type"] == "node.waiting"}
        assert sorted(e["path"][0] for e in asked.values()) == ["each[0]", "each[1]", "each[2]"]
        for number, visit in enumerate(sorted(asked)):
            assert command(author, run, "answer", visit=visit, value=number != 1).json()["ok"] is True
            run_wait(run, at_most_s=20)
        assert Run.objects.get(pk=run).status == Status.FINISHED
        output = author("GET", f"runs/{run}/").json()["output"]["out"]
        assert [one["reply"] for one in output] == ["a: true", "b: false", "c: true"]
        started = Counter(
            (tuple(e["path"]), e["node"]) for e in events(author, run) if e["type"] == "node.started" and e["path"]
        )
        assert set(started.values()) == {1}, "nothing ran twice"


def test_a_run_left_behind_goes_on_where_it_was(author: Api, users: dict[str, User]) -> None:
    name = make(author, document("G06"))
    run = start(author, name)
    run_wait(run, at_most_s=20)
    asked = {e["node"]: e["visit"] for e in events(author, run) if e["type"] == "node.waiting"}
    command(author, run, "answer", visit=asked["ask1"], value="yes")
    run_wait(run, at_most_s=20)
    # As if the process had died just before it noted that the run waits.
    gone = timezone.now() - timedelta(seconds=1)
    Run.objects.filter(pk=run).update(status=Status.RUNNING, lease_owner="dead", lease_until=gone)
    host.start(Run.objects.get(pk=run).pk)
    deadline = time.monotonic() + 20
    while Run.objects.get(pk=run).status != Status.WAITING:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert command(author, run, "answer", visit=asked["ask2"], value="no").json()["ok"] is True
    assert run_wait(run, at_most_s=20).status == Status.FINISHED
    assert visits(events(author, run)) == {"a": 1, "ask1": 1, "ask2": 1, "done": 1}


def test_refused_before_it_starts(author: Api, api: dict[str, Api]) -> None:
    name = make(author, LOOP)
    assert author("POST", f"graphs/{name}/run/", {"inputs": {"none": 1}}).status_code == 400
    assert author("POST", f"graphs/{name}/run/", {"inputs": {"limit": "many"}}).status_code == 400
    assert author("POST", "graphs/none/run/", {}).status_code == 404
    assert api["operator"]("POST", f"graphs/{name}/run/", {}).status_code == 409, "nothing is published yet"
    needs = """name: needs
entry: ask
nodes:
  ask: {call: LLM, settings: {user_prompt: '${env:SECRET_NAME}'}}
edges: []
"""
    make(author, needs)
    assert author("POST", "graphs/needs/run/", {}).json()["missing"] == ["SECRET_NAME"]
    assert not Run.objects.exists()


def test_a_model_answers_in_pieces(author: Api) -> None:
    text = """name: talk
inputs: [messages]
entry: reply
nodes:
  reply: {call: LLM, settings: {user_prompt: 'Hello'}, to_user: true, outputs: {messages: text}}
edges: []
"""
    run = start(author, make(author, text), inputs={"messages": [{"role": "user", "content": "Hi"}]})
    assert run_wait(run, at_most_s=30).status == Status.FINISHED
    found = events(author, run)
    chunks = [e["data"]["chunk"] for e in found if e["type"] == "node.output"]
    assert len(chunks) > 3
    assert all(set(e["data"]) == {"chunk"} for e in found if e["type"] == "node.output")
    messages = author("GET", f"runs/{run}/").json()["output"]["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant"]
    assert "".join(chunks) == messages[1]["content"]


def test_graphs_are_versioned_documents(author: Api, api: dict[str, Api]) -> None:
    name = make(author, LOOP)
    kept = author("GET", f"graphs/{name}/").json()
    assert kept["definition"] == LOOP
    assert kept["inputs"] == [{"name": "limit", "type": "float", "description": ""}]
    faulty = author("PUT", f"graphs/{name}/", {"definition": LOOP.replace("Convert", "Nothing"), "base_revision": 1})
    assert faulty.status_code == 200
    assert {p["path"] for p in faulty.json()["problems"]} == {"nodes.count.call", "nodes.last.call"}
    assert author("POST", f"graphs/{name}/publish/", {"revision": 2}).status_code == 400
    stale = author("PUT", f"graphs/{name}/", {"definition": LOOP, "base_revision": 1})
    assert stale.status_code == 409
    assert stale.json()["current"]["definition"]
    assert author("POST", f"graphs/{name}/publish/", {"revision": 1}).json()["published_revision"] == 1
    assert author("GET", "graphs/?state=changed").json()["results"][0]["name"] == name
    as_object = {"name": "as_object", "entry": "a", "nodes": {"a": {"call": "Delay", "settings": {"seconds": 0}}}}
    made = author("POST", "graphs/", {"definition": {**as_object, "edges": []}})
    assert made.status_code == 201, made.content
    assert made.json()["definition"] == {**as_object, "edges": []}
    for bad in ("", "[", "a: 1", "\ud800", "name: x\nnodes: {}"):
        checked = author("POST", "graphs/validate/", {"definition": bad})
        assert checked.status_code == 200
        assert checked.json()["problems"], bad
    assert author("POST", "graphs/", {"definition": LOOP.replace("name: loop", "name: a b")}).status_code == 400


def test_a_new_graph_may_be_an_empty_draft(author: Api) -> None:
    empty = "name: empty\nnodes: {}\nedges: []\n"
    assert author("POST", "graphs/", {"definition": empty}).status_code == 400
    made = author("POST", "graphs/", {"definition": empty, "draft": True, "note": "Empty"})
    assert made.status_code == 201, made.content
    assert (made.json()["revision"], made.json()["definition"]) == (1, empty)
    assert made.json()["problems"]
    assert [v["note"] for v in author("GET", "graphs/empty/versions/").json()["results"]] == ["Empty"]
    assert author("POST", "graphs/empty/publish/", {"revision": 1}).status_code == 400
    nameless = author("POST", "graphs/", {"definition": "nodes: {}", "draft": True})
    assert nameless.status_code == 400


def test_calls_in_both_languages(author: Api) -> None:
    chinese = {row["name"]: row for row in author("GET", "calls/?language=zh").json()["results"]}
    english = {row["name"]: row for row in author("GET", "calls/?language=en").json()["results"]}
    assert {"Tool", "LLM", "Extract", "Convert", "Ask", "Graph", "ForEach", "Delay"} <= set(chinese)
    for name in ("Tool", "LLM", "Extract", "Convert", "Ask", "Graph", "ForEach", "Delay"):
        assert chinese[name]["label"] != english[name]["label"]
        for field, details in english[name]["settings"]["properties"].items():
            assert details["title"], (name, field)
            assert details["description"] != chinese[name]["settings"]["properties"][field]["description"]


def test_journal_events_are_what_is_promised(author: Api) -> None:
    run = start(author, make(author, LOOP), inputs={"limit": 2})
    run_wait(run, at_most_s=20)
    found = events(author, run)
    assert all(set(e) == {"seq", "at", "type", "node", "visit", "path", "data"} for e in found)
    assert not {"start", "end"} & {e["node"] for e in found}
    assert RunEvent.objects.filter(run_id=run).count() == len(found)


class Counting(ThreadingHTTPServer):
    """Answers after three seconds, and counts what was asked and what was cut off."""

    def __init__(self) -> None:
        self.asked = 0
        self.answered = 0
        super().__init__(("127.0.0.1", 0), _Slow)


class _Slow(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.asked += 1
        time.sleep(3)
        try:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")
            self.server.answered += 1
        except OSError:
            pass

    def log_message(self, *_: Any) -> None:
        pass


def test_stop_during_nested_work(author: Api, admin: Api) -> None:
    """Case G09: ten items, each a subgraph with a slow request; two under way when it is stopped."""
    server = Counting()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"127.0.0.1:{server.server_port}"
    try:
        admin("PATCH", "settings/", {"network": {"allow": [{"address": address, "for": "tools"}]}})
        admin("POST", "environments/", {"name": "slow"})
        admin("PUT", "environments/slow/variables/API/", {"value": f"http://{address}"})
        assert author("POST", "tools/", {"yaml": document("G09", "slow_get.yaml")}).status_code == 201
        make(author, document("G09", "item.yaml"))
        name = make(author, document("G09", "parent.yaml"))
        items = [str(number) for number in range(10)]
        run = start(author, name, inputs={"items": items}, environment="slow")
        deadline = time.monotonic() + 10
        while server.asked < 2:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        asked = time.monotonic()
        assert command(author, run, "cancel").json()["status"] == "stopping"
        second = command(author, run, "cancel")
        assert second.status_code in (200, 409)
        while Run.objects.get(pk=run).status != Status.CANCELLED:
            assert time.monotonic() - asked < 5, "it did not stop"
            time.sleep(0.01)
        before = events(author, run)
        assert [e["type"] for e in before].count("run.cancelled") == 1
        assert before[-1]["type"] == "run.cancelled"
        time.sleep(0.5)
        assert events(author, run) == before
        assert server.asked == 2
    finally:
        server.shutdown()
        server.server_close()


def test_requests_to_models_carry_a_key_and_commands_say_what_became_of_them(author: Api, admin: Api) -> None:
    keys: list[str | None] = []

    class Model(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            keys.append(self.headers.get("Idempotency-Key"))
            self.rfile.read(int(self.headers["Content-Length"]))
            body = json.dumps({"choices": [{"message": {"content": "fine"}}]}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"127.0.0.1:{server.server_port}"
    try:
        provider = {"name": "mine", "base_url": f"http://{address}/v1", "reasoning": "m", "key": "model-key-1234"}
        changed = admin(
            "PATCH",
            "settings/",
            {
                "network": {"allow": [{"address": address, "for": "models"}]},
                "models": {"providers": [provider], "default": "mine"},
            },
        )
        assert changed.status_code == 200, changed.content
        assert "model-key-1234" not in changed.content.decode()
        assert changed.json()["models"]["providers"][0]["key_set"] is True
        text = """name: two_calls
state: [{name: a, type: str}]
entry: one
nodes:
  one: {call: LLM, settings: {user_prompt: hi}, outputs: {a: text}}
  two: {call: LLM, settings: {user_prompt: hi, model: mine}}
edges: [{source: one, target: two}]
"""
        run = start(author, make(author, text))
        assert run_wait(run, at_most_s=20).status == Status.FINISHED
        assert len(set(keys)) == 2
        assert None not in keys
        refused = command(author, run, "cancel")
        assert refused.json()["ok"] is False
        assert refused.json()["error"]
    finally:
        server.shutdown()
        server.server_close()
