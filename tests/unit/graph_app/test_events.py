"""The text of an event: what stays readable whatever the secrets are, and what any database takes."""

from __future__ import annotations

import json

import pytest

from graph_app.runs.events import CUT_ABOVE, event_text, storable
from toolkit_app.engine.redaction import MARK, Redactor

DATA = {
    "step": 0,
    "visit": 3,
    "request": {"method": "GET", "url": "http://a/x", "headers": {"X-Visit": "data"}, "body": None},
    "response": {"status": 200, "text": '{"value": 1, "pass": "word"}'},
    "name": "name",
}


@pytest.mark.parametrize(
    "secret", ["step", "visit", "data", "name", "type", "request", "2026", "run.", "headers", "value"]
)
def test_a_secret_spelled_like_a_field_breaks_no_journal(secret: str) -> None:
    event = json.loads(event_text(2026, "run.started", DATA, redactor=Redactor([secret])).text)
    assert (event["seq"], event["type"]) == (2026, "run.started")
    assert set(event) == {"seq", "at", "type", "node", "visit", "path", "data"}
    assert set(event["data"]) == set(DATA)
    assert set(event["data"]["request"]) == set(DATA["request"])


def test_values_and_other_names_are_still_redacted() -> None:
    redactor = Redactor(["data", "X-Visit"])
    event = json.loads(event_text(1, "step.response", DATA, redactor=redactor).text)
    assert event["data"]["request"]["headers"] == {MARK: MARK}


def test_whole_values_are_what_any_database_takes() -> None:
    event = event_text(1, "step.response", {"text": "a\0\ud800" * CUT_ABOVE}, redactor=Redactor())
    ((_, whole),) = event.values
    assert "\0" not in whole
    whole.encode("utf-8")
    assert json.loads(event.text)["data"]["text"]["cut"] is True


def test_storable_reaches_everywhere() -> None:
    assert storable({"a\0": ["\ud800", {"b": "ü\0"}], "n": 1, "t": True, "e": None}) == {
        "a\ufffd": ["?", {"b": "ü\ufffd"}],
        "n": 1,
        "t": True,
        "e": None,
    }


def test_an_event_that_carries_whole_values_weighs_what_they_weigh() -> None:
    assert event_text(1, "step.response", {"text": "x" * 100_000}, redactor=Redactor()).size > 100_000
