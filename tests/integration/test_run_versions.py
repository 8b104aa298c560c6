"""By which versions runs, retries and forks go: those of their run, or, with a revision, those of a new run."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from graph_app.models import Run, SavedTest, Status
from graph_app.services import run_wait
from tests.integration.conftest import TOOL, Api
from tests.integration.test_graph_runs import command, events, make, start
from tests.integration.test_run_refusals import asked, quiet_end

__all__ = ["quiet_end"]

STATE = "- {name: seen, type: list, update: append}\n- {name: got, type: list, update: overwrite}\n"
INNER = f"""name: inner
state:
{STATE}entry: a
nodes:
  a: {{call: Convert, settings: {{values: {{seen: '["a"]'}}}}, outputs: {{seen: seen}}}}
  b: {{call: Convert, settings: {{values: {{seen: '[int("no number")]'}}}}, outputs: {{seen: seen}}}}
edges:
- {{source: a, target: b}}
"""
MENDED = INNER.replace("""[int("no number")]""", '["B"]')
BRIDGED = MENDED.replace("- {source: a, target: b}\n", "- {source: a, target: x}\n- {source: x, target: b}\n").replace(
    "  b:", """  x: {call: Convert, settings: {values: {seen: '["x"]'}}, outputs: {seen: seen}}\n  b:"""
)
GRAPH = "{call: Graph, settings: {graph: inner}, outputs: {got: seen}}"
EACH = "{call: ForEach, settings: {items: [1], graph: inner, inputs: {}}, outputs: {got: results}}"


def around(name: str, step: str) -> str:
    """A graph with a step before and after one that runs another graph."""
    return f"""name: {name}
state:
{STATE}entry: first
nodes:
  first: {{call: Convert, settings: {{values: {{seen: '["first"]'}}}}, outputs: {{seen: seen}}}}
  sub: {step}
  last: {{call: Convert, settings: {{values: {{seen: '["last"]'}}}}, outputs: {{seen: seen}}}}
edges:
- {{source: first, target: sub}}
- {{source: sub, target: last}}
"""


def save(author: Api, text: str, base: int = 1) -> int:
    name = text.splitlines()[0].removeprefix("name: ")
    saved = author("PUT", f"graphs/{name}/", {"definition": text, "base_revision": base})
    assert saved.status_code == 200, saved.content
    return int(saved.json()["revision"])


def failed(author: Api, name: str) -> tuple[str, str]:
    """Runs a graph that fails; returns the run and the outermost visit that did."""
    run = start(author, name)
    assert run_wait(run, at_most_s=20).status == Status.FAILED
    return run, [e["visit"] for e in events(author, run) if e["type"] == "node.failed" and not e["path"]][-1]


def forked(author: Api, run: str, **body: Any) -> Run:
    answer = author("POST", f"runs/{run}/fork/", body)
    assert answer.status_code == 202, answer.content
    return run_wait(answer.json()["run"], at_most_s=20)


def ran(author: Api, run: Any) -> Counter[str]:
    return Counter(e["node"] for e in events(author, str(run)) if e["type"] == "node.finished")


def got(author: Api, run: Run) -> str:
    return str(author("GET", f"runs/{run.pk}/").json()["output"]["got"])


class TestMendedSubgraphs:
    @pytest.fixture(params=[GRAPH, EACH], ids=["Graph", "ForEach"])
    def broken(self, request: pytest.FixtureRequest, author: Api) -> tuple[str, str]:
        make(author, INNER)
        return failed(author, make(author, around("outer", request.param)))

    def test_going_on_enters_the_mended_graph_and_keeps_what_came_before(
        self, broken: tuple[str, str], author: Api
    ) -> None:
        run, visit = broken
        save(author, MENDED)
        again = run_wait(author("POST", f"runs/{run}/retry/").json()["run"], at_most_s=20)
        assert again.status == Status.FAILED, "a retry repeats the recording"
        plain = forked(author, run, visit=visit)
        assert plain.status == Status.FAILED, "so does a fork that names no revision"
        for parent in (run, str(plain.pk)):
            on = forked(author, parent, visit=visit, revision=1)
            assert on.status == Status.FINISHED, on.error
            assert ran(author, on.pk) == {"b": 1, "sub": 1, "last": 1}
            assert all(f"'{step}'" in got(author, on) for step in "aB")
            shown = author("GET", f"runs/{on.pk}/").json()["entered"]
            assert shown == [{"kind": "graph", "name": "inner", "revision": 2}]
        assert author("GET", f"runs/{run}/").json()["entered"][0]["revision"] == 1

    def test_a_published_version_is_what_a_new_run_would_use(self, broken: tuple[str, str], author: Api) -> None:
        run, visit = broken
        author("POST", "graphs/inner/publish/", {"revision": 1})
        save(author, MENDED)
        assert forked(author, run, visit=visit, revision=1).status == Status.FAILED
        author("POST", "graphs/inner/publish/", {"revision": 2})
        assert forked(author, run, visit=visit, revision=1).status == Status.FINISHED

    def test_a_step_that_was_mended_runs_again_with_what_follows(self, broken: tuple[str, str], author: Api) -> None:
        run, visit = broken
        save(author, MENDED.replace('["a"]', '["A"]'))
        on = forked(author, run, visit=visit, revision=1)
        assert ran(author, on.pk) == {"a": 1, "b": 1, "sub": 1, "last": 1}
        assert "'A'" in got(author, on)
        assert "'a'" not in got(author, on)

    def test_a_step_put_in_between_runs_and_what_came_before_stays(self, broken: tuple[str, str], author: Api) -> None:
        run, visit = broken
        save(author, BRIDGED)
        on = forked(author, run, visit=visit, revision=1)
        assert ran(author, on.pk) == {"x": 1, "b": 1, "sub": 1, "last": 1}
        text = got(author, on)
        assert text.index("'a'") < text.index("'x'") < text.index("'B'")

    def test_another_enclosing_step_keeps_nothing_of_it(self, broken: tuple[str, str], author: Api) -> None:
        run, visit = broken
        make(author, MENDED.replace("name: inner", "name: other").replace('["a"]', '["other"]'))
        step = str(author("GET", "graphs/outer/").json()["definition"])
        revision = save(author, step.replace("graph: inner", "graph: other"))
        on = forked(author, run, visit=visit, revision=revision)
        assert on.status == Status.FINISHED, on.error
        assert "other" in got(author, on)
        assert ran(author, on.pk) == {"a": 1, "b": 1, "sub": 1, "last": 1}

    def test_a_deleted_graph_of_which_a_later_one_has_the_name_is_entered_from_its_beginning(
        self, broken: tuple[str, str], author: Api
    ) -> None:
        run, visit = broken
        assert author("DELETE", "graphs/inner/").status_code == 204
        assert forked(author, run, visit=visit, revision=1).status == Status.FAILED
        make(author, MENDED)
        on = forked(author, run, visit=visit, revision=1)
        assert ran(author, on.pk) == {"a": 1, "b": 1, "sub": 1, "last": 1}


def test_graphs_within_graphs_go_on_where_they_failed(author: Api) -> None:
    make(author, INNER)
    make(author, around("middle", GRAPH))
    outer = make(author, around("outer", GRAPH.replace("inner", "middle")))
    run, visit = failed(author, outer)
    told = [e["data"]["error"] for e in events(author, run) if e["type"] == "node.failed"]
    assert [(one.get("graph"), one["node"]) for one in told] == [("inner", "b"), ("middle", "sub"), (None, "sub")]
    save(author, MENDED)
    on = forked(author, run, visit=visit, revision=1)
    assert on.status == Status.FINISHED, on.error
    assert ran(author, on.pk) == {"b": 1, "sub": 2, "last": 2}, "neither first nor a ran again"
    save(author, around("middle", GRAPH).replace('["first"]', '["First"]'))
    on = forked(author, run, visit=visit, revision=1)
    assert ran(author, on.pk) == {"first": 1, "a": 1, "b": 1, "sub": 2, "last": 2}
    again = forked(author, str(on.pk), visit=visit, revision=1)
    assert again.status == Status.FINISHED


def test_a_run_that_went_on_with_mended_graphs_becomes_a_test(author: Api) -> None:
    make(author, INNER)
    run, visit = failed(author, make(author, around("outer", GRAPH)))
    save(author, BRIDGED.replace('["a"]', '["A"]'))
    on = forked(author, run, visit=visit, revision=1)
    made = author("POST", "graphs/outer/tests/", {"run": str(on.pk), "title": "went on"})
    assert made.status_code == 201, made.content
    recorded = json.loads(SavedTest.objects.get(pk=made.json()["id"]).recording["visits"])
    assert [one["node"] for one in recorded] == ["first", "sub", "a", "x", "b", "last"]
    assert author("POST", "graphs/outer/tests/run/", {}).json()["results"][0]["last_result"]["passed"] is True


def test_a_mended_question_is_asked_anew(author: Api) -> None:
    inner = """name: inner
entry: ask
nodes:
  ask: {call: Ask, settings: {question: 'Old?', kind: confirm}}
"""
    make(author, inner)
    run = start(author, make(author, around("outer", "{call: Graph, settings: {graph: inner}}")))
    assert run_wait(run, at_most_s=20).status == Status.WAITING
    save(author, inner.replace("Old?", "New?"))
    on = forked(author, run, visit=asked(author, run).split("/")[0], revision=1)
    assert on.status == Status.WAITING
    told = [e for e in events(author, str(on.pk)) if e["type"] == "node.waiting"]
    assert [one["data"]["question"]["question"] for one in told] == ["New?"]
    assert command(author, str(on.pk), "answer", visit=told[0]["visit"], value=True).status_code == 200
    assert run_wait(on.pk, at_most_s=20).status == Status.FINISHED


USES = """name: uses
state:
- {name: one, type: str, update: overwrite}
- {name: two, type: str, update: overwrite}
entry: before
nodes:
  before: {call: Tool, settings: {tool: orders}, outputs: {one: text}}
  ask: {call: Ask, settings: {question: 'Go on?', kind: confirm}}
  after: {call: Tool, settings: {tool: orders}, outputs: {two: text}}
edges:
- {source: before, target: ask}
- {source: ask, target: after}
"""


def test_a_waiting_run_goes_on_with_the_tools_that_it_used(author: Api) -> None:
    def says(what: str) -> str:
        return f"name: orders\ndesc: x\nsteps:\n- {{url: 'http://sandbox/orders/1042', result: {what}}}\n"

    def said(run: Any) -> tuple[str, str]:
        output = author("GET", f"runs/{run}/").json()["output"]
        return output["one"], output["two"]

    author("POST", "tools/", {"yaml": says("old")})
    run = start(author, make(author, USES))
    assert run_wait(run, at_most_s=20).status == Status.WAITING, Run.objects.get(pk=run).error
    assert author("PUT", "tools/orders/", {"yaml": says("new"), "base_revision": 1}).status_code == 200
    assert author("DELETE", "tools/orders/").json()["code"] == "runs"
    assert command(author, run, "answer", visit=asked(author, run), value=True).status_code == 200
    assert run_wait(run, at_most_s=20).status == Status.FINISHED
    assert said(run) == ("old", "old")
    again = {e["node"]: e["visit"] for e in events(author, run) if e["type"] == "node.finished"}["after"]
    assert said(forked(author, run, visit=again).pk) == ("old", "new")
    assert said(forked(author, run, visit=again, revision=1).pk) == ("old", "new")
    assert author("DELETE", "tools/orders/").status_code == 204


def test_a_retry_calls_the_tool_that_was_mended(author: Api) -> None:
    def finds(path: str) -> str:
        var = f"{{name: total, extract: {path}, abort: true}}"
        return f"name: orders\ndesc: x\nsteps:\n- {{url: 'http://sandbox/orders/1042', var: [{var}]}}\n"

    author("POST", "tools/", {"yaml": finds("no.such.value")})
    text = "name: once\nentry: a\nnodes: {a: {call: Tool, settings: {tool: orders}}}\nedges: []\n"
    run = start(author, make(author, text))
    assert run_wait(run, at_most_s=20).status == Status.FAILED
    assert author("PUT", "tools/orders/", {"yaml": finds("data"), "base_revision": 1}).status_code == 200
    retried = author("POST", f"runs/{run}/retry/")
    assert retried.status_code == 202, retried.content
    assert run_wait(retried.json()["run"], at_most_s=20).status == Status.FINISHED


@pytest.fixture
def operator(api: dict[str, Api]) -> Api:
    return api["operator"]


class TestUnpublishedRevisions:
    """Operators run what is published; whoever may edit runs any revision."""

    def refused(self, operator: Api, address: str, **body: Any) -> None:
        answer = operator("POST", address, body)
        assert answer.status_code == 403, answer.content
        assert answer.json()["code"] == "not_published"
        assert "Only authors and admins run revisions that are not published" in answer.json()["detail"]

    def test_of_graphs_are_for_those_who_may_edit(self, author: Api, operator: Api, admin: Api) -> None:
        make(author, MENDED)
        save(author, MENDED.replace('["B"]', '["C"]'))
        self.refused(operator, "graphs/inner/run/", revision=1)
        author("POST", "graphs/inner/publish/", {"revision": 1})
        self.refused(operator, "graphs/inner/run/", revision=2)
        assert operator("POST", "graphs/inner/run/", {"revision": 9}).status_code == 404
        for api, body in (
            (operator, {}),
            (operator, {"revision": 1}),
            (author, {"revision": 2}),
            (admin, {"revision": 2}),
        ):
            run = api("POST", "graphs/inner/run/", body)
            assert run.status_code == 202, run.content
            assert run_wait(run.json()["run"], at_most_s=20).status == Status.FINISHED

    def test_are_not_gone_on_with_either(self, author: Api, operator: Api) -> None:
        make(author, INNER)
        run, visit = failed(author, "inner")
        self.refused(operator, f"runs/{run}/fork/", visit=visit, revision=1)
        assert forked(operator, run, visit=visit).status == Status.FAILED, "the recording may be repeated"
        author("POST", "graphs/inner/publish/", {"revision": save(author, MENDED)})
        assert forked(operator, run, visit=visit, revision=2).status == Status.FINISHED

    def test_of_tools_too(self, author: Api, operator: Api) -> None:
        author("POST", "tools/", {"yaml": TOOL.format(name="orders")})
        self.refused(operator, "tools/orders/run/", revision=1)
        author("POST", "tools/orders/publish/", {"revision": 1})
        assert operator("POST", "tools/orders/run/", {"revision": 1}).status_code == 202
