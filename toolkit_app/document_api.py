"""REST of stored documents: one set of views for tools and graphs alike."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from toolkit_app.documents import DocumentKind
from toolkit_app.selectors import version_row
from toolkit_app.web import ApiView, PageQuery, page


class DocumentView(ApiView):
    """Base of the views of one kind of documents."""

    kind: ClassVar[DocumentKind]

    def detail(self, document: Any) -> dict[str, Any]:
        """Returns a document with its newest text."""
        raise NotImplementedError


class VersionsView(DocumentView):
    """The versions of a document."""

    def get(self, request: Request, name: str) -> Response:
        """Lists versions, the newest first."""
        document = self.kind.get(name)
        return page(
            request,
            document.versions.select_related("created_by"),
            lambda versions: [version_row(document, version) for version in versions],
            order=("-revision",),
            query=self.query(request, PageQuery),
        )


class VersionView(DocumentView):
    """One version of a document."""

    def get(self, request: Request, name: str, revision: int) -> Response:
        """Shows a version with its text."""
        document = self.kind.get(name)
        version = self.kind.version(document, revision)
        return Response({**version_row(document, version), self.kind.api_field: self.kind.text(version)})


class RestoreView(DocumentView):
    """Going back to a version."""

    def post(self, request: Request, name: str, revision: int) -> Response:
        """Makes a new version with the text of this one."""
        return Response(self.detail(self.kind.restore(request.user, name, revision)), status=201)


class CompareView(DocumentView):
    """Two versions of a document."""

    def get(self, request: Request, name: str, revision: int, other: int) -> Response:
        """Shows how `other` differs from `revision`."""
        return Response({"diff": self.kind.compare(name, revision, other)})
