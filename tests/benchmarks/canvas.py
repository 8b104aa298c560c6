"""The canvas with a large graph, in headless Chromium without a GPU.

python -m tests.benchmarks.canvas

Frames are counted while the mouse drags the canvas about; the peer is the same page left alone.
"""

from __future__ import annotations

import json
import math
import statistics
import time
from itertools import pairwise

from playwright.sync_api import Page

from tests.benchmarks.page import report, signed_in

COLUMNS, ROWS = 20, 15
SECONDS = 2.0

COUNT = """seconds => { window.frames_ = new Promise(done => {
  const begin = performance.now(); let count = 0;
  const next = now => { count += 1;
    if (now - begin < seconds * 1000) requestAnimationFrame(next); else done(count / (now - begin) * 1000); };
  requestAnimationFrame(next); }); }"""
SCALE = "new DOMMatrix(getComputedStyle(document.querySelector('.react-flow__viewport')).transform).a"


def large_graph() -> dict[str, object]:
    """Makes a graph of 300 nodes and 420 edges: rows of steps, with wires between rows."""
    names = [[f"s{row}_{column}" for column in range(COLUMNS)] for row in range(ROWS)]
    edges = [{"source": "begin", "target": row[0]} for row in names[1:]]
    edges += [{"source": a, "target": b} for row in names for a, b in pairwise(row)]
    across = [
        {"source": names[row][column], "target": names[row + 1][column + 1]}
        for row in range(ROWS - 1)
        for column in range(COLUMNS - 1)
    ]
    nodes = {name: {"call": "Convert", "settings": {"text": name}} for row in names for name in row}
    layout = {
        name: {"x": 280 * column + 280, "y": 110 * row}
        for row, line in enumerate(names)
        for column, name in enumerate(line)
    }
    first = names[0][0]
    nodes["begin"] = nodes.pop(first)
    layout["begin"] = layout.pop(first)
    text = json.dumps(edges + across[: 420 - len(edges)]).replace(f'"{first}"', '"begin"')
    return {"name": "large", "entry": "begin", "nodes": nodes, "edges": json.loads(text), "layout": layout}


def frames(page: Page, *, moving: bool, start: tuple[float, float]) -> float:
    """Counts frames a second, with the mouse held down and moved in circles from a place."""
    x, y = start
    page.mouse.move(x, y)
    if moving:
        page.mouse.down()
    page.evaluate(COUNT, SECONDS)
    end, turn = time.monotonic() + SECONDS, 0
    while time.monotonic() < end:
        turn += 1
        if moving:
            page.mouse.move(x + 120 * math.sin(turn / 8), y - 60 + 60 * math.cos(turn / 8))
        else:
            page.wait_for_timeout(50)
    page.mouse.up()
    rate: float = page.evaluate("window.frames_")
    return rate


def opening(page: Page) -> float:
    """Opens the graph and returns the seconds until its steps are drawn."""
    begin = time.monotonic()
    page.goto("/graphs/large")
    page.wait_for_selector(".react-flow__node")
    return time.monotonic() - begin


def main() -> None:
    with signed_in() as signed:
        page = signed.page
        signed.post("graphs/", {"definition": json.dumps(large_graph())})
        seconds = statistics.median(opening(page) for _ in range(5))
        page.wait_for_timeout(1000)
        box = page.locator(".react-flow__pane").bounding_box()
        assert box
        empty = (box["x"] + box["width"] / 2, box["y"] + box["height"] - 20)
        still = frames(page, moving=False, start=empty)
        rows = [("opening, s", seconds, "at most", 1.5), ("still, frames/s", still, "peer", still)]
        rows.append(("panning, all in view, frames/s", frames(page, moving=True, start=empty), "at least", 30))
        while page.evaluate(SCALE) < 1:
            page.get_by_role("button", name="Zoom in").click()
            page.wait_for_timeout(200)
        zoom = page.evaluate(SCALE)
        seen = [place for one in page.locator(".react-flow__node").all() if (place := one.bounding_box())]
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        near = min(seen, key=lambda at: math.dist((at["x"], at["y"]), middle))
        on_step = (near["x"] + near["width"] / 2, near["y"] + near["height"] / 2)
        rows.append((f"dragging, zoom {zoom:.1f}, frames/s", frames(page, moving=True, start=on_step), "at least", 50))
        rows.append((f"panning, zoom {zoom:.1f}, frames/s", frames(page, moving=True, start=empty), "at least", 50))
        report(rows)


if __name__ == "__main__":
    main()
