"""The forms of a graph in the browser: what people who never programmed build without seeing YAML or CEL."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_graphs import ended, make, step
from tests.browser.test_tools import csrf
from tests.support.server import Server


@pytest.fixture
def graph(ada: Page, server: Server) -> Callable[[str, str], None]:
    """Stores a graph, as by import, and opens it."""

    def store(name: str, text: str) -> None:
        answer = ada.request.post(
            f"{server.url}/api/v1/graphs/",
            data={"definition": f"name: {name}\n{text}"},
            headers={"X-CSRFToken": csrf(ada)},
        )
        assert answer.ok, answer.text()
        ada.goto(f"/graphs/{name}")

    return store


def settings(page: Page) -> Locator:
    """The panel at the right."""
    return page.get_by_role("complementary", name="Settings")


def add(page: Page, kind: str, *, first: bool = False) -> None:
    """Adds a step, after the one that is selected."""
    if first:
        page.get_by_role("button", name="Add first step").click()
        page.get_by_role("option", name=re.compile(f"^{kind}")).click()
    else:
        page.keyboard.press("/")
        page.get_by_role("option", name=re.compile(f"^{kind}")).click()


def pick(page: Page, field: str, option: str) -> None:
    """Picks in a list."""
    settings(page).get_by_role("combobox", name=field, exact=True).click()
    page.get_by_role("option", name=re.compile(rf"^{re.escape(option)}(\s|$)")).click()


def refer(page: Page, field: str, group: str, value: str) -> None:
    """Puts a value from elsewhere into a field, from the list of what there is."""
    settings(page).get_by_role("button", name=f"Insert a reference: {field}", exact=True).click()
    page.get_by_role("group", name=group, exact=True).get_by_role("option", name=re.compile(f"^{value}")).click()


def write_as(page: Page, name: str, kind: str, *, row: bool = False) -> None:
    """Says what kind of value is written."""
    settings(page).get_by_role("button", name=f"{'Actions for' if row else 'Kind of value:'} {name}").click()
    page.get_by_role("menuitem", name=kind, exact=True).click()


def run(page: Page, **inputs: str) -> None:
    """Starts a run of the open graph and waits until it is the one that is watched."""
    before = page.url
    form = page.get_by_role("form", name="Inputs of the run")
    if not form.is_visible():  # where it is open, Run starts
        page.get_by_role("button", name="Run", exact=True).click()
    for label, value in inputs.items():
        form.get_by_label(label).fill(value)
    form.get_by_role("button", name="Start run").click()
    expect(page).not_to_have_url(before)
    expect(page).to_have_url(re.compile(r"\?run="))


def final_state(page: Page, server: Server) -> dict[str, Any]:
    """What the watched run ended with."""
    ended(page, "Finished")
    found = re.search(r"\?run=\W*([0-9a-f-]{36})", page.url)
    assert found, page.url
    answer = page.request.get(f"{server.url}/api/v1/runs/{found[1]}/")
    output = answer.json()["output"]
    assert isinstance(output, dict)
    return output


def text_of(page: Page, server: Server, name: str, *, holds: str) -> str:
    """The graph's text as it is stored, once it holds something."""
    expect(page.get_by_text("Saved", exact=False).first).to_be_visible()

    def stored() -> str:
        return str(page.request.get(f"{server.url}/api/v1/graphs/{name}/").json()["definition"])

    for _ in range(50):
        if holds in stored():
            break
        page.wait_for_timeout(100)
    assert holds in stored()
    return stored()


CHILD = """\
state:
  - {name: order, type: dict, update: overwrite, description: What was ordered}
  - {name: said, type: str, update: overwrite}
inputs: [order]
entry: say
nodes:
  say: {call: Convert, settings: {text: "${state:order}"}, outputs: {said: text}}
edges: []
"""


def test_each_item_of_a_list_gets_nested_values(ada: Page, server: Server, graph: Callable[[str, str], None]) -> None:
    graph("say_order", CHILD)
    make(ada, "each_order")
    add(ada, "For each", first=True)
    panel = settings(ada)
    write_as(ada, "Items", "List")
    for n, item in enumerate(("red", "green"), start=1):
        panel.get_by_role("button", name="Add item: Items").click()
        panel.get_by_label(f"Item {n} of Items", exact=True).get_by_role("textbox").fill(item)
    expect(panel.get_by_role("group", name="order")).to_have_count(0)
    pick(ada, "Graph", "say_order")

    panel.get_by_role("button", name="Add value: order").click()
    panel.get_by_label("Name: value").fill("colour")
    panel.get_by_label("Name: value").press("Enter")
    refer(ada, "Value of colour", "The item", "value")
    panel.get_by_role("button", name="Add value: order").click()
    panel.get_by_label("Name: value").fill("tags")
    panel.get_by_label("Name: value").press("Enter")
    write_as(ada, "tags", "List", row=True)
    for n, tag in enumerate(("first", "second"), start=1):
        panel.get_by_role("button", name="Add item: Value of tags").click()
        panel.get_by_label(f"Item {n} of Value of tags", exact=True).get_by_role("textbox").fill(tag)
    panel.get_by_role("button", name="Actions for Item 2 of Value of tags").click()
    ada.get_by_role("menuitem", name="Move up").click()
    expect(panel.get_by_label("Item 1 of Value of tags", exact=True).get_by_role("textbox")).to_have_value("second")
    panel.get_by_role("button", name="Add output").click()

    run(ada)
    results = final_state(ada, server)
    (values,) = [value for value in results.values() if isinstance(value, list) and value]
    assert [item["order"] for item in values] == [
        {"colour": "red", "tags": ["second", "first"]},
        {"colour": "green", "tags": ["second", "first"]},
    ]


def test_a_question_with_a_form(ada: Page, server: Server) -> None:
    make(ada, "ask_form")
    add(ada, "Ask", first=True)
    panel = settings(ada)
    panel.get_by_label("Question", exact=True).fill("What happened?")
    pick(ada, "Answer", "One of several choices")
    panel.get_by_role("button", name="Add item: Choices").click()
    pick(ada, "Answer", "A form to fill in")
    expect(panel.get_by_role("button", name="Add item: Choices")).to_have_count(0)

    for n, (name, kind) in enumerate((("reason", "Text"), ("count", "Whole number"))):
        panel.get_by_role("button", name="Add field: Form").click()
        panel.get_by_label("Name: field").fill(name)
        panel.get_by_label("Name: field").press("Enter")
        pick(ada, f"Type of {name}", kind)
        panel.get_by_role("checkbox", name="Must be given").nth(n).check()
    panel.get_by_role("button", name="Add output").click()
    assert "choices:" in text_of(ada, server, "ask_form", holds="required: [reason, count]")

    run(ada)
    ada.get_by_role("textbox", name=re.compile("^reason")).fill("rain")
    ada.get_by_role("textbox", name=re.compile("^count")).fill("3")
    ada.get_by_role("button", name="Send the answer").click()
    state = final_state(ada, server)
    assert {"reason": "rain", "count": 3} in state.values()


BRANCHES = """\
state:
  - {name: total, type: float, update: overwrite}
  - {name: said, type: str, update: overwrite}
inputs: [total]
entry: begin
nodes:
  begin: {call: Delay, settings: {seconds: 0}}
  dear: {call: Convert, settings: {text: dear}, outputs: {said: text}}
  cheap: {call: Convert, settings: {text: cheap}, outputs: {said: text}}
edges:
  - {source: begin, target: cheap}
"""


def test_a_condition_is_built_without_an_expression(
    ada: Page, server: Server, graph: Callable[[str, str], None]
) -> None:
    graph("dear_or_cheap", BRANCHES)
    ada.locator(".react-flow__edge").first.dispatch_event("click")
    panel = settings(ada)
    panel.get_by_text("By condition").click()
    branch = panel.get_by_role("group", name="Branch 1")
    branch.get_by_role("combobox", name="Comparison").click()
    ada.get_by_role("option", name="is more than").click()
    branch.get_by_label("Value").fill("100")
    branch.get_by_role("combobox", name="Target of branch 1").click()
    ada.get_by_role("option", name="dear", exact=True).click()
    pick(ada, "Otherwise", "cheap")
    for total, said in (("261.9", "dear"), ("99", "cheap")):
        run(ada, total=total)
        assert final_state(ada, server)["said"] == said


def test_what_a_tool_takes_out_of_answers_is_offered(ada: Page, server: Server) -> None:
    make(ada, "cafe\u0301_提供")  # in the form that a keyboard may give; the name is the composed one
    expect(ada).to_have_url(re.compile("/graphs/caf%C3%A9_"))
    add(ada, "Tool", first=True)
    panel = settings(ada)
    pick(ada, "Tool", "order_status")
    panel.get_by_role("textbox", name="order_id *").fill("1042")
    step(ada, "tool").focus()
    add(ada, "Convert")
    refer(ada, "Text", "From tool", "variables › step1 › total")
    panel.get_by_role("button", name="Add output").click()
    run(ada)
    assert "261.9" in map(str, final_state(ada, server).values())


def test_the_yaml_is_completed_with_what_there_is(ada: Page, server: Server) -> None:
    make(ada, "completed")
    ada.get_by_label("Takes a message at the start").check()
    add(ada, "Tool", first=True)
    ada.get_by_role("button", name="YAML").click()
    editor = ada.get_by_role("textbox", name="YAML of the graph")
    line = editor.locator(".cm-line").filter(has_text='tool: ""')
    line.click()
    keys = ada.keyboard
    keys.press("End")
    for _ in range(2):
        keys.press("Backspace")
    keys.type("order_s", delay=30)
    with ada.expect_response("**/tools/order_status/"):
        keys_option(ada, "order_status")
    keys.press("Enter")
    keys.type("par", delay=30)
    keys_option(ada, "params")
    keys.press("Enter")
    keys.type("  ord", delay=30)
    keys_option(ada, "order_id")
    keys.type("${sy", delay=30)
    keys_option(ada, "${sys:question}")
    text = text_of(ada, server, "completed", holds="sys:question")
    assert "      tool: order_status\n      params:\n        order_id: ${sys:question}\n" in text


def keys_option(page: Page, label: str) -> None:
    """Takes what is offered at the caret."""
    expect(page.locator(".cm-tooltip-autocomplete li[aria-selected]")).to_contain_text(label)
    page.wait_for_timeout(120)  # the editor takes no pick in the first moment, so that none is taken by accident
    page.keyboard.press("Enter")


NAMES = """\
state:
  - {name: total, type: float, update: overwrite}   # what it costs
inputs: [total]
entry: begin
nodes:
  begin:
    call: Convert
    settings: {text: "total ${state:total}", values: {more: 'state.total * 2.0', said: '"state.total"'}}
    outputs: {total: more}
  after: {call: Convert, settings: {text: "${node:begin/text}"}}
edges:
  - {source: begin, router: 'state["total"] > 1.0 ? "after" : "end"', possible_targets: [after, end]}
"""


def test_a_new_name_is_followed_everywhere_and_taken_back_at_once(
    ada: Page, server: Server, graph: Callable[[str, str], None]
) -> None:
    graph("renamed", NAMES)
    before = text_of(ada, server, "renamed", holds="total")
    field = settings(ada).get_by_role("textbox", name="Name of the variable")
    field.fill("总额")
    field.press("Enter")
    step(ada, "begin").click()
    name = settings(ada).get_by_label("Name", exact=True)
    name.fill("start_here")
    name.press("Enter")
    text = text_of(ada, server, "renamed", holds="start_here:")
    assert text == (
        before.replace("name: total", "name: 总额")
        .replace("[total]", "[总额]")
        .replace("${state:total}", "${state:总额}")
        .replace("'state.total * 2.0'", "'state[\"总额\"] * 2.0'")
        .replace("{total: more}", "{总额: more}")
        .replace('state["total"]', 'state["总额"]')
        .replace("entry: begin", "entry: start_here")
        .replace("  begin:\n", "  start_here:\n")
        .replace("${node:begin/", "${node:start_here/")
        .replace("source: begin", "source: start_here")
    )
    ada.get_by_role("button", name="Undo").click()
    ada.get_by_role("button", name="Undo").click()
    assert text_of(ada, server, "renamed", holds="name: total") == before


def test_a_run_takes_what_was_typed_last_in_a_long_document(
    ada: Page, server: Server, graph: Callable[[str, str], None]
) -> None:
    long = "state:\n  - {name: said, type: str}\nentry: say\nnodes:\n  say: {call: Convert, settings: {text: old}, "
    graph("long", f"{long}outputs: {{said: text}}}}\nedges: []\ndescription: {'long ' * 4000}\n")
    ada.get_by_role("button", name="Run", exact=True).click()
    expect(ada.get_by_role("button", name="Start run")).to_be_visible()
    step(ada, "say").click()
    field = settings(ada).get_by_label("Text", exact=True)
    field.fill("new")
    field.press("Control+Enter")
    expect(ada).to_have_url(re.compile(r"\?run="))
    assert final_state(ada, server)["said"] == "new"
