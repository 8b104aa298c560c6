"""What somebody meets who makes a first tool and a first graph: what is missing is asked for, in its place."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.support.server import Server

COMMAND = "curl http://sandbox/orders/secure/1042 -H 'Authorization: Bearer a-key-of-mine'"
ASKS = """name: {name}
desc: Looks an order up
params:
  - name: order_id
    type: string
    required: true
    description: Number of the order
steps:
  - url: http://sandbox/orders/${{param:order_id}}
    method: GET
    var:
      - name: amount
        extract: data.amount
"""
GRAPH = """name: {name}
state:
  - {{name: order_id, type: str, update: overwrite}}
  - {{name: total, type: float, update: overwrite}}
inputs: [order_id]
entry: look_up
nodes:
  look_up:
    call: Tool
    settings: {{tool: {tool}, params: {{order_id: "${{state:order_id}}"}}}}
edges: []
"""
FIELDS = {"tools": "yaml", "graphs": "definition"}


def made(page: Page, server: Server, kind: str, text: str) -> None:
    token = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "csrftoken")
    answer = page.request.post(
        f"{server.url}/api/v1/{kind}/", data={FIELDS[kind]: text}, headers={"X-CSRFToken": token}
    )
    assert answer.ok, answer.text()


def run(page: Page) -> None:
    page.get_by_role("button", name="Run", exact=True).click()


def test_a_command_takes_the_place_of_the_step_that_a_new_tool_begins_with(ada: Page) -> None:
    ada.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ada.goto("/tools")
    ada.get_by_role("button", name="New tool").first.click()
    ada.get_by_role("textbox", name="Name", exact=True).fill("first_command")
    ada.get_by_role("button", name="Create").click()
    form = ada.get_by_role("region", name="Form")
    expect(form.get_by_role("listitem", name="Step 0", exact=True)).to_be_visible()
    ada.evaluate("text => navigator.clipboard.writeText(text)", COMMAND)
    form.get_by_role("heading", name="Steps").click()
    ada.keyboard.press("Control+V")
    # The tool keeps the word: whoever put it into the secret too would send it twice.
    expect(form.get_by_role("status", name="What became of the cURL command")).to_contain_text(
        "what follows Bearer in the header Authorization, without the word Bearer"
    )
    expect(form.get_by_role("textbox", name="Address (URL)")).to_have_value("http://sandbox/orders/secure/1042")
    expect(form.get_by_role("listitem", name="Step 1", exact=True)).to_have_count(0)
    form.get_by_role("heading", name="Steps").click()
    ada.keyboard.press("Control+V")
    expect(form.get_by_role("listitem", name="Step 1", exact=True)).to_be_visible()


def test_an_input_that_a_tool_requires_is_asked_for_before_anything_runs(ada: Page, server: Server) -> None:
    made(ada, server, "tools", ASKS.format(name="asks_first"))
    ada.goto("/tools/asks_first")
    field = ada.get_by_role("group", name="Inputs of the run").get_by_role("textbox", name="order_id")
    expect(field).to_be_visible()
    run(ada)
    expect(ada.get_by_text("Fill this in first: the tool needs it.")).to_be_visible()
    expect(field).to_be_focused()
    assert "run=" not in ada.url
    ada.keyboard.type("1042")
    expect(ada.get_by_text("Fill this in first: the tool needs it.")).to_have_count(0)
    run(ada)
    expect(ada.get_by_test_id("run-status")).to_contain_text("Finished", timeout=15_000)


def test_a_graph_asks_for_what_it_is_given_when_its_form_was_open_before(ada: Page, server: Server) -> None:
    made(ada, server, "tools", ASKS.format(name="for_first_graph"))
    made(ada, server, "graphs", GRAPH.format(name="first_graph", tool="for_first_graph"))
    ada.goto("/graphs/first_graph")
    run(ada)
    field = ada.get_by_role("form", name="Inputs of the run").get_by_role("textbox", name="order_id")
    expect(field).to_be_focused()
    run(ada)
    expect(field).to_be_focused()
    expect(ada.get_by_role("button", name="Stop")).to_have_count(0)
    ada.keyboard.type("1042")
    run(ada)
    expect(ada.get_by_role("region", name="This run", exact=True)).to_contain_text("Finished", timeout=15_000)


def test_an_output_goes_into_the_variable_that_no_step_writes(ada: Page, server: Server) -> None:
    made(ada, server, "tools", ASKS.format(name="for_output"))
    made(ada, server, "graphs", GRAPH.format(name="keeps_output", tool="for_output"))
    ada.goto("/graphs/keeps_output")
    ada.get_by_role("group", name="look_up, Tool").click()
    ada.get_by_role("button", name="Add output").click()
    expect(ada.get_by_role("combobox", name="Output for total")).to_have_value("variables/step0/amount")


def test_a_failed_step_shows_the_answer_behind_it(ada: Page, server: Server) -> None:
    tool = ASKS.format(name="refused_order").replace("/orders/", "/orders/secure/")
    made(ada, server, "tools", tool)
    kept = "}}\n    outputs: {{total: variables/step0/amount}}\nedges"
    graph = GRAPH.replace("}}\nedges", kept).format(name="refused_graph", tool="refused_order")
    made(ada, server, "graphs", graph)
    ada.goto("/graphs/refused_graph")
    run(ada)
    ada.get_by_role("form", name="Inputs of the run").get_by_role("textbox", name="order_id").fill("1042")
    ada.get_by_role("button", name="Start run").click()
    card = ada.get_by_role("alert").filter(has_text="look_up failed")
    expect(card).to_contain_text("a number is wanted, but an empty text came", timeout=15_000)
    card.get_by_role("button", name="See request and answer").click()
    settings = ada.get_by_role("complementary", name="Settings")
    expect(settings.get_by_role("group", name="Answer")).to_contain_text("Ask /sandbox/token for a token first.")
