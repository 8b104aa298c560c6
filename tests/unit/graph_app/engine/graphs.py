"""Random graphs for property tests."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

from hypothesis import settings
from hypothesis import strategies as st

from graph_app.engine import GraphBuilder

SOAK = os.environ.get("WORKBENCH_SOAK") == "1"


def examples(number: int) -> settings:
    """Return settings with so many examples, and a hundred times as many in a soak."""
    return settings(max_examples=number * 100 if SOAK else number, deadline=None)


class Log(TypedDict):
    log: Annotated[list, "append"]
    last: str
    total: Annotated[int, "add"]
    seen: Annotated[list, "union"]
    rounds: Annotated[int, "add"]


@dataclass
class Shape:
    """A graph as plain data: a node's successors come after it, so that it has no loop.

    ``routed`` nodes choose, by a constant router, the first so many of their successors.
    """

    modes: list[str]
    partial: list[bool]
    edges: list[tuple[int, int, str]]
    routed: dict[int, int]

    def builder(self) -> GraphBuilder:
        builder = GraphBuilder(state_schema=Log)
        for index, mode in enumerate(self.modes):
            builder.add_node(f"n{index}", node_of(f"n{index}"), mode, partial_join=self.partial[index])
        builder.set_entry_point("n0")
        for source in range(len(self.modes)):
            out = [edge for edge in self.edges if edge[0] == source]
            if source in self.routed and out:
                targets = list(dict.fromkeys(f"n{target}" for _, target, _ in out))
                chosen = targets[: max(1, self.routed[source])]
                builder.add_condition_edge(f"n{source}", constant(chosen), targets)
                continue
            for _, target, group in out:
                builder.add_edge(f"n{source}", f"n{target}", group)
        return builder


def constant(chosen: list[str]) -> Any:
    return lambda state: list(chosen)


def delta_of(name: str) -> dict[str, Any]:
    delta: dict[str, Any] = {"log": [name], "total": 1, "seen": [name[-1]]}
    if int(name[1:]) % 2:
        delta["last"] = name
    return delta


def node_of(name: str) -> Any:
    async def node(state: Any) -> dict[str, Any]:
        return delta_of(name)

    return node


@st.composite
def shapes(draw: Any, modes: tuple[str, ...] = ("any", "all"), routed: bool = True, partial: bool = True) -> Shape:
    size = draw(st.integers(2, 7))
    edges = []
    for target in range(1, size):
        sources = draw(st.lists(st.integers(0, target - 1), min_size=1, max_size=3, unique=True))
        edges += [(source, target, draw(st.sampled_from(["all", "all", "all", "b"]))) for source in sources]
    edges = draw(st.permutations(edges))
    routes = draw(st.dictionaries(st.integers(0, size - 1), st.integers(1, 3), max_size=2)) if routed else {}
    return Shape(
        [draw(st.sampled_from(modes)) for _ in range(size)],
        [partial and draw(st.booleans()) for _ in range(size)],
        edges,
        routes,
    )


def drive(frontier: Any, ready: Any, seed: int, delta: Any = None, most: int = 2_000) -> tuple[Any, list[Any]]:
    """Complete visits in a random order until nothing is left; return the frontier and what was completed."""
    chance = random.Random(seed)
    done = []
    waiting = list(ready)
    while waiting and len(done) < most:
        visit = waiting.pop(chance.randrange(len(waiting)))
        made = delta(visit) if delta is not None else delta_of(visit.node)
        frontier, more = frontier.complete(visit, made)
        done.append((visit.id, visit.node, made))
        waiting += more
    return frontier, done
