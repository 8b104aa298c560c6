"""Runs tools."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from types import TracebackType
from typing import Any, Self

from .call import Call, CallOptions
from .definition import ToolDefinition
from .door import MAX_RESPONSE_BYTES, Door, Guard
from .egress import STRICT, EgressPolicy
from .results import CallFinished, ToolEvent, ToolResult

MAX_STEPS = 100


class ToolRunner:
    """Runs tools; serves many calls at once and keeps connections alive between them.

    A runner belongs to one event loop.

    Args:
        egress: Where requests may go; the strict policy unless given. The attribute may be set at any time.
        max_response_bytes: Most bytes of one answer, after decompression; 10 MiB unless given.
        max_steps: Most visits of steps in one call; 100 unless given.
    """

    def __init__(
        self,
        egress: EgressPolicy | None = None,
        max_response_bytes: int = MAX_RESPONSE_BYTES,
        max_steps: int = MAX_STEPS,
    ) -> None:
        self.max_response_bytes = max_response_bytes
        self.max_steps = max_steps
        self._door = Door(egress or STRICT)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    @property
    def egress(self) -> EgressPolicy:
        """The policy of this moment; what is set holds for the next request, on kept connections too."""
        return self._door.policy

    @egress.setter
    def egress(self, policy: EgressPolicy) -> None:
        self._door.policy = policy

    @property
    def door(self) -> Door:
        """The door that this runner's requests go through."""
        return self._door

    async def aclose(self) -> None:
        """Close every connection."""
        await self._door.aclose()

    async def run(
        self,
        tool: ToolDefinition,
        params: Mapping[str, Any] | None = None,
        env: Mapping[str, Any] | None = None,
        *,
        guard: Guard | None = None,
        idempotency_key: Callable[[int], str] | None = None,
        until_step: int | None = None,
    ) -> ToolResult:
        """Call a tool.

        Args:
            tool: The tool.
            params: Arguments by name.
            env: Environment variables; only those that the tool lists are visible to it.
            guard: Called before each request and redirect hop is sent, with what will go out; may raise an EgressError.
            idempotency_key: Gives the `Idempotency-Key` of the n-th request of the call (from 0) that is no GET.
            until_step: Index of the step after whose first visit the call ends, its answer being the output.

        Returns:
            The result; what a tool, its inputs or a server did wrong is in its `error`.
        """
        return await self._call(tool, self._options(guard, idempotency_key, until_step)).run(params, env)

    async def stream(
        self,
        tool: ToolDefinition,
        params: Mapping[str, Any] | None = None,
        env: Mapping[str, Any] | None = None,
        *,
        guard: Guard | None = None,
        idempotency_key: Callable[[int], str] | None = None,
        until_step: int | None = None,
    ) -> AsyncIterator[ToolEvent]:
        """Call a tool and tell what happens; takes what `run` takes.

        Yields:
            Events as they happen; the last one is `CallFinished` with the result. Closing the iterator cancels the
            call.
        """
        events: asyncio.Queue[ToolEvent | None] = asyncio.Queue()
        call = self._call(tool, self._options(guard, idempotency_key, until_step), events.put_nowait)
        task = asyncio.create_task(call.run(params, env))
        task.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while (event := await events.get()) is not None:
                yield event
                if type(event) is CallFinished:
                    return
            await task
        finally:
            task.cancel()
            await asyncio.wait([task])

    def _call(
        self, tool: ToolDefinition, options: CallOptions, emit: Callable[[ToolEvent], None] | None = None
    ) -> Call:
        """Makes one call; a runner that answers from elsewhere gives it a door of its own."""
        return Call(tool, self._door, options, emit)

    def _options(
        self, guard: Guard | None, idempotency_key: Callable[[int], str] | None, until_step: int | None
    ) -> CallOptions:
        return CallOptions(self.max_response_bytes, self.max_steps, guard, idempotency_key, until_step)
