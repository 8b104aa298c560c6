"""What stands on every page, and what lists do with much that is alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Response, expect

from tests.browser.conftest import Errors, sign_in
from tests.support.server import Client, Server

TOOL = """name: weather
desc: Says the weather
steps:
  - url: http://sandbox/orders/7
"""


@pytest.fixture
def context(own: Server, browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[BrowserContext]:
    """The browser of the only admin of a fresh server."""
    context = browser.new_context(**browser_context_args, base_url=own.url)
    sign_in(context, own)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, errors: Errors) -> Page:
    page = context.new_page()
    errors.watch(page)
    return page


def ask(client: Client) -> str:
    """Starts a run that comes to wait for a person."""
    return str(client.post("graphs/order_desk/run/?wait=true", {"inputs": {"order_id": "1042"}}, expect=202)["run"])


def answer(client: Client, run: str) -> None:
    events = client.get(f"runs/{run}/events/")["events"]
    visit = next(event["visit"] for event in events if event["type"] == "node.waiting")
    client.post(f"runs/{run}/command/", {"command": "answer", "visit": visit, "value": True}, expect=200)


def test_what_waits_is_counted_in_the_navigation(own: Server, page: Page) -> None:
    somebody = own.sign_in("ada")
    page.goto("/tools")
    rail = page.get_by_role("navigation", name="Main")
    expect(rail.get_by_role("link", name="Questions", exact=True)).to_be_visible()

    first, _ = ask(somebody), ask(somebody)
    expect(rail.get_by_role("link", name="Questions: 2 wait for an answer")).to_have_text("Questions2")
    expect(rail.get_by_role("status").filter(has_text="2 wait for an answer")).to_be_attached()

    answer(somebody, first)
    expect(rail.get_by_role("link", name="Questions: 1 waits for an answer")).to_be_visible()
    rail.get_by_role("link", name="Questions").click()
    page.get_by_role("button", name="Yes").click()
    expect(rail.get_by_role("link", name="Questions", exact=True)).to_be_visible()


def test_those_who_may_not_answer_are_told_of_no_questions(
    own: Server, browser: Browser, browser_context_args: dict[str, Any], context: BrowserContext
) -> None:
    ada = own.sign_in("ada")
    ask(ada)
    own.member(ada, "vic", "viewer")
    theirs = browser.new_context(**browser_context_args, base_url=own.url)
    sign_in(theirs, own, "vic")
    page = theirs.new_page()
    page.goto("/questions")
    expect(page.get_by_text("Approve it?")).to_be_visible()
    expect(
        page.get_by_role("navigation", name="Main").get_by_role("link", name="Questions", exact=True)
    ).to_be_visible()
    theirs.close()


def test_what_was_added_is_typed_into_at_once(own: Server, page: Page) -> None:
    own.sign_in("ada").post("tools/", {"yaml": TOOL}, expect=201)
    page.goto("/tools/weather")
    form, code = page.get_by_role("region", name="Form"), page.locator(".cm-content").first

    def add(what: str, field: str, typed: str) -> None:
        form.get_by_role("button", name=what, exact=True).last.click()
        expect(form.get_by_label(field, exact=True).last).to_be_focused()
        page.keyboard.type(typed)
        expect(code).to_contain_text(typed)

    add("Add input", "Name", "city")
    add("Add header", "Header name", "X-City")
    add("Add query", "Query name", "where")
    add("Add variable", "Variable", "degrees")
    add("Add step", "Address (URL)", "http://sandbox/items")
    expect(form.get_by_label("Then", exact=True).last).to_have_value("the result: the whole answer")
    expect(form.get_by_label("Then", exact=True).first).to_have_value("the step below")


def test_a_name_that_is_used_but_not_declared_is_told_and_added(own: Server, page: Page) -> None:
    text = TOOL.replace("orders/7", "orders/${param:order_id}")
    own.sign_in("ada").post("tools/", {"yaml": text}, expect=201)
    page.goto("/tools/weather")
    problems = page.get_by_role("region", name="Problems")
    expect(problems.get_by_text("1 warning")).to_be_visible()
    expect(page.get_by_role("button", name="Publish")).to_be_enabled()
    problems.get_by_role("button", name="Add input order_id").click()
    expect(page.get_by_text("No problems")).to_be_visible()
    expect(page.get_by_role("group", name="Input order_id").get_by_label("Meaning")).to_be_focused()


def test_saves_of_one_sitting_are_folded(own: Server, page: Page) -> None:
    ada = own.sign_in("ada")
    ada.post("tools/", {"yaml": TOOL}, expect=201)
    for revision in range(1, 8):
        body = {"yaml": f"{TOOL}# {revision}\n", "base_revision": revision}
        ada.put("tools/weather/", body | ({"note": "With a name"} if revision == 3 else {}), expect=200)

    page.goto("/tools/weather")
    page.get_by_role("button", name="History").click()
    history = page.get_by_role("complementary", name="History")
    shown = history.get_by_role("listitem").filter(has=page.get_by_role("button", name="Compare"))
    expect(shown).to_have_count(3)
    expect(shown.nth(1)).to_contain_text("With a name")
    history.get_by_role("button", name="and 3 earlier saves").click()
    expect(shown).to_have_count(6)
    expect(history.get_by_role("listitem", name="Version 5", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(history).to_be_hidden()
    expect(page.get_by_role("button", name="History")).to_be_focused()

    page.goto("/audit?action=tool.save")
    rows = page.get_by_role("row").filter(has_text="Saved a tool")
    expect(rows).to_have_count(1)
    page.get_by_role("button", name="and 6 earlier saves").click()
    expect(rows).to_have_count(7)


@pytest.mark.parametrize(
    ("address", "shown", "most_kb"),
    [
        ("/tools", "order_status", 350),
        ("/graphs", "order_desk", 350),
        ("/runs", "运行", 350),
        ("/tools/order_status?views=form,yaml,test", "order_status", 600),
        ("/graphs/order_desk", "look_up", 600),
    ],
)
def test_pages_are_small_to_load(
    own: Server,
    browser: Browser,
    browser_context_args: dict[str, Any],
    address: str,
    shown: str,
    most_kb: int,
    errors: Errors,
) -> None:
    context = browser.new_context(**{**browser_context_args, "locale": "zh-CN"}, base_url=own.url)
    sign_in(context, own)
    page = context.new_page()
    errors.watch(page)
    sizes: dict[str, int] = {}

    def count(response: Response) -> None:
        if response.url.endswith(".js"):
            headers = response.all_headers()
            assert headers.get("content-encoding") == "gzip" or int(headers["content-length"]) < 200, response.url
            sizes[response.url] = int(headers["content-length"])

    page.on("response", count)
    page.goto(address)
    expect(page.get_by_text(shown).first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert 100_000 < sum(sizes.values()) < most_kb * 1000
    context.close()


def test_the_language_is_picked_at_once_and_stays(own: Server, page: Page) -> None:
    page.goto("/settings")
    expect(page.get_by_role("heading", name="Settings", level=1)).to_be_visible()
    page.get_by_text("中文", exact=True).click()
    expect(page.get_by_role("heading", name="设置", level=1)).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="设置", level=1)).to_be_visible()
    page.get_by_text("English", exact=True).click()
    expect(page.get_by_role("heading", name="Settings", level=1)).to_be_visible()
    page.context.set_offline(True)
    page.get_by_text("中文", exact=True).click()
    expect(page.get_by_role("heading", name="设置", level=1)).to_be_visible()
    page.context.set_offline(False)
