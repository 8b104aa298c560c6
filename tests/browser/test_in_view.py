"""What is needed is in view, says what it is about, and stays where it is."""

from __future__ import annotations

import re

from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.test_graph_mending import send
from tests.browser.test_graph_runs import start
from tests.support.server import Server

ROW_HEIGHT = 48

ASKS_MUCH = """name: asks_much
state:
{variables}
inputs: [{names}]
entry: begin
nodes:
  begin: {{call: Delay, settings: {{seconds: 0}}}}
edges: []
"""
FAILS = """name: fails_at_index
state:
- {name: wanted, type: str, update: overwrite}
- {name: log, type: list, update: append}
inputs: [wanted]
entry: bad
nodes:
  bad: {call: Convert, settings: {values: {log: '[[1][5]]'}}, outputs: {log: log}}
edges: []
"""


def box(target: Locator) -> FloatRect:
    found = target.bounding_box()
    assert found
    return found


def test_the_canvas_stays_beside_the_text_in_a_narrow_window(ada: Page, server: Server) -> None:
    ada.set_viewport_size({"width": 1024, "height": 768})
    ada.goto("/graphs/order_desk")
    step = ada.get_by_test_id("node-look_up")
    expect(step).to_be_visible()
    ada.get_by_role("button", name="YAML").click()
    text = ada.get_by_role("region", name="YAML")
    expect(text.get_by_text("order_desk").first).to_be_visible()
    expect(step).to_be_in_viewport(ratio=1)
    assert box(text)["height"] > 150


def test_what_starts_a_run_is_in_view_under_many_inputs(ada: Page, server: Server) -> None:
    names = [f"input_{n}" for n in range(12)]
    variables = "\n".join(f"- {{name: {name}, type: str, update: overwrite}}" for name in names)
    send(ada, server, "POST", "graphs/", {"definition": ASKS_MUCH.format(variables=variables, names=", ".join(names))})
    ada.goto("/graphs/asks_much")
    ada.get_by_role("button", name="Run", exact=True).click()
    form = ada.get_by_role("form", name="Inputs of the run")
    expect(form.get_by_label("input_0")).to_be_focused()
    expect(form.get_by_role("button", name="Start run")).to_be_in_viewport(ratio=1)
    last = form.get_by_label("input_11")
    last.focus()
    expect(last).to_be_in_viewport(ratio=1)
    assert box(last)["y"] + box(last)["height"] <= box(form.get_by_role("button", name="Start run"))["y"]


def test_tabs_stay_where_they_are_when_one_is_chosen(ada: Page, server: Server) -> None:
    ada.goto("/graphs/order_desk")
    tests = ada.get_by_role("tab", name="Tests")
    before = box(tests)["x"]
    for name in ("Run", "Timeline", "Breakpoints"):
        ada.get_by_role("tab", name=name, exact=True).click()
        expect(ada.get_by_role("tab", name=name, exact=True)).to_have_attribute("aria-selected", "true")
        assert box(tests)["x"] == before


def test_a_failed_step_says_why_and_its_row_is_as_high_as_any(ada: Page, server: Server) -> None:
    send(ada, server, "POST", "graphs/", {"definition": FAILS})
    run = start(ada, server, "fails_at_index", {"wanted": "x" * 60})
    ada.goto(f"/graphs/fails_at_index?run={run}")
    inspector = ada.get_by_role("complementary", name="Settings")
    ada.get_by_test_id("node-bad").click()
    inspector.get_by_role("tab", name="Output").click()
    expect(inspector.get_by_text(re.compile("Index error"))).to_be_visible(timeout=15_000)
    expect(ada.get_by_role("button", name="See the step")).to_be_visible()
    ada.goto("/runs?name=fails_at_index")
    row = ada.get_by_role("table", name="Runs").get_by_role("row").nth(1)
    expect(row).to_contain_text("Index error")
    expect(row).to_contain_text("wanted")
    assert abs(box(row)["height"] - ROW_HEIGHT) <= 1


def test_a_conversation_is_opened_at_its_message(ada: Page, server: Server) -> None:
    ada.goto("/graphs/order_chat")
    run = ada.get_by_role("button", name="Run", exact=True)
    run.click()
    message = ada.get_by_role("textbox", name="Message")
    expect(message).to_be_focused()
    ada.get_by_role("switch", name="Debug the next turn").focus()
    run.click()
    expect(message).to_be_focused()


def test_an_address_that_leads_nowhere_leads_to_the_list_beside_it(ada: Page, server: Server) -> None:
    ada.goto("/graphs/no_such_graph")
    ada.get_by_role("link", name="To the graphs").click()
    expect(ada.get_by_role("heading", name="Graphs", level=1)).to_be_visible()
