"""Which functions and classes a file may name: those registered under a name, and those that a builder was given."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])

_named: dict[str, Any] = {}
_given: dict[str, Any] = {}


def register_function(name: str) -> Callable[[_Function], _Function]:
    """Return a decorator that registers a function or node class under a name, by which files refer to it.

    Raises:
        KeyError: The name is taken by another one.
    """

    def decorate(function: _Function) -> _Function:
        if _named.get(name, function) is not function:
            raise KeyError(f"a function {name!r} is registered already")
        _named[name] = function
        return function

    return decorate


def import_path(target: Any) -> str | None:
    """Return ``module:name`` of a function or class at the top of a module; ``None`` for any other."""
    module = getattr(target, "__module__", None)
    name = getattr(target, "__qualname__", None)
    if (
        not isinstance(module, str)
        or not isinstance(name, str)
        or not (inspect.isroutine(target) or inspect.isclass(target))
    ):
        return None
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return f"{module}:{name}" if found is target else None


def remember(target: Any) -> None:
    """Note that this process gave a function or class to a builder, so that files may name it."""
    path = import_path(target)
    if path is not None:
        _given[path] = target


def reference(target: Any) -> dict[str, str] | None:
    """Return how a file names a function or class; ``None`` if it cannot."""
    for name, function in _named.items():
        if function is target:
            return {"registered": name}
    path = import_path(target)
    return None if path is None else {"import": path}


def lookup(written: Any, allow: Iterable[Any] = ()) -> Any:
    """Return what a file names. Nothing is imported.

    Raises:
        LookupError: It is not registered, or not allowed.
    """
    if isinstance(written, dict) and set(written) == {"registered"}:
        if written["registered"] in _named:
            return _named[written["registered"]]
        raise LookupError(f"no function is registered as {written['registered']!r}")
    if isinstance(written, dict) and set(written) == {"import"}:
        path = written["import"]
        for target in allow:
            if import_path(target) == path:
                return target
        if path in _given:
            return _given[path]
        raise LookupError(f"{path!r} is not on the list of what this file may name")
    raise LookupError(f"{written!r} names no function")
