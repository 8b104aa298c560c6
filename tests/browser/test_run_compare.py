"""Two runs beside each other, and the drawing of a trace, in the browser."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.support.server import Server


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

    def until(self, run: str, *statuses: str) -> None:
        for _ in range(150):
            if self("GET", f"runs/{run}/")["status"] in statuses:
                return
            self._page.wait_for_timeout(100)
        raise AssertionError(f"run {run} did not come to {statuses}")

    def asking(self, run: str) -> str:
        """Waits for the question of a run; returns the visit that asks."""
        self.until(run, "waiting")
        events = self("GET", f"runs/{run}/events/?limit=1000")["events"]
        return str([event["visit"] for event in events if event["type"] == "node.waiting"][-1])

    def command(self, run: str, name: str, **arguments: Any) -> None:
        self("POST", f"runs/{run}/command/", {"command": name, **arguments})


@pytest.fixture
def call(ada: Page, server: Server) -> Api:
    return Api(ada, server)


@pytest.fixture
def forked(call: Api) -> tuple[str, str]:
    """A run that was answered with yes, and its fork, answered with no."""
    run = call("POST", "graphs/order_desk/run/", {"inputs": {"order_id": "1042"}})["run"]
    visit = call.asking(run)
    call.command(run, "answer", visit=visit, value=True)
    call.until(run, "finished")
    fork = call("POST", f"runs/{run}/fork/", {"visit": visit})["run"]
    call.command(fork, "answer", visit=call.asking(fork), value=False)
    call.until(fork, "finished")
    return run, fork


def no_faults(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []


def test_a_run_is_compared_with_its_fork(ada: Page, forked: tuple[str, str]) -> None:
    run, fork = forked
    ada.goto(f"/runs/{run}")
    ada.get_by_role("button", name="Compare with").click()
    ada.get_by_role("menuitem", name=re.compile(fork[:8])).click()
    expect(ada).to_have_url(re.compile(f"/runs/{run}/compare/{fork}"))

    lines = ada.get_by_role("table", name="Step by step")
    expect(ada.get_by_role("status").filter(has_text="differs")).to_have_text("1 step differs.")
    first = lines.get_by_role("row").filter(has_text="First difference")
    expect(first).to_contain_text("review")
    expect(first).to_be_in_viewport()
    expect(lines.get_by_role("row").filter(has_text="look_up")).to_contain_text("Same")
    values = ada.get_by_role("region", name="Values of review")
    expect(values.get_by_role("group", name="State written")).to_contain_text("approved")
    expect(ada.get_by_role("group", name="Output", exact=True).first).to_contain_text("approved")

    first.get_by_role("button").focus()
    ada.keyboard.press("ArrowDown")
    expect(ada.get_by_role("region", name="Values of reply")).to_be_visible()
    expect(lines.get_by_role("row").filter(has_text="reply").get_by_role("button")).to_be_focused()
    no_faults(ada)
    ada.get_by_role("link", name="Swap sides").click()
    expect(ada).to_have_url(re.compile(f"/runs/{fork}/compare/{run}"))


def test_two_ticked_runs_of_a_tool_are_compared(ada: Page, call: Api) -> None:
    runs = [call("POST", "tools/order_status/run/", {"params": {"order_id": order}})["run"] for order in ("1042", "2")]
    for run in runs:
        call.until(run, "finished", "failed")
    ada.goto("/runs?name=order_status&kind=tool")
    ticks = ada.get_by_label("Tick the run of order_status")
    ticks.nth(0).check()
    expect(ada.get_by_role("link", name="Compare")).to_have_count(0)
    ticks.nth(1).check()
    ada.get_by_role("link", name="Compare").click()
    expect(ada.get_by_role("group", name="Input", exact=True)).to_contain_text("1042")
    expect(ada.get_by_role("table", name="Step by step")).to_contain_text("First difference")


def test_going_back_is_a_branch_of_the_drawn_trace(ada: Page, call: Api) -> None:
    given = {"inputs": {}, "mode": "debug", "breakpoints": [{"node": "keep"}]}
    run = call("POST", "graphs/all_pages/run/", given)["run"]
    call.until(run, "paused")
    call.command(run, "step_over")
    call.until(run, "paused")
    call.command(run, "restore_step")
    ada.goto(f"/runs/{run}")
    expect(ada.get_by_role("tab", name="keep")).to_be_visible(timeout=15_000)  # the pause shows the visit that is held
    ada.get_by_role("tab", name="Trace").click()
    ada.get_by_text("Drawing", exact=True).click()
    trace = ada.get_by_role("listbox", name="Visits")
    gone = trace.get_by_role("option").filter(has_text="taken back")
    expect(gone.first).to_contain_text("keep")
    again = trace.get_by_role("option").filter(has_text="keep").filter(has_not_text="taken back")
    boxes = [one.first.bounding_box() for one in (gone, again)]
    assert boxes[0] and boxes[1]
    assert boxes[0]["x"] == boxes[1]["x"], "both follow from the same visit"
    assert boxes[0]["y"] > boxes[1]["y"], "what was taken back stands aside"
    no_faults(ada)

    trace.focus()
    ada.keyboard.press("Home")
    ada.keyboard.press("ArrowRight")
    ada.keyboard.press("Enter")
    expect(ada.get_by_role("tab", name="read_page")).to_have_attribute("aria-selected", "true")
    ada.reload()
    expect(ada.get_by_role("tab", name="keep")).to_be_visible(timeout=15_000)
    ada.get_by_role("tab", name="Trace").click()
    expect(trace).to_be_visible()
