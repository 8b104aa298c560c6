"""Runs a stored tool and writes what happens into its journal."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from graph_app.calls.steps import StepEvents
from graph_app.models import Run
from graph_app.runs.driver import InThread, Outside
from graph_app.runs.ending import RunEnds
from graph_app.runs.journal import RunJournal
from graph_app.runs.versions import version_of
from toolkit_app.engine import CallFinished, EgressPolicy, ToolDefinition, ToolResult
from toolkit_app.engine.redaction import Redactor
from toolkit_app.engine.secret_guard import SecretGuard
from toolkit_app.environments import EnvironmentValues, environment_values
from toolkit_app.network import egress_policy
from toolkit_app.tools import read_tool

_NAMESPACE = uuid.UUID("6f3f4e1c-6d0e-4f0e-9c2b-0d7a9b6f4a51")


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What a run needs from the database."""

    tool: ToolDefinition
    values: EnvironmentValues
    policy: EgressPolicy


async def run_tool(run: Run, journal: RunJournal, ends: RunEnds, outside: Outside, in_thread: InThread) -> None:
    """Runs a tool to its end.

    Args:
        run: The run's row.
        journal: Takes the events.
        ends: Writes the first and the last event.
        outside: Reaches the outside.
        in_thread: Runs what reads the database in a thread.
    """
    prepared: _Prepared = await in_thread(lambda: _prepare(run))
    journal.redactor = Redactor(secret.value for secret in prepared.values.secrets)
    ends.started()
    result = await _call(prepared, run, journal, outside)
    if result.error is None:
        ends.finished(result.output)
    else:
        error = {"kind": result.error.kind, "message": result.error.message, "step": result.error.step}
        ends.failed(error, result.output)


async def _call(prepared: _Prepared, run: Run, journal: RunJournal, outside: Outside) -> ToolResult:
    events = StepEvents(prepared.tool, journal.redactor)
    stream = outside.runner(prepared.policy).stream(
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
        await stream.aclose()  # type: ignore[attr-defined]
        for kind, data in events.flush():
            journal.emit(kind, data, visit=_visit(data))
    if result is None:
        raise RuntimeError("The tool engine ended without a result.")
    return result


def _prepare(run: Run) -> _Prepared:
    version = version_of(run)
    return _Prepared(read_tool(version.yaml), environment_values(run.environment or None), egress_policy("tools"))


def _visit(data: dict[str, Any]) -> str | None:
    return str(data["visit"]) if "visit" in data else None
