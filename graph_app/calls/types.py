"""What a Call sees and gives: system variables, history, background, chunks.

Source: CoreCall, section 9; names and letter case are the specification's.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, Protocol, TypeVar
from uuid import UUID

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

_Model = TypeVar("_Model", bound=BaseModel)
_set = object.__setattr__


def made(model: type[_Model], fields: dict[str, Any], private: dict[str, Any] | None = None) -> _Model:
    """Returns an instance of fields that are known to fit, without looking at them: a third of what pydantic takes.

    Args:
        model: The class.
        fields: All fields without a default that matters, by name.
        private: Private attributes by name.
    """
    instance = model.__new__(model)
    _set(instance, "__dict__", fields)
    _set(instance, "__pydantic_fields_set__", set(fields))
    _set(instance, "__pydantic_extra__", None)
    _set(instance, "__pydantic_private__", private)
    return instance


class LanguageType(str, Enum):  # noqa: UP042 - as the specification has it
    """The language in which a Call speaks of itself."""

    CHINESE = "zh"
    ENGLISH = "en"


class CallInfo(BaseModel):
    """A Call's name and description for people."""

    name: str
    description: str


class CallOutputType(str, Enum):  # noqa: UP042 - as the specification has it
    """What a chunk is: a piece of text for the reader, data of the step's output, or the error that ends it."""

    TEXT = "text"
    DATA = "data"
    ERROR = "error"


class CallOutputChunk(BaseModel):
    """One piece of a Call's output."""

    type: CallOutputType
    content: str | dict[str, Any]


class NodeInfo(BaseModel):
    """A node's configuration in its graph; open for whatever a graph says of it."""

    model_config = ConfigDict(extra="allow")

    name: str = ""
    call: str = ""


class CallIds(BaseModel):
    """The ids of a run."""

    model_config = ConfigDict(coerce_numbers_to_str=True)

    task_id: UUID
    executor_id: str
    session_id: str | None = None
    user_id: str
    app_id: UUID | None = None
    conversation_id: UUID | None = None


def _from_attributes(model: type[BaseModel]) -> Any:
    """Returns a validator that takes any object with the model's attributes."""

    def read(value: Any) -> Any:
        if isinstance(value, model | Mapping):
            return value
        return model.model_validate(value, from_attributes=True)

    return BeforeValidator(read)


class ExecutorHistory(BaseModel):
    """What a step put out."""

    model_config = ConfigDict(from_attributes=True)

    stepId: str  # noqa: N815 - the specification's name
    outputData: dict[str, Any]  # noqa: N815 - the specification's name


class ExecutorBackground(BaseModel):
    """The conversation so far and the facts known.

    Attributes:
        num: Most entries of the conversation that are kept.
        conversation: Entries with `role` and `content`, oldest first.
        facts: Facts.
    """

    model_config = ConfigDict(from_attributes=True)

    num: int = 0
    conversation: list[dict[str, Any]] = []
    facts: list[str] = []


class StepData(dict[Any, ExecutorHistory]):
    """Step outputs by step id; an id is found as UUID and as its text."""

    def __missing__(self, key: Any) -> ExecutorHistory:
        twin = self._twin(key)
        if twin is None:
            raise KeyError(key)
        found: ExecutorHistory = super().__getitem__(twin)
        return found

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or self._twin(key) is not None

    def get(self, key: Any, default: Any = None) -> Any:
        """Returns the step's history, or the default."""
        try:
            return self[key]
        except KeyError:
            return default

    def _twin(self, key: Any) -> Any:
        if isinstance(key, UUID):
            return str(key) if super().__contains__(str(key)) else None
        if isinstance(key, str):
            try:
                twin = UUID(key)
            except ValueError:
                return None
            return twin if super().__contains__(twin) else None
        return None


class CallVars(BaseModel):
    """The system variables of a step."""

    language: LanguageType
    ids: CallIds
    question: str
    step_data: Annotated[dict[UUID | str, ExecutorHistory], AfterValidator(StepData)]
    step_order: list[UUID | str]
    background: Annotated[ExecutorBackground, _from_attributes(ExecutorBackground)]
    thinking: str


class StepExecutor(Protocol):
    """What a Call is given. Nothing checks the class: whatever has these attributes will do.

    Attributes:
        task: With `metadata` (`id`, `userId`, `conversationId`), `state` (`executorId`, `appId`), `runtime`
            (`language`, `sessionId`, `reasoning`) and `context`, the history so far.
        step: With `step`, which has `name` and `description`.
        question: What the person asked.
        background: The conversation and facts.
        llm: With `reasoning` and `function`, the two models.
    """

    @property
    def task(self) -> Any: ...  # noqa: D102 - described above

    @property
    def step(self) -> Any: ...  # noqa: D102

    @property
    def question(self) -> str: ...  # noqa: D102

    @property
    def background(self) -> Any: ...  # noqa: D102

    @property
    def llm(self) -> Any: ...  # noqa: D102
