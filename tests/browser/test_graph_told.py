"""What the graph editor says of a graph and a run, in words that can be told apart."""

from __future__ import annotations

from collections import Counter

from playwright.sync_api import Page, expect

from tests.browser.test_graph_mending import send
from tests.browser.test_graph_runs import start
from tests.support.server import Server

DOUBTFUL = """name: told_doubtful
entry: ask
state: []
nodes:
  ask: {call: Ask, settings: {question: " "}}
  alone: {call: Delay, settings: {seconds: 0}}
edges: []
layout:
  ask: {x: 0, y: 0}
  alone: {x: 272, y: 0}
"""
LANDMARKS = "[role=region], section[aria-label], nav, aside, form[aria-label]"
NAMES = "all => all.filter((one) => one.checkVisibility()).map((one) => one.getAttribute('aria-label'))"


def test_warnings_are_the_servers_in_the_readers_language(ada: Page, server: Server) -> None:
    made = send(ada, server, "POST", "graphs/", {"definition": DOUBTFUL})
    assert [one["path"] for one in made["warnings"]] == ["nodes.ask.settings.question", "nodes.alone"]
    ada.goto("/graphs/told_doubtful?show=problems")
    panel = ada.get_by_role("tabpanel")
    expect(panel).to_contain_text("Nothing leads to alone, so it never runs.")
    ada.evaluate("localStorage.setItem('workbench.language', 'zh')")
    ada.reload()
    expect(panel).to_contain_text("没有连线通向 alone，它永远不会运行。")
    expect(panel).to_contain_text("ask 没有问题")
    ada.evaluate("localStorage.removeItem('workbench.language')")


def test_a_new_graph_leaves_no_version_of_its_own_in_the_history(ada: Page) -> None:
    ada.goto("/graphs")
    ada.get_by_role("button", name="New graph").click()
    ada.get_by_role("dialog", name="New graph").get_by_label("Name").fill("told_new")
    ada.get_by_role("button", name="Create").click()
    ada.get_by_role("button", name="Add first step").click()
    ada.get_by_role("combobox", name="Add a step").fill("wait")
    with ada.expect_response(lambda answer: answer.request.method == "PUT" and answer.ok):
        ada.keyboard.press("Enter")
    ada.get_by_role("button", name="History").click()
    history = ada.get_by_role("complementary", name="History")
    expect(history.get_by_role("listitem", name="Version 2")).to_be_visible()
    expect(history.get_by_role("listitem", name="Version 1")).to_have_count(0)
    expect(history.get_by_role("button", name="and 1 earlier save")).to_be_visible()


def test_landmarks_of_a_watched_run_have_names_of_their_own(ada: Page, server: Server) -> None:
    run = start(ada, server, "three_sources", {})
    ada.goto(f"/graphs/three_sources?run={run}&show=run")
    expect(ada.get_by_role("region", name="What comes of this run", exact=True)).to_be_visible()
    expect(ada.get_by_role("region", name="This run", exact=True)).to_have_count(1)
    names = [name for name in ada.locator(LANDMARKS).evaluate_all(NAMES) if name]
    assert [name for name, count in Counter(names).items() if count > 1] == []


def test_a_name_that_is_too_long_says_so(ada: Page, server: Server) -> None:
    send(ada, server, "POST", "graphs/", {"definition": DOUBTFUL.replace("told_doubtful", "told_long")})
    ada.goto("/graphs/told_long?node=alone")
    ada.get_by_role("textbox", name="Name", exact=True).fill("n" * 65)
    expect(ada.get_by_text("A name has at most 64 characters; this one has 65.")).to_be_visible()


PASTE = """(box, length) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "x".repeat(length));
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    return !box.dispatchEvent(event);
}"""


def test_a_paste_that_no_document_can_hold_is_refused_before_it_is_laid_out(ada: Page, server: Server) -> None:
    text = DOUBTFUL.replace("told_doubtful", "told_paste").replace('" "', '"Well?"')
    send(ada, server, "POST", "graphs/", {"definition": text})
    ada.goto("/graphs/told_paste?node=ask")
    question = ada.get_by_role("textbox", name="Question")
    assert question.evaluate(PASTE, 10 * 1024 * 1024)
    expect(ada.get_by_role("alert")).to_have_text("Nothing was put in: the text is longer than 2000000 characters")
    expect(question).to_have_value("Well?")
    assert not question.evaluate(PASTE, 1000)


SLOW_TOOL = """name: told_slow
desc: Takes its time
steps:
  - url: http://sandbox/slow?seconds=20
    result: done
"""
ASKING = """name: told_asking
entry: think
nodes:
  think: {call: LLM, settings: {system_prompt: Be brief, user_prompt: Use told_slow now, tools: [told_slow]}}
edges: []
layout:
  think: {x: 0, y: 0}
"""


def test_what_a_model_is_asked_is_shown_while_its_step_still_runs(ada: Page, server: Server) -> None:
    send(ada, server, "POST", "tools/", {"yaml": SLOW_TOOL})
    send(ada, server, "POST", "graphs/", {"definition": ASKING})
    run = start(ada, server, "told_asking", {})
    ada.goto(f"/graphs/told_asking?run={run}&node=think")
    ada.get_by_role("tab", name="Input", exact=True).click()
    asked = ada.get_by_role("region", name="Asked of the model")
    expect(asked).to_contain_text("Use told_slow now")
    expect(ada.get_by_test_id("node-think")).to_contain_text("Running")
    send(ada, server, "POST", f"runs/{run}/command/", {"command": "cancel"})
    expect(ada.get_by_role("region", name="This run", exact=True)).to_contain_text("Cancelled")
