"""The host: runs runs in this process, holds their leases, takes over those that another process left.

It lives in one event loop: the server's, where `serve` started it, else one in a thread of its own. Everything that
comes from other threads goes through `submit`.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import threading
from collections.abc import Coroutine, Iterable
from concurrent.futures import Future
from datetime import timedelta
from typing import Any, TypeVar
from uuid import UUID

from django.contrib.sessions.backends.db import SessionStore
from django.db import InterfaceError, OperationalError
from django.db.models import F, Q
from django.utils import timezone

from graph_app.models import ACTIVE, RESTING, Run, Status
from graph_app.runs import list_feed, retention
from graph_app.runs.commands import RunCommand
from graph_app.runs.driver import CANCELLED, Outside, drive, was_stopped
from graph_app.runs.ending import RunEnds
from graph_app.runs.feed import LIST, feed
from graph_app.runs.graph_run import GraphRun
from graph_app.runs.journal import JournalWriter, LeaseLostError, RunJournal
from graph_app.runs.owners import is_gone, own_name
from graph_app.runs.threads import DatabaseThreads
from graph_app.runs.tool_run import run_tool
from toolkit_app.engine.redaction import Redactor

_log = logging.getLogger(__name__)
LEASE = timedelta(seconds=10)
"""How long a process that says nothing keeps its runs."""
_RENEW_EVERY_S = 2.0
_RETAIN_EVERY_S = 600.0
_numbers = itertools.count()
_FLUSH_AT_MOST_S = 5.0
"""How long a stopping process waits for what its runs wrote last."""
_T = TypeVar("_T")


class RunHost:
    """Runs runs in one event loop."""

    def __init__(self) -> None:
        """Prepares; `attach` or the first `submit` starts it."""
        self.owner = own_name(next(_numbers))
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._tasks: dict[UUID, asyncio.Task[None]] = {}
        self._services: list[asyncio.Task[None]] = []
        self._threads = DatabaseThreads(4, "runs")
        self._writer: JournalWriter | None = None
        self._outside = Outside()
        self._graphs: dict[UUID, GraphRun] = {}
        self._driven: set[UUID] = set()

    async def attach(self) -> None:
        """Starts in the running event loop."""
        with self._lock:
            self._loop = asyncio.get_running_loop()
        self._start_services()

    async def aclose(self) -> None:
        """Stops. Runs under way keep their rows and leases; the next process goes on with them."""
        await _end(self._tasks.values())
        if self._writer is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_FLUSH_AT_MOST_S):
                    await self._writer.flush()
        await _end(self._services)
        await self._outside.aclose()
        if self._writer is not None:
            self._writer.close()
        with contextlib.suppress(Exception):
            await self._in_thread(lambda: Run.objects.filter(lease_owner=self.owner).update(lease_until=timezone.now()))
        self._threads.close()

    def close(self) -> None:
        """Stops a host that lives in a thread of its own; called from another thread."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None and not loop.is_closed():
            asyncio.run_coroutine_threadsafe(self.aclose(), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            if self._thread is not None:
                self._thread.join()

    def submit(self, work: Coroutine[Any, Any, _T]) -> Future[_T]:
        """Hands work to the host's loop from any thread; starts a loop of its own where none was attached."""
        return asyncio.run_coroutine_threadsafe(work, self._running_loop())

    def start(self, run_id: UUID) -> None:
        """Takes up a run whose row was committed."""
        self.submit(self._take_up(run_id))

    def cancel(self, run_id: UUID) -> None:
        """Stops a run that is under way here; its journal says so when it is done."""
        self.submit(self._cancel(run_id))

    def command(self, run_id: UUID, command: RunCommand) -> None:
        """Gives a command to a run of a graph; the command's reply says what became of it."""
        self.submit(self._command(run_id, command))

    async def account(self, run_id: UUID, visit: str) -> tuple[dict[str, Any], Redactor] | None:
        """Returns what a visit that is under way here was called with and has asked of models so far, secrets and all.

        What takes them out comes with it.
        """
        graph = self._graphs.get(run_id)
        session = graph.session if graph is not None else None
        known = session.services.accounts.get(visit) if session is not None else None
        if session is None or known is None:
            return None
        asked = [{**one, "sent": list(one["sent"])} for one in known.get("asked", ())]  # what is added is added anew
        return {**known, "asked": asked}, session.services.redactor

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._loop.is_closed():
                ready = threading.Event()
                loop = self._loop = asyncio.new_event_loop()

                def live() -> None:
                    asyncio.set_event_loop(loop)
                    loop.call_soon(self._start_services)
                    loop.call_soon(ready.set)
                    loop.run_forever()
                    loop.close()

                self._thread = threading.Thread(target=live, name="runs", daemon=True)
                self._thread.start()
                ready.wait()
            return self._loop

    def _start_services(self) -> None:
        self._writer = JournalWriter(feed, self._row_changed)
        self._outside = Outside()
        loop = asyncio.get_event_loop()
        self._services = [
            loop.create_task(self._writer.run(), name="journal writer"),
            loop.create_task(self._keep_leases(), name="leases"),
            loop.create_task(self._retain(), name="retention"),
        ]

    def _row_changed(self, run_id: UUID) -> None:
        if not feed.has_readers(LIST):
            return
        task = asyncio.ensure_future(self._in_thread(lambda: list_feed.announce(run_id)))
        task.add_done_callback(_log_failure)

    async def _in_thread(self, work: Any) -> Any:
        return await self._threads.run(work)

    async def _cancel(self, run_id: UUID) -> None:
        while (task := self._tasks.get(run_id)) is not None:
            if run_id in self._driven:
                self._driven.discard(run_id)  # once: a second one would break off the tidying of the first
                task.cancel(CANCELLED)
                return
            await asyncio.wait([task], timeout=0.01)  # it is just being taken up, and reads the row's status

    async def _take_up(self, run_id: UUID, command: RunCommand | None = None) -> None:
        if run_id in self._tasks:
            return
        task = asyncio.get_running_loop().create_task(self._live(run_id, command), name=f"run {run_id}")
        self._tasks[run_id] = task
        task.add_done_callback(lambda _: self._tasks.pop(run_id, None))

    async def _command(self, run_id: UUID, command: RunCommand) -> None:
        """Gives a command to the run where it is under way here; else takes the run up with it."""
        while (task := self._tasks.get(run_id)) is not None:
            graph = self._graphs.get(run_id)
            if graph is not None and graph.session is not None:
                await graph.command(command)
                return
            await asyncio.wait([task], timeout=0.01)  # it is just beginning or ending
        await self._take_up(run_id, command)

    async def _live(self, run_id: UUID, command: RunCommand | None) -> None:
        """Runs a run until it ends or rests, and returns when that is committed."""
        resting = command is not None
        try:
            run = await self._in_thread(lambda: self._lease(run_id, resting=resting))
            if run is None or self._writer is None:
                if command is not None:
                    command.refuse("The run has ended, or another process runs it.")
                return
            await self._drive(run, RunJournal(self._writer, run.pk, run.fence, run.last_seq, Redactor()), command)
        except LeaseLostError:
            _log.warning("Run %s was taken over by another process", run_id)
        except (OperationalError, InterfaceError) as error:
            # Whoever finds its lease run out takes it up.
            _log.warning("Run %s waits, the database is away: %s", run_id, error)
        finally:
            if command is not None:
                command.refuse("The run has ended.")

    async def _drive(self, run: Run, journal: RunJournal, command: RunCommand | None) -> None:
        ends = RunEnds(run, journal)
        try:
            if was_stopped(run):
                ends.cancelled()
            elif run.kind == Run.Kind.TOOL:
                self._driven.add(run.pk)
                await drive(run, journal, ends, run_tool(run, journal, ends, self._outside, self._in_thread))
            else:
                self._driven.add(run.pk)
                graph = self._graphs[run.pk] = GraphRun(run, journal, ends, self._outside, self._in_thread)
                await drive(run, journal, ends, graph.run(command))
        finally:
            self._graphs.pop(run.pk, None)
            self._driven.discard(run.pk)
        # The lease is kept until the end is written: a run whose end waits for the database is not begun again.
        await journal.settled()

    def _lease(self, run_id: UUID, *, resting: bool = False) -> Run | None:
        """Takes the lease of a run that nobody holds; returns its row, or `None` where somebody does.

        Args:
            run_id: The run.
            resting: Whether a run that waits for a person or is paused may be taken up.
        """
        now = timezone.now()
        free = Q(lease_until=None) | Q(lease_until__lt=now)
        statuses = ACTIVE | RESTING if resting else ACTIVE
        taken = Run.objects.filter(free, pk=run_id, status__in=statuses).update(
            fence=F("fence") + 1, lease_owner=self.owner, lease_until=now + LEASE
        )
        return Run.objects.select_related("user").get(pk=run_id) if taken else None

    async def _keep_leases(self) -> None:
        while True:
            try:
                left, stopping = await self._in_thread(self._renew)
                for run_id in left:
                    await self._take_up(run_id)
                for run_id in stopping:
                    await self._cancel(run_id)
            except Exception:
                _log.exception("Leases could not be renewed; trying again")
            await asyncio.sleep(_RENEW_EVERY_S)

    def _renew(self) -> tuple[list[UUID], list[UUID]]:
        """Renews leases; returns the runs that nobody holds any more, and those of this process that were stopped."""
        now = timezone.now()
        mine = list(self._tasks)
        if mine:
            Run.objects.filter(pk__in=mine, lease_owner=self.owner).update(lease_until=now + LEASE)
        others = Run.objects.filter(status__in=ACTIVE, lease_until__gte=now).exclude(lease_owner=self.owner)
        gone = [owner for owner in others.values_list("lease_owner", flat=True).distinct() if is_gone(owner)]
        if gone:  # died on this machine: their leases need not run out first
            Run.objects.filter(status__in=ACTIVE, lease_owner__in=gone).update(lease_until=now - LEASE)
        stale = Q(lease_until__lt=now) | Q(lease_until=None, created_at__lt=now - LEASE)
        left = Run.objects.filter(stale, status__in=ACTIVE).exclude(pk__in=mine).values_list("pk", flat=True)
        stopping = Run.objects.filter(pk__in=mine, status=Status.STOPPING).values_list("pk", flat=True)
        return list(left), list(stopping)

    async def _retain(self) -> None:
        while True:
            try:
                await self._in_thread(retention.remove_old_runs)
                await self._in_thread(SessionStore.clear_expired)
            except Exception:
                _log.exception("Old runs and sign-ins could not be removed; trying again later")
            await asyncio.sleep(_RETAIN_EVERY_S)


async def _end(tasks: Iterable[asyncio.Task[None]]) -> None:
    ending = list(tasks)
    for task in ending:
        task.cancel("the server stops")
    await asyncio.gather(*ending, return_exceptions=True)


def _log_failure(task: asyncio.Future[Any]) -> None:
    if not task.cancelled() and task.exception() is not None:
        _log.error("A change of the list could not be announced", exc_info=task.exception())


host = RunHost()
"""The host of this process."""
