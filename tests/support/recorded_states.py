"""Journals of random debugged runs, each with the states that the engine gave: what pages must reckon alike.

`python -m tests.support.recorded_states 300 7` prints the journals of 300 random graphs, made from the seed 7; a few of
them are the fixture of `frontend/src/features/runs/graph/state.test.ts`.
"""

from __future__ import annotations

import json
import random
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from graph_app.engine import GraphError, GraphWarning, VisitError, load_document
from graph_app.runs.ledger import Ledger, OpenVisit
from graph_app.runs.states import plain_delta
from graph_app.runs.telling import told_routes

STATE = [
    {"name": "n", "type": "float", "update": "add"},
    {"name": "rows", "type": "list", "update": "append"},
    {"name": "last", "type": "str", "update": "overwrite"},
    {"name": "m", "type": "dict", "update": "merge"},
    {"name": "u", "type": "list", "update": "union"},
    {"name": "hi", "type": "float", "update": "max"},
]
FILTERS = ['{"n": state.n * 2.0}', '{"rows": state.rows + ["f"], "n": state.n * 2.0}', '{"last": state.last + "!"}']
Document = dict[str, Any]


def document(pick: random.Random) -> Document:
    """Returns a random graph with forks, joins, loops, filters and conditions."""
    names = [f"s{index}" for index in range(pick.randint(3, 8))]
    edges: list[Document] = []
    for index, name in enumerate(names):
        later = names[index + 1 :]
        for target in pick.sample(later, min(len(later), pick.choice([0, 1, 1, 2, 2, 3]))):
            edge = {"source": name, "target": target}
            if pick.random() < 0.15:
                edge["filter"] = pick.choice(FILTERS)
            if pick.random() < 0.1:
                edge["group"] = "other"
            edges.append(edge)
        if index and pick.random() < 0.25:
            back = pick.choice(names[: index + 1])
            targets = [back, pick.choice([*later, "end"])]
            router = f'size(state.rows) < {pick.randint(2, 9)} ? "{targets[0]}" : "{targets[1]}"'
            edges.append({"source": name, "router": router, "possible_targets": list(dict.fromkeys(targets))})
    for index, name in enumerate(names[1:], start=1):
        if all(name not in (edge.get("target"), *edge.get("possible_targets", ())) for edge in edges):
            edges.append({"source": pick.choice(names[:index]), "target": name})
    pick.shuffle(edges)
    nodes: Document = {}
    for name in names:
        nodes[name] = {"call": "Convert"}
        if pick.random() < 0.45:
            nodes[name] |= {"action_mode": "all"} | ({"partial_join": True} if pick.random() < 0.5 else {})
    limit = {"max_turn": pick.randint(4, 14)} if pick.random() < 0.3 else {}
    return {"state": STATE, "entry": names[0], "nodes": nodes, "edges": edges, **limit}


def delta(pick: random.Random, name: str, at: int) -> dict[str, Any]:
    """Returns what a visit writes."""
    written = {
        "n": float(pick.randint(1, 5)),
        "rows": [f"{name}.{at}"],
        "last": f"{name}.{at}",
        "m": {pick.choice(["a", name]): float(at)},
        "u": [pick.choice(["x", name])],
        "hi": float(pick.randint(1, 9)),
    }
    return {key: value for key, value in written.items() if key == "rows" or pick.random() < 0.4}


class Recording:
    """One debugged run: visits finish in any order, values are changed, steps are taken back."""

    def __init__(self, graph: Document, pick: random.Random) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GraphWarning)  # a random node may be out of reach
            built = load_document({"name": "g", **graph}, lambda name, entry: lambda state: {}).build(isolate=False)
        self.pick = pick
        self.graph = graph
        self.ledger = Ledger(built.plan, {"n": 1})
        self.events: list[Document] = []
        self.states: dict[str, Any] = {}
        self.now: list[list[Any]] = []
        self.held: set[str] = set()
        self.emit("run.started", kind="graph", name="g", revision=1, inputs={"n": 1}, mode="debug")

    def emit(self, event: str, node: str | None = None, at: str | None = None, **data: Any) -> None:
        """Tells one event."""
        self.events.append({"type": event, "node": node, "visit": at, "path": [], "data": data})

    def look(self) -> None:
        """Keeps what the engine says of every open visit, and of the state now."""
        for one in self.ledger.open:
            self.states[one.number] = plain_delta(one.visit.values)
        kept = self.ledger.frontier.kept()
        if kept is not None and not self.ledger.frontier.finished:  # then it has an output, which pages show
            self.now.append([len(self.events), plain_delta(kept.values())])

    def pause(self) -> None:
        """Tells where the run is held."""
        self.emit("run.paused", reason="step", visits=[_named(one) for one in self.ledger.open])
        self.look()
        self.emit("run.resumed", reason="step_over")

    def step(self) -> None:
        """Finishes an open visit, or goes back, or changes a value."""
        pick, ledger = self.pick, self.ledger
        finished = [record.visit for record in ledger.records]
        chance = pick.random()
        if finished and chance < 0.08:
            back = pick.choice(finished)
            again = ledger.restore(back)
            lost = {"lost": ledger.lost} if ledger.lost else {}
            self.emit("debug.restored", visit=back, visits=[_named(one) for one in again], **lost)
        elif finished and chance < 0.16:
            visit = pick.choice(finished)
            try:
                changed = ledger.change(visit, "n", float(pick.randint(10, 20)))
            except VisitError:
                return  # something that follows from it is finished
            routes = {} if changed.routes is None else {"routes": told_routes(changed.routes)}
            self.emit("debug.changed", ledger.node_of(visit), visit, key="n", value=changed.value, **routes)
        else:
            self.finish(pick.choice(ledger.open))

    def finish(self, one: OpenVisit) -> None:
        """Finishes one visit."""
        ledger = self.ledger
        self.emit("node.started", one.node, one.number, **ledger.origin(one.number))
        written = delta(self.pick, one.node, int(one.number))
        routes = ledger.frontier.route(one.visit, written)
        ledger.finish(one.number, written, None, routes)
        self.emit("node.finished", one.node, one.number, delta=written, routes=told_routes(routes))
        for route in routes:
            self.emit("edge.taken", one.node, one.number, source=one.node, target=route.target, edge=route.edge)


def _named(visit: OpenVisit) -> dict[str, str]:
    return {"node": visit.node, "visit": visit.number}


def recordings(count: int, seed: int) -> Iterator[Document]:
    """Yields journals of random runs.

    Args:
        count: How many graphs are tried; those that can't be built or run yield none.
        seed: Of the random numbers.
    """
    pick = random.Random(seed)
    for _ in range(count):
        try:
            made = Recording(document(pick), pick)
            made.pause()
            for _ in range(pick.randint(4, 40)):
                if made.ledger.frontier.finished:
                    break
                made.step()
                made.pause()
        except (GraphError, VisitError):
            continue
        yield {"graph": made.graph, "events": made.events, "states": made.states, "now": made.now}


if __name__ == "__main__":
    json.dump(list(recordings(int(sys.argv[1]), int(sys.argv[2]))), sys.stdout)
