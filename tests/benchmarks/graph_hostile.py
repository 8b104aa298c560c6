"""What 10,000 hostile expressions cost: the worst time of one, memory, and the longest time that an event loop waited.

python -m tests.benchmarks.graph_hostile [number]
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import resource
import sys
import time
from pathlib import Path

from graph_app.engine import Expression, ExpressionError
from tests.unit.graph_app.engine.test_expressions import HOSTILE, STATE, generated


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


async def main(number: int) -> None:
    chance = random.Random(11)
    sources = [*HOSTILE, *(generated(chance) for _ in range(number))]
    await Expression("[1].map(x, x)").evaluate_async({"state": lambda: STATE})
    base = resident()
    gaps = [0.0]

    async def tick() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.001)
            gaps.append(time.perf_counter() - before - 0.001)

    ticking = asyncio.create_task(tick())
    costs = []
    failed = 0
    for source in sources:
        gaps[0] = max(gaps)
        del gaps[1:]
        began = time.perf_counter()
        try:
            await Expression(source).evaluate_async({"state": lambda: STATE})
        except ExpressionError:
            failed += 1
        costs.append(time.perf_counter() - began)
        if gaps[1:] and max(gaps[1:]) > 0.1:
            print(f"                 {max(gaps[1:]) * 1e3:.0f} ms at {source[:100]!r}")
    ticking.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await ticking
    costs.sort()
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"expressions      {len(sources)}, of which {failed} were refused, cut off or failed")
    print(
        f"one expression   median {costs[len(costs) // 2] * 1e6:.0f} us, worst {costs[-1] * 1e3:.0f} ms (reach 250 ms,"
    )
    print("                 and the start of the next child where none is ready)")
    print(f"event loop       waited at most {max(gaps) * 1e3:.1f} ms (reach 100 ms)")
    grown = (resident() - base) / 1e6
    print(f"memory           this process grew by {grown:.1f} MB; the largest child had {children:.0f} MB")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
