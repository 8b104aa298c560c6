"""Runs saved as tests: replayed without network, over REST and the command line; publishing asks for them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command

from graph_app import demo as graph_demo
from graph_app.models import Run, RunEvent, SavedTest
from graph_app.services import run_wait
from tests.integration.conftest import TOOL, Api
from toolkit_app import demo as tool_demo
from toolkit_app.engine import Door
from workbench.models import AuditRecord

SECRET = "s3cret-of-the-test"


@pytest.fixture
def demo(transactional_db: None) -> None:
    tool_demo.load_demo()
    graph_demo.load_demo()


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From the call on nothing gets out of this process: a request that is sent fails the test."""

    def cut() -> None:
        async def dial(*_: Any) -> Any:
            pytest.fail("a request went out")

        monkeypatch.setattr(Door, "_dial", dial)

    return cut


def finish(api: Api, address: str, body: dict[str, Any], answers: dict[str, Any] | None = None) -> str:
    """Runs something to its end, answering its questions by node; returns the run."""
    run = str(api("POST", f"{address}/run/", body).json()["run"])
    for _ in range(20):
        if run_wait(run, at_most_s=30).status != "waiting":
            return run
        asked = [
            e for e in api("GET", f"runs/{run}/events/?limit=1000").json()["events"] if e["type"] == "node.waiting"
        ]
        value = (answers or {})[asked[-1]["node"]]
        api("POST", f"runs/{run}/command/", {"command": "answer", "visit": asked[-1]["visit"], "value": value})
    raise AssertionError("the run asks and asks")


def save(api: Api, address: str, run: str, title: str = "As it was") -> dict[str, Any]:
    made = api("POST", f"{address}/tests/", {"run": run, "title": title})
    assert made.status_code == 201, made.content
    found: dict[str, Any] = made.json()
    return found


def again(api: Api, address: str, **body: Any) -> dict[str, Any]:
    """Runs the only test; returns its last result."""
    answer = api("POST", f"{address}/tests/run/", body)
    assert answer.status_code == 200, answer.content
    (row,) = answer.json()["results"]
    result: dict[str, Any] = row["last_result"]
    return result


def edit(api: Api, address: str, change: Callable[[str], str]) -> int:
    """Saves a changed text; returns its revision."""
    known = api("GET", f"{address}/").json()
    field = "yaml" if "yaml" in known else "definition"
    changed = change(known[field])
    assert changed != known[field]
    saved = api("PUT", f"{address}/", {field: changed, "base_revision": known["revision"]})
    assert saved.status_code == 200, saved.content
    return int(saved.json()["revision"])


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("tools/order_status", {"params": {"order_id": "1042"}}),
        ("tools/list_items", {}),
        ("tools/price_with_fallback", {}),
        ("tools/weather_from_page", {}),
        ("graphs/order_desk", {"inputs": {"order_id": "1042"}}),
        ("graphs/order_desk", {"inputs": {"order_id": "2"}}),
        ("graphs/all_pages", {}),
        ("graphs/three_sources", {}),
        ("graphs/order_chat", {"inputs": {"messages": [{"role": "user", "content": "Where is order 1042?"}]}}),
    ],
)
def test_what_a_fresh_install_has_is_replayed(
    address: str, body: dict[str, Any], demo: None, author: Api, offline: Callable[[], None]
) -> None:
    run = finish(author, address, body, {"review": True})
    assert Run.objects.get(pk=run).status == "finished"
    offline()
    assert save(author, address, run)["last_result"]["difference"] is None
    assert again(author, address)["passed"] is True


def test_a_test_outlives_its_run(demo: None, author: Api, offline: Callable[[], None]) -> None:
    run = finish(author, "graphs/order_desk", {"inputs": {"order_id": "1042"}}, {"review": False})
    offline()
    assert save(author, "graphs/order_desk", run)["run"] == run
    Run.objects.all().delete()
    assert again(author, "graphs/order_desk")["passed"] is True
    assert author("GET", "graphs/order_desk/tests/").json()["results"][0]["run"] is None


def test_the_first_difference_is_told(demo: None, author: Api, offline: Callable[[], None]) -> None:
    address = "graphs/order_desk"
    save(author, address, finish(author, address, {"inputs": {"order_id": "1042"}}, {"review": True}))
    offline()
    edit(author, address, lambda text: text.replace("state.total > 100.0", "state.total > 10000.0"))
    difference = again(author, address)["difference"]
    assert (difference["kind"], difference["expected"], difference["got"]) == ("visit", "review", "reply")
    assert difference["message"] == "After look_up the run went to review when this was recorded; now it goes to reply."
    assert again(author, address, revision=1)["passed"] is True

    edit(
        author,
        address,
        lambda text: text.replace("state.total > 10000.0", "state.total > 100.0").replace("{approved: answer}", "{}"),
    )
    difference = again(author, address)["difference"]
    assert (difference["kind"], difference["path"], difference["expected"]) == ("output", "approved", "true")

    edit(author, "tools/order_status", lambda text: text.replace("orders/secure", "orders/other"))
    newest = author("GET", "tools/order_status/").json()["revision"]
    author("POST", "tools/order_status/publish/", {"revision": newest})
    difference = again(author, address, revision=1)["difference"]
    assert (difference["kind"], difference["node"], difference["step"]) == ("request", "look_up", 1)
    assert difference["expected"] == "GET http://sandbox/orders/secure/1042"
    assert difference["got"] == "GET http://sandbox/orders/other/1042"


def test_a_request_more_than_was_recorded_is_told(author: Api, offline: Callable[[], None]) -> None:
    author("POST", "tools/", {"yaml": TOOL.format(name="one")})
    save(author, "tools/one", finish(author, "tools/one", {"params": {"order_id": "7"}}))
    offline()
    edit(
        author,
        "tools/one",
        lambda text: text.replace('    result: "${step0:status}"\n', "  - url: http://sandbox/more\n"),
    )
    difference = again(author, "tools/one")["difference"]
    assert (difference["kind"], difference["step"]) == ("no_answer", 1)
    assert difference["message"] == (
        "Step 1 of one sent GET http://sandbox/more, and the recording has no answer to it."
    )


def test_a_fork_is_saved_with_what_its_parent_did(demo: None, author: Api, offline: Callable[[], None]) -> None:
    address = "graphs/order_desk"
    parent = finish(author, address, {"inputs": {"order_id": "1042"}}, {"review": True})
    events = author("GET", f"runs/{parent}/events/?limit=1000").json()["events"]
    review = next(e["visit"] for e in events if e["node"] == "review")
    fork = author("POST", f"runs/{parent}/fork/", {"visit": review}).json()["run"]
    run_wait(fork, at_most_s=30)
    asked = [
        e for e in author("GET", f"runs/{fork}/events/?limit=1000").json()["events"] if e["type"] == "node.waiting"
    ]
    author("POST", f"runs/{fork}/command/", {"command": "answer", "visit": asked[-1]["visit"], "value": False})
    run_wait(fork, at_most_s=30)
    offline()
    assert save(author, address, fork)["last_result"]["difference"] is None
    test = SavedTest.objects.get()
    assert [visit["node"] for visit in json.loads(test.recording["visits"])] == ["look_up", "review", "reply"]
    assert test.expected["output"]["approved"] is False


def test_no_secret_gets_into_a_recording(admin: Api, offline: Callable[[], None]) -> None:
    admin("POST", "environments/", {"name": "live"})
    admin("PUT", "environments/live/secrets/KEY/", {"value": SECRET, "hosts": ["sandbox"]})
    admin("PUT", "environments/live/variables/BASE/", {"value": "http://sandbox"})
    text = (
        "name: echoing\ndesc: A tool\nenv: [KEY, BASE]\nparams: []\nsteps:\n"
        '  - url: "${env:BASE}/echo?key=${env:KEY}"\n    headers: {X-Api-Key: "${env:KEY}"}\n'
    )
    admin("POST", "tools/", {"yaml": text})
    run = finish(admin, "tools/echoing", {"environment": "live"})
    offline()
    assert save(admin, "tools/echoing", run)["last_result"]["difference"] is None
    admin("DELETE", "environments/live/")
    assert again(admin, "tools/echoing")["passed"] is True
    kept = SavedTest.objects.get()
    assert SECRET not in json.dumps([kept.inputs, kept.recording, kept.expected, kept.last_result])


def test_a_changed_prompt_is_a_difference_and_tells_no_secret(admin: Api, offline: Callable[[], None]) -> None:
    admin("POST", "environments/", {"name": "live"})
    admin("PUT", "environments/live/secrets/KEY/", {"value": SECRET, "hosts": ["sandbox"]})
    text = (
        "name: prompting\nstate: []\ninputs: []\nentry: think\nnodes:\n"
        '  think: {call: LLM, settings: {user_prompt: "Say ${env:KEY} to Ada"}}\nedges: []\n'
    )
    admin("POST", "graphs/", {"definition": text})
    run = finish(admin, "graphs/prompting", {"inputs": {}, "environment": "live"})
    told = "".join(RunEvent.objects.filter(run_id=run).values_list("event", flat=True))
    assert "to Ada" in told, "the journal tells what the model was asked"
    assert SECRET not in told
    offline()
    assert save(admin, "graphs/prompting", run)["last_result"]["difference"] is None
    edit(admin, "graphs/prompting", lambda text: text.replace("to Ada", "to Bob"))
    difference = again(admin, "graphs/prompting")["difference"]
    assert (difference["kind"], difference["node"], difference["path"]) == ("asked", "think", "[0].content")
    assert ("to Ada" in difference["expected"], "to Bob" in difference["got"]) == (True, True)
    assert SECRET not in json.dumps(difference)


def test_a_failed_run_is_a_test_of_its_failure(author: Api, offline: Callable[[], None]) -> None:
    text = TOOL.format(name="absent").replace("http://sandbox/orders/", "http://sandbox.invalid/")
    author("POST", "tools/", {"yaml": text})
    run = finish(author, "tools/absent", {})
    assert Run.objects.get(pk=run).status == "failed"
    offline()
    made = save(author, "tools/absent", run)
    assert (made["status"], made["last_result"]["difference"]) == ("failed", None)
    edit(author, "tools/absent", lambda text: text.replace("sandbox.invalid", "sandbox"))
    assert again(author, "tools/absent")["passed"] is True, "the request failed before it went anywhere"


def test_runs_that_cannot_be_repeated_are_refused(demo: None, author: Api) -> None:
    address = "graphs/order_desk"
    run = author("POST", f"{address}/run/", {"inputs": {"order_id": "1042"}}).json()["run"]
    run_wait(run, at_most_s=30)
    refused = author("POST", f"{address}/tests/", {"run": run, "title": "Early"})
    assert (refused.status_code, refused.json()["code"]) == (409, "ended")
    other = author("POST", "tools/order_status/tests/", {"run": run, "title": "Another's"})
    assert other.status_code == 400
    author("POST", f"runs/{run}/command/", {"command": "answer", "visit": "2", "value": True})
    run_wait(run, at_most_s=30)
    event = RunEvent.objects.filter(run_id=run).order_by("seq").first()
    changed = {**json.loads(event.event), "seq": 9_999, "type": "debug.changed", "visit": "1"}
    RunEvent.objects.create(run_id=run, seq=9_999, event=json.dumps(changed))
    refused = author("POST", f"{address}/tests/", {"run": run, "title": "Changed"})
    assert (refused.status_code, refused.json()["code"]) == (409, "changed")
    assert author("POST", f"{address}/tests/", {"run": run, "title": "  "}).status_code == 400


def test_publishing_asks_for_the_tests(author: Api) -> None:
    author("POST", "tools/", {"yaml": TOOL.format(name="one")})
    assert author("POST", "tools/one/publish/", {"revision": 1}).status_code == 200, "no tests, no question"
    test = save(author, "tools/one", finish(author, "tools/one", {"params": {"order_id": "7"}}), "Order 7")
    revision = edit(author, "tools/one", lambda text: text.replace("data.status", "data.id"))
    refused = author("POST", "tools/one/publish/", {"revision": revision})
    assert refused.status_code == 409
    told = refused.json()
    assert told["code"] == "tests"
    assert [(one["id"], one["title"], one["difference"]["kind"]) for one in told["tests"]] == [
        (test["id"], "Order 7", "output")
    ]
    assert author("GET", "tools/one/").json()["published_revision"] == 1
    anyway = author("POST", "tools/one/publish/", {"revision": revision, "despite_tests": True})
    assert anyway.json()["published_revision"] == revision
    assert AuditRecord.objects.filter(action="tool.publish").order_by("number").last().detail == {
        "revision": revision,
        "despite_tests": ["Order 7"],
    }
    assert author("POST", "tools/one/publish/", {"revision": 1}).status_code == 200, "this one passes"


def test_who_may_do_what(api: dict[str, Api]) -> None:
    author = api["author"]
    author("POST", "tools/", {"yaml": TOOL.format(name="one")})
    run = finish(author, "tools/one", {})
    expected = {"nobody": 401, "viewer": 403, "operator": 403, "author": 201, "admin": 201}
    for role, status in expected.items():
        assert api[role]("POST", "tools/one/tests/", {"run": run, "title": role}).status_code == status, role
    one, two = author("GET", "tools/one/tests/").json()["results"]
    for role, status in {"nobody": 401, "viewer": 200, "operator": 200}.items():
        assert api[role]("GET", "tools/one/tests/").status_code == status, role
        assert api[role]("GET", f"tools/one/tests/{one['id']}/").status_code == status, role
        assert api[role]("PATCH", f"tools/one/tests/{one['id']}/", {"title": "x"}).status_code in (401, 403), role
        assert api[role]("DELETE", f"tools/one/tests/{one['id']}/").status_code in (401, 403), role
    for role, status in {"nobody": 401, "viewer": 403, "operator": 200, "author": 200}.items():
        assert api[role]("POST", "tools/one/tests/run/", {}).status_code == status, role
    assert author("PATCH", f"tools/one/tests/{one['id']}/", {"title": "New"}).json()["title"] == "New"
    assert author("DELETE", f"tools/one/tests/{two['id']}/").status_code == 204
    assert author("DELETE", f"tools/one/tests/{two['id']}/").status_code == 404
    assert author("POST", "tools/one/tests/run/", {"id": two["id"]}).status_code == 404
    author("POST", "tools/", {"yaml": TOOL.format(name="other")})
    assert author("GET", f"tools/other/tests/{one['id']}/").status_code == 404
    author("DELETE", "tools/one/")
    assert not SavedTest.objects.exists(), "tests go with what they test"


def test_the_command_line_runs_tests(author: Api, offline: Callable[[], None]) -> None:
    author("POST", "tools/", {"yaml": TOOL.format(name="one")})
    save(author, "tools/one", finish(author, "tools/one", {}), "Good")
    offline()

    def run_tests(**options: Any) -> tuple[int, str]:
        out = io.StringIO()
        try:
            call_command("run_tests", stdout=out, **options)
        except SystemExit as ended:
            return int(str(ended.code)), out.getvalue()
        return 0, out.getvalue()

    assert run_tests() == (0, "ok   tool one: Good\n1 test, 0 failed.\n")
    edit(author, "tools/one", lambda text: text.replace("data.status", "data.id"))
    code, text = run_tests(tool="one")
    assert code == 1
    assert text.startswith("FAIL tool one: Good: The output was ")
    assert run_tests(tool="one", revision=1)[0] == 0
