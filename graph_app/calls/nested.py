"""Running a graph inside a step: its events carry the path of the enclosing nodes, and it may wait for a person.

A nested graph that waits is kept among the run's services; when its visit runs again it goes on from there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graph_app.calls.errors import CallError
from graph_app.calls.services import CallServices, Child
from graph_app.engine import Frontier, GraphEngine, Suspended, WaitForAnswer
from graph_app.engine.running import Run
from graph_app.engine.streaming import RunScope, run_scope, visit_scope

MAX_DEPTH = 16
"""Graphs within graphs within graphs end here: a graph that contains itself is a fault."""


async def run_nested(
    services: CallServices, engine: GraphEngine, inputs: Mapping[str, Any], label: str | None = None
) -> dict[str, Any]:
    """Runs a graph inside the present visit.

    Args:
        services: The run's services.
        engine: The nested graph.
        inputs: Its inputs.
        label: Its name in paths; the present node's name unless given.

    Returns:
        Its final state.

    Raises:
        WaitForAnswer: If nothing in it can run until a person answers.
        CallError: If graphs are nested too deeply.
    """
    outer, visit = run_scope.get(), visit_scope.get()
    assert outer is not None, "a nested graph runs inside a run"
    assert visit is not None, "a nested graph runs inside a visit"
    path = (*outer.path, label or visit.node)
    if len(path) > MAX_DEPTH:
        raise CallError(f"{visit.node}: graphs are nested more than {MAX_DEPTH} deep. Does a graph contain itself?")
    scope = RunScope(outer.run_id, path, (*outer.within, visit.id), outer.emit, engine.schema_, outer)
    place = (*outer.within, visit.id, label)
    child = services.children.pop(place, None)
    if child is None:
        frontier, ready = Frontier(engine.plan).start(inputs)
    else:
        engine, frontier = child.engine, child.frontier
        ready = frontier.visits
    outcome = await Run(engine, frontier.copy(), scope).execute(ready)
    if isinstance(outcome, Suspended):
        services.children[place] = Child(engine, outcome.frontier)
        raise WaitForAnswer({"nested": [{"path": path, "place": place, "waiting": outcome.waiting}]})
    values = engine.schema_.present(outcome.values(), False)
    return dict(values) if isinstance(values, Mapping) else values.model_dump()
