"""Breakpoints: where a debug session stops."""

from __future__ import annotations

import logging
from collections.abc import Container
from typing import TYPE_CHECKING, Any

from graph_app.engine.errors import DebuggerError
from graph_app.engine.expressions import Expression
from graph_app.engine.registry import lookup, reference, remember
from graph_app.engine.types import END

if TYPE_CHECKING:
    from graph_app.engine.debugger_trace import TraceVisit

_log = logging.getLogger(__name__)


class Breakpoints:
    """The breakpoints of a session.

    Args:
        nodes: The names of the nodes that there are.
    """

    def __init__(self, nodes: Container[str]) -> None:
        self._nodes = nodes
        self._set: dict[tuple[str, str], Any] = {}

    def __bool__(self) -> bool:
        return bool(self._set)

    def _check(self, node: Any) -> str:
        if node is None:
            raise DebuggerError("a breakpoint needs the name of its node")
        if not isinstance(node, str) or (node not in self._nodes and node != END):
            raise DebuggerError(f"there is no node {node!r}")
        return node

    def set(self, node: Any, condition: Any, on: str) -> None:
        """Set a breakpoint, instead of one that is there already.

        Raises:
            DebuggerError: There is no such node, or the condition is none.
        """
        name = self._check(node)
        if on not in ("enter", "leave"):
            raise DebuggerError(f"a breakpoint is on enter or leave, not {on!r}")
        if isinstance(condition, str):
            condition = Expression(condition)
        if isinstance(condition, Expression):
            problem = condition.problem()
            if problem is not None:
                raise DebuggerError(f"the condition {condition.source!r} does not compile: {problem}")
        elif condition is not None and not callable(condition):
            raise DebuggerError(f"a condition is an expression or a function of the state, not {condition!r}")
        remember(condition)
        self._set[name, on] = condition

    def clear(self, node: Any, on: str | None) -> None:
        """Remove a node's breakpoints, if it has any.

        Raises:
            DebuggerError: There is no such node.
        """
        name = self._check(node)
        for place in ("enter", "leave"):
            if on in (None, place):
                self._set.pop((name, place), None)

    def clear_all(self) -> None:
        """Remove all breakpoints."""
        self._set.clear()

    def hit(self, node: str, on: str, visit: TraceVisit) -> bool:
        """Tell whether a visit is to stop here: on its input, or on the state after it.

        Raises:
            DebuggerError: The condition failed.
        """
        if (node, on) not in self._set:
            return False
        condition = self._set[node, on]
        if condition is None:
            return True
        try:
            if isinstance(condition, Expression):
                lineage = visit.after if visit.after is not None else visit.visit and visit.visit.lineage
                assert lineage
                return condition.evaluate({"state": lineage.peek, "steps": lineage.outputs}) is True
            return bool(condition(visit.state))
        except Exception as error:
            raise DebuggerError(f"the condition of the breakpoint at {node!r} failed: {error}", node=node) from error

    def dump(self) -> list[Any]:
        """Return the breakpoints as JSON values; a function that no file can name becomes a stop without condition."""
        found = []
        for (node, on), condition in self._set.items():
            written: Any = None
            if isinstance(condition, Expression):
                written = {"expression": condition.source}
            elif condition is not None:
                written = reference(condition)
                if written is None:
                    _log.warning("the condition of the breakpoint at %r cannot be kept in a file", node)
            found.append({"node": node, "on": on, "condition": written})
        return found

    def load(self, written: list[Any]) -> None:
        """Set what ``dump`` returned, instead of what there is."""
        self._set.clear()
        for item in written:
            condition = item["condition"]
            if condition is not None:
                if "expression" in condition:
                    condition = Expression(condition["expression"])
                else:
                    try:
                        condition = lookup(condition)
                    except LookupError as error:
                        _log.warning("the breakpoint at %r stops without its condition: %s", item["node"], error)
                        condition = None
            self._set[item["node"], item["on"]] = condition
