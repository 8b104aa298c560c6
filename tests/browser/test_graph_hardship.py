"""A graph under hasty hands: held keys, double presses, odd questions, a low window."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.test_graph_runs import start
from tests.browser.test_tools import csrf
from tests.support.server import Server

ODD = """
name: odd_question
state: [{name: given, type: dict, update: overwrite}]
entry: ask
nodes:
  ask:
    call: Ask
    settings:
      question: Which?
      kind: form
      schema:
        type: object
        properties:
          size: {type: string, enum: [small, small, large]}
          tags: {type: array, default: [a]}
    outputs: {given: answer}
"""


def test_a_question_with_repeated_choices_is_shown(ada: Page, server: Server) -> None:
    stored = ada.request.post(
        f"{server.url}/api/v1/graphs/", data={"definition": ODD}, headers={"X-CSRFToken": csrf(ada)}
    )
    assert stored.ok, stored.text()
    start(ada, server, "odd_question", {})
    ada.goto("/tools")
    ada.get_by_role("link", name="Questions").click()
    card = ada.get_by_role("region", name="ask asks")
    expect(card.get_by_label("tags")).to_have_value('["a"]')
    card.get_by_role("combobox", name="size").click()
    expect(ada.get_by_role("option")).to_have_count(2)


def test_hasty_presses_start_one_run(ada: Page, server: Server) -> None:
    ada.goto("/graphs/order_desk")
    ada.get_by_role("button", name="Run", exact=True).click()
    form = ada.get_by_role("form", name="Inputs of the run")
    field = form.get_by_label("order_id")
    field.fill("1042")
    started: list[str] = []
    ada.on("request", lambda one: started.append(one.url) if one.url.endswith("/order_desk/run/") else None)
    for _ in range(5):
        field.press("Control+Enter")
    expect(ada).to_have_url(re.compile(r"\?run="))
    expect(ada.get_by_role("region", name="review asks")).to_be_visible(timeout=15_000)
    field.press("Control+Enter")
    assert len(started) == 1, started
    # The run that the address names is seen when the page is opened anew.
    ada.reload()
    expect(ada.get_by_role("region", name="review asks")).to_be_visible(timeout=15_000)


def test_what_is_typed_after_f2_goes_into_the_name(ada: Page, server: Server) -> None:
    run = start(ada, server, "order_desk", {"order_id": "1042"})
    ada.goto(f"/graphs/order_desk?run={run}")
    expect(ada.get_by_role("region", name="review asks")).to_be_visible(timeout=15_000)
    ada.get_by_test_id("node-look_up").click()
    ada.get_by_role("tab", name="Output").click()
    ada.get_by_test_id("node-look_up").click()
    ada.keyboard.press("F2")
    expect(ada.get_by_role("textbox", name="Name", exact=True)).to_be_focused()


def test_a_low_window_leaves_the_canvas_a_height(ada: Page, server: Server) -> None:
    ada.set_viewport_size({"width": 720, "height": 450})
    run = start(ada, server, "all_pages", {}, mode="debug", breakpoints=[{"node": "keep"}])
    ada.goto(f"/graphs/all_pages?run={run}")
    expect(ada.get_by_role("toolbar", name="Debugger")).to_be_visible(timeout=15_000)
    box = ada.get_by_role("region", name="Canvas").bounding_box()
    assert box and box["height"] >= 160, box
