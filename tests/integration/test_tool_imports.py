"""What helps to write a step, over REST and the command line: cURL commands, and extractions tried on an answer."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.conftest import Api
from tests.support.server import ROOT, Server
from toolkit_app.models import Tool, ToolVersion

SECRET = "s3cr3t-value-1234"
COMMAND = f"""curl -k 'https://api.example.com/orders?page=2' \\
  -H 'Authorization: Bearer {SECRET}' --json '{{"id": 12345678901234567890, "note": "${{x}}"}}'"""


def test_a_command_becomes_a_step(author: Api) -> None:
    answer = author("POST", "tools/import/curl/", {"command": COMMAND})
    assert answer.status_code == 200, answer.content
    assert answer.json() == {
        "step": {
            "url": "https://api.example.com/orders",
            "method": "POST",
            "headers": {
                "Authorization": "Bearer ${env:EXAMPLE_TOKEN}",
                "Content-Type": "application/json",
                "Accept": "application/json",
            },
            "query": [{"key": "page", "value": "2"}],
            "body": '{"id": 12345678901234567890, "note": "$${x}"}',
            "timeout": None,
        },
        "env": ["EXAMPLE_TOKEN"],
        "needs": [
            {
                "name": "EXAMPLE_TOKEN",
                "part": "header",
                "field": "Authorization",
                "host": "api.example.com",
                "secret": True,
            }
        ],
        "notes": ["`-k`: Left out. A tool always checks certificates, by the list of the server's system."],
    }


def test_nothing_of_a_command_is_stored_or_logged(author: Api, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        for command in (COMMAND, f"curl -H 'Authorization: Bearer {SECRET}", f"curl gopher://x -u a:{SECRET}"):
            answer = author("POST", "tools/import/curl/", {"command": command})
            assert SECRET not in answer.content.decode()
    assert SECRET not in caplog.text
    assert not Tool.objects.exists()
    assert not ToolVersion.objects.exists()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("wget https://e.com", "begin with `curl`"),
        ("curl 'https://e.com", "line 1, column 6"),
        ("curl", "names no address"),
        ("curl " + "a" * 500_001, "500000"),
    ],
)
def test_a_refusal_is_a_problem_document(author: Api, command: str, said: str) -> None:
    answer = author("POST", "tools/import/curl/", {"command": command})
    assert answer.status_code == 400
    assert answer["Content-Type"].startswith("application/problem+json")
    assert said in answer.json()["detail"]
    assert "command" in answer.json()["fields"]


def test_an_extraction_is_tried_as_a_run_does_it(author: Api) -> None:
    def tried(text: str, extract: str) -> dict:
        answer = author("POST", "tools/extract/try/", {"text": text, "extract": extract})
        assert answer.status_code == 200, answer.content
        return answer.json()

    found = tried("Price: <b>12</b>", "/<b>([0-9]+)/")
    assert (found["found"], found["value"], found["before"], found["after"]) == (True, "12", "Price: <b>", "</b>")
    assert tried("Price", "/[0-9]+/")["found"] is False
    assert "look-around is not supported" in tried("Price", "/(?=x)/")["problem"]
    assert "neither JSON" in tried("{a", "a.b")["problem"] or tried("{a", "a.b")["problem"]


def test_a_selection_becomes_a_pattern(author: Api) -> None:
    text = "城市😀：<b>21.5</b>"
    answer = author("POST", "tools/extract/suggest/", {"text": text, "start": 7, "end": 11})
    assert answer.status_code == 200, answer.content
    assert answer.json()["value"] == "21.5"
    assert author("POST", "tools/extract/suggest/", {"text": text, "start": 3, "end": 3}).status_code == 400
    assert author("POST", "tools/extract/suggest/", {"text": text, "start": -1, "end": 3}).status_code == 400


@pytest.fixture
def command(tmp_path: Path):
    env = Server(tmp_path / "data").env

    def run(*args: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", "import_curl", *args],
            cwd=ROOT, env=env, input=given, capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run


def test_the_command_line_prints_the_tool_and_tells_the_rest(command, tmp_path: Path) -> None:
    path = tmp_path / "command.txt"
    path.write_text(COMMAND)
    from_file = command(str(path), "--name", "orders", "--desc", "Lists orders")
    from_input = command("--name", "orders", "--desc", "Lists orders", given=COMMAND)
    assert from_file.returncode == from_input.returncode == 0, from_file.stderr
    assert from_file.stdout == from_input.stdout
    assert from_file.stdout.startswith("name: orders\ndesc: Lists orders\nenv:\n  - EXAMPLE_TOKEN\nsteps:\n")
    assert (
        "the secret EXAMPLE_TOKEN: what follows Bearer in the header Authorization, without the word Bearer, "
        "for the host api.example.com"
    ) in from_file.stderr
    assert "`-k`" in from_file.stderr
    assert SECRET not in from_file.stdout + from_file.stderr


def test_the_command_line_refuses_without_a_traceback(command, tmp_path: Path) -> None:
    for args, given in (((), "wget x"), ((str(tmp_path / "none"),), ""), ((str(ROOT),), "")):
        done = command(*args, given=given)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.strip()
        assert "Traceback" not in done.stderr
