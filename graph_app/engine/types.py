"""The names and small types that the specification's page uses."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, Final, TypeAlias

from pydantic import BaseModel, ConfigDict

DEFAULT_EDGE_GROUP: Final = "all"
"""The group of an edge that names none."""

State: TypeAlias = Any
"""A whole state: a dict for a TypedDict schema, an instance for a pydantic one."""

StateDelta: TypeAlias = Any
"""What a node returns: a mapping or model of the channels that it writes, or nothing."""

StateSchema: TypeAlias = Any
"""A TypedDict class, a pydantic model class, or ``None`` for an unchecked dict."""

StateFilterLike: TypeAlias = Callable[[Any], Any]
"""A function from a state to the state that an edge carries instead."""


class Missing:
    """The type of ``MISSING``."""

    _only: Missing | None = None

    def __new__(cls) -> Missing:
        """Return the only one there is."""
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False

    def __copy__(self) -> Missing:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Missing:
        return self

    def __reduce__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()
"""Stands for a value that was never given."""


class NodeActionMode(str, Enum):  # noqa: UP042 - as the specification has it
    """When a node starts.

    Source: add_node, action_mode.
    """

    ANY = "any"
    ALL = "all"


class GraphMode(str, Enum):  # noqa: UP042 - as the specification has it
    """What ``build()`` makes: an engine that runs, or one that debugs."""

    RUN = "run"
    DEBUG = "debug"


class SpecialNode(str, Enum):  # noqa: UP042 - as the specification has it
    """The two nodes that every graph has and that no one adds."""

    START_NODE = "start"
    END_NODE = "end"

    @classmethod
    def is_special_node(cls, name: object) -> bool:
        """Tell whether the name is reserved."""
        return name in (cls.START_NODE.value, cls.END_NODE.value)

    @classmethod
    def is_start_node(cls, name: object) -> bool:
        """Tell whether the name is the start's."""
        return name == cls.START_NODE.value

    @classmethod
    def is_end_node(cls, name: object) -> bool:
        """Tell whether the name is the end's."""
        return name == cls.END_NODE.value


START: Final = SpecialNode.START_NODE.value
END: Final = SpecialNode.END_NODE.value


class BaseComponent(BaseModel):
    """The base of builders, engines, nodes and edges: a pydantic model."""

    model_config = ConfigDict(arbitrary_types_allowed=True)
