"""Commands to a run: each is carried out as a whole, or refused, and then the session stands as it stood."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from graph_app.calls import CallError
from graph_app.engine import GraphError
from graph_app.runs.breakpoints import BreakpointError
from graph_app.runs.outcome import CommandError
from graph_app.runs.session import Session
from toolkit_app.errors import ServiceError

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class RunCommand:
    """A command to a run, and where its answer is awaited."""

    name: str
    arguments: dict[str, Any]
    reply: Future[dict[str, Any]]

    def wanted(self) -> bool:
        """Says whether somebody still waits for it; from now on it can't be withdrawn."""
        return self.reply.set_running_or_notify_cancel()

    def refuse(self, message: str) -> None:
        """Answers that it can't be carried out."""
        if not self.reply.done():
            self.reply.set_result({"ok": False, "error": message})

    def accept(self, **more: Any) -> None:
        """Answers that it was carried out."""
        if not self.reply.done():
            self.reply.set_result({"ok": True, **more})


class Told:
    """Keeps what a command tells until it is known whether it was carried out."""

    def __init__(self) -> None:
        self.events: list[tuple[str, dict[str, Any], dict[str, Any]]] = []

    def emit(self, kind: str, data: dict[str, Any], **place: Any) -> None:
        """Keeps one event."""
        self.events.append((kind, data, place))

    async def room(self) -> None:
        """Never waits: a command tells little."""


def carry_out(session: Session, command: RunCommand) -> Told:
    """Carries a command out; whatever goes wrong, it is as if it had not been given.

    Args:
        session: What is commanded.
        command: The command.

    Returns:
        What it told; nobody else was told of it yet.

    Raises:
        CommandError: If it was not carried out; the message says why.
    """
    if not command.wanted():  # told to try again, whoever gave it would have it carried out twice
        raise CommandError("Nobody waits for this command any more.")
    told, sink, put_back = Told(), session.sink, session.kept()
    session.sink = told
    try:
        _carry_out(session, command)
    except Exception as error:
        put_back()
        raise CommandError(refusal(error)) from error
    finally:
        session.sink = sink
    return told


def refusal(error: BaseException) -> str:
    """Returns why a command is refused, for people; a fault of the server goes to the log."""
    if isinstance(error, CommandError | BreakpointError | CallError):
        return str(error)
    if isinstance(error, GraphError | ServiceError):
        return f"The run stays as it is, since this can't be done: {error}"
    _log.error("A command could not be carried out by a fault of the server", exc_info=error)
    return f"A fault of the server ({type(error).__name__}) prevented this; its log says more. The run stays as it is."


def _carry_out(session: Session, command: RunCommand) -> None:
    given = command.arguments
    match command.name:
        case "pause":
            session.pause()
        case "resume":
            session.resume()
        case "step_over":
            session.step_over(_text(given, "visit", optional=True))
        case "run_to":
            session.run_to(str(_text(given, "node")))
        case "restore_step":
            session.restore_step(_text(given, "visit", optional=True))
        case "change_output":
            if "value" not in given:
                raise CommandError("change_output needs a value.")
            session.change_output(str(_text(given, "visit")), str(_text(given, "key")), given["value"])
        case "set_breakpoint":
            condition = _text(given, "condition", optional=True)
            session.set_breakpoint(str(_text(given, "node")), condition, _text(given, "on", optional=True) or "enter")
        case "clear_breakpoint":
            session.clear_breakpoint(str(_text(given, "node")))
        case "answer":
            if "value" not in given:
                raise CommandError("An answer needs a value.")
            session.answer(str(_text(given, "visit")), given["value"])
        case _:
            raise CommandError(f"There is no command {command.name[:40]!r}.")


def _text(given: dict[str, Any], key: str, *, optional: bool = False) -> str | None:
    value = given.get(key)
    if value is None and optional:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and key == "visit":
        return str(value)
    if not isinstance(value, str):
        raise CommandError(f"{key} is wanted, as text.")
    return value
