"""Copies of what a node reads, made when it reads it, so that its changes stay its own.

A node under ``isolate=True`` gets views: a dict, list or model that holds the engine's own values and replaces a
mutable one by a copy when it is read for the first time. What is never read is never copied, and a view copies
element by element: reading the last of a thousand messages copies one message.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from typing import Any, SupportsIndex

from pydantic import BaseModel

from graph_app.engine.messages import clone

_ATOMS = frozenset({str, int, float, bool, type(None), bytes, complex, type, type(...), range})


def isolated(value: Any) -> Any:
    """Return the value, or a copy or copying view of it if it can be changed."""
    cls = value.__class__
    if cls in _ATOMS:
        return value
    if cls is list:
        return IsolatedList(value)
    if cls is dict:
        return IsolatedDict(value)
    return _copied(value)


def _copied(value: Any) -> Any:
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(isolated(item) for item in value)
    if type(value) is set:
        return {isolated(item) for item in value}
    if isinstance(value, IsolatedDict | IsolatedList):
        return value.copy()
    if isinstance(value, BaseModel):
        fields = {name: isolated(item) for name, item in value.__dict__.items()}
        return clone(value, fields)
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


def detached(value: Any) -> Any:
    """Return the value with every plain container in it copied, views turned into plain containers."""
    cls = value.__class__
    if cls in _ATOMS:
        return value
    if isinstance(value, list) and cls in (list, IsolatedList):
        return [detached(item) for item in list.__iter__(value)]
    if isinstance(value, dict) and cls in (dict, IsolatedDict):
        return {key: detached(item) for key, item in dict.items(value)}
    if cls is tuple:
        return tuple(detached(item) for item in value)
    if cls is set:
        return set(value)
    if isinstance(value, BaseModel):
        return clone(value, {name: detached(item) for name, item in value.__dict__.items()})
    return value


class IsolatedList(list[Any]):
    """A list whose elements are copied when they are read."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        value = list.__getitem__(self, index)
        if isinstance(index, slice):
            return IsolatedList(value)
        if value.__class__ in _ATOMS or value.__class__ is IsolatedList or value.__class__ is IsolatedDict:
            return value
        mine = isolated(value)
        list.__setitem__(self, index, mine)
        return mine

    def __iter__(self) -> Iterator[Any]:
        index = 0
        while index < len(self):
            yield self[index]
            index += 1

    def __reversed__(self) -> Iterator[Any]:
        for index in range(len(self) - 1, -1, -1):
            yield self[index]

    def pop(self, index: SupportsIndex = -1) -> Any:
        """Remove one element and return it."""
        value = self[index]
        list.pop(self, index)
        return value

    def copy(self) -> list[Any]:
        """Return a list of the same elements."""
        return list(self)

    def sort(self, **options: Any) -> None:
        """Sort in place."""
        mine = list(self)
        mine.sort(**options)
        self[:] = mine

    def __add__(self, other: Any) -> list[Any]:
        joined: list[Any] = list(self) + other
        return joined

    def __radd__(self, other: list[Any]) -> list[Any]:
        return other + list(self)

    def __mul__(self, times: SupportsIndex) -> list[Any]:
        return list(self) * times

    __rmul__ = __mul__

    def __copy__(self) -> list[Any]:
        return list(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Any]:
        return copy.deepcopy(list(self), memo)

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        return list, (list(self),)


class IsolatedDict(dict[Any, Any]):
    """A dict whose values are copied when they are read.

    ``__iter__`` is overridden because the interpreter's own copying (``{**state}``, ``dict(state)``) asks for it, and
    would otherwise go around the copies.
    """

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        value = dict.__getitem__(self, key)
        if value.__class__ in _ATOMS or value.__class__ is IsolatedList or value.__class__ is IsolatedDict:
            return value
        mine = isolated(value)
        dict.__setitem__(self, key, mine)
        return mine

    def __iter__(self) -> Iterator[Any]:
        return dict.__iter__(self)

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the value of the key, or the default."""
        return self[key] if key in self else default  # noqa: SIM401 - that is what this is

    def values(self) -> Any:
        """Return all values."""
        self._read_all()
        return dict.values(self)

    def items(self) -> Any:
        """Return all pairs of key and value."""
        self._read_all()
        return dict.items(self)

    def _read_all(self) -> None:
        for key in list(dict.keys(self)):
            self[key]

    def pop(self, key: Any, *default: Any) -> Any:
        """Remove a key and return its value, or the default."""
        if key in self:
            value = self[key]
            dict.pop(self, key)
            return value
        return dict.pop(self, key, *default)

    def popitem(self) -> tuple[Any, Any]:
        """Remove the last pair and return it."""
        key, value = dict.popitem(self)
        return key, isolated(value)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """Return the value of the key, which is set to the default if it is not there."""
        if key not in self:
            dict.__setitem__(self, key, default)
        return self[key]

    def copy(self) -> dict[Any, Any]:
        """Return a dict with the same values."""
        return dict(self)

    def __or__(self, other: Any) -> Any:
        return dict(self) | other

    def __ror__(self, other: Any) -> Any:
        return other | dict(self)

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def __copy__(self) -> dict[Any, Any]:
        return dict(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[Any, Any]:
        return copy.deepcopy(dict(self), memo)

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        return dict, (dict(self),)


_models: dict[type[BaseModel], type[BaseModel]] = {}


def isolating_model(cls: type[BaseModel], names: Iterable[str]) -> type[BaseModel]:
    """Return a subclass of a pydantic model whose fields are copied when they are read.

    Args:
        cls: The model.
        names: Names of its fields.
    """
    known = _models.get(cls)
    if known is not None:
        return known
    fields = frozenset(names)
    plain = object.__getattribute__

    def read(self: Any, name: str) -> Any:
        if name in fields:
            mine = plain(self, "__dict__")
            value = mine.get(name)
            if value is not None and value.__class__ not in _ATOMS:
                if value.__class__ is IsolatedList or value.__class__ is IsolatedDict:
                    return value
                seen = plain(self, "__isolated__")
                if name not in seen:
                    value = mine[name] = isolated(value)
                    seen.add(name)
                return value
        elif name == "__class__":
            return cls
        elif name == "__dict__":
            for field in fields:
                getattr(self, field, None)
        return plain(self, name)

    namespace = {
        "__module__": cls.__module__,
        "__qualname__": cls.__qualname__,
        "__getattribute__": read,
        "__slots__": ("__isolated__",),
        "__doc__": cls.__doc__,
    }
    made = _subclass(cls, namespace)
    _models[cls] = made
    return made


def _subclass(cls: type[BaseModel], namespace: dict[str, Any]) -> type[BaseModel]:
    # Made past pydantic's metaclass: the subclass has no fields of its own, so the parent's validator and schema serve.
    return type.__new__(type(cls), cls.__name__, (cls,), namespace)
