"""Bodies and answers of the API of runs, as pydantic models."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import AwareDatetime, Field, field_validator

from graph_app.models import Status
from toolkit_app.web import Body, PageQuery


class RunError(Body):
    """Why a run failed."""

    kind: str
    message: str
    step: int | None
    node: str | None = None


class RunRow(Body):
    """A run as listed."""

    id: str
    kind: Literal["tool", "graph"]
    name: str
    revision: int
    status: Status
    mode: str
    environment: str | None
    user: str | None
    parent: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    duration_ms: int | None
    error: RunError | None


class RunDetail(RunRow):
    """A run with what went in and what came out."""

    inputs: dict[str, Any]
    output: Any
    warnings: list[str]
    last_seq: int
    steps: list[dict[str, Any]]


class RunList(Body):
    """A page of runs."""

    results: list[RunRow]
    next: str | None


class RunQuery(PageQuery):
    """What the list of runs can be filtered by; `status` may name several, with commas."""

    kind: Literal["tool", "graph"] | None = None
    name: str | None = None
    status: str | None = None
    user: str | None = None
    from_: AwareDatetime | None = Field(default=None, alias="from")
    to: AwareDatetime | None = None

    @field_validator("status")
    @classmethod
    def _known(cls, value: str | None) -> str | None:
        known = set(Status.values)
        unknown = [part for part in (value or "").split(",") if part.strip() and part.strip() not in known]
        if unknown:
            raise ValueError(f"{unknown[0]} is no status; the statuses are {', '.join(Status.values)}")
        return value


class EventQuery(Body):
    """Which part of a journal to read."""

    after: int = Field(default=0, ge=0, le=2**53)
    limit: int = Field(default=1000, ge=1, le=10_000)


class EventList(Body):
    """A part of a journal, and the address of the next, or null at its present end."""

    events: list[dict[str, Any]]
    next: str | None


class WaitQuery(Body):
    """Whether to wait for the run's end."""

    wait: bool = False


class RunStarted(Body):
    """A run that was started."""

    run: str


class RunOutcome(Body):
    """A run that was waited for."""

    run: str
    output: Any
    error: RunError | None
    steps: list[dict[str, Any]]


class Command(Body):
    """A command to a run."""

    command: Literal["cancel"]


class CommandReply(Body):
    """What became of a command."""

    ok: bool
    status: Status
