"""The text of an event: what stays readable whatever the secrets are, and what any database takes."""

from __future__ import annotations

import json

import pytest

from graph_app.runs.events import CUT_ABOVE, event_text, storable, whole_event
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


def test_big_state_is_cut_by_variable_and_the_small_ones_stay() -> None:
    state = {"n": 1, "rows": list(range(50_000))}
    data = {"delta": state, "routes": [[0, "next", state], [1, "other"]], "output": state}
    told = json.loads(event_text(7, "node.finished", data, redactor=Redactor()).text)["data"]
    assert told["delta"]["n"] == 1
    assert told["delta"]["rows"]["cut"] is True
    assert told["routes"][0][:2] == [0, "next"]
    assert told["routes"][0][2]["n"] == 1
    assert told["routes"][0][2]["rows"]["json"] is True
    assert told["routes"][1] == [1, "other"]
    assert told["output"]["cut"] is True


def test_state_of_very_many_variables_is_cut_as_a_whole() -> None:
    data = {"delta": {f"v{n}": "x" * 100 for n in range(2_000)}}
    assert json.loads(event_text(7, "node.finished", data, redactor=Redactor()).text)["data"]["delta"]["cut"] is True


def test_what_was_cut_has_the_same_digest_in_every_run() -> None:
    def digest(seq: int, last: str) -> str:
        rows = ["y" * (CUT_ABOVE + 1)] * 40 + [last]
        event = event_text(seq, "node.finished", {"delta": {"rows": rows}}, redactor=Redactor())
        return str(json.loads(event.text)["data"]["delta"]["rows"]["digest"])

    assert digest(1, "a") == digest(9, "a")
    assert digest(1, "a") != digest(1, "b")


def test_whole_values_are_put_back_however_deep_they_were_cut() -> None:
    data = {"delta": {"rows": ["y" * (CUT_ABOVE + n) for n in range(1, 41)], "n": 1}}
    event = event_text(3, "node.finished", data, redactor=Redactor())
    assert whole_event(json.loads(event.text), dict(event.values))["data"] == data
