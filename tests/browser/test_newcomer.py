"""What tells somebody who comes new to a page what is asked, what is lacking, and what can be called."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.test_graph_mending import send
from tests.browser.test_graph_runs import start
from tests.support.server import Server

TAKES = """name: newcomer_takes
desc: Takes a name from the environment
env: [newcomer_key]
steps:
  - url: http://sandbox/echo
    method: GET
    headers: {Authorization: "Bearer ${env:newcomer_key}"}
"""
LACKS = """name: newcomer_lacks
entry: greet
state: []
nodes:
  greet: {call: Tool, settings: {tool: newcomer_takes}}
edges: []
"""
EMPTY = """name: newcomer_finds
entry: rest
state: []
nodes:
  rest: {call: Delay, settings: {seconds: 0}}
edges: []
"""


def test_a_question_says_what_its_run_was_given(ada: Page, server: Server) -> None:
    first = start(ada, server, "order_desk", {"order_id": "1042"})
    ada.goto("/questions")
    questions = ada.get_by_role("listitem")
    expect(questions.filter(has=ada.locator(f'a[href="/runs/{first}"]'))).to_contain_text(
        "order_id: 1042", timeout=15_000
    )
    # One that comes to wait while the page is open says it too.
    second = start(ada, server, "order_desk", {"order_id": "1042"})
    expect(questions.filter(has=ada.locator(f'a[href="/runs/{second}"]'))).to_contain_text(
        "order_id: 1042", timeout=15_000
    )


def test_a_graph_says_what_it_takes_and_its_refusal_leads_to_environments(ada: Page, server: Server) -> None:
    send(ada, server, "POST", "tools/", {"yaml": TAKES})
    send(ada, server, "POST", "graphs/", {"definition": LACKS})
    ada.goto("/graphs/newcomer_lacks?show=run")
    form = ada.get_by_role("form", name="Inputs of the run")
    expect(form).to_contain_text("The graph takes newcomer_key from it.")
    begin = form.get_by_role("button", name="Start run")
    begin.click()
    refusal = form.get_by_role("alert")
    expect(refusal).to_contain_text("Pick an environment that has newcomer_key.")
    way = refusal.get_by_role("link", name="Open Environments")
    expect(way).to_be_visible()
    # All of it is seen: it ends above the buttons, which stay at the dock's lower end.
    end, top = refusal.bounding_box(), begin.bounding_box()
    assert end and top and end["y"] + end["height"] <= top["y"]
    way.click()
    expect(ada.get_by_role("heading", name="Environments")).to_be_visible()


def test_a_tool_is_found_by_name_and_becomes_a_step(ada: Page, server: Server) -> None:
    send(ada, server, "POST", "graphs/", {"definition": EMPTY})
    ada.goto("/graphs/newcomer_finds")
    palette = ada.get_by_role("complementary", name="Kinds of steps")
    palette.get_by_label("Search").fill("order_stat")
    palette.get_by_role("button", name="order_status").click()
    expect(ada.get_by_test_id("node-order_status")).to_be_visible()
    expect(ada.get_by_role("combobox", name="Tool", exact=True)).to_have_value("order_status")


def test_buttons_of_a_run_say_what_they_do(ada: Page, server: Server) -> None:
    run = start(ada, server, "three_sources", {})
    ada.goto(f"/runs/{run}")
    expect(ada.get_by_test_id("run-facts")).to_contain_text("Finished", timeout=15_000)
    for name, says in (("Run again", "A new run with the same inputs"), ("Save as test", "to check later")):
        ada.get_by_role("button", name=name).hover()
        expect(ada.get_by_role("tooltip").filter(has_text=says)).to_be_visible()
