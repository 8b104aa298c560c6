"""The events and columns at both ends of a run, the same for tools and graphs."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from graph_app.models import Run, Status
from graph_app.runs.events import dump
from graph_app.runs.journal import RunJournal

RELEASED: dict[str, Any] = {"lease_until": None, "lease_owner": ""}
"""Columns of a run that nobody runs."""


class RunEnds:
    """Writes a run's first and last events."""

    def __init__(self, run: Run, journal: RunJournal) -> None:
        """Writes nothing yet.

        Args:
            run: The run's row, as it was when it was taken up.
            journal: Takes the events.
        """
        self._run = run
        self._journal = journal
        self._began = run.started_at or timezone.now()

    def started(self, **more: Any) -> None:
        """Tells that the run starts, or goes on where something was told before."""
        shown = self._journal.redactor.value(self._run.inputs)
        self._began = self._run.started_at or timezone.now()
        changes = {"status": Status.RUNNING, "shown_inputs": shown, "started_at": self._began}
        if self._run.last_seq:
            self._journal.emit("run.resumed", {"reason": more.get("reason", "restart")}, changes=changes)
            return
        data = {
            "kind": self._run.kind,
            "name": self._run.name,
            "revision": self._run.revision,
            "inputs": shown,
            "environment": self._run.environment or None,
            "mode": self._run.mode,
        }
        data.update({key: value for key, value in more.items() if key != "reason"})
        self._journal.emit("run.started", data, changes=changes)

    def finished(self, output: Any) -> None:
        """Tells that the run ended well; the output is a tool's text or a graph's final state."""
        shown = self._journal.redactor.value(output)
        self._end("run.finished", Status.FINISHED, {"output": shown}, output=_stored(shown))

    def failed(self, error: dict[str, Any], output: Any) -> None:
        """Tells that the run failed, with what there was until then."""
        shown = self._journal.redactor.value(error)
        kept = self._journal.redactor.value(output)
        data = {"error": shown, "output": kept}
        self._end("run.failed", Status.FAILED, data, output=_stored(kept), error=shown)

    def cancelled(self) -> None:
        """Tells that the run was stopped."""
        self._end("run.cancelled", Status.CANCELLED, {})

    def _end(self, kind: str, status: Status, data: dict[str, Any], **columns: Any) -> None:
        now = timezone.now()
        # From the start, not from when the run was taken up after it waited: as lists and details of runs reckon too.
        duration_ms = round(max(0.0, (now - self._began).total_seconds()) * 1000, 1)
        changes = {**columns, **RELEASED, "status": status, "finished_at": now}
        self._journal.emit(kind, {**data, "duration_ms": duration_ms}, changes=changes, last=True)


def _stored(output: Any) -> str:
    """Returns an output as any database takes it: text without NUL and half characters; a state as JSON text."""
    text = output if isinstance(output, str) else dump(output)
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")
