"""REST of graphs and node types."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from graph_app import schemas, services
from graph_app.api import started
from graph_app.calls import CallInfo, CoreCall, LanguageType, registered_calls
from graph_app.graph_selectors import graph_detail, graph_row, stored_form
from graph_app.graphs import GRAPHS, definition_text, graph_warnings
from graph_app.providers import models_named
from toolkit_app.document_api import CompareView, RestoreView, VersionsView, VersionView
from toolkit_app.recent_runs import recent_runs
from toolkit_app.schemas import ToolPublish, ToolQuery, VersionDiff, VersionList
from toolkit_app.selectors import documents_matching, version_row
from toolkit_app.web import ApiView, Operation, PageQuery, page


class GraphsView(ApiView):
    """All graphs; making one."""

    needs: ClassVar[dict[str, str]] = {"GET": "graphs.read", "POST": "graphs.write"}
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("graphs_list", {200: schemas.GraphList}, query=ToolQuery),
        "POST": Operation("graphs_create", {201: schemas.GraphBody}, body=schemas.GraphNew),
    }

    def get(self, request: Request) -> Response:
        """Lists graphs by name, with their last runs."""
        query = self.query(request, ToolQuery)

        def show(rows: Any) -> list[dict[str, Any]]:
            runs = recent_runs("graph", [graph.name for graph in rows])
            return [graph_row(graph, runs.get(graph.name, [])) for graph in rows]

        found = documents_matching(GRAPHS, query.search, query.state)
        return page(request, found, show, order=("name",), query=query)

    def post(self, request: Request) -> Response:
        """Makes a graph from its definition; its name is the definition's."""
        given = self.body(request, schemas.GraphNew)
        text = definition_text(given.definition)
        graph = GRAPHS.create(request.user, text, note=given.note, draft=given.draft)
        _mark_form(graph, given.definition)
        return Response(graph_detail(graph), status=201)


class GraphValidateView(ApiView):
    """Checks a definition."""

    needs: ClassVar[dict[str, str]] = {"POST": "graphs.read"}
    describes: ClassVar[dict[str, Operation]] = {
        "POST": Operation("graphs_validate", {200: schemas.GraphCheck}, body=schemas.GraphText)
    }

    def post(self, request: Request) -> Response:
        """Says what is wrong with a definition, and what is most likely not meant; nothing is stored."""
        data = request.data
        if isinstance(data, dict) and set(data) == {"definition"} and isinstance(data["definition"], str):
            text = data["definition"]  # also one that could not be stored: its problems are what is asked for
        else:
            text = definition_text(self.body(request, schemas.GraphText).definition)
        return Response({"problems": GRAPHS.check(text).problems, "warnings": graph_warnings(text)})


class GraphView(ApiView):
    """One graph."""

    needs: ClassVar[dict[str, str]] = {"GET": "graphs.read", "PUT": "graphs.write", "DELETE": "graphs.write"}
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("graphs_get", {200: schemas.GraphBody}),
        "PUT": Operation("graphs_save", {200: schemas.GraphBody}, body=schemas.GraphSave),
        "DELETE": Operation("graphs_delete", {204: None}),
    }

    def get(self, request: Request, name: str) -> Response:
        """Shows a graph with its newest definition."""
        return Response(graph_detail(GRAPHS.get(name)))

    def put(self, request: Request, name: str) -> Response:
        """Saves a definition as a new version, a faulty one as a draft with its problems."""
        given = self.body(request, schemas.GraphSave)
        text = definition_text(given.definition)
        graph = GRAPHS.save(request.user, name, text, given.base_revision, note=given.note)
        _mark_form(graph, given.definition)
        return Response(graph_detail(graph))

    def delete(self, request: Request, name: str) -> Response:
        """Removes a graph and its versions; its runs stay."""
        GRAPHS.delete(request.user, name)
        return Response(status=204)


class _GraphDetail:
    kind = GRAPHS

    def detail(self, graph: Any) -> dict[str, Any]:
        return graph_detail(graph)


class GraphVersionsView(_GraphDetail, VersionsView):
    """The versions of a graph."""

    needs: ClassVar[dict[str, str]] = {"GET": "graphs.read"}
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("graph_versions_list", {200: VersionList}, query=PageQuery)
    }


class GraphVersionView(_GraphDetail, VersionView):
    """One version of a graph."""

    needs: ClassVar[dict[str, str]] = {"GET": "graphs.read"}
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("graph_versions_get", {200: schemas.GraphVersionBody})
    }

    def get(self, request: Request, name: str, revision: int) -> Response:
        """Shows a version with its definition, in the form in which it was stored."""
        graph = GRAPHS.get(name)
        version = GRAPHS.version(graph, revision)
        return Response({**version_row(graph, version), "definition": stored_form(version)})


class GraphRestoreView(_GraphDetail, RestoreView):
    """Going back to a version of a graph."""

    needs: ClassVar[dict[str, str]] = {"POST": "graphs.write"}
    describes: ClassVar[dict[str, Operation]] = {"POST": Operation("graph_versions_restore", {201: schemas.GraphBody})}


class GraphCompareView(_GraphDetail, CompareView):
    """Two versions of a graph."""

    needs: ClassVar[dict[str, str]] = {"GET": "graphs.read"}
    describes: ClassVar[dict[str, Operation]] = {"GET": Operation("graph_versions_compare", {200: VersionDiff})}


class GraphPublishView(ApiView):
    """Publishing a version of a graph."""

    needs: ClassVar[dict[str, str]] = {"POST": "graphs.publish"}
    describes: ClassVar[dict[str, Operation]] = {
        "POST": Operation("graphs_publish", {200: schemas.GraphBody}, body=ToolPublish)
    }

    def post(self, request: Request, name: str) -> Response:
        """Publishes a version on which the saved tests pass; runs from outside use it from now on."""
        given = self.body(request, ToolPublish)
        graph = GRAPHS.publish(request.user, name, given.revision, despite_tests=given.despite_tests)
        return Response(graph_detail(graph))


class GraphRunView(ApiView):
    """Running a graph."""

    needs: ClassVar[dict[str, str]] = {"POST": "runs.start"}
    describes: ClassVar[dict[str, Operation]] = {
        "POST": Operation(
            "graphs_run",
            {202: schemas.RunStarted, 200: schemas.RunOutcome},
            body=schemas.GraphRunBody,
            query=schemas.WaitQuery,
        )
    }

    def post(self, request: Request, name: str) -> Response:
        """Starts a run; with `?wait=true` the answer comes when it has ended, or waits for a person."""
        wait = self.query(request, schemas.WaitQuery).wait
        run = services.graph_run_start(request.user, name, self.body(request, schemas.GraphRunBody))
        return started(run, wait=wait)


class CallsView(ApiView):
    """The node types."""

    needs: ClassVar[dict[str, str]] = {"GET": "graphs.read"}
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("calls_list", {200: schemas.CallList}, query=schemas.CallQuery)
    }

    def get(self, request: Request) -> Response:
        """Lists node types in a language: the asked one, else the browser's, else Chinese."""
        asked = self.query(request, schemas.CallQuery).language
        accepted = request.headers.get("Accept-Language", "").lower()
        language = LanguageType(asked or ("en" if accepted.startswith("en") else "zh"))
        rows = []
        for name, call in registered_calls().items():
            info = _info(call, language)
            rows.append(
                {
                    "name": name,
                    "label": info.name,
                    "description": info.description,
                    "settings": call.settings_schema(language),
                    "inputs": call.input_model.model_json_schema(),
                    "outputs": call.output_model.model_json_schema(),
                }
            )
        return Response({"results": rows, "next": None})


class ModelsView(ApiView):
    """The models that steps may use."""

    needs: ClassVar[dict[str, str]] = {"GET": "graphs.read"}
    describes: ClassVar[dict[str, Operation]] = {"GET": Operation("models_list", {200: schemas.ModelList})}

    def get(self, request: Request) -> Response:
        """Lists the configured models by name, the default one first; addresses and keys are the admins'."""
        return Response({"results": models_named(), "next": None})


def _info(call: type[CoreCall], language: LanguageType) -> CallInfo:
    try:
        return call.info(language)
    except NotImplementedError:  # a Call of somebody's own that says nothing of itself
        return CallInfo(name=call.__name__, description="")


def _mark_form(graph: Any, definition: Any) -> None:
    if not isinstance(definition, str):
        graph.versions.filter(revision=graph.revision).update(as_object=True)
