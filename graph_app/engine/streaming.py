"""What happens in a run, as a stream; and what nodes say while they run.

Each run has a stream of its own, ``engine.stream(inputs)``. ``set_streaming_handler`` serves programs that want one
function for everything that nodes put out.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
import threading
import uuid
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic import BaseModel

from graph_app.engine.types import BaseComponent

if TYPE_CHECKING:
    from graph_app.engine.schema import Schema
    from graph_app.engine.visits import Visit

_log = logging.getLogger(__name__)

Handler: TypeAlias = Callable[[dict[str, Any]], "Awaitable[None] | None"]


@dataclass(slots=True)
class Event:
    """One thing that happened in a run.

    Args:
        type: What: ``run.started``, ``node.started``, ``node.output``, ``node.finished``, ``node.failed``,
            ``node.skipped``, ``node.waiting``, ``edge.taken``, ``warning``, ``run.finished``, ``run.failed``,
            ``run.cancelled``, ``run.suspended``; while debugging also ``stopped`` and ``debug.*``.
        run_id: The run's id; a nested graph's events have the outermost run's.
        path: The enclosing nodes, outermost first; empty in the outermost graph.
        node: The node, if it is about one.
        visit: Its visit: a number, while debugging a uuid.
        within: The visits of the enclosing nodes, so that ``(*within, visit)`` is unique in the run.
        data: What belongs to the type.
        error: The exception behind a failure.
    """

    type: str
    run_id: str
    path: tuple[str, ...] = ()
    node: str | None = None
    visit: int | str | None = None
    within: tuple[int, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)
    error: BaseException | None = None

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def asdict(self) -> dict[str, Any]:
        """Return the event as a dict, without its exception."""
        result = asdict(self)
        del result["error"]
        return result


class StreamCtx(BaseModel):
    """Where in a run something is said.

    Args:
        node_name: The node.
        call_id: The visit of the node, unique.
        tool_name: The tool that is being called.
        tool_call_id: The id of that call.
        meta: Anything else.
    """

    node_name: str | None = None
    call_id: str | None = None
    tool_name: str | None = None
    tool_call_id: str | None = None
    meta: dict[str, Any] | None = None

    def __bool__(self) -> bool:
        return any((self.node_name, self.call_id, self.tool_name, self.tool_call_id))

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.model_dump(exclude_none=True).items())
        return f"StreamCtx({given})"

    __str__ = __repr__


class RunScope:
    """The run inside which code runs: who hears what nodes say, and what encloses it.

    Args:
        run_id: The outermost run's id; made when it is asked for, unless given.
        path: The enclosing nodes.
        within: Their visits.
        emit: Takes each event, or none if nobody listens.
        schema: The compiled schema of the run's state.
        outer: The scope of the run around it.
    """

    __slots__ = ("_run_id", "emit", "loop", "outer", "outlet", "path", "schema", "thread", "within")

    def __init__(
        self,
        run_id: str | None,
        path: tuple[str, ...],
        within: tuple[int, ...],
        emit: Callable[[Event], None] | None,
        schema: Schema,
        outer: RunScope | None = None,
    ) -> None:
        self._run_id = run_id
        self.path = path
        self.within = within
        self.emit = emit
        self.schema = schema
        self.outer = outer
        self.outlet: Outlet | None = None
        self.loop = asyncio.get_running_loop()
        self.thread = threading.get_ident()

    @property
    def run_id(self) -> str:
        """The outermost run's id."""
        if self._run_id is None:
            self._run_id = str(uuid.uuid4())
        return self._run_id

    def deliver(self, handler: Handler, message: dict[str, Any]) -> None:
        """Give a message to the handler, in the order of the outermost run."""
        if self.outer is not None:
            self.outer.deliver(handler, message)
            return
        if self.outlet is None:
            self.outlet = Outlet()
        self.outlet.deliver(handler, message)

    def event(
        self,
        kind: str,
        node: str | None = None,
        visit: int | None = None,
        data: dict[str, Any] | None = None,
        error: BaseException | None = None,
    ) -> None:
        """Tell whoever listens that something happened."""
        if self.emit is not None:
            known = {} if data is None else data
            self.emit(Event(kind, self.run_id, self.path, node, visit, self.within, known, error))


run_scope: ContextVar[RunScope | None] = ContextVar("graph_run", default=None)
visit_scope: ContextVar[Visit | None] = ContextVar("graph_visit", default=None)
_extra: ContextVar[tuple[Any, StreamCtx] | None] = ContextVar("graph_stream_ctx", default=None)


def current_visit() -> Visit | None:
    """Return the visit of the node that is running here, if one is."""
    return visit_scope.get()


def current_ctx() -> StreamCtx:
    """Return the stream context of the code that is running here; an empty one outside of any."""
    visit = visit_scope.get()
    extra = _extra.get()
    if extra is not None and extra[0] is visit:
        return extra[1]
    base = extra[1] if extra is not None else None
    if visit is None:
        return base if base is not None else StreamCtx()
    given = base.model_dump(exclude_unset=True) if base is not None else {}
    return StreamCtx(**{**given, "node_name": visit.node, "call_id": visit.call_id()})


@contextlib.contextmanager
def stream_writer_env(ctx_updates: StreamCtx) -> Iterator[None]:
    """Run the ``with`` block in a stream context with these fields set on top of the present one.

    Args:
        ctx_updates: Its set fields are added; ``meta`` is merged.
    """
    now = current_ctx()
    given = now.model_dump(exclude_unset=True)
    updates = ctx_updates.model_dump(exclude_unset=True)
    if updates.get("meta") is not None:
        updates["meta"] = {**(given.get("meta") or {}), **updates["meta"]}
    token = _extra.set((visit_scope.get(), StreamCtx(**{**given, **updates})))
    try:
        yield
    finally:
        _extra.reset(token)


def _ignore(message: dict[str, Any]) -> None:
    """Do nothing: the handler until one is set."""


_handler: Handler = _ignore


def set_streaming_handler(callback: Handler | None) -> None:
    """Set the function that gets everything that nodes put out, in order.

    Args:
        callback: A function or coroutine function of one dict: the fields set in the context, and ``payload``.
            ``None`` takes the present one away.
    """
    global _handler  # noqa: PLW0603
    _handler = callback if callback is not None else _ignore


class Outlet:
    """Delivers one outermost run's messages to the handler, in order, one at a time."""

    __slots__ = ("_queue", "_task")

    def __init__(self) -> None:
        self._queue: deque[tuple[Handler, dict[str, Any]]] | None = None
        self._task: asyncio.Task[None] | None = None

    def deliver(self, handler: Handler, message: dict[str, Any]) -> None:
        """Call the handler, at once if it is free and no coroutine, else in its turn."""
        if self._task is None:
            result = _call(handler, message)
            if result is None:
                return
            self._queue = deque()
            self._task = asyncio.ensure_future(self._drain(result, self._queue))
            return
        assert self._queue is not None
        self._queue.append((handler, message))

    async def _drain(self, waiting: Awaitable[None], queue: deque[tuple[Handler, dict[str, Any]]]) -> None:
        try:
            await _finish(waiting)
            while queue:
                result = _call(*queue.popleft())
                if result is not None:
                    await _finish(result)
        finally:
            self._task = None

    async def drained(self) -> None:
        """Return when every message was handled."""
        while self._task is not None:
            await asyncio.wait([self._task])


def _call(handler: Handler, message: dict[str, Any]) -> Awaitable[None] | None:
    try:
        result = handler(message)
    except Exception:
        _log.exception("the streaming handler failed")
        return None
    return result if inspect.isawaitable(result) else None


async def _finish(waiting: Awaitable[None]) -> None:
    try:
        await waiting
    except Exception:
        _log.exception("the streaming handler failed")


_outside: set[asyncio.Future[None]] = set()


class StreamWriter(BaseComponent):
    """Sends what a node says while it runs.

    Source: StreamWriter.
    """

    @staticmethod
    def put(payload: Any) -> None:
        """Send one piece, of any type, to the run's stream and to the streaming handler."""
        scope = run_scope.get()
        visit = visit_scope.get()
        handler = _handler
        message = None
        if handler is not _ignore:
            message = {**current_ctx().model_dump(exclude_unset=True), "payload": payload}
        if scope is None:
            if message is not None:
                _deliver_outside(handler, message)
            return
        if scope.thread == threading.get_ident():
            _put(scope, visit, payload, handler, message)
        else:
            scope.loop.call_soon_threadsafe(_put, scope, visit, payload, handler, message)


def _put(scope: RunScope, visit: Visit | None, payload: Any, handler: Handler, message: dict[str, Any] | None) -> None:
    if scope.emit is not None:
        node = visit.node if visit is not None else None
        number = visit.id if visit is not None else None
        scope.event("node.output", node, number, {"chunk": payload})
    if message is not None:
        scope.deliver(handler, message)


def _deliver_outside(handler: Handler, message: dict[str, Any]) -> None:
    result = _call(handler, message)
    if result is None:
        return
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(_finish(result))
        return
    future = loop.create_task(_finish(result))
    _outside.add(future)
    future.add_done_callback(_outside.discard)


_writer = StreamWriter()


def get_stream_writer() -> StreamWriter:
    """Return the stream writer that all nodes share; it knows by context who speaks."""
    return _writer
