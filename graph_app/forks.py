"""Where a fork begins, and what it keeps of the run that it goes on from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from graph_app.calls import shared_engine
from graph_app.engine import GraphError
from graph_app.graphs import GRAPHS
from graph_app.models import Run, RunEvent
from graph_app.runs.fold import Standing, fold
from graph_app.runs.kept import kept_inside
from graph_app.runs.versions import ENTERED, nested_definitions
from toolkit_app.errors import InvalidError


def standing_before(engine: Any, inputs: Mapping[str, Any], events: list[dict[str, Any]], visit: str) -> Standing:
    """Returns how a run stands when it is taken back to before a visit.

    Raises:
        VisitError: If there is no such visit.
    """
    standing = fold(engine.plan, inputs, events)
    if all(one.number != visit for one in standing.ledger.open):
        standing.ledger.restore(visit)
        standing.keep_open()
    return standing


def unbegun(run: Run) -> dict[str, Any] | None:
    """Returns how a fork was to begin that was stopped, or failed, before it did; its journal tells that end alone."""
    fork: dict[str, Any] | None = run.options.get("fork")
    first = RunEvent.objects.filter(run_id=run.pk).order_by("seq").values_list("event", flat=True).first()
    begun = first is not None and json.loads(first)["type"] == "run.started"
    return None if begun else fork


def _counted(standing: Standing) -> list[tuple[str, str]]:
    """Returns the visits that count, finished and open, with their nodes."""
    ledger = standing.ledger
    finished = [(record.visit, str(ledger.node_of(record.visit))) for record in ledger.records]
    return [*finished, *((one.number, one.node) for one in ledger.open)]


def require_fit(graph: Any, parent: Run, events: list[dict[str, Any]], visit: str, known: Standing) -> None:
    """Refuses a version in which what a run did before a visit leads elsewhere.

    Raises:
        InvalidError: If it does.
    """
    try:
        fits = _counted(standing_before(shared_engine(graph.text), parent.inputs, events, visit)) == _counted(known)
    except (GraphError, LookupError):
        fits = False
    if not fits:
        raise InvalidError(
            f"Revision {graph.revision} is too different: what the run did before the visit {visit} doesn't lead to "
            "that visit in it. Start a new run, or fork before an earlier visit.",
            code="revision",
        )


def kept_of(
    parent: Run, versions: tuple[Any, Any], now: Mapping[str, Any], standing: Standing, events: list[dict[str, Any]]
) -> dict[str, int]:
    """Returns how many visits of each nested graph are kept when it is entered anew."""
    old, new = (GRAPHS.check(version.text).definition for version in versions)
    before = parent.options.get(ENTERED["graph"]) or {}
    return kept_inside((old, new), lambda name: nested_definitions(name, before, now), standing.recorded, events)
