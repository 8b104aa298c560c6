"""Reading runs: rows of lists, details, and what a journal says as a whole."""

from __future__ import annotations

import functools
import json
import operator
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db.models import F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from graph_app.models import ACTIVE, RESTING, Run, RunEvent
from graph_app.runs.breakpoints import listed
from graph_app.runs.versions import ENTERED, entered
from graph_app.short_inputs import short_inputs, with_short_inputs

LARGE = ("inputs", "shown_inputs", "options", "output")
"""Columns of runs that may hold megabytes; lists don't read them."""
_STRIP = 20
"""Runs shown in a tool's strip of last runs."""


def runs_matching(query: Any) -> QuerySet[Run]:
    """Returns runs, filtered.

    Args:
        query: A `RunQuery`.
    """
    runs = Run.objects.select_related("user").defer(*LARGE)
    if query.kind:
        runs = runs.filter(kind=query.kind)
    if query.name:
        runs = runs.filter(name=query.name)
    if query.status:
        runs = runs.filter(status__in=[part.strip() for part in query.status.split(",")])
    if query.user:
        runs = runs.filter(user__username=query.user)
    if query.from_:
        runs = runs.filter(created_at__gte=query.from_)
    if query.to:
        runs = runs.filter(created_at__lte=query.to)
    return with_short_inputs(runs) if query.inputs_short else runs


def run_row(run: Run) -> dict[str, Any]:
    """Returns a run as listed."""
    return {
        "id": str(run.pk),
        "kind": run.kind,
        "name": run.name,
        "revision": run.revision,
        "status": run.status,
        "mode": run.mode,
        "environment": run.environment or None,
        "user": run.user.get_username() if run.user else None,
        "parent": str(run.parent_id) if run.parent_id else None,
        "created_at": run.created_at,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        "duration_ms": duration_ms(run),
        "error": run.error,
        "inputs_short": short_inputs(run.inputs_text) if hasattr(run, "inputs_text") else None,
    }


def duration_ms(run: Run) -> int | None:
    """Returns how long a run that ended took, from its start, in milliseconds."""
    if run.finished_at is None:
        return None
    return round((run.finished_at - (run.started_at or run.created_at)).total_seconds() * 1000)


def run_detail(run: Run) -> dict[str, Any]:
    """Returns a run with its inputs, output and steps."""
    events = _telling(run) if run.kind == Run.Kind.GRAPH else journal(run)
    return {
        **run_row(run),
        "inputs": run.shown_inputs,
        "output": run_output(run),
        "warnings": [event["data"]["message"] for event in events if event["type"] == "warning"],
        "last_seq": run.last_seq,
        "steps": steps(events),
        "breakpoints": listed(run.options.get("breakpoints")) if run.mode == "debug" else [],
        "rested_ms": rested_ms(events),
        "entered": entered(run),
    }


def rested_ms(events: Iterable[dict[str, Any]]) -> int:
    """Returns how long a run was only rows, waiting for a person or paused, in milliseconds: until it was taken up."""
    rested = 0.0
    last: str | None = None
    resting = False
    for event in events:
        kind, at = event["type"], event.get("at")
        woken = kind == "run.resumed" or (kind == "run.cancelled" and resting)
        if woken and last and at:
            rested += (datetime.fromisoformat(at) - datetime.fromisoformat(last)).total_seconds()
        if not kind.startswith("debug."):  # somebody set a breakpoint, or went back: the run rested on
            last, resting = at, kind in ("run.paused", "node.waiting")
    return round(rested * 1000)


def _telling(run: Run) -> list[dict[str, Any]]:
    """Reads the events of a graph's run that tell its warnings and rests, and not the thousands between them.

    With each that took the run up again comes the one before it, which tells since when it had rested.
    """
    rows = RunEvent.objects.filter(run=run)
    kinds = ('"type":"warning"', '"type":"run.', '"type":"node.waiting"')
    may_tell = functools.reduce(operator.or_, (Q(event__contains=kind) for kind in kinds))
    read = _by_number(rows.filter(may_tell))  # a text may stand in an event's data, too
    found = {
        seq: event
        for seq, event in read.items()
        if event["type"] in ("warning", "node.waiting") or event["type"].startswith("run.")
    }
    woken = [seq for seq, event in found.items() if event["type"] in ("run.resumed", "run.cancelled")]
    wanted = {seq - 1 for seq in woken} - found.keys()
    while wanted:
        more = _by_number(rows.filter(seq__in=wanted))
        found |= more
        # What somebody did to a run that rested doesn't tell since when.
        wanted = {seq - 1 for seq, event in more.items() if event["type"].startswith("debug.")} - found.keys()
    return [found[seq] for seq in sorted(found)]


def _by_number(rows: QuerySet[RunEvent]) -> dict[int, dict[str, Any]]:
    return {seq: json.loads(text) for seq, text in rows.values_list("seq", "event").iterator(chunk_size=2000)}


def run_output(run: Run) -> Any:
    """Returns a run's output: a tool's text, a graph's final state."""
    if run.kind == Run.Kind.GRAPH and run.output is not None:
        return json.loads(run.output)
    return run.output


def journal(run: Run) -> list[dict[str, Any]]:
    """Reads a run's whole journal."""
    texts = RunEvent.objects.filter(run=run).order_by("seq").values_list("event", flat=True)
    return [json.loads(text) for text in texts.iterator(chunk_size=2000)]


def steps(events: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Folds a tool run's events into its step visits, in order; a restart begins anew.

    Returns:
        For each visit `step`, `cached`, `request`, `response`, `duration_ms`, `variables` (name to value) and `jump`.
    """
    visits: dict[Any, dict[str, Any]] = {}
    for event in events:
        data = event["data"]
        match event["type"]:
            case "run.resumed":
                visits.clear()
            case "step.started" if event["node"] is None:
                visits[data["visit"]] = {
                    "step": data["step"],
                    "cached": False,
                    "request": None,
                    "response": None,
                    "duration_ms": None,
                    "variables": {},
                    "jump": None,
                }
            case "step.response" if event["node"] is None:
                kept = {key: data[key] for key in ("cached", "request", "response", "duration_ms")}
                visits[data["visit"]].update(kept)
            case "step.variable" if event["node"] is None:
                visits[data["visit"]]["variables"][data["name"]] = data["value"]
            case "step.jump" if event["node"] is None:
                visits[data["visit"]]["jump"] = data["target"]
            case "step.finished" if event["node"] is None:
                visits[data["visit"]]["duration_ms"] = data["duration_ms"]
    return list(visits.values())


def open_runs(kind: str, name: str) -> int:
    """Returns how many runs that have not ended go by a version of a tool or graph, at their top or nested."""
    goes_by = Q(kind=kind, name=name) | Q(**{f"options__{ENTERED[kind]}__has_key": name})
    return Run.objects.filter(goes_by, status__in=ACTIVE | RESTING).count()


def recent_runs(kind: str, names: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """Returns the last 20 runs of each name, the newest first, with one query."""
    order = [F("created_at").desc(), F("id").desc()]
    numbered = (
        Run.objects.defer(*LARGE)
        .filter(kind=kind, name__in=names)
        .annotate(place=Window(RowNumber(), partition_by=F("name"), order_by=order))
    )
    found: dict[str, list[dict[str, Any]]] = {}
    for run in numbered.filter(place__lte=_STRIP).order_by("name", "place"):
        found.setdefault(run.name, []).append(
            {
                "id": str(run.pk),
                "status": run.status,
                "created_at": run.created_at,
                "duration_ms": duration_ms(run),
            }
        )
    return found
