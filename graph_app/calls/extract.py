"""`Extract`: takes an object that fits a schema out of text, with a model."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

from pydantic import ConfigDict, Field

from graph_app.calls.core import CoreCall, DataBase
from graph_app.calls.references import as_text
from graph_app.calls.settings import described
from graph_app.calls.types import CallInfo, CallOutputChunk, CallOutputType, CallVars, LanguageType

_INSTRUCTION = "Take the fields of the JSON Schema out of the text. Never invent a value."


class ExtractInput(DataBase):
    """The text, and what to take out of it."""

    source: str
    schema_: dict[str, Any] = Field(alias="schema")


class ExtractOutput(DataBase):
    """The object's own keys."""

    model_config = ConfigDict(extra="allow")


class Extract(CoreCall, input_model=ExtractInput, output_model=ExtractOutput):
    """Takes an object out of text."""

    source: Any = Field(
        default="${sys:question}",
        json_schema_extra=described(
            zh=("来源文本", "从中提取信息的文本，可插入 ${state:变量}"),
            en=("Source", "The text to take it from; ${state:variable} puts a value in"),
            kind="template",
            widget="text",
        ),
    )
    schema_: dict[str, Any] = Field(
        alias="schema",
        json_schema_extra=described(
            zh=("结构", "要提取的字段"),
            en=("Fields", "What to take out of the text"),
            kind="schema",
        ),
    )
    instruction: Any = Field(
        default="",
        json_schema_extra=described(
            zh=("说明", "补充说明应如何提取"),
            en=("Instruction", "What the model should mind"),
            kind="template",
            widget="text",
        ),
    )

    @classmethod
    def info(cls, language: LanguageType = LanguageType.CHINESE) -> CallInfo:
        """Returns name and description."""
        if language == LanguageType.CHINESE:
            return CallInfo(name="提取", description="用大模型从文本中提取结构化数据")
        return CallInfo(name="Extract", description="Takes structured data out of text with a model")

    async def _init(self, call_vars: CallVars) -> DataBase:
        source = as_text(self.source)
        if source == "${sys:question}":
            source = call_vars.question
        return ExtractInput(source=source, schema=self.schema_)

    async def _exec(self, input_data: dict[str, Any]) -> AsyncGenerator[CallOutputChunk, None]:
        instruction = "\n".join(part for part in (_INSTRUCTION, as_text(self.instruction)) if part)
        messages = [
            {"role": "system", "content": instruction},
            {"role": "user", "content": input_data["source"]},
        ]
        found = await self._json(messages, self.schema_)
        yield CallOutputChunk(type=CallOutputType.DATA, content=found)
