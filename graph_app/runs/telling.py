"""Telling the journal what happens in a session, nested graphs included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graph_app.calls.nested import NestedQuestion
from graph_app.calls.places import visit_name
from graph_app.calls.services import CallServices
from graph_app.engine import Route
from graph_app.engine.streaming import Event
from graph_app.runs.chunks import Chunks
from graph_app.runs.ledger import Ledger, OpenVisit
from graph_app.runs.outcome import Question, Sink
from graph_app.runs.states import plain, plain_delta

_ENDS = frozenset({"node.finished", "node.failed", "node.skipped"})


class Teller:
    """Tells a sink.

    Attributes:
        sink: Takes the events.
        started: Visits that were told to have started; they are told once, also after a restart.
    """

    def __init__(self, sink: Sink, services: CallServices, ledger: Ledger, started: set[str]) -> None:
        """Tells nothing yet.

        Args:
            sink: Takes the events.
            services: Knows the run's secrets.
            ledger: Knows the visits' numbers.
            started: Visits that were told to have started before.
        """
        self.sink = sink
        self.started = started
        self._services = services
        self._ledger = ledger
        self._chunks = Chunks(self._emit_chunk)

    def close(self) -> None:
        """Tells what is left of texts that were put together."""
        self._chunks.close()

    def say(self, kind: str, data: dict[str, Any]) -> None:
        """Tells something about the run."""
        self.sink.emit(kind, data)

    def begin(self, visit: OpenVisit) -> None:
        """Tells that a visit starts, and from which visits it follows, unless that was told before."""
        if visit.number not in self.started:
            self.started.add(visit.number)
            self.sink.emit("node.started", self._ledger.origin(visit.number), node=visit.node, visit=visit.number)

    def flush(self, visit: str) -> None:
        """Tells what is left of a visit's text."""
        self._chunks.flush(visit)

    def finished(
        self,
        node: str,
        visit: str,
        delta: Any,
        output: Any,
        routes: Sequence[Route],
        path: Sequence[str] = (),
        held: Sequence[str] = (),
    ) -> None:
        """Tells that a visit finished, which edges are taken, and which visits after it a breakpoint holds.

        A route over a filter carries the state that the filter made: neither pages nor recovery have to ask it again.
        """
        data: dict[str, Any] = {"delta": plain_delta(delta)}
        if output is not None:
            data["output"] = plain(output)
        data["routes"] = told_routes(routes)
        if held:
            data["held"] = list(held)
        data.update(self._account(visit))
        self.sink.emit("node.finished", data, node=node, visit=visit, path=path)
        for route in routes:
            edge = {"source": node, "target": route.target, "edge": route.edge}
            self.sink.emit("edge.taken", edge, node=node, visit=visit, path=path)

    def failed(self, visit: OpenVisit, error: BaseException) -> None:
        """Tells that a visit failed."""
        self._chunks.flush(visit.number)
        data = {"error": self.error(visit, error), **self._account(visit.number)}
        self.sink.emit("node.failed", data, node=visit.node, visit=visit.number)
        self.started.discard(visit.number)

    def stopped(self, visit: OpenVisit) -> None:
        """Tells that a visit was stopped since another one failed."""
        data = {"reason": "stopped", **self._account(visit.number)}
        self.sink.emit("node.skipped", data, node=visit.node, visit=visit.number)

    def asked(self, question: Question, path: Sequence[str]) -> None:
        """Tells that a person is asked."""
        shown = plain(question.question)
        shown = {k: v for k, v in shown.items() if k != "path"} if isinstance(shown, dict) else shown
        self.sink.emit("node.waiting", {"question": shown}, node=question.node, visit=question.visit, path=path)

    def error(self, visit: OpenVisit, error: BaseException) -> dict[str, Any]:
        """Returns an error as the journal tells it."""
        kind = getattr(error, "kind", None) or ("time_out" if isinstance(error, TimeoutError) else "node")
        message = self._services.redactor.text(str(error) or type(error).__name__)
        return {"kind": str(kind), "message": message, "step": None, "node": visit.node}

    def hear(self, event: Event) -> None:
        """Takes what nodes say while they run, and everything that happens in nested graphs."""
        if event.visit is None:
            self.sink.emit(event.type, plain(event.data), node=event.node, path=event.path)
            return
        name = visit_name(self._ledger.number, event.path, event.within, int(event.visit))
        if event.type == "node.output":
            self._chunks.add(name, event.node or "", event.path, str(event.data["chunk"]))
            return
        self._chunks.flush(name)
        if event.type == "node.started":
            if name in self.started:
                return
            self.started.add(name)
        if event.type == "node.waiting":
            return  # asked when the enclosing visit is left
        known = event.data
        if "routes" in known:
            known = {**known, "routes": told_routes(known["routes"])}
        data = plain({key: value for key, value in known.items() if key != "state"})
        if event.type == "node.failed":
            told = {"kind": "node", "message": data.get("error"), "step": None, "node": event.node}
            data = {"error": {**told, "graph": self._services.inside.get(name.rpartition("/")[0])}}
            self.started.discard(name)
        if event.type in _ENDS:
            data = {**data, **self._account(name)}
        self.sink.emit(event.type, data, node=event.node, visit=name, path=event.path)

    def _account(self, visit: str) -> dict[str, Any]:
        """Returns what a visit that ends was called with and asked of models, as far as it says so."""
        accounts = self._services.accounts
        told: dict[str, Any] = plain(accounts.pop(visit, {})) if accounts else {}
        return told

    def _emit_chunk(self, visit: str, node: str, path: Sequence[str], text: str) -> None:
        self.sink.emit("node.output", {"chunk": text}, node=node, visit=visit, path=path)


def nested_question(one: NestedQuestion) -> Question:
    """Returns a nested graph's question as the session keeps it: with the path, for the journal."""
    question = {**one.question, "path": one.path} if isinstance(one.question, Mapping) else one.question
    return Question(one.visit, one.node, question)


def told_routes(routes: Sequence[Route]) -> list[list[Any]]:
    """Returns edges as the journal tells them: place, target, and the whole state where a filter made one."""
    return [[r.edge, r.target] if r.state is None else [r.edge, r.target, plain_delta(r.state)] for r in routes]
