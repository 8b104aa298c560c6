"""JSON Schemas that people write: nothing is fetched for them, and a check ends soon whatever schema and value are.

A schema stands alone: `$ref` finds what is in it, nothing else. Patterns are RE2's, whose time is linear. What a check
may cost is counted, so that no answer holds up the runs that share its thread.

Source: JSON Schema 2020-12; security.md, "bombs".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, Protocol

from jsonschema import Draft202012Validator, SchemaError, ValidationError, validators

from graph_app.calls.errors import CallError
from graph_app.calls.schema_parts import Part, PartError, children, resolved
from toolkit_app.engine.errors import RegexSyntaxError
from toolkit_app.engine.patterns import parse_pattern

MAX_SCHEMA_CHARACTERS = 100_000
MAX_SCHEMA_PARTS = 2_000
MAX_VALUE_PARTS = 10_000
MAX_DEPTH = 40
"""Lists and objects within each other, of a schema and of a value."""
_MAX_NESTED_CHECKS = 150
_MAX_WORK = 50_000
_SHOWN = 300
_UNSUPPORTED = {
    "unevaluatedProperties": "use additionalProperties",
    "unevaluatedItems": "use items",
    "$dynamicRef": "use $ref",
}


class SchemaTextError(CallError):
    """A schema can't be used; the message has the place within the schema, and what to do."""


class UserSchema(Protocol):
    """A schema that was found good."""

    def problem(self, value: Any) -> str | None:
        """Returns why a value doesn't fit, with the place; nothing where it does."""


def read_schema(schema: Mapping[str, Any]) -> UserSchema:
    """Returns a schema with which values can be checked.

    Args:
        schema: JSON Schema, 2020-12.

    Raises:
        SchemaTextError: If it is none, refers to anything outside itself, or is too large or too deep.
    """
    _measure(schema, MAX_SCHEMA_PARTS, "The schema")
    try:
        text = json.dumps(schema, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise SchemaTextError(f"A schema holds JSON values only: {error}.") from error
    if len(text) > MAX_SCHEMA_CHARACTERS:
        raise SchemaTextError(f"The schema is too long: at most {MAX_SCHEMA_CHARACTERS:,} characters are allowed.")
    return _read(text)


class _Checked:
    """A schema that was found good: its parts, references and patterns are what they should be."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._validator = _BoundedValidator(schema)

    def problem(self, value: Any) -> str | None:
        """Returns why a value doesn't fit, with the place; nothing where it does."""
        left = _work.set(_Work())
        try:
            _measure(value, MAX_VALUE_PARTS, "The value")
            error = next(iter(self._validator.iter_errors(value)), None)
        except SchemaTextError as found:
            return found.message.rstrip(".")
        except (ArithmeticError, ValueError, RecursionError) as found:  # a number that no arithmetic can take
            return f"the value can't be checked: {found}"
        finally:
            _work.reset(left)
        if error is None:
            return None
        where = ".".join(map(str, error.absolute_path))
        message = error.message if len(error.message) <= _SHOWN else error.message[:_SHOWN] + "…"
        return f"{where}: {message}" if where else message


@lru_cache(maxsize=128)
def _read(text: str) -> UserSchema:
    schema = json.loads(text)
    if not isinstance(schema, dict):
        raise SchemaTextError("A schema is an object, such as {type: object, properties: {…}}.")
    schema.pop("$schema", None)  # whatever draft it names, it is read as 2020-12
    _conforms(schema, "")
    seen: dict[int, Part] = {}
    inside: dict[int, list[Part]] = {}
    referred: list[Part] = []
    todo = [_root(schema)]
    while todo or referred:
        if not todo:
            target = referred.pop()
            if id(target.contents) not in seen:
                _conforms(target.contents, target.place)  # it may lie where no schema is looked for
                todo.append(target)
            continue
        part = todo.pop()
        if isinstance(part.contents, bool) or id(part.contents) in seen:
            continue
        seen[id(part.contents)] = part
        _plain(part)
        try:
            found = list(children(part))
            target_of = resolved(part)
        except PartError as error:
            raise SchemaTextError(_placed(error.place, error.message)) from error
        todo += found
        inside[id(part.contents)] = [child for child in found if child.in_place]
        if target_of is not None:
            referred.append(target_of)
            inside[id(part.contents)].append(target_of)
    _ends(seen, inside)
    return _Checked(schema)


def _root(schema: dict[str, Any]) -> Part:
    try:
        return Part.root(schema)
    except PartError as error:
        raise SchemaTextError(_placed(error.place, error.message)) from error


def _conforms(schema: Any, place: str) -> None:
    try:
        Draft202012Validator.check_schema(schema, format_checker=None)  # its own check of patterns is not RE2's
    except SchemaError as error:
        where = ".".join([*([place] if place else []), *map(str, error.absolute_path)])
        raise SchemaTextError(_placed(where, f"this is no JSON Schema: {error.message[:_SHOWN]}")) from error


def _plain(part: Part) -> None:
    """Refuses what a part may not have.

    Raises:
        SchemaTextError: If it has a keyword that can't be bounded, or a pattern that RE2 can't do.
    """
    if "$schema" in part.contents:
        raise SchemaTextError(_placed(part.place, "$schema may stand at the beginning only. Take it out here."))
    for keyword, instead in _UNSUPPORTED.items():
        if keyword in part.contents:
            raise SchemaTextError(_placed(part.place, f"{keyword} is not supported here; {instead}."))
    patterns = [("pattern", part.contents["pattern"])] if "pattern" in part.contents else []
    patterns += [("patternProperties", pattern) for pattern in part.contents.get("patternProperties", {})]
    for keyword, pattern in patterns:
        try:
            _pattern(pattern)
        except RegexSyntaxError as error:
            raise SchemaTextError(_placed(f"{part.place}.{keyword}".removeprefix("."), str(error))) from error


def _ends(seen: Mapping[int, Part], inside: Mapping[int, list[Part]]) -> None:
    """Refuses parts that apply themselves to the same value again.

    Raises:
        SchemaTextError: If there is one.
    """
    done: set[int] = set()
    for begin in seen:
        way, on_way = [(begin, iter(inside[begin]))], {begin}
        while way:
            at, rest = way[-1]
            child = next((one for one in rest if id(one.contents) in inside and id(one.contents) not in done), None)
            if child is None:
                done.add(at)
                on_way.discard(at)
                way.pop()
            elif id(child.contents) in on_way:
                message = "$ref leads back to itself without end. Refer to it from properties or items instead."
                raise SchemaTextError(_placed(seen[at].place, message))
            else:
                on_way.add(id(child.contents))
                way.append((id(child.contents), iter(inside[id(child.contents)])))


def _placed(place: str, message: str) -> str:
    return f"{place}: {message}" if place else message


def _measure(value: Any, most: int, what: str) -> None:
    """Refuses what is too large or too deep, before anything goes through it by recursion.

    Raises:
        SchemaTextError: If it is.
    """
    todo, count = [(value, 1)], 0
    while todo:
        one, depth = todo.pop()
        count += 1
        held = list(one.values()) if isinstance(one, Mapping) else one if isinstance(one, list | tuple) else ()
        if count + len(held) > most:
            raise SchemaTextError(f"{what} is too large: at most {most:,} parts are allowed.")
        if held and depth > MAX_DEPTH:
            raise SchemaTextError(f"{what} is nested too deeply: at most {MAX_DEPTH} levels are allowed.")
        todo += [(item, depth + 1) for item in held]


class _Work:
    """What one check has cost so far, and how deep it is."""

    __slots__ = ("depth", "done")

    def __init__(self) -> None:
        self.depth = 0
        self.done = 0

    def spend(self, value: Any, instance: Any) -> None:
        """Counts one keyword.

        Raises:
            SchemaTextError: If the check takes too long or goes too deep.
        """
        self.done += 1
        for one in (value, instance):
            if isinstance(one, str):
                self.done += len(one) // 1_000
            elif isinstance(one, dict | list):
                self.done += len(one)
        if self.done > _MAX_WORK:
            raise SchemaTextError("checking it against the schema takes too long. Make the schema simpler")
        if self.depth > _MAX_NESTED_CHECKS:
            raise SchemaTextError("it is nested too deeply to be checked. Make the value or the schema flatter")


_work: ContextVar[_Work] = ContextVar("work_of_this_check")
_Keyword = Callable[[Any, Any, Any, Any], Any]


def _bounded(keyword: _Keyword) -> _Keyword:
    def check(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        work = _work.get()
        work.spend(value, instance)
        work.depth += 1
        try:
            yield from keyword(validator, value, instance, schema) or ()
        finally:
            work.depth -= 1

    return check


def _pattern(pattern: str) -> Any:
    return parse_pattern(f"/{pattern or '(?:)'}/")


def _matches(pattern: str, text: str) -> bool:
    return _pattern(pattern).search(text.encode("utf-8", "replace")) is not None


def _check_pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not _matches(pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _check_pattern_properties(validator: Any, patterns: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for pattern, subschema in patterns.items():
            for key, value in instance.items():
                if _matches(pattern, key):
                    yield from validator.descend(value, subschema, path=key, schema_path=pattern)


def _check_others(validator: Any, allowed: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    for key, value in instance.items():
        if key in known or any(_matches(pattern, key) for pattern in patterns):
            continue
        if allowed is False:
            yield ValidationError(f"Additional properties are not allowed ({key!r} was unexpected)")
        else:
            yield from validator.descend(value, allowed, path=key)


def _check_unique(validator: Any, unique: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if unique and isinstance(instance, list) and len({_frozen(item) for item in instance}) < len(instance):
        yield ValidationError("the items are not all different")


def _frozen(value: Any) -> Any:
    """Returns a value by which equal JSON values are found: 1 and 1.0 are equal, 1 and true are not."""
    if isinstance(value, dict):
        return "object", frozenset((key, _frozen(item)) for key, item in value.items())
    if isinstance(value, list):
        return "list", tuple(_frozen(item) for item in value)
    return isinstance(value, bool), value


_BoundedValidator: Any = validators.extend(
    Draft202012Validator,
    {
        name: _bounded(keyword)
        for name, keyword in {
            **Draft202012Validator.VALIDATORS,
            "pattern": _check_pattern,
            "patternProperties": _check_pattern_properties,
            "additionalProperties": _check_others,
            "uniqueItems": _check_unique,
        }.items()
    },
)
