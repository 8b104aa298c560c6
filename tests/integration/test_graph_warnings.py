"""What is most likely not meant in a graph: told by the API and the command line alike, and keeping nobody from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.conftest import TOOL, Api
from tests.integration.test_commands import command

__all__ = ["command"]

DOUBTFUL = """name: doubtful
entry: ask
state:
- {name: total, type: str, update: overwrite}
nodes:
  ask: {call: Ask, settings: {question: " "}}
  look_up: {call: Tool, settings: {tool: doubted}, outputs: {total: variables/step0/total}}
  alone: {call: Delay, settings: {seconds: 0}}
edges:
- {source: ask, target: look_up}
"""
PLACES = ["nodes.ask.settings.question", "nodes.look_up.outputs.total", "nodes.alone"]
UNPUBLISHED = (
    "The tool `doubted` gives `variables/step0/total` in its newest version only, but runs go by the published one, so "
    "taking it into `total` will fail. Publish the tool."
)


def test_every_answer_tells_them(author: Api) -> None:
    tool = TOOL.format(name="doubted")
    assert author("POST", "tools/", {"yaml": tool}).status_code == 201
    made = author("POST", "graphs/", {"definition": DOUBTFUL})
    assert made.status_code == 201, made.content
    told = made.json()["warnings"]
    assert [one["path"] for one in told] == PLACES
    assert told[1] == {
        "path": "nodes.look_up.outputs.total",
        "line": 7,
        "column": 1,
        "message": "`look_up` puts out no `variables/step0/total`, so taking it into `total` will fail. "
        "Pick one of its outputs.",
    }
    checked = author("POST", "graphs/validate/", {"definition": DOUBTFUL}).json()
    assert checked == {"problems": [], "warnings": told}
    assert author("GET", "graphs/doubtful/").json()["warnings"] == told
    published = author("POST", "graphs/doubtful/publish/", {"revision": 1})
    assert (published.status_code, published.json()["warnings"]) == (200, told)
    faulty = author("POST", "graphs/validate/", {"definition": DOUBTFUL + "strange: 1\n"}).json()
    assert ([one["path"] for one in faulty["problems"]], faulty["warnings"]) == (["strange"], told)

    gives = tool.replace("name: status,", "name: total,").replace("step0:status", "step0:total")
    assert author("POST", "tools/doubted/publish/", {"revision": 1}).status_code == 200
    assert author("PUT", "tools/doubted/", {"yaml": gives, "base_revision": 1}).json()["problems"] == []
    assert author("GET", "graphs/doubtful/").json()["warnings"][1]["message"] == UNPUBLISHED
    assert author("POST", "tools/doubted/publish/", {"revision": 2}).status_code == 200
    mended = author("POST", "graphs/validate/", {"definition": DOUBTFUL.replace('" "', "Well?")}).json()
    assert [one["path"] for one in mended["warnings"]] == ["nodes.alone"]


@pytest.mark.parametrize("tool", ['"a\\0b"', '"\\ud800"', "订单", "[a]", "1"])
def test_a_strange_name_of_a_tool_is_no_fault_of_the_server(author: Api, tool: str) -> None:
    answer = author("POST", "graphs/validate/", {"definition": DOUBTFUL.replace("doubted", tool)})
    assert answer.status_code == 200


def test_a_name_that_is_too_long_says_how_long_it_may_be(author: Api) -> None:
    long = "n" * 65
    checked = author("POST", "graphs/validate/", {"definition": DOUBTFUL.replace("alone", long)}).json()
    told = [(one["line"], one["message"]) for one in checked["problems"]]
    assert told == [(8, "a node's name has at most 64 characters; 'nnnnnnnnnnnnnnnnnnnn'… has 65")]


def test_check_graphs(command, tmp_path: Path) -> None:
    folder = tmp_path / "graphs"
    folder.mkdir()
    (folder / "doubtful.yaml").write_text(DOUBTFUL)
    (folder / "tool.yaml").write_text(TOOL.format(name="doubted"))
    (folder / "read.me").write_text("[")
    good = command("check_graphs", str(folder))
    assert good.returncode == 0, good.stderr
    lines = [line.removeprefix(f"{folder}/") for line in good.stderr.splitlines()]
    assert [line.split(": ")[:2] for line in lines] == [
        [f"doubtful.yaml:{line}:1", path] for line, path in zip((6, 7, 8), PLACES, strict=True)
    ]
    assert all(line.endswith(" (warning)") for line in lines)
    assert good.stdout == f"{folder / 'doubtful.yaml'}: ok\n1 file, no problems, 3 warnings.\n"

    (folder / "bad.json").write_text('{"name": "bad", "entry": "a",\n "nodes": {}}')
    (folder / "same.yml").write_text(DOUBTFUL)
    bad = command("check_graphs", str(folder))
    assert bad.returncode == 1
    assert "bad.json:2:1: nodes: a graph needs a map of nodes\n" in bad.stderr
    assert "same.yml: the name doubtful is used by" in bad.stderr
    assert "2 of 3 files have problems." in bad.stderr
    assert command("check_graphs", str(tmp_path / "none")).returncode == 1
