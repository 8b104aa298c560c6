"""Services on runs: start, wait, command."""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from graph_app.models import ACTIVE, TERMINAL, Run, Status
from graph_app.runs.feed import feed
from graph_app.runs.host import host
from toolkit_app.audit import audit
from toolkit_app.engine import ToolDefinition
from toolkit_app.environments import environment_get, environment_lacks
from toolkit_app.errors import ConflictError, InvalidError, NotFoundError, TooManyError
from toolkit_app.schemas import ToolRun
from toolkit_app.tools import require_sound, tool_check, version_for_run

WAIT_AT_MOST_S = 600.0


def tool_run_start(user: Any, name: str, given: ToolRun) -> Run:
    """Starts a run of a stored tool.

    Args:
        user: Who starts it.
        name: The tool.
        given: Parameters, environment, and which revision and how far.

    Raises:
        NotFoundError: If there is no such tool, revision or environment.
        InvalidError: If the text has problems, or the environment lacks names that the tool needs.
        ConflictError: If nothing is published and the user may not edit.
        TooManyError: If the user has too many runs under way.
    """
    version = version_for_run(name, given.revision, may_edit=user.may("tools.write"))
    tool = require_sound(tool_check(version.yaml))
    _check_environment(tool, given.environment)
    if given.until_step is not None and given.until_step >= len(tool.steps):
        last = len(tool.steps) - 1
        raise InvalidError(
            f"until_step {given.until_step}: the last step is {last}.", fields={"until_step": [f"At most {last}."]}
        )
    _check_limit(user)
    with transaction.atomic():
        run = Run.objects.create(
            kind=Run.Kind.TOOL,
            name=name,
            revision=version.revision,
            environment=given.environment or "",
            inputs=given.params,
            options={} if given.until_step is None else {"until_step": given.until_step},
            user=user,
        )
        transaction.on_commit(lambda: host.start(run.pk))
    return run


def run_get(run_id: UUID) -> Run:
    """Finds a run.

    Raises:
        NotFoundError: If there is none of this id.
    """
    run = Run.objects.select_related("user").filter(pk=run_id).first()
    if run is None:
        raise NotFoundError("There is no such run. It may have been removed after its time.")
    return run


def run_wait(run_id: UUID, *, at_most_s: float = WAIT_AT_MOST_S) -> Run:
    """Waits in the calling thread until a run has ended or waits for a person.

    Args:
        run_id: The run.
        at_most_s: Seconds after which it is returned as it is.
    """
    woken = threading.Event()
    end = feed.subscribe(str(run_id), woken.set)
    deadline = time.monotonic() + at_most_s
    try:
        while True:
            run = run_get(run_id)
            if run.status in TERMINAL or run.status in (Status.WAITING, Status.PAUSED):
                return run
            left = deadline - time.monotonic()
            if left <= 0:
                return run
            woken.wait(min(left, 1.0))  # another process may run it: look again each second
            woken.clear()
    finally:
        end()


def run_cancel(user: Any, run_id: UUID) -> Run:
    """Stops a run. It passes `stopping` and arrives at `cancelled` once nothing of it is under way.

    Raises:
        NotFoundError: If there is no such run.
        ConflictError: If it has ended already.
    """
    with transaction.atomic():
        changed = Run.objects.filter(pk=run_id, status__in=ACTIVE).update(status=Status.STOPPING)
        if changed:
            audit(user.username, "run.cancel", str(run_id))
            transaction.on_commit(lambda: _stop(run_id))
    run = run_get(run_id)
    if not changed:
        raise ConflictError(f"This run has ended already: it is {run.status}.", code="ended", run_status=run.status)
    return run


def run_command(user: Any, run_id: UUID, command: str) -> Run:
    """Carries out a command of the socket or the API.

    Raises:
        InvalidError: If there is no such command.
    """
    match command:
        case "cancel":
            return run_cancel(user, run_id)
        case _:
            raise InvalidError(f"There is no command {command[:40]!r}. A tool's run knows: cancel.")


def _stop(run_id: UUID) -> None:
    host.start(run_id)  # takes it up where nobody does, to end it
    host.cancel(run_id)


def _check_environment(tool: ToolDefinition, environment: str | None) -> None:
    if environment:
        environment_get(environment)
    missing = environment_lacks(environment, tool.env)
    if missing:
        names = ", ".join(missing)
        where = f"The environment {environment} lacks" if environment else "Pick an environment that has"
        raise InvalidError(
            f"{where} {names}. An admin can add them under Environments.",
            code="environment_incomplete",
            missing=missing,
        )


def _check_limit(user: Any) -> None:
    active = Run.objects.filter(user=user, status__in=ACTIVE, created_at__gt=timezone.now() - timedelta(days=1))
    if active.count() >= settings.RUNS_PER_USER:
        raise TooManyError(
            f"You have {settings.RUNS_PER_USER} runs under way. Wait until some have ended, or stop some under Runs."
        )
