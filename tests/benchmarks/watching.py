"""A page that watches runs: frames while 2,000 events a second come in, and memory over 500 runs in one tab.

python -m tests.benchmarks.watching [--runs N]

The peer of the frames is the same page after the run has ended, left alone.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import time
from typing import Any

from playwright.sync_api import CDPSession, Page

from tests.benchmarks.model_server import talking_model
from tests.benchmarks.page import Signed, report, signed_in

EVENTS_A_SECOND = 2000.0
SECONDS = 6.0
TURNS = 100_000

LOOP = """\
name: fast_loop
description: Counts as fast as it can
state:
  - {name: n, type: int, update: add}
  - {name: limit, type: float, update: overwrite}
inputs: [limit]
entry: count
nodes:
  count: {call: Convert, settings: {values: {n: '1'}}, outputs: {n: n}}
  pause: {call: Delay, settings: {seconds: 0}}
  last: {call: Convert, settings: {text: 'counted to ${state:n}'}}
edges:
  - {source: count, target: pause}
  - {source: pause, router: 'state.n < state.limit ? "count" : "last"', possible_targets: [count, last]}
max_turn: 200000
run_timeout: 600
"""

TALK = """\
name: talker
inputs: [messages]
entry: reply
nodes:
  reply: {call: LLM, settings: {user_prompt: "Go on"}, to_user: true}
edges: []
"""

SHORT = """\
name: short_run
inputs: []
entry: first
nodes:
  first: {call: Convert, settings: {text: "one"}}
  second: {call: Convert, settings: {text: "two ${node:first/text}"}}
edges:
  - {source: first, target: second}
"""

#: A graph's name and what its run is given.
Started = tuple[str, dict[str, Any]]

FRAMES = """seconds => new Promise(done => {
  const begin = performance.now(), gaps = []; let last = begin;
  const next = now => { gaps.push(now - last); last = now;
    if (now - begin < seconds * 1000) requestAnimationFrame(next); else done(gaps.slice(1)); };
  requestAnimationFrame(next); })"""


def percentile(values: list[float], part: float) -> float:
    """The value below which a part of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def busy_s(cdp: CDPSession) -> float:
    """Seconds that the page's main thread has worked."""
    metrics = {one["name"]: one["value"] for one in cdp.send("Performance.getMetrics")["metrics"]}
    return float(metrics["TaskDuration"])


def heap_mb(cdp: CDPSession) -> float:
    """Megabytes that the page holds after everything that can be thrown away was."""
    for _ in range(2):
        cdp.send("HeapProfiler.collectGarbage")
    metrics = {one["name"]: one["value"] for one in cdp.send("Performance.getMetrics")["metrics"]}
    return float(metrics["JSHeapUsedSize"]) / 1e6


def watched(signed: Signed, cdp: CDPSession, address: str, started: Started) -> list[tuple[str, float, str, float]]:
    """Frames of a page that shows a run while its events come."""
    page = signed.page
    graph, inputs = started
    run = signed.post(f"graphs/{graph}/run/", {"inputs": inputs})["run"]
    page.goto(address.format(run=run))
    page.wait_for_selector(".react-flow__node")
    page.wait_for_timeout(1000)
    before, begun, at = signed.get(f"runs/{run}/")["last_seq"], busy_s(cdp), time.monotonic()
    gaps = page.evaluate(FRAMES, SECONDS)
    took = time.monotonic() - at
    rate = (signed.get(f"runs/{run}/")["last_seq"] - before) / took
    busy = (busy_s(cdp) - begun) / took
    signed.post(f"runs/{run}/command/", {"command": "cancel"})
    page.get_by_text("Cancelled", exact=True).first.wait_for(timeout=60_000)
    page.wait_for_timeout(1500)
    still = page.evaluate(FRAMES, 2.0)
    return [
        ("events a second", rate, "at least", EVENTS_A_SECOND),
        ("main thread at work, share", busy, "at most", 0.5),
        ("frame, median, ms", statistics.median(gaps), "at most", 20.0),
        ("frame, p95, ms", percentile(gaps, 0.95), "at most", 50.0),
        ("frame, longest, ms", max(gaps), "", 0.0),
        ("frame of the page left alone, p95, ms", percentile(still, 0.95), "peer", 0.0),
    ]


def memory(page: Page, cdp: CDPSession, runs: int) -> list[tuple[str, float, str, float]]:
    """What the page holds after many runs were watched in it, one after the other."""
    page.goto("/graphs/short_run")
    page.wait_for_selector(".react-flow__node")
    page.get_by_role("button", name="Run", exact=True).click()
    begin = page.get_by_role("button", name="Start run")
    sizes: list[float] = []
    for index in range(runs + 1):
        if index in (runs // 5, runs):
            sizes.append(heap_mb(cdp))
        was = page.url
        begin.click()
        page.wait_for_function("was => location.href !== was", arg=was)
        page.locator("[data-status=finished]").first.wait_for(timeout=30_000)
    return [
        (f"heap after {runs // 5} runs, MB", sizes[0], "", 0.0),
        (f"heap after {runs} runs, ratio", sizes[1] / sizes[0], "at most", 1.15),
    ]


def main() -> None:
    """Prints each figure against its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=500, help="how many runs are watched for the memory (500)")
    given = parser.parse_args()
    with contextlib.ExitStack() as stack:
        signed = stack.enter_context(signed_in())
        for text in (LOOP, TALK, SHORT):
            signed.post("graphs/", {"definition": text})
        cdp = signed.page.context.new_cdp_session(signed.page)
        cdp.send("Performance.enable")
        model = stack.enter_context(talking_model(EVENTS_A_SECOND * 1.2, 60.0))
        signed.patch(
            "settings/",
            {
                "network": {"allow": [{"address": model, "for": "models"}]},
                "models": {
                    "providers": [{"name": "talks", "base_url": f"http://{model}/v1", "reasoning": "m", "key": "none"}],
                    "default": "talks",
                },
            },
        )
        loop, talk = ("fast_loop", {"limit": TURNS}), ("talker", {"messages": []})
        for where, address, started in (
            ("loop, editor", "/graphs/fast_loop?run={run}", loop),
            ("loop, run's page", "/runs/{run}", loop),
            ("text, conversation", "/graphs/talker?run={run}", talk),
            ("text, run's page", "/runs/{run}", talk),
        ):
            report([(f"{where}: {row[0]}", *row[1:]) for row in watched(signed, cdp, address, started)])
        report(memory(signed.page, cdp, given.runs))


if __name__ == "__main__":
    main()
