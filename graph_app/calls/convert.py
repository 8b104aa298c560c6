"""`Convert`: makes text by a template and values by CEL expressions."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

from pydantic import ConfigDict, Field

from graph_app.calls.core import CoreCall, DataBase
from graph_app.calls.errors import CallError
from graph_app.calls.executor import run_inputs
from graph_app.calls.references import as_text
from graph_app.calls.settings import described
from graph_app.calls.types import CallInfo, CallOutputChunk, CallOutputType, CallVars, LanguageType, made
from graph_app.engine import Expression, ExpressionError, current_visit


class ConvertInput(DataBase):
    """The text, with its references put in."""

    text: str | None = None


class ConvertOutput(DataBase):
    """The text, and each key of `values`."""

    model_config = ConfigDict(extra="allow")

    text: str = Field(default="", description="The text")


class Convert(CoreCall, input_model=ConvertInput, output_model=ConvertOutput):
    """Makes text and values out of what is there."""

    text: Any = Field(
        default=None,
        json_schema_extra=described(
            zh=("文本", "模板：可用 ${state:变量} 和 ${node:步骤/路径} 插入值"),
            en=("Text", "A template: put values in with ${state:variable} and ${node:step/path}"),
            kind="template",
            widget="text",
        ),
    )
    values: dict[str, str] = Field(
        default_factory=dict,
        json_schema_extra=described(
            zh=("值", "名称与 CEL 表达式，可使用 state、steps 和 input"),
            en=("Values", "Names, each with a CEL expression over state, steps and input"),
            kind="expression",
        ),
    )

    @classmethod
    def info(cls, language: LanguageType = LanguageType.CHINESE) -> CallInfo:
        """Returns name and description."""
        if language == LanguageType.CHINESE:
            return CallInfo(name="转换", description="用模板生成文本，用表达式计算值")
        return CallInfo(name="Convert", description="Makes text by a template and values by expressions")

    async def _init(self, call_vars: CallVars) -> DataBase:
        return made(ConvertInput, {"text": None if self.text is None else as_text(self.text)})

    async def _exec(self, input_data: dict[str, Any]) -> AsyncGenerator[CallOutputChunk, None]:
        if "text" in input_data:
            yield made(CallOutputChunk, {"type": CallOutputType.TEXT, "content": input_data["text"]})
        if self.values:
            found = {key: await self._evaluate(key, source) for key, source in self.values.items()}
            yield made(CallOutputChunk, {"type": CallOutputType.DATA, "content": found})

    async def _evaluate(self, key: str, source: str) -> Any:
        visit = current_visit()
        assert visit is not None, "Convert runs as a node of a graph"
        try:
            return await _expression(source).evaluate_async(
                {"state": lambda: visit.values, "steps": lambda: visit.steps, "input": lambda: run_inputs(visit)}
            )
        except ExpressionError as error:
            raise CallError(f"{self.name}: settings.values.{key}: {error}") from error


_known: dict[str, Expression] = {}


def _expression(source: str) -> Expression:
    found = _known.get(source)
    if found is None:
        if len(_known) > 4_000:
            _known.clear()
        found = _known[source] = Expression(source)
    return found
