"""Sessions that run loops: their state is not put together anew, and they wait for a sink that is behind."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from graph_app.calls import CallServices, shared_engine
from graph_app.engine.lineage import Lineage
from graph_app.runs.fold import fold
from graph_app.runs.session import Session

LOOP = """
name: counting
state: [{name: n, type: int, update: add}, {name: limit, type: float, update: overwrite}]
inputs: [limit]
entry: count
nodes:
  count: {call: Convert, settings: {values: {n: '1'}}, outputs: {n: n}}
  last: {call: Convert, settings: {text: done}}
edges:
  - {source: count, router: 'state.n < state.limit ? "count" : "last"', possible_targets: [count, last]}
"""


class Sink:
    """Counts the visits that began while there was no room."""

    def __init__(self) -> None:
        self.space = asyncio.Event()
        self.space.set()
        self.begun = 0

    def emit(self, kind: str, data: Any, *, node: Any = None, visit: Any = None, path: Any = ()) -> None:
        self.begun += kind == "node.started"

    async def room(self) -> None:
        await self.space.wait()


def session(limit: int, sink: Sink) -> Session:
    engine = shared_engine(LOOP)
    return Session(engine, CallServices(), fold(engine.plan, {"limit": limit}, ()).ledger, sink)


async def test_a_loop_does_not_put_its_state_together_from_the_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    folds: list[Lineage] = []
    whole = Lineage._fold

    def counted(link: Lineage) -> dict[str, Any]:
        folds.append(link)
        return whole(link)

    monkeypatch.setattr(Lineage, "_fold", counted)
    outcome = await session(200, Sink()).run()
    assert outcome.status == "finished"
    assert len(folds) < 10


async def test_nothing_begins_while_the_sink_has_no_room() -> None:
    sink = Sink()
    sink.space.clear()
    running = asyncio.create_task(session(50, sink).run())
    for _ in range(500):
        await asyncio.sleep(0)
    assert sink.begun == 0
    sink.space.set()
    assert (await running).status == "finished"
    assert sink.begun == 51
