"""Requests that come from elsewhere, and what is taken out of answers: pasted commands, tables, selections in text."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import sign_in
from tests.support.server import Server

SECRET = "s3cr3t-value-1234"
COMMAND = f"""curl -k 'https://api.example.com/orders?page=2' \\
  -H 'Authorization: Bearer {SECRET}' \\
  --data-raw '{{"id":12345678901234567890}}'"""
START = "# mine\nname: {name}\ndesc: 'quoted'   # keep\nsteps:\n  - url: http://sandbox/page.html # first\n"
ROWS = [{"id": 12345678901234567890, "tag": "a", "parts": [1]}, {"id": 2, "extra": None}]


def opened(page: Page, server: Server, name: str, text: str | None = None) -> str:
    """Makes a tool and opens it."""
    text = (text or START).replace("{name}", name)
    token = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "csrftoken")
    made = page.request.post(f"{server.url}/api/v1/tools/", data={"yaml": text}, headers={"X-CSRFToken": token})
    assert made.ok, made.text()
    page.goto(f"/tools/{name}")
    expect(page.locator(".cm-content").first).to_contain_text(name)
    expect(step(page, 0)).to_be_visible()
    return text


def step(page: Page, index: int) -> Locator:
    """A step's card in the form."""
    return page.get_by_role("region", name="Form").get_by_role("listitem", name=f"Step {index}", exact=True)


def address(page: Page, index: int) -> Locator:
    return step(page, index).get_by_role("textbox", name="Address (URL)")


def paste(page: Page, text: str) -> None:
    """Pastes into what has the focus, as from another program."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+V")


def stored(page: Page, server: Server, name: str) -> str:
    return page.request.get(f"{server.url}/api/v1/tools/{name}/").json()["yaml"]


def wait_for_save(page: Page) -> None:
    """Waits until what was changed is stored; it counts as changed at once."""
    expect(page.get_by_text(re.compile("^Saved (just|[0-9])"))).to_be_visible(timeout=15_000)


def no_serious_finding(page: Page) -> None:
    found = [one for one in Axe().run(page).response["violations"] if one["impact"] in ("serious", "critical")]
    assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []


def run(page: Page) -> None:
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_test_id("run-status")).to_contain_text("Finished", timeout=15_000)


def visit(page: Page, index: int) -> Locator:
    """A step that ran, opened."""
    card = page.get_by_role("region", name="Steps taken").get_by_role("listitem", name=f"Step {index}", exact=True)
    head = card.get_by_role("button", name=re.compile(f"Step {index}")).first
    if head.get_attribute("aria-expanded") == "false":
        head.click()
    return card


def test_a_command_pasted_anywhere_becomes_a_step(ada: Page, server: Server) -> None:
    before = opened(ada, server, "pasted")
    ada.get_by_role("heading", name="Steps").click()  # no field has the focus
    paste(ada, COMMAND)
    expect(address(ada, 1)).to_have_value("https://api.example.com/orders")
    expect(address(ada, 1)).to_be_focused()
    told = ada.get_by_role("status", name="What became of the cURL command")
    expect(told).to_contain_text("EXAMPLE_TOKEN")
    expect(told).to_contain_text("a secret for api.example.com")
    expect(told).to_contain_text("-k: Left out. A tool always checks certificates")
    expect(step(ada, 1).get_by_role("textbox", name="Value of Authorization")).to_have_value(
        "Bearer ${env:EXAMPLE_TOKEN}"
    )
    expect(step(ada, 1).get_by_role("textbox", name="Body")).to_have_value('{"id":12345678901234567890}')
    expect(ada.get_by_text("No problems")).to_be_visible()
    assert SECRET not in ada.content()
    no_serious_finding(ada)
    wait_for_save(ada)
    text = stored(ada, server, "pasted")
    assert SECRET not in text
    assert set(before.splitlines()) <= set(text.splitlines()), "no line that was there changed"

    ada.get_by_role("button", name=re.compile("^Undo")).click()
    expect(address(ada, 1)).to_have_count(0)
    expect(ada.locator(".cm-content").first).not_to_contain_text("EXAMPLE_TOKEN")
    wait_for_save(ada)
    assert stored(ada, server, "pasted") == before, "one undo takes all of it back"


def test_a_command_in_an_address_takes_the_place_of_the_request(ada: Page, server: Server) -> None:
    opened(ada, server, "replaced", START + "    var:\n      - {name: kept, extract: '/x/'}\n")
    address(ada, 0).click()
    ada.keyboard.press("Control+A")
    paste(ada, COMMAND)
    expect(address(ada, 0)).to_have_value("https://api.example.com/orders")
    expect(step(ada, 0).get_by_role("textbox", name="Query name")).to_have_value("page")
    expect(step(ada, 0).get_by_role("group", name="Variable kept")).to_be_visible()
    expect(address(ada, 1)).to_have_count(0)
    # Another text is pasted as it is.
    address(ada, 0).click()
    ada.keyboard.press("Control+A")
    paste(ada, "https://other.example/a")
    expect(address(ada, 0)).to_have_value("https://other.example/a")


def test_a_command_in_the_window_for_it(ada: Page, server: Server) -> None:
    opened(ada, server, "dialog")
    ada.get_by_role("button", name="Paste a cURL command").click()
    dialog = ada.get_by_role("dialog", name="Paste a cURL command")
    field = dialog.get_by_label("cURL command")
    expect(field).to_be_focused()
    paste(ada, "wget https://api.example.com")
    dialog.get_by_role("button", name="Add step").click()
    expect(dialog.get_by_role("alert")).to_contain_text("it has to begin with curl")
    field.fill("curl https://api.example.com/items")
    dialog.get_by_role("button", name="Add step").click()
    expect(dialog).to_be_hidden()
    expect(address(ada, 1)).to_have_value("https://api.example.com/items")
    expect(ada.get_by_text("Taken from the cURL command, as a whole")).to_be_visible()


def test_a_new_tool_from_a_command(ada: Page, server: Server) -> None:
    ada.goto("/tools")
    ada.get_by_role("button", name="New tool").first.click()
    dialog = ada.get_by_role("dialog", name="New tool")
    dialog.get_by_label("Name").fill("from_command")
    dialog.get_by_label("From a cURL command").fill("curl 'https://e.com")
    dialog.get_by_role("button", name="Create").click()
    expect(dialog.get_by_role("alert")).to_contain_text("never closed")
    dialog.get_by_label("From a cURL command").fill(COMMAND)
    dialog.get_by_role("button", name="Create").click()
    expect(ada).to_have_url(re.compile("/tools/from_command"))
    expect(address(ada, 0)).to_have_value("https://api.example.com/orders")
    expect(ada.get_by_role("status", name="What became of the cURL command")).to_contain_text("EXAMPLE_TOKEN")
    assert SECRET not in stored(ada, server, "from_command")


def test_a_viewer_pastes_nothing(server: Server, ada: Page, browser: Any, browser_context_args: dict[str, Any]) -> None:
    opened(ada, server, "looked_at")
    server.member(server.sign_in("ada"), "vera", "viewer")
    context = browser.new_context(**browser_context_args, base_url=server.url)
    sign_in(context, server, "vera")
    page = context.new_page()
    page.goto("/tools/looked_at")
    expect(address(page, 0)).to_be_visible()
    expect(page.get_by_role("button", name="Paste a cURL command")).to_have_count(0)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("heading", name="Steps").click()
    paste(page, COMMAND)
    page.get_by_role("heading", name="About").click()
    expect(address(page, 1)).to_have_count(0)
    assert not [url for url in asked if "curl" in url]
    context.close()


def test_an_answer_as_a_table(ada: Page, server: Server) -> None:
    body = json.dumps({"rows": ROWS})
    opened(
        ada,
        server,
        "tabled",
        "name: {name}\ndesc: x\nsteps:\n  - url: http://sandbox/echo\n    method: POST\n"
        f"    headers: {{Content-Type: application/json}}\n    body: '{body}'\n",
    )
    run(ada)
    card = visit(ada, 0)
    card.get_by_role("button", name=re.compile(r"Show .*rows as a table")).click()
    table = card.get_by_role("table")
    expect(table.get_by_role("columnheader")).to_have_text(["#", "id", "tag", "parts", "extra"])
    expect(table.get_by_role("row").nth(1)).to_contain_text("12345678901234567890")
    expect(table.get_by_role("row").nth(1)).to_contain_text("1 item")
    expect(table.get_by_role("row").nth(2)).to_contain_text("null")
    no_serious_finding(ada)

    # By keyboard: down from the heading, right, and Enter.
    table.get_by_role("button", name="id", exact=True).focus()
    ada.keyboard.press("ArrowDown")
    expect(table.get_by_role("button", name="12345678901234567890")).to_be_focused()
    ada.keyboard.press("ArrowRight")
    expect(table.get_by_role("button", name="a", exact=True)).to_be_focused()
    ada.keyboard.press("Enter")
    taken = step(ada, 0).get_by_role("group", name="Variable tag")
    expect(taken.get_by_label("Found at")).to_have_value(re.compile(r"\.rows\[0\]\.tag$"))
    expect(taken.get_by_label("Variable", exact=True)).to_be_focused()

    table.get_by_role("button", name="id", exact=True).click()
    column = step(ada, 0).get_by_role("group", name="Variable id")
    expect(column.get_by_label("Found at")).to_have_value(re.compile(r"\.rows\[\]\.id$"))
    run(ada)
    values = visit(ada, 0)
    expect(values.get_by_text("12345678901234567890").first).to_be_visible()


def test_a_long_list_comes_in_pieces(ada: Page, server: Server) -> None:
    body = json.dumps([{"n": n, "parts": [{"p": n}]} for n in range(250)])
    opened(
        ada,
        server,
        "long_list",
        "name: {name}\ndesc: x\nsteps:\n  - url: http://sandbox/echo\n    method: POST\n"
        f"    headers: {{Content-Type: application/json}}\n    body: '{body}'\n",
    )
    run(ada)
    card = visit(ada, 0)
    card.get_by_role("button", name="Show all").click()
    card.get_by_text("Table", exact=True).click()
    rows = card.get_by_role("table").get_by_role("row")
    expect(card.get_by_text("250 rows")).to_be_visible()
    expect(rows).to_have_count(101)
    card.get_by_role("button", name=re.compile("150")).click()
    expect(rows).to_have_count(201)
    # The list inside of the first row, picked from those that there are.
    choose(ada, card.get_by_label("List that is shown as a table"), re.compile(r"\[0\]\.parts"))
    expect(rows).to_have_count(2)
    card.get_by_role("table").get_by_role("button", name="0", exact=True).click()
    taken = step(ada, 0).get_by_role("group", name="Variable p")
    expect(taken.get_by_label("Found at")).to_have_value(re.compile(r"\[0\]\.parts\[0\]\.p$"))


@pytest.mark.parametrize("kind", ["default", "jump"])
def test_a_selection_becomes_a_pattern(ada: Page, server: Server, kind: str) -> None:
    name = f"selected_{kind}"
    opened(ada, server, name, START + "    next: 1\n  - url: http://sandbox/orders/1\n")
    run(ada)
    card = visit(ada, 0)
    text = card.get_by_role("textbox", name="Answer")
    take = card.get_by_role("button", name="Take what is selected")
    expect(take).to_be_disabled()
    # The caret before the value, then by keyboard over it.
    text.evaluate("(box) => { const at = box.value.indexOf('21.5'); box.focus(); box.setSelectionRange(at, at); }")
    for _ in range(4):
        ada.keyboard.press("Shift+ArrowRight")
    expect(card.get_by_text("4 characters")).to_be_visible()
    ada.keyboard.type("x")
    expect(text).to_have_value(re.compile("Temperature: <b>21.5</b>"))
    take.click()
    panel = card.get_by_role("form", name="Take what is selected")
    pattern = panel.get_by_label("Regular expression")
    match = panel.get_by_role("status", name="Finds in this answer")
    expect(pattern).to_have_value(r"/Temperature:\s+<b>([^<]*)</")
    expect(match.locator("mark")).to_have_text("21.5")
    no_serious_finding(ada)

    pattern.fill("/(?=x)/")
    expect(match).to_contain_text("look-around is not supported")
    pattern.fill("/nothing like it/")
    expect(match).to_contain_text("Nothing in this answer.")
    pattern.fill("no slashes")
    expect(panel.get_by_role("button", name="Add the variable")).to_be_disabled()
    pattern.fill(r"/Wind: <b>([0-9]+)/")
    expect(match.locator("mark")).to_have_text("12")

    panel.get_by_label("Variable", exact=True).fill("wind")
    choose(ada, panel.get_by_label("If not found"), "use a default" if kind == "default" else "go to a step")
    if kind == "default":
        panel.get_by_label("Default", exact=True).fill("calm")
    else:
        choose(ada, panel.get_by_label("Go to"), re.compile("^Step 1"))
    panel.get_by_role("button", name="Add the variable").click()
    expect(panel).to_be_hidden()
    taken = step(ada, 0).get_by_role("group", name="Variable wind")
    expect(taken.get_by_label("Found at")).to_have_value(r"/Wind: <b>([0-9]+)/")
    expect(taken.get_by_role("status", name="Finds in this answer")).to_contain_text("12")
    expect(ada.locator(".cm-content").first).to_contain_text("default: calm" if kind == "default" else "jump: 1")
    run(ada)
    expect(ada.get_by_role("region", name="Steps taken").get_by_text('"12"').first).to_be_visible()


def choose(page: Page, field: Locator, option: str | re.Pattern[str]) -> None:
    field.click()
    page.get_by_role("option", name=option).click()
