"""Which edges are taken after a visit, and with what state: the questions to routers and filters, and their answers.

The questions are asked by a generator, so that one piece of code serves who answers at once and who awaits.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator
from typing import Any, NamedTuple

from graph_app.engine.edges import ConditionEdgeSpec
from graph_app.engine.errors import RoutingError
from graph_app.engine.expressions import Expression
from graph_app.engine.lineage import Lineage
from graph_app.engine.plan import Plan, PlanNode


class Route(NamedTuple):
    """One edge that is taken.

    Args:
        edge: Its place among the edges that leave the node.
        target: The node that it leads to.
        state: The whole state that it carries, as one checked delta, if a filter replaced the state.
    """

    edge: int
    target: str
    state: dict[str, Any] | None = None


class Question(NamedTuple):
    """A function to be asked about a state."""

    function: Callable[..., Any]
    lineage: Lineage
    who: str


_NOT_ASKED = object()


def questions(plan: Plan, node: PlanNode, lineage: Lineage) -> Generator[Question, Any, list[Route]]:
    """Ask all routers and filters of a node; return the edges that are taken."""
    routes = []
    for index, edge in enumerate(node.out):
        if edge.plain:
            routes.append(Route(index, edge.target))
            continue
        chosen: list[tuple[str, Any]]
        if isinstance(edge.spec, ConditionEdgeSpec):
            answer = yield Question(edge.spec.router, lineage, f"the router of {node.name!r}")
            chosen = list(edge.spec.read_answer(answer))
        else:
            chosen = [(edge.target, edge.filter)]
        for target, state_filter in chosen:
            if state_filter is None:
                routes.append(Route(index, target))
                continue
            who = f"the filter from {node.name!r} to {target!r}"
            answer = yield Question(state_filter, lineage, who)
            routes.append(Route(index, target, plan.schema.whole(answer, who, isolate=plan.isolate)))
    return routes


def present(plan: Plan, lineage: Lineage) -> Any:
    """Return a state as routers, filters and merge strategies get it."""
    return plan.schema.present(lineage.values(), plan.isolate)


def ask_now(plan: Plan, node: PlanNode, lineage: Lineage, inputs: dict[str, Any]) -> list[Route]:
    """Answer all questions at once, and return the edges that are taken.

    Raises:
        RoutingError: A router or filter failed, or answered nonsense.
    """
    asking = questions(plan, node, lineage)
    answer: Any = None
    while True:
        try:
            question = asking.send(answer)
        except StopIteration as done:
            return list(done.value)
        except Exception as error:
            raise _failed(f"routing after {node.name!r}", node, error) from error
        try:
            if isinstance(question.function, Expression):
                answer = question.function.evaluate(names_for(question, inputs))
            else:
                answer = question.function(present(plan, question.lineage))
                if inspect.iscoroutine(answer):
                    answer.close()
                    raise TypeError("it is a coroutine function, which only a running engine can await")
        except Exception as error:
            raise _failed(question.who, node, error) from error


def choose(plan: Plan, node: PlanNode, lineage: Lineage) -> Any:
    """Ask the function that alone routes a node, and return its answer, whatever that is."""
    assert node.choice is not None
    try:
        return node.choice.spec.router(present(plan, lineage))  # type: ignore[attr-defined]
    except Exception as error:
        raise _failed(f"the router of {node.name!r}", node, error) from error


async def ask(
    plan: Plan, node: PlanNode, lineage: Lineage, inputs: dict[str, Any], first: Any = _NOT_ASKED
) -> list[Route]:
    """Do as ``ask_now`` does, awaiting expressions and coroutine functions.

    Args:
        plan: The graph.
        node: The node.
        lineage: The state after it.
        inputs: The run's inputs.
        first: The first router's answer, if it was asked already.
    """
    asking = questions(plan, node, lineage)
    answer: Any = None
    if first is not _NOT_ASKED:
        asking.send(None)
        try:
            answer = await first if inspect.isawaitable(first) else first
        except Exception as error:
            raise _failed(f"the router of {node.name!r}", node, error) from error
    while True:
        try:
            question = asking.send(answer)
        except StopIteration as done:
            return list(done.value)
        except Exception as error:
            raise _failed(f"routing after {node.name!r}", node, error) from error
        try:
            if isinstance(question.function, Expression):
                answer = await question.function.evaluate_async(names_for(question, inputs))
            else:
                answer = question.function(present(plan, question.lineage))
                if inspect.isawaitable(answer):
                    answer = await answer
        except Exception as error:
            raise _failed(question.who, node, error) from error


def names_for(question: Question, inputs: dict[str, Any]) -> dict[str, Callable[[], Any]]:
    """Return what an expression may name, each made only when it is named."""
    return {"state": question.lineage.values, "steps": question.lineage.outputs, "input": lambda: inputs}


def _failed(who: str, node: PlanNode, error: Exception) -> RoutingError:
    if isinstance(error, RoutingError):
        return error
    return RoutingError(f"{who} failed: {type(error).__name__}: {error}", node=node.name)
