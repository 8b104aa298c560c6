"""Going back in a run whose joins fired since the visit had ended."""

from __future__ import annotations

from graph_app.engine import load_document
from graph_app.runs.ledger import Ledger
from tests.support.recorded_states import recordings

PARTIAL = {
    "name": "g",
    "entry": "a",
    "nodes": {
        "a": {"call": "x"},
        "b": {"call": "x"},
        "c": {"call": "x"},
        "d": {"call": "x"},
        "join": {"call": "x", "action_mode": "all", "partial_join": True},
    },
    "edges": [
        {"source": "a", "target": "b"},
        {"source": "a", "target": "c"},
        {"source": "b", "target": "join"},
        {"source": "c", "router": '"d"', "possible_targets": ["d", "join"]},
    ],
}


def finish(ledger: Ledger, node: str) -> None:
    one = next(one for one in ledger.open if one.node == node)
    ledger.finish(one.number, {}, None, ledger.frontier.route(one.visit))


def ledger() -> Ledger:
    return Ledger(load_document(PARTIAL, lambda *_: lambda state: {}).build(isolate=False).plan, {})


def test_a_join_that_fired_since_nothing_else_could_run_is_taken_back_with_what_kept_it() -> None:
    made = ledger()
    for node in ("a", "b", "c", "d", "join"):
        finish(made, node)
    assert made.frontier.finished
    visits = {str(made.node_of(record.visit)): record.visit for record in made.records}
    again = made.restore(visits["c"])
    assert [one.node for one in again] == ["c"]
    assert made.lost == [visits["join"]]
    assert [made.node_of(record.visit) for record in made.records] == ["a", "b"]
    for node in ("c", "d", "join"):
        finish(made, node)
    assert made.frontier.finished
    made.restore(made.records[-1].visit)
    assert made.lost == []


def test_random_runs_can_be_taken_back_to_any_visit() -> None:
    made = list(recordings(150, 7))
    assert len(made) > 100
    assert any("lost" in event["data"] for one in made for event in one["events"])


def test_edges_are_told_where_several_lead_from_one_visit() -> None:
    made = ledger()
    for node in ("a", "b", "c", "d"):
        finish(made, node)
    (join,) = made.open
    assert made.origin(join.number) == {"parents": ["2"], "edges": [["b", 0]]}
    assert made.origin("2") == {"parents": ["1"]}
