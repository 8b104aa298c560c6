"""The parts of a JSON Schema, each with its place, and where its references lead: within the schema, nowhere else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

_ON_THE_SAME_VALUE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"})
_ONE = frozenset({"additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"})
_LISTED = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_NAMED = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})


class PartError(Exception):
    """A reference leads nowhere.

    Attributes:
        place: Where it stands in the schema.
        message: What to do.
    """

    def __init__(self, place: str, message: str) -> None:
        """Keeps both."""
        super().__init__(f"{place}: {message}")
        self.place = place
        self.message = message


@dataclass(frozen=True, slots=True)
class Part:
    """A schema within a schema.

    Attributes:
        place: Where it stands.
        contents: What it says.
        resolver: Finds what it refers to.
        in_place: Whether it applies to the same value as the part around it.
    """

    place: str
    contents: Any
    resolver: Any
    in_place: bool = False

    @classmethod
    def root(cls, schema: dict[str, Any]) -> Part:
        """Returns the whole schema as a part."""
        registry: Registry[Any] = Registry()  # retrieves nothing
        try:
            return cls("", schema, registry.resolver_with_root(DRAFT202012.create_resource(schema)))
        except ValueError as error:
            raise PartError("$id", f"this is no address: {error}. Take it out.") from error

    def child(self, place: str, contents: Any, *, in_place: bool) -> Part:
        """Returns a part of this one."""
        where = f"{self.place}.{place}" if self.place else place
        try:
            resolver = self.resolver.in_subresource(DRAFT202012.create_resource(contents))
        except ValueError as error:
            raise PartError(where, f"$id is no address: {error}. Take it out.") from error
        return Part(where, contents, resolver, in_place)


def children(part: Part) -> Iterator[Part]:
    """Yields the parts of a part.

    Raises:
        PartError: If an `$id` is no address.
    """
    for keyword, value in part.contents.items():
        in_place = keyword in _ON_THE_SAME_VALUE
        if keyword in _ONE:
            yield part.child(keyword, value, in_place=in_place)
        elif keyword in _LISTED:
            for index, one in enumerate(value):
                yield part.child(f"{keyword}.{index}", one, in_place=in_place)
        elif keyword in _NAMED:
            for name, one in value.items():
                yield part.child(f"{keyword}.{name}", one, in_place=in_place)


def resolved(part: Part) -> Part | None:
    """Returns the part to which a part refers, if it does.

    Raises:
        PartError: If it leads out of the schema, or to nothing in it.
    """
    if "$ref" not in part.contents:
        return None
    reference = part.contents["$ref"]
    place = f"{part.place}.$ref" if part.place else "$ref"
    try:
        found = part.resolver.lookup(reference)
    except (Unresolvable, ValueError, TypeError, LookupError, AttributeError) as error:
        if reference.startswith("#"):
            message = f"there is nothing at {reference!r} in this schema. Put it under $defs, or correct the address."
        else:
            message = f"{reference!r} is outside this schema, and nothing is fetched. Copy it into $defs."
        raise PartError(place, message) from error
    return Part(place, found.contents, found.resolver, in_place=True)
