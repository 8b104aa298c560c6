"""The part of the debugger that runs nothing: what can be looked at, breakpoints, and the session's file."""

from __future__ import annotations

from typing import Any

from pydantic import PrivateAttr

from graph_app.engine.debugger_core import Core
from graph_app.engine.debugger_storage import Storage
from graph_app.engine.debugger_trace import TraceTree, TraceVisit
from graph_app.engine.engine import GraphEngine


class DebuggerView(GraphEngine):
    """Shows a debug session, keeps its breakpoints and its file.

    Args:
        db_file_path: The file in which the session is kept; each step is written before the call returns.
        db_name: The session's name in that file.
    """

    db_file_path: str = ".state_storage.db"
    db_name: str = "graph state"

    _core: Core = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Prepare a session without a run."""
        super().model_post_init(context)
        self._core = Core(self, self._make_plan(end_visits=True))

    @property
    def tree(self) -> TraceTree:
        """The trace: all visits of the session."""
        return self._core.session.trace

    @property
    def _trace_tree(self) -> TraceTree:
        return self._core.session.trace

    def leaves(self) -> list[TraceVisit]:
        """Return the visits that can run next, and the joins that wait."""
        return self._core.session.trace.leaves()

    def leaf(self, node_name: str) -> TraceVisit:
        """Return the leaf of a node.

        Raises:
            DebuggerError: The node has none.
        """
        return self._core.session.trace.leaf(node_name)

    def visit(self, uuid: str) -> TraceVisit:
        """Return a visit.

        Raises:
            DebuggerError: There is no such visit.
        """
        return self._core.session.trace.find(uuid)

    @property
    def turns(self) -> int:
        """Node calls that count against ``max_turn`` so far."""
        return self._core.session.frontier.turns

    def set_breakpoint(
        self, node_name_bp: str | None = None, condition_bp: Any = None, condition: Any = None, on: str = "enter"
    ) -> None:
        """Stop at a node.

        Args:
            node_name_bp: The node; ``end`` too.
            condition_bp: The same as ``condition``.
            condition: An expression, or a function of the state; stops only where it is true.
            on: ``enter`` stops before the node, ``leave`` after it.

        Raises:
            DebuggerError: There is no such node, or the condition is none.
        """
        self._core.breakpoints.set(node_name_bp, condition_bp if condition is None else condition, on)
        self._note_breakpoints()

    def clear_breakpoint(
        self, node_name_bp: str | None = None, condition_bp: Any = None, condition: Any = None, on: str | None = None
    ) -> None:
        """Stop at a node no longer; it need not have a breakpoint.

        Args:
            node_name_bp: The node.
            condition_bp: Not needed; a breakpoint goes with its condition.
            condition: Not needed either.
            on: ``enter`` or ``leave``; both unless given.

        Raises:
            DebuggerError: There is no such node.
        """
        self._core.breakpoints.clear(node_name_bp, on)
        self._note_breakpoints()

    def clear_all_breakpoint(self) -> None:
        """Stop at no node any longer."""
        self._core.breakpoints.clear_all()
        self._note_breakpoints()

    def _note_breakpoints(self) -> None:
        session = self._core.session
        if session.storage is not None and session.started:
            session.storage.note(session.number, "breakpoints", self._core.breakpoints.dump())

    def save_status_to_db(self) -> None:
        """Write the session to its file; each step is written anyway.

        Raises:
            DatabaseLockedError: Another process debugs on the file.
        """
        self._core.check_started()
        if self._core.session.storage is None:
            self._core.session.name = self.db_name
            self._core.session.use(Storage.open(self.db_file_path))
        self._core.session.save()
        self._note_breakpoints()

    def load_status_from_db(self) -> None:
        """Take the session up as its file has it: visits, joins and breakpoints.

        Raises:
            DatabaseLockedError: Another process debugs on the file.
            DebuggerError: The file has no such session, or one of another graph.
        """
        self._core.check_idle()
        session = self._core.new_session()
        session.name = self.db_name
        session.use(self._core.session.storage or Storage.open(self.db_file_path))
        self._core.session.storage = session.storage
        meta = session.load()
        self._core.session = session
        self._drop_children()
        self._core.breakpoints.load(meta.get("breakpoints", []))

    def close(self) -> None:
        """Give up the file's lock, unless another debugger of this process uses it."""
        self._drop_children()
        storage = self._core.session.storage
        if storage is not None:
            self._core.session.storage = None
            storage.release()

    def _drop_children(self) -> None:
        while self._core.children:
            self._core.children.popitem()[1].close()
