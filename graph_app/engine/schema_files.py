"""State schemas in files: types, defaults, constraints and strategies as JSON values."""

from __future__ import annotations

import datetime
import types
import typing
import warnings
from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Any, Literal, TypedDict, Union, get_args, get_origin

import annotated_types
from pydantic import BaseModel, Field, TypeAdapter, create_model
from pydantic.fields import FieldInfo

from graph_app.engine.channels import strip
from graph_app.engine.channels import type_hints as hints_of
from graph_app.engine.errors import SerializationError
from graph_app.engine.messages import AssistantMessage, StateMessage, SystemMessage, ToolMessage, UserMessage
from graph_app.engine.registry import import_path, lookup, reference, remember
from graph_app.engine.schema import Schema
from graph_app.engine.state import GeneratedState

_NAMED: dict[str, Any] = {
    cls.__name__: cls
    for cls in (
        str, int, float, bool, bytes, list, dict, tuple, set, frozenset, object,
        StateMessage, UserMessage, AssistantMessage, SystemMessage, ToolMessage, Decimal,
    )
} | {
    "any": Any,
    "none": type(None),
    "datetime": datetime.datetime,
    "date": datetime.date,
    "time": datetime.time,
    "timedelta": datetime.timedelta,
}  # fmt: skip
_BY_TYPE = {cls: name for name, cls in _NAMED.items()}
_FACTORIES: dict[str, Any] = {"list": list, "dict": dict, "set": set, "tuple": tuple}
_CONSTRAINTS = ("Gt", "Ge", "Lt", "Le", "MultipleOf", "MinLen", "MaxLen")
_FIELD = ("description", "title", "alias")


def _encode(annotation: Any) -> Any:
    if annotation is None:
        return "none"
    try:
        if annotation in _BY_TYPE:
            return _BY_TYPE[annotation]
    except TypeError:
        pass
    origin = get_origin(annotation)
    arguments = get_args(annotation)
    if origin is Annotated:
        return {"of": _encode(arguments[0]), "with": [part for item in arguments[1:] for part in _metadata(item)]}
    if origin in (Union, types.UnionType):
        return {"union": [_encode(item) for item in arguments]}
    if origin is Literal:
        return {"literal": list(arguments)}
    if origin is not None:
        items = [{"rest": True} if item is ... else _encode(item) for item in arguments]
        return {"type": _encode(origin), "args": items}
    if annotation in (typing.List, typing.Dict, typing.Tuple, typing.Set):  # noqa: UP006 - what old programs write
        return _encode(get_origin(annotation))
    if isinstance(annotation, type):
        written = reference(annotation)
        if written is not None:
            remember(annotation)
            return written
    raise SerializationError(f"the type {annotation!r} cannot be written")


def _decode(written: Any, allow: Iterable[Any]) -> Any:
    if isinstance(written, str) and written in _NAMED:
        return _NAMED[written]
    if isinstance(written, dict):
        if "of" in written:
            decoded = _decode(written["of"], allow)
            for item in written["with"]:
                decoded = Annotated[decoded, _metadata_back(item, allow)]
            return decoded
        if "union" in written:
            return Union[tuple(_decode(item, allow) for item in written["union"])]  # noqa: UP007 - made at run time
        if "literal" in written:
            return Literal[tuple(written["literal"])]
        if "type" in written:
            items = tuple(... if item == {"rest": True} else _decode(item, allow) for item in written["args"])
            return _decode(written["type"], allow)[items]
        return lookup(written, allow)
    raise SerializationError(f"{written!r} is no type")


def _metadata(item: Any) -> list[Any]:
    if isinstance(item, str):
        return [item]
    name = type(item).__name__
    if isinstance(item, annotated_types.BaseMetadata) and name in _CONSTRAINTS:
        return [{"constraint": name, "value": getattr(item, _attribute(name))}]
    if isinstance(item, FieldInfo):
        parts = [part for inner in item.metadata for part in _metadata(inner)]
        shown = {key: getattr(item, key) for key in _FIELD if getattr(item, key) is not None}
        return [*parts, *([{"field": shown}] if shown else [])]
    if name == "_PydanticGeneralMetadata":
        return [{"field": {key: value for key, value in vars(item).items() if value is not None}}]
    if name == "Strict":
        return [{"field": {"strict": item.strict}}]
    written = reference(item)
    if written is None:
        raise SerializationError(f"{item!r} cannot be written")
    remember(item)
    return [written]


def _attribute(name: str) -> str:
    return {"MinLen": "min_length", "MaxLen": "max_length", "MultipleOf": "multiple_of"}.get(name, name.lower())


def _metadata_back(written: Any, allow: Iterable[Any]) -> Any:
    if isinstance(written, str):
        return written
    if isinstance(written, dict) and written.get("constraint") in _CONSTRAINTS:
        return getattr(annotated_types, written["constraint"])(written["value"])
    if isinstance(written, dict) and isinstance(written.get("field"), dict):
        return Field(**written["field"])
    return lookup(written, allow)


def dump_schema(source: Any) -> Any:
    """Return a state schema as JSON values.

    Raises:
        SerializationError: It has code in it and cannot be named, or has a type that cannot be written.
    """
    schema = Schema(source)
    if schema.unchecked:
        return None
    if schema.is_model and _has_code(source):
        path = import_path(source)
        if path is None:
            raise SerializationError(
                f"the state schema {source.__name__} has validators, and cannot be named in a file"
            )
        remember(source)
        return {"kind": "class", "name": source.__name__, "class": {"import": path}}
    hints = hints_of(source)
    channels = []
    for name in schema.channels:
        field = source.model_fields[name] if schema.is_model else None
        hint = strip(hints.get(name, field.annotation if field is not None else Any))
        try:
            written: dict[str, Any] = {"name": name, "type": _encode(hint)}
            if field is not None:
                inner = _inner(hint)
                extra = [part for item in field.metadata for part in _metadata(item) if part not in inner]
                if extra:
                    known = written["type"]
                    if not (isinstance(known, dict) and "of" in known):
                        known = {"of": known, "with": []}
                    written["type"] = {"of": known["of"], "with": [*known["with"], *extra]}
                _dump_default(written, field, hint)
        except SerializationError as error:
            raise SerializationError(f"state channel {name!r}: {error}") from error
        channels.append(written)
    result: dict[str, Any] = {"kind": "model" if schema.is_model else "typeddict", "name": source.__name__}
    if schema.is_model:
        if source.__dict__.get("__generated__"):
            result["generated"] = True
        config = {key: source.model_config[key] for key in ("frozen", "extra") if key in source.model_config}
        if config:
            result["config"] = config
    result["channels"] = channels
    return result


def _inner(hint: Any) -> list[Any]:
    """Return what the type itself says already, as it is written."""
    if get_origin(hint) is not Annotated:
        return []
    return [part for item in get_args(hint)[1:] for part in _metadata(item)]


def _dump_default(written: dict[str, Any], field: FieldInfo, hint: Any) -> None:
    if field.is_required():
        return
    factory = field.default_factory
    if factory is None:
        written["default"] = TypeAdapter(hint).dump_python(field.default, mode="json", warnings=False)
        return
    for name, known in _FACTORIES.items():
        if factory is known:
            written["factory"] = name
            return
    path = reference(factory)
    if path is not None:
        remember(factory)
        written["factory"] = path
        return
    made = field.get_default(call_default_factory=True, validated_data={})
    written["default"] = TypeAdapter(hint).dump_python(made, mode="json", warnings=False)


def _has_code(model: type[BaseModel]) -> bool:
    found = model.__pydantic_decorators__
    return bool(found.field_validators or found.model_validators or found.validators or found.root_validators)


def load_schema(written: Any, allow: Iterable[Any] = ()) -> Any:
    """Return a state schema from what ``dump_schema`` returned.

    Raises:
        SerializationError: It cannot be read.
    """
    if written is None or isinstance(written, type):
        return written
    try:
        if written["kind"] == "class":
            return lookup(written["class"], allow)
        fields = [(item, _decode(item["type"], allow)) for item in written["channels"]]
        if written["kind"] == "typeddict":
            return TypedDict(written["name"], {item["name"]: kind for item, kind in fields})  # type: ignore[operator]
        return _load_model(written, fields, allow)
    except SerializationError:
        raise
    except Exception as error:
        raise SerializationError(f"the state schema cannot be read: {error}") from error


def _load_model(written: dict[str, Any], fields: list[tuple[dict[str, Any], Any]], allow: Iterable[Any]) -> Any:
    made: dict[str, Any] = {}
    for item, kind in fields:
        if "factory" in item:
            factory = item["factory"]
            found = _FACTORIES[factory] if isinstance(factory, str) else lookup(factory, allow)
            made[item["name"]] = (kind, Field(default_factory=found))
        elif "default" in item:
            made[item["name"]] = (kind, TypeAdapter(kind).validate_python(item["default"]))
        else:
            made[item["name"]] = (kind, ...)
    generated = bool(written.get("generated"))
    options: dict[str, Any] = {"__base__": GeneratedState}
    if not generated:
        config: Any = {"arbitrary_types_allowed": True, "protected_namespaces": (), **written.get("config", {})}
        options = {"__config__": config}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model: Any = create_model(written["name"], **options, **made)
    if generated:
        model.__generated__ = True
    return model
