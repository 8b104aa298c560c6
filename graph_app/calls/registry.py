"""All Calls by class name. A class is registered when it is defined."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from graph_app.calls.errors import CallError

if TYPE_CHECKING:
    from graph_app.calls.core import CoreCall

_log = logging.getLogger(__name__)
_calls: dict[str, type[CoreCall]] = {}


def register(call: type[CoreCall]) -> None:
    """Registers a class under its name; one of the same name is replaced, and that is logged."""
    earlier = _calls.get(call.__name__)
    if earlier is not None and earlier.__module__ != call.__module__:
        _log.warning("The Call %s of %s replaces that of %s", call.__name__, call.__module__, earlier.__module__)
    _calls[call.__name__] = call


def registered_calls() -> dict[str, type[CoreCall]]:
    """Returns all Calls by class name, in the order in which they were defined."""
    return dict(_calls)


def call_class(name: str) -> type[CoreCall]:
    """Finds a Call.

    Raises:
        CallError: If there is none of this name; the message lists what there is.
    """
    found = _calls.get(name)
    if found is None:
        raise CallError(f"There is no Call {name!r}; there are {', '.join(sorted(_calls))}.")
    return found
