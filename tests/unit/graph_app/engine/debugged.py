"""A graph to be debugged in a process of its own; run as a script with a folder and what to do."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path
from typing import Any

from graph_app.engine import DatabaseLockedError, GraphBuilder
from tests.unit.graph_app.engine.graphs import Log


def node(name: str, folder: Path) -> Any:
    async def run(state: Any) -> dict[str, Any]:
        with (folder / "ran.txt").open("a") as file:
            file.write(name + "\n")
        return {"log": [name], "total": 1}

    return run


def late(state: Any) -> bool:
    return bool(state["total"] > 2)


def engine(folder: Path) -> Any:
    builder = GraphBuilder(state_schema=Log)
    for name in ("a", "b", "c", "d"):
        builder.add_node(name, node(name, folder))
    builder.add_node("j", node("j", folder), "all")
    for source, target in (("a", "b"), ("a", "c"), ("b", "d"), ("d", "j"), ("c", "j")):
        builder.add_edge(source, target)
    builder.add_condition_edge("j", 'state.total < 14.0 ? "a" : "end"', ["a", "end"])
    builder.set_entry_point("a")
    return builder.build(graph_mode="debug", db_file_path=folder / "debug.db")


async def main(folder: Path, what: str) -> None:
    debugger = engine(folder)
    if what == "begin":
        debugger.set_breakpoint("c")
        debugger.set_breakpoint("j", condition="state.total > 100.0")
        debugger.set_breakpoint("d", condition=late, on="leave")
        await debugger.debug({"total": 0})
        print("stopped", sorted(leaf.node for leaf in debugger.leaves()), flush=True)
        signal.pause()
    elif what == "steps":
        debugger.set_breakpoint("a")
        await debugger.debug({"total": 0})
        while True:
            print("step", flush=True)
            await debugger.step_over()
    elif what == "second":
        try:
            await debugger.debug({})
        except DatabaseLockedError as error:
            print("locked", error, flush=True)
        try:
            debugger.load_status_from_db()
        except DatabaseLockedError as error:
            print("locked", error, flush=True)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
