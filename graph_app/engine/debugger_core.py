"""What all parts of a debugger share: the session, who listens, what stops it, and which command is under way."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any

from graph_app.engine.breakpoints import Breakpoints
from graph_app.engine.debugger_session import Session
from graph_app.engine.debugger_trace import FAILED, READY, WAITING, TraceVisit
from graph_app.engine.errors import DebuggerError, GraphRunError
from graph_app.engine.plan import Plan
from graph_app.engine.streaming import Event

if TYPE_CHECKING:
    from graph_app.engine.debugger import GraphEngineDebugger
    from graph_app.engine.engine import GraphEngine


class Core:
    """The shared part of one debugger.

    Args:
        debugger: The debugger.
        plan: Its graph, whose end is a visit.

    Attributes:
        session: The session.
        breakpoints: Where it stops.
        children: Debuggers of nested graphs that were stepped into, by visit.
        listeners: Who hears what happens.
        path: The enclosing nodes.
        run_id: The run's id.
        busy: Whether a command is being carried out.
        pausing: Whether no further visit is to start.
        clock: Tells the time, in seconds.
        finish_child: Runs a nested graph that was stepped into to its end.
    """

    finish_child: Callable[[TraceVisit], Awaitable[dict[str, Any] | None]]

    def __init__(self, debugger: GraphEngine, plan: Plan) -> None:
        self.plan = plan
        self.isolate = debugger.isolate
        self.timeout = debugger.timeout
        self.run_timeout = debugger.run_timeout
        self.breakpoints = Breakpoints(debugger.nodes)
        self.children: dict[str, GraphEngineDebugger] = {}
        self.listeners: list[Callable[[Event], None]] = []
        self.path: tuple[str, ...] = ()
        self.run_id: str | None = None
        self.busy = False
        self.pausing = False
        self.clock: Callable[[], float] = time.time
        self.session = self.new_session()

    def new_session(self) -> Session:
        """Return a session that has not started."""
        return Session(self.plan, lambda: self.clock())  # noqa: PLW0108 - the clock may be replaced later

    def may_run(self, visit: TraceVisit) -> bool:
        """Tell whether a visit runs by itself: nothing stops it.

        Raises:
            DebuggerError: A breakpoint's condition failed.
        """
        if self.pausing or visit.held or (visit.status == WAITING and visit.uuid not in self.children):
            return False
        return not (self.breakpoints and self.breakpoints.hit(visit.node_name, "enter", visit))

    def check_started(self) -> None:
        """Check that there is a session.

        Raises:
            DebuggerError: There is none.
        """
        if not self.session.started:
            raise DebuggerError("nothing was started; debug() starts a session")

    def check_idle(self) -> None:
        """Check that no command is being carried out.

        Raises:
            DebuggerError: One is.
        """
        if self.busy:
            raise DebuggerError("the debugger is running")

    @contextlib.asynccontextmanager
    async def command(self, what: str) -> AsyncIterator[None]:
        """Carry out one command, and no other meanwhile.

        Raises:
            DebuggerError: Another one is being carried out.
        """
        if self.busy:
            raise DebuggerError(f"{what} has to wait: the debugger is running")
        self.busy = True
        self.pausing = False
        try:
            yield
        except BaseException as error:
            for visit in self.session.running():
                visit.status = READY
            if isinstance(error, Exception) and not isinstance(error, DebuggerError):
                self.tell_stopped("exception", error)
            raise
        finally:
            self.busy = False

    def stopped(self, reason: str) -> Any:
        """Return the result if the run is over; else tell that it stopped, and return nothing.

        Raises:
            GraphRunError: It is over without a result: a join still waits.
        """
        session = self.session
        frontier = session.frontier
        if not frontier.finished:
            self.tell_stopped(reason)
            return None
        try:
            outcome = frontier.outcome()
        except GraphRunError as error:
            session.note_on(error)
            self.tell("run.failed", error.node, None, {"error": str(error), "kind": type(error).__name__}, error)
            raise
        if frontier.limited:
            limit = self.plan.max_turn
            self.tell("warning", data={"message": f"max_turn of {limit} was reached", "max_turn": limit})
        result = self.plan.schema.present(dict(outcome.peek()), True)
        self.tell("run.finished", data={"output": result})
        return result

    def tell(
        self,
        kind: str,
        node: str | None = None,
        visit: str | None = None,
        data: dict[str, Any] | None = None,
        error: BaseException | None = None,
    ) -> None:
        """Tell whoever listens that something happened."""
        for emit in self.listeners:
            emit(Event(kind, self.run_id or "", self.path, node, visit, (), {} if data is None else data, error))

    def tell_stopped(self, reason: str, error: BaseException | None = None) -> None:
        """Tell that it stopped, before which visits, and what the visits before them changed."""
        if not self.listeners:
            return
        leaves = list(self.session.trace.open.values())
        if reason != "step" and any(leaf.status == FAILED for leaf in leaves):
            reason = "exception"
        visits: list[dict[str, Any]] = []
        for leaf in leaves:
            written = dict.fromkeys(name for parent in leaf.above for name in parent.delta or ())
            assert leaf.visit is not None
            values = leaf.visit.lineage.peek()
            difference = {name: values[name] for name in written if name in values}
            visits.append({"node": leaf.node, "visit": leaf.uuid, "difference": difference})
        shown = [leaf for leaf in leaves if leaf.status == FAILED] if reason == "exception" else leaves
        node, visit = (shown[0].node, shown[0].uuid) if len(shown) == 1 else (None, None)
        changed = {name: value for one in visits for name, value in one["difference"].items()}
        self.tell("stopped", node, visit, {"reason": reason, "visits": visits, "difference": changed}, error)
