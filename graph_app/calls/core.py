"""CoreCall, the base class of node types, and DataBase, the base of their inputs and outputs.

Source: CoreCall, sections 3, 5 and 10.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncGenerator, Mapping
from typing import Any, ClassVar, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError
from pydantic.json_schema import SkipJsonSchema

from graph_app.calls.errors import CallError
from graph_app.calls.registry import register
from graph_app.calls.settings import described, localised
from graph_app.calls.types import (
    CallIds,
    CallInfo,
    CallOutputChunk,
    CallOutputType,
    CallVars,
    ExecutorHistory,
    LanguageType,
    NodeInfo,
    StepExecutor,
)

_log = logging.getLogger(__name__)
_FILLING = (
    "Fill in the fields of the JSON Schema from what the person said. "
    "Leave a field out when nothing was said about it; never invent a value."
)


class DataBase(BaseModel):
    """Base of all inputs and outputs of Calls.

    Source: CoreCall, section 3.1.
    """

    @classmethod
    def model_json_schema(cls, override: Mapping[str, Any] | None = None, **kwargs: Any) -> dict[str, Any]:  # type: ignore[override]
        """Returns the JSON Schema.

        Args:
            override: Property name to its schema; put over the class's own, without changing the class.
            **kwargs: As pydantic's own method takes them.
        """
        schema = super().model_json_schema(**kwargs)
        if override:
            schema.setdefault("properties", {}).update(override)
        return schema


class CoreCall(BaseModel):
    """Base of all Calls: one class is one node type.

    A subclass passes `input_model` and `output_model` where it is defined, and gives `info` and `_init`; most give
    `_exec` too. Its own fields are the settings of its nodes.

    Source: CoreCall, section 3.2.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="allow")

    name: SkipJsonSchema[str] = Field(description="Name of the step", exclude=True)
    description: SkipJsonSchema[str] = Field(description="Description of the step", exclude=True)
    node: SkipJsonSchema[NodeInfo | None] = Field(default=None, description="The node's configuration", exclude=True)
    enable_filling: bool = Field(
        default=False,
        json_schema_extra=described(
            zh=("自动填充", "缺少的必填输入由模型根据问题和对话补全"),
            en=("Fill in missing inputs", "Required inputs that are missing are asked of the model"),
        ),
    )
    to_user: bool = Field(
        default=False,
        json_schema_extra=described(
            zh=("展示给用户", "该步骤的文本会流式显示在对话中"),
            en=("Show to the user", "The step's text is streamed to the conversation"),
        ),
    )
    input: SkipJsonSchema[dict[str, Any]] = Field(default_factory=dict, description="The input", exclude=True)

    input_model: ClassVar[type[DataBase]]
    output_model: ClassVar[type[DataBase]]

    _llm_obj: Any = PrivateAttr(default=None)
    _services: Any = PrivateAttr(default=None)
    _call_vars: CallVars | None = PrivateAttr(default=None)

    def __init_subclass__(
        cls,
        input_model: type[DataBase] | None = None,
        output_model: type[DataBase] | None = None,
        *,
        abstract: bool = False,
        **kwargs: Any,
    ) -> None:
        """Sets the models and registers the class.

        Args:
            input_model: What the Call takes.
            output_model: What it puts out.
            abstract: Keeps an intermediate class out of the registry.
            **kwargs: Pydantic's own.

        Raises:
            TypeError: If a model is missing; the message names the class.
        """
        super().__init_subclass__(**kwargs)
        for name, model in (("input_model", input_model), ("output_model", output_model)):
            if not (isinstance(model, type) and issubclass(model, BaseModel)):
                raise TypeError(
                    f"{cls.__name__} needs {name}: class {cls.__name__}(CoreCall, input_model=…, output_model=…), "
                    "each a subclass of DataBase"
                )
            setattr(cls, name, model)
        if not abstract:
            register(cls)

    @classmethod
    def info(cls, language: LanguageType = LanguageType.CHINESE) -> CallInfo:
        """Returns the Call's name and description for people.

        Raises:
            NotImplementedError: If the subclass doesn't say.
        """
        raise NotImplementedError(f"{cls.__name__} does not say what it is: define info")

    @classmethod
    def settings_schema(cls, language: LanguageType = LanguageType.CHINESE) -> dict[str, Any]:
        """Returns the JSON Schema of the settings, with labels and hints in a language; the form is made from it."""
        return localised(cls.model_json_schema(), language)

    @staticmethod
    def _assemble_call_vars(executor: StepExecutor) -> CallVars:
        """Gathers the system variables from the executor.

        Raises:
            ValueError: If the task has no state.
        """
        task = executor.task
        if not task.state:
            message = "The task of the executor has no state."
            _log.error(message)
            raise ValueError(message)
        own = getattr(executor, "call_vars", None)
        if own is not None:  # made only as far as it is looked at: a long history costs nothing
            made: CallVars = own()
            return made
        history: dict[UUID | str, ExecutorHistory] = {}
        order: list[UUID | str] = []
        for item in task.context:
            history[item.stepId] = (
                item
                if isinstance(item, ExecutorHistory)
                else ExecutorHistory(stepId=str(item.stepId), outputData=item.outputData)
            )
            order.append(item.stepId)
        return CallVars(
            language=task.runtime.language,
            ids=CallIds(
                task_id=task.metadata.id,
                executor_id=task.state.executorId,
                session_id=task.runtime.sessionId,
                user_id=task.metadata.userId,
                app_id=task.state.appId,
                conversation_id=task.metadata.conversationId,
            ),
            question=executor.question,
            step_data=history,
            step_order=order,
            background=executor.background,
            thinking=task.runtime.reasoning,
        )

    @staticmethod
    def _extract_history_variables(path: str, history: Mapping[Any, Any]) -> Any:
        """Finds a value in the outputs of earlier steps.

        Args:
            path: `step_id/key/to/variable`; an index of a list is a decimal segment.
            history: `CallVars.step_data`.

        Returns:
            The value, or `None`, with a log record, where nothing is found.
        """
        step_id, *keys = path.split("/")
        if not step_id:
            _log.error("The path %r names no step.", path)
            return None
        step = history.get(step_id)
        if step is None:
            with contextlib.suppress(ValueError):
                step = history.get(UUID(step_id))
        if step is None:
            _log.error("The step %s of the path %r has no output.", step_id, path)
            return None
        value: Any = step.outputData if hasattr(step, "outputData") else step
        for key in keys:
            if isinstance(value, Mapping) and key in value:
                value = value[key]
            elif isinstance(value, list) and key.isascii() and key.isdigit() and int(key) < len(value):
                value = value[int(key)]
            else:
                _log.error("The path %r finds nothing at %r.", path, key)
                return None
        return value

    @classmethod
    async def instance(cls, executor: StepExecutor, node: NodeInfo | None = None, **kwargs: Any) -> Self:
        """Makes a Call for one step and prepares its input.

        Args:
            executor: What the Call may see.
            node: The node's configuration.
            **kwargs: The settings.
        """
        call = cls(name=executor.step.step.name, description=executor.step.step.description, node=node, **kwargs)
        await call._set_input(executor)
        return call

    async def _set_input(self, executor: StepExecutor) -> None:
        """Keeps the models, gathers the system variables and prepares `input`.

        Raises:
            CallError: If required inputs are missing though they were asked for.
        """
        self._llm_obj = executor.llm
        self._services = getattr(executor, "services", None)
        call_vars = self._assemble_call_vars(executor)
        self._call_vars = call_vars
        data = await self._init(call_vars)
        self.input = data.model_dump(by_alias=True, exclude_none=True)
        if self.enable_filling:
            await self._fill_input(call_vars)

    async def _fill_input(self, call_vars: CallVars) -> None:
        """Asks the function model for required inputs that are missing."""
        schema = self.input_model.model_json_schema()
        missing = [key for key in schema.get("required", []) if key not in self.input]
        if not missing:
            return
        wanted = {
            **{key: value for key, value in schema.items() if key == "$defs"},
            "type": "object",
            "properties": {key: schema["properties"][key] for key in missing},
            "required": missing,
        }
        history = "\n".join(
            f"{entry.get('role')}: {entry.get('content')}" for entry in call_vars.background.conversation
        )
        facts, question = "\n".join(call_vars.background.facts), call_vars.question
        messages = [
            {
                "role": "system",
                "content": _FILLING,
            },
            {
                "role": "user",
                "content": f"Conversation so far:\n{history}\n\nFacts:\n{facts}\n\nQuestion:\n{question}",
            },
        ]
        filled = await self._json(messages, wanted)
        found = {key: filled[key] for key in missing if filled.get(key) is not None}
        lacking = [key for key in missing if key not in found]
        if lacking:
            raise CallError(
                f"{self.name}: nothing was said about {', '.join(lacking)}. "
                "Give a value in the step's settings, or say it in the question.",
                {"missing": lacking},
            )
        try:
            checked = self.input_model.model_validate({**self.input, **found})
        except ValidationError as error:
            fields = [".".join(map(str, problem["loc"])) for problem in error.errors()]
            raise CallError(
                f"{self.name}: what the model filled in for {', '.join(fields)} doesn't fit.", {"missing": fields}
            ) from error
        self.input = checked.model_dump(by_alias=True, exclude_none=True)

    async def _init(self, call_vars: CallVars) -> DataBase:
        """Returns the input of this step.

        Raises:
            NotImplementedError: If the subclass doesn't say.
        """
        raise NotImplementedError(f"{type(self).__name__} does not prepare its input: define _init")

    def called_with(self) -> dict[str, Any] | None:
        """Returns what whoever looks at the step is told that it was called with; nothing unless a subclass says."""
        return None

    async def _exec(self, input_data: dict[str, Any]) -> AsyncGenerator[CallOutputChunk, None]:
        """Yields the step's output, piece by piece."""
        yield CallOutputChunk(type=CallOutputType.TEXT, content="")

    async def _after_exec(self, input_data: dict[str, Any]) -> None:
        """Is called once after the last piece."""

    async def exec(self, executor: StepExecutor, input_data: dict[str, Any]) -> AsyncGenerator[CallOutputChunk, None]:
        """Runs the step.

        When the consumer stops early or `_exec` fails, `_exec` is closed at once and `_after_exec` does not run.

        Args:
            executor: What the Call may see.
            input_data: The input, as `instance` prepared it.

        Yields:
            The pieces of `_exec`, as they come.
        """
        async with contextlib.aclosing(self._exec(input_data)) as chunks:
            async for chunk in chunks:
                yield chunk
        await self._after_exec(input_data)

    async def _llm(self, messages: list[dict[str, Any]], streaming: bool = False) -> AsyncGenerator[str, None]:
        """Asks the reasoning model.

        Args:
            messages: Chat messages with `role` and `content`.
            streaming: Whether the answer comes in pieces.

        Yields:
            The pieces of its answer; an empty text for a piece without content.
        """
        async for chunk in self._llm_obj.reasoning.call(messages=messages, streaming=streaming):
            yield chunk.content or ""

    async def _json(self, messages: list[dict[str, Any]], schema: dict[str, Any]) -> dict[str, Any]:
        """Asks the function model for an object.

        Args:
            messages: Chat messages with `role` and `content`.
            schema: JSON Schema of the object.

        Raises:
            CallError: If no function model is configured.
        """
        if self._llm_obj is None or not self._llm_obj.function:
            message = f"{self.name}: no model for structured answers is configured. An admin can set one."
            _log.error(message)
            raise CallError(message)
        answer: dict[str, Any] = await self._llm_obj.function.call(messages=messages, schema=schema)
        return answer
