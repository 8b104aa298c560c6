"""Folding a journal: where a graph's run stands, from its events alone. Recovery, commands and forks begin here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from graph_app.calls.places import outermost
from graph_app.calls.services import NestedRecord
from graph_app.engine import Route
from graph_app.engine.plan import Plan
from graph_app.runs.ledger import Ledger
from graph_app.runs.outcome import Question, Reason


@dataclass(slots=True)
class Standing:
    """Where a run stands.

    Attributes:
        ledger: Its visits.
        waiting: Visits that wait for a person.
        held: Visits at which it is paused.
        started: Visits that were told to have started.
        recorded: Finished nested visits of visits that are still open.
        begun: Whether anything was told yet.
        stepping: Whether what follows is held: somebody stepped, and the step may still wait for an answer.
        run_to: The node before which the run is to be held.
    """

    ledger: Ledger
    waiting: dict[str, Question] = field(default_factory=dict)
    held: dict[str, Reason] = field(default_factory=dict)
    started: set[str] = field(default_factory=set)
    recorded: dict[str, list[NestedRecord]] = field(default_factory=dict)
    begun: bool = False
    stepping: bool = False
    run_to: str | None = None

    def keep_open(self) -> None:
        """Drops what belongs to visits that are finished or were taken back."""
        still = {visit.number for visit in self.ledger.open}
        self.waiting = {name: one for name, one in self.waiting.items() if outermost(name) in still}
        self.recorded = {place: found for place, found in self.recorded.items() if outermost(place) in still}

    def enter_anew(self, kept: Mapping[str, int]) -> None:
        """Enters nested graphs in other versions: only the first visits of each are kept, and none asks any more.

        Args:
            kept: How many, by the enclosing visit.
        """
        self.recorded = {place: self.recorded.get(place, [])[:count] for place, count in kept.items()}
        for found in self.recorded.values():
            found[-1:] = [replace(one, routes=None) for one in found[-1:]]  # the edges after it may be others
        self.ask_again()

    def ask_again(self) -> None:
        """Forgets what nested graphs ask: a fork enters them again, and tells their questions itself."""
        self.waiting = {name: one for name, one in self.waiting.items() if "/" not in name}


def fold(plan: Plan, inputs: Mapping[str, Any], events: Iterable[Mapping[str, Any]]) -> Standing:
    """Returns where a run stands after its events.

    Args:
        plan: The graph.
        inputs: The run's inputs.
        events: The journal, whole values put back.
    """
    standing = Standing(Ledger(plan, inputs))
    reason: Reason | None = None
    debug = False
    held: dict[str, Reason] = {}
    told: set[str] = set()
    for event in events:
        standing.begun = True
        data, visit = event["data"], event["visit"]
        match event["type"]:
            case "run.started":
                debug = data.get("mode") == "debug"
                held.clear()
                if "parent" in data:
                    standing.ask_again()
                if "kept" in data:
                    standing.enter_anew(data["kept"])
            case "node.started":
                standing.started.add(visit)
                held.pop(visit, None)
                asked = standing.waiting.get(visit)
                if asked is not None and asked.interrupted:  # somebody let it run again; a fork only tells it once more
                    del standing.waiting[visit]
            case "node.failed":
                standing.started.discard(visit)
                if debug and not event["path"]:
                    held[visit] = "exception"
            case "node.waiting":
                question = {**data["question"], "path": event["path"]} if event["path"] else data["question"]
                standing.waiting[visit] = Question(visit, event["node"], question)
            case "node.finished":
                standing.waiting.pop(visit, None)
                routes = _routes(data)
                if event["path"]:
                    # None are told where nothing has a say. Older journals tell none: who has one is asked again.
                    known = routes if "routes" in data else None
                    place, _, number = visit.rpartition("/")
                    record = NestedRecord(int(number), data["delta"], data.get("output"), known)
                    found = standing.recorded.setdefault(place, [])
                    if visit in told:  # in older journals a nested graph that failed may have begun anew
                        same = (i for i, one in enumerate(found) if one.visit == record.visit)
                        del found[next(same, len(found)) :]
                    told.add(visit)
                    found.append(record)
                else:
                    standing.ledger.finish(visit, data["delta"], data.get("output"), routes)
                    held.update(dict.fromkeys(data.get("held", ()), "breakpoint"))
            case "debug.restored":
                # A fork may begin at a visit that was still open: there is nothing to take back then.
                if all(one.number != data["visit"] for one in standing.ledger.open):
                    standing.ledger.restore(data["visit"])
            case "debug.changed" if visit is not None:
                known = _routes(data) if "routes" in data else None
                standing.ledger.change(visit, data["key"], data["value"], known)
            case "run.paused":
                reason = data["reason"]
                for one in data.get("visits", ()):
                    held.setdefault(one["visit"], reason)
                standing.run_to = None
            case "run.resumed":
                reason = None
                if data.get("reason") in ("resume", "step_over", "run_to"):  # an answer goes on as it was
                    held.clear()
                    standing.stepping = data["reason"] == "step_over"
                    standing.run_to = data.get("node")
    standing.keep_open()
    asked = {outermost(name) for name in standing.waiting}
    still = [visit.number for visit in standing.ledger.open if visit.number not in asked]
    if reason is not None:
        standing.held = {number: held.get(number, reason) for number in still}
    else:  # cut off while others ran: what was held then stays held
        standing.held = {number: held[number] for number in still if number in held}
    return standing


def _routes(data: Mapping[str, Any]) -> tuple[Route, ...]:
    return tuple(Route(*route) for route in data.get("routes", ()))
