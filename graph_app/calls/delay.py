"""`Delay`: waits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from pydantic import Field

from graph_app.calls.core import CoreCall, DataBase
from graph_app.calls.errors import CallError
from graph_app.calls.settings import described
from graph_app.calls.types import CallInfo, CallOutputChunk, CallOutputType, CallVars, LanguageType

MAX_SECONDS = 7 * 24 * 3600.0


class DelayInput(DataBase):
    """How long, in seconds."""

    seconds: float


class DelayOutput(DataBase):
    """Nothing."""


class Delay(CoreCall, input_model=DelayInput, output_model=DelayOutput):
    """Waits for some time."""

    seconds: float | str = Field(
        json_schema_extra=described(
            zh=("秒数", "等待多少秒，可以是小数"),
            en=("Seconds", "How long to wait, in seconds; fractions are fine"),
            kind="template",
        ),
    )

    @classmethod
    def info(cls, language: LanguageType = LanguageType.CHINESE) -> CallInfo:
        """Returns name and description."""
        if language == LanguageType.CHINESE:
            return CallInfo(name="等待", description="等待一段时间后继续")
        return CallInfo(name="Delay", description="Waits for some time and goes on")

    async def _init(self, call_vars: CallVars) -> DataBase:
        try:
            seconds = float(self.seconds)
        except ValueError as error:
            raise CallError(f"{self.name}: settings.seconds: {self.seconds!r} is no number.") from error
        if not 0 <= seconds <= MAX_SECONDS:
            raise CallError(f"{self.name}: settings.seconds: {seconds:g} is not from 0 to {MAX_SECONDS:.0f}.")
        return DelayInput(seconds=seconds)

    async def _exec(self, input_data: dict[str, Any]) -> AsyncGenerator[CallOutputChunk, None]:
        sleep = asyncio.sleep if self._services is None else self._services.sleep
        await sleep(input_data["seconds"])
        yield CallOutputChunk(type=CallOutputType.DATA, content={})
