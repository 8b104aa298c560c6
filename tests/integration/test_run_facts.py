"""What a run's detail and journal say of it: breakpoints that every browser sees, and how long it really took."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from graph_app.models import Run, RunEvent, Status
from graph_app.runs.host import host
from graph_app.selectors import _telling, journal, rested_ms
from graph_app.services import run_wait
from graph_app.short_inputs import short_inputs
from tests.integration.conftest import Api

TWO = """
name: two
state: [{name: n, type: float, update: overwrite}]
inputs: [n]
entry: first
nodes:
  first: {call: Convert, settings: {values: {n: "state.n + 1.0"}}, outputs: {n: n}}
  second: {call: Convert, settings: {values: {n: "state.n * 2.0"}}, outputs: {n: n}}
edges:
  - {source: first, target: second}
"""
FIRST = {"node": "first", "condition": None, "on": "enter"}
SECOND = {"node": "second", "condition": "state.n > 1.0", "on": "leave"}
HOUR_MS = 3_600_000


@pytest.fixture(autouse=True)
def quiet_end(transactional_db: None) -> Iterator[None]:
    """No run of a test goes on into the next one."""
    yield
    for run in Run.objects.filter(status__in=["queued", "running", "stopping"]):
        host.cancel(run.pk)
        run_wait(run.pk, at_most_s=10)


@pytest.fixture
def author(api: dict[str, Api]) -> Api:
    assert api["author"]("POST", "graphs/", {"definition": TWO}).status_code == 201
    return api["author"]


def start(author: Api, **body: Any) -> str:
    run = str(author("POST", "graphs/two/run/", {"inputs": {"n": 1}, **body}).json()["run"])
    run_wait(run, at_most_s=20)
    return run


def detail(author: Api, run: str) -> dict[str, Any]:
    return dict(author("GET", f"runs/{run}/").json())


def events(author: Api, run: str) -> list[dict[str, Any]]:
    return list(author("GET", f"runs/{run}/events/?limit=10000").json()["events"])


def command(author: Api, run: str, name: str, **arguments: Any) -> None:
    assert author("POST", f"runs/{run}/command/", {"command": name, **arguments}).status_code == 200


class TestBreakpoints:
    @pytest.fixture
    def run(self, author: Api) -> str:
        return start(author, mode="debug", breakpoints=[{"node": "first"}])

    def test_the_detail_and_the_start_tell_those_that_were_given(self, author: Api, run: str) -> None:
        assert detail(author, run)["breakpoints"] == [FIRST]
        assert events(author, run)[0]["data"]["breakpoints"] == [FIRST]

    def test_a_change_is_in_the_detail_and_told_to_everybody(self, author: Api, run: str) -> None:
        command(author, run, "set_breakpoint", **SECOND)
        told = events(author, run)[-1]
        assert (told["type"], told["visit"]) == ("debug.changed", None)
        assert told["data"] == {"breakpoints": [FIRST, SECOND]}
        assert detail(author, run)["breakpoints"] == [FIRST, SECOND]
        command(author, run, "clear_breakpoint", node="first")
        assert detail(author, run)["breakpoints"] == [SECOND]
        before = len(events(author, run))
        command(author, run, "clear_breakpoint", node="first")
        assert len(events(author, run)) == before, "nothing changed, so nothing is told"
        command(author, run, "resume")
        run_wait(run, at_most_s=20)
        assert [e["type"] for e in events(author, run) if e["type"].startswith("run.")] == [
            "run.started", "run.paused", "run.resumed", "run.finished",
        ]  # fmt: skip

    def test_a_fork_that_is_debugged_has_them_and_one_that_is_not_tells_none(self, author: Api, run: str) -> None:
        command(author, run, "set_breakpoint", **SECOND)
        command(author, run, "step_over")
        run_wait(run, at_most_s=20)
        forks = {
            mode: author("POST", f"runs/{run}/fork/", {"visit": "1", "mode": mode}).json()["run"]
            for mode in ("debug", "run")
        }
        assert detail(author, forks["debug"])["breakpoints"] == [FIRST, SECOND]
        assert run_wait(forks["run"], at_most_s=20).status == Status.FINISHED
        assert detail(author, forks["run"])["breakpoints"] == []

    def test_a_tool_has_none(self, author: Api) -> None:
        plain = start(author)
        assert detail(author, plain)["breakpoints"] == []


class TestDuration:
    def test_it_is_from_the_start_to_the_end_also_after_a_pause(self, author: Api) -> None:
        run = start(author, mode="debug", breakpoints=[{"node": "second"}])
        Run.objects.filter(pk=run).update(started_at=timezone.now() - timedelta(hours=1))
        command(author, run, "resume")
        assert run_wait(run, at_most_s=20).status == Status.FINISHED
        told = events(author, run)[-1]["data"]["duration_ms"]
        assert HOUR_MS <= told < HOUR_MS + 60_000
        assert abs(detail(author, run)["duration_ms"] - told) <= 1

    def test_what_it_rested_is_read_without_the_whole_journal(self, author: Api) -> None:
        run = start(author, mode="debug", breakpoints=[{"node": "second"}])
        hostile = '"type":"run.'
        at = timezone.now() - timedelta(minutes=5)
        for row in RunEvent.objects.filter(run=run):
            event = json.loads(row.event) | {"at": at.isoformat()}
            RunEvent.objects.filter(pk=row.pk).update(event=json.dumps(event, separators=(",", ":")))
        command(author, run, "set_breakpoint", node="second", condition=f"state.x == '{hostile}'")
        command(author, run, "clear_breakpoint", node="second")
        command(author, run, "resume")
        assert run_wait(run, at_most_s=20).status == Status.FINISHED
        whole = journal(Run.objects.get(pk=run))
        assert detail(author, run)["rested_ms"] == rested_ms(whole)
        assert 299_000 < rested_ms(whole) < 400_000
        read = {event["type"] for event in _telling(Run.objects.get(pk=run))}
        assert read == {"run.started", "run.paused", "run.resumed", "run.finished", "debug.changed"}

    def test_what_it_rested_is_known(self) -> None:
        def event(kind: str, second: int) -> dict[str, Any]:
            return {"type": kind, "at": f"2026-01-01T00:00:{second:02}.500Z"}

        told = [
            event("run.started", 0),
            event("run.paused", 1),
            event("debug.changed", 5),
            event("run.resumed", 11),
            event("node.waiting", 12),
            event("run.resumed", 32),
            event("run.finished", 33),
        ]
        assert rested_ms(told) == 30_000
        assert rested_ms(told[:1]) == 0
        assert rested_ms([*told[:3], event("run.cancelled", 8)]) == 7_000, "it was stopped while it rested"
        assert rested_ms([told[0], event("node.finished", 1), event("run.cancelled", 8)]) == 0, "it was at work"


def test_a_list_that_asks_tells_the_beginning_of_the_inputs(author: Api) -> None:
    author("POST", "graphs/", {"definition": TWO.replace("name: two", "name: told")})
    for value in (1, 12345678901234567890):
        run = author("POST", "graphs/told/run/", {"inputs": {"n": value}}).json()["run"]
        run_wait(run, at_most_s=10)
    asked = author("GET", "runs/?name=told&inputs_short=true").json()["results"]
    assert [row["inputs_short"] for row in asked] == ["n: 12345678901234567890", "n: 1"]
    assert [row["inputs_short"] for row in author("GET", "runs/?name=told").json()["results"]] == [None, None]


@pytest.mark.parametrize(
    ("inputs", "told"),
    [
        ({}, ""),
        ({"a": "订单\n 7", "b": [1, None]}, "a: 订单 7, b: [1, null]"),
        ({"messages": [{"role": "user", "content": "Hello"}]}, "messages: Hello"),
        ({"a": "\ud800x"}, "a: �x"),
        ({"a": "x" * 500}, "a: " + "x" * 116 + "…"),
    ],
)
def test_inputs_in_short(inputs: dict[str, Any], told: str) -> None:
    assert short_inputs(json.dumps(inputs)) == told


def test_inputs_of_which_only_the_beginning_is_read() -> None:
    whole = json.dumps({"text": "字" * 10_000})
    assert short_inputs(whole[:300]).startswith('"text": "字字')
    assert len(short_inputs(whole[:960])) == 120
