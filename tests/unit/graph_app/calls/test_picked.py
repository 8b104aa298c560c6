"""Steps that need a tool or a graph say so before they run."""

from __future__ import annotations

import pytest

from graph_app.calls import CallServices, build_engine
from graph_app.engine.errors import GraphDefinitionError


@pytest.mark.parametrize(("call", "setting"), [("Tool", "tool"), ("Graph", "graph")])
@pytest.mark.parametrize("value", ["", "  "])
def test_nothing_picked_is_a_problem_of_the_document(call: str, setting: str, value: str) -> None:
    node = {"call": call, "settings": {setting: value}}
    with pytest.raises(GraphDefinitionError) as raised:
        build_engine({"name": "a", "entry": "x", "nodes": {"x": node}, "edges": []}, CallServices())
    (problem,) = raised.value.problems
    assert problem.message.endswith("Nothing is picked yet.")
    assert setting in str(problem)


def test_a_setting_that_every_step_has_by_itself_is_a_problem_in_plain_words() -> None:
    node = {"call": "Delay", "settings": {"seconds": 1, "name": "x"}}
    with pytest.raises(GraphDefinitionError) as raised:
        build_engine({"name": "a", "entry": "x", "nodes": {"x": node}, "edges": []}, CallServices())
    (problem,) = raised.value.problems
    assert problem.message == "Delay has no setting 'name'; it has enable_filling, seconds, to_user"
