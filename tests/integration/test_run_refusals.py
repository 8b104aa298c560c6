"""What can't be done with a run leaves it as it stood: faults while answering, and versions that are gone."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest
from django.db import connection

from graph_app import services
from graph_app.calls.ask import Ask
from graph_app.models import Graph, Run, Status
from graph_app.runs import graph_run
from graph_app.runs.host import host
from graph_app.services import run_wait
from tests.integration.conftest import TOOL, Api
from tests.integration.test_graph_runs import command, events, make, start, visits


@pytest.fixture(autouse=True)
def quiet_end(transactional_db: None) -> Iterator[None]:
    """No run of a test goes on into the next one."""
    yield
    for run in Run.objects.filter(status__in=["queued", "running", "stopping"]):
        host.cancel(run.pk)
        run_wait(run.pk, at_most_s=10)


ROUTED = """name: routed
state:
- {name: said, type: str, update: overwrite}
- {name: seen, type: list, update: append}
entry: ask
nodes:
  ask: {call: Ask, settings: {question: 'How many?'}, outputs: {said: answer}}
  low: {call: Convert, settings: {values: {seen: '["low"]'}}, outputs: {seen: seen}}
  high: {call: Convert, settings: {values: {seen: '["high"]'}}, outputs: {seen: seen}}
edges:
- {source: ask, router: 'int(state.said) > 3 ? "high" : "low"', possible_targets: [low, high]}
"""
BESIDE = """name: beside
state:
- {name: said, type: str, update: overwrite}
- {name: seen, type: list, update: append}
entry: begin
nodes:
  begin: {call: Convert, settings: {values: {seen: '["begin"]'}}, outputs: {seen: seen}}
  ask: {call: Ask, settings: {question: 'How many?'}, outputs: {said: answer}}
  slow: {call: Delay, settings: {seconds: 3}}
  after: {call: Convert, settings: {values: {seen: '["after"]'}}, outputs: {seen: seen}}
edges:
- {source: begin, target: ask}
- {source: begin, target: slow}
- {source: ask, target: after}
"""


def asked(api: Api, run: str) -> str:
    return [e["visit"] for e in events(api, run) if e["type"] == "node.waiting"][-1]


def broken(self: Ask, value: Any) -> dict[str, Any]:
    raise ZeroDivisionError("boom")


def until(api: Api, run: str, kind: str) -> None:
    deadline = time.monotonic() + 10
    while kind not in {event["type"] for event in events(api, run)}:
        assert time.monotonic() < deadline
        time.sleep(0.02)


class TestFaultsWhileAnswering:
    def test_a_waiting_run_waits_on(self, author: Api, monkeypatch: pytest.MonkeyPatch) -> None:
        run = start(author, make(author, ROUTED))
        assert run_wait(run, at_most_s=20).status == Status.WAITING
        visit, before = asked(author, run), events(author, run)
        with monkeypatch.context() as patch:
            patch.setattr(Ask, "accept", broken)
            refused = command(author, run, "answer", visit=visit, value="7")
            assert refused.status_code == 409
            assert "ZeroDivisionError" in refused.json()["detail"]
            assert "stays as it is" in refused.json()["detail"]
        refused = command(author, run, "answer", visit=visit, value="no number")
        assert refused.status_code == 409, "the edges after it can't be chosen"
        assert "stays as it is" in refused.json()["detail"]
        resting = Run.objects.get(pk=run)
        assert (resting.status, resting.lease_until) == (Status.WAITING, None)
        assert events(author, run) == before
        assert command(author, run, "answer", visit=visit, value="7").json()["ok"] is True
        assert run_wait(run, at_most_s=20).status == Status.FINISHED
        assert author("GET", f"runs/{run}/").json()["output"]["seen"] == ["high"]

    def test_a_running_run_runs_on(self, author: Api, monkeypatch: pytest.MonkeyPatch) -> None:
        run = start(author, make(author, BESIDE))
        until(author, run, "node.waiting")
        visit = asked(author, run)
        with monkeypatch.context() as patch:
            patch.setattr("graph_app.runs.ledger.Ledger.finish", lambda *_: 1 // 0)
            assert command(author, run, "answer", visit=visit, value="7").status_code == 409
        assert Run.objects.get(pk=run).status == Status.RUNNING
        assert visits(events(author, run))["ask"] == 0
        assert command(author, run, "answer", visit=visit, value="7").json()["ok"] is True
        assert run_wait(run, at_most_s=20).status == Status.FINISHED
        assert visits(events(author, run)) == {"begin": 1, "ask": 1, "slow": 1, "after": 1}

    def test_a_paused_run_stays_paused(self, author: Api, monkeypatch: pytest.MonkeyPatch) -> None:
        name = make(author, ROUTED)
        run = start(author, name, mode="debug", breakpoints=[{"node": "ask"}])
        assert run_wait(run, at_most_s=20).status == Status.PAUSED
        with monkeypatch.context() as patch:
            patch.setattr("graph_app.runs.session.Session.resume", lambda _: 1 // 0)
            assert command(author, run, "resume").status_code == 409
            patch.setattr("graph_app.runs.graph_run.fold", lambda *_: 1 // 0)
            assert command(author, run, "step_over").status_code == 409
        assert Run.objects.get(pk=run).status == Status.PAUSED
        assert command(author, run, "resume").json()["ok"] is True
        assert run_wait(run, at_most_s=20).status == Status.WAITING


OUTER = """name: outer
state:
- {name: seen, type: list, update: append}
entry: sub
nodes:
  sub: {call: Graph, settings: {graph: inner}, outputs: {seen: seen}}
"""
EACH = """name: outer
state:
- {name: seen, type: list, update: append}
entry: sub
nodes:
  sub: {call: ForEach, settings: {items: [1], graph: inner, inputs: {}}, outputs: {seen: results}}
"""
INNER = """name: inner
state:
- {name: seen, type: list, update: append}
entry: ask
nodes:
  ask: {call: Ask, settings: {question: 'Go on?', kind: confirm}}
  after: {call: Convert, settings: {values: {seen: '["first"]'}}, outputs: {seen: seen}}
edges:
- {source: ask, target: after}
"""
STEPS = """name: steps
state:
- {name: seen, type: list, update: append}
entry: a
nodes:
  a: {call: Convert, settings: {values: {seen: '["a"]'}}, outputs: {seen: seen}}
  b: {call: Convert, settings: {values: {seen: '["b"]'}}, outputs: {seen: seen}}
  c: {call: Convert, settings: {values: {seen: '["c"]'}}, outputs: {seen: seen}}
edges:
- {source: a, target: b}
- {source: b, target: c}
"""


def made_anew(author: Api, text: str) -> None:
    """Deletes a graph past all questions, and gives its name to another one."""
    name = text.splitlines()[0].removeprefix("name: ")
    Graph.objects.get(name=name).delete()
    make(author, text)


class TestDeletedVersions:
    def test_a_waiting_run_does_not_go_on_with_another_graph(self, author: Api) -> None:
        run = start(author, make(author, ROUTED))
        assert run_wait(run, at_most_s=20).status == Status.WAITING
        visit, before = asked(author, run), events(author, run)
        for another in (lambda: Graph.objects.get(name="routed").delete(), lambda: make(author, ROUTED)):
            another()
            refused = command(author, run, "answer", visit=visit, value="7")
            assert refused.status_code == 409
            assert "The graph routed was deleted" in refused.json()["detail"]
            forked = author("POST", f"runs/{run}/fork/", {"visit": visit})
            assert forked.status_code == 409, forked.content
            assert forked.json()["code"] == "deleted"
        resting = Run.objects.get(pk=run)
        assert (resting.status, resting.lease_until) == (Status.WAITING, None)
        assert events(author, run) == before
        assert command(author, run, "cancel").json()["ok"] is True

    def test_neither_forks_nor_retries(self, author: Api) -> None:
        run = start(author, make(author, STEPS))
        assert run_wait(run, at_most_s=20).status == Status.FINISHED
        visit = events(author, run)[-2]["visit"] or "3"
        made_anew(author, STEPS)
        assert author("POST", f"runs/{run}/fork/", {"visit": visit}).json()["code"] == "deleted"
        assert author("POST", f"runs/{run}/fork/", {"visit": visit, "revision": 1}).json()["code"] == "deleted"
        Run.objects.filter(pk=run).update(status=Status.FAILED)
        assert author("POST", f"runs/{run}/retry/").json()["code"] == "deleted"
        assert author("POST", "graphs/steps/tests/", {"run": run, "title": "x"}).status_code == 409
        assert author("GET", f"runs/{run}/").status_code == 200

    def test_runs_of_before_go_on_as_ever(self, author: Api) -> None:
        run = start(author, make(author, ROUTED))
        assert run_wait(run, at_most_s=20).status == Status.WAITING
        Run.objects.filter(pk=run).update(options={})
        assert command(author, run, "answer", visit=asked(author, run), value="7").json()["ok"] is True
        assert run_wait(run, at_most_s=20).status == Status.FINISHED

    def test_a_graph_whose_runs_wait_is_not_deleted(self, author: Api) -> None:
        make(author, INNER)
        run = start(author, make(author, OUTER))
        assert run_wait(run, at_most_s=20).status == Status.WAITING
        for name in ("outer", "inner"):
            refused = author("DELETE", f"graphs/{name}/")
            assert refused.status_code == 409
            assert (refused.json()["code"], refused.json()["runs"]) == ("runs", 1)
            assert refused.json()["detail"].startswith(f"1 run of {name} is still under way, paused or waiting")
        command(author, run, "answer", visit=asked(author, run), value=True)
        assert run_wait(run, at_most_s=20).status == Status.FINISHED
        for name in ("outer", "inner"):
            assert author("DELETE", f"graphs/{name}/").status_code == 204
        assert author("GET", f"runs/{run}/").json()["status"] == "finished"

    def test_a_tool_that_runs_is_not_deleted(self, author: Api) -> None:
        author("POST", "tools/", {"yaml": TOOL.format(name="orders")})
        run = Run.objects.create(kind="tool", name="orders", revision=1, status=Status.RUNNING, user=author.user)
        assert author("DELETE", "tools/orders/").json()["code"] == "runs"
        Run.objects.filter(pk=run.pk).update(status=Status.FINISHED)
        assert author("DELETE", "tools/orders/").status_code == 204

    def test_a_tools_run_is_not_repeated_with_another_tool(self, author: Api) -> None:
        author("POST", "tools/", {"yaml": TOOL.format(name="orders")})
        run = author("POST", "tools/orders/run/", {}).json()["run"]
        run_wait(run, at_most_s=20)
        Run.objects.filter(pk=run).update(status=Status.FAILED)
        assert author("DELETE", "tools/orders/").status_code == 204
        author("POST", "tools/", {"yaml": TOOL.format(name="orders")})
        assert author("POST", f"runs/{run}/retry/").json()["code"] == "deleted"


class TestNestedVersions:
    @pytest.fixture(params=[OUTER, EACH], ids=["Graph", "ForEach"])
    def run(self, request: pytest.FixtureRequest, author: Api) -> str:
        make(author, INNER)
        run = start(author, make(author, request.param))
        assert run_wait(run, at_most_s=20).status == Status.WAITING
        return run

    def test_a_run_goes_on_with_the_version_that_it_entered(self, run: str, author: Api) -> None:
        newer = INNER.replace("first", "second")
        assert author("PUT", "graphs/inner/", {"definition": newer, "base_revision": 1}).status_code == 200
        forked = author("POST", f"runs/{run}/fork/", {"visit": "1"}).json()["run"]
        assert run_wait(forked, at_most_s=20).status == Status.WAITING
        for one in (run, forked):
            answered = command(author, one, "answer", visit=asked(author, run), value=True)
            assert answered.status_code == 200, answered.content
            assert run_wait(one, at_most_s=20).status == Status.FINISHED
            said = str(author("GET", f"runs/{one}/").json()["output"]["seen"])
            assert "first" in said
            assert "second" not in said
        assert Run.objects.get(pk=forked).options["nested"]["inner"]["revision"] == 1
        fresh = start(author, "outer")
        run_wait(fresh, at_most_s=20)
        command(author, fresh, "answer", visit=asked(author, fresh), value=True)
        run_wait(fresh, at_most_s=20)
        assert "second" in str(author("GET", f"runs/{fresh}/").json()["output"]["seen"])

    def test_a_version_that_is_gone_leaves_the_run_waiting(self, run: str, author: Api) -> None:
        before = events(author, run)
        made_anew(author, INNER)
        refused = command(author, run, "answer", visit=asked(author, run), value=True)
        assert refused.status_code == 409
        assert "The graph inner was deleted" in refused.json()["detail"]
        resting = Run.objects.get(pk=run)
        assert (resting.status, resting.lease_until) == (Status.WAITING, None)
        assert events(author, run) == before


def test_a_fork_with_earlier_steps_swapped_is_refused(author: Api) -> None:
    run = start(author, make(author, STEPS))
    assert run_wait(run, at_most_s=20).status == Status.FINISHED
    finished = {e["node"]: e["visit"] for e in events(author, run) if e["type"] == "node.finished"}
    swapped = STEPS.replace("entry: a", "entry: b").replace("{source: a, target: b}", "{source: b, target: a}")
    swapped = swapped.replace("{source: b, target: c}", "{source: a, target: c}")
    mended = STEPS.replace('["c"]', '["C"]')
    for base, text in enumerate((swapped, mended), start=1):
        assert author("PUT", "graphs/steps/", {"definition": text, "base_revision": base}).status_code == 200
    refused = author("POST", f"runs/{run}/fork/", {"visit": finished["c"], "revision": 2})
    assert refused.status_code == 400
    assert "too different" in refused.json()["detail"]
    forked = author("POST", f"runs/{run}/fork/", {"visit": finished["c"], "revision": 3})
    assert run_wait(forked.json()["run"], at_most_s=20).status == Status.FINISHED
    assert author("GET", f"runs/{forked.json()['run']}/").json()["output"]["seen"] == ["a", "b", "C"]


def test_a_command_that_nobody_waits_for_any_more_is_not_carried_out(
    author: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = start(author, make(author, BESIDE), mode="debug", breakpoints=[{"node": "begin"}])
    assert run_wait(run, at_most_s=20).status == Status.PAUSED
    before, fold = events(author, run), graph_run.fold
    reading, go_on = threading.Event(), threading.Event()

    def slow(*given: Any) -> Any:
        reading.set()
        go_on.wait(20)
        return fold(*given)

    monkeypatch.setattr(graph_run, "fold", slow)
    monkeypatch.setattr(services, "_REPLY_AT_MOST_S", 0.1)
    late = command(author, run, "step_over")
    assert (late.status_code, late.json()["code"]) == (409, "no_reply")
    assert reading.wait(20)
    go_on.set()
    monkeypatch.undo()
    second = command(author, run, "set_breakpoint", node="slow")  # waits until the first one is done with
    assert second.status_code == 200, second.content
    assert [event["type"] for event in events(author, run)[len(before) :]] == ["debug.changed"]
    assert Run.objects.get(pk=run).status == Status.PAUSED


def test_who_waits_for_a_command_holds_no_connection(author: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    run = start(author, make(author, BESIDE), mode="debug", breakpoints=[{"node": "begin"}])
    assert run_wait(run, at_most_s=20).status == Status.PAUSED
    held: list[bool] = []

    class Reply(Future[Any]):
        def result(self, timeout: float | None = None) -> Any:
            held.append(connection.connection is not None)
            return super().result(timeout)

    monkeypatch.setattr(services, "Future", Reply)
    assert command(author, run, "set_breakpoint", node="slow").status_code == 200
    assert held == [False]
