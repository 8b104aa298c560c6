"""Names of visits within a run: unique, and the same after a restart.

A visit of the outermost graph has a number; one of a nested graph has the enclosing visit's name before it, with the
item's index where one visit runs several graphs: `4/2`, `4[3]/2`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar

from graph_app.engine.streaming import run_scope, visit_scope

call_scope: ContextVar[int | None] = ContextVar("call_of_this_visit", default=None)
"""Which call of a tool is made here, where a visit makes several."""


def visit_name(top: Callable[[int], str], path: Sequence[str], within: Sequence[int], visit: int) -> str:
    """Returns a visit's name.

    Args:
        top: Gives the number of a visit of the outermost graph.
        path: Labels of the enclosing nodes, outermost first, such as `each[3]`.
        within: Their visits.
        visit: The visit.
    """
    if not within:
        return top(visit)
    parts = [top(within[0]), *map(str, within[1:])]
    named = [
        part + label[label.index("[") :] if "[" in label else part for part, label in zip(parts, path, strict=True)
    ]
    return "/".join([*named, str(visit)])


def present_visit(top: Callable[[int], str]) -> str:
    """Returns the name of the visit that is running here; empty outside of any."""
    scope, visit = run_scope.get(), visit_scope.get()
    if scope is None or visit is None:
        return ""
    return visit_name(top, scope.path, scope.within, visit.id)


def outermost(name: str) -> str:
    """Returns the visit of the outermost graph that a visit's name begins with."""
    return name.split("/", 1)[0].split("[", 1)[0]
