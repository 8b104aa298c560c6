"""What an operator forks or tries again runs no version that an operator could not start, but for those recorded."""

from __future__ import annotations

from typing import Any

import pytest

from graph_app.models import Run, Status
from graph_app.selectors import run_output
from graph_app.services import run_wait
from tests.integration.conftest import Api
from tests.integration.test_graph_runs import command, events, make, start
from tests.integration.test_run_refusals import quiet_end
from tests.integration.test_run_versions import save

__all__ = ["quiet_end"]

TOOL = """name: teller
desc: Says its version
steps:
  - url: http://sandbox/echo
    result: "{0}"
"""
GRAPH = """name: asking
state:
- {name: said, type: str, update: overwrite}
entry: ask
nodes:
  ask: {call: Ask, settings: {question: "Go on?", kind: confirm}}
  tell: {call: Tool, settings: {tool: teller}, outputs: {said: text}}
  stop: {call: Convert, settings: {values: {n: 'int("no number")'}}}
edges:
- {source: ask, target: tell}
- {source: tell, target: stop}
"""


@pytest.fixture
def operator(api: dict[str, Api]) -> Api:
    return api["operator"]


@pytest.fixture
def drafts(author: Api) -> str:
    """A graph and its tool, neither of them published."""
    assert author("POST", "tools/", {"yaml": TOOL.format("first")}).status_code == 201
    return make(author, GRAPH)


def asked(api: Api, run: str) -> str:
    """Waits for the question; returns its visit."""
    waiting = run_wait(run, at_most_s=20)
    assert waiting.status == Status.WAITING, waiting.error
    return str(next(e["visit"] for e in events(api, run) if e["type"] == "node.waiting"))


def answered(api: Api, run: str, visit: str | None = None) -> Run:
    visit = visit or asked(api, run)
    assert run_wait(run, at_most_s=20).status == Status.WAITING
    assert command(api, run, "answer", visit=visit, value=True).status_code == 200
    return run_wait(run, at_most_s=20)


def again(api: Api, path: str, body: Any = None) -> str:
    answer = api("POST", f"runs/{path}/", body)
    assert answer.status_code == 202, answer.content
    return str(answer.json()["run"])


def said(run: Run) -> tuple[str, list[int]]:
    """What the tool said in a run, and by which versions of tools it went."""
    return run_output(run)["said"], [kept["revision"] for kept in run.options["tools"].values()]


def change_tool(author: Api) -> None:
    changed = author("PUT", "tools/teller/", {"yaml": TOOL.format("second"), "base_revision": 1})
    assert changed.status_code == 200, changed.content


def from_tell(author: Api, operator: Api, run: str) -> Run:
    """What comes of an operator's fork from before the step that calls the tool."""
    visit = next(e["visit"] for e in events(author, run) if e["node"] == "tell")
    return run_wait(again(operator, f"{run}/fork", {"visit": visit}), at_most_s=20)


def test_an_unpublished_tool_is_called_as_it_was_recorded(drafts: str, author: Api, operator: Api) -> None:
    run = start(author, drafts)
    assert answered(author, run).error["node"] == "stop"
    change_tool(author)
    fork = from_tell(author, operator, run)
    assert said(fork) == ("first", [1])
    mine = run_wait(again(author, f"{run}/fork", {"visit": fork.options["fork"]["visit"]}), at_most_s=20)
    assert said(mine) == ("second", [2]), "an author's goes as a new run of theirs would"
    assert said(from_tell(author, operator, str(mine.pk))) == ("second", [2]), "it is what that run used"


def test_a_published_tool_is_called_as_it_is_published(drafts: str, author: Api, operator: Api) -> None:
    run = start(author, drafts)
    answered(author, run)
    change_tool(author)
    assert author("POST", "tools/teller/publish/", {"revision": 2}).status_code == 200
    assert said(from_tell(author, operator, run)) == ("second", [2])


def test_an_unpublished_tool_that_was_not_recorded_is_not_called(drafts: str, author: Api, operator: Api) -> None:
    run = start(author, drafts)
    visit = asked(author, run)
    assert command(author, run, "cancel").status_code == 200
    run_wait(run, at_most_s=20)
    tried = answered(operator, again(operator, f"{run}/retry"), visit)
    assert (tried.status, tried.error["node"]) == (Status.FAILED, "tell")
    assert "teller has not been published yet. Ask its author to publish it." in tried.error["message"]
    assert answered(author, again(author, f"{run}/retry"), visit).error["node"] == "stop"


def test_a_run_of_what_is_published_goes_as_a_new_one(drafts: str, author: Api, operator: Api) -> None:
    assert author("POST", f"graphs/{drafts}/publish/", {"revision": 1}).status_code == 200
    run = start(operator, drafts)
    answered(operator, run)
    change_tool(author)
    assert said(from_tell(author, operator, run)) == ("second", [2])


def test_another_revision_must_be_published(drafts: str, author: Api, operator: Api) -> None:
    run = start(author, drafts)
    answered(author, run)
    revision = save(author, GRAPH.replace("Go on?", "Shall it?"))
    visit = next(e["visit"] for e in events(author, run) if e["node"] == "tell")
    for wanted in (1, revision):
        refused = operator("POST", f"runs/{run}/fork/", {"visit": visit, "revision": wanted})
        assert (refused.status_code, refused.json()["code"]) == (403, "not_published")
    assert author("POST", f"graphs/{drafts}/publish/", {"revision": revision}).status_code == 200
    assert operator("POST", f"runs/{run}/fork/", {"visit": visit, "revision": revision}).status_code == 202


def test_a_run_of_a_tool_is_tried_again_as_it_was(author: Api, operator: Api) -> None:
    bad = TOOL.format("first").replace("/echo", "/orders/none")
    assert author(
        "POST", "tools/", {"yaml": bad.replace("result:", "var: [{name: x, extract: y, abort: true}]\n    result:")}
    )
    run = author("POST", "tools/teller/run/", {"params": {}}).json()["run"]
    assert run_wait(run, at_most_s=20).status == Status.FAILED
    change_tool(author)
    assert operator("POST", "tools/teller/run/", {"params": {}, "revision": 2}).json()["code"] == "not_published"
    tried = run_wait(again(operator, f"{run}/retry"), at_most_s=20)
    assert (tried.status, tried.revision) == (Status.FAILED, 1)
