"""Nodes: what runs in a graph, and how any callable becomes one."""

from __future__ import annotations

import functools
import inspect
import uuid
from abc import ABC
from collections.abc import Callable
from typing import Any

from pydantic import Field, PrivateAttr, SkipValidation, field_validator

from graph_app.engine.errors import GraphDefinitionError
from graph_app.engine.streaming import StreamCtx, StreamWriter, get_stream_writer, stream_writer_env
from graph_app.engine.threads import in_thread
from graph_app.engine.types import BaseComponent, NodeActionMode

MergeStrategies = dict[str, Callable[[list[Any]], Any]]


class NodeBase(BaseComponent, ABC):
    """The base of all nodes: subclasses declare fields, and say in ``__call__`` what they do."""

    def __call__(self, state: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the delta for this state."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it does: define __call__")


class SyncNode(NodeBase):
    """A node that runs in a thread."""

    def __call__(self, state: Any) -> Any:
        """Return the delta for this state."""
        raise NotImplementedError


class AsyncNode(NodeBase):
    """A node that is awaited."""

    async def __call__(self, state: Any) -> Any:
        """Return the delta for this state."""
        raise NotImplementedError


class SyncStreamNode(NodeBase):
    """A node that runs in a thread and says something meanwhile."""

    def __call__(self, state: Any, stream_writer: StreamWriter) -> Any:
        """Return the delta for this state."""
        raise NotImplementedError


class AsyncStreamNode(NodeBase):
    """A node that is awaited and says something meanwhile."""

    async def __call__(self, state: Any, stream_writer: StreamWriter) -> Any:
        """Return the delta for this state."""
        raise NotImplementedError


class NodeResult:
    """What a node may return instead of a delta: the delta, and beside it an output that later steps can read.

    Args:
        delta: The channels that it writes.
        output: Its output; JSON-able where the run is to be kept.
    """

    __slots__ = ("delta", "output")

    def __init__(self, delta: Any = None, output: Any = None) -> None:
        self.delta = delta
        self.output = output


def _function(target: Any) -> Any:
    """Return the function behind a callable, to be looked at."""
    while isinstance(target, functools.partial):
        target = target.func
    if inspect.isroutine(target) or inspect.isclass(target):
        return target
    return getattr(target, "__call__", target)  # noqa: B004 - the bound method is wanted, not whether there is one


def _is_async(target: Any) -> bool:
    return inspect.iscoroutinefunction(_function(target))


def _writer_parameter(target: Any) -> bool:
    try:
        return "stream_writer" in inspect.signature(target).parameters
    except (TypeError, ValueError):
        return False


class _SyncFunction(SyncNode):
    function: SkipValidation[Any] = Field(exclude=True)

    def __call__(self, state: Any) -> Any:
        return self.function(state)


class _SyncStreamFunction(SyncStreamNode):
    function: SkipValidation[Any] = Field(exclude=True)

    def __call__(self, state: Any, stream_writer: StreamWriter) -> Any:
        return self.function(state, stream_writer=stream_writer)


class _AsyncFunction(AsyncNode):
    function: SkipValidation[Any] = Field(exclude=True)

    async def __call__(self, state: Any) -> Any:
        return await self.function(state)


class _AsyncStreamFunction(AsyncStreamNode):
    function: SkipValidation[Any] = Field(exclude=True)

    async def __call__(self, state: Any, stream_writer: StreamWriter) -> Any:
        return await self.function(state, stream_writer=stream_writer)


def callable_to_node(callable_obj: Callable[..., Any]) -> NodeBase:
    """Return a node of the fitting kind for any callable.

    Args:
        callable_obj: A function, method, partial or callable object, sync or async, with or without a parameter
            ``stream_writer``. A node is returned as it is.

    Raises:
        GraphDefinitionError: It cannot be called.
    """
    if isinstance(callable_obj, NodeBase):
        return callable_obj
    if not callable(callable_obj):
        raise GraphDefinitionError(f"{callable_obj!r} cannot be called, so it is no node")
    says = _writer_parameter(callable_obj)
    if _is_async(callable_obj):
        return _AsyncStreamFunction(function=callable_obj) if says else _AsyncFunction(function=callable_obj)
    return _SyncStreamFunction(function=callable_obj) if says else _SyncFunction(function=callable_obj)


Runner = Callable[[Any], Any]


def runner(node: Any, stream_writer: StreamWriter | None = None) -> Runner:
    """Return an async function of the state that runs a node: awaits it, or runs it in a thread.

    Args:
        node: A node, or any callable.
        stream_writer: What it sends what it says to; the shared one unless given.
    """
    target = node
    writer = stream_writer or get_stream_writer()
    if _is_async(target):
        if not _writer_parameter(target):
            return target if inspect.isroutine(target) or isinstance(target, functools.partial) else _function(target)
        return functools.partial(target, stream_writer=writer)
    call = functools.partial(target, stream_writer=writer) if _writer_parameter(target) else target

    async def run(state: Any) -> Any:
        result = await in_thread(call, state)
        return await result if inspect.isawaitable(result) else result

    return run


class GraphNodeSpec(BaseComponent):
    """A node as it stands in a graph.

    Args:
        node: The node, or any callable, which is made one.
        node_name: Its name in the graph.
        action_mode: Whether it starts for any arrival, or waits for all edges of a group.
        stream_writer: Where it sends what it says while it runs.
        multi_input_merge_strategy: How arrivals are merged, by edge group; the answer is the whole state.
        node_id: A unique id.
        partial_join: Whether a join starts with what arrived once nothing else can run.
    """

    node: Any
    node_name: str
    action_mode: NodeActionMode = NodeActionMode.ALL
    stream_writer: StreamWriter | None = None
    multi_input_merge_strategy: MergeStrategies | None = None
    node_id: str = Field(default_factory=lambda: str(uuid.uuid4()))
    partial_join: bool = False

    _active: list[int] = PrivateAttr(default_factory=lambda: [0])
    _original: Any = PrivateAttr(default=None)
    _run: Runner = PrivateAttr()

    @field_validator("node")
    @classmethod
    def _callable(cls, value: Any) -> Any:
        if not callable(value):
            raise ValueError("a node is a NodeBase or any callable")
        return value

    def model_post_init(self, context: Any) -> None:
        """Make a node of a plain callable."""
        self._original = self.node
        self._run = runner(self.node, self.stream_writer)
        if not isinstance(self.node, NodeBase):
            self.node = callable_to_node(self.node)

    @property
    def is_active(self) -> bool:
        """Whether the node is running somewhere, now."""
        return self._active[0] > 0

    async def __call__(self, state: Any, **kwargs: Any) -> Any:
        """Run the node on a state, in a stream context with its name and a new call id; return what it returned."""
        self._active[0] += 1
        try:
            with stream_writer_env(StreamCtx(call_id=str(uuid.uuid4()), node_name=self.node_name)):
                return await self._run(state)
        finally:
            self._active[0] -= 1
