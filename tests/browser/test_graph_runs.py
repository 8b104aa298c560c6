"""Runs of graphs in the browser: questions, the debugger, forks, time travel, conversations."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.support.server import Server


def start(page: Page, server: Server, graph: str, inputs: dict[str, Any], **more: Any) -> str:
    """Starts a run and returns its id."""
    token = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "csrftoken")
    answer = page.request.post(
        f"{server.url}/api/v1/graphs/{graph}/run/",
        data={"inputs": inputs, **more},
        headers={"X-CSRFToken": token},
    )
    assert answer.ok, answer.text()
    return str(answer.json()["run"])


def status(page: Page, word: str) -> None:
    """Waits until the run's page says how it stands."""
    expect(page.get_by_test_id("run-facts")).to_contain_text(word, timeout=15_000)


def test_a_question_is_answered_in_the_run_and_it_goes_on(ada: Page, server: Server) -> None:
    run = start(ada, server, "order_desk", {"order_id": "1042"})
    ada.goto(f"/runs/{run}")
    status(ada, "Waiting")
    expect(ada.get_by_test_id("node-review")).to_have_attribute("data-state", "waiting")
    question = ada.get_by_role("region", name="review asks")
    expect(question).to_contain_text("Order 1042 is worth")
    question.get_by_role("button", name="Yes").click()
    status(ada, "Finished")
    expect(question).to_have_count(0)

    ada.get_by_test_id("node-look_up").click()
    details = ada.get_by_role("complementary", name="Details")
    expect(details.get_by_role("region", name="State before and after")).to_contain_text("delivered")
    details.get_by_role("button", name=re.compile("Step 1")).click()
    expect(details).to_contain_text("application/json")
    ada.reload()
    status(ada, "Finished")


def test_what_waits_is_listed_and_answered_there(ada: Page, server: Server) -> None:
    run = start(ada, server, "order_desk", {"order_id": "1042"})
    ada.goto("/tools")
    ada.get_by_role("link", name="Questions").click()
    mine = ada.get_by_role("listitem").filter(has=ada.locator(f'a[href="/runs/{run}"]'))
    mine.get_by_role("button", name="No", exact=True).click()
    expect(mine.get_by_role("status")).to_contain_text("Answered: No")
    expect(mine.get_by_role("button", name="No", exact=True)).to_have_count(0)
    ada.reload()
    expect(ada.get_by_role("heading", name="Questions", level=1)).to_be_visible()
    expect(mine).to_have_count(0)


def test_debugging_a_loop(ada: Page, server: Server) -> None:
    run = start(ada, server, "all_pages", {}, mode="debug", breakpoints=[{"node": "keep"}])
    ada.goto(f"/runs/{run}")
    bar = ada.get_by_role("toolbar", name="Debugger")
    expect(bar).to_contain_text("At a breakpoint")
    ada.keyboard.press("F10")
    expect(bar).to_contain_text("Stepped")
    ada.get_by_test_id("node-keep").click()
    details = ada.get_by_role("complementary", name="Details")
    details.get_by_role("button", name="Edit page").click()
    details.get_by_label("New value of page").fill("3")
    details.get_by_role("button", name="Change", exact=True).click()
    expect(details.get_by_role("button", name="Change", exact=True)).to_have_count(0)

    bar.get_by_role("button", name="Back", exact=True).click()
    ada.get_by_role("tab", name="Trace").click()
    expect(ada.get_by_role("table", name="Visits")).to_contain_text("taken back")
    bar.get_by_role("button", name="Step", exact=True).click()
    expect(bar).to_contain_text("Stepped")
    expect(bar).to_contain_text("read_page")
    expect(ada.get_by_role("tab", name="Trace")).to_have_attribute("aria-selected", "true")
    ada.get_by_test_id("node-summary").click()
    bar.get_by_role("button", name="Run to here").click()
    expect(bar).to_contain_text("keep", timeout=15_000)
    ada.get_by_role("tab", name="Breakpoints").click()
    bar.get_by_role("button", name="Stop").click()
    status(ada, "Cancelled")


def test_forking_and_going_through_the_run(ada: Page, server: Server) -> None:
    run = start(ada, server, "all_pages", {})
    ada.goto(f"/runs/{run}")
    status(ada, "Finished")
    ada.get_by_test_id("node-read_page").click()
    details = ada.get_by_role("complementary", name="Details")
    turn = details.get_by_role("group", name="Turns")
    expect(turn.get_by_role("combobox")).to_have_value("Turn 3 of 3")
    turn.get_by_role("button", name="Previous turn").click()
    expect(turn.get_by_role("combobox")).to_have_value("Turn 2 of 3")

    ada.get_by_role("slider").focus()
    ada.keyboard.press("Home")
    expect(ada.get_by_test_id("node-first_page")).not_to_have_attribute("data-state", "finished")
    ada.get_by_role("button", name="Now").click()
    expect(ada.get_by_test_id("node-summary")).to_have_attribute("data-state", "finished")

    details.get_by_role("button", name="Fork from here").click()
    ada.get_by_role("menuitem", name="Debug from before this").click()
    expect(ada).not_to_have_url(re.compile(run))
    status(ada, "Paused")
    expect(ada.get_by_test_id("run-facts")).to_contain_text(f"Started from {run[:8]}")
    ada.keyboard.press("F5")
    status(ada, "Finished")


def test_a_conversation_goes_on_turn_by_turn(ada: Page, server: Server) -> None:
    run = start(ada, server, "order_chat", {"messages": [{"role": "user", "content": "Status of order 1042?"}]})
    ada.goto(f"/runs/{run}?tab=chat")
    log = ada.get_by_role("log", name="Conversation")
    expect(log).to_contain_text("1042 is delivered", timeout=15_000)
    status(ada, "Finished")
    ada.get_by_label("Message", exact=True).fill("And order 2?")
    ada.keyboard.press("Enter")
    expect(log).to_contain_text("Order 2 is delivered", timeout=15_000)
    expect(log).to_contain_text("1042 is delivered")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_finding(ada: Page, server: Server, scheme: Any) -> None:
    ada.emulate_media(color_scheme=scheme)
    run = start(ada, server, "all_pages", {}, mode="debug", breakpoints=[{"node": "keep"}])
    for tab in ("graph", "timeline", "events", "io"):
        ada.goto(f"/runs/{run}?tab={tab}")
        status(ada, "Paused")
        found = [one for one in Axe().run(ada).response["violations"] if one["impact"] in ("serious", "critical")]
        assert not found, (tab, found)


def test_whoever_writes_settings_stays_there_when_the_run_stops(ada: Page, server: Server) -> None:
    run = start(ada, server, "order_desk", {"order_id": "1042"}, mode="debug", breakpoints=[{"node": "reply"}])
    ada.goto(f"/graphs/order_desk?run={run}")
    expect(ada.get_by_role("region", name="review asks")).to_be_visible()
    ada.get_by_test_id("node-look_up").click()
    ada.get_by_role("tab", name="Settings").click()
    field = ada.locator("#step-panel").get_by_role("textbox", name="Name")
    field.click()
    asked = next(
        one for one in server.sign_in("ada").get(f"runs/{run}/events/")["events"] if one["type"] == "node.waiting"
    )
    command = {"command": "answer", "visit": asked["visit"], "value": True}
    server.sign_in("ada").post(f"runs/{run}/command/", command, expect=200)
    expect(ada.get_by_role("toolbar", name="Debugger")).to_contain_text("At a breakpoint")
    expect(ada.get_by_test_id("node-reply")).to_have_attribute("data-state", "paused")
    expect(field).to_be_focused()
    expect(field).to_have_value("look_up")

    field.press("Escape")
    ada.get_by_test_id("node-reply").click()
    expect(ada.get_by_role("tab", name="Settings")).to_have_attribute("aria-selected", "true")
    ada.keyboard.press("F5")
    expect(ada.get_by_test_id("node-reply")).to_have_attribute("data-state", "finished")
