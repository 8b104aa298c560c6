"""What meets somebody who makes a first graph: hints, warnings before a run, a keyboard that stays on the canvas."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.test_graph_mending import send
from tests.support.server import Server

EMPTY = """name: first_empty
nodes: {}
edges: []
"""
DOUBTFUL = """name: first_doubtful
state:
- {name: total, type: float, update: overwrite}
inputs: []
entry: look_up
nodes:
  look_up:
    call: Tool
    settings: {tool: order_status, params: {order_id: "1042"}}
    outputs: {total: totals}
  ask: {call: Ask, settings: {question: "", kind: confirm}}
  alone: {call: Delay, settings: {seconds: 1}}
edges:
- {source: look_up, target: ask}
layout:
  look_up: {x: 0, y: 0}
  ask: {x: 272, y: 0}
  alone: {x: 272, y: 120}
"""
PAUSED = """name: first_paused
state:
- {name: total, type: float, update: overwrite}
- {name: order_id, type: str, update: overwrite}
inputs: [order_id]
entry: look_up
nodes:
  look_up:
    call: Tool
    settings: {tool: order_status, params: {order_id: "${state:order_id}"}}
    outputs: {total: variables/step1/total}
  after: {call: Convert, settings: {text: "${state:total}"}}
edges:
- {source: look_up, target: after}
layout:
  look_up: {x: 0, y: 0}
  after: {x: 272, y: 0}
"""


def test_an_empty_graph_asks_for_a_first_step_and_shows_no_fault(ada: Page, server: Server) -> None:
    send(ada, server, "POST", "graphs/", {"definition": EMPTY, "draft": True})
    ada.goto("/graphs/first_empty")
    tab = ada.get_by_role("tab", name="Problems")
    expect(tab).to_have_text("Problems")
    tab.click()
    expect(ada.get_by_role("tabpanel")).to_contain_text("Add a first step")
    ada.get_by_role("button", name="Add first step").click()
    ada.get_by_role("combobox", name="Add a step").fill("tool")
    ada.keyboard.press("Enter")
    expect(tab).to_contain_text("1")
    expect(ada.get_by_role("tabpanel")).to_contain_text("Pick a tool")
    expect(ada.get_by_role("tabpanel")).not_to_contain_text("problem")
    ada.get_by_role("combobox", name="Tool", exact=True).click()
    expect(ada.get_by_role("option", name="order_status")).to_contain_text("Looks an order up")


def test_what_would_run_and_not_work_is_told_before(ada: Page, server: Server) -> None:
    send(ada, server, "POST", "graphs/", {"definition": DOUBTFUL, "draft": True})
    ada.goto("/graphs/first_doubtful?show=problems")
    panel = ada.get_by_role("tabpanel")
    for told in ("Nothing leads to alone", "ask asks no question", "look_up puts out no totals"):
        expect(panel).to_contain_text(told)
    expect(ada.get_by_test_id("node-alone")).to_have_attribute("data-warning", "true")
    panel.get_by_role("button", name="asks no question").click()
    question = ada.get_by_role("textbox", name="Question")
    expect(question).to_be_focused()
    question.fill("Shall it go on?")
    expect(panel).not_to_contain_text("asks no question")


def test_the_keyboard_stays_on_the_canvas(ada: Page, server: Server) -> None:
    send(ada, server, "POST", "graphs/", {"definition": DOUBTFUL.replace("doubtful", "keys"), "draft": True})
    ada.goto("/graphs/first_keys")
    expect(ada.get_by_test_id("node-ask")).to_be_visible()
    ada.get_by_role("link", name="Skip to the canvas").focus()
    ada.keyboard.press("Enter")
    expect(ada.get_by_role("region", name="Canvas")).to_be_focused()
    ask = ada.locator(".react-flow__node[data-id=ask]")
    ask.focus()
    ada.keyboard.press("Enter")
    ask.focus()
    ada.keyboard.press("c")
    ada.get_by_role("combobox", name="Connect to").fill("alone")
    ada.keyboard.press("Enter")
    expect(ask).to_be_focused()
    ada.keyboard.press("?")
    help_panel = ada.get_by_role("dialog", name="Help")
    expect(help_panel).to_contain_text("Graph: delete what is selected")
    ada.keyboard.press("Escape")
    expect(help_panel).to_have_count(0)
    expect(ask).to_be_focused()
    ada.keyboard.press("Delete")
    expect(ask).to_have_count(0)
    expect(ada.get_by_role("region", name="Canvas")).to_be_focused()
    ada.get_by_role("button", name="Add variable").click()
    expect(ada.get_by_role("textbox", name="Name of the variable").last).to_be_focused()


def test_a_value_is_changed_where_the_variables_are_listed(ada: Page, server: Server) -> None:
    send(ada, server, "POST", "graphs/", {"definition": PAUSED})
    ada.goto("/graphs/first_paused?show=run")
    ada.get_by_role("button", name="Breakpoint at after").click()
    ada.get_by_role("textbox", name="order_id", exact=True).fill("1042")
    ada.get_by_role("button", name="Debug", exact=True).click()
    expect(ada.get_by_role("toolbar", name="Debugger")).to_contain_text("At a breakpoint", timeout=15_000)
    ada.get_by_role("tab", name="Variables").click()
    panel = ada.get_by_label("Variables", exact=True)
    given = panel.get_by_role("button", name="Edit order_id: No finished step has written this")
    expect(given).to_have_attribute("aria-disabled", "true")
    panel.get_by_role("button", name="Edit total", exact=True).click()
    field = panel.get_by_label("New value of total (a number)")
    field.fill("much")
    panel.get_by_role("button", name="Change", exact=True).click()
    expect(panel).to_contain_text("A number such as 21.5 is wanted.")
    field.fill("7.5")
    panel.get_by_role("button", name="Change", exact=True).click()
    expect(panel.get_by_role("row", name="total")).to_contain_text("7.5")


def test_a_blank_in_a_new_name_becomes_an_underscore(ada: Page) -> None:
    ada.goto("/graphs")
    ada.get_by_role("button", name="New graph").click()
    dialog = ada.get_by_role("dialog")
    dialog.get_by_label("Name").press_sequentially("my first graph")
    expect(dialog.get_by_label("Name")).to_have_value("my_first_graph")
    expect(dialog.get_by_role("button", name="Create")).to_be_enabled()
