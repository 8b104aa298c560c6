"""The scheduler: a pure value, without I/O, threads or clock.

A frontier is where a run stands. ``start`` and ``complete`` return a new one and the visits that may run now; the old
one stays as it was, so that going back is holding on to it. The same starts and completions give the same visits with
the same ids: a frontier is made again from a journal by repeating them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graph_app.engine.errors import GraphRunError, JoinWaitingError, VisitError
from graph_app.engine.frontier_work import Work
from graph_app.engine.lineage import Lineage, merge
from graph_app.engine.plan import Plan, PlanNode
from graph_app.engine.routing import Route, ask_now
from graph_app.engine.types import DEFAULT_EDGE_GROUP, END, START
from graph_app.engine.visits import (
    NO_JOINS,
    NO_VISITS,
    ROOT_RANK,
    Parked,
    Visit,
    by_edge,
    compare,
    unrolled,
)


class Frontier:
    """Where a run stands.

    Args:
        plan: The graph.

    Attributes:
        joins: What waits at joins, by node and edge group.
        turns: Node calls so far, ``start`` and ``end`` included.
        next_id: The id of the next visit.
        inputs: The run's inputs, checked.
    """

    __slots__ = ("_held", "_only", "_reached", "_running", "inputs", "joins", "next_id", "plan", "turns")

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._running: Any = NO_VISITS
        self._only: Visit | None = None
        self.joins = NO_JOINS
        self.turns = 0
        self.next_id = 0
        self.inputs: dict[str, Any] = {}
        self._reached: Any = None
        self._held: Any = None

    def start(self, inputs: Mapping[str, Any] | None = None) -> tuple[Frontier, tuple[Visit, ...]]:
        """Start the run.

        Args:
            inputs: Channels and their first values.

        Raises:
            StateError: An input is unknown or does not fit.
            VisitError: The run was started already.
        """
        if self.next_id:
            raise VisitError("the run was started already")
        plan = self.plan
        checked = plan.schema.check(inputs, None, isolate=plan.isolate)
        spec = plan.nodes[START]
        lineage = Lineage(plan.schema, None, 0, START, checked)
        visit = Visit(0, spec, lineage, (), ROOT_RANK, (DEFAULT_EDGE_GROUP, ()))
        begun = Frontier(plan)
        begun.inputs = checked
        begun.next_id = 1
        begun.turns = 1
        node = spec.next
        if node is not None and not node.waits:
            begun._only = visit
            if begun.hop(visit, lineage, node, spec.next_via) is not None:
                return begun, begun.visits
            begun._only = None
        work = Work(begun)
        work.spread(visit, lineage, None)
        return work.done()

    def complete(
        self,
        visit: int | Visit,
        delta: Any = None,
        output: Any = None,
        *,
        routes: Iterable[Route | Sequence[Any]] | None = None,
    ) -> tuple[Frontier, tuple[Visit, ...]]:
        """Finish a visit.

        Args:
            visit: The visit, or its id.
            delta: What the node returned: a mapping, a model, or nothing.
            output: What it put out beside its delta, for later steps to read.
            routes: The edges taken, where they are known already (from a journal); routers are asked unless given.

        Returns:
            The new frontier, and the visits that may run now.

        Raises:
            VisitError: The visit is not open.
            StateError: The delta does not fit.
            RoutingError: A router or filter failed, or answered nonsense.
        """
        open_visit = self.visit(visit)
        checked = self.plan.schema.check(delta, open_visit.node)
        known = None if routes is None else [Route(*route) for route in routes]
        return self.advance(open_visit.id, checked, output, known)

    def visit(self, visit: int | Visit) -> Visit:
        """Return an open visit.

        Raises:
            VisitError: It is not open.
        """
        number = visit if isinstance(visit, int) else visit.id
        found: Visit | None = self.running.get(number)
        if found is None:
            known = "is over" if 0 <= number < self.next_id else "does not exist"
            raise VisitError(f"visit {number} {known}", visit=number)
        return found

    def advance(
        self,
        visit_id: int,
        delta: dict[str, Any],
        output: Any = None,
        routes: list[Route] | None = None,
        after: Lineage | None = None,
    ) -> tuple[Frontier, tuple[Visit, ...]]:
        """Finish a visit with a delta that is checked already; see ``complete``.

        Args:
            visit_id: The visit.
            delta: The checked delta.
            output: What it put out beside the delta.
            routes: The edges taken, if they are known.
            after: The state after the visit, if it was made already (to ask routers about it).
        """
        visit = self._only
        if visit is None or visit.id != visit_id:
            visit = self.visit(visit_id)
        plan = self.plan
        lineage = visit.lineage
        if after is not None:
            lineage = after
        elif delta or output is not None:
            lineage = Lineage(plan.schema, lineage, visit_id, visit.spec.name, delta, output)
        spec = visit.spec
        node = spec.next
        if node is not None:
            made = self.copy()
            new = made.hop(visit, lineage, node, spec.next_via)
            if new is not None:
                return made, (new,)
            if made.park(visit, lineage, node, spec.next_via):
                return made, ()
        work = Work(self)
        work.running.pop(visit_id)
        work.spread(visit, lineage, routes)
        return work.done()

    def hop(self, visit: Visit, lineage: Lineage, node: PlanNode, via: tuple[str, tuple[int, ...]]) -> Visit | None:
        """Finish the only open visit, after which one node runs at once, in place.

        The short way of an engine that alone holds this frontier and keeps no earlier one. ``None``, and nothing done,
        if there is more to it.
        """
        if self._only is not visit or node.waits:
            return None
        plan = self.plan
        if (plan.max_turn is not None and self.turns >= plan.max_turn) or (node.is_end and not plan.end_visits):
            return None
        number = self.next_id
        self._only = new = Visit(number, node, lineage, (visit.id,), visit.rank, via)
        self._running = None
        self.next_id = number + 1
        self.turns += 1
        return new

    def park(self, visit: Visit, lineage: Lineage, node: PlanNode, via: tuple[str, tuple[int, ...]]) -> bool:
        """Finish a visit that only adds to what waits at a join, in place, as ``hop`` does.

        False, and nothing done, if there is more to it.
        """
        if self._only is not None or not node.waits:
            return False
        group, (slot,) = via
        key = (node.name, group)
        join = self.joins.get(key)
        bit = 1 << node.places[slot]
        arrivals: Any = None
        early: tuple[Parked, ...] = ()
        if join is not None:
            mask, arrivals, early = join
            if mask & bit:
                return False
            bit |= mask
        if bit == node.full[group]:
            return False
        self.joins = self.joins.set(key, (bit, ((slot, lineage, visit.id, visit.rank), arrivals), early))
        self._running = running = self._running.delete(visit.id)
        if len(running) == 1:
            self._only = next(iter(running.values()))
        return True

    def copy(self) -> Frontier:
        """Return a frontier of its own that stands where this one does."""
        made = Frontier.__new__(Frontier)
        made.plan = self.plan
        made.joins = self.joins
        made.turns = self.turns
        made.next_id = self.next_id
        made.inputs = self.inputs
        made._reached = self._reached
        made._held = self._held
        made._running = self._running
        made._only = self._only
        return made

    def route(self, visit: int | Visit, delta: Any = None, output: Any = None) -> list[Route]:
        """Return the edges that would be taken if the visit finished so."""
        open_visit = self.visit(visit)
        checked = self.plan.schema.check(delta, open_visit.node)
        lineage = self.after(open_visit, checked, output)
        return ask_now(self.plan, open_visit.spec, lineage, self.inputs)

    def after(self, visit: Visit, delta: dict[str, Any], output: Any) -> Lineage:
        """Return the state after a visit that finished with this checked delta and output."""
        if not delta and output is None:
            return visit.lineage
        return Lineage(self.plan.schema, visit.lineage, visit.id, visit.node, delta, output)

    @property
    def running(self) -> Any:
        """The visits that may run or are running, by id: a mapping that never changes."""
        running = self._running
        if running is None:
            assert self._only is not None
            self._running = running = NO_VISITS.set(self._only.id, self._only)
        return running

    @property
    def visits(self) -> tuple[Visit, ...]:
        """The open visits, oldest first."""
        if self._only is not None:
            return (self._only,)
        return tuple(sorted(self.running.values(), key=lambda visit: visit.id))

    @property
    def finished(self) -> bool:
        """Whether nothing is left to run."""
        return self.next_id > 0 and self._only is None and not self.running

    @property
    def limited(self) -> bool:
        """Whether ``max_turn`` kept something from running."""
        return self._held is not None

    def waiting_joins(self) -> dict[str, list[str]]:
        """Return the joins that wait, each with the sources that it still waits for."""
        missing: dict[str, list[str]] = {}
        for (name, group), join in sorted(self.joins.items()):
            node = self.plan.nodes[name]
            slots = node.groups[group]
            sources = [node.sources[slot] for index, slot in enumerate(slots) if not join[0] >> index & 1]
            missing.setdefault(name, []).extend(source for source in sources if source not in missing.get(name, ()))
        return missing

    def outcome(self) -> Lineage:
        """Return the final state: what reached the end, merged in the order of edges.

        Raises:
            JoinWaitingError: A join still waits.
            GraphRunError: Something is left to run, or nothing reached the end.
        """
        if self.running or not self.next_id:
            raise GraphRunError("the run is not over")
        if self.joins and self._held is None:
            raise self._stuck()
        arrivals = unrolled(self._reached) or unrolled(self._held)
        if not arrivals:
            raise GraphRunError("the run is over, and nothing reached the end")
        return merge([arrival.lineage for arrival in by_edge(arrivals)])

    def _stuck(self) -> JoinWaitingError:
        joins = self.waiting_joins()
        said = "; ".join(f"{name!r} still waits for {', '.join(map(repr, sources))}" for name, sources in joins.items())
        return JoinWaitingError(
            f"nothing can run any more, and {said}. With partial_join=True (in a document, `partial_join: true`) a "
            "join starts with what arrived",
            node=next(iter(joins)),
            joins=joins,
        )

    def result(self) -> Any:
        """Return the final state as programs get it; see ``outcome``."""
        return self.plan.schema.present(self.outcome().values(), False)

    def kept(self) -> Lineage | None:
        """Return everything that was written so far in any branch, merged in the order of edges and branches."""
        at_joins = [arrival for join in self.joins.values() for arrival in (*unrolled(join[1]), *join[2])]
        parked = [
            Visit(source, self.plan.nodes[END], state, (), rank, ("", (slot,)))
            for slot, state, source, rank in at_joins
        ]
        arrivals = by_edge([*unrolled(self._reached), *unrolled(self._held), *parked])
        states = [arrival.lineage for arrival in arrivals]
        states += [visit.lineage for visit in sorted(self.running.values(), key=functools.cmp_to_key(_by_rank))]
        return merge(states) if states else None


def _by_rank(one: Visit, two: Visit) -> int:
    return compare(one.rank, two.rank) or one.id - two.id
