"""What a graph that ran as a node of another one reports: its changes alone."""

from __future__ import annotations

import operator
from typing import Any

from graph_app.engine.channels import Channel
from graph_app.engine.lineage import Lineage, collapse
from graph_app.engine.schema import Schema
from graph_app.engine.strategies import StateUpdater


def changes(outcome: Lineage, inputs: dict[str, Any], wanted: Schema | None) -> dict[str, Any]:
    """Return the delta that stands for a run.

    Args:
        outcome: Its final state.
        inputs: Its inputs, checked.
        wanted: The schema of the graph around it: channels that it does not have are left out.
    """
    names = None if wanted is None or wanted.unchecked else set(wanted.channels)
    if any(link.before is not None for link in outcome.links()):
        found = _difference(outcome, inputs)
        return {name: value for name, value in found.items() if names is None or name in names}
    return collapse(outcome, lambda link: link.id == 0, names)


def _difference(outcome: Lineage, inputs: dict[str, Any]) -> dict[str, Any]:
    """Return what is different from the inputs, where a filter or merge strategy made a new state on the way."""
    schema = outcome.schema
    before = schema.initial()
    schema.apply(before, inputs, {})
    found = {}
    for name, value in outcome.values().items():
        old = before.get(name)
        if name in before and type(old) is type(value) and old == value:
            continue
        found[name] = _added(schema.channels.get(name), old, value)
    return found


def _added(channel: Channel | None, old: Any, value: Any) -> Any:
    if channel is None:
        return value
    adds = channel.strategy in (StateUpdater.get("add"), operator.add)
    grows = adds or channel.strategy_name in ("append", "append_messages", "union")
    if grows and isinstance(old, list) and value[: len(old)] == old:
        return value[len(old) :]
    if adds and isinstance(old, int | float):
        return value - old
    return value
