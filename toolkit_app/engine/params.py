"""Checks a call's arguments against the tool's parameters.

Source: contract, "Running".
"""

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

from .definition import ToolDefinition
from .errors import ParamsError
from .scalars import MAX_DIGITS
from .values import Value, compact

_INTEGER = re.compile(r"[-+]?[0-9]+")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_HUGE = 10**MAX_DIGITS
_WANTED = {
    "string": "a text",
    "number": "a number, such as 2.5",
    "integer": "a whole number, such as 3",
    "boolean": "true or false",
}


def check_params(tool: ToolDefinition, params: Any, warn: Callable[[str], None]) -> dict[str, Value]:
    """Check and convert the arguments of a call.

    Args:
        tool: The tool that is called.
        params: Arguments by name; None is no arguments.
        warn: Called with a message for each argument that is ignored.

    Returns:
        A value for each parameter that was given or has a default.

    Raises:
        ParamsError: A required argument is missing, or one has the wrong type.
    """
    if params is None:
        params = {}
    if not isinstance(params, Mapping):
        raise ParamsError("The arguments must be names with values (an object), not a list or a text.")
    values: dict[str, Value] = {}
    for param in tool.params:
        given = params.get(param.name)
        if given is not None:
            values[param.name] = coerce(param.name, param.type, given)
        elif param.has_default:
            default = param.default
            values[param.name] = Value(None) if default is None else coerce(param.name, param.type, default)
        elif param.required:
            raise ParamsError(
                f"The parameter `{param.name}` is missing; it is required and must be {_WANTED[param.type]}."
            )
    known = {param.name for param in tool.params}
    for name in params:
        if name not in known:
            warn(f"The argument `{str(name)[:60]}` is not a parameter of this tool; it was ignored.")
    return values


def coerce(name: str, kind: str, given: Any) -> Value:
    """Convert one argument to its parameter's type.

    Raises:
        ParamsError: It doesn't fit.
    """
    value = _CONVERTERS[kind](given)
    if value is None:
        raise ParamsError(f"The parameter `{name}` must be {_WANTED[kind]}, but was {_described(given)}.")
    return value


def _string(given: Any) -> Value | None:
    if isinstance(given, str):
        return Value(given)
    return Value(compact(given)) if _is_number(given) or isinstance(given, bool) else None


def _integer(given: Any) -> Value | None:
    if _is_number(given):
        return Value(int(given)) if given == int(given) else None
    if isinstance(given, str) and len(given) <= MAX_DIGITS and _INTEGER.fullmatch(given.strip()):
        return Value(int(given))
    return None


def _number(given: Any) -> Value | None:
    if isinstance(given, str):
        text = given.strip()
        if len(text) > MAX_DIGITS or not _NUMBER.fullmatch(text):
            return None
        if _INTEGER.fullmatch(text):
            return Value(int(text))
        value = float(text)
        return Value(value, text.removeprefix("+")) if math.isfinite(value) else None
    return Value(given) if _is_number(given) else None


def _boolean(given: Any) -> Value | None:
    if isinstance(given, bool):
        return Value(given)
    if isinstance(given, str) and given.strip().lower() in {"true", "false"}:
        return Value(given.strip().lower() == "true")
    return None


_CONVERTERS: dict[str, Callable[[Any], Value | None]] = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
}


def _is_number(given: Any) -> TypeGuard[float]:
    if isinstance(given, bool):
        return False
    if isinstance(given, int):
        return bool(-_HUGE < given < _HUGE)
    return isinstance(given, float) and math.isfinite(given)


def _described(given: Any) -> str:
    if isinstance(given, str):
        return f"the text “{given[:60]}”"
    if isinstance(given, bool):
        return f"`{str(given).lower()}`"
    if isinstance(given, (list, tuple)):
        return "a list"
    if isinstance(given, Mapping):
        return "an object"
    return (
        f"the number {given!r:.60}"
        if isinstance(given, float)
        else "a number"
        if isinstance(given, int)
        else "something else"
    )
