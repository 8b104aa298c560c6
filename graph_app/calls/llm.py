"""`LLM`: asks a model; it may call tools, in a bounded number of rounds."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Any

from pydantic import Field

from graph_app.calls.chat import ModelChunk, ToolCall, Usage
from graph_app.calls.core import CoreCall, DataBase
from graph_app.calls.errors import CallError
from graph_app.calls.references import as_text
from graph_app.calls.settings import described
from graph_app.calls.tool import run_tool
from graph_app.calls.types import CallInfo, CallOutputChunk, CallOutputType, CallVars, LanguageType, made
from toolkit_app.engine import ToolDefinition

_SHOWN_OUTPUT = 4_000
"""Characters of an earlier step's output that the model is told."""


class LLMInput(DataBase):
    """The messages as they are sent."""

    messages: list[dict[str, Any]]


class LLMOutput(DataBase):
    """What the model answered."""

    text: str = Field(default="", description="The answer")
    tool_calls: list[dict[str, Any]] = Field(default_factory=list, description="Tools called, with what came of it")
    usage: dict[str, int] = Field(default_factory=dict, description="Tokens used")


class LLM(CoreCall, input_model=LLMInput, output_model=LLMOutput):
    """Asks a model."""

    system_prompt: Any = Field(
        default="",
        json_schema_extra=described(
            zh=("系统提示词", "告诉模型它是谁、应如何回答"),
            en=("System prompt", "Tells the model who it is and how to answer"),
            kind="template",
            widget="text",
        ),
    )
    user_prompt: Any = Field(
        default="${sys:question}",
        json_schema_extra=described(
            zh=("用户提示词", "向模型提出的问题，可插入 ${state:变量} 和 ${node:步骤/路径}"),
            en=("User prompt", "What the model is asked; ${state:variable} and ${node:step/path} put values in"),
            kind="template",
            widget="text",
        ),
    )
    model: str = Field(
        default="",
        json_schema_extra=described(
            zh=("模型", "已配置的模型；留空则使用默认模型"),
            en=("Model", "A configured model; the default one when empty"),
            widget="model",
        ),
    )
    temperature: float | None = Field(
        default=None,
        ge=0,
        le=2,
        json_schema_extra=described(
            zh=("温度", "0 最稳定，2 最多变；留空则由模型决定"),
            en=("Temperature", "0 is steady, 2 is varied; the model's own when empty"),
        ),
    )
    enable_context: bool = Field(
        default=True,
        json_schema_extra=described(
            zh=("带上对话", "把此前的对话和步骤结果告诉模型"),
            en=("With the conversation", "Tells the model the conversation so far and what earlier steps gave"),
        ),
    )
    step_history_size: int = Field(
        default=3,
        ge=0,
        le=50,
        json_schema_extra=described(
            zh=("步骤历史", "告诉模型最近多少个步骤的结果"),
            en=("Step history", "How many of the last steps' outputs the model is told"),
        ),
    )
    tools: list[str] = Field(
        default_factory=list,
        json_schema_extra=described(
            zh=("可用工具", "模型可以调用的工具"), en=("Tools", "Tools that the model may call"), widget="tools"
        ),
    )
    max_tool_rounds: int = Field(
        default=5,
        ge=1,
        le=50,
        json_schema_extra=described(
            zh=("工具轮数", "模型最多调用工具多少轮"), en=("Tool rounds", "How often the model may call tools at most")
        ),
    )

    @classmethod
    def info(cls, language: LanguageType = LanguageType.CHINESE) -> CallInfo:
        """Returns name and description."""
        if language == LanguageType.CHINESE:
            return CallInfo(name="大模型", description="向大模型提问，可调用工具，回答逐字显示")
        return CallInfo(name="LLM", description="Asks a model, which may call tools; the answer streams")

    async def _init(self, call_vars: CallVars) -> DataBase:
        prompt = as_text(self.user_prompt)
        if prompt == "${sys:question}":
            prompt = call_vars.question
        messages: list[dict[str, Any]] = []
        system = as_text(self.system_prompt)
        if self.enable_context and self.step_history_size:
            system = "\n\n".join(part for part in (system, self._history(call_vars)) if part)
        if system:
            messages.append({"role": "system", "content": system})
        if self.enable_context:
            conversation = list(call_vars.background.conversation)
            if conversation and conversation[-1] == {"role": "user", "content": prompt}:
                conversation.pop()  # the question itself comes last anyway
            messages += conversation
        messages.append({"role": "user", "content": prompt})
        return LLMInput(messages=messages)

    def _history(self, call_vars: CallVars) -> str:
        names = list(dict.fromkeys(reversed(call_vars.step_order)))[: self.step_history_size]
        lines = []
        for name in reversed(names):
            output = call_vars.step_data[name].outputData
            if output:
                lines.append(f"{name}: {as_text(output)[:_SHOWN_OUTPUT]}")
        return "What earlier steps gave:\n" + "\n".join(lines) if lines else ""

    async def _exec(self, input_data: dict[str, Any]) -> AsyncGenerator[CallOutputChunk, None]:
        messages = list(input_data["messages"])
        tools = {tool.name: tool for tool in [await self._services.tool(name) for name in self.tools]}
        schemas = [tool.function_schema() for tool in tools.values()]
        called: list[dict[str, Any]] = []
        usage = Usage()
        for round_number in range(self.max_tool_rounds + 1):
            last: ModelChunk | None = None
            said: list[str] = []
            answer = self._llm_obj.reasoning.call(
                messages=messages,
                streaming=True,
                model=self.model or None,
                temperature=self.temperature,
                tools=schemas,
            )
            async for chunk in answer:
                if chunk.content:
                    said.append(chunk.content)
                    yield made(CallOutputChunk, {"type": CallOutputType.TEXT, "content": chunk.content})
                last = chunk
            usage = usage + (last.usage if last is not None and last.usage else Usage())
            if last is None or not last.tool_calls:
                break
            if round_number == self.max_tool_rounds:
                raise CallError(
                    f"{self.name}: the model still wants to call tools after {self.max_tool_rounds} rounds. "
                    "Raise settings.max_tool_rounds, or tell it in the prompt when to stop."
                )
            messages.append(_asked(said, last.tool_calls))
            for call in last.tool_calls:
                output = await self._call_tool(tools, call, len(called))
                called.append({"name": call.name, "arguments": _arguments(call), "output": output})
                messages.append({"role": "tool", "tool_call_id": call.id, "content": output})
        yield CallOutputChunk(type=CallOutputType.DATA, content={"tool_calls": called, "usage": usage.as_dict()})

    async def _call_tool(self, tools: dict[str, ToolDefinition], call: ToolCall, nth: int) -> str:
        """Returns what the model is told of a call; a fault of the call is told too, so that it can mend it."""
        tool = tools.get(call.name)
        if tool is None:
            return f"There is no tool {call.name}; there is {', '.join(tools) or 'none'}."
        arguments = _arguments(call)
        if arguments is None:
            return f"The arguments are no JSON object: {call.arguments[:200]}"
        result = await run_tool(self._services, tool, arguments, nth)
        return result.output


def _asked(said: list[str], calls: list[ToolCall]) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": "".join(said) or None,
        "tool_calls": [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in calls
        ],
    }


def _arguments(call: ToolCall) -> dict[str, Any] | None:
    try:
        arguments = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        return None
    return arguments if isinstance(arguments, dict) else None
