"""Debug sessions outlive their process: kept after each step, taken up by a new one, by one process at a time."""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from graph_app.engine import AssistantMessage, DatabaseLockedError, DebuggerError, GraphBuilder, generate_state_schema
from tests.support.server import ROOT
from tests.unit.graph_app.engine.debugged import engine as debugged
from tests.unit.graph_app.engine.graphs import Log
from tests.unit.graph_app.engine.test_debugger import nodes, note, wired

WHOLE = ["a", "b", "d", "c", "j"] * 3


def child(folder: Path, what: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.unit.graph_app.engine.debugged", str(folder), what],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


async def test_a_new_process_goes_on_where_the_killed_one_stood(tmp_path: Path) -> None:
    first = child(tmp_path, "begin")
    assert first.stdout is not None
    assert first.stdout.readline() == "stopped ['c', 'j']\n"
    kill(first)
    assert (tmp_path / "ran.txt").read_text().split() == ["a", "b", "d"]
    engine = debugged(tmp_path)
    engine.load_status_from_db()
    assert nodes(engine) == ["c", "j"]
    assert engine.leaf("j").status == "joining"
    assert engine.turns == 5
    assert [visit.node for visit in engine.tree if visit.status == "finished"] == ["start", "a", "b", "d"]
    # The breakpoints are there as well: the one on c, with the next rounds' on d after it.
    assert await engine.resume() is None
    assert nodes(engine) == ["c", "j"]
    assert await engine.step_over() is None
    assert await engine.resume() is None
    engine.clear_all_breakpoint()
    result = await engine.resume()
    assert result["log"] == WHOLE
    assert len((tmp_path / "ran.txt").read_text().split()) == 15
    engine.close()


@pytest.mark.parametrize("steps", [1, 3, 6])
async def test_killed_between_any_two_steps_nothing_is_lost(tmp_path: Path, steps: int) -> None:
    process = child(tmp_path, "steps")
    assert process.stdout is not None
    for _ in range(steps + 1):
        assert process.stdout.readline() == "step\n"
    kill(process)
    ran = (tmp_path / "ran.txt").read_text().split()
    engine = debugged(tmp_path)
    engine.load_status_from_db()
    finished = [
        visit.node for visit in engine.tree if visit.status == "finished" and visit.node not in ("start", "end")
    ]
    # All but what was in flight: nodes that ran and whose step was not written yet.
    assert sorted(finished) == sorted(ran[: len(finished)])
    assert len(ran) - len(finished) <= 2
    engine.clear_all_breakpoint()
    assert (await engine.resume())["log"] == WHOLE
    engine.close()


def test_a_second_process_gets_a_clear_error(tmp_path: Path) -> None:
    first = child(tmp_path, "begin")
    assert first.stdout is not None
    first.stdout.readline()
    second = subprocess.run(
        [sys.executable, "-m", "tests.unit.graph_app.engine.debugged", str(tmp_path), "second"],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert second.stdout.count("locked another process debugs on the file") == 2
    kill(first)
    engine = debugged(tmp_path)
    engine.load_status_from_db()
    assert nodes(engine) == ["c", "j"]
    engine.close()


async def test_two_debuggers_of_one_process_share_the_file(tmp_path: Path) -> None:
    one = wired(tmp_path, "a>b")
    two = wired(tmp_path, "a>b")
    two.db_name = "another"
    one.set_breakpoint("b")
    await one.debug({})
    assert (await two.debug({}))["log"] == ["a", "b"]
    one.close()
    two.load_status_from_db()
    two.close()
    three = wired(tmp_path, "a>b")
    three.load_status_from_db()
    assert nodes(three) == ["b"]
    three.close()


async def test_going_back_and_changing_are_kept(tmp_path: Path) -> None:
    engine = wired(tmp_path, "a>b b>c")
    assert (await engine.debug({}))["log"] == ["a", "b", "c"]
    engine.restore_step(next(visit for visit in engine.tree if visit.node == "b").uuid)
    leaf = engine.leaf("b")
    engine.change_output(next(iter(leaf.parents)), leaf.uuid, "log", ["changed"])
    engine.close()
    again = wired(tmp_path, "a>b b>c")
    again.load_status_from_db()
    assert again.leaf("b").uuid == leaf.uuid
    assert (await again.resume())["log"] == ["changed", "b", "c"]
    again.close()


async def test_a_nested_session_is_kept(tmp_path: Path) -> None:
    def build() -> Any:
        inner = GraphBuilder(state_schema=Log)
        inner.add_node("x", note("x"))
        inner.add_node("y", note("y"))
        inner.add_edge("x", "y")
        inner.set_entry_point("x")
        return wired(tmp_path, "a>b b>c", nodes={"b": inner.build()})

    engine = build()
    engine.set_breakpoint("b")
    await engine.debug({})
    await engine.step_into(engine.leaf("b").uuid).step_over()
    engine.close()
    again = build()
    again.load_status_from_db()
    inner = again.step_into(again.leaf("b").uuid)
    assert nodes(inner) == ["y"]
    await again.step_out(again.leaf("b").uuid)
    assert (await again.resume())["log"] == ["a", "x", "y", "c"]
    again.close()


async def test_the_file_holds_json_only(tmp_path: Path) -> None:
    schema = generate_state_schema([("data", dict, "merge")])
    builder = GraphBuilder(state_schema=schema)
    builder.add_node("a", lambda state: {"messages": [AssistantMessage(content="é")], "data": {"x": [1, None]}})
    builder.add_node("b", lambda state: {"data": {"y": state.data["x"]}})
    builder.add_edge("a", "b")
    builder.set_entry_point("a")
    engine = builder.build(graph_mode="debug", db_file_path=tmp_path / "x.db")
    first = await engine.debug({})
    engine.close()
    with sqlite3.connect(tmp_path / "x.db") as connection:
        for table in ("meta", "steps"):
            for row in connection.execute(f"SELECT * FROM {table}"):
                json.loads(row[-1])
    connection.close()
    again = builder.build(graph_mode="debug", db_file_path=tmp_path / "x.db")
    again.load_status_from_db()
    assert await again.resume() == first
    again.close()


@pytest.mark.parametrize("value", [object(), "\udc00", lambda: 1])
async def test_what_json_cannot_hold_is_an_error_that_names_the_node(tmp_path: Path, value: Any) -> None:
    builder = GraphBuilder(state_schema=None)
    builder.add_node("a", lambda state: {"x": value})
    builder.set_entry_point("a")
    engine = builder.build(graph_mode="debug", db_file_path=tmp_path / "x.db")
    with pytest.raises(RuntimeError, match="'a'"):
        await engine.debug({})
    assert nodes(engine) == ["a"]
    engine.close()


async def test_what_loading_refuses(tmp_path: Path) -> None:
    engine = wired(tmp_path, "a>b")
    with pytest.raises(DebuggerError, match="no session"):
        engine.load_status_from_db()
    with pytest.raises(DebuggerError, match="nothing was started"):
        engine.save_status_to_db()
    await engine.debug({})
    engine.save_status_to_db()
    engine.close()
    other = wired(tmp_path, "a>b b>c")
    with pytest.raises(DebuggerError, match="another graph"):
        other.load_status_from_db()
    other.close()
    (tmp_path / "debug.db").write_bytes(random.Random(1).randbytes(8192))
    broken = wired(tmp_path, "a>b")
    with pytest.raises(DebuggerError, match="cannot be used"):
        await broken.debug({})
    assert not isinstance(DebuggerError, DatabaseLockedError)
