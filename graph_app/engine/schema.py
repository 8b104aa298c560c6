"""A state schema, compiled: how deltas are checked and put in, and how states are handed out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, get_args, get_origin, is_typeddict

from pydantic import BaseModel, ValidationError
from pydantic_core import to_jsonable_python

from graph_app.engine.channels import Channel, Unset, metadata_of, strip, type_hints
from graph_app.engine.errors import GraphDefinitionError, StateError
from graph_app.engine.isolation import IsolatedDict, detached, isolating_model
from graph_app.engine.messages import StateMessage, enter_state

_new_set = object.__setattr__


class Schema:
    """A compiled state schema.

    Args:
        source: A TypedDict class, a pydantic model class, or ``None`` for an unchecked dict.

    Raises:
        GraphDefinitionError: It is something else, names an unknown strategy, or has a type that cannot be checked.
    """

    def __init__(self, source: Any = None) -> None:
        if source is dict:
            source = None
        self.source = source
        self.is_model = isinstance(source, type) and issubclass(source, BaseModel)
        self.unchecked = source is None
        if not (self.unchecked or self.is_model or is_typeddict(source)):
            raise GraphDefinitionError(f"a state schema is a TypedDict or pydantic model class, not {source!r}")
        self.channels: dict[str, Channel] = {channel.name: channel for channel in self._read()}
        self.validators = {name: channel.validate for name, channel in self.channels.items()}
        self.appliers = {name: channel.apply for name, channel in self.channels.items() if channel.apply is not None}
        self.messages = frozenset(name for name, channel in self.channels.items() if channel.is_messages)
        self._plain = frozenset(name for name in self.messages if _plain_messages(self.channels[name].annotation))
        self._makers = [(name, channel.make) for name, channel in self.channels.items()]
        if self.is_model:
            self._isolating = isolating_model(source, self.channels)
            self._private = bool(source.__private_attributes__)

    def _read(self) -> list[Channel]:
        source = self.source
        if self.unchecked:
            return []
        try:
            hints = type_hints(source)
        except Exception as error:
            raise GraphDefinitionError(f"the state schema's types cannot be read: {error}") from error
        if not self.is_model:
            return [Channel(name, strip(hint), None) for name, hint in hints.items()]
        generated = bool(source.__dict__.get("__generated__"))
        if not source.__pydantic_complete__:
            source.model_rebuild(_types_namespace=hints)
        result = []
        for name, field in source.model_fields.items():
            default = None
            if not field.is_required() and not generated:
                default = _field_default(field)
            channel = Channel(name, _annotation(hints.get(name, field.annotation), field), default)
            if name in _decorated(source):
                channel.validate = _through_model(source, name)
            result.append(channel)
        return result

    def initial(self) -> dict[str, Any]:
        """Return the values of a state that nobody wrote: defaults, else empty values."""
        return {name: make() for name, make in self._makers}

    def check(
        self, delta: Any, node: str | None = None, *, stamp: bool = True, isolate: bool = False
    ) -> dict[str, Any]:
        """Return a delta with its channels validated, its messages as a state keeps them.

        Args:
            delta: A mapping, a model, or ``None``.
            node: The node that returned it; ``None`` for inputs.
            stamp: Whether messages are stamped with the node's name.
            isolate: Whether containers in it are copied.

        Raises:
            StateError: It is something else, or has an unknown channel or a value that does not fit.
        """
        if delta.__class__ is not dict:
            if delta is None:
                return {}
            delta = self._mapping(delta, node)
        if isolate:
            delta = {name: detached(value) for name, value in dict.items(delta)}
        if self.unchecked:
            return dict(delta)
        validators = self.validators
        messages = self.messages
        checked = {}
        for name, value in delta.items():
            validate = validators.get(name)
            if validate is None:
                raise self._unknown(name, node)
            try:
                checked[name] = (
                    self._enter(name, value, node if stamp else None) if name in messages else validate(value)
                )
            except (ValueError, TypeError, AssertionError) as error:
                raise self._unfit(name, error, node) from error
        return checked

    def _enter(self, name: str, value: Any, node: str | None) -> list[StateMessage]:
        if not isinstance(value, list | tuple):
            raise ValueError(f"a list of messages is wanted, not {type(value).__name__}")
        entered = [enter_state(message, node) for message in value]
        return entered if name in self._plain else list(self.validators[name](entered))

    def _mapping(self, delta: Any, node: str | None) -> Any:
        if isinstance(delta, BaseModel):
            fields = delta.__pydantic_fields_set__
            extra = delta.__pydantic_extra__ or {}
            return {name: getattr(delta, name) for name in delta.__dict__ if name in fields} | extra
        if isinstance(delta, Mapping):
            return dict(delta)
        who = f"node {node!r} returned" if node is not None else "the inputs are"
        raise StateError(f"{who} {type(delta).__name__}; a mapping, a model or nothing is wanted", node=node)

    def _unknown(self, name: Any, node: str | None) -> StateError:
        who = f"node {node!r} wrote" if node is not None else "the inputs name"
        known = ", ".join(self.channels)
        return StateError(f"{who} the unknown channel {name!r}; there are {known}", node=node, channel=str(name))

    def _unfit(self, name: str, error: Exception, node: str | None) -> StateError:
        who = f"node {node!r}: " if node is not None else "the inputs: "
        return StateError(f"{who}channel {name!r}: {_reason(error)}", node=node, channel=name)

    def whole(self, state: Any, who: str, *, isolate: bool = False) -> dict[str, Any]:
        """Return a whole state, as a filter or merge strategy answers it, as one delta of all its channels.

        Raises:
            StateError: It is no state.
        """
        if isinstance(state, BaseModel):
            fields: dict[str, Any] = dict(state.__dict__)
        elif isinstance(state, Mapping):
            fields = dict(state)
        else:
            raise StateError(f"{who} answered {type(state).__name__}, which is no state")
        fields = {name: value for name, value in fields.items() if not isinstance(value, Unset)}
        while True:
            try:
                return self.check(fields, stamp=False, isolate=isolate)
            except StateError as error:
                channel = self.channels.get(error.channel or "")
                if channel is not None and channel.is_empty(fields[channel.name]):
                    # Nobody wrote it, and its type has no empty value that would fit.
                    del fields[channel.name]
                    continue
                raise StateError(f"{who} answered what is no state: {error}", channel=error.channel) from error

    def apply(self, values: dict[str, Any], delta: dict[str, Any], known: dict[str, Any]) -> None:
        """Put a checked delta into the values, in place.

        Args:
            values: The engine's own dict of values.
            delta: A checked delta.
            known: What the strategies know about the values (such as which messages are there).
        """
        appliers = self.appliers
        for name, new in delta.items():
            apply = appliers.get(name)
            values[name] = new if apply is None else apply(values, name, new, known)

    def present(self, values: dict[str, Any], isolate: bool) -> Any:
        """Return the values as the state that a node gets.

        Args:
            values: The engine's own values.
            isolate: Whether to hand out a copying view instead of the values themselves.
        """
        if not self.is_model:
            return IsolatedDict(values) if isolate else values
        cls = self.source
        if isolate:
            made = self._isolating.__new__(self._isolating)
            _new_set(made, "__dict__", dict(values))
            _new_set(made, "__isolated__", set())
        else:
            made = cls.__new__(cls)
            _new_set(made, "__dict__", values)
        _new_set(made, "__pydantic_fields_set__", set())
        _new_set(made, "__pydantic_extra__", None)
        _new_set(made, "__pydantic_private__", None)
        if self._private:
            made.model_post_init(None)
        return made

    def dump(self, delta: dict[str, Any]) -> dict[str, Any]:
        """Return a checked delta as JSON values.

        Raises:
            StateError: A value has no JSON form.
        """
        result = {}
        for name, value in delta.items():
            try:
                channel = self.channels.get(name)
                if channel is None or channel.is_messages:
                    result[name] = to_jsonable_python(value, exclude_none=channel is not None, inf_nan_mode="constants")
                else:
                    result[name] = channel.adapter.dump_python(value, mode="json", warnings=False)
            except Exception as error:
                raise StateError(f"channel {name!r} holds what JSON cannot: {error}", channel=name) from error
        return result

    def load(self, delta: Mapping[str, Any]) -> dict[str, Any]:
        """Return a delta that ``dump`` wrote, checked again."""
        return self.check(dict(delta), stamp=False)


def _plain_messages(annotation: Any) -> bool:
    """Tell whether a channel's type asks for no more than a list of messages."""
    if not all(isinstance(item, str) for item in metadata_of(annotation)):
        return False
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    items = get_args(annotation)
    return (get_origin(annotation) or annotation) is list and items in ((), (Any,), (StateMessage,))


# A value that an answer lacked comes as an empty text: that a text can't be read as a number doesn't say so.
_FOR_EMPTY = {
    "float_parsing": "a number is wanted, but an empty text came",
    "int_parsing": "a whole number is wanted, but an empty text came",
    "bool_parsing": "true or false is wanted, but an empty text came",
}


def _reason(error: Exception) -> str:
    if isinstance(error, ValidationError):
        parts = []
        for item in error.errors(include_url=False, include_context=False)[:5]:
            place = ".".join(str(part) for part in item["loc"])
            said = _FOR_EMPTY.get(item["type"], item["msg"]) if item["input"] == "" else item["msg"]
            parts.append(f"{place}: {said}" if place else said)
        return "; ".join(parts)
    return str(error)


def _field_default(field: Any) -> Callable[[], Any]:
    return lambda: field.get_default(call_default_factory=True, validated_data={})


def _annotation(hint: Any, field: Any) -> Any:
    extra = [item for item in field.metadata if item not in metadata_of(hint)]
    if get_origin(hint) is Annotated and not extra:
        return hint
    for item in extra:
        hint = Annotated[hint, item]
    return hint


def _decorated(model: type[BaseModel]) -> set[str]:
    names: set[str] = set()
    for decorator in model.__pydantic_decorators__.field_validators.values():
        names.update(model.model_fields if "*" in decorator.info.fields else decorator.info.fields)
    return names


def _through_model(model: type[BaseModel], name: str) -> Callable[[Any], Any]:
    validator = model.__pydantic_validator__

    def validate(value: Any) -> Any:
        bare = model.__new__(model)
        _new_set(bare, "__dict__", {})
        _new_set(bare, "__pydantic_fields_set__", set())
        _new_set(bare, "__pydantic_extra__", None)
        _new_set(bare, "__pydantic_private__", None)
        return validator.validate_assignment(bare, name, value).__dict__[name]

    return validate
