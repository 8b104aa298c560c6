"""Tools over REST: texts kept as written, versions, conflicts, publishing, checking."""

from __future__ import annotations

import pytest

from tests.integration.conftest import TOOL, Api
from toolkit_app.models import Tool, ToolVersion

TEXT = "# mine\r\n" + TOOL.format(name="orders")


@pytest.fixture
def tool(author: Api) -> dict:
    made = author("POST", "tools/", {"yaml": TEXT})
    assert made.status_code == 201
    return made.json()


def test_the_text_is_kept_byte_for_byte(tool: dict, author: Api) -> None:
    assert author("GET", "tools/orders/").json()["yaml"] == TEXT
    assert ToolVersion.objects.get().yaml == TEXT
    assert tool["revision"] == 1
    assert tool["published_revision"] is None
    assert tool["problems"] == []
    assert tool["function_schema"]["name"] == "orders"
    assert tool["params"][0]["default"] == "1"


def test_a_faulty_text_makes_no_tool_and_names_every_problem(author: Api) -> None:
    answer = author("POST", "tools/", {"yaml": "name: x\nsteps:\n  - metod: GET\n"})
    assert answer.status_code == 400
    paths = [problem["path"] for problem in answer.json()["problems"]]
    assert "steps[0].metod" in paths
    assert len(paths) >= 3
    assert all(problem["line"] >= 1 and problem["column"] >= 1 for problem in answer.json()["problems"])
    assert not Tool.objects.exists()


def test_names(author: Api, tool: dict) -> None:
    assert author("POST", "tools/", {"yaml": TEXT}).status_code == 409
    assert author("POST", "tools/", {"yaml": TOOL.format(name="Orders")}).status_code == 409, "names differ by more"
    for name in ("订单", "a b", "x" * 65, "validate"):
        assert author("POST", "tools/", {"yaml": TOOL.format(name=name)}).status_code == 400, name


def test_a_save_names_its_base(tool: dict, author: Api, admin: Api) -> None:
    mine, theirs = TEXT + "# mine\n", TEXT + "# theirs\n"
    assert admin("PUT", "tools/orders/", {"yaml": theirs, "base_revision": 1}).json()["revision"] == 2
    stale = author("PUT", "tools/orders/", {"yaml": mine, "base_revision": 1})
    assert stale.status_code == 409
    body = stale.json()
    assert (body["current"]["yaml"], body["current"]["revision"]) == (theirs, 2)
    assert (body["yours"]["yaml"], body["yours"]["base_revision"]) == (mine, 1)
    assert body["current"]["updated_by"] == "admin-user"
    assert author("GET", "tools/orders/").json()["yaml"] == theirs


def test_a_faulty_draft_is_kept_but_not_published(tool: dict, author: Api) -> None:
    saved = author("PUT", "tools/orders/", {"yaml": "name: orders\nsteps: [", "base_revision": 1})
    assert saved.status_code == 200
    assert saved.json()["problems"]
    assert author("GET", "tools/orders/").json()["yaml"] == "name: orders\nsteps: ["
    refused = author("POST", "tools/orders/publish/", {"revision": 2})
    assert refused.status_code == 400
    assert refused.json()["problems"]
    assert author("GET", "tools/").json()["results"][0]["problem_count"] == 1
    assert author("GET", "tools/?state=faulty").json()["results"][0]["name"] == "orders"


def test_another_name_is_refused(tool: dict, author: Api) -> None:
    renamed = author("PUT", "tools/orders/", {"yaml": TOOL.format(name="other"), "base_revision": 1})
    assert renamed.status_code == 400
    assert "orders" in renamed.json()["detail"]


def test_the_same_text_makes_no_version_unless_it_is_named(tool: dict, author: Api) -> None:
    assert author("PUT", "tools/orders/", {"yaml": TEXT, "base_revision": 1}).json()["revision"] == 1
    named = author("PUT", "tools/orders/", {"yaml": TEXT, "base_revision": 1, "note": "Before the sale"}).json()
    assert named["revision"] == 2
    assert author("GET", "tools/orders/versions/").json()["results"][0]["note"] == "Before the sale"


def test_versions_compare_restore_publish(tool: dict, author: Api) -> None:
    second = TEXT.replace("A tool", "A better tool")
    author("PUT", "tools/orders/", {"yaml": second, "base_revision": 1})
    assert author("GET", "tools/orders/schema/").status_code == 404
    assert author("POST", "tools/orders/publish/", {"revision": 1}).json()["published_revision"] == 1
    assert author("GET", "tools/orders/schema/").json()["description"] == "A tool"
    assert author("GET", "tools/?state=changed").json()["results"][0]["state"] == "changed"
    rows = author("GET", "tools/orders/versions/").json()["results"]
    assert [(row["revision"], row["published"]) for row in rows] == [(2, False), (1, True)]
    diff = author("GET", "tools/orders/versions/1/compare/2/").json()["diff"]
    assert "-desc: A tool" in diff
    assert "+desc: A better tool" in diff
    restored = author("POST", "tools/orders/versions/1/restore/").json()
    assert (restored["revision"], restored["yaml"]) == (3, TEXT)
    assert author("GET", "tools/orders/versions/2/").json()["yaml"] == second
    assert author("GET", "tools/orders/versions/9/").status_code == 404
    assert author("POST", "tools/orders/publish/", {"revision": 9}).status_code == 404


def test_delete(tool: dict, author: Api) -> None:
    assert author("DELETE", "tools/orders/").status_code == 204
    assert author("GET", "tools/orders/").status_code == 404
    assert author("DELETE", "tools/orders/").status_code == 404


def test_lists_are_paged_and_searched(author: Api) -> None:
    names = [f"tool-{number:02}" for number in range(7)]
    for name in names:
        author("POST", "tools/", {"yaml": TOOL.format(name=name)})
    seen, address = [], "tools/?limit=3"
    while address:
        page = author("GET", address).json()
        seen += [row["name"] for row in page["results"]]
        address = page["next"] and page["next"].split("/api/v1/")[1]
    assert seen == names
    assert len(author("GET", "tools/?search=tool-03").json()["results"]) == 1
    assert author("GET", "tools/?cursor=nonsense").status_code == 400
    assert author("GET", "tools/?unknown=1").status_code == 400


@pytest.mark.parametrize(
    "text",
    ["", "\0", "\ud800", "a: &a [*a]", "[" * 5000, "x: !!python/object:os.system {}", "a: 1\n" * 10_000, "\t", "🚀: {",
     "name: " + "9" * 5000],
)  # fmt: skip
def test_validate_takes_whatever_the_text(text: str, author: Api) -> None:
    answer = author("POST", "tools/validate/", {"yaml": text})
    assert answer.status_code == 200
    assert answer.json()["problems"]
    assert answer.json()["function_schema"] is None


@pytest.mark.parametrize("text", ["\0", "\ud800"])
def test_what_can_not_be_stored_is_refused(text: str, author: Api, tool: dict) -> None:
    assert author("PUT", "tools/orders/", {"yaml": TEXT + text, "base_revision": 1}).status_code == 400


def test_validate_shows_the_function(author: Api) -> None:
    checked = author("POST", "tools/validate/", {"yaml": TEXT}).json()
    assert checked["problems"] == []
    assert checked["function_schema"]["parameters"]["properties"]["order_id"]["default"] == "1"
