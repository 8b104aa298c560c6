"""Double clicks on buttons, and texts that are too long for one event."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.test_graph_runs import start, status
from tests.browser.test_tools import csrf
from tests.support.server import Server

LONG = """
name: long_texts
state: [{name: text, type: str, update: overwrite}, {name: given, type: str, update: overwrite}]
inputs: [given]
entry: first_of_two_steps_with_a_name_that_is_as_long_as_names_get
nodes:
  first_of_two_steps_with_a_name_that_is_as_long_as_names_get:
    {call: Convert, settings: {text: "one ${state:given} end of one"}, outputs: {text: text}}
  second: {call: Convert, settings: {text: "two ${state:given} end of two"}, outputs: {text: text}}
edges: [{source: first_of_two_steps_with_a_name_that_is_as_long_as_names_get, target: second}]
"""


def posts(page: Page, ending: str) -> list[str]:
    """Notes what is posted to addresses that end so, from now on."""
    sent: list[str] = []
    page.on("request", lambda one: sent.append(one.url) if one.method == "POST" and one.url.endswith(ending) else None)
    return sent


def test_a_double_click_on_run_opens_the_form_and_starts_nothing(ada: Page, server: Server) -> None:
    ada.goto("/graphs/order_desk")
    started = posts(ada, "/run/")
    ada.get_by_role("button", name="Run", exact=True).dblclick()
    field = ada.get_by_role("form", name="Inputs of the run").get_by_label("order_id")
    expect(field).to_be_visible()
    assert started == []
    field.fill("2")
    ada.get_by_role("button", name="Start run").dblclick()
    expect(ada).to_have_url(re.compile(r"\?run="))
    expect(ada.get_by_test_id("node-reply")).to_have_attribute("data-state", "finished", timeout=15_000)
    assert len(started) == 1


def test_a_double_click_answers_once_and_saves_one_test(ada: Page, server: Server) -> None:
    run = start(ada, server, "order_desk", {"order_id": "1042"})
    ada.goto(f"/runs/{run}")
    answered = posts(ada, "/command/")
    ada.get_by_role("region", name="review asks").get_by_role("button", name="Yes").dblclick()
    status(ada, "Finished")
    assert len(answered) == 1
    ada.get_by_role("button", name="Save as test").click()
    saved = posts(ada, "/tests/")
    ada.get_by_role("dialog").get_by_label("Title of the test").fill("twice")
    ada.get_by_role("dialog").get_by_role("button", name="Save", exact=True).dblclick()
    expect(ada.get_by_role("dialog").get_by_role("button", name="Save", exact=True)).to_have_count(0)
    assert len(saved) == 1
    kept = ada.request.get(f"{server.url}/api/v1/graphs/order_desk/tests/").json()
    mine = [row["id"] for row in (kept["results"] if isinstance(kept, dict) else kept) if row["title"] == "twice"]
    assert len(mine) == 1
    gone = ada.request.delete(
        f"{server.url}/api/v1/graphs/order_desk/tests/{mine[0]}/", headers={"X-CSRFToken": csrf(ada)}
    )
    assert gone.ok, gone.text()


def test_the_next_turn_takes_long_texts_along_whole(ada: Page, server: Server) -> None:
    long = "ein langer Satz 😀\n" * 2000
    parts = [{"type": "text", "text": "in parts"}]
    many: list[dict[str, Any]] = [{"role": "user", "content": f"{n} " + "x" * 1000} for n in range(90)]
    said: list[dict[str, Any]] = [*many, {"role": "user", "content": long}, {"role": "assistant", "content": parts}]
    question = {"role": "user", "content": "What is the status of order 1042?"}
    run = start(ada, server, "order_chat", {"messages": [*said, question]})
    ada.goto(f"/graphs/order_chat?run={run}")
    log = ada.get_by_role("log")
    expect(log).to_contain_text("Order 1042 is delivered", timeout=15_000)
    expect(log).to_contain_text("in parts")
    expect(log).not_to_contain_text("[object")
    ada.get_by_role("textbox", name="Message").fill("And now?")
    with ada.expect_request(lambda one: one.url.endswith("/order_chat/run/")) as asked:
        ada.get_by_role("textbox", name="Message").press("Enter")
    sent: list[dict[str, Any]] = json.loads(asked.value.post_data or "")["inputs"]["messages"]
    contents = [message["content"] for message in sent]
    assert contents[: len(said)] == [message["content"] for message in said]
    assert contents[-1] == "And now?"
    expect(log).to_contain_text("And now?")


def test_a_long_text_is_shown_as_its_beginning_and_whole_when_asked_for(ada: Page, server: Server) -> None:
    stored = ada.request.post(
        f"{server.url}/api/v1/graphs/", data={"definition": LONG}, headers={"X-CSRFToken": csrf(ada)}
    )
    assert stored.ok, stored.text()
    run = start(ada, server, "long_texts", {"given": "x" * 17_000}, mode="debug", breakpoints=[{"node": "second"}])
    ada.goto(f"/runs/{run}")
    bar = ada.get_by_role("toolbar", name="Debugger")
    expect(bar).to_contain_text("At a breakpoint")
    first = ada.get_by_test_id("node-first_of_two_steps_with_a_name_that_is_as_long_as_names_get")
    expect(first).to_contain_text("one xxx")
    first.click()
    details = ada.get_by_role("complementary", name="Details")
    said = details.get_by_role("region", name="Text", exact=True)
    expect(said).to_contain_text("one xxx")
    expect(said).not_to_contain_text("end of one")
    said.get_by_role("button", name="Show all").click()
    expect(said).to_contain_text("end of one")
    box, tab = details.bounding_box(), details.get_by_role("tab", name="State").bounding_box()
    assert box and tab and tab["x"] + tab["width"] <= box["x"] + box["width"]

    # What was fetched is of one value: the next one that stands there is not taken for it.
    details.get_by_role("tab", name="State").click()
    row = details.locator("dl > div").filter(has=ada.locator("dt", has_text=re.compile("^text")))
    row.get_by_role("button", name="Show all").click()
    expect(row).to_contain_text("end of one")
    bar.get_by_role("button", name="Resume").click()
    status(ada, "Finished")
    expect(row).to_contain_text("two xxx")
    expect(row).not_to_contain_text("end of one")
