"""`ForEach`: runs a tool or a graph for each item of a list."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from graph_app.calls.core import CoreCall, DataBase
from graph_app.calls.errors import CallError
from graph_app.calls.graph import plain_state
from graph_app.calls.nested import NestedQuestions, run_nested
from graph_app.calls.places import present_visit
from graph_app.calls.references import UnresolvedError, resolve, walk
from graph_app.calls.settings import described
from graph_app.calls.tool import run_tool, tool_output
from graph_app.calls.types import CallInfo, CallOutputChunk, CallOutputType, CallVars, LanguageType
from graph_app.engine import GraphError, WaitForAnswer

MAX_ITEMS = 10_000


class ForEachInput(DataBase):
    """The items."""

    items: list[Any]


class ForEachOutput(DataBase):
    """What came of the items."""

    results: list[Any] = Field(default_factory=list, description="The results, in the order of the items")
    errors: dict[str, str] = Field(default_factory=dict, description="Message of each item that failed, by its index")


class ForEach(CoreCall, input_model=ForEachInput, output_model=ForEachOutput):
    """Runs a tool or a graph for each item of a list."""

    items: Any = Field(
        json_schema_extra=described(
            zh=("列表", "得到列表的模板，如 ${state:items}"),
            en=("Items", "A template that gives a list, such as ${state:items}"),
            kind="template",
            widget="list",
        ),
    )
    tool: str | None = Field(
        default=None,
        json_schema_extra=described(
            zh=("工具", "对每一项运行的工具"),
            en=("Tool", "The tool to run for each item"),
            widget="tool",
            instead="graph",
        ),
    )
    graph: str | None = Field(
        default=None,
        json_schema_extra=described(
            zh=("流程图", "对每一项运行的流程图"),
            en=("Graph", "The graph to run for each item"),
            widget="graph",
            instead="tool",
        ),
    )
    params: dict[str, Any] = Field(
        default_factory=dict,
        json_schema_extra=described(
            zh=("参数", "工具的参数，可用 ${item:键}、${item:value} 和 ${item:index}"),
            en=("Parameters", "The tool's parameters; ${item:key}, ${item:value} and ${item:index} are the item's"),
            kind="template",
            when={"tool": []},
        ),
    )
    inputs: dict[str, Any] = Field(
        default_factory=dict,
        json_schema_extra=described(
            zh=("输入", "流程图的输入，可用 ${item:键}、${item:value} 和 ${item:index}"),
            en=("Inputs", "The graph's inputs; ${item:key}, ${item:value} and ${item:index} are the item's"),
            kind="template",
            when={"graph": []},
        ),
    )
    concurrency: int = Field(
        default=5,
        ge=1,
        le=100,
        json_schema_extra=described(
            zh=("同时运行", "最多同时运行多少项"), en=("At once", "How many items run at the same time at most")
        ),
    )
    on_failure: Literal["stop", "collect"] = Field(
        default="stop",
        json_schema_extra=described(
            zh=("失败时", "停止，或收集错误并继续"),
            en=("On failure", "Stop, or collect the errors and go on"),
            options={"stop": ("停止", "Stop"), "collect": ("收集错误并继续", "Collect the errors and go on")},
        ),
    )

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.tool is None) == (self.graph is None):
            raise ValueError("give a tool or a graph, and not both")
        return self

    @classmethod
    def info(cls, language: LanguageType = LanguageType.CHINESE) -> CallInfo:
        """Returns name and description."""
        if language == LanguageType.CHINESE:
            return CallInfo(name="逐项执行", description="对列表中的每一项运行工具或流程图")
        return CallInfo(name="For each", description="Runs a tool or a graph for each item of a list")

    async def _init(self, call_vars: CallVars) -> DataBase:
        items = list(self.items) if isinstance(self.items, list | tuple) else self.items
        if not isinstance(items, list):
            kind = "nothing" if items is None else type(items).__name__
            raise CallError(f"{self.name}: settings.items must give a list, not {kind}.")
        if len(items) > MAX_ITEMS:
            raise CallError(f"{self.name}: {len(items)} items are more than {MAX_ITEMS}.")
        return ForEachInput(items=items)

    def called_with(self) -> dict[str, Any]:
        """Returns the items, and what is run for each, with the places where an item's values go."""
        given: dict[str, Any] = {"tool": self.tool, "params": self.params}
        return {**self.input, **(given if self.graph is None else {"graph": self.graph, "inputs": self.inputs})}

    async def _exec(self, input_data: dict[str, Any]) -> AsyncGenerator[CallOutputChunk, None]:
        items = input_data["items"]
        results: list[Any] = [None] * len(items)
        errors: dict[str, str] = {}
        waiting: list[Any] = []
        left = iter(enumerate(items))

        async def work() -> None:
            for index, item in left:
                try:
                    results[index] = await self._one(index, item)
                except WaitForAnswer as signal:
                    waiting.extend(signal.question.questions)
                except (CallError, GraphError, UnresolvedError, TimeoutError) as error:
                    message = f"{self.name}[{index}]: {error}"
                    if self.on_failure == "stop":
                        raise CallError(message) from error
                    errors[str(index)] = str(error)

        async with _Workers() as workers:
            for _ in range(min(self.concurrency, len(items))):
                workers.start(work())
        if waiting:  # the items that are done stay done
            raise WaitForAnswer(NestedQuestions(waiting))
        name = present_visit(self._services.top_visit)
        for index in range(len(items)):
            self._services.done.pop((name, index), None)
        yield CallOutputChunk(type=CallOutputType.DATA, content={"results": results, "errors": errors})

    async def _one(self, index: int, item: Any) -> Any:
        place = (present_visit(self._services.top_visit), index)
        if place in self._services.done:
            return self._services.done[place]
        lookups = {"item": lambda path: _item(path, item, index)}
        if self.tool is not None:
            tool = await self._services.tool(self.tool)
            result = await run_tool(self._services, tool, resolve(self.params, lookups), index)
            if result.error is not None:
                raise CallError(f"the tool {tool.name} failed: {result.error.message}")
            output: Any = tool_output(result)
        else:
            from graph_app.calls.documents import nested_engine

            engine = nested_engine(await self._services.graph(str(self.graph)), self._services)
            label = f"{self.name}[{index}]"
            inputs = resolve(self.inputs, lookups)
            output = plain_state(await run_nested(self._services, engine, inputs, label, str(self.graph)))
        self._services.done[place] = output
        return output


class _Workers:
    """Tasks of which the first failure stops the others and comes out unchanged."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        return self

    def start(self, work: Any) -> None:
        self._tasks.add(asyncio.create_task(work))

    async def __aexit__(self, *_: object) -> None:
        try:
            if self._tasks:
                done, _pending = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_EXCEPTION)
                for task in done:
                    task.result()
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)


def _item(path: str, item: Any, index: int) -> Any:
    if path == "index":
        return index
    if path == "value" and not isinstance(item, dict):
        return item
    return walk(item, path, f"item {index}")
