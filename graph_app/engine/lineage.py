"""Lineages: a state as the ordered set of deltas in its ancestry, and what is kept to read it cheaply.

Each link holds one delta and its parent. The full values are kept at the newest link of a branch only: when a child
asks for its values it takes over its parent's dict and adds its own delta, as long as nobody else holds that dict.
A link whose dict was taken makes it again from its ancestry, should anyone ask.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from graph_app.engine.schema import Schema

_getrefcount = sys.getrefcount


class Lineage:
    """One state: a delta on top of a parent.

    Attributes:
        schema: The compiled schema.
        parent: The state that the delta was made from; none at a root.
        depth: Number of links above.
        id: The delta's id, by which a merge counts it once.
        node: The node that wrote it.
        delta: What it wrote, checked.
        output: What the node put out beside its delta.
        shared: Whether more than one branch goes on from here.
        before: At a root that a filter or merge strategy made: the state that it was made from. Its deltas are no part
            of this state, its outputs are.
    """

    _known: dict[str, Any]
    """What strategies know about the values; there as soon as the values are."""

    __slots__ = ("_known", "_values", "before", "delta", "depth", "id", "node", "output", "parent", "schema", "shared")

    def __init__(
        self,
        schema: Schema,
        parent: Lineage | None,
        delta_id: int,
        node: str,
        delta: dict[str, Any],
        output: Any = None,
    ) -> None:
        self.schema = schema
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.id = delta_id
        self.node = node
        self.delta = delta
        self.output = output
        self.shared = False
        self.before: Lineage | None = None
        self._values: dict[str, Any] | None = None

    def values(self) -> dict[str, Any]:
        """Return the full values, the engine's own: to be read, never changed."""
        values = self._values
        if values is not None:
            return values
        parent = self.parent
        if parent is None or parent._values is None:
            return self._fold()
        values = parent._values
        if parent.shared or _getrefcount(values) != _ALONE:
            values = values.copy()
            known: dict[str, Any] = {}
        else:
            parent._values = None
            known = parent._known
        schema = self.schema
        if schema.appliers:
            schema.apply(values, self.delta, known)
        else:
            values.update(self.delta)
        self._known = known
        self._values = values
        return values

    def peek(self) -> dict[str, Any]:
        """Return the full values without keeping them: for who looks at a state that nobody runs from."""
        if self._values is not None:
            return self._values
        values = self._fold()
        self._values = None
        self._known = {}
        return values

    def _fold(self) -> dict[str, Any]:
        links = []
        link: Lineage | None = self
        while link is not None and link._values is None:
            links.append(link)
            link = link.parent
        # Copied even if nobody else holds it: who goes back asks again.
        values = self.schema.initial() if link is None else dict(link._values or ())
        known: dict[str, Any] = {}
        for link in reversed(links):
            self.schema.apply(values, link.delta, known)
        self._known = known
        self._values = values
        return values

    def outputs(self) -> dict[str, Any]:
        """Return what the nodes of this ancestry put out, by node; the last output of each."""
        result: dict[str, Any] = {}
        link: Lineage | None = self
        while link is not None:
            if link.output is not None and link.node not in result:
                result[link.node] = link.output
            link = link.parent or link.before
        return dict(reversed(result.items()))

    def order(self) -> list[str]:
        """Return the nodes of this ancestry that put something out, oldest first, repeats included."""
        names = []
        link: Lineage | None = self
        while link is not None:
            if link.output is not None:
                names.append(link.node)
            link = link.parent or link.before
        names.reverse()
        return names

    def links(self) -> list[Lineage]:
        """Return all links, oldest first."""
        links = []
        link: Lineage | None = self
        while link is not None:
            links.append(link)
            link = link.parent
        links.reverse()
        return links


def _calibrate() -> int:
    link = Lineage(Schema(None), None, 0, "", {})
    link._values = {}

    def look(parent: Lineage) -> int:
        values = parent._values
        return _getrefcount(values)

    return look(link)


_ALONE = _calibrate()


def _common(first: Lineage, second: Lineage) -> Lineage | None:
    """Return the nearest link that both states have above them (or are)."""
    one: Lineage | None = first
    two: Lineage | None = second
    while one is not two:
        if one is None or two is None:
            return None
        if one.depth > two.depth:
            one = one.parent
        elif two.depth > one.depth:
            two = two.parent
        else:
            one = one.parent
            two = two.parent
    return one


def merge(states: Sequence[Lineage]) -> Lineage:
    """Return the union of several states: each delta once, in the order of the states.

    Args:
        states: At least one state, in the order of the edges over which they came.
    """
    first = states[0]
    if len(states) == 1:
        return first
    base: Lineage | None = first
    for state in states[1:]:
        if base is None:
            break
        if state.parent is not base:
            base = _common(base, state)
    tails: list[Sequence[Lineage]] = []
    for state in states:
        if state.parent is base:
            tails.append((state,))
            continue
        own: list[Lineage] = []
        link: Lineage | None = state
        while link is not None and link is not base:
            own.append(link)
            link = link.parent
        own.reverse()
        tails.append(own)
    if base is not None and not any(tails[1:]):
        return first
    # The first state's own links serve as they are; the others' deltas come on top of them.
    merged = first
    first.shared = True
    schema = first.schema
    seen = {link.id for link in tails[0]}
    for tail in tails[1:]:
        for link in tail:
            if link.id not in seen:
                seen.add(link.id)
                merged = Lineage(schema, merged, link.id, link.node, link.delta, link.output)
                if link.before is not None:
                    merged.before = link.before
    if base is not None:
        base.shared = True
    return merged


def collapse(state: Lineage, skip: Callable[[Lineage], bool], names: set[str] | None = None) -> dict[str, Any]:
    """Return one delta that stands for a state's deltas, put together by the channels' own strategies.

    Args:
        state: The state.
        skip: Tells which links to leave out.
        names: The channels wanted; all unless given.
    """
    written: dict[str, Any] = {}
    known: dict[str, Any] = {}
    appliers = state.schema.appliers
    for link in state.links():
        if skip(link):
            continue
        for name, new in link.delta.items():
            if names is not None and name not in names:
                continue
            apply = appliers.get(name)
            if apply is None or name not in written:
                written[name] = list(new) if new.__class__ is list else dict(new) if new.__class__ is dict else new
            else:
                written[name] = apply(written, name, new, known)
    return written
