"""The workloads of the graph benchmark, each as the engine runs it and as a bare asyncio loop does ("limit")."""

from __future__ import annotations

import asyncio
import operator
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypedDict

from graph_app.engine import AssistantMessage, GraphBuilder

Job = Callable[[], Awaitable[Any]]


class Count(TypedDict):
    n: Annotated[int, "overwrite"]


class Texts(TypedDict):
    n: Annotated[int, "overwrite"]
    texts: Annotated[list, "overwrite"]


class Chat(TypedDict):
    messages: Annotated[list, "append_messages"]


class Sum(TypedDict):
    n: Annotated[int, "overwrite"]
    total: Annotated[int, operator.add]


async def step(state: Any) -> dict[str, Any]:
    return {"n": state["n"] + 1}


async def say(state: Any) -> dict[str, Any]:
    return {"messages": [AssistantMessage(content="hello")]}


async def one(state: Any) -> dict[str, Any]:
    return {"total": 1}


async def nap(state: Any) -> dict[str, Any]:
    await asyncio.sleep(0.01)
    return {"n": state["n"] + 1}


def chain(schema: Any, node: Any, length: int, **options: Any) -> Any:
    builder = GraphBuilder(state_schema=schema)
    for index in range(length):
        builder.add_node(f"n{index}", node)
        if index:
            builder.add_edge(f"n{index - 1}", f"n{index}")
    builder.set_entry_point("n0")
    return builder.build(**{"isolate": False, **options})


def until(turns: int) -> Callable[[Any], str]:
    def again(state: Any) -> str:
        return "step" if state["n"] < turns else "end"

    return again


def loop(turns: int, **options: Any) -> Any:
    builder = GraphBuilder(state_schema=Count)
    builder.add_node("step", step)
    builder.add_condition_edge("step", until(turns), ["step", "end"])
    builder.set_entry_point("step")
    return builder.build(**{"isolate": False, **options})


def fan(width: int, **options: Any) -> Any:
    builder = GraphBuilder(state_schema=Sum)
    builder.add_node("first", step)
    builder.add_node("last", step, "all")
    for index in range(width):
        builder.add_node(f"n{index}", one)
        builder.add_edge("first", f"n{index}")
        builder.add_edge(f"n{index}", "last")
    builder.set_entry_point("first")
    return builder.build(**{"isolate": False, **options})


def two_branches(**options: Any) -> Any:
    async def slow(state: Any) -> None:
        await asyncio.sleep(0.3)

    async def quick(state: Any) -> None:
        await asyncio.sleep(0.03)

    builder = GraphBuilder(state_schema=Count)
    builder.add_node("first", step)
    builder.add_node("slow", slow)
    builder.add_edge("first", "slow")
    previous = "first"
    for index in range(10):
        builder.add_node(f"q{index}", quick)
        builder.add_edge(previous, f"q{index}")
        previous = f"q{index}"
    builder.add_node("join", step, "all")
    builder.add_edge("slow", "join")
    builder.add_edge(previous, "join")
    builder.set_entry_point("first")
    return builder.build(**{"isolate": False, **options})


async def limit_chain(node: Any, length: int, state: dict[str, Any]) -> dict[str, Any]:
    for _ in range(length):
        state.update(await node(state))
    return state


async def limit_chat(length: int) -> dict[str, Any]:
    messages: list[Any] = []
    state = {"messages": messages}
    for _ in range(length):
        messages.extend((await say(state))["messages"])
    return state


async def limit_loop(turns: int) -> dict[str, Any]:
    state = {"n": 0}
    again = until(turns)
    while True:
        state.update(await step(state))
        if again(state) != "step":
            return state


async def limit_fan(width: int) -> dict[str, Any]:
    state = {"n": 0, "total": 0}
    state.update(await step(state))
    for delta in await asyncio.gather(*(one(state) for _ in range(width))):
        state["total"] += delta["total"]
    state.update(await step(state))
    return state


async def limit_many(runs: int, length: int) -> list[Any]:
    return await asyncio.gather(*(limit_chain(nap, length, {"n": 0}) for _ in range(runs)))


async def many(engine: Any, runs: int) -> list[Any]:
    return await asyncio.gather(*(engine.run({"n": 0}) for _ in range(runs)))
