"""The frame around every run: whatever ends it, the journal's last event says so."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from django.db import InterfaceError, OperationalError

from graph_app.calls import CallError
from graph_app.engine import GraphError
from graph_app.models import Run, Status
from graph_app.runs.ending import RunEnds
from graph_app.runs.journal import LeaseLostError, RunJournal
from toolkit_app.engine import Door, EgressPolicy, ToolRunner
from toolkit_app.errors import ServiceError
from toolkit_app.vault import VaultError

_log = logging.getLogger(__name__)
CANCELLED = "cancelled"
"""The message of a cancellation that somebody asked for; any other one means that the server stops."""

InThread = Callable[[Callable[[], Any]], Awaitable[Any]]


class Outside:
    """What this process reaches the outside with: kept connections, shared by all its runs."""

    def __init__(self) -> None:
        """Opens nothing yet."""
        self._runner: ToolRunner | None = None
        self._door: Door | None = None

    def runner(self, policy: EgressPolicy) -> ToolRunner:
        """Returns the runner of tools, under the policy of this moment."""
        if self._runner is None:
            self._runner = ToolRunner(egress=policy)
        self._runner.egress = policy
        return self._runner

    def door(self, policy: EgressPolicy) -> Door:
        """Returns the door to models, under the policy of this moment."""
        if self._door is None:
            self._door = Door(policy)
        self._door.policy = policy
        return self._door

    async def aclose(self) -> None:
        """Closes kept connections."""
        for one in (self._runner, self._door):
            if one is not None:
                await one.aclose()


async def drive(run: Run, journal: RunJournal, ends: RunEnds, work: Awaitable[None]) -> None:
    """Does a run's work; a failure or a cancellation becomes its last event.

    Args:
        run: The run's row, as it was when it was taken up.
        journal: Takes the events.
        ends: Writes the last event.
        work: The work; it tells a good end itself.

    Raises:
        LeaseLostError: If another process took the run over.
        OperationalError, InterfaceError: If the database is away; whoever finds the lease run out goes on.
        CancelledError: If the server stops; the run then stays as it is, for the next process.
    """
    try:
        await work
    except asyncio.CancelledError as error:
        if CANCELLED not in error.args:
            raise
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        ends.cancelled()
    except (LeaseLostError, OperationalError, InterfaceError):
        raise
    except (ServiceError, VaultError, CallError, GraphError) as error:
        message = getattr(error, "detail", None) or str(error)
        ends.failed({"kind": "config", "message": message, "step": None}, _kept(run, message))
    except Exception as error:
        _log.exception("Run %s failed by a fault of the server", run.pk)
        message = f"A fault of the server ended this run ({type(error).__name__}); its log says more."
        ends.failed({"kind": "server", "message": message, "step": None}, _kept(run, message))


def _kept(run: Run, message: str) -> Any:
    """Returns the output of a run that failed as a whole: a tool's is the message, a graph's an empty state."""
    return message if run.kind == Run.Kind.TOOL else {}


def was_stopped(run: Run) -> bool:
    """Says whether somebody stopped the run before it was taken up."""
    return run.status == Status.STOPPING
