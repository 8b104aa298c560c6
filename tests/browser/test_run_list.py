"""The list of runs, what is done with several, what is answered, and what a step of a run was asked."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_run_compare import Api
from tests.support.server import Server

BREAKS = """
name: breaks_often
state: [{name: n, type: int, update: overwrite}]
inputs: [n]
entry: a
nodes:
  a: {call: Convert, settings: {values: {x: "state.nothing"}}}
edges: []
"""
TALKS = """
name: talks_twice
state: [{name: said, type: str, update: overwrite}]
inputs: [said]
entry: think
nodes:
  think: {call: LLM, settings: {system_prompt: Be brief, user_prompt: "Say ${state:said}", tools: [order_status]}}
  look: {call: Tool, settings: {tool: order_status, params: {order_id: "2"}}}
edges: [{source: think, target: look}]
"""


@pytest.fixture
def call(ada: Page, server: Server) -> Api:
    return Api(ada, server)


def test_several_runs_are_retried_and_stopped(ada: Page, call: Api) -> None:
    call("POST", "graphs/", {"definition": BREAKS})
    failed = [call("POST", "graphs/breaks_often/run/", {"inputs": {"n": n}})["run"] for n in (11, 12)]
    for run in failed:
        call.until(run, "failed")
    waits = call("POST", "graphs/order_desk/run/", {"inputs": {"order_id": "1042"}})["run"]
    call.until(waits, "waiting")
    ada.goto("/runs")
    rows = ada.get_by_role("table", name="Runs").get_by_role("row")
    expect(rows.filter(has_text="n: 11")).to_have_count(1)
    waiting = rows.filter(has=ada.locator(f'a[href="/runs/{waits}"]'))
    expect(waiting).to_contain_text("order_id: 1042")
    expect(waiting.get_by_role("cell").last).not_to_have_text("–")
    for row in (rows.filter(has_text="n: 11"), rows.filter(has_text="n: 12"), waiting):
        row.get_by_role("checkbox").check()

    ada.get_by_role("button", name="Retry 2 runs").click()
    ada.get_by_role("dialog").get_by_role("button", name="Retry 2 runs").click()
    told = ada.get_by_role("status").filter(has_text="2 runs started")
    expect(told.get_by_role("link")).to_have_count(2)
    expect(ada.get_by_text("1 run ticked")).to_be_visible()
    expect(rows.get_by_role("link", name=f"from {failed[0][:8]}")).to_have_attribute("href", f"/runs/{failed[0]}")

    other = rows.filter(has_text="n: 11").filter(has_not_text="from").get_by_role("checkbox")
    other.check()
    ada.get_by_role("button", name="Stop 1 run").click()
    ada.get_by_role("dialog").get_by_role("button", name="Stop 1 run").click()
    expect(waiting).to_contain_text("Cancelled")
    expect(waiting.get_by_role("checkbox")).not_to_be_checked()
    expect(other).to_be_checked()
    told.get_by_role("link").first.click()
    expect(ada.get_by_test_id("run-facts")).to_contain_text("from")


def test_an_answer_stays_for_a_while(ada: Page, call: Api) -> None:
    run = call("POST", "graphs/order_desk/run/", {"inputs": {"order_id": "1042"}})["run"]
    call.until(run, "waiting")
    ada.goto("/questions")
    item = ada.get_by_role("listitem").filter(has=ada.locator(f'a[href="/runs/{run}"]'))
    item.get_by_role("button", name="Yes").click()
    expect(item.get_by_role("status")).to_contain_text("Answered: Yes")
    expect(item.get_by_role("button", name="Yes")).to_have_count(0)
    item.get_by_role("link", name="Open the run").click()
    expect(ada).to_have_url(re.compile(f"/runs/{run}"))


def test_a_fork_that_asks_waits_and_is_not_paused(ada: Page, call: Api) -> None:
    run = call("POST", "graphs/order_desk/run/", {"inputs": {"order_id": "1042"}})["run"]
    call.until(run, "waiting")
    fork = call("POST", f"runs/{run}/fork/", {"visit": "1"})["run"]
    call.until(fork, "waiting")
    ada.goto(f"/runs/{fork}")
    expect(ada.get_by_test_id("run-facts")).to_contain_text("Waiting")
    expect(ada.get_by_role("button", name="Resume")).to_have_count(0)
    ada.get_by_role("button", name="Yes").click()
    expect(ada.get_by_test_id("run-facts")).to_contain_text("Finished")


def test_a_step_shows_what_it_was_asked(ada: Page, call: Api) -> None:
    call("POST", "graphs/", {"definition": TALKS})
    said = "order 1042, please. " + "And mind the weather. " * 60 + "The end."
    run = call("POST", "graphs/talks_twice/run/", {"inputs": {"said": said}})["run"]
    call.until(run, "finished")
    ada.goto(f"/runs/{run}")
    ada.locator('.react-flow__node[data-id="think"]').click()
    asked = ada.get_by_role("region", name="Asked of the model")
    expect(asked.get_by_role("listitem").first).to_contain_text("Be brief")
    expect(asked).to_contain_text("sandbox")
    expect(asked).to_contain_text("It may call order_status.")
    expect(asked).not_to_contain_text("The end.")
    asked.get_by_role("button", name=re.compile("show all")).first.click()
    expect(asked).to_contain_text("The end.")
    ada.locator('.react-flow__node[data-id="look"]').click()
    expect(ada.get_by_role("region", name="Called with")).to_contain_text("order_id")
