"""Services on saved tests: runs that are replayed, for tools and graphs alike; no network is used."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from graph_app.engine import GraphDocumentError
from graph_app.engine.document_text import read_text
from graph_app.graphs import GRAPHS
from graph_app.models import Run, SavedTest, Status
from graph_app.runs.differences import Difference
from graph_app.runs.events import dump, storable
from graph_app.runs.graph_run import journal_until
from graph_app.runs.recording import changed_by_hand, recorded_visits
from graph_app.runs.replay import Recording, replay_graph, replay_tool
from graph_app.runs.versions import KINDS, version_of
from graph_app.selectors import run_output
from toolkit_app.audit import audit
from toolkit_app.documents import DocumentKind
from toolkit_app.engine import ToolDefinition
from toolkit_app.engine.redaction import MARK
from toolkit_app.errors import ConflictError, InvalidError, NotFoundError, ServiceError
from toolkit_app.models import Environment
from toolkit_app.tools import TOOLS


def saved_tests_of(kind: DocumentKind, document: Any) -> list[SavedTest]:
    """Returns a document's tests, the oldest first."""
    found = SavedTest.objects.filter(**{kind.noun: document}).select_related("created_by").defer("recording")
    return list(found.order_by("created_at", "id"))


def saved_test_get(kind: DocumentKind, name: str, test_id: UUID) -> SavedTest:
    """Finds a test.

    Raises:
        NotFoundError: If the document has none of this id.
    """
    document = kind.get(name)
    test = SavedTest.objects.filter(**{kind.noun: document}, pk=test_id).select_related("created_by").first()
    if test is None:
        raise NotFoundError(f"{name} has no such test.")
    return test


def saved_test_create(user: Any, kind: DocumentKind, name: str, run_id: UUID, title: str) -> SavedTest:
    """Saves a run as a test, and runs that at once on the revision that the run was of.

    Args:
        user: Who saves it.
        kind: Tools or graphs.
        name: The document.
        run_id: The run.
        title: What the test is called.

    Raises:
        NotFoundError: If there is no such document or run.
        InvalidError: If the run is another document's.
        ConflictError: If the run has not ended by itself, or somebody changed values in it.
    """
    document = kind.get(name)
    run = Run.objects.filter(pk=run_id).first()
    if run is None:
        raise NotFoundError("There is no such run. It may have been removed after its time.")
    if (run.kind, run.name) != (kind.noun, document.name):
        raise InvalidError(f"That run is one of the {run.kind} {run.name}.", fields={"run": ["Another's run."]})
    if run.status not in (Status.FINISHED, Status.FAILED):
        raise ConflictError(
            f"Only a run that finished or failed can be a test; this one is {run.status}.", code="ended"
        )
    version_of(run)  # a test of a document that has the name of the deleted one would say nothing
    events = _whole_journal(run)
    if changed_by_hand(events):
        raise ConflictError(
            "Somebody changed a value in this run while it was paused, so that it can't be repeated from its inputs. "
            "Run it anew, without changes, and save that.",
            code="changed",
        )
    with transaction.atomic():
        test = SavedTest.objects.create(
            **{kind.noun: document},
            title=title,
            inputs=storable(run.shown_inputs),
            recording=storable(
                {
                    "env": _environment(run.environment),
                    "until_step": run.options.get("until_step"),
                    # As text: a database may put a map's keys in another order, and models are told maps as text.
                    "visits": dump(storable(recorded_visits(events))),
                }
            ),
            expected=storable({"status": run.status, "output": run_output(run), "error": run.error}),
            run=run,
            created_by=user,
        )
        audit(user.username, f"{kind.noun}.test_save", document.name, title=title, run=str(run.pk))
    _run_and_keep(kind, name, [test], run.revision)
    return test


@transaction.atomic
def saved_test_rename(user: Any, kind: DocumentKind, name: str, test_id: UUID, title: str) -> SavedTest:
    """Gives a test another title."""
    test = saved_test_get(kind, name, test_id)
    test.title = title
    test.save(update_fields=["title"])
    audit(user.username, f"{kind.noun}.test_rename", name, title=title)
    return test


@transaction.atomic
def saved_test_delete(user: Any, kind: DocumentKind, name: str, test_id: UUID) -> None:
    """Removes a test; the run that it came from stays."""
    test = saved_test_get(kind, name, test_id)
    test.delete()
    audit(user.username, f"{kind.noun}.test_delete", name, title=test.title)


def saved_tests_run(
    kind: DocumentKind, name: str, revision: int | None = None, test_id: UUID | None = None
) -> list[SavedTest]:
    """Runs a document's tests, or one of them, and keeps what came of them.

    Args:
        kind: Tools or graphs.
        name: The document.
        revision: Of which the text is tested; the newest unless given.
        test_id: The test; all of them unless given.

    Raises:
        NotFoundError: If there is no such document, revision or test.
    """
    document = kind.get(name)
    version = kind.version(document, revision)
    tests = saved_tests_of(kind, document) if test_id is None else [saved_test_get(kind, name, test_id)]
    _run_and_keep(kind, name, tests, version.revision)
    return tests


def failed(test: SavedTest) -> bool:
    """Says whether a test failed when it was last run."""
    return test.last_result is not None and not test.last_result["passed"]


def publish_check(user: Any, noun: str, name: str, revision: int) -> list[dict[str, Any]]:
    """Runs the tests of a document that is about to be published; returns those that fail, with their difference."""
    tests = saved_tests_run(KINDS[noun], name, revision)
    return [
        {"id": str(test.pk), "title": test.title, "difference": test.last_result["difference"]}
        for test in tests
        if failed(test)
    ]


def saved_test_row(test: SavedTest) -> dict[str, Any]:
    """Returns a test as listed."""
    return {
        "id": str(test.pk),
        "title": test.title,
        "run": str(test.run_id) if test.run_id else None,
        "status": test.expected["status"],
        "created_at": test.created_at,
        "created_by": test.created_by.get_username() if test.created_by else None,
        "last_result": test.last_result,
    }


def _run_and_keep(kind: DocumentKind, name: str, tests: Iterable[SavedTest], revision: int) -> None:
    text = kind.text(kind.version(kind.get(name), revision))
    for test in tests:
        began = time.monotonic()
        difference = _replayed(kind, text, test)
        test.last_result = {
            "passed": difference is None,
            "difference": None if difference is None else storable(difference.as_json()),
            "revision": revision,
            "at": timezone.now().isoformat(timespec="milliseconds"),
            "duration_ms": round((time.monotonic() - began) * 1000, 1),
        }
        test.save(update_fields=["last_result"])


def _replayed(kind: DocumentKind, text: str, test: SavedTest) -> Difference | None:
    try:
        definition = kind.require_sound(kind.check(text)).definition
    except ServiceError as error:
        return Difference("text", error.detail, got=error.detail)
    kept, expected = test.recording, test.expected
    visits = kept["visits"]
    recording = Recording(
        test.inputs,
        json.loads(visits) if isinstance(visits, str) else visits,  # older tests have them as they are
        expected["status"],
        expected["output"],
        expected["error"],
        kept["env"],
        kept["until_step"],
    )
    if kind is TOOLS:
        return asyncio.run(replay_tool(definition, recording))
    tools: dict[str, ToolDefinition] = {}
    graphs: dict[str, str] = {}
    _gather(definition, tools, graphs)
    return asyncio.run(replay_graph(text, recording, tools=tools, graphs=graphs))


def _gather(definition: Any, tools: dict[str, ToolDefinition], graphs: dict[str, str]) -> None:
    """Reads what a graph's steps may run, as a run would find it; what is missing fails where it is wanted."""
    nodes = definition.get("nodes") if isinstance(definition, Mapping) else None
    for entry in (nodes or {}).values():
        given = entry.get("settings") or {}
        for name in [given.get("tool"), *(given.get("tools") or [])]:
            if isinstance(name, str) and name not in tools:
                found = _text(TOOLS, name)
                if found is not None and (checked := TOOLS.check(found)).definition is not None:
                    tools[name] = checked.definition
        name = given.get("graph")
        if isinstance(name, str) and name not in graphs:
            found = _text(GRAPHS, name)
            if found is not None:
                graphs[name] = found
                _gather(_data(found), tools, graphs)


def _text(kind: DocumentKind, name: str) -> str | None:
    try:
        return kind.text(kind.version_for_run(name, None, may_edit=True))
    except ServiceError:
        return None


def _data(text: str) -> Any:
    try:
        return read_text(text)[0]
    except GraphDocumentError:
        return None


def _whole_journal(run: Run) -> list[dict[str, Any]]:
    fork = run.options.get("fork")
    inherited = journal_until(run.parent_id, fork["at_seq"]) if fork and run.parent_id else []
    return [*inherited, *journal_until(run.pk, None)]


def _environment(name: str) -> dict[str, str]:
    """Returns an environment's variables, and the mark for each of its secrets; nothing of one that is gone."""
    environment = Environment.objects.filter(name=name).first()
    if environment is None:
        return {}
    variables = dict(environment.variables.values_list("name", "value"))
    return {**variables, **dict.fromkeys(environment.secrets.values_list("name", flat=True), MARK)}
