"""REST of runs."""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from graph_app import schemas, selectors, services
from graph_app.models import TERMINAL, Run, RunValue
from graph_app.runs.journal import events_after
from graph_app.runs.under_way import account_so_far
from toolkit_app.errors import NotFoundError, ServiceError
from toolkit_app.schemas import ToolRun
from toolkit_app.web import ApiView, Operation, page


class ToolRunView(ApiView):
    """Running a tool."""

    needs: ClassVar[dict[str, str]] = {"POST": "runs.start"}
    describes: ClassVar[dict[str, Operation]] = {
        "POST": Operation(
            "tools_run",
            {202: schemas.RunStarted, 200: schemas.RunOutcome},
            body=ToolRun,
            query=schemas.WaitQuery,
        )
    }

    def post(self, request: Request, name: str) -> Response:
        """Starts a run; with `?wait=true` the answer comes when it has ended."""
        wait = self.query(request, schemas.WaitQuery).wait
        run = services.tool_run_start(request.user, name, self.body(request, ToolRun))
        return started(run, wait=wait)


class RunsView(ApiView):
    """All runs."""

    needs: ClassVar[dict[str, str]] = {"GET": "runs.read"}
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("runs_list", {200: schemas.RunList}, query=schemas.RunQuery)
    }

    def get(self, request: Request) -> Response:
        """Lists runs, the newest first."""
        query = self.query(request, schemas.RunQuery)
        return page(
            request,
            selectors.runs_matching(query),
            lambda runs: [selectors.run_row(run) for run in runs],
            order=("-created_at", "-id"),
            query=query,
        )


class RunView(ApiView):
    """One run."""

    needs: ClassVar[dict[str, str]] = {"GET": "runs.read"}
    describes: ClassVar[dict[str, Operation]] = {"GET": Operation("runs_get", {200: schemas.RunDetail})}

    def get(self, request: Request, run_id: UUID) -> Response:
        """Shows a run with its inputs, output and steps."""
        return Response(selectors.run_detail(services.run_get(run_id)))


class RunEventsView(ApiView):
    """A run's journal."""

    needs: ClassVar[dict[str, str]] = {"GET": "runs.read"}
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("runs_events", {200: schemas.EventList}, query=schemas.EventQuery)
    }

    def get(self, request: Request, run_id: UUID) -> HttpResponse:
        """Reads the journal after an event, in pages; the texts are sent as they are stored."""
        query = self.query(request, schemas.EventQuery)
        run = services.run_get(run_id)
        events = events_after(run.pk, query.after, query.limit)
        following = "null"
        if events and events[-1][0] < run.last_seq:
            address = f"{request.path}?after={events[-1][0]}&limit={query.limit}"
            following = f'"{request.build_absolute_uri(address)}"'
        body = f'{{"events":[{",".join(text for _, text in events)}],"next":{following}}}'
        return HttpResponse(body, content_type="application/json")


class RunAskedView(ApiView):
    """What a visit that still runs was called with."""

    needs: ClassVar[dict[str, str]] = {"GET": "runs.read"}
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("runs_asked", {200: schemas.RunAsked}, query=schemas.AskedQuery)
    }

    def get(self, request: Request, run_id: UUID) -> Response:
        """Shows with what a visit was called and what it has asked of models, before the journal tells it."""
        visit = self.query(request, schemas.AskedQuery).visit
        return Response(account_so_far(services.run_get(run_id), visit))


class RunCommandView(ApiView):
    """Commands to a run."""

    needs: ClassVar[dict[str, str]] = {"POST": "runs.control"}
    describes: ClassVar[dict[str, Operation]] = {
        "POST": Operation("runs_command", {200: schemas.CommandReply}, body=schemas.Command)
    }

    def post(self, request: Request, run_id: UUID) -> Response:
        """Carries out a command, as the socket does."""
        given = self.body(request, schemas.Command)
        arguments = given.model_dump(exclude_unset=True, exclude={"command"})
        try:
            status = services.run_command(request.user, run_id, given.command, arguments)
        except ServiceError as error:
            error.extra |= {"ok": False, "error": error.detail}  # as the socket says it, beside the problem document
            raise
        return Response({"ok": True, "status": status})


class RunForkView(ApiView):
    """A new run from a visit of another one."""

    needs: ClassVar[dict[str, str]] = {"POST": "runs.start"}
    describes: ClassVar[dict[str, Operation]] = {
        "POST": Operation("runs_fork", {202: schemas.RunStarted}, body=schemas.ForkBody)
    }

    def post(self, request: Request, run_id: UUID) -> Response:
        """Starts a run that goes on from before a visit; this one stays as it is."""
        given = self.body(request, schemas.ForkBody)
        run = services.run_fork(request.user, run_id, str(given.visit), mode=given.mode, revision=given.revision)
        return Response({"run": str(run.pk)}, status=202)


class RunRetryView(ApiView):
    """A failed run, tried again."""

    needs: ClassVar[dict[str, str]] = {"POST": "runs.start"}
    describes: ClassVar[dict[str, Operation]] = {"POST": Operation("runs_retry", {202: schemas.RunStarted})}

    def post(self, request: Request, run_id: UUID) -> Response:
        """Starts a run that goes on from where this one failed; a tool's begins anew."""
        return Response({"run": str(services.run_retry(request.user, run_id).pk)}, status=202)


class RunValueView(ApiView):
    """The whole of a value that an event cut."""

    needs: ClassVar[dict[str, str]] = {"GET": "runs.read"}
    describes: ClassVar[dict[str, Operation]] = {"GET": Operation("runs_value", {(200, "text/plain"): str})}

    def get(self, request: Request, run_id: UUID, key: str) -> HttpResponse:
        """Sends the text, whatever it holds, as plain text."""
        value: Any = RunValue.objects.filter(run_id=run_id, key=key).first()
        if value is None:
            raise NotFoundError("There is no such value of this run.")
        return HttpResponse(value.text, content_type="text/plain; charset=utf-8")


def started(run: Run, *, wait: bool) -> Response:
    """Answers with a run that was started, or with what came of it; 202 too when it waits for a person."""
    if wait:
        run = services.run_wait(run.pk)
        if run.status in TERMINAL:
            steps = selectors.steps(selectors.journal(run))
            output = selectors.run_output(run)
            return Response({"run": str(run.pk), "output": output, "error": run.error, "steps": steps})
    return Response({"run": str(run.pk)}, status=202)
