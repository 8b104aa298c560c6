"""What an edge's filter made of the state: the journal tells it, and nobody asks the filter again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from graph_app.calls import CallServices, shared_engine
from graph_app.engine import expressions
from graph_app.runs.breakpoints import Breakpoints
from graph_app.runs.fold import Standing, fold
from graph_app.runs.session import Session

INNER = """
name: inner
state: [{name: n, type: float, update: overwrite}, {name: word, type: str, update: overwrite}]
inputs: [n]
entry: first
nodes:
  first: {call: Convert, settings: {values: {n: "state.n + 1.0"}}, outputs: {n: n}}
  ask: {call: Ask, settings: {question: "${state:n}?", kind: text}, outputs: {word: answer}}
edges:
  - {source: first, target: ask, filter: '{"n": state.n * 100.0}'}
"""
OUTER = """
name: outer
state: [{name: n, type: float, update: overwrite}, {name: rows, type: list, update: append}]
inputs: [n]
entry: first
nodes:
  first: {call: Convert, settings: {values: {n: "state.n + 1.0", rows: '["a"]'}}, outputs: {n: n, rows: rows}}
  next: {call: Convert, settings: {values: {rows: '["b"]'}}, outputs: {rows: rows}}
edges:
  - {source: first, target: next, filter: '{"n": state.n * 10.0, "rows": ["kept"]}'}
"""
NESTED = """
name: nested
state: [{name: n, type: float, update: overwrite}, {name: word, type: str, update: overwrite}]
inputs: [n]
entry: each
nodes:
  each: {call: Graph, settings: {graph: inner, inputs: {n: "${state:n}"}}, outputs: {n: n, word: word}}
"""


class Kept:
    """A journal in memory."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []

    def emit(self, kind: str, data: Any, *, node: Any = None, visit: Any = None, path: Any = ()) -> None:
        self.events.append({"type": kind, "node": node, "visit": visit, "path": list(path), "data": data})

    async def room(self) -> None:
        return

    def finished(self, node: str) -> dict[str, Any]:
        return next(one["data"] for one in self.events if one["type"] == "node.finished" and one["node"] == node)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources of the expressions that were evaluated."""
    found: list[str] = []
    now, later = expressions.Expression.evaluate, expressions.Expression.evaluate_async

    def evaluate(self: Any, names: Any) -> Any:
        found.append(self.source)
        return now(self, names)

    async def evaluate_async(self: Any, names: Any) -> Any:
        found.append(self.source)
        return await later(self, names)

    monkeypatch.setattr(expressions.Expression, "evaluate", evaluate)
    monkeypatch.setattr(expressions.Expression, "evaluate_async", evaluate_async)
    return found


def session_of(text: str, journal: Kept, *, standing: Standing | None = None, **more: Any) -> Session:
    async def graph(name: str) -> str:
        assert name == "inner"
        return INNER

    services = CallServices(graph=graph)
    engine = shared_engine(text)
    known = standing or fold(engine.plan, {"n": 4.0}, ())
    services.recorded = known.recorded
    return Session(
        engine, services, known.ledger, journal, waiting=known.waiting, held=known.held, started=known.started, **more
    )


def run(text: str, **more: Any) -> tuple[Session, Kept]:
    journal = Kept()

    async def go() -> Session:
        session = session_of(text, journal, **more)
        await session.run()
        return session

    return asyncio.run(go()), journal


def test_a_route_over_a_filter_carries_the_whole_state() -> None:
    _, journal = run(OUTER)
    (route,) = journal.finished("first")["routes"]
    assert route == [0, "next", {"n": 50.0, "rows": ["kept"]}]


def test_recovery_does_not_ask_the_filter_again(asked: list[str]) -> None:
    _, journal = run(OUTER, debug=True, breakpoints=Breakpoints([{"node": "next"}]))
    assert [source for source in asked if "kept" in source] != []
    asked.clear()
    standing = fold(shared_engine(OUTER).plan, {"n": 4.0}, journal.events)
    (visit,) = standing.ledger.open
    assert dict(visit.visit.values)["rows"] == ["kept"]
    assert asked == []


def test_a_changed_value_goes_through_the_filter_again_and_the_journal_tells_what_came(asked: list[str]) -> None:
    session, journal = run(OUTER, debug=True, breakpoints=Breakpoints([{"node": "next"}]))
    session.change_output("1", "n", 7.0)
    changed = journal.events[-1]
    assert changed["type"] == "debug.changed"
    assert changed["data"]["routes"] == [[0, "next", {"n": 70.0, "rows": ["kept"]}]]
    (held,) = session.ledger.open
    assert held.visit.values["n"] == 70.0
    asked.clear()
    standing = fold(shared_engine(OUTER).plan, {"n": 4.0}, journal.events)
    (visit,) = standing.ledger.open
    assert (visit.number, visit.visit.values["n"]) == (held.number, 70.0)
    assert asked == []


def test_going_back_behind_a_filter_keeps_what_it_made(asked: list[str]) -> None:
    session, journal = run(OUTER)
    asked.clear()
    session.restore_step("2")
    (again,) = session.ledger.open
    assert again.node == "next"
    assert again.visit.values["rows"] == ["kept"]
    assert asked == []
    assert journal.events[-1]["type"] == "debug.restored"


def test_nested_filters_are_told_and_not_asked_again(asked: list[str]) -> None:
    _, journal = run(NESTED)
    assert journal.finished("first")["routes"] == [[0, "ask", {"n": 500.0}]]
    asked.clear()
    standing = fold(shared_engine(NESTED).plan, {"n": 4.0}, journal.events)
    told = Kept()

    async def on() -> Session:
        session = session_of(NESTED, told, standing=standing)
        await session.ask_again()
        (question,) = session.questions()
        session.answer(question.visit, "yes")
        await session.run()
        return session

    session = asyncio.run(on())
    assert [source for source in asked if "100.0" in source] == []
    assert told.finished("each")["delta"]["n"] == 500.0
    assert session.ledger.frontier.finished


def test_an_old_journal_of_a_nested_graph_asks_again() -> None:
    _, journal = run(NESTED)
    for event in journal.events:
        if event["path"]:
            event["data"].pop("routes", None)
    standing = fold(shared_engine(NESTED).plan, {"n": 4.0}, journal.events)
    told = Kept()

    async def on() -> None:
        session = session_of(NESTED, told, standing=standing)
        await session.ask_again()
        (question,) = session.questions()
        session.answer(question.visit, "yes")
        await session.run()

    asyncio.run(on())
    assert told.finished("each")["delta"]["n"] == 500.0
