"""A server killed at any moment: after a restart every run goes on by itself and ends as if nothing had happened.

Sampled here; in full with WORKBENCH_SOAK=1.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support.server import Client, Server

KILLS = 100 if os.environ.get("WORKBENCH_SOAK") else 3
RUNS_A_KILL = 4
TOOL = "name: wait\ndesc: x\nsteps: [{url: 'http://sandbox/slow?seconds=0.05', result: done}]\n"
GRAPH = """name: everything
state:
- {name: n, type: int, update: add}
- {name: log, type: list, update: append}
- {name: answer, type: bool, update: overwrite}
entry: count
nodes:
  count: {call: Convert, settings: {values: {n: '1', log: '["n"]'}}, outputs: {n: n, log: log}}
  left: {call: Tool, settings: {tool: wait}}
  talk: {call: LLM, settings: {user_prompt: 'a few words'}}
  right: {call: Convert, settings: {values: {log: '["right"]'}}, outputs: {log: log}}
  join: {call: Convert, settings: {values: {log: '["join"]'}}, outputs: {log: log}, action_mode: all}
  ask: {call: Ask, settings: {question: 'Go on?', kind: confirm}, outputs: {answer: answer}}
  last: {call: Convert, settings: {values: {log: '["last"]'}}, outputs: {log: log}}
edges:
- source: count
  router: 'state.n < 3.0 ? ["count"] : ["left", "talk", "right"]'
  possible_targets: [count, left, talk, right]
- {source: left, target: join}
- {source: talk, target: join}
- {source: right, target: join}
- {source: join, target: ask}
- {source: ask, target: last}
"""
EXPECTED = {"count": 3, "left": 1, "talk": 1, "right": 1, "join": 1, "ask": 1, "last": 1}


def wait_until(condition: Any, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.05)


def statuses(client: Client, runs: list[str]) -> list[str]:
    return [client.get(f"runs/{run}/")["status"] for run in runs]


def answer(client: Client, run: str) -> None:
    events = client.get(f"runs/{run}/events/?limit=10000")["events"]
    (visit,) = {event["visit"] for event in events if event["type"] == "node.waiting"}
    client.post(f"runs/{run}/command/", {"command": "answer", "visit": visit, "value": True}, expect=200)


def check(client: Client, run: str) -> None:
    events = client.get(f"runs/{run}/events/?limit=10000")["events"]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    finished = Counter(event["node"] for event in events if event["type"] == "node.finished")
    assert finished == EXPECTED, "each node's result is recorded once"
    assert sum(event["type"].startswith("run.f") for event in events) == 1
    output = client.get(f"runs/{run}/")["output"]
    assert output["log"] == ["n", "n", "n", "right", "join", "last"]
    assert output["answer"] is True


@pytest.fixture
def server(tmp_path: Path):
    running = Server(tmp_path / "data").start()
    yield running
    running.kill()


def test_killed_at_random_moments(server: Server) -> None:
    luck = random.Random(7)
    client = server.first_admin()
    client.post("tools/", {"yaml": TOOL}, expect=201)
    client.post("graphs/", {"definition": GRAPH}, expect=201)
    for _ in range(KILLS):
        client = killed_twice(server, client, luck)
    assert not client.get("runs/?status=running,queued,stopping")["results"]


def killed_twice(server: Server, client: Client, luck: random.Random) -> Client:
    """Kills the server while runs go on, and again while they are answered."""
    runs = [client.post("graphs/everything/run/", {}, expect=202)["run"] for _ in range(RUNS_A_KILL)]
    time.sleep(luck.uniform(0, 0.6))
    client = restarted(server)
    wait_until(lambda: set(statuses(client, runs)) == {"waiting"})
    for run in runs[:2]:
        answer(client, run)
    time.sleep(luck.uniform(0, 0.05))
    after = restarted(server)
    for run in runs[2:]:
        answer(after, run)
    wait_until(lambda: "waiting" not in statuses(after, runs) or _answer_again(after, runs))
    wait_until(lambda: set(statuses(after, runs)) == {"finished"})
    for run in runs:
        check(after, run)
    return after


def restarted(server: Server) -> Client:
    server.kill()
    server.start()
    return server.sign_in("ada")


def _answer_again(client: Client, runs: list[str]) -> bool:
    """An answer that was told to be taken is; one that the kill cut off is given again."""
    for run in runs:
        if client.get(f"runs/{run}/")["status"] == "waiting":
            answer(client, run)
    return False


def test_no_run_is_running_without_someone_running_it(server: Server) -> None:
    client = server.first_admin()
    client.post("tools/", {"yaml": TOOL.replace("0.05", "2")}, expect=201)
    runs = [client.post("tools/wait/run/", {}, expect=202)["run"] for _ in range(3)]
    wait_until(lambda: set(statuses(client, runs)) == {"running"})
    server.kill()
    server.start()
    client = server.sign_in("ada")
    wait_until(lambda: set(statuses(client, runs)) == {"finished"}, 40)


def test_a_step_that_must_not_run_twice_waits_for_a_person(server: Server) -> None:
    client = server.first_admin()
    client.post("tools/", {"yaml": TOOL.replace("0.05", "3")}, expect=201)
    once = """name: once
state: [{name: text, type: str}]
entry: pay
nodes:
  pay: {call: Tool, settings: {tool: wait}, outputs: {text: text}, repeatable: false}
edges: []
"""
    client.post("graphs/", {"definition": once}, expect=201)
    runs = [client.post("graphs/once/run/", {}, expect=202)["run"] for _ in range(2)]
    wait_until(lambda: all("step.started" in str(client.get(f"runs/{run}/events/")) for run in runs))
    after = restarted(server)
    wait_until(lambda: set(statuses(after, runs)) == {"waiting"})
    for run, again in zip(runs, (True, False), strict=True):
        events = after.get(f"runs/{run}/events/")["events"]
        (asked,) = [event for event in events if event["type"] == "node.waiting"]
        assert "interrupted" in asked["data"]["question"]["question"]
        body = {"command": "answer", "visit": asked["visit"], "value": again}
        after.post(f"runs/{run}/command/", body, expect=200)
    wait_until(lambda: statuses(after, runs) == ["finished", "failed"])
