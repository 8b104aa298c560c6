"""Update strategies: how what a node writes goes into a channel."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from typing import Any, ClassVar, TypeAlias

from graph_app.engine.messages import StateMessage, enter_state
from graph_app.engine.types import MISSING

Strategy: TypeAlias = Callable[[Any, Any], Any]

Applier: TypeAlias = Callable[[dict[str, Any], str, Any, dict[str, Any]], Any]
"""How the engine applies a strategy: (values, channel, new value, what is known about the values) -> value."""


class StateUpdater:
    """Registers update strategies under names, and finds them by name.

    Source: StateUpdater.
    """

    _strategies: ClassVar[dict[str, Strategy]] = {}

    @classmethod
    def register(cls, name: str) -> Callable[[Strategy], Strategy]:
        """Return a decorator that registers a function ``(old, new) -> value`` under this name.

        Raises:
            KeyError: The name is taken.
        """

        def decorate(function: Strategy) -> Strategy:
            if name in cls._strategies:
                raise KeyError(f"strategy {name!r} is registered already")
            cls._strategies[name] = function
            return function

        return decorate

    @classmethod
    def get(cls, name: str) -> Strategy:
        """Return the strategy of this name.

        Raises:
            KeyError: No strategy has this name.
        """
        try:
            return cls._strategies[name]
        except KeyError:
            known = ", ".join(sorted(cls._strategies))
            raise KeyError(f"unknown strategy {name!r}; there are {known}") from None

    @classmethod
    def list_strategies(cls) -> list[str]:
        """Return the names of all strategies."""
        return list(cls._strategies)

    @classmethod
    def registered(cls, name: str) -> bool:
        """Tell whether a strategy has this name."""
        return name in cls._strategies


def _given(old: Any, new: Any, empty: Any) -> tuple[Any, Any]:
    return (empty if old is MISSING or old is None else old), (empty if new is MISSING or new is None else new)


@StateUpdater.register("overwrite")
def _overwrite_state_update_strategy(old: Any = MISSING, new: Any = MISSING) -> Any:
    """Return the new value, or the old one where there is no new one."""
    return old if new is MISSING else new


@StateUpdater.register("append_messages")
def _append_messages(old: Any = MISSING, new: Any = MISSING) -> list[StateMessage]:
    """Return the old messages and after them the new ones, each ``msg_id`` once."""
    old, new = _given(old, new, [])
    kept: dict[str | None, StateMessage] = {}
    for value in (*old, *new):
        message = enter_state(value, None)
        kept.setdefault(message.msg_id, message)
    return list(kept.values())


@StateUpdater.register("append")
def _append(old: Any = MISSING, new: Any = MISSING) -> Any:
    """Return the old list (or tuple) and after it the new one."""
    old, new = _given(old, new, [])
    return (*old, *new) if isinstance(old, tuple) else [*old, *new]


@StateUpdater.register("add")
def _add(old: Any = MISSING, new: Any = MISSING) -> Any:
    """Return the sum."""
    old, new = _given(old, new, 0)
    return old + new


@StateUpdater.register("merge")
def _merge(old: Any = MISSING, new: Any = MISSING) -> dict[Any, Any]:
    """Return the old map with the new one's entries over it, one level deep."""
    old, new = _given(old, new, {})
    return {**old, **new}


@StateUpdater.register("max")
def _max(old: Any = MISSING, new: Any = MISSING) -> Any:
    """Return the greater value."""
    return _extreme(old, new, operator.gt)


@StateUpdater.register("min")
def _min(old: Any = MISSING, new: Any = MISSING) -> Any:
    """Return the smaller value."""
    return _extreme(old, new, operator.lt)


def _extreme(old: Any, new: Any, better: Callable[[Any, Any], Any]) -> Any:
    if old is MISSING or old is None:
        return new
    if new is MISSING or new is None:
        return old
    return new if better(new, old) else old


@StateUpdater.register("union")
def _union(old: Any = MISSING, new: Any = MISSING) -> Any:
    """Return the old list (or set) and after it what of the new one is not in it yet."""
    old, new = _given(old, new, [])
    if isinstance(old, set | frozenset):
        return old | set(new)
    result = list(old)
    seen = _Seen(result)
    result.extend(item for item in new if seen.add(item))
    return result


class _Seen:
    """Which values a list holds, also values that cannot be hashed; 1, 1.0 and True are three values."""

    __slots__ = ("hashed", "others")

    def __init__(self, items: list[Any]) -> None:
        self.hashed: set[Any] = set()
        self.others: list[Any] = []
        for item in items:
            self.add(item)

    def add(self, item: Any) -> bool:
        try:
            key = (item.__class__, item)
            if key in self.hashed:
                return False
            self.hashed.add(key)
        except TypeError:
            if any(type(other) is type(item) and other == item for other in self.others):
                return False
            self.others.append(item)
        return True


# Applying in place. A list or map of the engine is extended where it stands if nobody but the engine's own dict of
# values holds it: then no earlier state, sibling branch or node can see the change, and the cost is that of what is
# new. ``getrefcount`` tells; where it tells of anyone else, the value is copied first.

_getrefcount = sys.getrefcount


def _calibrate() -> int:
    values: dict[str, Any] = {"x": []}

    def look(values: dict[str, Any], name: str) -> int:
        old = values[name]
        return _getrefcount(old)

    return look(values, "x")


_ALONE = _calibrate()


def apply_append(values: dict[str, Any], name: str, new: Any, known: dict[str, Any]) -> Any:
    """Apply ``append`` at the cost of what is new."""
    old = values[name]
    if old.__class__ is list and _getrefcount(old) == _ALONE:
        old.extend(new)
        return old
    return (*old, *new) if isinstance(old, tuple) else [*(old or ()), *new]


def apply_merge(values: dict[str, Any], name: str, new: Any, known: dict[str, Any]) -> Any:
    """Apply ``merge`` at the cost of what is new."""
    old = values[name]
    if old.__class__ is dict and _getrefcount(old) == _ALONE:
        old.update(new)
        return old
    return {**(old or {}), **new}


def apply_messages(values: dict[str, Any], name: str, new: Any, known: dict[str, Any]) -> Any:
    """Apply ``append_messages`` at the cost of what is new; the messages have their ids already."""
    old = values[name]
    if old.__class__ is not list or _getrefcount(old) != _ALONE:
        old = list(old or ())
    ids = known.get(name)
    if ids is None:
        ids = known[name] = {message.msg_id for message in old}
    for message in new:
        msg_id = message.msg_id
        if msg_id not in ids:
            ids.add(msg_id)
            old.append(message)
    return old


def apply_union(values: dict[str, Any], name: str, new: Any, known: dict[str, Any]) -> Any:
    """Apply ``union`` at the cost of what is new."""
    old = values[name]
    if isinstance(old, set | frozenset):
        return old | set(new)
    if old.__class__ is not list or _getrefcount(old) != _ALONE:
        old = list(old or ())
    seen = known.get(name)
    if seen is None:
        seen = known[name] = _Seen(old)
    old.extend(item for item in new if seen.add(item))
    return old


_in_place: dict[Strategy, Applier] = {
    _append: apply_append,
    _merge: apply_merge,
    _append_messages: apply_messages,
    _union: apply_union,
}

_pure = (_add, _max, _min, operator.add, operator.or_, operator.concat, operator.mul)


def applier(strategy: Strategy) -> Applier | None:
    """Return how the engine applies a strategy; ``None`` for plain overwriting."""
    if strategy is _overwrite_state_update_strategy:
        return None
    if strategy in _in_place:
        return _in_place[strategy]
    if strategy in _pure:
        return lambda values, name, new, known: strategy(values[name], new)

    def apply(values: dict[str, Any], name: str, new: Any, known: dict[str, Any]) -> Any:
        # A function that nobody here knows may change what it gets, and the old value belongs to earlier states too.
        old = values[name]
        return strategy(old.copy() if isinstance(old, list | dict | set) else old, new)

    return apply
