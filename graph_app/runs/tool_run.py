"""Runs a stored tool and writes what happens into its journal."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

from django.utils import timezone

from graph_app.models import Run, Status
from graph_app.runs.journal import RunJournal
from graph_app.calls.steps import StepEvents
from toolkit_app.engine import CallFinished, EgressPolicy, ToolDefinition, ToolResult, ToolRunner
from toolkit_app.engine.redaction import Redactor
from toolkit_app.engine.secret_guard import SecretGuard
from toolkit_app.environments import EnvironmentValues, environment_values
from toolkit_app.errors import ServiceError
from toolkit_app.network import egress_policy
from toolkit_app.tools import require_sound, tool_check, tool_get, tool_version
from toolkit_app.vault import VaultError

_log = logging.getLogger(__name__)
_NAMESPACE = uuid.UUID("6f3f4e1c-6d0e-4f0e-9c2b-0d7a9b6f4a51")


class ToolRunDriver:
    """Runs tools with one runner, so that connections are kept alive between runs."""

    def __init__(self, in_thread: Callable[[Callable[[], Any]], Awaitable[Any]]) -> None:
        """Prepares; the runner is made at the first run.

        Args:
            in_thread: Runs what reads the database in a thread.
        """
        self._in_thread = in_thread
        self._runner: ToolRunner | None = None

    async def aclose(self) -> None:
        """Closes kept connections."""
        if self._runner is not None:
            await self._runner.aclose()

    async def run(self, run: Run, journal: RunJournal) -> None:
        """Runs to the end; whatever ends it, the journal's last event says so.

        Raises:
            LeaseLostError: If another process took the run over.
            CancelledError: If the server stops; the run then stays as it is, for the next process.
        """
        began = time.monotonic()
        call = _Call(run, journal, began)
        try:
            if run.status == Status.STOPPING:
                call.cancelled()
                return
            prepared = await self._in_thread(lambda: _prepare(run))
            journal.redactor = Redactor(secret.value for secret in prepared.values.secrets)
            call.started()
            result = await self._call(prepared, run, journal)
            call.ended(result)
        except asyncio.CancelledError as error:
            if "cancelled" not in error.args:
                raise
            task = asyncio.current_task()
            if task is not None:
                task.uncancel()
            call.cancelled()
        except (ServiceError, VaultError) as error:
            call.failed("config", getattr(error, "detail", str(error)))
        except Exception as error:
            _log.exception("Run %s failed by a fault of the server", run.pk)
            call.failed("server", f"A fault of the server ended this run ({type(error).__name__}); its log says more.")

    async def _call(self, prepared: _Prepared, run: Run, journal: RunJournal) -> ToolResult:
        if self._runner is None:
            self._runner = ToolRunner(egress=prepared.policy)
        self._runner.egress = prepared.policy
        events = StepEvents(prepared.tool, journal.redactor)
        stream = self._runner.stream(
            prepared.tool,
            run.inputs,
            prepared.values.env(),
            guard=SecretGuard(prepared.values.secrets),
            idempotency_key=lambda ordinal: str(uuid.uuid5(_NAMESPACE, f"{run.pk}:{ordinal}")),
            until_step=run.options.get("until_step"),
        )
        result: ToolResult | None = None
        try:
            async for event in stream:
                if isinstance(event, CallFinished):
                    result = event.result
                    break
                for kind, data in events.take(event):
                    journal.emit(kind, data, visit=_visit(data))
                await journal.room()
        finally:
            await stream.aclose()
            for kind, data in events.flush():
                journal.emit(kind, data, visit=_visit(data))
        if result is None:
            raise RuntimeError("The tool engine ended without a result.")
        return result


class _Prepared:
    """What a run needs from the database."""

    def __init__(self, tool: ToolDefinition, values: EnvironmentValues, policy: EgressPolicy) -> None:
        self.tool = tool
        self.values = values
        self.policy = policy


class _Call:
    """Writes the events at both ends of a run."""

    def __init__(self, run: Run, journal: RunJournal, began: float) -> None:
        self._run = run
        self._journal = journal
        self._began = began

    def started(self) -> None:
        now = timezone.now()
        shown = self._journal.redactor.value(self._run.inputs)
        changes = {"status": Status.RUNNING, "shown_inputs": shown, "started_at": self._run.started_at or now}
        if self._run.last_seq:
            data: dict[str, Any] = {"reason": "restart"}
            self._journal.emit("run.resumed", data, changes=changes)
            return
        self._journal.emit(
            "run.started",
            {
                "kind": self._run.kind,
                "name": self._run.name,
                "revision": self._run.revision,
                "inputs": shown,
                "environment": self._run.environment or None,
            },
            changes=changes,
        )

    def ended(self, result: ToolResult) -> None:
        output = self._journal.redactor.text(result.output)
        if result.error is None:
            self._end("run.finished", Status.FINISHED, {"output": output}, output=output)
        else:
            error = {"kind": result.error.kind, "message": result.error.message, "step": result.error.step}
            self._fail(error, output)

    def failed(self, kind: str, message: str) -> None:
        self._fail({"kind": kind, "message": message, "step": None}, message)

    def cancelled(self) -> None:
        self._end("run.cancelled", Status.CANCELLED, {})

    def _fail(self, error: dict[str, Any], output: str) -> None:
        shown = self._journal.redactor.value(error)
        output = self._journal.redactor.text(output)
        self._end("run.failed", Status.FAILED, {"error": shown, "output": output}, output=output, error=shown)

    def _end(self, kind: str, status: Status, data: dict[str, Any], **columns: Any) -> None:
        duration_ms = round((time.monotonic() - self._began) * 1000, 1)
        changes = {**columns, "status": status, "finished_at": timezone.now(), "lease_until": None, "lease_owner": ""}
        if isinstance(changes.get("output"), str):
            changes["output"] = _storable(changes["output"])
        self._journal.emit(kind, {**data, "duration_ms": duration_ms}, changes=changes, last=True)


def _prepare(run: Run) -> _Prepared:
    version = tool_version(tool_get(run.name), run.revision)
    tool = require_sound(tool_check(version.yaml))
    return _Prepared(tool, environment_values(run.environment or None), egress_policy("tools"))


def _visit(data: dict[str, Any]) -> str | None:
    return str(data["visit"]) if "visit" in data else None


def _storable(text: str) -> str:
    """Returns text that any database takes: no NUL, no half characters."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")
