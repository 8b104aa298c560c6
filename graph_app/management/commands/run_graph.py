"""`manage.py run_graph FILE|NAME`: runs a graph and prints its result, or its journal."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
import uuid
from collections.abc import Sequence
from typing import Any

from asgiref.sync import sync_to_async
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from graph_app.calls import CallServices, load_builder
from graph_app.calls.references import environment_names
from graph_app.engine import GraphDocument, GraphDocumentError, GraphEngine, GraphError
from graph_app.runs.assembly import call_services
from graph_app.runs.events import dump, event_text
from graph_app.runs.fold import fold
from graph_app.runs.folder import Folder
from graph_app.runs.outcome import CommandError as SessionCommandError
from graph_app.runs.outcome import Outcome, Question
from graph_app.runs.session import Session
from toolkit_app import sandbox
from toolkit_app.engine import Door, EgressPolicy, ToolRunner
from toolkit_app.environments import environment_values
from toolkit_app.errors import ServiceError
from toolkit_app.management.commands.run_tool import names_file, pairs, require_entries
from toolkit_app.network import egress_policy
from toolkit_app.vault import VaultError


class Command(BaseCommand):
    """Runs a graph from a file, or a stored one by name."""

    help = "Runs a graph: prints its final state as JSON and exits 0, or the error on standard error and exits 1."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own declaration

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("graph", metavar="FILE|NAME", help="a YAML or JSON file, or the name of a stored graph")
        parser.add_argument("--input", action="append", default=[], metavar="K=V", help="an input; may be repeated")
        parser.add_argument("--env", action="append", default=[], metavar="K=V", help="an environment entry")
        parser.add_argument("--environment", metavar="NAME", help="a stored environment; --env goes before it")
        parser.add_argument("--allow-private", action="store_true", help="lets the graph reach private addresses")
        parser.add_argument("--events", action="store_true", help="prints the journal as JSON lines, live")

    def handle(self, *, graph: str, allow_private: bool, environment: str | None, events: bool, **given: Any) -> None:
        env = pairs(given["env"], "--env")
        folder = Folder.of(graph)
        try:
            text = folder.document(graph)
            values = environment_values(environment)
            models, tools = _policies(allow_private=allow_private, needs_database=bool(environment))
            providers = folder.providers()
        except (ServiceError, VaultError) as error:
            raise CommandError(getattr(error, "detail", str(error))) from error
        except DatabaseError as error:
            raise CommandError(f"The database can't be read ({error}). Start the server once: make run.") from error

        async def run() -> int:
            async with ToolRunner(egress=tools) as runner, Door(models) as door:
                services = call_services(
                    values,
                    runner=runner,
                    door=door,
                    providers=providers,
                    tool=folder.tool,
                    graph=folder.graph,
                    run_id=uuid.uuid4(),
                    user_id="command line",
                    extra_env=env,
                )
                engine = _engine(text, services, graph)
                services.graph_name = engine.document.name
                if environment or not names_file(graph):
                    needed = await sync_to_async(environment_names)(engine.document.definition, folder.tool_env)
                    require_entries(needed, services.env, environment)
                return await self._run(engine.engine, services, _inputs(engine.engine, given["input"]), events=events)

        code = asyncio.run(run())
        if code:
            sys.exit(code)

    async def _run(self, engine: GraphEngine, services: CallServices, inputs: dict[str, Any], *, events: bool) -> int:
        began = time.monotonic()
        sink = _Lines(self.stdout if events else None, services)
        try:
            standing = fold(engine.plan, inputs, ())
        except GraphError as error:
            self.stderr.write(services.redactor.text(str(error)))
            return 1
        sink.emit("run.started", {"kind": "graph", "name": services.graph_name, "inputs": inputs})
        session = Session(engine, services, standing.ledger, sink)
        outcome = await session.run()
        while outcome.status == "waiting":
            if not sys.stdin.isatty():
                asked = "; ".join(_shown(question) for question in outcome.questions)
                self.stderr.write(f"The graph waits for a person, and there is no terminal to ask on: {asked}")
                return 1
            self._ask(session, outcome.questions[0])
            outcome = await session.run()
        return self._end(outcome, sink, round((time.monotonic() - began) * 1000, 1), services, events=events)

    def _end(self, outcome: Outcome, sink: _Lines, duration_ms: float, services: CallServices, *, events: bool) -> int:
        output = services.redactor.value(outcome.state)
        if outcome.status == "finished":
            sink.emit("run.finished", {"output": output, "duration_ms": duration_ms})
            if not events:
                self.stdout.write(dump(output))
            return 0
        error = outcome.error or {}
        sink.emit("run.failed", {"error": error, "output": output, "duration_ms": duration_ms})
        self.stderr.write(str(error.get("message")))
        return 1

    def _ask(self, session: Session, question: Question) -> None:
        while True:
            self.stderr.write(_shown(question))
            try:
                session.answer(question.visit, _answer(question, input("> ")))
                return
            except SessionCommandError as error:
                self.stderr.write(str(error))
            except EOFError as error:
                raise CommandError("No answer came.") from error


class _Lines:
    """A sink that prints events as JSON lines."""

    def __init__(self, out: Any, services: CallServices) -> None:
        self._out = out
        self._services = services
        self._seq = 0

    def emit(
        self,
        kind: str,
        data: dict[str, Any],
        *,
        node: str | None = None,
        visit: str | None = None,
        path: Sequence[str] = (),
    ) -> None:
        self._seq += 1
        if self._out is not None:
            redactor = self._services.redactor
            event = event_text(self._seq, kind, data, redactor=redactor, node=node, visit=visit, path=path, cut=False)
            self._out.write(event.text)
            self._out.flush()

    async def room(self) -> None:
        return


class _Built:
    def __init__(self, engine: GraphEngine, document: GraphDocument) -> None:
        self.engine = engine
        self.document = document


def _engine(text: str, services: CallServices, source: str) -> _Built:
    try:
        builder = load_builder(text, services)
        return _Built(builder.build(isolate=False), builder.document)
    except GraphDocumentError as error:
        lines = [f"{source}:{problem.line or 1}: {problem.place}: {problem.message}" for problem in error.problems]
        raise CommandError("\n".join(lines) or str(error)) from error
    except GraphError as error:
        raise CommandError(f"{source}: {error}") from error


def _policies(*, allow_private: bool, needs_database: bool) -> tuple[EgressPolicy, EgressPolicy]:
    """Returns the stored policies for models and tools; a file without an environment needs no database."""
    try:
        return egress_policy("models", allow_private=allow_private), egress_policy("tools", allow_private=allow_private)
    except DatabaseError:
        if needs_database:
            raise
        policy = EgressPolicy(allow_private=allow_private, sandbox=sandbox.address())
        return policy, policy


def _inputs(engine: GraphEngine, texts: list[str]) -> dict[str, Any]:
    """Reads inputs: JSON where the channel doesn't hold text, else the text itself."""
    found: dict[str, Any] = {}
    for name, text in pairs(texts, "--input").items():
        channel = engine.plan.schema.channels.get(name)
        try:
            found[name] = json.loads(text) if channel is not None and not _holds_text(channel.annotation) else text
        except ValueError:
            found[name] = text
    return found


def _holds_text(annotation: Any) -> bool:
    return annotation is str or (getattr(annotation, "__origin__", None) is str)


def _shown(question: Question) -> str:
    asked = question.question if isinstance(question.question, dict) else {"question": question.question}
    choices = asked.get("choices")
    return f"{question.node}: {asked.get('question')}" + (f" [{' / '.join(choices)}]" if choices else "")


def _answer(question: Question, text: str) -> Any:
    kind = question.question.get("kind") if isinstance(question.question, dict) else "text"
    if kind == "confirm":
        return {"y": True, "yes": True, "true": True, "n": False, "no": False, "false": False}.get(
            text.strip().lower(), text
        )
    if kind == "form":
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text
