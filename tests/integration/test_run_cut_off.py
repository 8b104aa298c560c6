"""Debugged runs whose server dies while a branch is held and another one still runs: what was held stays held."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from graph_app.models import Run, Status
from graph_app.runs import retention
from graph_app.runs.host import host
from graph_app.services import run_wait
from tests.integration.conftest import Api
from tests.integration.test_graph_runs import command, events, make, start
from tests.integration.test_kills import wait_until
from tests.integration.test_run_breaking import stands, told
from tests.integration.test_run_refusals import quiet_end
from tests.support.server import Client, Server

__all__ = ["quiet_end"]

BOOM = "name: boom\ndesc: x\nsteps: [{url: 'http://sandbox/echo', method: POST, var: [{name: a, extract: none.such, abort: true}]}]\n"  # noqa: E501
BRANCHES = """name: branches
entry: begin
nodes:
  begin: {call: Delay, settings: {seconds: 0}}
  boom: {call: Tool, settings: {tool: boom}}
  quick: {call: Delay, settings: {seconds: 0}}
  after: {call: Delay, settings: {seconds: 0}}
  slow: {call: Delay, settings: {seconds: 3}}
  last: {call: Delay, settings: {seconds: 0}}
edges:
- {source: begin, target: boom}
- {source: begin, target: quick}
- {source: begin, target: slow}
- {source: quick, target: after}
- {source: slow, target: last}
"""
ALL = ["begin", "boom", "boom", "quick", "slow", "after", "last"]
INSIDE = """name: inside
state:
- {name: seen, type: list, update: append}
entry: begin
nodes:
  begin: {call: Delay, settings: {seconds: 0}}
  one: {call: Ask, settings: {question: 'One?', kind: confirm}}
  two: {call: Ask, settings: {question: 'Two?', kind: confirm}}
  slow: {call: Delay, settings: {seconds: 3}}
  after: {call: Convert, settings: {values: {seen: '[string(steps.two.answer)]'}}, outputs: {seen: seen}}
edges:
- {source: begin, target: one}
- {source: begin, target: two}
- {source: one, target: slow}
- {source: two, target: after}
"""
AROUND = """name: around
state:
- {name: seen, type: list, update: append}
entry: sub
nodes:
  sub: {call: Graph, settings: {graph: inside}, outputs: {seen: seen}}
edges: []
"""
PAIR = """name: pair
entry: ask
nodes:
  ask: {call: Ask, settings: {question: 'Go on?', kind: confirm}}
  last: {call: Delay, settings: {seconds: 0}}
edges:
- {source: ask, target: last}
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "data").start()
    yield running
    running.kill()


def begun(client: Client, run: str) -> Counter[str]:
    return Counter(event["node"] for event in told(client, run) if event["type"] == "node.started")


def killed(server: Server) -> Client:
    server.kill()
    server.start()
    return server.sign_in("ada")


def test_what_is_held_beside_a_branch_that_runs_stays_held_over_a_kill(server: Server) -> None:
    ada = server.first_admin()
    ada.post("tools/", {"yaml": BOOM}, expect=201)
    ada.post("graphs/", {"definition": BRANCHES}, expect=201)
    points = [{"node": "quick", "on": "leave"}]
    run = str(ada.post("graphs/branches/run/", {"mode": "debug", "breakpoints": points}, expect=202)["run"])
    wait_until(lambda: {"node.failed"} <= {event["type"] for event in told(ada, run)}, 20)
    ada = killed(server)
    stands(ada, run, "paused")
    assert begun(ada, run) == Counter(["begin", "boom", "quick", "slow"]), "nothing that was held has run, nor again"
    paused = told(ada, run)[-1]["data"]
    assert {one["node"] for one in paused["visits"]} == {"boom", "after", "last"}
    ada.post(f"runs/{run}/command/", {"command": "resume"}, expect=200)
    wait_until(lambda: begun(ada, run) == Counter(ALL), 20)


def test_a_pause_is_kept_over_a_kill(server: Server) -> None:
    ada = server.first_admin()
    text = BRANCHES.replace("- {source: begin, target: boom}\n", "").replace("seconds: 0}", "seconds: 0.01}")
    text = "\n".join(line for line in text.splitlines() if "boom" not in line)
    ada.post("graphs/", {"definition": text}, expect=201)
    run = str(ada.post("graphs/branches/run/", {"mode": "debug"}, expect=202)["run"])
    wait_until(lambda: "slow" in begun(ada, run), 20)
    ada.post(f"runs/{run}/command/", {"command": "pause"}, expect=200)
    ada = killed(server)
    stands(ada, run, "paused")
    assert "last" not in begun(ada, run)
    ada.post(f"runs/{run}/command/", {"command": "resume"}, expect=200)
    stands(ada, run, "finished")


def test_an_answer_that_waits_for_another_branch_is_taken_once_and_kept_over_a_kill(server: Server) -> None:
    ada = server.first_admin()
    for text in (INSIDE, AROUND):
        ada.post("graphs/", {"definition": text}, expect=201)
    run = str(ada.post("graphs/around/run/", expect=202)["run"])
    stands(ada, run, "waiting")
    asked = {event["node"]: event["visit"] for event in told(ada, run) if event["type"] == "node.waiting"}

    def answer(node: str, value: Any, expect: int) -> Any:
        body = {"command": "answer", "visit": asked[node], "value": value}
        return ada.post(f"runs/{run}/command/", body, expect=expect)

    answer("one", True, 200)
    answer("two", "neither yes nor no", 409)
    answer("two", False, 200)
    assert "answered already" in answer("two", True, 409)["detail"]
    ada = killed(server)
    stands(ada, run, "finished")
    assert ada.get(f"runs/{run}/")["output"]["seen"] == ["false"]


def test_a_pause_while_somebody_is_asked_holds_what_follows_the_answer(author: Api) -> None:
    run: Any = start(author, make(author, PAIR), mode="debug")
    assert run_wait(run, at_most_s=20).status == Status.WAITING
    assert command(author, run, "pause").status_code == 200
    assert command(author, run, "answer", visit="1", value=True).status_code == 200
    assert run_wait(run, at_most_s=20).status == Status.PAUSED
    assert events(author, run)[-1]["data"]["visits"] == [{"node": "last", "visit": "2"}]
    assert command(author, run, "resume").status_code == 200
    assert run_wait(run, at_most_s=20).status == Status.FINISHED


def test_a_fork_that_ended_before_it_began_is_retried_from_where_it_was_to_begin(author: Api) -> None:
    text = PAIR.replace(
        "{call: Ask, settings: {question: 'Go on?', kind: confirm}}", "{call: Delay, settings: {seconds: 0}}"
    )
    run: Any = start(author, make(author, text))
    assert run_wait(run, at_most_s=20).status == Status.FINISHED
    parent = Run.objects.get(pk=run)
    options = {**parent.options, "fork": {"visit": "1", "at_seq": parent.last_seq}}
    stopped = Run.objects.create(
        kind="graph", name="pair", revision=1, user=parent.user, parent=parent, options=options, status=Status.STOPPING
    )
    host.start(stopped.pk)
    assert run_wait(stopped.pk, at_most_s=20).status == Status.CANCELLED
    again = author("POST", f"runs/{stopped.pk}/retry/")
    assert again.status_code == 202, again.content
    retried = again.json()["run"]
    assert run_wait(retried, at_most_s=20).status == Status.FINISHED
    assert [event["node"] for event in events(author, retried) if event["type"] == "node.finished"] == ["ask", "last"]


def test_what_a_resting_fork_goes_on_from_is_kept(author: Api) -> None:
    run: Any = start(author, make(author, PAIR))
    assert run_wait(run, at_most_s=20).status == Status.WAITING
    assert command(author, run, "answer", visit="1", value=True).status_code == 200
    assert run_wait(run, at_most_s=20).status == Status.FINISHED
    first = author("POST", f"runs/{run}/fork/", {"visit": "1"}).json()["run"]
    assert run_wait(first, at_most_s=20).status == Status.WAITING
    asked = [event["visit"] for event in events(author, first) if event["type"] == "node.waiting"]
    second = author("POST", f"runs/{first}/fork/", {"visit": asked[-1]}).json()["run"]
    assert command(author, first, "cancel").status_code == 200
    assert run_wait(second, at_most_s=20).status == Status.WAITING
    assert run_wait(first, at_most_s=20).status == Status.CANCELLED
    long_ago = timezone.now() - timedelta(days=1000)
    Run.objects.filter(pk__in=[run, first]).update(created_at=long_ago, finished_at=long_ago)
    assert retention.remove_old_runs() == 0
    answered = command(author, second, "answer", visit=asked[-1], value=True)
    assert answered.status_code == 200, answered.content
    assert run_wait(second, at_most_s=20).status == Status.FINISHED
    assert retention.remove_old_runs() == 2


def test_a_fork_from_an_open_visit_tells_what_nested_graphs_ask(author: Api) -> None:
    make(author, INSIDE)
    asks = "  ask: {call: Ask, settings: {question: 'Here?', kind: confirm}}\n"
    first = "  first: {call: Delay, settings: {seconds: 0}}\n"
    edges = "edges:\n- {source: first, target: sub}\n- {source: first, target: ask}\n"
    text = AROUND.replace("edges: []\n", edges).replace("nodes:\n", f"nodes:\n{first}{asks}")
    run: Any = start(author, make(author, text.replace("entry: sub", "entry: first")))
    assert run_wait(run, at_most_s=20).status == Status.WAITING
    asked = {event["node"]: event["visit"] for event in events(author, run) if event["type"] == "node.waiting"}
    assert set(asked) == {"one", "two", "ask"}
    fork = author("POST", f"runs/{run}/fork/", {"visit": asked["ask"]}).json()["run"]
    assert run_wait(fork, at_most_s=20).status == Status.WAITING
    again = {event["node"]: event["visit"] for event in events(author, fork) if event["type"] == "node.waiting"}
    assert again == {"one": asked["one"], "two": asked["two"]}, "whoever looks knows what is asked"
    held = author("POST", f"runs/{run}/fork/", {"visit": asked["ask"], "mode": "debug"}).json()["run"]
    assert run_wait(held, at_most_s=20).status == Status.PAUSED
    assert command(author, held, "step_over").status_code == 200
    assert run_wait(held, at_most_s=20).status == Status.WAITING
    assert {event["node"] for event in events(author, held) if event["type"] == "node.waiting"} == {"one", "two"}
    for visit in asked.values():
        assert command(author, fork, "answer", visit=visit, value=True).status_code == 200
        run_wait(fork, at_most_s=20)
    stood = run_wait(fork, at_most_s=20)
    assert (stood.status, stood.error) == (Status.FINISHED, None)
