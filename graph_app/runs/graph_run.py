"""Runs a stored graph: from the journal, through a session, into the journal.

A run that waits for a person or is paused is only rows. A command takes it up again: the journal is folded, the
command carried out, and the session goes on.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import InterfaceError, OperationalError

from graph_app.calls import CallError, CallServices, Provider, shared_engine
from graph_app.engine import GraphEngine
from graph_app.graphs import GRAPHS
from graph_app.models import RESTING, Run, RunEvent, RunValue, Status
from graph_app.providers import stored_providers
from graph_app.runs.assembly import call_services
from graph_app.runs.breakpoints import Breakpoints, listed
from graph_app.runs.commands import RunCommand, Told, carry_out, refusal
from graph_app.runs.driver import InThread, Outside
from graph_app.runs.ending import RELEASED, RunEnds
from graph_app.runs.events import whole_event
from graph_app.runs.fold import Standing, fold
from graph_app.runs.journal import LeaseLostError, RunJournal
from graph_app.runs.outcome import CommandError, Outcome
from graph_app.runs.session import Session
from graph_app.runs.versions import ENTERED, PUBLISHED_ONLY, as_kept, nested_version, version_of
from toolkit_app.documents import DocumentKind
from toolkit_app.engine import EgressPolicy, ToolDefinition
from toolkit_app.environments import EnvironmentValues, environment_values
from toolkit_app.errors import ServiceError
from toolkit_app.network import egress_policy
from toolkit_app.tools import TOOLS, read_tool


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What a run needs from the database."""

    text: str
    values: EnvironmentValues
    tools: EgressPolicy
    models: EgressPolicy
    providers: list[Provider]
    events: list[dict[str, Any]]
    fork_visit: str | None


class GraphRun:
    """One taking-up of a run of a graph."""

    def __init__(self, run: Run, journal: RunJournal, ends: RunEnds, outside: Outside, in_thread: InThread) -> None:
        """Prepares.

        Args:
            run: The run's row.
            journal: Takes the events.
            ends: Writes the first and the last event.
            outside: Reaches the outside.
            in_thread: Runs what reads the database in a thread.
        """
        self._run = run
        self._journal = journal
        self._ends = ends
        self._outside = outside
        self._in_thread = in_thread
        self._before = run.options
        self.session: Session | None = None

    async def run(self, command: RunCommand | None = None) -> None:
        """Runs until the graph ends, waits for a person or is paused.

        Args:
            command: What to do first.
        """
        try:
            session = await self._taken_up(command)
        except (LeaseLostError, OperationalError, InterfaceError):
            raise
        except Exception as error:
            if command is None or self._run.status not in RESTING:
                raise
            await self._rests_on(command, error)
            return
        if session is None:
            return
        self.session = session  # from here on commands come to it
        try:
            if command is not None and self._run.status not in RESTING:  # it was cut off, and goes on anyway
                await self.command(command)
            outcome = await session.run()
        finally:
            self.session = None  # commands from now on take the run up again
        self._end(session, outcome)

    async def command(self, command: RunCommand) -> None:
        """Carries a command out in the session that is under way."""
        if self.session is None:
            command.refuse("The run is just being taken up. Try again in a moment.")
            return
        try:
            told = carry_out(self.session, command)
        except CommandError as error:
            command.refuse(str(error))
            return
        self._emit(told)
        self._keep_breakpoints(self.session)
        self._keep_standing(self.session)
        await self._journal.settled()
        command.accept(status=Status.RUNNING.value)

    async def _taken_up(self, command: RunCommand | None) -> Session | None:
        """Returns the session that goes on; none where the command that came to a resting run leaves it at rest."""
        prepared: _Prepared = await self._in_thread(lambda: _prepare(self._run))
        services = self._services(prepared)
        self._journal.redactor = services.redactor
        engine = shared_engine(prepared.text)
        # A long journal takes seconds: everybody else's requests go on meanwhile.
        standing = await asyncio.to_thread(fold, engine.plan, self._run.inputs, prepared.events)
        fresh = self._run.last_seq == 0
        if fresh and prepared.fork_visit is not None:
            standing.started.clear()
            _fork(standing, prepared.fork_visit)
            if (kept := self._run.options["fork"].get("kept")) is not None:
                standing.enter_anew(kept)
        services.recorded = standing.recorded
        session = self._session(engine, services, standing)
        if command is not None and self._run.status in RESTING:
            return session if await self._first_command(session, command) else None
        if fresh:
            self._ends.started(**self._origin())
            if prepared.fork_visit is not None:
                self._fork_begins(session)
        await session.ask_again()
        if not fresh:
            self._ends.started()
            session.hold_interrupted()
            session.answer_again(self._run.options.get("early") or {})
        return session

    async def _first_command(self, session: Session, command: RunCommand) -> bool:
        """Carries out the command for which a resting run was taken up; returns whether the run goes on.

        Nothing is told before it is known that it was carried out.

        Raises:
            CommandError: If it was not, or what is nested in the run can't be taken up.
        """
        goes_on = False
        try:
            session.sink = asked = Told()
            fault = await session.ask_again()
            if fault is not None:
                raise CommandError(refusal(fault)) from fault
            session.sink = self._journal
            told = carry_out(session, command)
            goes_on = command.name in ("resume", "step_over", "run_to", "answer")
        finally:
            if not goes_on:
                session.sink = Told()
                await session.stop()
        self._emit(asked)
        self._keep_breakpoints(session)
        self._keep_standing(session)
        if goes_on:  # stands before what the command did
            where = {"node": command.arguments["node"]} if command.name == "run_to" else {}
            self._journal.emit("run.resumed", {"reason": command.name, **where}, changes={"status": Status.RUNNING})
        self._emit(told)
        status = Status.RUNNING if goes_on else Status.PAUSED if session.held else Status.WAITING
        if not goes_on:
            self._journal.note({**RELEASED, "status": status}, last=True)
        await self._journal.settled()  # whoever reads the run after the reply sees what the command did
        command.accept(status=status.value)
        return goes_on

    async def _rests_on(self, command: RunCommand, error: Exception) -> None:
        """Leaves a resting run as it stood, and says why the command was not carried out."""
        self._journal.note({**RELEASED, "status": self._run.status, "options": self._before}, last=True)
        await self._journal.settled()
        command.refuse(refusal(error))

    def _emit(self, told: Told) -> None:
        for kind, data, place in told.events:
            self._journal.emit(kind, data, **place)

    def _end(self, session: Session, outcome: Outcome) -> None:
        match outcome.status:
            case "finished":
                self._ends.finished(outcome.state)
            case "failed":
                self._ends.failed(outcome.error or {}, outcome.state)
            case "waiting":
                self._journal.note({**RELEASED, "status": Status.WAITING}, last=True)
            case "paused":
                visits = [{"node": one.node, "visit": one.number} for one in outcome.visits]
                reasons = [session.held[one.number] for one in outcome.visits]
                first = next((r for r in ("exception", "breakpoint", "goto", "step") if r in reasons), "pause")
                data = {"reason": first, "visits": visits}
                self._journal.emit("run.paused", data, changes={**RELEASED, "status": Status.PAUSED}, last=True)

    def _fork_begins(self, session: Session) -> None:
        """A fork starts paused before its visit, and goes on by itself unless it is debugged."""
        visits = [
            {"node": one.node, "visit": one.number} for one in session.ledger.open if one.number not in session.waiting
        ]
        session.held = {one["visit"]: "step" for one in visits}
        lost = {"lost": session.ledger.lost} if session.ledger.lost else {}
        self._journal.emit("debug.restored", {"visit": self._run.options["fork"]["visit"], "visits": visits, **lost})
        if not session.debug:
            session.held.clear()

    def _session(self, engine: GraphEngine, services: CallServices, standing: Standing) -> Session:
        return Session(
            engine,
            services,
            standing.ledger,
            self._journal,
            debug=self._run.mode == "debug",
            breakpoints=Breakpoints(self._run.options.get("breakpoints")),
            waiting=standing.waiting,
            held=standing.held,
            started=standing.started,
            stepping=standing.stepping and self._run.mode == "debug",
            run_to=standing.run_to,
            pausing=bool(self._run.options.get("pausing")) and self._run.mode == "debug",
        )

    def _services(self, prepared: _Prepared) -> CallServices:
        run = self._run
        return call_services(
            prepared.values,
            runner=self._outside.runner(prepared.tools),
            door=self._outside.door(prepared.models),
            providers=prepared.providers,
            tool=self._tool,
            graph=self._graph,
            run_id=run.pk,
            user_id=run.user.get_username() if run.user else "",
            graph_name=run.name,
        )

    async def _tool(self, name: str) -> ToolDefinition:
        return read_tool((await self._entered(TOOLS, name)).yaml)

    async def _graph(self, name: str) -> str:
        return str((await self._entered(GRAPHS, name)).text)

    async def _entered(self, kind: DocumentKind, name: str) -> Any:
        """Finds what is nested in the run: at all its visits, and after every rest, the version first found."""
        option = ENTERED[kind.noun]
        known: dict[str, Any] = self._run.options.get(option) or {}
        kept = known.get(name)
        published_only = bool(self._run.options.get(PUBLISHED_ONLY))
        version = await self._found(lambda: nested_version(kind, name, kept, published_only=published_only))
        known = self._run.options.get(option) or {}
        if kept is None and name in known:  # another visit found it meanwhile, and maybe another version
            return await self._entered(kind, name)
        if kept is None:
            self._run.options = {**self._run.options, option: {**known, name: as_kept(version)}}
            self._journal.note({"options": self._run.options})
        return version

    async def _found(self, find: Callable[[], Any]) -> Any:
        try:
            return await self._in_thread(find)
        except ServiceError as error:
            raise CallError(error.detail) from error

    def _origin(self) -> dict[str, Any]:
        fork = self._run.options.get("fork")
        told: dict[str, Any] = {} if not fork else {"parent": str(self._run.parent_id), "at_seq": fork["at_seq"]}
        if fork and "kept" in fork:
            told["kept"] = fork["kept"]
        if self._run.mode == "debug":
            told["breakpoints"] = listed(self._run.options.get("breakpoints"))
        return told

    def _keep_breakpoints(self, session: Session) -> None:
        """Keeps what is set now with the run, and tells everybody who looks at it."""
        kept = session.breakpoints.as_list()
        if session.debug and kept != listed(self._run.options.get("breakpoints")):
            self._run.options = {**self._run.options, "breakpoints": kept}
            self._journal.emit("debug.changed", {"breakpoints": kept}, changes={"options": self._run.options})

    def _keep_standing(self, session: Session) -> None:
        """Keeps what the journal doesn't tell and a run that is cut off needs: a pause, and answers not taken yet."""
        options, stands = self._run.options, {"pausing": session.debug and session.pausing, "early": session.early}
        if any((options.get(name) or None) != (one or None) for name, one in stands.items()):
            self._run.options = {**options, **stands}
            self._journal.note({"options": self._run.options})


def _fork(standing: Standing, visit: str) -> None:
    """Goes back to before a visit; one that is still open stays as it is."""
    if all(one.number != visit for one in standing.ledger.open):
        standing.ledger.restore(visit)
        standing.keep_open()
    standing.ask_again()


def _prepare(run: Run) -> _Prepared:
    version = version_of(run)
    fork = run.options.get("fork")
    inherited = journal_until(run.parent_id, fork["at_seq"]) if fork and run.parent_id else []
    return _Prepared(
        version.text,
        environment_values(run.environment or None),
        egress_policy("tools"),
        egress_policy("models"),
        stored_providers(),
        [*inherited, *journal_until(run.pk, None)],
        fork["visit"] if fork else None,
    )


def journal_until(run_id: Any, seq: int | None) -> list[dict[str, Any]]:
    """Reads a run's journal with its ancestors' before it, whole values put back.

    Args:
        run_id: The run.
        seq: Number of the last event; to the end unless given.
    """
    run = Run.objects.get(pk=run_id)
    events = RunEvent.objects.filter(run_id=run_id).order_by("seq")
    if seq is not None:
        events = events.filter(seq__lte=seq)
    values = dict(RunValue.objects.filter(run_id=run_id).values_list("key", "text"))
    own = [whole_event(json.loads(text), values) for text in events.values_list("event", flat=True)]
    fork = run.options.get("fork")
    if seq is not None and fork and run.parent_id:
        return [*journal_until(run.parent_id, fork["at_seq"]), *own]
    return own
