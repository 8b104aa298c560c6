"""State checkpoints for programs, and schemas made from a list of variables."""

from __future__ import annotations

import functools
import keyword
import warnings
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, SkipValidation, create_model

from graph_app.engine.channels import empty_of
from graph_app.engine.errors import GraphDefinitionError
from graph_app.engine.lineage import Lineage, merge
from graph_app.engine.messages import StateMessage
from graph_app.engine.schema import Schema
from graph_app.engine.strategies import StateUpdater
from graph_app.engine.types import BaseComponent

_TYPES: dict[str, Any] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "list": list,
    "tuple": tuple,
    "dict": dict,
}


@functools.lru_cache(maxsize=256)
def _schema_of(source: Any) -> Schema:
    return Schema(source)


class _Numbers:
    """Gives each delta its number."""

    def __init__(self) -> None:
        self.last = 0

    def next(self) -> int:
        self.last += 1
        return self.last


_numbers = _Numbers()


class StateCkpt(BaseComponent):
    """A state as a chain of deltas.

    Args:
        delta: What was written; ``None`` for nothing.
        parent: The state on top of which it was written.
        state_schema: The schema; the parent's unless given.
        materialized_state_cache: The whole state, once it was asked for.
    """

    delta: SkipValidation[Any] = None
    parent: StateCkpt | None = None
    state_schema: SkipValidation[Any] = None
    materialized_state_cache: SkipValidation[Any] = Field(default=None, init=False, repr=False)

    _lineage: Lineage = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Check the delta."""
        if self.state_schema is None and self.parent is not None:
            self.state_schema = self.parent.state_schema
        schema = _schema_of(self.state_schema)
        above = self.parent._lineage if self.parent is not None else None
        if above is not None:
            above.shared = True
        self._lineage = Lineage(schema, above, _numbers.next(), "", schema.check(self.delta))

    @classmethod
    def _of(cls, lineage: Lineage, parent: StateCkpt | None = None) -> StateCkpt:
        made = cls(delta=None, state_schema=lineage.schema.source)
        made._lineage = lineage
        made.delta = lineage.delta
        made.parent = parent
        return made

    def materialize(self) -> Any:
        """Return the whole state: a dict, or an instance of a pydantic schema. It is the caller's own."""
        state = self._lineage.schema.present(self._lineage.values(), True)
        if isinstance(state, dict):
            state = dict(state)
        self.materialized_state_cache = state
        return self._lineage.schema.present(dict(self._lineage.values()), True)

    @classmethod
    def merge(cls, checkpoints: Sequence[StateCkpt], strategy: Callable[[list[Any]], Any] | None = None) -> StateCkpt:
        """Return the union of several states: each delta once, in the order given.

        Args:
            checkpoints: At least one state.
            strategy: Merges the whole states instead; its answer is the new state.

        Raises:
            GraphDefinitionError: There is nothing to merge.
            StateError: The strategy's answer is no state.
        """
        if not checkpoints:
            raise GraphDefinitionError("there are no checkpoints to merge")
        if strategy is None:
            return cls._of(merge([checkpoint._lineage for checkpoint in checkpoints]))
        return cls._new(strategy([checkpoint.materialize() for checkpoint in checkpoints]), checkpoints[0], "merge")

    @classmethod
    def filter(cls, checkpoint: StateCkpt, strategy: Callable[[Any], Any]) -> StateCkpt:
        """Return the state that a filter makes of this one.

        Raises:
            StateError: The filter's answer is no state.
        """
        return cls._new(strategy(checkpoint.materialize()), checkpoint, "filter")

    @classmethod
    def _new(cls, state: Any, like: StateCkpt, what: str) -> StateCkpt:
        schema = like._lineage.schema
        return cls(delta=schema.whole(state, f"the {what} strategy", isolate=True), state_schema=schema.source)

    @staticmethod
    def merge_state(state: Any, delta: Any, state_schema: Any) -> Any:
        """Return a state with a delta put into it by the channels' strategies; neither is changed.

        Args:
            state: The whole state, or ``None`` for one that nobody wrote.
            delta: What is written.
            state_schema: The schema.

        Raises:
            StateError: Either does not fit.
        """
        schema = _schema_of(state_schema)
        values = schema.initial()
        if state is not None:
            values.update(schema.whole(state, "the caller", isolate=True))
        schema.apply(values, schema.check(delta, isolate=True), {})
        return schema.present(values, False)


class GeneratedState(BaseModel):
    """The base of generated schemas; its fields can be looked up by name too, as in a dict."""

    model_config = ConfigDict(protected_namespaces=(), arbitrary_types_allowed=True)

    def __getitem__(self, name: str) -> Any:
        if name not in type(self).model_fields:
            raise KeyError(name)
        return getattr(self, name)

    def __contains__(self, name: object) -> bool:
        return name in type(self).model_fields

    def get(self, name: str, default: Any = None) -> Any:
        """Return a variable's value, or the default if there is no such variable."""
        return getattr(self, name) if name in type(self).model_fields else default

    def keys(self) -> list[str]:
        """Return the variables' names."""
        return list(type(self).model_fields)


def generate_state_schema(variables: Sequence[tuple[str, Any, str]] | None = None) -> type[BaseModel]:
    """Return a pydantic model class made from a list of state variables; ``messages`` is always in it.

    Args:
        variables: For each its name, its type (``str``, ``int``, ``float``, ``bool``, ``list``, ``tuple`` or ``dict``,
            also as text) and its update strategy.

    Raises:
        GraphDefinitionError: A name is no variable name, is reserved or comes twice; a type is none of these; a
            strategy is not registered.
    """
    fields: dict[str, Any] = {
        "messages": (Annotated[list[StateMessage], "append_messages"], Field(default_factory=list))
    }
    for name, kind, strategy in variables or ():
        problem = _name_problem(name, fields)
        if problem is not None:
            raise GraphDefinitionError(problem)
        found = _TYPES.get(kind) if isinstance(kind, str) else kind if kind in _TYPES.values() else None
        if found is None:
            raise GraphDefinitionError(f"variable {name!r}: the type {kind!r} is none of {', '.join(_TYPES)}")
        if not isinstance(strategy, str) or not StateUpdater.registered(strategy):
            known = ", ".join(sorted(StateUpdater.list_strategies()))
            raise GraphDefinitionError(f"variable {name!r}: the update strategy {strategy!r} is none of {known}")
        fields[name] = (Annotated[found, strategy], Field(default_factory=empty_of(found)))
    with warnings.catch_warnings():
        # A variable may well be called "copy" or "json": it hides a method that no state needs.
        warnings.simplefilter("ignore", UserWarning)
        try:
            made = create_model("StateSchema", __base__=GeneratedState, **fields)
        except Exception as error:
            raise GraphDefinitionError(f"no schema can be made of these variables: {error}") from error
    made.__generated__ = True  # type: ignore[attr-defined]
    return made


def _name_problem(name: Any, fields: dict[str, Any]) -> str | None:
    if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        return f"{name!r} is no name for a variable"
    if name == "messages":
        return "the variable 'messages' is always there"
    if name in fields:
        return f"the variable {name!r} comes twice"
    if name.startswith("model_") or name in ("keys", "get"):
        return f"the variable name {name!r} is reserved"
    return None
