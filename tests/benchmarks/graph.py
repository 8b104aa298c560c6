"""The graph engine's speed: ratios against a bare asyncio loop that awaits the same functions, and other engines.

    python -m tests.benchmarks.graph [--peers PYTHON] [--rounds N]

CPU time, medians of interleaved rounds. ``--peers`` (or WORKBENCH_PEERS_PYTHON) names an interpreter in which the
optional dependencies ``peers`` are installed; without it their columns say n/a.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import math
import os
import statistics
import subprocess
import tempfile
import time
import tracemalloc
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.benchmarks.graph_workloads import (
    Chat,
    Count,
    Texts,
    chain,
    fan,
    limit_chain,
    limit_chat,
    limit_fan,
    limit_loop,
    limit_many,
    loop,
    many,
    nap,
    say,
    step,
    two_branches,
)

Job = Callable[[], Awaitable[Any]]

PEERS = ("evofabric", "langgraph", "pydantic-graph")
BIG = [f"{index}" + "x" * 1024 for index in range(1000)]


@dataclass
class Row:
    """One line of the table."""

    name: str
    ours: str
    limit: str
    ratio: str
    reach: str
    kept: bool
    key: str = ""


def cpu_us(job: Job, times: int) -> float:
    """Return the CPU microseconds of one job, run so many times in one event loop."""

    async def repeat() -> None:
        for _ in range(times):
            await job()

    began = time.process_time_ns()
    asyncio.run(repeat())
    return (time.process_time_ns() - began) / 1000 / times


def both(ours: Job, limit: Job, times: int, rounds: int) -> tuple[float, float]:
    """Return the medians of interleaved rounds."""
    # What was built for other rows must not be looked through by the collector in this one.
    gc.collect()
    gc.freeze()
    pairs = [(cpu_us(ours, times), cpu_us(limit, times)) for _ in range(rounds)]
    gc.unfreeze()
    return statistics.median(pair[0] for pair in pairs), statistics.median(pair[1] for pair in pairs)


def ratio(name: str, ours: Job, limit: Job, reach: float, times: int, rounds: int, key: str = "") -> tuple[Row, float]:
    """Return a row for a ratio against the limit, and our time."""
    mine, theirs = both(ours, limit, times, rounds)
    found = mine / theirs
    return Row(name, f"{mine:.0f}", f"{theirs:.0f}", f"{found:.2f}", f"<= {reach:g}", found <= reach, key), mine


def exponent(name: str, small: float, large: float, factor: float, reach: float) -> Row:
    """Return a row for how the cost grows."""
    found = math.log(large / small) / math.log(factor)
    return Row(name, "", "", f"{found:.3f}", f"<= {reach:g}", found <= reach)


def chains(rounds: int) -> list[Row]:
    """Measure chains and loops."""
    rows = []
    for name, make, limit in (
        ("chain", lambda n: chain(Count, step, n), lambda n: limit_chain(step, n, {"n": 0})),
        ("loop", loop, limit_loop),
    ):
        times = {}
        for length in (100, 1000):
            engine = make(length)
            row, times[length] = ratio(
                f"{name} of {length}", lambda e=engine: e.run({"n": 0}), lambda n=length, of=limit: of(n), 12,
                3000 // length, rounds, f"{name} {length}",
            )  # fmt: skip
            rows.append(row)
        rows.append(exponent(f"{name}: exponent", times[100], times[1000], 10, 1.05))
    return rows


def fans(rounds: int) -> list[Row]:
    """Measure a fan-out and its join."""
    engine = fan(100)
    row, _ = ratio(
        "fan-out to 100, ALL join", lambda: engine.run({"n": 0}), lambda: limit_fan(100), 2, 20, rounds, "fan-out 100"
    )
    return [row]


def texts(rounds: int) -> list[Row]:
    """Measure a list in the state that no node reads."""
    engine = chain(Texts, step, 100)
    # Started beforehand: validating the input is no part of it.
    from graph_app.engine import Frontier

    def starting(value: list[str]) -> Job:
        frontier, ready = Frontier(engine.plan).start({"n": 0, "texts": value})
        return lambda: engine.proceed(frontier, ready)

    with_it, without = both(starting(BIG), starting([]), 20, rounds)
    tracemalloc.start()
    asyncio.run(starting(BIG)())
    base, _ = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    asyncio.run(starting(BIG)())
    peak = (tracemalloc.get_traced_memory()[1] - base) / 1e6
    tracemalloc.stop()
    found = with_it / without
    return [
        Row("with unread texts", f"{with_it:.0f}", f"{without:.0f}", f"{found:.2f}", "<= 1.2", found < 1.2, "texts"),
        Row("  more memory, MB", "", "", f"{peak:.2f}", "< 3", peak < 3),
    ]  # fmt: skip


def chats(rounds: int) -> list[Row]:
    """Measure growing messages."""
    rows = []
    times = {}
    for length in (100, 500):
        engine = chain(Chat, say, length)
        row, times[length] = ratio(
            f"{length} nodes that append a message", lambda e=engine: e.run({}), lambda n=length: limit_chat(n), 4,
            2000 // length, rounds, f"messages {length}",
        )  # fmt: skip
        rows.append(row)
    rows.append(exponent("messages: exponent", times[100], times[500], 5, 1.1))
    return rows


def crowds(rounds: int) -> list[Row]:
    """Measure many runs at once, and two branches."""
    engine = chain(Count, nap, 10)
    row, _ = ratio(
        "1,000 runs at once of 10 naps", lambda: many(engine, 1000), lambda: limit_many(1000, 10), 2.5, 1, rounds
    )
    branches = two_branches()
    walls = []
    for _ in range(rounds):
        began = time.perf_counter()
        asyncio.run(branches.run({"n": 0}))
        walls.append((time.perf_counter() - began) * 1000)
    wall = statistics.median(walls)
    return [row, Row("300 ms beside 10 x 30 ms, ms of wall", f"{wall:.1f}", "300", "", "<= 310", wall <= 310)]


def isolations(rounds: int) -> list[Row]:
    """Measure isolation, for which no reach is set."""
    rows = []
    for name, schema, node, length, limit in (
        ("chain of 100, isolated", Count, step, 100, lambda: limit_chain(step, 100, {"n": 0})),
        ("500 messages, isolated", Chat, say, 500, lambda: limit_chat(500)),
    ):
        engine = chain(schema, node, length, isolate=True)
        row, _ = ratio(name, lambda e=engine: e.run({"n": 0} if "chain" in name else {}), limit, math.inf, 5, rounds)  # noqa: B023
        rows.append(row)
    return rows


def debugging(rounds: int) -> list[Row]:
    """Measure a debug run against a plain one with the same events."""
    with tempfile.TemporaryDirectory() as folder:
        plain = chain(Count, step, 1000, isolate=True)
        debug = chain(Count, step, 1000, isolate=True, graph_mode="debug", db_file_path=Path(folder) / "debug.db")

        async def streamed(engine: Any) -> None:
            async for _ in engine.stream({"n": 0}):
                pass

        row, _ = ratio("debug run of 1,000, as events", lambda: streamed(debug), lambda: streamed(plain), 3, 2, rounds)
        debug.close()
    return [row]


def peers(python: str | None) -> dict[str, dict[str, float]]:
    """Return what the other engines need, in CPU microseconds, by engine and workload."""
    if not python or not Path(python).exists():
        return {}
    script = Path(__file__).with_name("graph_peers.py")
    done = subprocess.run([python, str(script)], capture_output=True, text=True, check=False, timeout=900)
    found = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    return json.loads(found[-1].removeprefix("RESULT ")) if found else {}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--peers", default=os.environ.get("WORKBENCH_PEERS_PYTHON"))
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    rows: list[Row] = []
    for measure in (chains, fans, texts, chats, crowds, isolations, debugging):
        rows += measure(options.rounds)
    others = peers(options.peers)
    print(
        f"{'CPU microseconds':<40}{'ours':>9}{'limit':>9}{'ratio':>8} {'reach':<9}", *(f"{name:>15}" for name in PEERS)
    )
    for row in rows:
        shown = [others.get(name, {}).get(row.key) for name in PEERS]
        cells = [f"{value:>15.0f}" if value is not None else f"{'n/a':>15}" for value in shown]
        mark = "" if row.kept else "  MISSED"
        print(f"{row.name:<40}{row.ours:>9}{row.limit:>9}{row.ratio:>8} {row.reach:<9}", *cells, mark)


if __name__ == "__main__":
    main()
