"""Runs when things go wrong around them: the database away, texts it refuses, stops at bad moments, big journals."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from graph_app import selectors, services
from graph_app.models import Run, RunEvent, RunValue, Status
from graph_app.runs import journal as journals
from graph_app.runs import list_feed, tool_run
from graph_app.runs.feed import LIST, feed
from graph_app.runs.host import RunHost, host
from graph_app.runs.journal import RunJournal, events_after
from graph_app.schemas import RunQuery
from graph_app.services import run_wait
from tests.integration.conftest import TOOL, Api
from toolkit_app.engine.redaction import Redactor
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


def types(run_id: Any) -> list[str]:
    texts = RunEvent.objects.filter(run_id=run_id).order_by("seq").values_list("event", flat=True)
    return [json.loads(text)["type"] for text in texts]


def test_answers_that_hold_what_databases_refuse(author: Api) -> None:
    text = (
        'name: odd\ndesc: x\nsteps:\n  - url: http://sandbox/echo\n    method: POST\n    body: "'
        + "\\0x" * 20_000
        + '"\n    var: [{name: body, extract: body}]\n    result: "${step0:body}"\n'
    )
    assert author("POST", "tools/", {"yaml": text}).status_code == 201
    done = author("POST", "tools/odd/run/?wait=true", {}).json()
    assert done["error"] is None
    assert RunValue.objects.filter(run_id=done["run"]).exists()
    assert types(done["run"]).count("run.started") == 1


def test_a_database_that_is_away_at_the_end_repeats_nothing(
    tool: str, author: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, failures = journals._commit, []

    def away(batch: Any) -> Any:
        if any(pending.last for pending in batch) and len(failures) < 3:
            failures.append(1)
            raise OperationalError("the database is away")
        return real(batch)

    monkeypatch.setattr(journals, "_commit", away)
    run = author("POST", f"tools/{tool}/run/", {}).json()["run"]
    while len(failures) < 2:
        time.sleep(0.01)
    assert any(str(pk) == run for pk in host._tasks), "the lease is kept while its end is not written"
    assert run_wait(run, at_most_s=20).status == Status.FINISHED
    assert types(run).count("run.started") == types(run).count("run.finished") == 1
    assert "run.resumed" not in types(run)


def test_a_database_that_is_away_at_the_start_fails_no_run(
    tool: str, author: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, failures = tool_run._prepare, []

    def away(run: Run) -> Any:
        if not failures:
            failures.append(1)
            raise OperationalError("the database is away")
        return real(run)

    monkeypatch.setattr(tool_run, "_prepare", away)
    run = author("POST", f"tools/{tool}/run/", {}).json()["run"]
    deadline = time.monotonic() + 20
    while not failures or any(str(pk) == run for pk in host._tasks):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert Run.objects.get(pk=run).status == Status.QUEUED
    Run.objects.filter(pk=run).update(lease_until=timezone.now() - timedelta(seconds=1))
    host.start(Run.objects.get(pk=run).pk)
    assert run_wait(run, at_most_s=20).status == Status.FINISHED


def test_a_stop_of_the_server_writes_what_has_ended(
    tool: str, users: dict[str, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, ending, go_on = journals._commit, threading.Event(), threading.Event()

    def slow(batch: Any) -> Any:
        if any(pending.last for pending in batch):
            ending.set()
            go_on.wait(10)
        return real(batch)

    monkeypatch.setattr(journals, "_commit", slow)
    run = Run.objects.create(kind="tool", name=tool, revision=1, user=users["author"])
    other = RunHost()
    other.start(run.pk)
    assert ending.wait(20)
    stop = threading.Thread(target=other.close)
    stop.start()
    stop.join(0.1)
    go_on.set()
    stop.join()
    assert Run.objects.get(pk=run.pk).status == Status.FINISHED


def test_a_journal_that_is_refused_ends_its_run_and_no_other(
    tool: str, author: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, refused = journals._commit, []

    def picky(batch: Any) -> Any:
        if not refused:
            refused.append(batch[0].journal.run_id)
        if any(pending.journal.run_id in refused for pending in batch):
            raise UnicodeEncodeError("utf-8", "x", 0, 1, "no such text")
        return real(batch)

    monkeypatch.setattr(journals, "_commit", picky)
    first = author("POST", f"tools/{tool}/run/", {}).json()["run"]
    done = run_wait(first, at_most_s=20)
    assert (done.status, done.error["kind"]) == (Status.FAILED, "server")
    assert types(first) == ["run.failed"]
    second = author("POST", f"tools/{tool}/run/", {}).json()["run"]
    assert run_wait(second, at_most_s=20).status == Status.FINISHED


def test_a_commit_whose_answer_was_lost_may_come_again(tool: str, author: Api) -> None:
    run = Run.objects.get(pk=author("POST", f"tools/{tool}/run/?wait=true", {}).json()["run"])
    before = types(run.pk)

    class Writer:
        def append(self, journal: RunJournal, event: Any, changes: Any, *, last: bool) -> None:
            self.batch = [journals._Pending(journal, [event], changes)]

    writer = Writer()
    RunJournal(writer, run.pk, run.fence, run.last_seq - 1, Redactor()).emit("run.finished", {})  # type: ignore[arg-type]
    assert journals._commit(writer.batch) == set()
    assert types(run.pk) == before


def test_a_start_does_not_hide_a_stop(users: dict[str, User]) -> None:
    run = Run.objects.create(kind="tool", name="x", revision=1, status=Status.STOPPING, user=users["author"], fence=1)
    journal = RunJournal(None, run.pk, 1, 0, Redactor())  # type: ignore[arg-type]
    pending = journals._Pending(journal, [], {"status": Status.RUNNING})
    pending.events.append(journals.event_text(1, "run.started", {}, redactor=Redactor()))
    assert journals._commit([pending]) == set()
    assert Run.objects.get(pk=run.pk).status == Status.STOPPING
    pending.changes["status"] = Status.CANCELLED
    journals._commit([pending])
    assert Run.objects.get(pk=run.pk).status == Status.CANCELLED
    Run.objects.filter(pk=run.pk).delete()


def test_a_stop_before_the_start_is_not_lost(author: Api, users: dict[str, User]) -> None:
    author("POST", "tools/", {"yaml": SLOW})
    run = Run.objects.create(kind="tool", name="slow", revision=1, user=users["author"])
    began = time.monotonic()
    services.run_cancel(users["author"], run.pk)
    assert run_wait(run.pk, at_most_s=30).status == Status.CANCELLED
    assert time.monotonic() - began < 8, "nobody waited for a lease to run out"


def test_who_waits_for_a_run_holds_no_connection(author: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    author("POST", "tools/", {"yaml": SLOW})
    run = author("POST", "tools/slow/run/", {}).json()["run"]
    held: list[bool] = []

    class Event(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            held.append(connection.connection is not None)
            return super().wait(timeout)

    monkeypatch.setattr(services.threading, "Event", Event)
    run_wait(run, at_most_s=0.2)
    assert held
    assert not any(held)


def test_the_list_ends_with_the_newest_row(users: dict[str, User], monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run.objects.create(kind="tool", name="x", revision=1, user=users["author"], status=Status.RUNNING)
    real, reading, go_on = list_feed.run_row, threading.Event(), threading.Event()

    def slow(row: Run) -> Any:
        shown = real(row)
        if row.status == Status.RUNNING:
            reading.set()
            go_on.wait(5)
        return shown

    def announce() -> None:
        list_feed.announce(run.pk)
        connection.close()

    monkeypatch.setattr(list_feed, "run_row", slow)
    first = threading.Thread(target=announce)
    first.start()
    assert reading.wait(5)
    Run.objects.filter(pk=run.pk).update(status=Status.FINISHED)
    second = threading.Thread(target=announce)
    second.start()
    second.join(0.3)
    go_on.set()
    first.join()
    second.join()
    rows = [json.loads(text) for _, text in feed.held(LIST)]
    assert [row["status"] for row in rows if row["id"] == str(run.pk)] == ["running", "finished"]


def test_lists_read_no_large_columns() -> None:
    sql = str(selectors.runs_matching(RunQuery()).query)
    for column in ("output", "inputs", "options"):
        assert f'"{column}"' not in sql
        assert f'"shown_{column}"' not in sql


def test_a_page_of_a_journal_has_a_size(users: dict[str, User], author: Api) -> None:
    run = Run.objects.create(kind="tool", name="x", revision=1, user=users["author"], status="finished", last_seq=300)
    text = json.dumps({"data": "x" * 60_000})
    RunEvent.objects.bulk_create(RunEvent(run=run, seq=number, event=text) for number in range(1, 301))
    assert len(events_after(run.pk, 0, 1000)) <= 34
    seen, address, largest = 0, f"runs/{run.pk}/events/?limit=10000", 0
    while address:
        answer = author("GET", address)
        largest = max(largest, len(answer.content))
        seen += len(answer.json()["events"])
        address = answer.json()["next"] and answer.json()["next"].split("/api/v1/")[1]
    assert seen == 300
    assert largest < 3 * 1024 * 1024


def test_a_graph_whose_journal_is_refused_can_be_looked_at(
    users: dict[str, User], author: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run.objects.create(kind="graph", name="x", revision=1, user=users["author"], fence=1)
    journals._give_up(RunJournal(None, run.pk, 1, 0, Redactor()), ValueError("odd"))  # type: ignore[arg-type]
    shown = author("GET", f"runs/{run.pk}/")
    assert shown.status_code == 200
    assert (shown.json()["status"], shown.json()["output"]) == ("failed", {})
