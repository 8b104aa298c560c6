"""The frontier as a value: random graphs and random orders of completion."""

from __future__ import annotations

import copy
import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graph_app.engine import Frontier, GraphBuilder, GraphRunError, JoinWaitingError, Route, VisitError
from tests.unit.graph_app.engine.graphs import Log, Shape, delta_of, drive, examples, node_of, shapes

seeds = st.integers(0, 1_000_000)


def outcome(frontier: Frontier) -> Any:
    try:
        return copy.deepcopy(frontier.result())
    except JoinWaitingError as error:
        return sorted(error.joins.items())


def ambiguous(shape: Shape, done: list[Any]) -> bool:
    """Tell whether two arrivals over one edge into a join raced for the same round."""
    visits = Counter(node for _, node, _ in done)
    return any(shape.modes[target] == "all" and visits[f"n{source}"] > 1 for source, target, _ in shape.edges)


@given(shapes(), seeds, seeds)
@examples(150)
def test_the_order_of_completion_does_not_change_the_result(shape: Shape, one: int, two: int) -> None:
    plan = shape.builder().build().plan
    first, done = drive(*Frontier(plan).start({}), one)
    assume(not ambiguous(shape, done))
    second, again = drive(*Frontier(plan).start({}), two)
    assert Counter(node for _, node, _ in done) == Counter(node for _, node, _ in again)
    assert outcome(first) == outcome(second)


@given(shapes(), seeds)
@examples(150)
def test_no_delta_is_lost_or_counted_twice(shape: Shape, seed: int) -> None:
    plan = shape.builder().build().plan
    frontier, done = drive(*Frontier(plan).start({}), seed, lambda visit: {"log": [visit.id], "total": 1})
    try:
        state = frontier.result()
    except JoinWaitingError:
        kept = frontier.kept()
        assert kept is not None
        state = kept.values()
    assert sorted(state["log"]) == sorted(number for number, _, _ in done)
    assert state["total"] == len(done)


@given(shapes(modes=("all",), routed=False), seeds)
@examples(100)
def test_a_join_fires_once_a_round(shape: Shape, seed: int) -> None:
    one_group = Shape(shape.modes, shape.partial, [(a, b, "all") for a, b, _ in shape.edges], {})
    frontier, done = drive(*Frontier(one_group.builder().build().plan).start({}), seed)
    assert sorted(node for _, node, _ in done) == [f"n{index}" for index in range(len(shape.modes))]
    assert outcome(frontier)["total"] == len(done)


@given(shapes(), seeds, st.integers(1, 12))
@examples(100)
def test_max_turn_is_kept(shape: Shape, seed: int, limit: int) -> None:
    plan = shape.builder().build(max_turn=limit).plan
    frontier, done = drive(*Frontier(plan).start({}), seed)
    assert len(done) + 1 <= frontier.turns <= limit
    if frontier.limited:
        assert frontier.turns == limit
        assert set(frontier.result()["log"]) <= {node for _, node, _ in done}


@given(shapes(), seeds, seeds)
@examples(100)
def test_replaying_a_journal_gives_the_same_visits(shape: Shape, seed: int, cut: int) -> None:
    plan = shape.builder().build().plan
    frontier, ready = Frontier(plan).start({"total": 1})
    held = [(frontier, ready)]
    journal = []
    waiting = list(ready)
    while waiting:
        visit = waiting.pop(seed % len(waiting))
        routes = [list(route) for route in frontier.route(visit, delta_of(visit.node))]
        frontier, more = frontier.complete(visit, delta_of(visit.node))
        journal.append(json.loads(json.dumps([visit.id, delta_of(visit.node), routes, [v.id for v in more]])))
        held.append((frontier, more))
        waiting += more
    expected = outcome(frontier)
    # From the start, and from any frontier held on to: the later ones have run on from it meanwhile.
    for start in (0, cut % len(held)):
        again = Frontier(plan).start({"total": 1})[0] if start == 0 else held[start][0]
        for number, delta, routes, more in journal[start:]:
            again, ready = again.complete(number, delta, routes=routes)
            assert [visit.id for visit in ready] == more
        assert outcome(again) == expected


@given(st.integers(1, 6), st.integers(2, 4), seeds)
@examples(40)
def test_a_fork_and_join_in_a_loop(rounds: int, width: int, seed: int) -> None:
    builder = GraphBuilder(state_schema=Log)
    builder.add_node("n0", node_of("n0"))
    builder.add_node("n9", node_of("n9"), "all")
    for index in range(1, width + 1):
        builder.add_node(f"n{index}", node_of(f"n{index}"))
        builder.add_edge("n0", f"n{index}")
        builder.add_edge(f"n{index}", "n9")
    builder.add_condition_edge("n9", lambda state: "n0" if state["rounds"] < rounds else "end", ["n0", "end"])
    builder.set_entry_point("n0")
    frontier, _ = drive(
        *Frontier(builder.build().plan).start({}), seed, lambda v: delta_of(v.node) | {"rounds": int(v.node == "n9")}
    )
    one = ["n0", *(f"n{index}" for index in range(1, width + 1)), "n9"]
    assert frontier.result()["log"] == one * rounds


def simple(*, filtered: bool = False) -> Frontier:
    builder = GraphBuilder(state_schema=Log)
    for name in ("n0", "n1"):
        builder.add_node(name, node_of(name))
    builder.add_edge("n0", "n1", state_filter=(lambda state: {"log": ["f"]}) if filtered else None)
    builder.set_entry_point("n0")
    return builder.build().frontier()


def test_a_visit_can_be_finished_once() -> None:
    frontier, (visit,) = simple().start({})
    after, _ = frontier.complete(visit, {})
    with pytest.raises(VisitError, match="is over"):
        after.complete(visit, {})
    with pytest.raises(VisitError, match="does not exist"):
        after.complete(99, {})
    with pytest.raises(VisitError, match="started already"):
        after.start({})
    assert frontier.complete(visit.id, {"log": ["x"]})[0].visits[0].values["log"] == ["x"]


def test_there_is_no_result_before_the_end() -> None:
    frontier, _ = simple().start({})
    with pytest.raises(GraphRunError, match="not over"):
        frontier.result()
    assert not frontier.finished


def test_routes_from_a_journal_are_taken_as_they_are() -> None:
    frontier, (visit,) = simple(filtered=True).start({})
    assert frontier.route(visit, {"log": ["x"]}) == [Route(0, "n1", {"log": ["f"]})]
    _, (following,) = frontier.complete(visit, {"log": ["x"]}, routes=[[0, "n1", {"log": ["journal"]}]])
    assert following.values["log"] == ["journal"]
    with pytest.raises(GraphRunError, match="no edge 7"):
        frontier.complete(visit, {}, routes=[[7, "n1"]])


def test_outputs_are_seen_by_the_visits_own_ancestry_also_past_a_filter() -> None:
    frontier, (visit,) = simple(filtered=True).start({})
    _, (following,) = frontier.complete(visit, {"log": ["x"]}, {"text": "hello"})
    assert following.steps == {"n0": {"text": "hello"}}
    assert following.step_order == ["n0"]


def test_values_and_outputs_after_a_join() -> None:
    builder = GraphBuilder(state_schema=Log)
    for name in ("n0", "n1", "n2"):
        builder.add_node(name, node_of(name))
    builder.add_node("n3", node_of("n3"), "all")
    for source, target in (("n0", "n1"), ("n0", "n2"), ("n1", "n3"), ("n2", "n3")):
        builder.add_edge(source, target)
    builder.set_entry_point("n0")
    frontier, (visit,) = builder.build().frontier().start({})
    frontier, (one, two) = frontier.complete(visit, {}, "zero")
    frontier, _ = frontier.complete(two, {}, "two")
    frontier, (join,) = frontier.complete(one, {}, "one")
    assert join.steps == {"n0": "zero", "n1": "one", "n2": "two"}
    assert join.parents == (one.id, two.id)


def test_going_back_is_holding_on_to_an_earlier_value() -> None:
    frontier, (visit,) = simple().start({"log": ["i"]})
    states = []
    for text in ("a", "b"):
        after, (following,) = frontier.complete(visit, {"log": [text]})
        states.append(list(following.values["log"]))
        last, _ = after.complete(following, {"log": ["z"]})
        states.append(last.result()["log"])
    assert states == [["i", "a"], ["i", "a", "z"], ["i", "b"], ["i", "b", "z"]]
    assert visit.values["log"] == ["i"]


def test_routes_from_a_journal_give_the_same_order_as_asking() -> None:
    # Two groups of one join, and a branch beside them, all come to the end: their order is that of edges and branches.
    shape = Shape(
        ["any", "any", "all", "any", "all", "any", "any"],
        [False] * 7,
        [
            (0, 1, "all"), (0, 2, "all"), (1, 2, "all"), (0, 3, "all"), (2, 4, "b"), (0, 4, "all"), (1, 4, "all"),
            (0, 5, "all"), (1, 5, "all"), (0, 6, "all"), (1, 6, "all"),
        ],
        {},
    )  # fmt: skip
    plan = shape.builder().build().plan
    results = []
    for told in (True, False):
        for turn in (0, -1):
            frontier, ready = Frontier(plan).start({})
            waiting = list(ready)
            while waiting:
                visit = waiting.pop(turn)
                routes = frontier.route(visit, delta_of(visit.node)) if told else None
                frontier, more = frontier.complete(visit, delta_of(visit.node), routes=routes)
                waiting += more
            results.append(frontier.result())
    assert results == [results[0]] * 4
