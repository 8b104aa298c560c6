"""What can't be done with a run leaves it as it stood: faults while answering, and versions that are gone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from graph_app.calls.ask import Ask
from graph_app.models import Run, Status
from graph_app.runs.host import host
from graph_app.services import run_wait
from tests.integration.conftest import Api
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
