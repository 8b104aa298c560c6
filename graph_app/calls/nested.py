"""Running a graph inside a step: its events carry the path of the enclosing nodes, and it may wait for a person.

A nested graph that waits, failed or was stopped is kept among the run's services; when its visit runs again it goes on
from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from graph_app.calls.errors import CallError
from graph_app.calls.places import visit_name
from graph_app.calls.services import CallServices, Child
from graph_app.engine import Frontier, GraphEngine, Suspended, WaitForAnswer
from graph_app.engine.running import Run, Waiting
from graph_app.engine.streaming import RunScope, run_scope, visit_scope


@dataclass(frozen=True, slots=True)
class NestedQuestion:
    """A question of a nested graph: the visit's name, its node, the path, and what is asked."""

    visit: str
    node: str
    path: tuple[str, ...]
    question: Any


@dataclass(frozen=True, slots=True)
class NestedQuestions:
    """The questions of the nested graphs of one visit."""

    questions: list[NestedQuestion]


MAX_DEPTH = 16
"""Graphs within graphs within graphs end here: a graph that contains itself is a fault."""


async def run_nested(
    services: CallServices, engine: GraphEngine, inputs: Mapping[str, Any], label: str | None = None, graph: str = ""
) -> dict[str, Any]:
    """Runs a graph inside the present visit.

    Args:
        services: The run's services.
        engine: The nested graph.
        inputs: Its inputs.
        label: Its name in paths; the present node's name unless given.
        graph: The graph's own name.

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
    scope = RunScope(outer.run_id, path, (*outer.within, visit.id), outer.emit, engine.plan.schema, outer)
    place = visit_name(services.top_visit, outer.path, outer.within, visit.id)
    if label is not None and "[" in label:
        place += label[label.index("[") :]
    child = services.children.pop(place, None)
    if child is None:
        frontier, _ = Frontier(engine.plan).start(inputs)
        for record in services.recorded.pop(place, ()):  # what was done before a restart is not done again
            frontier, _ = frontier.complete(record.visit, record.delta, record.output, routes=record.routes)
    else:
        engine, frontier = child.engine, child.frontier
    services.inside[place] = graph
    run = services.under_way[place] = Run(engine, frontier.copy(), scope)
    try:
        outcome = await run.execute(frontier.visits)
    except BaseException:  # whoever lets the visit run again goes on from there
        services.children[place] = Child(engine, run.frontier)
        raise
    finally:
        services.inside.pop(place, None)
        services.under_way.pop(place, None)
    if isinstance(outcome, Suspended):
        services.children[place] = Child(engine, outcome.frontier)
        waiting = [
            NestedQuestion(f"{place}/{one.visit}", one.node, path, one.question) for one in _flat(outcome.waiting)
        ]
        raise WaitForAnswer(NestedQuestions(waiting + _deeper(outcome.waiting)))
    values = engine.plan.schema.present(outcome.values(), False)
    return dict(values) if isinstance(values, Mapping) else values.model_dump()


def _flat(waiting: Iterable[Waiting]) -> list[Waiting]:
    """Returns the visits that ask themselves, not those whose nested graphs do."""
    return [one for one in waiting if not isinstance(one.question, NestedQuestions)]


def _deeper(waiting: Iterable[Waiting]) -> list[NestedQuestion]:
    """Returns the questions of the graphs nested in these visits."""
    return [
        question for one in waiting if isinstance(one.question, NestedQuestions) for question in one.question.questions
    ]
