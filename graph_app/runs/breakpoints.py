"""Breakpoints of a run: on a node, entering or leaving, with an optional condition in CEL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from graph_app.engine import Expression, ExpressionError

On = Literal["enter", "leave"]


class BreakpointError(ValueError):
    """A breakpoint that can't be set; the message says why."""


class Breakpoints:
    """What is set, by node and side."""

    def __init__(self, given: list[Mapping[str, Any]] | None = None) -> None:
        """Sets what was given at the start.

        Args:
            given: Objects with `node`, `condition` and `on`.

        Raises:
            BreakpointError: If one can't be set.
        """
        self._set: dict[tuple[str, On], Expression | None] = {}
        for one in given or []:
            self.set(str(one.get("node")), one.get("condition"), str(one.get("on") or "enter"))

    def set(self, node: str, condition: str | None = None, on: str = "enter") -> None:
        """Sets a breakpoint; one on the same node and side is replaced.

        Raises:
            BreakpointError: If the condition does not compile, or `on` is neither `enter` nor `leave`.
        """
        if on not in ("enter", "leave"):
            raise BreakpointError(f"A breakpoint is on enter or on leave, not on {on!r}.")
        expression = Expression(condition) if condition else None
        problem = expression.problem() if expression is not None else None
        if problem:
            raise BreakpointError(f"The condition {condition!r} does not compile: {problem}")
        self._set[node, on] = expression

    def clear(self, node: str) -> None:
        """Clears a node's breakpoints."""
        for on in ("enter", "leave"):
            self._set.pop((node, on), None)

    def hold(
        self, node: str, on: On, values: Mapping[str, Any] | Callable[[], Any], warn: Callable[[str], None]
    ) -> bool:
        """Says whether a breakpoint holds here; a condition that fails holds, since somebody wants to look.

        Args:
            node: The node.
            on: The side.
            values: The state, or what makes it.
            warn: Takes why a condition failed.
        """
        if (node, on) not in self._set:
            return False
        condition = self._set[node, on]
        if condition is None:
            return True
        try:
            return condition.evaluate({"state": values if callable(values) else lambda: values}) is not False
        except ExpressionError as error:
            warn(f"The condition of the breakpoint at {node!r} failed, so the run stopped there: {error}")
            return True

    def kept(self) -> Callable[[], None]:
        """Keeps what is set now; returns what sets it again."""
        kept = dict(self._set)

        def put_back() -> None:
            self._set = kept

        return put_back

    def as_list(self) -> list[dict[str, Any]]:
        """Returns what is set as objects."""
        return [
            {"node": node, "on": on, "condition": condition.source if condition is not None else None}
            for (node, on), condition in self._set.items()
        ]


def listed(given: list[Mapping[str, Any]] | None) -> list[dict[str, Any]]:
    """Returns breakpoints as they are kept and told: one for each node and side, with every key."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for one in given or []:
        node, on = str(one["node"]), str(one.get("on") or "enter")
        found[node, on] = {"node": node, "on": on, "condition": one.get("condition") or None}
    return list(found.values())
