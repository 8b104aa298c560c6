"""The threads in which sync nodes run, so that none of them holds up the event loop."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any


@cache
def _pool() -> ThreadPoolExecutor:
    # One pool for all loops: a loop that closes must not wait for a node that was given up at its time-out.
    return ThreadPoolExecutor(max_workers=64, thread_name_prefix="graph-node")


async def in_thread(function: Callable[..., Any], *args: Any) -> Any:
    """Call a function in a thread, in a copy of the present context, and return what it returned."""
    context = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(_pool(), context.run, _call, function, args)


def _call(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    try:
        return function(*args)
    except StopIteration as error:
        # A future refuses this one, and whoever awaits it would wait for ever.
        raise RuntimeError("the node raised StopIteration") from error
