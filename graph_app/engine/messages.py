"""Messages: what people, models and tools said, as the state keeps it."""

from __future__ import annotations

import itertools
import os
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidatorFunctionWrapHandler, model_validator

_process = os.urandom(9).hex()
_count = itertools.count(1)


def new_msg_id() -> str:
    """Return an id that no other message has, in this process or another."""
    return f"{_process}-{next(_count):x}"


class StateMessage(BaseModel):
    """One message; a dict with a ``role`` becomes the class of that role.

    Args:
        role: Who speaks.
        content: What is said: text, or parts as chat APIs define them.
        msg_id: Given when the message enters a state; the key by which repeats are found.
        node_name: The node that returned it, stamped by the engine.
        name: Name of the speaker, optional.
    """

    model_config = ConfigDict(extra="allow")

    role: str = "user"
    content: Any = None
    msg_id: str | None = None
    node_name: str | None = None
    name: str | None = None

    @model_validator(mode="wrap")
    @classmethod
    def _by_role(cls, value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        if cls is StateMessage and isinstance(value, dict):
            return to_message(value)
        return handler(value)


class SystemMessage(StateMessage):
    """What the author told the model beforehand."""

    role: Literal["system"] = "system"


class UserMessage(StateMessage):
    """What a person said."""

    role: Literal["user"] = "user"


class AssistantMessage(StateMessage):
    """What a model, or a node, answered.

    Args:
        tool_calls: The calls of tools that the model asks for.
        reasoning_content: What the model thought, where its API tells.
    """

    role: Literal["assistant"] = "assistant"
    tool_calls: list[Any] | None = None
    reasoning_content: str | None = None


class ToolMessage(StateMessage):
    """What a tool answered.

    Args:
        tool_call_id: The call that it answers.
    """

    role: Literal["tool"] = "tool"
    tool_call_id: str | None = None


_classes: dict[str, type[StateMessage]] = {
    "system": SystemMessage,
    "developer": SystemMessage,
    "user": UserMessage,
    "human": UserMessage,
    "assistant": AssistantMessage,
    "ai": AssistantMessage,
    "tool": ToolMessage,
}


def to_message(value: Any) -> StateMessage:
    """Return the value as a message, itself if it is one.

    Args:
        value: A message, or a mapping with ``role`` and ``content``.

    Raises:
        ValueError: It is neither.
    """
    if isinstance(value, StateMessage):
        return value
    if not isinstance(value, dict):
        raise ValueError(f"a message is a message object or a map with role and content, not {type(value).__name__}")
    role = value.get("role")
    cls = _classes.get(role) if isinstance(role, str) else None
    if cls is None:
        raise ValueError(f"a message's role is one of system, user, assistant and tool, not {role!r}")
    return cls.model_validate({**value, "role": cls.model_fields["role"].default})


def enter_state(value: Any, node_name: str | None) -> StateMessage:
    """Return the message as a state keeps it: with an id, and the name of the node that returned it.

    The caller's own object is not changed.
    """
    message = to_message(value)
    fields = message.__dict__
    if fields["msg_id"] and (fields["node_name"] is not None or node_name is None):
        return message
    fields = fields.copy()
    if not fields["msg_id"]:
        fields["msg_id"] = new_msg_id()
    if fields["node_name"] is None:
        fields["node_name"] = node_name
    entered: StateMessage = clone(message, fields)
    return entered


_set = object.__setattr__


def clone(model: Any, fields: dict[str, Any]) -> Any:
    """Return a shallow copy of a pydantic model with these field values, without validating anything."""
    cls: Any = type(model)
    twin = cls.__new__(cls)
    _set(twin, "__dict__", fields)
    _set(twin, "__pydantic_fields_set__", model.__pydantic_fields_set__)
    extra = model.__pydantic_extra__
    _set(twin, "__pydantic_extra__", extra if not extra else dict(extra))
    _set(twin, "__pydantic_private__", model.__pydantic_private__)
    return twin
