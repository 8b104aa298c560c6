"""Graphs in the browser: build, run, answer, break, step, go back, change a value, go on."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_tools import csrf
from tests.support.server import Server


@pytest.fixture
def graph(ada: Page, server: Server) -> Callable[[str, str], None]:
    """Stores a graph, as by import."""

    def store(name: str, text: str) -> None:
        answer = ada.request.post(
            f"{server.url}/api/v1/graphs/",
            data={"definition": f"name: {name}\n{text}"},
            headers={"X-CSRFToken": csrf(ada)},
        )
        assert answer.ok, answer.text()

    return store


def start(page: Page, name: str, *, debug: bool = False, **inputs: str) -> None:
    """Opens a graph and starts it by its form; it runs on the canvas."""
    page.goto(f"/graphs/{name}")
    page.get_by_role("button", name="Run", exact=True).click()
    form = page.get_by_role("form", name="Inputs of the run")
    for label, value in inputs.items():
        form.get_by_label(label).fill(value)
    form.get_by_role("button", name="Debug" if debug else "Start run").click()
    expect(page).to_have_url(re.compile(r"\?run="))


def ended(page: Page, word: str) -> None:
    """Waits until the bar above the canvas says how the run ended."""
    bar = page.get_by_role("region", name="This run").filter(has=page.get_by_role("link", name="Open run"))
    expect(bar).to_contain_text(word, timeout=15_000)


def step(page: Page, name: str) -> Locator:
    """A step on the canvas."""
    return page.locator(".react-flow__node").filter(has_text=re.compile(f"^{name}"))


def test_a_dear_order_waits_for_a_person_and_goes_on_with_the_answer(ada: Page) -> None:
    start(ada, "order_desk", order_id="1042")
    expect(ada.get_by_text("Order 1042 is worth 261.9. Approve it?")).to_be_visible(timeout=15_000)

    ada.goto("/questions")
    expect(ada.get_by_text("Order 1042 is worth 261.9. Approve it?").first).to_be_visible()
    ada.go_back()
    ada.get_by_role("button", name="Yes", exact=True).click()
    ended(ada, "Finished")

    ada.get_by_role("tab", name="Events").click()
    expect(ada.get_by_role("table", name="Events").get_by_text("run.finished")).to_be_visible()
    ada.reload()
    ended(ada, "Finished")
    expect(step(ada, "review")).to_contain_text("Done")
    ada.goto("/questions")
    expect(ada.get_by_text("Order 1042 is worth 261.9. Approve it?")).to_have_count(0)


COUNT = """\
state:
  - {name: text, type: str, update: overwrite}
entry: first
nodes:
  first: {call: Convert, settings: {text: "one"}, outputs: {text: text}}
  second: {call: Convert, settings: {text: "${state:text} two"}, outputs: {text: text}}
  third: {call: Convert, settings: {text: "${state:text} three"}, outputs: {text: text}}
edges:
  - {source: first, target: second}
  - {source: second, target: third}
"""


def test_break_step_go_back_change_and_go_on(ada: Page, graph: Callable[[str, str], None]) -> None:
    graph("count_up", COUNT)
    ada.goto("/graphs/count_up")
    ada.get_by_role("button", name="Breakpoint at second").click()
    start(ada, "count_up", debug=True)

    bar = ada.get_by_role("toolbar", name="Debugger")
    expect(bar.get_by_role("status")).to_contain_text("second", timeout=15_000)
    bar.get_by_role("button", name="Step", exact=True).click()
    expect(bar.get_by_role("status")).to_contain_text("third")
    bar.get_by_role("button", name="Back").click()
    expect(bar.get_by_role("status")).to_contain_text("second")

    step(ada, "first").click()
    ada.get_by_role("tab", name="Output").click()
    ada.get_by_role("button", name="Edit text").click()
    ada.get_by_label("New text of text").fill("ONE")
    ada.get_by_role("button", name="Change", exact=True).click()
    bar.get_by_role("button", name="Resume").click()
    ended(ada, "Finished")
    expect(ada.get_by_role("region", name="Output", exact=True).first).to_contain_text("ONE two three")


def make(page: Page, name: str) -> None:
    """Makes an empty graph."""
    page.goto("/graphs")
    page.get_by_role("button", name="New graph").click()
    dialog = page.get_by_role("dialog", name="New graph")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_role("button", name="Create").click()
    expect(page.get_by_role("button", name="Add first step")).to_be_visible()


def test_a_graph_built_by_mouse_runs(ada: Page) -> None:
    make(ada, "by_mouse")
    ada.get_by_role("button", name="Add first step").click()
    ada.get_by_role("option", name=re.compile("^Convert")).click()
    ada.get_by_label("Text", exact=True).fill("green")

    port = step(ada, "convert").locator(".react-flow__handle.source").bounding_box()
    assert port
    ada.mouse.move(port["x"] + 6, port["y"] + 6)
    ada.mouse.down()
    ada.mouse.move(port["x"] + 170, port["y"] + 60, steps=8)
    ada.mouse.up()
    ada.get_by_role("option", name=re.compile("^Ask")).click()
    ada.get_by_label("Question", exact=True).fill("Is ${node:convert/text} right?")
    expect(ada.locator(".react-flow__edge")).to_have_count(1)

    ada.get_by_role("button", name="Undo").click()
    ada.get_by_role("button", name="Redo").click()
    ada.get_by_role("button", name="Run", exact=True).click()
    ada.get_by_role("button", name="Start run").click()
    expect(ada.get_by_text("Is green right?").first).to_be_visible(timeout=15_000)
    ada.get_by_role("button", name="No", exact=True).click()
    ended(ada, "Finished")


def test_a_graph_built_by_keyboard_runs(ada: Page) -> None:
    make(ada, "by_keys")
    keys = ada.keyboard
    for key, name in (("n", "convert"), ("/", "delay")):
        keys.press(key)
        expect(ada.get_by_label("Add", exact=False).and_(ada.get_by_role("combobox"))).to_be_focused()
        keys.type(name[:4])
        expect(ada.get_by_role("option", name=re.compile(name, re.IGNORECASE), selected=True)).to_be_visible()
        keys.press("Enter")
        expect(step(ada, name)).to_be_focused()
    expect(ada.locator(".react-flow__node")).to_have_count(2)
    expect(ada.locator(".react-flow__edge")).to_have_count(1)
    keys.press("Control+Enter")
    expect(ada.get_by_role("button", name="Start run")).to_be_focused()
    keys.press("Enter")
    ended(ada, "Finished")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_watched_run_has_no_serious_finding(ada: Page, scheme: Literal["light", "dark"]) -> None:
    ada.emulate_media(color_scheme=scheme)
    start(ada, "order_desk", order_id="2")
    ended(ada, "Finished")
    step(ada, "look_up").click()
    for tab in ("Input", "Output", "Events", "Settings"):
        ada.get_by_role("tablist", name="Settings").get_by_role("tab", name=tab).click()
        serious(ada, tab)
    for tab in ("Variables", "Trace", "Timeline", "Events", "Breakpoints", "Problems", "Run"):
        ada.get_by_role("tablist", name="Run and document").get_by_role("tab", name=tab).click()
        serious(ada, tab)


def serious(page: Page, where: str) -> None:
    """Fails when the page as it stands can't be used by everybody."""
    found = [one for one in Axe().run(page).response["violations"] if one["impact"] in ("serious", "critical")]
    assert not found, (where, [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found])
