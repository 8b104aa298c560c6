"""Replays a recorded run: the same engines, with servers, models and people answering from the recording.

Pure: no database, no network. The first difference ends it.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graph_app.calls import CallError, CallServices, shared_engine
from graph_app.engine import GraphError
from graph_app.runs.differences import Difference, cut, output_difference, same_text
from graph_app.runs.events import dump
from graph_app.runs.fold import fold
from graph_app.runs.outcome import CommandError, Outcome, Question
from graph_app.runs.recording import TOOL
from graph_app.runs.replay_outside import Book, RecordedModels, RecordedRunner, ReplayEnded
from graph_app.runs.session import Session
from toolkit_app.engine import ToolDefinition

LIMIT_S = 60.0
"""A replay waits for nothing: one that takes longer runs in circles."""


@dataclass(frozen=True, slots=True)
class Recording:
    """What a saved test replays.

    Attributes:
        inputs: The run's inputs.
        visits: As `recorded_visits` returns them.
        status: How the run ended, `finished` or `failed`.
        output: What it put out: text of a tool, state of a graph.
        error: Why it failed.
        env: The environment's variables as they were; of secrets the mark alone.
        until_step: Where the run of a tool was to end.
    """

    inputs: Mapping[str, Any]
    visits: Sequence[Mapping[str, Any]]
    status: str
    output: Any
    error: Mapping[str, Any] | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    until_step: int | None = None


async def replay_tool(tool: ToolDefinition, recording: Recording) -> Difference | None:
    """Replays a tool's run.

    Returns:
        The first difference, or nothing.
    """
    book = Book(recording.visits)
    try:
        async with asyncio.timeout(LIMIT_S):
            result = await RecordedRunner(book).run(
                tool, recording.inputs, recording.env, until_step=recording.until_step
            )
    except ReplayEnded:
        return book.difference
    except TimeoutError:
        return _endless()
    error = None if result.error is None else {"message": result.error.message, "step": result.error.step}
    status = "finished" if error is None else "failed"
    return book.difference or _ended(recording, status, error) or output_difference(recording.output, result.output)


async def replay_graph(
    text: str, recording: Recording, *, tools: Mapping[str, ToolDefinition], graphs: Mapping[str, str]
) -> Difference | None:
    """Replays a graph's run.

    Args:
        text: The definition.
        recording: What is replayed.
        tools: The tools that it may run, by name.
        graphs: The definitions of the graphs that it may run, by name.

    Returns:
        The first difference, or nothing.
    """
    book = Book(recording.visits, failed=recording.status == "failed")
    engine = shared_engine(text)
    try:
        standing = fold(engine.plan, recording.inputs, ())
    except GraphError as error:
        return Difference("error", f"The recorded inputs don't fit any more: {error}", got=str(error))
    services = CallServices(
        tool=_lookup("tool", tools),
        graph=_lookup("graph", graphs),
        runner=RecordedRunner(book),
        models=RecordedModels(book),
        env=recording.env,
        run_id=uuid.UUID(int=0),
        sleep=_no_time,
    )
    session = Session(engine, services, standing.ledger, _Follower(book))
    book.top = services.top_visit
    try:
        async with asyncio.timeout(LIMIT_S):
            outcome = await _to_the_end(session, book)
    except ReplayEnded:
        return book.astray or book.difference
    except TimeoutError:
        return _endless()
    ended = book.difference or _ended(recording, outcome.status, outcome.error)
    if ended is not None:
        return ended if ended.kind == "error" else book.astray or ended
    if book.failed:  # what else had run by then is a matter of time
        return None
    return _left_out(book) or output_difference(recording.output, json.loads(dump(outcome.state)))


async def _to_the_end(session: Session, book: Book) -> Outcome:
    outcome = await session.run()
    while outcome.status == "waiting" and book.difference is None:
        for question in outcome.questions:
            _answer(session, book, question)
        outcome = await session.run()
    return outcome


def _answer(session: Session, book: Book, question: Question) -> None:
    recorded = (book.visits.get(book.places.key(question.visit)) or {}).get("output")
    if not isinstance(recorded, Mapping) or "answer" not in recorded:
        message = f"{question.node} asks a person, and the recording has no answer to it."
        raise book.differs(Difference("no_person", message, question.node))
    try:
        session.answer(question.visit, recorded["answer"])
    except CommandError as error:
        answer = cut(dump(recorded["answer"]))
        message = f"The recorded answer {answer} doesn't fit {question.node} any more: {error}"
        raise book.differs(Difference("answer", message, question.node, expected=answer, got=str(error))) from error


class _Follower:
    """Follows the replay's visits, and ends it where it goes another way than the recording."""

    def __init__(self, book: Book) -> None:
        self._book = book

    def emit(
        self,
        kind: str,
        data: dict[str, Any],
        *,
        node: str | None = None,
        visit: str | None = None,
        path: Sequence[str] = (),
    ) -> None:
        if kind != "node.started" or node is None or visit is None:
            return
        book = self._book
        parents = (data or {}).get("parents") or ()
        key = book.places.begin(node, visit, parents)
        after = [book.places.key(parent) for parent in parents]
        if key in book.visits:
            book.begun[key] = None
            return
        way = _another_way(book, node, after, path)
        if book.failed:
            book.astray = book.astray or way
            return
        ended = book.differs(way)
        if not path:
            raise ended

    async def room(self) -> None:
        return


def _another_way(book: Book, node: str, after: Sequence[str], path: Sequence[str]) -> Difference:
    """Says where the replay went, and where the recording went instead."""
    place = list(path)
    wanted = [
        str(visit["node"])
        for key, visit in book.visits.items()
        if key not in book.begun and visit["path"] == place and list(visit["after"]) == list(after)
    ]
    before = ", ".join(str(book.visits[key]["node"]) for key in after if key in book.visits)
    expected = ", ".join(dict.fromkeys(wanted)) or None
    began = f"After {before} the run" if before else "The run"
    inside = f" (inside {' / '.join(place)})" if place else ""
    way = f"to {expected}" if expected else "no further"
    message = f"{began} went {way} when this was recorded{inside}; now it goes to {node}."
    return Difference("visit", message, node, path=before or None, expected=expected, got=node)


def _left_out(book: Book) -> Difference | None:
    """Says which recorded visit the replay left out."""
    left = next((visit for key, visit in book.visits.items() if key not in book.begun and key != TOOL), None)
    if left is None:
        return None
    node = str(left["node"])
    message = f"The run went to {node} when this was recorded; now it doesn't."
    return Difference("missing", message, node, expected=node)


def _ended(recording: Recording, status: str, error: Mapping[str, Any] | None) -> Difference | None:
    now = str((error or {}).get("message") or "")
    place = {"node": (error or {}).get("node"), "step": (error or {}).get("step")}
    before = str((recording.error or {}).get("message") or "")
    if status != recording.status:
        told = f": {now}" if now else f". It failed when this was recorded: {before}"
        message = f"The run {recording.status} when this was recorded; now it has {status}{told}"
        return Difference("status", message, **place, expected=before or None, got=now or None)
    if error is not None and not same_text(before, now):
        message = f"The run failed with “{before}” when this was recorded; now it fails with “{now}”"
        return Difference("error", message, **place, expected=before, got=now)
    return None


def _endless() -> Difference:
    message = f"The replay didn't end within {LIMIT_S:g} s, though nothing is waited for."
    return Difference("error", message, got=message)


def _lookup(noun: str, known: Mapping[str, Any]) -> Any:
    async def find(name: str) -> Any:
        if name not in known:
            raise CallError(f"There is no {noun} {name}.")
        return known[name]

    return find


async def _no_time(_: float) -> None:
    await asyncio.sleep(0)
