"""The next frontier while it is being made: following edges, joins, turns and the end."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from graph_app.engine.errors import RoutingError, StateError
from graph_app.engine.lineage import Lineage, merge
from graph_app.engine.plan import PlanNode
from graph_app.engine.routing import Route, ask_now, present
from graph_app.engine.visits import NOTHING_YET, Join, Rank, Visit, joined_rank, unrolled

if TYPE_CHECKING:
    from graph_app.engine.frontier import Frontier

_slot = operator.itemgetter(0)


class Work:
    """The next frontier while it is being made."""

    def __init__(self, base: Frontier) -> None:
        self.base = base
        self.plan = base.plan
        self.limit = base.plan.max_turn
        self.running = base.running.mutate()
        self.joins = base.joins
        self.turns = base.turns
        self.next_id = base.next_id
        self.reached = base._reached
        self.held = base._held
        self.ready: list[Visit] = []

    def number(self) -> int:
        """Return the next id."""
        self.next_id += 1
        return self.next_id - 1

    def spread(self, visit: Visit, lineage: Lineage, routes: list[Route] | None) -> None:
        """Follow the edges that leave a finished visit."""
        spec = visit.spec
        if spec.is_end:
            self.reached = (visit, self.reached)
            return
        if routes is None:
            if spec.filtering:
                routes = ask_now(self.plan, spec, lineage, self.base.inputs)
            else:
                self.fan(visit, lineage)
                return
        parents = (visit.id,)
        rank = visit.rank
        if len(routes) > 1:
            lineage.shared = True
        for index, (number, target, state) in enumerate(routes):
            try:
                edge = spec.out[number]
                via = edge.via[target]
            except (LookupError, TypeError) as error:
                raise RoutingError(f"no edge {number} of {spec.name!r} leads to {target!r}", node=spec.name) from error
            carried = lineage
            if state is not None:
                carried = Lineage(self.plan.schema, None, self.number(), spec.name, self.plan.schema.check(state))
                carried.before = lineage
            if len(routes) > 1:
                rank = (visit.rank, index, -1, visit.rank[3] + 1)
            self.arrive(self.plan.nodes[target], via, carried, parents, rank)

    def fan(self, visit: Visit, lineage: Lineage) -> None:
        """Follow edges of which every one is taken with the state as it is."""
        parents = (visit.id,)
        above = visit.rank
        if len(visit.spec.fan) == 1:
            ((node, via),) = visit.spec.fan
            self.arrive(node, via, lineage, parents, above)
            return
        lineage.shared = True
        depth = above[3] + 1
        limit = self.limit
        for index, (node, via) in enumerate(visit.spec.fan):
            rank = (above, index, -1, depth)
            if limit is not None or node.waits or node.is_end:
                self.arrive(node, via, lineage, parents, rank)
                continue
            number = self.next_id
            self.next_id = number + 1
            self.turns += 1
            self.running[number] = new = Visit(number, node, lineage, parents, rank, via)
            self.ready.append(new)

    def arrive(
        self,
        spec: PlanNode,
        via: tuple[str, tuple[int, ...]],
        lineage: Lineage,
        parents: tuple[int, ...],
        rank: Rank,
    ) -> None:
        """Bring a state over an edge."""
        if not spec.waits:
            number = self.next_id
            self.next_id = number + 1
            limit = self.limit
            if spec.is_end or (limit is not None and self.turns >= limit):
                self.launch(number, spec, via, lineage, parents, rank)
                return
            self.turns += 1
            self.running[number] = visit = Visit(number, spec, lineage, parents, rank, via)
            self.ready.append(visit)
            return
        group, (slot,) = via
        key = (spec.name, group)
        arrival = (slot, lineage, parents[0], rank)
        bit = 1 << spec.places[slot]
        mask, arrivals, early = self.joins.get(key, NOTHING_YET)
        if mask & bit:
            early = (*early, arrival)
        else:
            mask |= bit
            arrivals = (arrival, arrivals)
        if mask == spec.full[group]:
            self.fire(spec, group, (mask, arrivals, early))
        else:
            self.joins = self.joins.set(key, (mask, arrivals, early))

    def fire(self, spec: PlanNode, group: str, join: Join) -> None:
        """Start a join with what arrived, and let it wait afresh with what came too early for this round."""
        key = (spec.name, group)
        if key in self.joins:
            self.joins = self.joins.delete(key)
        arrivals = sorted(unrolled(join[1]), key=_slot)
        slots, lineages, sources, ranks = zip(*arrivals, strict=True)
        strategy = spec.strategies.get(group)
        merged = merge(lineages) if strategy is None else self._merge_by(strategy, spec, lineages)
        number = self.number()
        self.launch(number, spec, (group, slots), merged, tuple(dict.fromkeys(sources)), joined_rank(ranks, slots[0]))
        for slot, lineage, source, rank in join[2]:
            self.arrive(spec, (group, (slot,)), lineage, (source,), rank)

    def _merge_by(self, strategy: Callable[[list[Any]], Any], spec: PlanNode, lineages: Sequence[Lineage]) -> Lineage:
        who = f"the merge strategy of {spec.name!r}"
        try:
            answer = strategy([present(self.plan, lineage) for lineage in lineages])
            delta = self.plan.schema.whole(answer, who, isolate=self.plan.isolate)
        except StateError as error:
            error.node = spec.name
            raise
        except Exception as error:
            raise RoutingError(f"{who} failed: {type(error).__name__}: {error}", node=spec.name) from error
        merged = Lineage(self.plan.schema, None, self.number(), spec.name, delta)
        merged.before = merge(lineages)
        return merged

    def launch(
        self,
        number: int,
        spec: PlanNode,
        via: tuple[str, tuple[int, ...]],
        lineage: Lineage,
        parents: tuple[int, ...],
        rank: Rank,
    ) -> None:
        """Make a visit of an arrival, if a turn is left."""
        visit = Visit(number, spec, lineage, parents, rank, via)
        if self.limit is not None and self.turns >= self.limit:
            self.held = (visit, self.held)
            return
        self.turns += 1
        if spec.is_end and not self.plan.end_visits:
            self.reached = (visit, self.reached)
            return
        self.running[number] = visit
        self.ready.append(visit)

    def settle(self) -> None:
        """Start the partial joins when nothing else can run, those first that no other one leads to."""
        waiting = {name for name, _ in self.joins if self.plan.nodes[name].partial}
        if not waiting:
            return
        reach = {name: self.plan.reachable(name) for name in waiting}
        free = [name for name in waiting if not any(name in reach[other] for other in waiting if other != name)]
        if not free:
            free = [min(waiting, key=lambda name: self.plan.nodes[name].index)]
        for name in sorted(free, key=lambda name: self.plan.nodes[name].index):
            for group in self.plan.nodes[name].groups:
                join = self.joins.get((name, group))
                if join is not None:
                    self.fire(self.plan.nodes[name], group, join)

    def done(self) -> tuple[Frontier, tuple[Visit, ...]]:
        """Return the frontier, and the visits that may run now."""
        if not len(self.running) and self.joins and self.held is None:
            self.settle()
        after = self.base.copy()
        after._running = running = self.running.finish()
        after._only = next(iter(running.values())) if len(running) == 1 else None
        after.joins = self.joins
        after.turns = self.turns
        after.next_id = self.next_id
        after._reached = self.reached
        after._held = self.held
        return after, tuple(self.ready)
