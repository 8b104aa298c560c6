"""Runs saved as tests, in the browser: saved, replayed, the first difference, and what publishing says."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.support.server import Server

GRAPH = """name: tested_desk
description: Looks an order up and asks about dear ones
state:
  - {name: order_id, type: str, update: overwrite}
  - {name: total, type: float, update: overwrite}
  - {name: approved, type: bool, update: overwrite}
inputs: [order_id]
entry: look_up
nodes:
  look_up:
    call: Tool
    settings: {tool: order_status, params: {order_id: "${state:order_id}"}}
    outputs: {total: variables/step1/total}
  review:
    call: Ask
    settings: {question: "Approve ${state:total}?", kind: confirm}
    outputs: {approved: answer}
  reply:
    call: LLM
    settings: {user_prompt: "Order ${state:order_id} comes to ${state:total}.", enable_context: false}
    to_user: true
    outputs: {messages: text}
edges:
  - {source: look_up, router: 'state.total > 100.0 ? "review" : "reply"', possible_targets: [review, reply]}
  - {source: review, target: reply}
"""
TOOL = """name: tested_order
desc: Looks an order up
params:
  - {name: order_id, type: string, required: true, description: Number}
steps:
  - url: http://sandbox/orders/${param:order_id}
    var: [{name: status, extract: data.status}]
    result: "${step0:status}"
"""


class Api:
    """The API as the page's own user sees it."""

    def __init__(self, page: Page, server: Server) -> None:
        self._page = page
        self._url = f"{server.url}/api/v1/"

    def __call__(self, method: str, path: str, body: Any = None) -> Any:
        token = next(cookie["value"] for cookie in self._page.context.cookies() if cookie["name"] == "csrftoken")
        answer = self._page.request.fetch(self._url + path, method=method, data=body, headers={"X-CSRFToken": token})
        assert answer.ok, answer.text()
        return answer.json()

    def until(self, run: str, status: str) -> None:
        for _ in range(150):
            if self("GET", f"runs/{run}/")["status"] == status:
                return
            self._page.wait_for_timeout(100)
        raise AssertionError(f"run {run} did not come to {status}")


@pytest.fixture
def call(ada: Page, server: Server) -> Api:
    return Api(ada, server)


def no_faults(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    bad = [one for one in found if one["impact"] in ("serious", "critical")]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in bad] == []


def approved(call: Api) -> str:
    """A run of the graph that asked and was answered."""
    call("POST", "graphs/", {"definition": GRAPH})
    call("POST", "graphs/tested_desk/publish/", {"revision": 1})
    run = str(call("POST", "graphs/tested_desk/run/", {"inputs": {"order_id": "1042"}})["run"])
    call.until(run, "waiting")
    call("POST", f"runs/{run}/command/", {"command": "answer", "visit": "2", "value": True})
    call.until(run, "finished")
    return run


def test_a_run_is_saved_as_a_test_and_guards_publishing(ada: Page, call: Api) -> None:
    run = approved(call)
    ada.goto(f"/runs/{run}")
    ada.get_by_role("button", name="Save as test").press("Enter")
    title = ada.get_by_role("textbox", name="Title of the test")
    expect(title).to_be_focused()
    expect(title).to_have_value("order_id 1042")
    title.fill("A dear order")
    title.press("Enter")
    expect(ada.get_by_role("status").filter(has_text="“A dear order” is saved, and passes.")).to_be_visible()
    ada.get_by_role("link", name="Show the tests").click()

    dock = ada.get_by_role("tabpanel", name="Tests")
    test = dock.get_by_role("listitem", name="A dear order")
    expect(test).to_contain_text("Passes")
    expect(test.get_by_role("link", name="Its run")).to_have_attribute("href", f"/runs/{run}")
    dock.get_by_role("button", name="Run all").click()
    expect(dock.get_by_role("status")).to_have_text("1 of 1 passed")
    no_faults(ada)

    broken = GRAPH.replace("state.total > 100.0", "state.total > 10000.0")
    call("PUT", "graphs/tested_desk/", {"definition": broken, "base_revision": 1})
    ada.goto("/graphs/tested_desk?show=tests")
    dock.get_by_role("button", name="Run A dear order").click()
    expect(test).to_contain_text("After look_up the run goes another way.")
    expect(test).to_contain_text(re.compile("Recorded\\s*review"))
    expect(test).to_contain_text(re.compile("Now\\s*reply"))

    ada.get_by_role("button", name="Publish").click()
    refused = ada.get_by_role("dialog", name="Not published")
    expect(refused).to_contain_text("a saved test fails on this version")
    expect(refused).to_contain_text("After look_up the run goes another way.")
    expect(refused).to_have_css("opacity", "1")  # contrast counts once it is there
    no_faults(ada)
    ada.keyboard.press("Escape")
    expect(refused).to_be_hidden()
    assert call("GET", "graphs/tested_desk/")["published_revision"] == 1

    ada.get_by_role("button", name="Publish").click()
    refused.get_by_role("button", name="Publish anyway").click()
    expect(refused).to_be_hidden()
    expect(ada.locator("header").get_by_text("Published", exact=True)).to_be_visible()
    assert call("GET", "graphs/tested_desk/")["published_revision"] == 2


def test_the_tests_of_a_tool_stand_beside_its_runs(ada: Page, call: Api) -> None:
    call("POST", "tools/", {"yaml": TOOL})
    run = str(call("POST", "tools/tested_order/run/", {"params": {"order_id": "7"}})["run"])
    call.until(run, "finished")
    ada.goto(f"/tools/tested_order?run={run}")
    ada.get_by_text("Saved tests", exact=True).click()
    expect(ada.get_by_text("No tests yet.")).to_be_visible()
    ada.get_by_role("button", name="Save this run as a test").click()
    ada.get_by_role("button", name="Save", exact=True).click()
    expect(ada.get_by_text("“order_id 7” is saved, and passes.")).to_be_visible()
    ada.keyboard.press("Escape")
    test = ada.get_by_role("list", name="Saved tests").get_by_role("listitem")
    expect(test).to_contain_text("Passes")

    test.get_by_role("button", name="Rename order_id 7").click()
    field = test.get_by_role("textbox", name="Title of the test")
    field.fill("Seven")
    field.press("Enter")
    expect(test).to_contain_text("Seven")
    no_faults(ada)

    call("PUT", "tools/tested_order/", {"yaml": TOOL.replace("data.status", "data.id"), "base_revision": 1})
    ada.goto("/tools/tested_order?show=tests")
    ada.get_by_role("button", name="Run all").click()
    expect(test).to_contain_text("The output differs.")

    test.get_by_role("button", name="Delete Seven").click()
    ada.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(ada.get_by_text("No tests yet.")).to_be_visible()
    assert call("GET", "tools/tested_order/tests/")["results"] == []
