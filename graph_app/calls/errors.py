"""Errors of Calls."""

from __future__ import annotations

from typing import Any


class CallError(Exception):
    """A step can't go on; the message says what, where and what to do.

    Attributes:
        message: The sentence for people.
        data: More, for programs.
    """

    def __init__(self, message: str, data: dict[str, Any] | None = None) -> None:
        """Keeps the message and its data."""
        super().__init__(message)
        self.message = message
        self.data = data or {}


class ModelError(CallError):
    """A model could not be asked, or answered what can't be used.

    Attributes:
        kind: `connection`, `time_out`, `key`, `unknown_model`, `busy`, `refused`, `malformed` or `not_configured`.
    """

    def __init__(self, kind: str, message: str, data: dict[str, Any] | None = None) -> None:
        """Keeps the kind beside the message."""
        super().__init__(message, data)
        self.kind = kind


class SettingsProblem(Exception):  # noqa: N818 - gathers problems, each with its place
    """A node's settings have problems.

    Attributes:
        problems: Each with `place` (within the node's entry) and `message`.
    """

    def __init__(self, problems: list[PlacedMessage]) -> None:
        """Keeps the problems."""
        super().__init__("; ".join(f"{problem.place}: {problem.message}" for problem in problems))
        self.problems = problems


class PlacedMessage:
    """A sentence and the place that it is about."""

    __slots__ = ("message", "place")

    def __init__(self, place: str, message: str) -> None:
        """Keeps both."""
        self.place = place
        self.message = message

    def __repr__(self) -> str:
        return f"PlacedMessage({self.place!r}, {self.message!r})"
