"""Every error of the graph engine, as one tree.

GraphError
├── GraphDefinitionError (ValueError)      a graph, schema, file or expression that cannot be used
│   ├── GraphBuildError                    everything wrong with a graph, found by ``build()``
│   ├── GraphDocumentError                 everything wrong with a definition file
│   ├── SerializationError                 something that cannot be written to, or read from, a file
│   └── ExpressionSyntaxError              an expression that does not compile
├── GraphRunError (RuntimeError)           a run that went wrong
│   ├── NodeError                          a node raised, or returned what is no delta
│   ├── StateError                         a value or channel that does not fit the schema
│   ├── RoutingError                       a router or filter raised, or answered nonsense
│   ├── JoinWaitingError                   nothing can run any more, and a join still waits
│   ├── VisitError                         a visit that does not exist or is over
│   ├── ExpressionError                    an expression failed, or went past its bounds
│   └── DebuggerError                      a command that the debugger cannot carry out
│       └── DatabaseLockedError            another process debugs on the same file
└── GraphTimeoutError (TimeoutError)       a node, or the run, took longer than it may
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, and where.

    Args:
        place: Where, as a path such as ``nodes.a.action_mode``.
        message: What, for a person.
        line: The line of the text, from 1, where there is a text.
    """

    place: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        said = f"{self.place}: {self.message}" if self.place else self.message
        return said if self.line is None else f"line {self.line}: {said}"


class GraphError(Exception):
    """Something in the graph engine went wrong."""


class GraphDefinitionError(GraphError, ValueError):
    """A graph, schema, file or expression cannot be used."""

    def __init__(self, message: str, problems: Iterable[Problem] = ()) -> None:
        super().__init__(message)
        self.problems: list[Problem] = list(problems)


class GraphBuildError(GraphDefinitionError):
    """The graph has problems; ``problems`` lists all of them."""


class GraphDocumentError(GraphDefinitionError):
    """The definition file has problems; ``problems`` lists all of them with their places."""


class SerializationError(GraphDefinitionError):
    """A part of the graph cannot be written to a file, or a file names what is not allowed."""


class ExpressionSyntaxError(GraphDefinitionError):
    """The expression does not compile."""


class GraphRunError(GraphError, RuntimeError):
    """A run went wrong.

    Attributes:
        node: The node at which it went wrong, if at one.
        visit: That node's visit.
        finished: Names of the nodes that had finished, in the order in which they did.
        state: What the finished nodes had written, merged.
        frontier: The run as it stood.
    """

    node: str | None = None
    visit: int | None = None
    finished: tuple[str, ...] = ()
    state: Any = None
    frontier: Any = None

    def __init__(self, message: str, *, node: str | None = None, visit: int | None = None) -> None:
        super().__init__(message)
        self.node = node
        self.visit = visit


class NodeError(GraphRunError):
    """A node raised, or returned what is no delta; the cause is kept."""


class StateError(GraphRunError):
    """A value or a channel does not fit the schema.

    Attributes:
        channel: The channel, if it is about one.
    """

    def __init__(
        self, message: str, *, node: str | None = None, visit: int | None = None, channel: str | None = None
    ) -> None:
        super().__init__(message, node=node, visit=visit)
        self.channel = channel


class RoutingError(GraphRunError):
    """A router or a state filter raised, or answered what it may not."""


class JoinWaitingError(GraphRunError):
    """Nothing can run any more, and a join still waits for some of its edges.

    Attributes:
        joins: Each waiting join's name, with the sources that it still waits for.
    """

    def __init__(self, message: str, *, node: str | None = None, joins: dict[str, list[str]] | None = None) -> None:
        super().__init__(message, node=node)
        self.joins = joins or {}


class VisitError(GraphRunError):
    """The visit does not exist, or is over already."""


class ExpressionError(GraphRunError):
    """An expression failed, or went past its bounds of time, memory or size."""


class DebuggerError(GraphRunError):
    """The debugger cannot carry out this command."""


class DatabaseLockedError(DebuggerError):
    """Another process debugs on the same file."""


class GraphTimeoutError(GraphError, TimeoutError):
    """A node, or the whole run, took longer than it may.

    Attributes:
        node: The node whose time was over; none when it was the run's.
    """

    node: str | None = None
    visit: int | None = None
    finished: tuple[str, ...] = ()
    state: Any = None
    frontier: Any = None

    def __init__(self, message: str, *, node: str | None = None, visit: int | None = None) -> None:
        super().__init__(message)
        self.node = node
        self.visit = visit


class WaitForAnswer(Exception):  # noqa: N818 - a signal, not an error
    """Raised by a node that needs an answer from outside: its visit stays open, other work goes on.

    Args:
        question: What is asked; any value, JSON-able where it is to be kept.
    """

    def __init__(self, question: Any = None) -> None:
        super().__init__(question)
        self.question = question
