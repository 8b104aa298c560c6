"""REST of saved tests: one set of views for tools and graphs alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from graph_app import saved_tests, schemas
from graph_app.graphs import GRAPHS
from graph_app.models import SavedTest
from toolkit_app.documents import DocumentKind
from toolkit_app.tools import TOOLS
from toolkit_app.web import ApiView, Operation


class _TestsView(ApiView):
    kind: ClassVar[DocumentKind]

    def get(self, request: Request, name: str) -> Response:
        """Lists a document's tests, the oldest first, with what came of each when it was last run."""
        return _listed(saved_tests.saved_tests_of(self.kind, self.kind.get(name)))

    def post(self, request: Request, name: str) -> Response:
        """Saves a run that ended as a test, and runs that at once."""
        given = self.body(request, schemas.SavedTestCreate)
        test = saved_tests.saved_test_create(request.user, self.kind, name, given.run, given.title)
        return Response(saved_tests.saved_test_row(test), status=201)


class _TestView(ApiView):
    kind: ClassVar[DocumentKind]

    def get(self, request: Request, name: str, test_id: UUID) -> Response:
        """Shows a test."""
        return Response(saved_tests.saved_test_row(saved_tests.saved_test_get(self.kind, name, test_id)))

    def patch(self, request: Request, name: str, test_id: UUID) -> Response:
        """Gives a test another title."""
        title = self.body(request, schemas.SavedTestRename).title
        test = saved_tests.saved_test_rename(request.user, self.kind, name, test_id, title)
        return Response(saved_tests.saved_test_row(test))

    def delete(self, request: Request, name: str, test_id: UUID) -> Response:
        """Removes a test; the run that it came from stays."""
        saved_tests.saved_test_delete(request.user, self.kind, name, test_id)
        return Response(status=204)


class _TestsRunView(ApiView):
    kind: ClassVar[DocumentKind]

    def post(self, request: Request, name: str) -> Response:
        """Runs the tests on a revision, or one of them; recorded answers are replayed, no network is used."""
        given = self.body(request, schemas.SavedTestsRun)
        return _listed(saved_tests.saved_tests_run(self.kind, name, given.revision, given.id))


def _listed(tests: Iterable[SavedTest]) -> Response:
    return Response({"results": [saved_tests.saved_test_row(test) for test in tests], "next": None})


def _lists(noun: str) -> dict[str, Operation]:
    return {
        "GET": Operation(f"{noun}_tests_list", {200: schemas.SavedTestList}),
        "POST": Operation(f"{noun}_tests_create", {201: schemas.SavedTestRow}, body=schemas.SavedTestCreate),
    }


def _one(noun: str) -> dict[str, Operation]:
    return {
        "GET": Operation(f"{noun}_tests_get", {200: schemas.SavedTestRow}),
        "PATCH": Operation(f"{noun}_tests_rename", {200: schemas.SavedTestRow}, body=schemas.SavedTestRename),
        "DELETE": Operation(f"{noun}_tests_delete", {204: None}),
    }


def _runs(noun: str) -> dict[str, Operation]:
    return {"POST": Operation(f"{noun}_tests_run", {200: schemas.SavedTestList}, body=schemas.SavedTestsRun)}


class ToolTestsView(_TestsView):
    """The tests of a tool."""

    kind = TOOLS
    needs: ClassVar[dict[str, str]] = {"GET": "tools.read", "POST": "tools.write"}
    describes: ClassVar[dict[str, Any]] = _lists("tool")


class ToolTestView(_TestView):
    """A test of a tool."""

    kind = TOOLS
    needs: ClassVar[dict[str, str]] = {"GET": "tools.read", "PATCH": "tools.write", "DELETE": "tools.write"}
    describes: ClassVar[dict[str, Any]] = _one("tool")


class ToolTestsRunView(_TestsRunView):
    """Running the tests of a tool."""

    kind = TOOLS
    needs: ClassVar[dict[str, str]] = {"POST": "runs.start"}
    describes: ClassVar[dict[str, Any]] = _runs("tool")


class GraphTestsView(_TestsView):
    """The tests of a graph."""

    kind = GRAPHS
    needs: ClassVar[dict[str, str]] = {"GET": "graphs.read", "POST": "graphs.write"}
    describes: ClassVar[dict[str, Any]] = _lists("graph")


class GraphTestView(_TestView):
    """A test of a graph."""

    kind = GRAPHS
    needs: ClassVar[dict[str, str]] = {"GET": "graphs.read", "PATCH": "graphs.write", "DELETE": "graphs.write"}
    describes: ClassVar[dict[str, Any]] = _one("graph")


class GraphTestsRunView(_TestsRunView):
    """Running the tests of a graph."""

    kind = GRAPHS
    needs: ClassVar[dict[str, str]] = {"POST": "runs.start"}
    describes: ClassVar[dict[str, Any]] = _runs("graph")
