"""What a session takes and gives: where it tells events, what people are asked, how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from graph_app.runs.ledger import OpenVisit

CUT_OFF = "interrupted"
"""Why a person is asked about a step that must not run twice."""
Reason = Literal["breakpoint", "step", "pause", "exception", "goto"]


class Sink(Protocol):
    """Takes a session's events."""

    def emit(
        self,
        kind: str,
        data: dict[str, Any],
        *,
        node: str | None = None,
        visit: str | None = None,
        path: Sequence[str] = (),
    ) -> None:
        """Takes one event."""

    async def room(self) -> None:
        """Waits while the sink is far behind."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a person: the visit's name, its node, and what is asked."""

    visit: str
    node: str
    question: Any

    @property
    def interrupted(self) -> bool:
        """Says whether the visit was cut off, and somebody decides whether it runs again."""
        return isinstance(self.question, Mapping) and self.question.get("reason") == CUT_OFF


@dataclass(slots=True)
class Outcome:
    """How a session ended.

    Attributes:
        status: `finished`, `failed`, `waiting` or `paused`.
        state: The final state; of a failed run what was written until then.
        error: Why it failed.
        questions: What people are asked.
        visits: The visits at which the run is paused.
    """

    status: Literal["finished", "failed", "waiting", "paused"]
    state: dict[str, Any] = field(default_factory=dict)
    error: dict[str, Any] | None = None
    questions: list[Question] = field(default_factory=list)
    visits: list[OpenVisit] = field(default_factory=list)


class CommandError(Exception):
    """A command that can't be carried out now; the message says why."""
