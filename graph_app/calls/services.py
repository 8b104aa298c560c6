"""What a run gives to its Calls: tools, graphs, models, the outbound door, secrets to be kept, ids."""

from __future__ import annotations

import asyncio
import itertools
import uuid
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from graph_app.calls.errors import CallError
from graph_app.calls.places import present_visit
from graph_app.calls.types import LanguageType
from graph_app.engine import Frontier, GraphEngine, Route
from toolkit_app.engine import DoorRequest, ToolDefinition, ToolRunner
from toolkit_app.engine.redaction import Redactor

if TYPE_CHECKING:
    from graph_app.calls.models import Models
    from graph_app.engine.running import Run

_NAMESPACE = uuid.UUID("6f3f4e1c-6d0e-4f0e-9c2b-0d7a9b6f4a51")

ToolLookup = Callable[[str], Awaitable[ToolDefinition]]
GraphLookup = Callable[[str], Awaitable[Any]]


async def _no_tool(name: str) -> ToolDefinition:
    raise CallError(f"There is no tool {name!r}.")


async def _no_graph(name: str) -> Any:
    raise CallError(f"There is no graph {name!r}.")


@dataclass(frozen=True, slots=True)
class NestedRecord:
    """What a journal says of a finished nested visit."""

    visit: int
    delta: Mapping[str, Any]
    output: Any
    routes: tuple[Route, ...] | None


@dataclass(slots=True)
class Child:
    """A nested graph that waits, failed or was stopped: its engine, and where it stands."""

    engine: GraphEngine
    frontier: Frontier


@dataclass(slots=True)
class CallServices:
    """What one run gives to its Calls.

    Attributes:
        tool: Finds a tool by name.
        graph: Finds a graph's document by name.
        runner: Runs tools.
        models: The configured models.
        env: The environment's entries.
        guard: Is called before each request is sent.
        redactor: Knows the run's secrets; learns those that steps extract.
        run_id: The run.
        user_id: Who runs it.
        graph_name: The outermost graph.
        language: In which Calls speak.
        top_visit: Gives the number of a visit of the outermost graph.
        children: Nested graphs that wait, failed or were stopped, by the name of the visit that they are in.
        inside: The names of nested graphs that are under way, by the name of the visit that they are in.
        under_way: Nested graphs that are under way, by the name of the visit that they are in.
        recorded: What a journal says of nested visits, by the name of the visit that they are in: replayed when that
            runs again after a restart.
        accounts: What visits that are under way were called with and asked of models, by the name of the visit.
        done: Results of items, by visit and index, kept while others of the same visit still wait for a person.
        sleep: Waits for some seconds.
    """

    tool: ToolLookup = _no_tool
    graph: GraphLookup = _no_graph
    runner: ToolRunner | None = None
    models: Models | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    guard: Callable[[DoorRequest], None] | None = None
    redactor: Redactor = field(default_factory=Redactor)
    run_id: uuid.UUID = field(default_factory=uuid.uuid4)
    user_id: str = ""
    graph_name: str = ""
    language: LanguageType = LanguageType.CHINESE
    top_visit: Callable[[int], str] = str
    children: dict[str, Child] = field(default_factory=dict)
    inside: dict[str, str] = field(default_factory=dict)
    under_way: dict[str, Run] = field(default_factory=dict)
    recorded: dict[str, list[NestedRecord]] = field(default_factory=dict)
    accounts: dict[str, dict[str, Any]] = field(default_factory=dict)
    done: dict[tuple[str, int], Any] = field(default_factory=dict)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    def idempotency_key(self, visit: str, ordinal: int) -> str:
        """Returns the key of the n-th request of a visit: the same when the visit is repeated."""
        return str(uuid.uuid5(_NAMESPACE, f"{self.run_id}:{visit}:{ordinal}"))


present_services: ContextVar[CallServices | None] = ContextVar("present_services", default=None)
"""What the run gives in which the present code runs: engines are shared by all runs of a definition."""

_requests: ContextVar[Iterator[int] | None] = ContextVar("requests_of_this_visit", default=None)


def count_requests() -> None:
    """Begins to count the requests to models of the visit that runs here."""
    _requests.set(itertools.count())


def next_request_key() -> str | None:
    """Returns the `Idempotency-Key` of the next request to a model: the same when the visit is repeated.

    Returns:
        The key, or `None` outside of a run.
    """
    services, numbers = present_services.get(), _requests.get()
    if services is None or numbers is None:
        return None
    return services.idempotency_key(f"{present_visit(services.top_visit)}:model", next(numbers))
