"""The ledger: a run's visits and what came of them, as the journal tells it, over the scheduler's frontier.

Visits have numbers of their own here, given once and never again, also after going back: the journal names visits by
them. Everything is a fold over records, so that recovery, forks and going back are one piece of code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from graph_app.engine import Frontier, Route, Visit, VisitError
from graph_app.engine.lineage import Lineage
from graph_app.engine.plan import Plan
from graph_app.engine.types import START

_Shape = tuple[str, tuple[str, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Record:
    """What came of a visit.

    Attributes:
        visit: Its number.
        delta: What it wrote.
        output: What it put out beside that.
        routes: The edges that were taken after it.
    """

    visit: str
    delta: Mapping[str, Any]
    output: Any
    routes: tuple[Route, ...]


@dataclass(frozen=True, slots=True)
class OpenVisit:
    """A visit that may run, is running or waits."""

    number: str
    visit: Visit

    @property
    def node(self) -> str:
        """The node's name."""
        return self.visit.node


class Changed(NamedTuple):
    """What a change made.

    Args:
        value: The value as the state holds it.
        routes: The edges after the visit, if filters made the state of some: they were asked again.
    """

    value: Any
    routes: tuple[Route, ...] | None


class Ledger:
    """The visits of one run."""

    def __init__(self, plan: Plan, inputs: Mapping[str, Any]) -> None:
        """Starts the run.

        Args:
            plan: The graph.
            inputs: The run's inputs.

        Raises:
            StateError: If an input is unknown or doesn't fit.
        """
        self._plan = plan
        self._inputs = inputs
        self._next = 1
        self.records: list[Record] = []
        self.lost: list[str] = []
        """What going back took back last without following from the visit: joins that fired only since it had ended."""
        self._shapes: dict[str, _Shape] = {}
        self._begin()
        self._adopt(self.frontier.visits)

    @property
    def inputs(self) -> Mapping[str, Any]:
        """The run's inputs, as the state holds them."""
        return self.frontier.inputs

    @property
    def open(self) -> list[OpenVisit]:
        """The visits that are not finished, oldest first."""
        return [OpenVisit(self._numbers[visit.id], visit) for visit in self.frontier.visits]

    def number(self, visit_id: int) -> str:
        """Returns the number of one of the frontier's visits."""
        return self._numbers.get(visit_id, str(visit_id))

    def find(self, number: str) -> Visit:
        """Returns an open visit.

        Raises:
            VisitError: If it is finished, taken back or was never there.
        """
        for visit in self.frontier.visits:
            if self._numbers[visit.id] == number:
                return visit
        raise VisitError(f"The visit {number} is not open{self._what_it_is(number)}.")

    def node_of(self, number: str) -> str | None:
        """Returns the node of a visit, finished or not."""
        return self._shapes[number][0] if number in self._shapes else None

    def parents(self, number: str) -> list[str]:
        """Returns the visits from which a visit follows, in the order of the edges."""
        return list(self._shapes[number][1]) if number in self._shapes else []

    def origin(self, number: str) -> dict[str, Any]:
        """Returns from which visits a visit follows, and over which edges where several lead there from one of them.

        An edge is named by its source and its place among the edges that leave it.
        """
        told: dict[str, Any] = {"parents": self.parents(number)}
        if number in self._shapes:
            node, _, slots = self._shapes[number]
            spec = self._plan.nodes[node]
            if spec.waits or len(set(spec.sources.values())) < len(spec.sources):
                edges = [(spec.sources[slot], self._place(spec.sources[slot], slot)) for slot in slots]
                told["edges"] = [list(edge) for edge in edges if edge[0] != START]
        return told

    def _place(self, source: str, slot: int) -> int:
        leaving = self._plan.nodes[source].out
        return next(index for index, edge in enumerate(leaving) if slot in edge.slots.values())

    def finish(
        self, number: str, delta: Any, output: Any, routes: Iterable[Route], after: Lineage | None = None
    ) -> list[OpenVisit]:
        """Finishes a visit.

        Args:
            number: Which one.
            delta: What it wrote.
            output: What it put out beside that.
            routes: The edges that are taken.
            after: The state after it, where the delta is checked and somebody asked for that state already: made twice
                it would be put together from the beginning of the run.

        Returns:
            The visits that may run now.

        Raises:
            VisitError: If it is not open.
            StateError: If the delta doesn't fit.
        """
        record = Record(number, delta, output, tuple(routes))
        visit = self.find(number)
        if after is None:
            ready = self._apply(record, visit)
        else:
            self.frontier, ready = self.frontier.advance(visit.id, delta, output, list(record.routes), after)
        self.records.append(record)
        return self._adopt(ready)

    def restore(self, number: str | None = None) -> list[OpenVisit]:
        """Goes back to before a visit: it and everything that followed from it is taken back, other branches stay.

        Args:
            number: A finished visit; the last one unless given.

        Returns:
            The visits that are about to run again, with new numbers.

        Raises:
            VisitError: If there is nothing to go back to, or no such finished visit.
        """
        self.lost = []
        if number is None:
            if not self.records:
                raise VisitError("Nothing has run yet: there is nothing to go back to.")
            number = self.records[-1].visit
        if not any(record.visit == number for record in self.records):
            raise VisitError(f"The visit {number} is not finished{self._what_it_is(number)}.")
        gone = self._descent(number)
        before = {visit.number for visit in self.open}
        counted = before.union(record.visit for record in self.records)
        self._rebuild([record for record in self.records if record.visit not in gone], frozenset(gone))
        still = {visit.number for visit in self.open}.union(record.visit for record in self.records)
        self.lost = sorted(counted - still - gone, key=int)
        return [visit for visit in self.open if visit.number not in before]

    def change(self, number: str, key: str, value: Any, routes: tuple[Route, ...] | None = None) -> Changed:
        """Changes what a finished visit wrote to a channel.

        Args:
            number: The visit; nothing that follows from it may be finished.
            key: The channel.
            value: The new value.
            routes: What filters made of the changed state, where that is known already; else they are asked.

        Raises:
            VisitError: If the visit is not finished, or something that follows from it is.
            StateError: If the value doesn't fit.
            RoutingError: If a filter fails on the changed state.
        """
        index = next((i for i, record in enumerate(self.records) if record.visit == number), None)
        if index is None:
            raise VisitError(f"The visit {number} is not finished{self._what_it_is(number)}.")
        followers = self._descent(number) - {number}
        finished = [record.visit for record in self.records if record.visit in followers]
        if finished:
            raise VisitError(f"The visit {finished[0]} followed from it already: go back to before that one first.")
        record = self.records[index]
        checked = self._plan.schema.check({key: value}, self._shapes[number][0])
        changed = replace(record, delta={**record.delta, **checked})
        filtered = any(route.state is not None for route in record.routes)
        if filtered:
            changed = replace(changed, routes=routes or self._asked_again(changed, self.records[:index]))
        self._rebuild([*self.records[:index], changed, *self.records[index + 1 :]])
        return Changed(checked[key], changed.routes if filtered else None)

    def kept(self) -> Callable[[], None]:
        """Keeps how the ledger stands; returns what puts it back."""
        frontier, following = self.frontier, self._next
        records, shapes, numbers = list(self.records), dict(self._shapes), dict(self._numbers)

        def put_back() -> None:
            self.frontier, self._next = frontier, following
            self.records, self._shapes, self._numbers = records, shapes, numbers

        return put_back

    def _asked_again(self, record: Record, before: list[Record]) -> tuple[Route, ...]:
        """Returns the edges after a visit, with what filters make of its changed state; the edges stay the same."""
        numbered, frontier = self._numbers, self.frontier
        try:
            ids = self._replay(before, [one.visit for one in self.records] + [one.number for one in self.open])
            fresh = self.frontier.route(ids[record.visit], record.delta, record.output)
        finally:
            self._numbers, self.frontier = numbered, frontier
        same = [route[:2] for route in fresh] == [route[:2] for route in record.routes]
        return tuple(fresh) if same else record.routes

    def _what_it_is(self, number: str) -> str:
        if any(record.visit == number for record in self.records):
            return ": it is finished"
        if any(visit.number == number for visit in self.open):
            return ": it has not run yet"
        return ": it was taken back" if number in self._shapes else ": there is no such visit"

    def _begin(self) -> None:
        self.frontier, _ = Frontier(self._plan).start(self._inputs)
        self._numbers: dict[int, str] = {}

    def _shape(self, visit: Visit) -> _Shape:
        """Returns what tells a visit apart: its node, the visits from which it follows, the edges over which."""
        parents = tuple(self._numbers[parent] for parent in visit.parents if parent in self._numbers)
        return visit.node, parents, visit.slots

    def _adopt(self, visits: Iterable[Visit]) -> list[OpenVisit]:
        """Gives numbers to new visits."""
        adopted = []
        for visit in visits:
            number = str(self._next)
            self._next += 1
            self._shapes[number] = self._shape(visit)
            self._numbers[visit.id] = number
            adopted.append(OpenVisit(number, visit))
        return adopted

    def _apply(self, record: Record, visit: int | Visit) -> tuple[Visit, ...]:
        self.frontier, ready = self.frontier.complete(visit, record.delta, record.output, routes=record.routes)
        return ready

    def _descent(self, number: str) -> set[str]:
        """Returns a visit and everything that followed from it."""
        found = {number}
        for child, (_, parents, _) in self._shapes.items():  # in the order of numbers: parents come first
            if found.intersection(parents):
                found.add(child)
        return found

    def _rebuild(self, records: list[Record], gone: frozenset[str] = frozenset()) -> None:
        """Replays records. Visits that are the same execution as before keep their numbers; others get new ones."""
        open_still = [visit.number for visit in self.open if visit.number not in gone]
        ids = self._replay(records, [record.visit for record in records] + open_still)
        self.records = [record for record in records if record.visit in ids]

    def _replay(self, records: list[Record], kept: list[str]) -> dict[str, int]:
        """Makes the frontier after some records; returns the frontier's ids of visits by number.

        A record whose visit can't begin without what was taken back, such as that of a join, is left out.

        Args:
            records: In the order in which they came.
            kept: Numbers that visits keep which are the same execution as before.
        """
        known: dict[_Shape, list[str]] = {}
        for number in kept:
            known.setdefault(self._shapes[number], []).append(number)
        ids: dict[str, int] = {}

        def settle(visits: Iterable[Visit]) -> None:
            for visit in visits:
                same = known.get(self._shape(visit))
                if same:
                    number = same.pop(0)
                    self._numbers[visit.id] = number
                else:
                    (adopted,) = self._adopt([visit])
                    number = adopted.number
                ids[number] = visit.id

        self._begin()
        settle(self.frontier.visits)
        for record in records:
            if record.visit in ids:
                settle(self._apply(record, ids[record.visit]))
        return ids
