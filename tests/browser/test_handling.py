"""How the pages handle: bars that fit, what is only read, where things stand after Tidy, the way to set-up."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Errors, sign_in
from tests.browser.test_graph_runs import start
from tests.browser.test_tools import csrf
from tests.support.server import Client, Server

LOOP = """
entry: a
nodes:
  a: {call: Delay, settings: {seconds: 0}}
  b: {call: Delay, settings: {seconds: 0}}
  c: {call: Delay, settings: {seconds: 0}}
  d: {call: Delay, settings: {seconds: 0}}
edges:
  - {source: a, target: b}
  - {source: b, target: c}
  - {source: c, target: d}
  - {source: a, target: d}
layout: {a: {x: 0, y: 0}, b: {x: 4000, y: 0}, c: {x: 200, y: 3000}, d: {x: 100, y: 100}}
"""


def store(page: Page, server: Server, name: str, text: str) -> None:
    """Stores a graph, as by import."""
    answer = page.request.post(
        f"{server.url}/api/v1/graphs/",
        data={"definition": f"name: {name}\n{text}"},
        headers={"X-CSRFToken": csrf(page)},
    )
    assert answer.ok, answer.text()


def middle(target: Locator) -> float:
    """How high on the screen something stands."""
    box = target.bounding_box()
    assert box
    return box["y"] + box["height"] / 2


def test_the_debuggers_bar_is_one_row_in_a_narrow_window(ada: Page, server: Server) -> None:
    run = start(ada, server, "all_pages", {}, mode="debug", breakpoints=[{"node": "keep"}])
    for address, bar_of in ((f"/graphs/all_pages?run={run}", "This run"), (f"/runs/{run}", None)):
        for width in (1024, 800):
            ada.set_viewport_size({"width": width, "height": 768})
            ada.goto(address)
            tools = ada.get_by_role("toolbar", name="Debugger")
            expect(tools).to_contain_text("keep")
            names = ["Resume", "Step", "Back", "Run to here"]
            if bar_of:
                bar = ada.get_by_role("region", name=bar_of)
                buttons = [bar.get_by_role("button", name=name, exact=True) for name in (*names, "Compare with…")]
            else:
                buttons = [tools.get_by_role("button", name=name, exact=True) for name in (*names, "Stop")]
            heights = [middle(button) for button in buttons]
            assert max(heights) - min(heights) < 4, (address, width, heights)


def test_the_traces_drawing_fills_its_panel(ada: Page, server: Server) -> None:
    run = start(ada, server, "all_pages", {})
    ada.goto(f"/runs/{run}")
    ada.get_by_role("tab", name="Trace").click()
    ada.get_by_text("Drawing", exact=True).click()
    details = ada.get_by_role("complementary", name="Details")
    expect(details.get_by_role("option").first).to_be_visible()
    drawing = details.get_by_role("listbox", name="Visits").bounding_box()
    panel = details.bounding_box()
    assert drawing
    assert panel
    assert drawing["height"] > panel["height"] * 0.75


def test_after_tidy_everything_is_in_view(ada: Page, server: Server) -> None:
    store(ada, server, "scattered", LOOP)
    ada.goto("/graphs/scattered")
    expect(ada.get_by_test_id("node-a")).to_be_visible()
    ada.get_by_role("button", name="Zoom in").click(click_count=3)
    ada.get_by_role("button", name="Tidy").click()
    for name in "abcd":
        expect(ada.get_by_test_id(f"node-{name}")).to_be_in_viewport(ratio=1)
    expect(ada.get_by_test_id("save-state")).to_contain_text("Saved")


def test_visits_are_numbered_as_they_count(ada: Page, server: Server) -> None:
    run = start(ada, server, "all_pages", {}, mode="debug", breakpoints=[{"node": "keep"}])
    ada.goto(f"/runs/{run}")
    bar = ada.get_by_role("toolbar", name="Debugger")
    expect(bar).to_contain_text("At a breakpoint")
    bar.get_by_role("button", name="Back", exact=True).click()
    expect(bar).to_contain_text("read_page")
    bar.get_by_role("button", name="Step", exact=True).click()
    expect(bar).to_contain_text("keep")
    ada.get_by_role("tab", name="Trace").click()
    rows = ada.get_by_role("table", name="Visits").get_by_role("row")
    expect(rows.filter(has_text="taken back")).to_have_count(2)
    counted = rows.filter(has_not_text="taken back")
    for row, number in ((0, "1"), (1, "2"), (2, "3")):
        expect(counted.nth(row)).to_contain_text(re.compile(rf"(first_page|read_page|keep){number}"))


def test_runs_to_compare_with_tell_their_inputs(ada: Page, server: Server) -> None:
    start(ada, server, "order_desk", {"order_id": "7"})
    run = start(ada, server, "order_desk", {"order_id": "8"})
    ada.goto(f"/runs/{run}")
    ada.get_by_role("button", name="Compare with").click()
    choice = ada.get_by_role("menuitem").filter(has_text="order_id: 7").first
    expect(choice).to_contain_text(re.compile("Finished|Waiting"))
    choice.click()
    expect(ada).to_have_url(re.compile("/compare/"))


def test_an_operator_sees_what_is_only_read(
    ada: Page, server: Server, browser: Browser, browser_context_args: dict[str, object]
) -> None:
    ada.goto("/graphs/order_desk")
    review = ada.get_by_test_id("node-review")
    review.click()
    answer = ada.get_by_role("combobox", name="Answer")
    editable = answer.evaluate("one => getComputedStyle(one).backgroundColor")

    client = Client(server.url)
    client.post("session/", {"username": "ada", "password": "correct horse battery staple"}, expect=200)
    server.member(client, "only_reads", "operator").http.close()
    client.http.close()
    context = browser.new_context(**browser_context_args, base_url=server.url)  # type: ignore[arg-type]
    sign_in(context, server, "only_reads")
    page = context.new_page()
    page.goto("/graphs/order_desk")
    expect(page.get_by_text("Read only: only authors and admins change it")).to_be_visible()
    page.get_by_test_id("node-review").click()
    answer = page.get_by_role("combobox", name="Answer")
    name = page.get_by_role("textbox", name="Name", exact=True)
    colour = "one => getComputedStyle(one).backgroundColor"
    assert answer.evaluate(colour) == name.evaluate(colour) != editable
    context.close()


def test_a_new_graph_begins_with_one_version(ada: Page) -> None:
    ada.goto("/graphs")
    ada.get_by_role("button", name="New graph").click()
    ada.get_by_role("dialog", name="New graph").get_by_label("Name").fill("one_version")
    ada.get_by_role("button", name="Create").click()
    expect(ada.get_by_role("button", name="Add first step")).to_be_visible()
    ada.get_by_role("button", name="History").click()
    versions = ada.get_by_role("complementary", name="History").get_by_role("listitem")
    expect(versions).to_have_count(1)
    expect(versions).not_to_contain_text("Empty graph")


def test_a_path_that_the_answer_has_elsewhere_is_suggested(ada: Page, server: Server) -> None:
    text = """name: meant_elsewhere
desc: Reads an order
params: []
steps:
  - url: http://sandbox/orders/1
    method: GET
    var:
      - {name: status, extract: status}
    result: "${step0:status}"
"""
    answer = ada.request.post(f"{server.url}/api/v1/tools/", data={"yaml": text}, headers={"X-CSRFToken": csrf(ada)})
    assert answer.ok, answer.text()
    ada.goto("/tools/meant_elsewhere")
    ada.get_by_role("button", name="Run", exact=True).click()
    variable = ada.get_by_role("group", name="Variable status")
    variable.get_by_role("button", name="data.status").click()
    expect(variable.get_by_role("textbox", name="Found at")).to_have_value("data.status")
    expect(variable.get_by_role("button", name="data.status")).to_have_count(0)


def test_before_the_first_admin_the_way_leads_to_set_up(own: Server, browser: Browser, errors: Errors) -> None:
    context = browser.new_context(base_url=own.url, locale="en-US")
    page = context.new_page()
    errors.watch(page)
    page.goto("/sign-in")
    expect(page.get_by_role("heading", name="Workbench is not set up yet")).to_be_visible()
    page.get_by_label("Link from the server's output").fill(f"{own.url}/set-up?token={own.set_up_token}")
    page.get_by_role("button", name="Go on to set-up").click()
    expect(page.get_by_label("User name")).to_be_visible()
    own.first_admin()
    page.goto("/sign-in")
    expect(page.get_by_role("heading", name="Sign in to Workbench")).to_be_visible()
    context.close()


def test_a_click_on_a_value_takes_it_into_a_variable(ada: Page, server: Server) -> None:
    text = """name: taken_by_click
desc: Reads an order
params: []
steps:
  - url: http://sandbox/orders/1042
    method: GET
    result: done
"""
    answer = ada.request.post(f"{server.url}/api/v1/tools/", data={"yaml": text}, headers={"X-CSRFToken": csrf(ada)})
    assert answer.ok, answer.text()
    ada.goto("/tools/taken_by_click")
    ada.get_by_role("button", name="Run", exact=True).click()
    expect(ada.get_by_role("button", name="Finished Step 0")).to_have_attribute("aria-expanded", "true")
    ada.get_by_role("group", name="Answer").get_by_role("button", name="amount").click()
    variable = ada.get_by_role("group", name="Variable amount")
    expect(variable.get_by_role("textbox", name="Found at")).to_have_value("data.amount")
    expect(variable.get_by_role("textbox", name="Variable")).to_be_focused()
    expect(ada.get_by_test_id("save-state")).to_contain_text("Saved")
