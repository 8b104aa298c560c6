"""What a fork with a mended graph keeps of nested graphs: the steps before which nothing was mended.

A nested graph that had not ended goes on in the version that a new run would use. What its steps did is kept up to the
first step that is another one in that version; where only the edges after a step differ, they are asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from graph_app.calls.services import NestedRecord

Definition = Mapping[str, Any]
Pair = tuple[Definition, Definition]
"""A graph's definition in the version of the recording, and in the one that goes on."""


def kept_inside(
    graph: Pair,
    nested: Callable[[str], Pair | None],
    recorded: Mapping[str, list[NestedRecord]],
    events: Iterable[Mapping[str, Any]],
) -> dict[str, int]:
    """Returns how many finished visits of each nested graph are kept, the first ones.

    Args:
        graph: The outermost graph.
        nested: Finds a nested graph by name; `None` where one of both versions is gone.
        recorded: Finished visits of nested graphs whose enclosing visit is open, by that visit's name.
        events: The recording.
    """
    nodes = {str(event["visit"]): str(event["node"]) for event in events if event["visit"] is not None}
    keeper = _Keeper(graph, nested, recorded, nodes)
    counts = {place: keeper.count(place)[0] for place in recorded}
    return {place: count for place, count in counts.items() if count}


@dataclass(slots=True)
class _Keeper:
    graph: Pair
    nested: Callable[[str], Pair | None]
    recorded: Mapping[str, list[NestedRecord]]
    nodes: Mapping[str, str]

    def count(self, place: str) -> tuple[int, bool]:
        """Returns how many of the visits of the graph at a place are kept, and whether the next ones are the same."""
        pair = self._at(place)
        if pair is None or pair[0].get("entry") != pair[1].get("entry"):
            return 0, False
        found = self.recorded.get(place, [])
        for index, record in enumerate(found):
            node = self.nodes.get(f"{place}/{record.visit}", "")
            if _differ(pair, _step, node) or any(_differ(pair, _variable, channel) for channel in record.delta):
                return index, False
            followers = {target for edge in _leaving(pair[0], node) for target in _targets(edge)}
            if _differ(pair, _leaving, node) or any(_differ(pair, _waiting, target) for target in followers):
                return index + 1, False  # what it did stays; what follows from it is another visit
        return len(found), True

    def _at(self, place: str) -> Pair | None:
        """Returns the graph that runs at a place; `None` where the visit around it isn't the same any more."""
        visit = place[: place.rindex("[")] if place.endswith("]") else place
        around, _, _ = visit.rpartition("/")
        pair = self.graph
        if around:
            outer = self._at(around)
            if outer is None or not self.count(around)[1]:
                return None
            pair = outer
        node = self.nodes.get(visit, "")
        if _differ(pair, _step, node):
            return None
        return self.nested(str((_step(pair[0], node).get("settings") or {}).get("graph")))


def _differ(pair: Pair, look: Callable[[Definition, str], Any], name: str) -> bool:
    return bool(look(pair[0], name) != look(pair[1], name))


def _step(definition: Definition, node: str) -> Definition:
    found = (definition.get("nodes") or {}).get(node) or {}
    return {key: value for key, value in found.items() if key != "label"}


def _leaving(definition: Definition, node: str) -> list[Definition]:
    return [_meant(edge) for edge in definition.get("edges") or () if edge["source"] == node]


def _waiting(definition: Definition, node: str) -> tuple[Any, ...]:
    step = _step(definition, node)
    entering = [_meant(edge) for edge in definition.get("edges") or () if node in _targets(edge)]
    return step.get("action_mode", "any"), step.get("partial_join"), entering


def _variable(definition: Definition, name: str) -> list[Any]:
    return [
        (variable.get("type", "str"), variable.get("update", "overwrite"))
        for variable in definition.get("state") or ()
        if variable["name"] == name
    ]


def _targets(edge: Definition) -> list[str]:
    return [edge["target"]] if "target" in edge else list(edge.get("possible_targets") or ())


def _meant(edge: Definition) -> Definition:
    """Returns an edge without what is written for readers only."""
    return {key: value for key, value in edge.items() if key not in ("description", "label")}
