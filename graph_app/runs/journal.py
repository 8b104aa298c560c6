"""Writing journals: one writer a process gathers the events of all its runs and commits them together.

An event is committed before anyone is told of it. A run's last event and its row's final state commit together.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import Case, Value, When
from django.utils import timezone

from graph_app.models import TERMINAL, Run, RunEvent, RunValue, Status
from graph_app.runs.events import EventText, event_text, storable
from graph_app.runs.feed import Feed
from toolkit_app.engine.redaction import Redactor

_log = logging.getLogger(__name__)
BATCH_EVERY_S = 0.01
"""How long the writer gathers before it commits, in seconds."""
_MAX_PENDING = 2_000
"""Events that may wait for the writer before their producers have to: what a stop has to wait for, at most."""
_MAX_PENDING_BYTES = 32 * 1024 * 1024
"""How much may wait, in bytes, about: a few events may carry whole answers."""
_LARGE_BATCH_BYTES = 1024 * 1024
_ROWS_AT_ONCE = (256, 32, 4, 1)
"""Rows of one statement; few sizes, so that few statements are prepared. Row by row the writer would take and give up
the interpreter's lock so often that threads with requests hardly came to it."""
_LOOK_FIRST = 16
_LOOK_MOST = 1000
"""Events that are read from the database at once: few until it is known how big they are."""
PAGE_CHARACTERS = 1024 * 1024
"""About how much of a journal is read for one page or one look of a socket."""


class LeaseLostError(Exception):
    """Another process runs this run now: what is written here no longer counts."""


@dataclass(slots=True)
class _Pending:
    journal: RunJournal
    events: list[EventText] = field(default_factory=list)
    changes: dict[str, Any] = field(default_factory=dict)
    last: bool = False
    count: int = 0


class RunJournal:
    """The journal of one run that this process holds the lease of."""

    def __init__(self, writer: JournalWriter, run_id: UUID, fence: int, last_seq: int, redactor: Redactor) -> None:
        """Goes on after the last committed event.

        Args:
            writer: Commits what is emitted.
            run_id: The run.
            fence: The number of this process's lease.
            last_seq: Number of the last committed event.
            redactor: Knows the run's secrets.
        """
        self.run_id = run_id
        self.fence = fence
        self.redactor = redactor
        self.lost = False
        self._appended = 0
        self._written = 0
        self._waiting: list[tuple[int, asyncio.Future[None]]] = []
        self._seq = last_seq
        self._writer = writer

    @property
    def last_seq(self) -> int:
        """Number of the last event emitted."""
        return self._seq

    def emit(
        self,
        kind: str,
        data: dict[str, Any],
        *,
        node: str | None = None,
        visit: str | None = None,
        path: Sequence[str] = (),
        changes: dict[str, Any] | None = None,
        last: bool = False,
    ) -> None:
        """Appends an event; it is committed and sent within about `BATCH_EVERY_S`.

        Args:
            kind: Type of the event.
            data: What happened; JSON data.
            node: Name of the node, for a graph.
            visit: Which visit of it.
            path: Names of the enclosing nodes.
            changes: Columns of the run's row that commit with it.
            last: Whether this ends the run.

        Raises:
            LeaseLostError: If another process has taken the run over.
        """
        if self.lost:
            raise LeaseLostError(f"Another process runs {self.run_id} now.")
        self._seq += 1
        event = event_text(self._seq, kind, data, redactor=self.redactor, node=node, visit=visit, path=path)
        self._writer.append(self, event, storable(changes or {}), last=last)

    def note(self, changes: dict[str, Any], *, last: bool = False) -> None:
        """Changes columns of the run's row without an event, after everything emitted so far.

        Raises:
            LeaseLostError: If another process has taken the run over.
        """
        if self.lost:
            raise LeaseLostError(f"Another process runs {self.run_id} now.")
        self._writer.append(self, None, storable(changes), last=last)

    async def room(self) -> None:
        """Waits while the writer is far behind, so that a fast producer can't fill the memory."""
        await self._writer.room()

    async def settled(self) -> None:
        """Waits until everything emitted so far is committed, or was refused since the lease was lost."""
        if self._written < self._appended:
            done = asyncio.get_running_loop().create_future()
            self._waiting.append((self._appended, done))
            await done

    def taken(self) -> None:
        """Counts what was handed to the writer."""
        self._appended += 1

    def written(self, count: int) -> None:
        """Counts what was committed, and tells whoever waits for it."""
        self._written += count
        left = []
        for goal, done in self._waiting:
            if goal > self._written:
                left.append((goal, done))
            elif not done.done():
                done.set_result(None)
        self._waiting = left


class JournalWriter:
    """Commits the events of all runs of this process, a batch at a time, in a thread of its own."""

    def __init__(self, feed: Feed, on_change: Callable[[UUID], None]) -> None:
        """Prepares; `run` does the work.

        Args:
            feed: Is told what was committed.
            on_change: Is told which runs' rows changed.
        """
        self._feed = feed
        self._on_change = on_change
        self._pending: dict[UUID, _Pending] = {}
        self._count = 0
        self._size = 0
        self._more = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._room = asyncio.Event()
        self._room.set()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")

    def append(self, journal: RunJournal, event: EventText | None, changes: dict[str, Any], *, last: bool) -> None:
        """Takes an event, or changes of the row alone; called in the host's loop only."""
        pending = self._pending.get(journal.run_id)
        if pending is None or pending.journal is not journal:
            pending = self._pending[journal.run_id] = _Pending(journal)
        if event is not None:
            pending.events.append(event)
        pending.changes.update(changes)
        pending.last = pending.last or last
        self._count += 1
        self._size += event.size if event is not None else 0
        if self._count >= _MAX_PENDING or self._size >= _MAX_PENDING_BYTES:
            self._room.clear()
        journal.taken()
        pending.count += 1
        self._idle.clear()
        self._more.set()

    async def room(self) -> None:
        """Waits while too much is pending."""
        if not self._room.is_set():
            await self._room.wait()

    async def flush(self) -> None:
        """Waits until nothing is pending."""
        await self._idle.wait()

    async def run(self) -> None:
        """Writes batches until it is cancelled. A batch that fails is tried again: the database may be away."""
        loop = asyncio.get_running_loop()
        delay = BATCH_EVERY_S
        while True:
            await self._more.wait()
            await asyncio.sleep(BATCH_EVERY_S)
            self._more.clear()
            batch, self._pending = list(self._pending.values()), {}
            count, size = self._count, self._size
            commit = _commit
            while True:
                try:
                    lost = await loop.run_in_executor(self._thread, commit, batch)
                    break
                except (OperationalError, InterfaceError):
                    # The database is away: the events are still here; readers see them once it is back.
                    _log.exception("The journal could not be written; trying again in %.1f s", delay)
                    await loop.run_in_executor(self._thread, _close)
                    await asyncio.sleep(delay)
                    delay = min(delay * 2, 5.0)
                except Exception:
                    # Whatever it is, the writer goes on: all runs of this process wait for it.
                    _log.exception("A batch of the journal was refused; writing its runs one by one")
                    commit = _commit_each
            if size > _LARGE_BATCH_BYTES:
                await loop.run_in_executor(self._thread, _close)  # its statements keep what was last bound to them
            delay = BATCH_EVERY_S
            self._count -= count
            self._size -= size
            self._tell(batch, lost)
            if self._count < _MAX_PENDING and self._size < _MAX_PENDING_BYTES:
                self._room.set()
            if not self._pending:
                self._idle.set()
            for pending in batch:
                pending.journal.written(pending.count)
            del batch, pending  # while nothing more comes, nothing is held

    def close(self) -> None:
        """Ends the writer's thread and its connection to the database."""
        self._thread.submit(_close)
        self._thread.shutdown(wait=True)

    def _tell(self, batch: list[_Pending], lost: set[UUID]) -> None:
        for pending in batch:
            run_id = pending.journal.run_id
            if run_id in lost:
                pending.journal.lost = True
                self._feed.forget(str(run_id))
                self._on_change(run_id)
                continue
            self._feed.publish(str(run_id), [(e.seq, e.text) for e in pending.events], last=pending.last)
            if pending.changes:
                self._on_change(run_id)


def _close() -> None:
    connection.close()  # the calling thread's own


def _commit(batch: list[_Pending]) -> set[UUID]:
    """Writes a batch in one transaction.

    Returns:
        Runs whose lease was lost; nothing of theirs was written.
    """
    lost: set[UUID] = set()
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql" and not any(pending.changes for pending in batch):
            cursor.execute("SET LOCAL synchronous_commit TO off")  # never for results, which change rows
        rows: list[tuple[Any, int, str]] = []
        values: list[RunValue] = []
        numbers: list[tuple[int, Any]] = []
        fences = _fences(pending.journal.run_id for pending in batch)
        for pending in batch:
            journal = pending.journal
            if fences.get(journal.run_id) != journal.fence:
                lost.add(journal.run_id)
                continue
            run_id = _run_id_column(journal.run_id)
            if pending.changes:
                changes = _columns(pending.changes)
                if pending.events:
                    changes["last_seq"] = pending.events[-1].seq
                Run.objects.filter(pk=journal.run_id).update(**changes)
            elif pending.events:
                numbers.append((pending.events[-1].seq, run_id))
            for event in pending.events:
                rows.append((run_id, event.seq, event.text))
                values += [RunValue(run_id=journal.run_id, key=key, text=text) for key, text in event.values]
        if numbers:
            runs = connection.ops.quote_name(Run._meta.db_table)
            cursor.executemany(f"UPDATE {runs} SET last_seq = %s WHERE id = %s", numbers)  # noqa: S608 - the table's own name
        _insert(cursor, rows)
        if values:
            RunValue.objects.bulk_create(values, ignore_conflicts=True)
    return lost


def _insert(cursor: Any, rows: list[tuple[Any, int, str]]) -> None:
    table = connection.ops.quote_name(RunEvent._meta.db_table)
    done = 0
    for size in _ROWS_AT_ONCE:
        # The connection may break after a commit and before its answer; the fence keeps everyone else's rows out.
        places = ", ".join(["(%s, %s, %s)"] * size)
        insert = f"INSERT INTO {table} (run_id, seq, event) VALUES {places} ON CONFLICT DO NOTHING"  # noqa: S608 - the table's own name
        while len(rows) - done >= size:
            cursor.execute(insert, list(itertools.chain.from_iterable(rows[done : done + size])))
            done += size


def _fences(run_ids: Iterable[UUID]) -> dict[UUID, int]:
    """Returns the fences of runs, which nobody can raise before this transaction ends."""
    # SQLite's transactions hold the one write lock from their beginning.
    runs = Run.objects.filter(pk__in=list(run_ids))
    if connection.vendor == "postgresql":
        runs = runs.select_for_update(of=("self",)).order_by("pk")
    return dict(runs.values_list("pk", "fence"))


def _columns(changes: dict[str, Any]) -> dict[str, Any]:
    """Returns the columns to write: whoever asked for a stop meanwhile is not overwritten, except by the end."""
    status = changes.get("status")
    if status is None or status in TERMINAL:
        return dict(changes)
    return {**changes, "status": Case(When(status=Status.STOPPING, then=Value(Status.STOPPING)), default=Value(status))}


def _commit_each(batch: list[_Pending]) -> set[UUID]:
    """Writes a refused batch run by run, so that one run's fault stays its own.

    Returns:
        Runs that could not be written.
    """
    lost: set[UUID] = set()
    for pending in batch:
        try:
            lost |= _commit([pending])
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            _log.exception("The journal of run %s could not be written", pending.journal.run_id)
            _give_up(pending.journal, error)
            lost.add(pending.journal.run_id)
    return lost


def _give_up(journal: RunJournal, error: Exception) -> None:
    """Ends a run whose journal the database doesn't take; left running it would be begun again for ever."""
    message = f"The journal of this run could not be written ({type(error).__name__}); the server's log says more."
    shown = {"kind": "server", "message": message, "step": None}
    with transaction.atomic():
        run = Run.objects.select_for_update().filter(pk=journal.run_id, fence=journal.fence).first()
        if run is None:
            return
        event = event_text(run.last_seq + 1, "run.failed", {"error": shown, "output": message}, redactor=Redactor())
        RunEvent.objects.create(run=run, seq=event.seq, event=event.text)
        run.status, run.error = Status.FAILED, shown
        run.output = message if run.kind == Run.Kind.TOOL else "{}"  # a graph's output is its state
        run.finished_at, run.last_seq = timezone.now(), event.seq
        run.lease_owner, run.lease_until = "", None
        run.save()


def _run_id_column(run_id: UUID) -> Any:
    return Run._meta.pk.get_db_prep_value(run_id, connection)


def events_after(run_id: UUID, seq: int, limit: int, *, size: int = PAGE_CHARACTERS) -> list[tuple[int, str]]:
    """Reads a part of a journal; when less comes than asked for, more may stand behind it.

    Args:
        run_id: The run.
        seq: Number of the last event that the reader has.
        limit: How many at most.
        size: Characters after which no more are read.

    Returns:
        Numbers and texts, in order.
    """
    rows = RunEvent.objects.filter(run_id=run_id).order_by("seq").values_list("seq", "event")
    found: list[tuple[int, str]] = []
    held, look = 0, _LOOK_FIRST
    while len(found) < limit and held < size:
        after = found[-1][0] if found else seq
        more = list(rows.filter(seq__gt=after)[: min(look, limit - len(found))])
        if not more:
            break
        found += more
        held += sum(len(text) for _, text in more)
        look = max(_LOOK_FIRST, min(_LOOK_MOST, (size - held) * len(found) // (held + 1)))
    return found
