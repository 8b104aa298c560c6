"""Calls of a tool that a step makes at once: the journal tells which of them each event belongs to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from graph_app.calls import CallServices, shared_engine
from graph_app.runs.fold import fold
from graph_app.runs.session import Session
from toolkit_app.engine import CallFinished, StepFinished, StepStarted, ToolResult, load_tool

TOOL = "{name: t, desc: d, params: [], steps: [{url: 'http://a/x'}]}"
GRAPH = """
name: g
entry: each
nodes:
  each: {call: ForEach, settings: {items: ["a", "b"], tool: t, concurrency: 2}}
"""


class Runner:
    """Runs every tool in one step, all of them at the same time."""

    async def stream(self, *_: Any, **__: Any) -> AsyncGenerator[Any, None]:
        yield StepStarted(step=0, visit=0)
        await asyncio.sleep(0)
        yield StepFinished(step=0, visit=0, cached=False, duration_ms=1.0)
        yield CallFinished(ToolResult())


class Kept:
    def __init__(self) -> None:
        self.told: list[tuple[str, dict[str, Any]]] = []

    def emit(self, kind: str, data: dict[str, Any], **_: Any) -> None:
        self.told.append((kind, data))

    async def room(self) -> None:
        return


def test_each_item_says_which_one_it_is() -> None:
    journal = Kept()

    async def tool(_: str) -> Any:
        return load_tool(TOOL)

    async def run() -> None:
        services = CallServices(tool=tool, runner=Runner())  # type: ignore[arg-type]
        engine = shared_engine(GRAPH)
        await Session(engine, services, fold(engine.plan, {}, ()).ledger, journal).run()

    asyncio.run(run())
    steps = [(kind, data["call"]) for kind, data in journal.told if kind.startswith("step.")]
    assert sorted(steps) == [("step.finished", 0), ("step.finished", 1), ("step.started", 0), ("step.started", 1)]
