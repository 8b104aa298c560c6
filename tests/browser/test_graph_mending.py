"""Mending what failed: inside of a subgraph, and a condition that lacks what it asks about."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.test_graph_runs import start
from tests.support.server import Server

INNER = """name: mend_inner
state:
- {name: seen, type: list, update: append}
entry: a
nodes:
  a: {call: Convert, settings: {values: {seen: '["a"]'}}, outputs: {seen: seen}}
  b: {call: Convert, settings: {values: {seen: '[int("no number")]'}}, outputs: {seen: seen}}
edges:
- {source: a, target: b}
"""
OUTER = """name: mend_outer
state:
- {name: got, type: list, update: overwrite}
entry: first
nodes:
  first: {call: Delay, settings: {seconds: 0.01}}
  sub: {call: Graph, settings: {graph: mend_inner}, outputs: {got: seen}}
edges:
- {source: first, target: sub}
"""
ASKS = """name: asks_output
entry: look_up
nodes:
  look_up: {call: Tool, settings: {tool: order_status, params: {order_id: "1042"}}}
  review: {call: Ask, settings: {question: Go on?, kind: confirm}}
edges:
- {source: look_up, target: review}
layout:
  look_up: {x: 0, y: 0}
  review: {x: 480, y: 0}
"""


def send(page: Page, server: Server, method: str, path: str, body: dict[str, Any]) -> Any:
    """Asks the API as the page would."""
    token = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "csrftoken")
    answer = page.request.fetch(f"{server.url}/api/v1/{path}", method=method, data=body, headers={"X-CSRFToken": token})
    assert answer.ok, answer.text()
    return answer.json()


def test_a_step_that_failed_inside_is_opened_mended_and_gone_on_from(ada: Page, server: Server) -> None:
    for text in (INNER, OUTER):
        send(ada, server, "POST", "graphs/", {"definition": text})
    run = start(ada, server, "mend_outer", {})
    ada.goto(f"/graphs/mend_outer?run={run}")
    outcome = ada.get_by_role("region", name="This run").last
    expect(outcome).to_contain_text("sub failed", timeout=15_000)
    expect(outcome).to_contain_text("mend_inner in version 1, as before")
    outcome.get_by_role("link", name="Open mend_inner at b").click()
    expect(ada).to_have_url(re.compile(r"/graphs/mend_inner\?node=b&back="))
    bar = ada.get_by_role("region", name="Opened for a run of another graph")
    expect(bar).to_contain_text("version 1, the newest")
    expect(ada.get_by_role("complementary").get_by_text("b", exact=True).first).to_be_visible()
    mended = INNER.replace('[int("no number")]', '["b"]')
    send(ada, server, "PUT", "graphs/mend_inner/", {"definition": mended, "base_revision": 1})
    ada.reload()
    expect(bar).to_contain_text("version 2, the newest")
    bar.get_by_role("link", name="Back to the run of mend_outer").click()
    expect(outcome).to_contain_text("mend_inner in version 2, instead of 1")
    outcome.get_by_role("button", name="Go on from here").click()
    expect(outcome.get_by_role("region", name="Output")).to_contain_text("2 items", timeout=15_000)
    on = ada.url.partition("run=")[2].partition("&")[0]
    ada.goto(f"/runs/{on}")
    expect(ada.get_by_test_id("run-facts")).to_contain_text("mend_inner version 2")
    nodes = [
        e["node"] for e in send(ada, server, "GET", f"runs/{on}/events/", {})["events"] if e["type"] == "node.finished"
    ]
    assert nodes == ["b", "sub"], "what came before did not run again"


def test_a_row_takes_an_output_and_one_undo_takes_all_of_it_back(ada: Page, server: Server) -> None:
    send(ada, server, "POST", "graphs/", {"definition": ASKS})
    ada.goto("/graphs/asks_output")
    ada.get_by_role("group", name="look_up → review").focus()
    ada.keyboard.press("Enter")
    settings = ada.get_by_role("complementary", name="Settings")
    settings.get_by_text("By condition").click()
    expect(settings).to_contain_text("What look_up puts out can be picked too")
    expect(ada.get_by_role("button", name="Undo")).to_be_enabled()
    settings.get_by_role("combobox", name="Variable", exact=True).click()
    ada.get_by_role("option", name="variables/step1/total").click()
    expect(settings.get_by_role("combobox", name="Variable", exact=True)).to_have_value("total")

    def stored() -> str:
        return str(send(ada, server, "GET", "graphs/asks_output/", {})["definition"])

    ada.get_by_role("button", name="Undo").click()
    expect(settings.get_by_role("combobox", name="Variable", exact=True)).not_to_have_value("total")
    ada.get_by_role("button", name="Redo").click()
    expect(settings.get_by_role("combobox", name="Variable", exact=True)).to_have_value("total")
    ada.get_by_role("navigation").get_by_role("link", name="Graphs").click()  # leaving saves
    expect(ada).to_have_url(re.compile(r"/graphs$"))
    text = stored()
    assert "total: variables/step1/total" in text
    assert "name: total" in text
    assert "state.total" in text
