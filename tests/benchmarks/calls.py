"""What a Call costs as a node, and how fast a model's stream reaches a reader.

python -m tests.benchmarks.calls
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from collections.abc import AsyncGenerator
from typing import Any

from graph_app.calls import CallServices, build_engine
from graph_app.calls.chat import ModelChunk
from graph_app.runs.fold import fold
from graph_app.runs.session import Session

ROUNDS = 7
NODES = 100
CHUNKS = 10_000
NODE_LIMIT_US = 60.0
CHUNK_LIMIT = 50_000.0


class Counting:
    """A sink that counts events and makes nothing of them."""

    def __init__(self) -> None:
        self.count = 0
        self.characters = 0

    def emit(self, kind: str, data: dict[str, Any], **place: Any) -> None:
        self.count += 1
        self.characters += len(data.get("chunk", ""))

    async def room(self) -> None:
        return


class Talking:
    """A model that says ten thousand words at once."""

    function = None

    @property
    def reasoning(self) -> Talking:
        return self

    async def call(self, **_: Any) -> AsyncGenerator[ModelChunk, None]:
        for _number in range(CHUNKS):
            yield ModelChunk("word ")


def chain() -> str:
    nodes = {
        f"n{i}": {"call": "Convert", "settings": {"values": {"n": "state.n + 1.0"}}, "outputs": {"n": "n"}}
        for i in range(NODES)
    }
    return json.dumps(
        {
            "name": "chain",
            "state": [{"name": "n", "type": "float", "update": "overwrite"}],
            "entry": "n0",
            "nodes": nodes,
            "edges": [{"source": f"n{i}", "target": f"n{i + 1}"} for i in range(NODES - 1)],
        }
    )


async def engine_chain() -> float:
    """CPU of a node in a chain of Converts under the engine, events on, in µs."""
    engine = build_engine(chain(), CallServices())
    costs = []
    for _ in range(ROUNDS):
        began = time.process_time()
        events = [event.type async for event in engine.stream({"n": 0.0})]
        costs.append((time.process_time() - began) / NODES * 1e6)
        assert events[-1] == "run.finished"
    return statistics.median(costs)


async def session_chain() -> float:
    """The same under the product's own session, in µs."""
    services = CallServices()
    engine = build_engine(chain(), services)
    costs = []
    for _ in range(ROUNDS):
        sink = Counting()
        standing = fold(engine.plan, {"n": 0.0}, ())
        began = time.process_time()
        outcome = await Session(engine, services, standing.ledger, sink).run()
        costs.append((time.process_time() - began) / NODES * 1e6)
        assert outcome.state["n"] == float(NODES)
    return statistics.median(costs)


async def stream() -> float:
    """Chunks of a model's stream that reach a reader, a second."""
    services = CallServices(models=Talking())  # type: ignore[arg-type]
    document = {"name": "talk", "entry": "a", "nodes": {"a": {"call": "LLM", "settings": {"user_prompt": "x"}}}}
    engine = build_engine({**document, "edges": []}, services)
    rates = []
    for _ in range(ROUNDS):
        sink = Counting()
        standing = fold(engine.plan, {}, ())
        began = time.perf_counter()
        await Session(engine, services, standing.ledger, sink).run()
        rates.append(CHUNKS / (time.perf_counter() - began))
        assert sink.characters == len("word ") * CHUNKS
    return statistics.median(rates)


def main() -> int:
    engine_us, session_us, rate = (asyncio.run(work()) for work in (engine_chain, session_chain, stream))
    rows = [
        ("Convert in a chain of 100, engine with events", f"{engine_us:.1f} µs", f"{NODE_LIMIT_US:.0f} µs",
         engine_us <= NODE_LIMIT_US),
        ("the same in a session", f"{session_us:.1f} µs", "", True),
        ("LLM stream of 10,000 chunks to a reader", f"{rate:,.0f}/s", f"{CHUNK_LIMIT:,.0f}/s", rate >= CHUNK_LIMIT),
    ]  # fmt: skip
    for name, measured, limit, reached in rows:
        print(f"{name:<50}{measured:>14}{limit:>12}  {'ok' if reached else 'NOT REACHED'}")
    return 0 if all(row[3] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
