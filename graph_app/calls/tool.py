"""`Tool`: runs a tool; its steps are told as they happen."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncGenerator
from typing import Any

from pydantic import Field

from graph_app.calls.core import CoreCall, DataBase
from graph_app.calls.errors import CallError
from graph_app.calls.places import call_scope, present_visit
from graph_app.calls.services import CallServices
from graph_app.calls.settings import Picked, described
from graph_app.calls.steps import StepEvents
from graph_app.calls.types import CallInfo, CallOutputChunk, CallOutputType, CallVars, LanguageType
from graph_app.engine.streaming import run_scope, visit_scope
from toolkit_app.engine import CallFinished, ToolDefinition, ToolResult


class ToolInput(DataBase):
    """Which tool, and its parameters."""

    tool: str
    params: dict[str, Any]


class ToolOutput(DataBase):
    """What the tool gave."""

    text: str = Field(default="", description="The tool's output")
    data: Any = Field(default=None, description="The same, parsed, when it is JSON")
    variables: dict[str, Any] = Field(default_factory=dict, description="Variables by step: step0, step1, …")


class Tool(CoreCall, input_model=ToolInput, output_model=ToolOutput):
    """Runs a tool."""

    tool: Picked = Field(
        json_schema_extra=described(
            zh=("工具", "要运行的工具的名称"), en=("Tool", "Name of the tool to run"), widget="tool"
        ),
    )
    params: dict[str, Any] = Field(
        default_factory=dict,
        json_schema_extra=described(
            zh=("参数", "参数名与值，可插入 ${state:变量}"),
            en=("Parameters", "Name and value of each parameter; ${state:variable} puts a value in"),
            kind="template",
        ),
    )

    @classmethod
    def info(cls, language: LanguageType = LanguageType.CHINESE) -> CallInfo:
        """Returns name and description."""
        if language == LanguageType.CHINESE:
            return CallInfo(name="工具", description="运行一个工具，逐步显示它的请求和结果")
        return CallInfo(name="Tool", description="Runs a tool and shows its requests and answers step by step")

    async def _init(self, call_vars: CallVars) -> DataBase:
        return ToolInput(tool=self.tool, params=self.params)

    def called_with(self) -> dict[str, Any]:
        """Returns name and parameters."""
        return self.input

    async def _exec(self, input_data: dict[str, Any]) -> AsyncGenerator[CallOutputChunk, None]:
        tool = await self._services.tool(input_data["tool"])
        result = await run_tool(self._services, tool, input_data["params"])
        if result.error is not None:
            where = "" if result.error.step is None else f"step {result.error.step}: "
            message = f"the tool {tool.name} failed: {where}{result.error.message}"
            yield CallOutputChunk(type=CallOutputType.ERROR, content=message)
            return
        yield CallOutputChunk(type=CallOutputType.DATA, content=tool_output(result))


async def run_tool(
    services: CallServices, tool: ToolDefinition, params: dict[str, Any], nth: int | None = None
) -> ToolResult:
    """Runs a tool inside the present visit; its steps are told to the run's stream.

    Args:
        services: The run's services.
        tool: The tool.
        params: Its parameters.
        nth: Which call of the visit this is, where it makes several: each request has a key of its own, and the
            steps of calls that are under way together can be told apart.

    Raises:
        CallError: If the run has no runner for tools.
    """
    if services.runner is None:
        raise CallError(f"The tool {tool.name} can't be run here.")
    scope, visit = run_scope.get(), visit_scope.get()
    place = present_visit(services.top_visit)
    call_scope.set(nth)
    events = StepEvents(tool, services.redactor)
    stream = services.runner.stream(
        tool,
        params,
        services.env,
        guard=services.guard,
        idempotency_key=lambda ordinal: services.idempotency_key(f"{place}:{nth or 0}:{tool.name}", ordinal),
    )

    def tell(written: list[tuple[str, dict[str, Any]]]) -> None:
        if scope is not None and visit is not None:
            for kind, data in written:
                scope.event(kind, visit.node, visit.id, data if nth is None else {**data, "call": nth})

    async with contextlib.aclosing(stream):  # type: ignore[type-var]
        try:
            async for event in stream:
                if isinstance(event, CallFinished):
                    return event.result
                tell(events.take(event))
        finally:
            tell(events.flush())
    raise CallError(f"The tool {tool.name} ended without a result.")


def tool_output(result: ToolResult) -> dict[str, Any]:
    """Returns a tool's result as output data: text, the same parsed where it is JSON, variables by step."""
    variables: dict[str, dict[str, Any]] = {}
    for step in result.steps:
        variables.setdefault(f"step{step.index}", {}).update(step.variables)
    output: dict[str, Any] = {"text": result.output, "variables": variables}
    with contextlib.suppress(ValueError, RecursionError):
        output["data"] = json.loads(result.output, parse_constant=_refuse)
    return output


def _refuse(name: str) -> Any:
    raise ValueError(name)
