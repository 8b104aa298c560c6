"""Debugged runs that people, kills and odd definitions pull at."""

from __future__ import annotations

import socket
import struct
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from graph_app.models import Run, Status
from graph_app.services import run_command, run_wait
from tests.integration.conftest import Api
from tests.integration.test_graph_runs import command, events, make, start
from tests.integration.test_kills import wait_until
from tests.integration.test_run_refusals import quiet_end, until
from tests.support.server import Client, Server
from tests.support.threads import at_once
from toolkit_app.errors import InvalidError

__all__ = ["quiet_end"]

FAILS = """name: fails
state:
- {name: go, type: bool, update: overwrite}
- {name: seen, type: list, update: append}
entry: a
nodes:
  a: {call: Convert, settings: {values: {seen: '["a"]'}}, outputs: {seen: seen}}
  b: {call: Convert, settings: {values: {seen: '[string(int("no number"))]'}}, outputs: {seen: seen}}
edges:
- {source: a, target: b}
"""
BESIDE = """name: beside
entry: begin
nodes:
  begin: {call: Delay, settings: {seconds: 0}}
  sub: {call: Graph, settings: {graph: fails}}
  slow: {call: Delay, settings: {seconds: 1.5}}
edges:
- {source: begin, target: sub}
- {source: begin, target: slow}
"""


def test_a_nested_graph_that_fails_again_while_another_branch_runs(author: Api) -> None:
    make(author, FAILS)
    run = start(author, make(author, BESIDE), mode="debug")
    until(author, run, "node.failed")
    visit = next(e["visit"] for e in events(author, run) if e["type"] == "node.failed" and not e["path"])
    assert command(author, run, "step_over", visit=visit).status_code == 200
    assert run_wait(run, at_most_s=20).status == Status.PAUSED
    for _ in range(2):
        again = command(author, run, "step_over", visit=visit)
        assert again.status_code == 200, again.content
        assert run_wait(run, at_most_s=20).status == Status.PAUSED
    finished = Counter(e["visit"] for e in events(author, run) if e["type"] == "node.finished" and e["path"])
    assert set(finished.values()) == {1}, "what a nested graph did is not done again"
    assert "server" not in str(Run.objects.get(pk=run).error)


ASKS = """name: asks
entry: work
nodes:
  work: {call: Delay, settings: {seconds: 0.02}}
  ask: {call: Ask, settings: {question: 'Inner?', kind: confirm}}
edges:
- {source: work, target: ask}
"""
AROUND = """name: around
state:
- {name: log, type: list, update: append}
entry: first
nodes:
  first: {call: Convert, settings: {values: {log: '["first"]'}}, outputs: {log: log}}
  sub: {call: Graph, settings: {graph: asks}}
  last: {call: Convert, settings: {values: {log: '["last"]'}}, outputs: {log: log}}
edges:
- {source: first, target: sub}
- {source: sub, target: last}
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "data").start()
    yield running
    running.kill()


def told(client: Client, run: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(f"runs/{run}/events/?limit=10000")["events"]
    assert [event["seq"] for event in found] == list(range(1, len(found) + 1))
    return found


def stands(client: Client, run: str, *words: str) -> None:
    wait_until(lambda: client.get(f"runs/{run}/")["status"] in words, 30)


def test_killed_at_a_breakpoint_at_a_question_while_forking_and_while_many_are_retried(server: Server) -> None:
    ada = server.first_admin()
    for text in (ASKS, AROUND, FAILS):
        ada.post("graphs/", {"definition": text}, expect=201)

    def begin(name: str, **more: Any) -> str:
        return str(ada.post(f"graphs/{name}/run/", more, expect=202)["run"])

    paused = begin("around", mode="debug", breakpoints=[{"node": "last"}, {"node": "sub"}])
    asking = begin("around")
    failed = [begin("fails") for _ in range(4)]
    stands(ada, paused, "paused")
    stands(ada, asking, "waiting")
    for run in failed:
        stands(ada, run, "failed")
    forks = [str(ada.post(f"runs/{asking}/fork/", {"visit": "1", "revision": 1}, expect=202)["run"])]
    retries = [str(ada.post(f"runs/{run}/retry/", expect=202)["run"]) for run in failed]
    server.kill()
    server.start()
    ada = server.sign_in("ada")
    stands(ada, paused, "paused")
    stands(ada, asking, "waiting")
    ada.post(f"runs/{paused}/command/", {"command": "resume"}, expect=200)
    for run in (paused, asking, *forks):
        stands(ada, run, "waiting")
        visit = next(event["visit"] for event in told(ada, run) if event["type"] == "node.waiting")
        ada.post(f"runs/{run}/command/", {"command": "answer", "visit": visit, "value": True}, expect=200)
    stands(ada, paused, "paused")
    server.kill()
    server.start()
    ada = server.sign_in("ada")
    ada.post(f"runs/{paused}/command/", {"command": "resume"}, expect=200)
    for run in (paused, asking, *forks):
        stands(ada, run, "finished")
        assert ada.get(f"runs/{run}/")["output"]["log"] == ["first", "last"]
        counts = Counter(event["visit"] for event in told(ada, run) if event["type"] == "node.finished")
        assert set(counts.values()) == {1}, "each result is recorded once"
    for run in retries:
        stands(ada, run, "failed")
        ends = [event["type"] for event in told(ada, run) if event["type"] in ("run.failed", "run.finished")]
        assert ends == ["run.failed"]
    assert not [line for line in server.output if "Traceback" in line]


def test_two_people_command_one_run_while_one_of_them_forks_it(author: Api) -> None:
    make(author, FAILS.replace('[string(int("no number"))]', '["b"]'))
    run = start(author, "fails", mode="debug", breakpoints=[{"node": "a"}, {"node": "b"}])
    assert run_wait(run, at_most_s=20).status == Status.PAUSED
    orders = ["step_over", "step_over", "resume", "restore_step", "pause", "step_over"]
    answers = at_once(lambda number: command(author, run, orders[number]), len(orders))
    forks = at_once(lambda _: author("POST", f"runs/{run}/fork/", {"visit": "1"}), 3)
    assert {answer.status_code for answer in answers} <= {200, 409}
    assert not [answer for answer in answers if "fault of the server" in answer.content.decode()]
    assert {answer.status_code for answer in forks} <= {202, 400}
    for one in [run, *(answer.json()["run"] for answer in forks if answer.status_code == 202)]:
        while run_wait(one, at_most_s=20).status == Status.PAUSED:
            command(author, one, "resume")
        assert Run.objects.get(pk=one).status == Status.FINISHED
        assert author("GET", f"runs/{one}/").json()["output"]["seen"] == ["a", "b"]


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value", ["half \ud800", "a\0b", nested(900), {"k\udfff": 1}], ids=["half", "NUL", "deep", "key"]
)
def test_what_no_reader_takes_is_refused_whichever_way_it_comes(author: Api, value: Any) -> None:
    make(author, FAILS.replace('[string(int("no number"))]', '["b"]'))
    run = start(author, "fails", mode="debug", breakpoints=[{"node": "b"}])
    assert run_wait(run, at_most_s=20).status == Status.PAUSED
    before = events(author, run)
    for name, arguments in (
        ("change_output", {"visit": "1", "key": "seen", "value": [value]}),
        ("set_breakpoint", {"node": "a", "condition": value}),
        ("answer", {"visit": "1", "value": value}),
    ):
        with pytest.raises(InvalidError):  # as a socket sends it: the API refuses such bodies by itself
            run_command(author.user, UUID(run), name, arguments)
    assert events(author, run) == before
    assert author("GET", f"runs/{run}/").status_code == 200


def test_graphs_that_contain_each_other_end_with_a_sentence(author: Api) -> None:
    for name, other in (("ping", "pong"), ("pong", "ping")):
        make(author, f"name: {name}\nentry: s\nnodes:\n  s: {{call: Graph, settings: {{graph: {other}}}}}\n")
    run = start(author, "ping")
    assert run_wait(run, at_most_s=30).status == Status.FAILED
    assert "nested more than 16 deep" in author("GET", f"runs/{run}/").json()["error"]["message"]
    visit = next(e["visit"] for e in events(author, run) if e["type"] == "node.failed" and not e["path"])
    again = author("POST", f"runs/{run}/fork/", {"visit": visit, "revision": 1})
    assert run_wait(again.json()["run"], at_most_s=30).status == Status.FAILED


@pytest.mark.parametrize(
    "definition",
    [
        "a: " + "[" * 5000,
        "{" * 3000 + "}" * 3000,
        {"name": "x", "nodes": {"a": {"call": "Convert", "settings": {"text": "x" * 2_000_000}}}, "entry": "a"},
        {"name": "x", "nodes": {"a": {"call": "Graph", "settings": {"graph": ["x"]}}}, "entry": "a"},
        {"name": "x", "nodes": {"a\u0000b": {"call": "Convert"}}, "entry": "a\u0000b"},
        {"name": "x", "nodes": {"a": {"call": "__class__"}}, "entry": "a", "state": [{"name": "__init__"}]},
        {"name": "\u202ex", "nodes": {}, "edges": [{"source": {}, "target": []}]},
        {"name": "x", "nodes": {"a": {"call": "Delay"}}, "entry": "a", "state": [{"name": []}, {"name": {}}]},
    ],
)
def test_odd_definitions_are_read_or_refused(author: Api, definition: Any) -> None:
    for path, expected in (("graphs/validate/", {200, 400}), ("graphs/", {201, 400})):
        answer = author("POST", path, {"definition": definition})
        assert answer.status_code in expected, answer.content[:300]


LOOP = """name: loop
state:
- {name: n, type: int, update: add}
entry: a
nodes:
  a: {call: Convert, settings: {values: {n: '1'}}, outputs: {n: n}}
edges:
- {source: a, router: 'state.n < 200.0 ? "a" : "end"', possible_targets: [a, end]}
"""
HALF = {
    "command": b"\x81\x9b\x01\x02",
    "length": b"\x81\xff" + b"\x7f" * 8,
    "garbage": b"\xf3\x00garbage",
    "nothing": b"",
}


def test_sockets_cut_in_the_middle_of_a_frame_leave_the_run_and_the_log_alone(server: Server) -> None:
    ada = server.first_admin()
    ada.post("graphs/", {"definition": LOOP}, expect=201)
    run = str(ada.post("graphs/loop/run/", {}, expect=202)["run"])
    ask = (
        f"GET /ws/runs/{run}/?after=0 HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        f"Origin: {server.url}\r\nCookie: {ada.cookie}\r\n\r\n"
    )
    for half in list(HALF.values()) * 6:
        with socket.create_connection(("127.0.0.1", server.port)) as reader:
            reader.sendall(ask.encode())
            assert b"101" in reader.recv(2000)
            reader.sendall(half)
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # cut, not closed
    stands(ada, run, "finished")
    assert len([event for event in told(ada, run) if event["type"] == "node.finished"]) == 200
    assert not [line for line in server.output if "Traceback" in line or "ERROR" in line]
