"""Answers from the field (tests/cases/answers), each extraction as its expected.json tells it."""

import hashlib
import json
import time
from pathlib import Path

import pytest
from aiohttp import web

from toolkit_app.engine import check_tool

CASES = Path(__file__).parents[3] / "cases" / "answers"


def _cases():
    for folder in sorted(CASES.iterdir()):
        answers = {entry["file"]: entry for entry in json.loads((folder / "answers.json").read_text())}
        expected = json.loads((folder / "expected.json").read_text())
        for number, row in enumerate(expected["extractions"]):
            file = row["answer"]
            yield pytest.param(folder / file, answers[file], row, id=f"{folder.name}-{number}")


@pytest.mark.parametrize(("file", "answer", "row"), list(_cases()))
async def test_extraction(server, runner, one_step, file, answer, row):
    server.answer(
        "/", lambda _: web.Response(status=answer["status"], body=file.read_bytes(), headers=answer["headers"])
    )
    entry = {"name": "v"}
    if row["extract"] is not None:
        entry["extract"] = row["extract"]
    if "default" in row:
        entry["default"] = row["default"]
    expected = row["expected"]
    started = time.perf_counter()
    result = await runner.run(one_step(url=server.url, var=[entry], result="${step0:v}"))
    assert time.perf_counter() - started < row.get("limit_s", 5)
    if expected["outcome"] == "error":
        assert result.error is not None
        assert result.error.kind == expected["error_kind"]
        assert result.error.step == 0
        assert "Traceback" not in result.error.message
        return
    assert result.error is None
    value = result.steps[0].variables["v"]
    if expected["outcome"] == "failed":
        assert value == expected.get("variable", "")
        assert result.output == value
    elif "sha256" in expected:
        assert len(value) == expected["length"]
        assert hashlib.sha256(value.encode()).hexdigest() == expected["sha256"]
    else:
        assert (value, type(value)) == (expected["value"], type(expected["value"]))
        assert result.output == expected["text"]


@pytest.mark.parametrize(
    "extract", [case.values[2]["extract"] for case in _cases() if case.values[2]["expected"].get("when") == "load"]
)
def test_malformed_at_load(extract):
    entry = json.dumps({"name": "v", "extract": extract})
    text = f"name: t\ndesc: d\nsteps:\n  - url: http://x/\n    var: [{entry}]\n"
    tool, problems = check_tool(text)
    assert tool is None
    assert [problem.path for problem in problems] == ["steps[0].var[0].extract"]
    assert extract in problems[0].message


def _then(name):
    return json.loads((CASES / name / "expected.json").read_text())["then"]


async def test_big_integers_are_sent_on_whole(server, runner, tool_of):
    then = _then("A01")
    server.answer("/", (CASES / "A01" / "answer.json").read_bytes())
    url = then["url"].replace("https://api.example.com", server.url)
    steps = [
        {"url": server.url, "var": [{"name": "p_id", "extract": "data.p_id"}]},
        {"url": url, "method": "POST", "headers": {"Content-Type": "application/json"}, "body": then["body"]},
    ]
    result = await runner.run(tool_of(steps))
    assert result.error is None
    assert [list(pair) for pair in server.seen[1].query] == then["sent_query"]
    assert server.seen[1].body.decode() == then["sent_body"]


async def test_null_empty_text_and_empty_list_stay_apart(server, runner, tool_of):
    then = _then("A03")
    server.answer("/", (CASES / "A03" / "answer.json").read_bytes())
    names = ("user", "note", "none")
    steps = [
        {"url": server.url, "var": [{"name": name, "extract": name} for name in names]},
        {
            "url": server.url,
            "method": "POST",
            "headers": {"content-type": "application/json; charset=utf-8"},
            "body": then["body"],
        },
    ]
    await runner.run(tool_of(steps))
    assert server.seen[1].body.decode() == then["sent_body"]


async def test_nan_is_sent_as_text(server, runner, tool_of):
    then = _then("A06")
    server.answer("/", (CASES / "A06" / "answer.json").read_bytes())
    steps = [
        {"url": server.url, "var": [{"name": "v", "extract": "load.short[1]"}]},
        {"url": server.url, "method": "POST", "headers": {"Content-Type": "application/json"}, "body": then["body"]},
    ]
    await runner.run(tool_of(steps))
    assert server.seen[1].body.decode() == then["sent_body"]


async def test_lines_of_json_are_named(server, runner, one_step):
    server.answer("/", (CASES / "A09" / "answer.ndjson").read_bytes())
    result = await runner.run(one_step(url=server.url, var=[{"name": "v", "extract": "id"}]))
    assert "several JSON documents, one a line" in result.error.message


async def test_abort_on_an_empty_body_is_an_extract_error(server, runner, one_step):
    server.answer("/", b"")
    result = await runner.run(one_step(url=server.url, var=[{"name": "v", "extract": "id", "abort": True}]))
    assert result.error.kind == "extract"


async def test_an_empty_body_is_an_empty_output(server, runner, one_step):
    server.answer("/", b"")
    result = await runner.run(one_step(url=server.url))
    assert (result.output, result.error) == ("", None)


@pytest.mark.parametrize(
    ("file", "title", "words"), [("gateway.html", "502 Bad Gateway", "nginx"), ("signin.html", "Sign in", "")]
)
async def test_a_page_is_named_by_its_title(server, runner, one_step, file, title, words):
    server.answer("/", (CASES / "A12" / file).read_bytes())
    result = await runner.run(one_step(url=server.url, var=[{"name": "v", "extract": "id"}]))
    assert title in result.error.message
    assert words in result.error.message
    assert "<" not in result.error.message
