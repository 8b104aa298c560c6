"""Services on runs: start, wait, command, fork, retry."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from graph_app.calls import shared_engine
from graph_app.calls.references import environment_names
from graph_app.engine import GraphError, VisitError
from graph_app.forks import kept_of, require_fit, standing_before, unbegun
from graph_app.graphs import GRAPHS
from graph_app.models import ACTIVE, RESTING, TERMINAL, Run, Status
from graph_app.runs.breakpoints import BreakpointError, Breakpoints
from graph_app.runs.commands import RunCommand
from graph_app.runs.feed import feed
from graph_app.runs.fold import fold
from graph_app.runs.graph_run import journal_until
from graph_app.runs.host import host
from graph_app.runs.versions import ENTERED, as_recorded, entered_now, version_of
from graph_app.schemas import GraphRunBody
from toolkit_app.audit import audit
from toolkit_app.environments import environment_get, environment_lacks
from toolkit_app.errors import ConflictError, InvalidError, NotFoundError, TooManyError
from toolkit_app.schemas import ToolRun
from toolkit_app.tools import TOOLS, read_tool
from toolkit_app.web import require_storable

WAIT_AT_MOST_S = 600.0
_REPLY_AT_MOST_S = 60.0


def tool_run_start(user: Any, name: str, given: ToolRun) -> Run:
    """Starts a run of a stored tool.

    Args:
        user: Who starts it.
        name: The tool.
        given: Parameters, environment, and which revision and how far.

    Raises:
        NotFoundError: If there is no such tool, revision or environment.
        ForbiddenError: If the revision is not the published one and the user may not edit.
        InvalidError: If the text has problems, or the environment lacks names that the tool needs.
        ConflictError: If nothing is published and the user may not edit.
        TooManyError: If the user has too many runs under way.
    """
    version = TOOLS.version_for_run(name, given.revision, may_edit=user.may("tools.write"))
    tool = read_tool(version.yaml)
    _check_environment(tool.env, given.environment)
    if given.until_step is not None and given.until_step >= len(tool.steps):
        last = len(tool.steps) - 1
        raise InvalidError(
            f"until_step {given.until_step}: the last step is {last}.", fields={"until_step": [f"At most {last}."]}
        )
    return _start(
        user,
        kind=Run.Kind.TOOL,
        name=name,
        revision=version.revision,
        environment=given.environment or "",
        inputs=given.params,
        options={"version": version.pk} | ({} if given.until_step is None else {"until_step": given.until_step}),
    )


def graph_run_start(user: Any, name: str, given: GraphRunBody) -> Run:
    """Starts a run of a stored graph.

    Args:
        user: Who starts it.
        name: The graph.
        given: Inputs, environment, which revision, and how it is debugged.

    Raises:
        NotFoundError: If there is no such graph, revision or environment.
        ForbiddenError: If the revision is not the published one and the user may not edit.
        InvalidError: If the definition has problems, an input is unknown or doesn't fit, a breakpoint can't be set, or
            the environment lacks names that the graph needs.
        ConflictError: If nothing is published and the user may not edit.
        TooManyError: If the user has too many runs under way.
    """
    version = GRAPHS.version_for_run(name, given.revision, may_edit=user.may("graphs.write"))
    definition = GRAPHS.require_sound(GRAPHS.check(version.text)).definition
    engine = shared_engine(version.text)
    allowed = {*(definition.get("inputs") or []), "messages"}
    unknown = [key for key in given.inputs if key not in allowed]
    if unknown:
        raise InvalidError(
            f"The graph asks for no {', '.join(unknown)}; it asks for {', '.join(sorted(allowed))}.",
            code="inputs",
            fields={f"inputs.{key}": ["There is no such input."] for key in unknown},
        )
    try:
        fold(engine.plan, given.inputs, ())
    except GraphError as error:
        raise InvalidError(str(error), code="inputs") from error
    breakpoints = [one.model_dump() for one in given.breakpoints]
    strange = [one["node"] for one in breakpoints if one["node"] not in engine.plan.nodes]
    if strange:
        raise InvalidError(f"There is no step {strange[0]!r} to set a breakpoint at.", code="breakpoints")
    try:
        Breakpoints(breakpoints)
    except BreakpointError as error:
        raise InvalidError(str(error), code="breakpoints") from error
    _check_environment(environment_names(definition, _tool_env), given.environment)
    return _start(
        user,
        kind=Run.Kind.GRAPH,
        name=GRAPHS.check_name(name),
        revision=version.revision,
        environment=given.environment or "",
        inputs=given.inputs,
        mode=given.mode,
        options={"version": version.pk} | ({"breakpoints": breakpoints} if breakpoints else {}),
    )


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
            status = Run.objects.filter(pk=run_id).values_list("status", flat=True).first()
            left = deadline - time.monotonic()
            if status is None or status in TERMINAL | RESTING or left <= 0:
                return run_get(run_id)
            _give_back_connection()
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
        changed = Run.objects.filter(pk=run_id, status__in=ACTIVE | RESTING).update(status=Status.STOPPING)
        if changed:
            audit(user.username, "run.cancel", str(run_id))
            transaction.on_commit(lambda: _stop(run_id))
    run = run_get(run_id)
    if not changed:
        raise ConflictError(f"This run has ended already: it is {run.status}.", code="ended", run_status=run.status)
    return run


def run_command(user: Any, run_id: UUID, command: str, arguments: dict[str, Any]) -> str:
    """Carries out a command of the socket or the API.

    Args:
        user: Who commands.
        run_id: The run.
        command: Its name.
        arguments: What it takes.

    Returns:
        The run's status as the command left it.

    Raises:
        InvalidError: If there is no such command for this run.
        ConflictError: If it can't be carried out now; the message says why.
    """
    require_storable(arguments, "command")
    if command == "cancel":
        return str(run_cancel(user, run_id).status)
    run = run_get(run_id)
    if run.kind != Run.Kind.GRAPH:
        raise InvalidError(f"A tool's run knows no command {command[:40]!r}; it knows cancel.")
    if run.status in TERMINAL:
        raise ConflictError(f"This run has ended already: it is {run.status}.", code="ended", run_status=run.status)
    if command != "answer" and run.mode != "debug":
        raise ConflictError("This run is not debugged. Start one in debug mode, or fork this one.", code="not_debugged")
    reply: Future[dict[str, Any]] = Future()
    host.command(run_id, RunCommand(command, arguments, reply))
    _give_back_connection()
    try:
        answer = reply.result(_REPLY_AT_MOST_S)
    except FutureTimeoutError as error:
        message = "The run did not take the command in time. Try again."
        if not reply.cancel():
            message = "The run took the command, but could not record it yet. Look at the run before you try again."
        raise ConflictError(message, code="no_reply") from error
    if not answer["ok"]:
        raise ConflictError(str(answer["error"]), code="refused")
    if command in ("answer", "change_output", "restore_step"):
        audit(user.username, f"run.{command}", str(run_id))
    return str(answer["status"])


def run_fork(user: Any, run_id: UUID, visit: str, *, mode: str = "run", revision: int | None = None) -> Run:
    """Starts a new run that goes on from before a visit of another one; the other stays as it is.

    Without a revision it repeats the recording: by the versions of its run, of nested graphs too. With one it goes on
    with what was mended: nested graphs are entered anew, in the versions that a new run would use; what those that had
    not ended did stays as far as nothing before it was mended. Either way tools are called as a new run would call
    them.

    Whoever may not edit thereby runs no version that they could not start, but for those that the recorded run used:
    what isn't published of a graph that isn't is entered as that run entered it, or not at all.

    Args:
        user: Who starts it.
        run_id: The run that is forked.
        visit: The visit before which the new run begins.
        mode: "run" or "debug".
        revision: The graph's version that goes on, after a step was mended; the forked run's unless given.

    Raises:
        NotFoundError: If there is no such revision.
        ForbiddenError: If the revision is not the published one and the user may not edit.
        InvalidError: If the run is no graph's, has no such visit, or what it did before doesn't lead to the visit in
            that revision.
        ConflictError: If the graph was deleted.
    """
    parent = run_get(run_id)
    if parent.kind != Run.Kind.GRAPH:
        raise InvalidError("Only runs of graphs can be forked.")
    version = version_of(parent)
    events = journal_until(parent.pk, parent.last_seq)
    try:
        standing = standing_before(shared_engine(version.text), parent.inputs, events, visit)
    except VisitError as error:
        raise InvalidError(str(error), code="visit", fields={"visit": [str(error)]}) from error
    fork: dict[str, Any] = {"visit": visit, "at_seq": parent.last_seq}
    options: dict[str, Any] = {"fork": fork}
    if revision is None:
        options[ENTERED["graph"]] = parent.options.get(ENTERED["graph"]) or {}
        begins = unbegun(parent) or {}
        if begins.get("visit") == visit and "kept" in begins:
            fork["kept"] = begins["kept"]
        if not user.may("graphs.write") and version.revision != GRAPHS.get(parent.name).published_revision:
            options |= as_recorded(parent)
    else:
        graph = GRAPHS.version_for_run(parent.name, revision, may_edit=user.may("graphs.write"))
        GRAPHS.require_sound(GRAPHS.check(graph.text))
        if graph.pk != version.pk:
            require_fit(graph, parent, events, visit, standing)
        options[ENTERED["graph"]] = entered_now(parent)
        fork["kept"] = kept_of(parent, (version, graph), options[ENTERED["graph"]], standing, events)
        version = graph
    options["version"] = version.pk
    if mode == "debug" and parent.options.get("breakpoints"):
        options["breakpoints"] = parent.options["breakpoints"]
    return _start(
        user,
        kind=Run.Kind.GRAPH,
        name=parent.name,
        revision=version.revision,
        environment=parent.environment,
        inputs=parent.inputs,
        mode=mode,
        parent=parent,
        options=options,
    )


def run_retry(user: Any, run_id: UUID) -> Run:
    """Starts a run again: a graph's from where it failed, a tool's from its beginning.

    Raises:
        ConflictError: If the run has not failed or been stopped, or what it ran was deleted.
    """
    run = run_get(run_id)
    if run.status not in (Status.FAILED, Status.CANCELLED):
        raise ConflictError(f"Only a run that failed or was stopped can be tried again; this one is {run.status}.")
    version = version_of(run)
    if run.kind == Run.Kind.TOOL:
        return _start(
            user,
            kind=run.kind,
            name=run.name,
            revision=run.revision,
            environment=run.environment,
            inputs=run.inputs,
            options={**run.options, "version": version.pk},
            parent=run,
        )
    begins = unbegun(run)
    if begins is not None:  # where its parent stood in the end is not where it was to begin
        return run_fork(user, run_id, begins["visit"])
    standing = fold(shared_engine(version.text).plan, run.inputs, journal_until(run.pk, run.last_seq))
    if not standing.ledger.open:
        raise ConflictError("Nothing of this run is left to be tried again.")
    return run_fork(user, run_id, standing.ledger.open[0].number)


def _start(user: Any, **columns: Any) -> Run:
    _check_limit(user)
    with transaction.atomic():
        run = Run.objects.create(user=user, **columns)
        transaction.on_commit(lambda: host.start(run.pk))
    return run


def _give_back_connection() -> None:
    """Gives the thread's connection back before it waits: it would be missing in the pool meanwhile."""
    if not connection.in_atomic_block:
        connection.close()


def _stop(run_id: UUID) -> None:
    host.start(run_id)  # takes it up where nobody does, to end it
    host.cancel(run_id)


def _tool_env(name: str) -> Iterable[str]:
    try:
        return read_tool(TOOLS.version_for_run(name, None, may_edit=True).yaml).env
    except (NotFoundError, InvalidError):
        return ()  # the run says so, at the step


def _check_environment(needed: Iterable[str], environment: str | None) -> None:
    if environment:
        environment_get(environment)
    missing = environment_lacks(environment, needed)
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
