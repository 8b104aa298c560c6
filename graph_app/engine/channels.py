"""The channels of a state: their types, empty values and update strategies."""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin, is_typeddict

import typing_extensions
from pydantic import BaseModel, ConfigDict, PydanticUserError, TypeAdapter

from graph_app.engine.errors import GraphDefinitionError
from graph_app.engine.strategies import (
    Applier,
    StateUpdater,
    _append_messages,
    _max,
    _min,
    _overwrite_state_update_strategy,
    applier,
)

if sys.version_info >= (3, 13):
    from typing import NotRequired, ReadOnly, Required
else:
    from typing import NotRequired, Required

    from typing_extensions import ReadOnly


class Unset:
    """Marks the empty value of a channel that nobody wrote, where that makes a difference (``max``, ``min``)."""

    __slots__ = ()


class _UnsetInt(Unset, int):
    pass


class _UnsetFloat(Unset, float):
    pass


class _UnsetStr(Unset, str):
    pass


_unset: dict[Any, Any] = {int: _UnsetInt(), float: _UnsetFloat(), str: _UnsetStr()}


class Channel:
    """One channel: its type, default and strategy.

    Attributes:
        name: Its name.
        annotation: Its declared type, with what ``Annotated`` adds.
        strategy: The function that puts a new value into it.
        strategy_name: The name under which that is registered, if it is.
        declared_default: Whether the schema gives it a default.
        is_messages: Whether it holds messages.
    """

    __slots__ = (
        "adapter",
        "annotation",
        "apply",
        "declared_default",
        "is_messages",
        "make",
        "name",
        "strategy",
        "strategy_name",
        "validate",
    )

    def __init__(self, name: str, annotation: Any, default: Callable[[], Any] | None) -> None:
        self.name = name
        self.annotation = annotation
        self.strategy, self.strategy_name = _strategy(name, annotation)
        self.declared_default = default is not None
        self.is_messages = self.strategy is _append_messages
        self.apply: Applier | None = applier(self.strategy)
        if default is None and self.strategy in (_max, _min):
            self.make = _empty_extreme(annotation)
            self.apply = _apply_extreme(self.strategy)
        else:
            self.make = default or empty_of(annotation)
        self.adapter = _adapter(name, annotation)
        self.validate: Callable[[Any], Any] = self.adapter.validator.validate_python

    def is_empty(self, value: Any) -> bool:
        """Tell whether a value is what the channel holds as long as nobody wrote it."""
        if value is None or (value.__class__ in _EMPTY and not value):
            empty = self.make()
            return type(empty) is type(value) and bool(empty == value)
        return isinstance(value, Unset)


def _apply_extreme(strategy: Callable[[Any, Any], Any]) -> Applier:
    def apply(values: dict[str, Any], name: str, new: Any, known: dict[str, Any]) -> Any:
        old = values[name]
        return new if isinstance(old, Unset) else strategy(old, new)

    return apply


def _empty_extreme(annotation: Any) -> Callable[[], Any]:
    make = empty_of(annotation)
    value = make()
    return lambda: _unset.get(type(value), value)


def _adapter(name: str, annotation: Any) -> TypeAdapter[Any]:
    try:
        try:
            return TypeAdapter(annotation)
        except PydanticUserError as error:
            if error.code == "typed-dict-version":
                # Before Python 3.12 the standard library's TypedDict does not tell pydantic enough.
                return _adapter(name, _told_fully(annotation))
            return TypeAdapter(annotation, config=ConfigDict(arbitrary_types_allowed=True))
    except Exception as error:
        raise GraphDefinitionError(f"channel {name!r} has a type that cannot be checked: {annotation!r}") from error


def _told_fully(annotation: Any) -> Any:
    """Return a type with each of the standard library's TypedDict classes replaced by an equal one for pydantic."""
    if is_typeddict(annotation):
        keys = {
            key: _told_fully(hint) if key in annotation.__required_keys__ else NotRequired[_told_fully(strip(hint))]
            for key, hint in type_hints(annotation).items()
        }
        return typing_extensions.TypedDict(annotation.__name__, keys)  # type: ignore[operator]
    arguments = get_args(annotation)
    if not arguments:
        return annotation
    origin = get_origin(annotation)
    if origin is Annotated:
        return Annotated[(_told_fully(arguments[0]), *arguments[1:])]
    told = tuple(_told_fully(argument) for argument in arguments)
    if origin in (Union, types.UnionType):
        return Union[told]  # noqa: UP007 - made at run time
    return annotation if origin is Literal or told == arguments else (origin or annotation)[told]


def strip(annotation: Any) -> Any:
    """Return a type without what says whether its key is required."""
    while get_origin(annotation) in (Required, NotRequired, ReadOnly):
        annotation = get_args(annotation)[0]
    return annotation


def metadata_of(annotation: Any) -> list[Any]:
    """Return what ``Annotated`` adds, wherever it stands in the type of the channel itself."""
    annotation = strip(annotation)
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *metadata = get_args(annotation)
        return [*metadata_of(inner), *metadata]
    if origin in (Union, types.UnionType):
        return [item for argument in get_args(annotation) for item in metadata_of(argument)]
    return []


def _strategy(name: str, annotation: Any) -> tuple[Callable[[Any, Any], Any], str | None]:
    metadata = metadata_of(annotation)
    names = [item for item in metadata if isinstance(item, str)]
    for item in names:
        if StateUpdater.registered(item):
            return StateUpdater.get(item), item
    for item in metadata:
        if inspect.isroutine(item):
            return item, None
    if names:
        known = ", ".join(sorted(StateUpdater.list_strategies()))
        raise GraphDefinitionError(f"channel {name!r} names the unknown strategy {names[0]!r}; there are {known}")
    return _overwrite_state_update_strategy, "overwrite"


_EMPTY: dict[Any, Callable[[], Any]] = {
    str: str, int: int, float: float, bool: bool, bytes: bytes, list: list, dict: dict, tuple: tuple, set: set,
    frozenset: frozenset, complex: complex, bytearray: bytearray,
}  # fmt: skip


def _none() -> None:
    return None


def empty_of(annotation: Any) -> Callable[[], Any]:
    """Return a function that makes the empty value of a type; ``None`` where the type has none."""
    annotation = strip(annotation)
    while get_origin(annotation) is Annotated:
        annotation = strip(get_args(annotation)[0])
    origin = get_origin(annotation)
    if origin in (Union, types.UnionType):
        arguments = get_args(annotation)
        return _none if type(None) in arguments else empty_of(arguments[0])
    if origin is Literal:
        return _none
    cls = origin or annotation
    known = _EMPTY.get(cls)
    if known is not None:
        return known
    if is_typeddict(cls):
        return dict
    if isinstance(cls, type):
        concrete: Callable[[], Any]
        for abstract, concrete in ((Mapping, dict), (typing.AbstractSet, set), (typing.Sequence, list)):
            if cls is not str and issubclass(cls, typing.cast("type", abstract)):
                return _made(cls, concrete)
        if issubclass(cls, BaseModel) and not any(field.is_required() for field in cls.model_fields.values()):
            model: Callable[[], Any] = cls
            return model
    return _none


def _made(cls: type, instead: Callable[[], Any]) -> Callable[[], Any]:
    """Return the class if calling it makes an empty value, else what does."""
    try:
        cls()
    except Exception:
        return instead
    return cls


def type_hints(schema: Any) -> dict[str, Any]:
    """Return a class's annotations, evaluated also where they were postponed inside a function."""
    try:
        return typing.get_type_hints(schema, include_extras=True)
    except NameError:
        frame = inspect.currentframe()
        while frame is not None:
            try:
                return typing.get_type_hints(schema, frame.f_globals, frame.f_locals, include_extras=True)
            except Exception:
                frame = frame.f_back
        raise
