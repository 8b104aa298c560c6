"""A graph as one page: plain SVG in HTML, everything escaped, nothing loaded from anywhere."""

from __future__ import annotations

import html
import tempfile
import webbrowser
from pathlib import Path

from graph_app.engine.edges import ConditionEdgeSpec
from graph_app.engine.expressions import Expression
from graph_app.engine.plan import Plan, PlanEdge
from graph_app.engine.types import START

_WIDTH, _HEIGHT, _GAP_X, _GAP_Y, _MARGIN = 160, 44, 90, 34, 30

_STYLE = (
    "body{margin:0;font:14px system-ui,sans-serif;background:#fff;color:#1a1a1a}"
    "rect{fill:#eef3fb;stroke:#3b5b8c;rx:8}.special rect{fill:#e8e8e8;stroke:#666}"
    "path{fill:none;stroke:#555;stroke-width:1.4}.condition path{stroke-dasharray:6 4}"
    "text{text-anchor:middle;dominant-baseline:middle}.label{font-size:11px;fill:#444}"
    "@media (prefers-color-scheme:dark){body{background:#16181d;color:#eee}text{fill:#eee}"
    "rect{fill:#26324a}.special rect{fill:#333}path{stroke:#aaa}.label{fill:#bbb}}"
)


def _columns(plan: Plan) -> list[list[str]]:
    """Return the nodes by their distance from the start, those that are never reached last."""
    place = {START: 0}
    waiting = [START]
    for name in waiting:
        for edge in plan.nodes[name].out:
            for target in edge.slots:
                if target not in place:
                    place[target] = place[name] + 1
                    waiting.append(target)
    last = max(place.values()) + 1
    columns: list[list[str]] = [[] for _ in range(last + 1)]
    for name in plan.nodes:
        columns[place.get(name, last)].append(name)
    return [column for column in columns if column]


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _label(edge: PlanEdge) -> str:
    parts = []
    if isinstance(edge.spec, ConditionEdgeSpec):
        router = edge.spec.router
        parts.append(router.source if isinstance(router, Expression) else getattr(router, "__name__", "condition"))
    if edge.spec.group != "all":
        parts.append(f"[{edge.spec.group}]")
    if edge.filter is not None:
        parts.append("filter")
    return " ".join(parts)


def draw(plan: Plan) -> str:
    """Return a page that shows the graph."""
    at: dict[str, tuple[int, int]] = {}
    columns = _columns(plan)
    for x, column in enumerate(columns):
        for y, name in enumerate(column):
            at[name] = (_MARGIN + x * (_WIDTH + _GAP_X), _MARGIN + y * (_HEIGHT + _GAP_Y))
    width = _MARGIN * 2 + len(columns) * (_WIDTH + _GAP_X)
    height = _MARGIN * 2 + max(len(column) for column in columns) * (_HEIGHT + _GAP_Y) + 40
    parts: list[str] = []
    for node in plan.nodes.values():
        for edge in node.out:
            kind = "condition" if isinstance(edge.spec, ConditionEdgeSpec) else "plain"
            parts.extend(_edge(at[node.name], at[target], kind, _label(edge)) for target in edge.slots)
    for name, (x, y) in at.items():
        kind = "node" if plan.nodes[name].spec is not None else "special"
        mode = " (all)" if plan.nodes[name].waits else ""
        shown = html.escape(_short(name + mode, 20))
        parts.append(
            f'<g class="{kind}"><title>{html.escape(name)}</title>'
            f'<rect x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="8"/>'
            f'<text x="{x + _WIDTH // 2}" y="{y + _HEIGHT // 2}">{shown}</text></g>'
        )
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Graph</title>'
        f"<style>{_STYLE}</style></head><body>"
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img" aria-label="Graph">'
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L10 5L0 10z" style="fill:#555;stroke:none"/></marker></defs>'
        f"{''.join(parts)}</svg></body></html>"
    )


def _edge(source: tuple[int, int], target: tuple[int, int], kind: str, label: str) -> str:
    x1, y1 = source[0] + _WIDTH, source[1] + _HEIGHT // 2
    x2, y2 = target[0], target[1] + _HEIGHT // 2
    if x2 >= x1:
        bend = (x2 - x1) // 2
        path = f"M{x1} {y1}C{x1 + bend} {y1} {x2 - bend} {y2} {x2} {y2}"
        middle = ((x1 + x2) // 2, (y1 + y2) // 2 - 6)
    else:
        low = max(y1, y2) + _HEIGHT
        path = f"M{x1} {y1}C{x1 + 60} {low} {x2 - 60} {low} {x2} {y2}"
        middle = ((x1 + x2) // 2, low - 4)
    said = html.escape(label)
    text = (
        f'<text class="label" x="{middle[0]}" y="{middle[1]}">{html.escape(_short(label, 24))}</text>' if label else ""
    )
    return f'<g class="{kind}"><title>{said}</title><path d="{path}" marker-end="url(#tip)"/>{text}</g>'


def open_page(page: str, path: str | Path | None) -> None:
    """Open a page in the browser, from its file or from a temporary one."""
    if path is None:
        with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
            file.write(page)
        path = file.name
    webbrowser.open(Path(path).resolve().as_uri())
