"""Names that mean something to the language in which pages are written are names like any other here."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_graph_mending import send
from tests.browser.test_graph_runs import start, status
from tests.support.server import Server

GRAPH = """name: NAME
state:
- {name: constructor, type: str, update: overwrite}
- {name: toString, type: float, update: add}
- {name: valueOf, type: list, update: append}
- {name: hasOwnProperty, type: dict, update: merge}
- {name: 变量é, type: str, update: overwrite}
inputs: [constructor, toString, 变量é]
entry: __proto__
nodes:
  __proto__:
    call: Convert
    settings: {text: "x ${state:constructor}", values: {valueOf: '["v"]'}}
    outputs: {valueOf: valueOf}
  constructor: {call: Ask, settings: {question: "Go on ${state:变量é}?"}, outputs: {constructor: answer}}
  toString: {call: Convert, settings: {text: "${node:__proto__/text}"}, action_mode: all, outputs: {变量é: text}}
  步骤é: {call: Delay, settings: {seconds: 0}}
edges:
- {source: __proto__, target: constructor}
- {source: __proto__, target: 步骤é}
- {source: constructor, target: toString}
- {source: 步骤é, router: 'state.constructor == "no" ? "end" : "toString"', possible_targets: [toString, end]}
"""


@pytest.mark.parametrize("name", ["constructor", "__proto__"])
def test_a_graph_of_such_names_is_edited_run_and_debugged(ada: Page, server: Server, name: str) -> None:
    send(ada, server, "POST", "graphs/", {"definition": GRAPH.replace("NAME", name)})
    ada.goto("/graphs")
    expect(ada.get_by_role("link", name=name, exact=True).first).to_be_visible()
    ada.goto(f"/graphs/{name}")
    for node in ("__proto__", "constructor", "toString", "步骤é"):
        expect(ada.get_by_test_id(f"node-{node}")).to_be_visible()
        ada.get_by_test_id(f"node-{node}").click()
        expect(ada.get_by_role("textbox", name="Name").first).to_have_value(node)
    for tab in ("Variables", "Breakpoints", "Problems", "Tests", "Run"):
        ada.get_by_role("tab", name=re.compile(f"^{tab}")).click()
    form = ada.get_by_role("tabpanel", name="Run")
    form.get_by_role("textbox", name=re.compile("^constructor")).fill("given")
    form.get_by_role("textbox", name=re.compile("^toString")).fill("2")
    form.get_by_role("textbox", name=re.compile("^变量é")).fill("值")
    form.get_by_role("button", name="Debug").click()
    expect(ada.get_by_test_id("node-__proto__")).to_have_attribute("data-state", "finished", timeout=15_000)

    inputs = {"constructor": "given", "toString": 2, "变量é": "值"}
    run = start(ada, server, name, inputs, mode="debug", breakpoints=[{"node": "__proto__"}])
    ada.goto(f"/runs/{run}")
    status(ada, "Paused")
    ada.keyboard.press("F5")
    question = ada.get_by_role("region", name="constructor asks")
    expect(question).to_contain_text("Go on 值?", timeout=15_000)
    for tab in ("Trace", "State", "Breakpoints"):
        ada.get_by_role("tab", name=tab, exact=True).click()
    ada.get_by_role("tab", name="State", exact=True).click()
    expect(ada.get_by_role("complementary", name="Details")).to_contain_text("hasOwnProperty")
    question.get_by_role("textbox").fill("yes")
    question.get_by_role("button", name="Answer").click()
    status(ada, "Finished")
    for tab in ("Timeline", "Events", "Input and output", "Graph"):
        ada.get_by_role("tab", name=tab, exact=True).click()
    expect(ada.get_by_test_id("node-toString")).to_have_attribute("data-state", "finished")
