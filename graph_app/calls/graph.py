"""`Graph`: runs another graph as one step."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

from pydantic import ConfigDict, Field

from graph_app.calls.core import CoreCall, DataBase
from graph_app.calls.executor import as_chat
from graph_app.calls.nested import run_nested
from graph_app.calls.settings import Picked, described
from graph_app.calls.types import CallInfo, CallOutputChunk, CallOutputType, CallVars, LanguageType
from graph_app.engine import StateMessage


class GraphInput(DataBase):
    """Which graph, and its inputs."""

    graph: str
    inputs: dict[str, Any]


class GraphOutput(DataBase):
    """The graph's final state."""

    model_config = ConfigDict(extra="allow")


class Graph(CoreCall, input_model=GraphInput, output_model=GraphOutput):
    """Runs another graph."""

    graph: Picked = Field(
        json_schema_extra=described(
            zh=("流程图", "要运行的流程图的名称"), en=("Graph", "Name of the graph to run"), widget="graph"
        ),
    )
    inputs: dict[str, Any] = Field(
        default_factory=dict,
        json_schema_extra=described(
            zh=("输入", "子图的状态变量与值，可插入 ${state:变量}；其他内容不会传入"),
            en=("Inputs", "State variables of the graph, each with a value or template; nothing else goes in"),
            kind="template",
        ),
    )

    @classmethod
    def info(cls, language: LanguageType = LanguageType.CHINESE) -> CallInfo:
        """Returns name and description."""
        if language == LanguageType.CHINESE:
            return CallInfo(name="子流程图", description="把另一个流程图作为一个步骤运行")
        return CallInfo(name="Graph", description="Runs another graph as one step")

    async def _init(self, call_vars: CallVars) -> DataBase:
        return GraphInput(graph=self.graph, inputs=self.inputs)

    def called_with(self) -> dict[str, Any]:
        """Returns name and inputs."""
        return self.input

    async def _exec(self, input_data: dict[str, Any]) -> AsyncGenerator[CallOutputChunk, None]:
        from graph_app.calls.documents import nested_engine

        engine = nested_engine(await self._services.graph(input_data["graph"]), self._services)
        final = await run_nested(self._services, engine, input_data["inputs"], graph=input_data["graph"])
        yield CallOutputChunk(type=CallOutputType.DATA, content=plain_state(final))


def plain_state(state: dict[str, Any]) -> dict[str, Any]:
    """Returns a final state as output data: messages as maps."""
    return {name: _plain(value) for name, value in state.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, StateMessage):
        return {**as_chat(value), "msg_id": value.msg_id, "node_name": value.node_name}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value
