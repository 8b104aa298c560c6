"""Edges: from which node to which, in which group, and under what condition."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from pydantic import Field, field_validator

from graph_app.engine.errors import GraphDefinitionError, RoutingError
from graph_app.engine.expressions import Expression
from graph_app.engine.types import DEFAULT_EDGE_GROUP, BaseComponent, StateFilterLike

Routes = list[tuple[str, "StateFilterLike | None"]]


class EdgeSpecBase(BaseComponent, ABC):
    """What every edge has.

    Args:
        source: Name of the node that it leaves.
        group: The group in which an ALL join waits for it.
        edge_type: Which kind of edge.
        order: Its place among all edges of the graph, in the order in which they were added.
    """

    source: str
    group: str = DEFAULT_EDGE_GROUP
    edge_type: Literal["base"] = "base"
    order: int | None = Field(default=None, repr=False)

    @abstractmethod
    def get_targets(self, state: Any) -> Routes:
        """Return the next nodes for this state, each with the filter on its way, if any."""

    @abstractmethod
    def get_possible_targets(self) -> list[str]:
        """Return every node that this edge may ever lead to."""


class EdgeSpec(EdgeSpecBase):
    """A plain edge to one node.

    Args:
        target: Name of the node that it leads to.
        state_filter: Answers the state that the edge carries instead of its source's.
    """

    target: str
    state_filter: StateFilterLike | None = None
    edge_type: Literal["edge"] = "edge"  # type: ignore[assignment]

    @field_validator("state_filter", mode="before")
    @classmethod
    def _filter(cls, value: Any) -> Any:
        return Expression(value) if isinstance(value, str) else value

    def get_targets(self, state: Any) -> Routes:
        """Return the target and its filter."""
        return [(self.target, self.state_filter)]

    def get_possible_targets(self) -> list[str]:
        """Return the target."""
        return [self.target]


class ConditionEdgeSpec(EdgeSpecBase):
    """An edge whose targets a router chooses.

    Args:
        router: A function of the state, or a CEL expression.
        possible_targets: Every node that it may choose.
    """

    router: Callable[..., Any]
    possible_targets: list[str]
    edge_type: Literal["conditional"] = "conditional"  # type: ignore[assignment]

    @field_validator("router", mode="before")
    @classmethod
    def _router(cls, value: Any) -> Any:
        return Expression(value) if isinstance(value, str) else value

    @field_validator("possible_targets", mode="before")
    @classmethod
    def _targets(cls, value: Any) -> Any:
        return unique_targets(value)

    def get_targets(self, state: Any) -> Routes:
        """Ask the router, and return its answer as pairs of target and filter.

        Raises:
            RoutingError: The answer is no target, or none of the possible ones.
        """
        return self.read_answer(self.router(state))

    def get_possible_targets(self) -> list[str]:
        """Return the possible targets."""
        return list(self.possible_targets)

    def read_answer(self, answer: Any) -> Routes:
        """Return a router's answer as pairs of target and filter.

        Raises:
            RoutingError: The answer is no target, or none of the possible ones.
        """
        if isinstance(answer, str) or _is_pair(answer):
            answer = [answer]
        if not isinstance(answer, list | tuple | set | frozenset):
            raise self._bad(answer)
        items: Iterable[Any] = sorted(answer, key=repr) if isinstance(answer, set | frozenset) else answer
        routes: Routes = []
        for item in items:
            target, state_filter = (item, None) if isinstance(item, str) else item if _is_pair(item) else (None, None)
            if target is None:
                raise self._bad(answer)
            if target not in self.possible_targets:
                allowed = ", ".join(self.possible_targets)
                raise RoutingError(
                    f"the router of {self.source!r} chose {target!r}, which is none of its possible targets: {allowed}",
                    node=self.source,
                )
            routes.append((str(target), state_filter))
        return routes

    def _bad(self, answer: Any) -> RoutingError:
        return RoutingError(
            f"the router of {self.source!r} answered {answer!r}; a target, or a list of targets, is wanted",
            node=self.source,
        )


def _is_pair(answer: Any) -> bool:
    return (
        isinstance(answer, tuple)
        and len(answer) == 2
        and isinstance(answer[0], str)
        and (answer[1] is None or (callable(answer[1]) and not isinstance(answer[1], str)))
    )


def unique_targets(targets: Any) -> Any:
    """Return possible targets as a list without repeats, sets in alphabetical order."""
    if isinstance(targets, str):
        return [targets]
    if isinstance(targets, set | frozenset):
        return sorted(targets)
    if isinstance(targets, Iterable):
        return list(dict.fromkeys(targets))
    return targets


def cast_edge(v: Mapping[str, Any] | EdgeSpecBase) -> EdgeSpecBase:
    """Make an edge from a dict, by its ``edge_type``.

    Args:
        v: The edge's fields; an edge itself is returned as it is. Without ``edge_type`` a router makes it conditional.

    Raises:
        GraphDefinitionError: The fields make no edge.
    """
    if isinstance(v, EdgeSpecBase):
        return v
    kinds = {"edge": EdgeSpec, "conditional": ConditionEdgeSpec}
    kind = v.get("edge_type", "conditional" if "router" in v else "edge")
    if kind not in kinds:
        raise GraphDefinitionError(f"an edge is of the type edge or conditional, not {kind!r}")
    try:
        made: EdgeSpecBase = kinds[kind](**v)
    except ValueError as error:
        raise GraphDefinitionError(f"an edge cannot be read: {error}") from error
    return made
