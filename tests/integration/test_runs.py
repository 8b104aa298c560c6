"""Runs of tools over REST, inside this process: outcome, journal, refusals, cancelling, recovery, retention."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from graph_app.models import Run, RunEvent, Status
from graph_app.runs import retention
from graph_app.runs.host import host
from graph_app.services import run_wait
from tests.integration.conftest import TOOL, Api
from workbench.models import User

SLOW = "name: slow\ndesc: x\nsteps: [{url: 'http://sandbox/slow?seconds=30', timeout: 60}]\n"


@pytest.fixture(autouse=True)
def quiet_end(transactional_db: None) -> Iterator[None]:
    """No run of a test goes on into the next one."""
    yield
    for run in Run.objects.filter(status__in=["queued", "running", "stopping"]):
        host.cancel(run.pk)
        run_wait(run.pk, at_most_s=10)


@pytest.fixture
def tool(author: Api) -> str:
    assert author("POST", "tools/", {"yaml": TOOL.format(name="orders")}).status_code == 201
    return "orders"


def outcome(api: Api, name: str, **body: Any) -> dict[str, Any]:
    answer = api("POST", f"tools/{name}/run/?wait=true", body)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_outcome_and_journal(tool: str, author: Api) -> None:
    done = outcome(author, tool, params={"order_id": "2"})
    assert done["output"] == "delivered"
    assert done["error"] is None
    (step,) = done["steps"]
    assert step["request"]["url"] == "http://sandbox/orders/2"
    assert step["response"]["status"] == 200
    assert step["variables"] == {"status": "delivered"}
    events = author("GET", f"runs/{done['run']}/events/").json()["events"]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert [event["type"] for event in events] == [
        "run.started",
        "step.started",
        "step.response",
        "step.variable",
        "step.finished",
        "run.finished",
    ]
    assert set(events[0]) == {"seq", "at", "type", "node", "visit", "path", "data"}
    later = author("GET", f"runs/{done['run']}/events/?after=4").json()["events"]
    assert later == events[4:]
    detail = author("GET", f"runs/{done['run']}/").json()
    assert detail["status"] == "finished"
    assert detail["inputs"] == {"order_id": "2"}
    assert detail["steps"] == done["steps"]
    assert author("GET", "tools/").json()["results"][0]["last_run"]["id"] == done["run"]


def test_journals_come_in_pages(tool: str, author: Api) -> None:
    run = outcome(author, tool)["run"]
    seen, address = [], f"runs/{run}/events/?limit=2"
    while address:
        page = author("GET", address).json()
        seen += [event["seq"] for event in page["events"]]
        address = page["next"] and page["next"].split("/api/v1/")[1]
    assert seen == list(range(1, 7))


def test_without_waiting(tool: str, author: Api) -> None:
    started = author("POST", f"tools/{tool}/run/", {"params": {}})
    assert started.status_code == 202
    assert run_wait(started.json()["run"]).status == Status.FINISHED


def test_parameters_that_do_not_fit_make_a_failed_run(author: Api) -> None:
    text = TOOL.format(name="strict").replace("required: false", "required: true").replace(', default: "1"', "")
    author("POST", "tools/", {"yaml": text})
    done = outcome(author, "strict", params={})
    assert done["error"]["kind"] == "params"
    assert "order_id" in done["error"]["message"]
    assert Run.objects.get().status == Status.FAILED
    assert RunEvent.objects.filter(event__contains="run.failed").count() == 1


def test_until_step_is_inclusive(author: Api) -> None:
    text = (
        "name: two\ndesc: x\nsteps:\n  - {url: 'http://sandbox/orders/1'}\n  - {url: 'http://sandbox/orders/2'}\n"
        "  - {url: 'http://sandbox/orders/3'}\n"
    )
    author("POST", "tools/", {"yaml": text})
    assert len(outcome(author, "two", params={}, until_step=1)["steps"]) == 2
    assert author("POST", "tools/two/run/", {"until_step": 3}).status_code == 400


def test_refused_before_it_starts(tool: str, author: Api, api: dict[str, Api]) -> None:
    assert author("POST", "tools/none/run/", {}).status_code == 404
    assert author("POST", f"tools/{tool}/run/", {"revision": 9}).status_code == 404
    assert author("POST", f"tools/{tool}/run/", {"environment": "none"}).status_code == 404
    assert author("POST", f"tools/{tool}/run/", {"parms": {}}).status_code == 400
    assert api["operator"]("POST", f"tools/{tool}/run/", {}).status_code == 409, "nothing is published yet"
    author("PUT", f"tools/{tool}/", {"yaml": "x: [", "base_revision": 1})
    faulty = author("POST", f"tools/{tool}/run/", {})
    assert faulty.status_code == 400
    assert faulty.json()["problems"]
    assert not Run.objects.exists()


def test_runs_from_outside_use_the_published_version(tool: str, author: Api, api: dict[str, Api]) -> None:
    author("POST", f"tools/{tool}/publish/", {"revision": 1})
    changed = TOOL.format(name=tool).replace("${step0:status}", "draft")
    author("PUT", f"tools/{tool}/", {"yaml": changed, "base_revision": 1})
    assert outcome(api["operator"], tool)["output"] == "packed".replace("packed", outcome(author, tool)["output"])
    assert outcome(author, tool, revision=2)["output"] == "draft"


def test_what_an_environment_lacks_is_named(author: Api, admin: Api) -> None:
    text = "name: needs\ndesc: x\nenv: [A_KEY, B_URL]\nsteps: [{url: 'http://sandbox/echo?a=${env:A_KEY}${env:B_URL}'}]"
    author("POST", "tools/", {"yaml": text})
    admin("POST", "environments/", {"name": "prod"})
    admin("PUT", "environments/prod/variables/B_URL/", {"value": "x"})
    refused = author("POST", "tools/needs/run/", {"environment": "prod"})
    assert refused.status_code == 400
    assert refused.json()["missing"] == ["A_KEY"]
    assert author("POST", "tools/needs/run/", {}).json()["missing"] == ["A_KEY", "B_URL"]
    assert not Run.objects.exists()


def test_the_environment_of_the_process_is_never_read(author: Api, admin: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "of-the-process")
    text = "name: needs\ndesc: x\nenv: [A_KEY]\nsteps: [{url: 'http://sandbox/echo?a=${env:A_KEY}'}]"
    author("POST", "tools/", {"yaml": text})
    assert author("POST", "tools/needs/run/", {}).status_code == 400


def test_cancel(author: Api, api: dict[str, Api]) -> None:
    author("POST", "tools/", {"yaml": SLOW})
    run = author("POST", "tools/slow/run/", {"params": {}}).json()["run"]
    while not RunEvent.objects.filter(run_id=run, event__contains="step.started").exists():
        time.sleep(0.01)
    assert api["viewer"]("POST", f"runs/{run}/command/", {"command": "cancel"}).status_code == 403
    asked = time.monotonic()
    assert api["operator"]("POST", f"runs/{run}/command/", {"command": "cancel"}).json()["ok"] is True
    assert run_wait(run, at_most_s=10).status == Status.CANCELLED
    assert time.monotonic() - asked < 5
    again = author("POST", f"runs/{run}/command/", {"command": "cancel"})
    assert again.status_code == 409
    types = [event["type"] for event in author("GET", f"runs/{run}/events/").json()["events"]]
    assert types.count("run.cancelled") == 1
    assert types[-1] == "run.cancelled"
    assert author("POST", f"runs/{run}/command/", {"command": "explode"}).status_code == 400


def left_behind(user: User, **columns: Any) -> Run:
    """A run whose process died: a lease that ran out, with a journal of one event."""
    run = Run.objects.create(
        kind="tool",
        name="orders",
        revision=1,
        user=user,
        inputs={},
        status=Status.RUNNING,
        lease_owner="dead",
        lease_until=timezone.now() - timedelta(seconds=1),
        started_at=timezone.now(),
        fence=3,
        last_seq=2,
        **columns,
    )
    RunEvent.objects.create(run=run, seq=1, event='{"seq":1,"type":"run.started","node":null,"data":{}}')
    RunEvent.objects.create(
        run=run, seq=2, event='{"seq":2,"type":"step.started","node":null,"data":{"step":0,"visit":0}}'
    )
    return run


def test_a_run_left_behind_goes_on(tool: str, author: Api, users: dict[str, User]) -> None:
    run = left_behind(users["author"])
    host.start(run.pk)
    assert run_wait(run.pk, at_most_s=20).status == Status.FINISHED
    events = author("GET", f"runs/{run.pk}/events/").json()["events"]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert events[2]["type"] == "run.resumed"
    assert len(author("GET", f"runs/{run.pk}/").json()["steps"]) == 1
    run.refresh_from_db()
    assert run.fence == 4


def test_a_run_that_was_stopping_is_cancelled(tool: str, users: dict[str, User]) -> None:
    run = left_behind(users["author"])
    Run.objects.filter(pk=run.pk).update(status=Status.STOPPING)
    host.start(run.pk)
    assert run_wait(run.pk, at_most_s=20).status == Status.CANCELLED


def test_a_run_of_a_deleted_tool_fails_with_a_sentence(users: dict[str, User]) -> None:
    run = left_behind(users["author"])
    host.start(run.pk)
    done = run_wait(run.pk, at_most_s=20)
    assert done.status == Status.FAILED
    assert "orders" in done.error["message"]


def test_a_live_lease_is_left_alone(tool: str, users: dict[str, User]) -> None:
    run = left_behind(users["author"])
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() + timedelta(minutes=1))
    assert host._lease(run.pk) is None
    Run.objects.filter(pk=run.pk).delete()


def test_list_filters(tool: str, author: Api, admin: Api) -> None:
    outcome(author, tool)
    outcome(admin, tool)
    names = lambda query: len(author("GET", f"runs/?{query}").json()["results"])  # noqa: E731
    assert names("") == 2
    assert names("kind=tool&name=orders&status=finished") == 2
    assert names("status=failed,cancelled") == 0
    assert names("user=admin-user") == 1
    tomorrow = (timezone.now() + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    assert names(f"from={tomorrow}") == 0
    assert names(f"to={tomorrow}") == 2
    assert author("GET", "runs/?status=nonsense").status_code == 400
    assert author("GET", "runs/?from=yesterday").status_code == 400


def test_big_values_are_cut_in_events_and_kept_whole(author: Api) -> None:
    text = (
        "name: big\ndesc: x\nparams: [{name: text, type: string, required: true, description: x}]\n"
        "steps:\n  - url: http://sandbox/echo\n    method: POST\n    body: '${param:text}'\n"
        "    var: [{name: body, extract: body}]\n"
    )
    author("POST", "tools/", {"yaml": text})
    value = "ü" * 50_000
    done = outcome(author, "big", params={"text": value})
    cut = done["steps"][0]["variables"]["body"]
    assert (cut["cut"], cut["size"]) == (True, 50_000)
    whole = author("GET", f"runs/{done['run']}/values/{cut['value']}/")
    assert whole.content.decode() == value
    assert whole["Content-Type"].startswith("text/plain")
    assert author("GET", f"runs/{done['run']}/values/9.9/").status_code == 404


def test_a_user_has_a_limit(tool: str, author: Api, settings: Any) -> None:
    author("POST", "tools/", {"yaml": SLOW})
    settings.RUNS_PER_USER = 1
    assert author("POST", "tools/slow/run/", {"params": {}}).status_code == 202
    assert author("POST", "tools/slow/run/", {"params": {}}).status_code == 429


def test_retention(tool: str, author: Api, settings: Any) -> None:
    old, new = outcome(author, tool)["run"], outcome(author, tool)["run"]
    long_ago = timezone.now() - timedelta(days=settings.KEEP_RUNS_DAYS + 1)
    Run.objects.filter(pk=old).update(created_at=long_ago)
    assert retention.remove_old_runs() == 0, "it ended just now"
    Run.objects.filter(pk=old).update(finished_at=long_ago)
    assert retention.remove_old_runs() == 1
    assert [str(pk) for pk in Run.objects.values_list("pk", flat=True)] == [new]
    assert not RunEvent.objects.filter(run_id=old).exists()


def test_retention_by_number_and_by_command(tool: str, author: Api, settings: Any) -> None:
    runs = [outcome(author, tool)["run"] for _ in range(4)]
    settings.KEEP_RUNS = 2
    out = io.StringIO()
    call_command("remove_old_runs", stdout=out)
    assert "2 runs" in out.getvalue()
    assert {str(pk) for pk in Run.objects.values_list("pk", flat=True)} == set(runs[2:])
