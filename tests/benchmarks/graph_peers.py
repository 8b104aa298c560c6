"""The benchmark's workloads on other engines; run by an interpreter that has them, prints CPU microseconds as JSON.

Each engine is measured by itself and left out if it is not installed.
"""

import asyncio
import itertools
import json
import operator
import statistics
import sys
import time
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

ROUNDS = 3


def cpu_us(make: Any, rounds: int = ROUNDS) -> float:
    """Return the median CPU time of a coroutine function, in microseconds."""
    if rounds > 1:
        asyncio.run(make())
    times = []
    for _ in range(rounds):
        began = time.process_time_ns()
        asyncio.run(make())
        times.append((time.process_time_ns() - began) / 1000)
    return statistics.median(times)


class Count(TypedDict):
    n: Annotated[int, "overwrite"]


class Texts(TypedDict):
    n: Annotated[int, "overwrite"]
    texts: Annotated[list, "overwrite"]


class Chat(TypedDict):
    messages: Annotated[list, "append_messages"]


async def step(state: Any) -> dict[str, Any]:
    return {"n": state["n"] + 1}


BIG = [f"{index}" + "x" * 1024 for index in range(1000)]


def evofabric() -> dict[str, float]:
    import logging

    from evofabric.core.graph import GraphBuilder
    from evofabric.core.typing import AssistantMessage

    logging.disable(logging.CRITICAL)
    try:
        from loguru import logger

        logger.remove()
    except ImportError:
        pass

    async def say(state: Any) -> dict[str, Any]:
        return {"messages": [AssistantMessage(content="hello")]}

    def chain(schema: Any, node: Any, length: int) -> Any:
        builder = GraphBuilder(state_schema=schema)
        for index in range(length):
            builder.add_node(f"n{index}", node)
            if index:
                builder.add_edge(f"n{index - 1}", f"n{index}")
        builder.set_entry_point("n0")
        return builder.build()

    def fan(width: int) -> Any:
        builder = GraphBuilder(state_schema=Count)
        builder.add_node("first", step)
        builder.add_node("last", step, "all")
        for index in range(width):
            builder.add_node(f"n{index}", step)
            builder.add_edge("first", f"n{index}")
            builder.add_edge(f"n{index}", "last")
        builder.set_entry_point("first")
        return builder.build()

    return {
        "chain 100": cpu_us(lambda: chain(Count, step, 100).run({"n": 0})),
        "messages 500": cpu_us(lambda: chain(Chat, say, 500).run({"messages": []}), 1),
        "texts": cpu_us(lambda: chain(Texts, step, 100).run({"n": 0, "texts": BIG})),
        "fan-out 100": cpu_us(lambda: fan(100).run({"n": 0})),
    }


def langgraph() -> dict[str, float]:
    from langgraph.graph import END, START, StateGraph

    class Merged(TypedDict):
        n: int
        texts: list
        messages: Annotated[list, operator.add]
        total: Annotated[int, operator.add]

    async def say(state: Any) -> dict[str, Any]:
        return {"messages": [{"role": "assistant", "content": "hello"}]}

    async def one(state: Any) -> dict[str, Any]:
        return {"total": 1}

    def chain(node: Any, length: int) -> Any:
        builder = StateGraph(Merged)
        for index in range(length):
            builder.add_node(f"n{index}", node)
            builder.add_edge(f"n{index - 1}" if index else START, f"n{index}")
        builder.add_edge(f"n{length - 1}", END)
        return builder.compile()

    def fan(width: int) -> Any:
        builder = StateGraph(Merged)
        builder.add_node("first", step)
        builder.add_node("last", step)
        builder.add_edge(START, "first")
        for index in range(width):
            builder.add_node(f"n{index}", one)
            builder.add_edge("first", f"n{index}")
        builder.add_edge([f"n{index}" for index in range(width)], "last")
        builder.add_edge("last", END)
        return builder.compile()

    limit = {"recursion_limit": 10_000}
    c100, m500, f100 = chain(step, 100), chain(say, 500), fan(100)
    return {
        "chain 100": cpu_us(lambda: c100.ainvoke({"n": 0}, limit)),
        "messages 500": cpu_us(lambda: m500.ainvoke({"messages": []}, limit)),
        "texts": cpu_us(lambda: c100.ainvoke({"n": 0, "texts": BIG}, limit)),
        "fan-out 100": cpu_us(lambda: f100.ainvoke({"n": 0, "total": 0}, limit)),
    }


@dataclass
class PydanticState:
    n: int
    messages: list
    texts: list


def pydantic_graph() -> dict[str, float]:
    from pydantic_graph import GraphBuilder, StepContext

    async def step(ctx: StepContext[PydanticState, None, Any]) -> None:
        ctx.state.n += 1

    async def say(ctx: StepContext[PydanticState, None, Any]) -> None:
        ctx.state.messages.append({"role": "assistant", "content": "hello"})

    def chain(node: Any, length: int) -> Any:
        builder = GraphBuilder(state_type=PydanticState, auto_instrument=False)
        steps = [builder.step(node, node_id=f"n{index}") for index in range(length)]
        places = [builder.start_node, *steps, builder.end_node]
        builder.add(*(builder.edge_from(one).to(two) for one, two in itertools.pairwise(places)))
        return builder.build()

    c100, m500 = chain(step, 100), chain(say, 500)
    return {
        "chain 100": cpu_us(lambda: c100.run(state=PydanticState(0, [], []))),
        "messages 500": cpu_us(lambda: m500.run(state=PydanticState(0, [], []))),
        "texts": cpu_us(lambda: c100.run(state=PydanticState(0, [], BIG))),
    }


if __name__ == "__main__":
    found: dict[str, Any] = {}
    for name, measure in (("evofabric", evofabric), ("langgraph", langgraph), ("pydantic-graph", pydantic_graph)):
        try:
            found[name] = measure()
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
            found[name] = {}
    print("RESULT " + json.dumps(found))
