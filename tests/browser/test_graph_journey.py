"""The first demo graph from an empty canvas: built, run, answered, debugged, compared, by mouse and by keys."""

from __future__ import annotations

import re
from typing import Protocol

from playwright.sync_api import Locator, Page, expect

QUESTION = "Order ${state:order_id} is worth ${state:total}. Approve it?"
PROMPT = "Tell the customer that order ${state:order_id} is ${state:status}; it comes to ${state:total}."


class Hand(Protocol):
    """How somebody works with the page."""

    page: Page

    def press(self, target: Locator) -> None:
        """Presses a button or ticks a box."""

    def write(self, target: Locator, text: str) -> None:
        """Writes into a field, in place of what it holds."""

    def switch(self, group: Locator, to: str) -> None:
        """Picks one of some tabs or radio buttons."""

    def choose(self, target: Locator, option: str) -> None:
        """Picks an option of a list."""

    def new_step(self, call: str, name: str, after: str | None) -> None:
        """Adds a step, wired to another one, and names it."""

    def select_wire(self, source: str, targets: str) -> None:
        """Opens the settings of a wire."""

    def select_step(self, name: str) -> None:
        """Opens the settings of a step."""

    def breakpoint(self, name: str) -> None:
        """Sets a breakpoint."""


def step(page: Page, name: str) -> Locator:
    return page.locator(".react-flow__node").filter(has_text=re.compile(f"^{name}"))


class Mouse:
    """Clicks and drags; keys only to type."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, target: Locator) -> None:
        target.click()

    def write(self, target: Locator, text: str) -> None:
        target.fill(text)

    def switch(self, group: Locator, to: str) -> None:
        group.get_by_text(to, exact=True).click()

    def choose(self, target: Locator, option: str) -> None:
        target.click()
        self.page.get_by_role("option", name=re.compile(f"^{re.escape(option)}( |$)")).first.click()

    def new_step(self, call: str, name: str, after: str | None) -> None:
        if after is None:
            self.page.get_by_role("button", name="Add first step").click()
        else:
            port = step(self.page, after).locator(".react-flow__handle.source").bounding_box()
            assert port
            self.page.mouse.move(port["x"] + 6, port["y"] + 6)
            self.page.mouse.down()
            self.page.mouse.move(port["x"] + 150, port["y"] + 40, steps=8)
            self.page.mouse.up()
        self.page.get_by_role("option", name=re.compile(f"^{call}")).click()
        field = self.page.get_by_role("textbox", name="Name", exact=True)
        field.fill(name)
        field.blur()
        expect(step(self.page, name)).to_be_visible()

    def select_wire(self, source: str, targets: str) -> None:
        self.page.get_by_role("button", name="Show all").click()
        self.page.wait_for_timeout(300)  # the canvas glides there
        wire = self.page.locator(f'[aria-label="{source} → {targets}"] path').first.bounding_box()
        assert wire
        self.page.mouse.click(wire["x"] + wire["width"] / 2, wire["y"] + wire["height"] / 2)

    def select_step(self, name: str) -> None:
        step(self.page, name).click()

    def breakpoint(self, name: str) -> None:
        step(self.page, name).hover()
        self.page.get_by_role("button", name=f"Breakpoint at {name}").click()


class Keys:
    """Keys alone."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def go(self, target: Locator, key: str = "Tab") -> None:
        """Moves the focus by a key until it is there."""
        expect(target).to_be_attached()
        for _ in range(120):
            if target.evaluate("one => one === document.activeElement"):
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{key} never comes to {target}")

    def press(self, target: Locator) -> None:
        in_menu = target.get_attribute("role") == "menuitem"
        self.go(target, "ArrowDown" if in_menu else "Tab")
        self.page.keyboard.press("Enter" if in_menu else "Space")

    def write(self, target: Locator, text: str) -> None:
        self.go(target)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    def switch(self, group: Locator, to: str) -> None:
        self.go(group.locator('[aria-selected="true"], input:checked'))
        self.go(group.get_by_role("tab", name=to).or_(group.get_by_role("radio", name=to)), "ArrowRight")

    def choose(self, target: Locator, option: str) -> None:
        self.go(target)
        wanted = self.page.get_by_role("option", name=re.compile(f"^{re.escape(option)}( |$)")).first
        if target.get_attribute("readonly") is None:
            self.page.keyboard.press("Control+a")
            self.page.keyboard.insert_text(option)
        else:
            self.page.keyboard.press("Enter")
        expect(wanted).to_be_visible()
        for _ in range(40):
            if wanted.get_attribute("data-combobox-selected"):
                break
            self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("Enter")

    def to_canvas(self, name: str) -> None:
        """Moves the focus to a step, however far it is."""
        self.go(step(self.page, name))

    def new_step(self, call: str, name: str, after: str | None) -> None:
        keys = self.page.keyboard
        if after is None:
            self.go(self.page.get_by_role("button", name="Add first step"))
            keys.press("Enter")
        else:
            self.select_step(after)
            keys.press("/")
        expect(self.page.get_by_role("combobox", name=re.compile("Add"))).to_be_focused()
        keys.type(call)
        expect(self.page.get_by_role("option", name=re.compile(f"^{call}"), selected=True)).to_be_visible()
        keys.press("Enter")
        keys.press("F2")
        field = self.page.get_by_role("textbox", name="Name", exact=True)
        expect(field).to_be_focused()
        keys.press("Control+a")
        keys.type(name)
        keys.press("Enter")
        expect(step(self.page, name)).to_be_visible()

    def select_wire(self, source: str, targets: str) -> None:
        self.to_canvas(source)
        self.page.keyboard.press("1")
        self.go(self.page.locator(f'.react-flow__edge[aria-label="{source} → {targets}"]'))
        self.page.keyboard.press("Enter")

    def select_step(self, name: str) -> None:
        self.to_canvas(name)
        self.page.keyboard.press("Space")

    def breakpoint(self, name: str) -> None:
        self.select_step(name)
        self.page.keyboard.press("F9")


def new_graph(hand: Hand, name: str) -> None:
    page = hand.page
    page.goto("/graphs")
    hand.press(page.get_by_role("button", name="New graph"))
    dialog = page.get_by_role("dialog", name="New graph")
    hand.write(dialog.get_by_label("Name"), name)
    hand.press(dialog.get_by_role("button", name="Create"))
    expect(page.get_by_role("button", name="Add first step")).to_be_visible()


def variable(hand: Hand, name: str, kind: str, *, asked: bool = False) -> None:
    page = hand.page
    hand.press(page.get_by_role("button", name="Add variable"))
    hand.write(page.get_by_role("group", name="Variable").last.get_by_role("textbox", name="Name"), name)
    page.keyboard.press("Tab")
    one = page.get_by_role("group", name=f"Variable {name}")
    if kind != "Text":
        hand.choose(one.get_by_role("combobox", name="Type"), kind)
    if asked:
        hand.press(one.get_by_label("Asked for at the start"))


def output(hand: Hand, name: str, path: str) -> None:
    page = hand.page
    hand.press(page.get_by_role("button", name="Add output"))
    rows = page.get_by_role("group", name="Into the state")
    which = rows.get_by_role("combobox", name=re.compile("^Variable: ")).last
    if which.input_value() != name:
        hand.choose(which, name)
    hand.write(rows.get_by_role("combobox", name=f"Output for {name}"), path)
    page.keyboard.press("Tab")


def build(hand: Hand, name: str) -> None:
    """Makes the graph of the first demo."""
    page = hand.page
    new_graph(hand, name)
    variable(hand, "order_id", "Text", asked=True)
    variable(hand, "status", "Text")
    variable(hand, "total", "Number")
    variable(hand, "approved", "Yes or no")

    hand.new_step("Tool", "look_up", None)
    hand.choose(page.get_by_role("combobox", name="Tool", exact=True), "order_status")
    hand.write(page.get_by_role("textbox", name="order_id"), "${state:order_id}")
    output(hand, "status", "variables/step1/status")
    output(hand, "total", "variables/step1/total")

    hand.new_step("Ask", "review", "look_up")
    hand.write(page.get_by_label("Question", exact=True), QUESTION)
    output(hand, "approved", "answer")

    hand.new_step("LLM", "reply", "review")
    hand.write(page.get_by_role("textbox", name="User prompt"), PROMPT)
    hand.press(page.get_by_label("With the conversation"))
    expect(page.get_by_label("Show to the user")).to_be_checked()

    hand.select_wire("look_up", "review")
    hand.switch(page.get_by_role("radiogroup", name="When the wire is followed"), "By condition")
    hand.choose(page.get_by_role("combobox", name="Variable", exact=True), "total")
    hand.choose(page.get_by_role("combobox", name="Comparison"), "is more than")
    hand.write(page.get_by_role("textbox", name="Value"), "100")
    hand.choose(page.get_by_role("combobox", name="Target of branch 1"), "review")
    hand.choose(page.get_by_role("combobox", name="Otherwise"), "reply")
    expect(page.locator(".react-flow__edge")).to_have_count(3)


def bar(page: Page) -> Locator:
    return page.get_by_role("region", name="This run").filter(has=page.get_by_role("link", name="Open run"))


def first_run(hand: Hand) -> None:
    """Runs it with a dear order and says yes."""
    page = hand.page
    page.keyboard.press("Control+Enter")
    hand.write(page.get_by_role("form", name="Inputs of the run").get_by_label("order_id"), "1042")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Order 1042 is worth 261.9. Approve it?")).to_be_visible(timeout=15_000)
    expect(step(page, "review")).to_contain_text("Waiting")
    hand.press(page.get_by_role("button", name="Yes", exact=True))
    expect(bar(page)).to_contain_text("Finished", timeout=15_000)
    outcome = page.get_by_role("region", name="This run").filter(has=page.get_by_role("heading", name="Output"))
    expect(outcome).to_contain_text("it comes to 261.9")


def debug(hand: Hand) -> None:
    """Stops at the question, answers, goes back, changes the amount, goes on, says no."""
    page = hand.page
    hand.breakpoint("review")
    hand.press(page.get_by_role("button", name="Debug", exact=True))
    tools = page.get_by_role("toolbar", name="Debugger")
    expect(tools.get_by_role("status")).to_contain_text("At a breakpoint", timeout=15_000)
    hand.press(tools.get_by_role("button", name="Step", exact=True))
    hand.press(page.get_by_role("button", name="Yes", exact=True))
    expect(tools.get_by_role("status")).to_contain_text("reply", timeout=15_000)
    hand.press(tools.get_by_role("button", name="Back"))
    expect(tools.get_by_role("status")).to_contain_text("review", timeout=15_000)

    hand.select_step("look_up")
    details = page.get_by_role("complementary", name="Settings")
    hand.switch(details.get_by_role("tablist", name="Settings"), "Output")
    hand.press(page.get_by_role("button", name="Edit total"))
    hand.write(page.get_by_label("New value of total"), "300")
    hand.press(page.get_by_role("button", name="Change", exact=True))
    expect(details.get_by_role("region", name="State before and after")).to_contain_text("300")
    hand.press(tools.get_by_role("button", name="Resume"))
    expect(page.get_by_text("Order 1042 is worth 300. Approve it?")).to_be_visible(timeout=15_000)
    hand.press(page.get_by_role("button", name="No", exact=True))
    expect(bar(page)).to_contain_text("Finished", timeout=15_000)


def compare(hand: Hand) -> None:
    """Lays the two runs side by side: the amount is the first difference."""
    page = hand.page
    hand.press(bar(page).get_by_role("button", name="Compare with"))
    hand.press(page.get_by_role("menuitem").filter(has_text="Finished").first)
    expect(page).to_have_url(re.compile("/compare/"))
    main = page.get_by_role("main")
    expect(main).to_contain_text("261.9")
    expect(main).to_contain_text("300")


def journey(hand: Hand, name: str) -> None:
    build(hand, name)
    first_run(hand)
    debug(hand)
    compare(hand)


def test_the_first_demo_graph_by_mouse(ada: Page) -> None:
    journey(Mouse(ada), "desk_by_mouse")


def test_the_first_demo_graph_by_keyboard(ada: Page) -> None:
    journey(Keys(ada), "desk_by_keys")
