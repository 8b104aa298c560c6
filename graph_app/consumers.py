"""Sockets of runs: a run's events with commands, and changes of the list."""

from __future__ import annotations

import asyncio
import functools
import json
import logging
from collections.abc import Callable
from typing import Any, ClassVar
from urllib.parse import parse_qs
from uuid import UUID

from django.db import DatabaseError

from graph_app import services
from graph_app.models import Run
from graph_app.runs.feed import LIST, Reader, feed
from graph_app.runs.journal import events_after
from graph_app.runs.threads import DatabaseThreads
from graph_app.sockets import CLOSE_NOT_FOUND, CLOSE_STALLED, FRAME_CHARACTERS, MAX_COMMAND_CHARACTERS, Consumer
from toolkit_app.errors import ServiceError

_log = logging.getLogger(__name__)
_READ_AT_ONCE = 1000
MAX_ID_CHARACTERS = 100
FRAME_EVERY_S = 0.02
"""Events that come faster than this are gathered into one frame, in seconds."""
_LOOK_EVERY_S = 2.0
"""How often the database is asked although nobody woke the reader: another process may run the run."""


class RunConsumer(Consumer):
    """`/ws/runs/{id}/?after=N`: the journal after N, then what comes; commands in."""

    needs: ClassVar[str] = "runs.read"

    async def stream(self) -> None:
        """Sends events in order, from memory where it holds them, else from the database."""
        run_id = UUID(str(self.scope["url_route"]["kwargs"]["run_id"]))
        if not await _read(Run.objects.filter(pk=run_id).exists):
            await self.close(code=CLOSE_NOT_FOUND)
            return
        after = _number(self.scope["query_string"])
        reader = Reader()
        end = feed.subscribe(str(run_id), reader.wake)
        try:
            caught_up = False
            while True:
                # Memory holds what was just committed; the first look, and one that was not woken, asks the database.
                events = feed.after(str(run_id), after, _READ_AT_ONCE)
                if events is None or (not events and not caught_up):
                    events = await _read(functools.partial(events_after, run_id, after, _READ_AT_ONCE))
                if events:
                    await self._send_events(events)
                    after = events[-1][0]
                    caught_up = True
                    continue
                caught_up = await _woken(reader)
                if caught_up:
                    await asyncio.sleep(FRAME_EVERY_S)
        finally:
            end()

    async def _send_events(self, events: list[tuple[int, str]]) -> None:
        frame: list[str] = []
        size = 0
        for _, text in events:
            if frame and size + len(text) > FRAME_CHARACTERS:
                await self.send_text(f'{{"events":[{",".join(frame)}]}}')
                frame, size = [], 0
            frame.append(text)
            size += len(text)
        if frame:
            await self.send_text(f'{{"events":[{",".join(frame)}]}}')

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Carries out a command and replies; a bad one is answered, never ends the socket."""
        number: Any = None
        try:
            command = _command(text_data)
            number = command.get("id")
            run_id = UUID(str(self.scope["url_route"]["kwargs"]["run_id"]))
            if not await self.may("runs.control"):
                reply = {"ok": False, "error": "Your role doesn't allow this. Ask an admin."}
            else:
                name = str(command.pop("command", ""))
                command.pop("id", None)
                status = await _carry_out(self.scope["user"], run_id, name, command)
                reply = {"ok": True, "status": status}
        except ServiceError as error:
            reply = {"ok": False, "error": error.detail}
        except ValueError as error:
            reply = {"ok": False, "error": str(error)}
        except DatabaseError:
            _log.exception("A command could not be carried out")
            reply = {"ok": False, "error": "The database does not answer just now. Try again."}
        try:
            await self.send_text(json.dumps({"reply": number, **reply}))
        except TimeoutError:
            await self.close(code=CLOSE_STALLED)
        except (OSError, RuntimeError):
            return  # who commanded is gone


class RunListConsumer(Consumer):
    """`/ws/runs/`: rows of runs as they change."""

    needs: ClassVar[str] = "runs.read"

    async def stream(self) -> None:
        """Sends changed rows, gathered."""
        reader = Reader()
        end = feed.subscribe(LIST, reader.wake)
        newest = feed.held(LIST)
        after = newest[-1][0] if newest else 0
        try:
            while True:
                await reader.wait()
                await asyncio.sleep(FRAME_EVERY_S)
                held = feed.held(LIST)
                rows = [text for number, text in held if number > after]
                after = held[-1][0] if held else after
                if rows:
                    await self.send_text(f'{{"runs":[{",".join(rows)}]}}')
        finally:
            end()


async def _read(work: Callable[[], Any]) -> Any:
    # Not in the one thread that all consumers would share: two hundred sockets would wait for each other.
    return await _readers.run(work)


_readers = DatabaseThreads(4, "sockets")


async def _carry_out(user: Any, run_id: UUID, name: str, arguments: dict[str, Any]) -> str:
    # Apart from the readers: a command waits for its run, and must hold up nobody else.
    return str(await _commanders.run(functools.partial(services.run_command, user, run_id, name, arguments)))


_commanders = DatabaseThreads(16, "commands")


async def _woken(reader: Reader) -> bool:
    try:
        async with asyncio.timeout(_LOOK_EVERY_S):
            await reader.wait()
    except TimeoutError:
        return False
    return True


def _command(text: str | None) -> dict[str, Any]:
    if text is None or len(text) > MAX_COMMAND_CHARACTERS:
        raise ValueError(f"A command is JSON text of at most {MAX_COMMAND_CHARACTERS} characters.")
    try:
        command = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError('A command is JSON, such as {"id": 1, "command": "cancel"}.') from error
    if not isinstance(command, dict):
        raise ValueError('A command is a JSON object, such as {"id": 1, "command": "cancel"}.')
    if not isinstance(command.get("id"), int | str | None) or len(str(command.get("id"))) > MAX_ID_CHARACTERS:
        raise ValueError(f"The id of a command is a number or a text of at most {MAX_ID_CHARACTERS} characters.")
    return command


def _number(query_string: bytes) -> int:
    text = parse_qs(query_string.decode("latin-1")).get("after", ["0"])[0]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
