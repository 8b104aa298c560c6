"""REST of tools, their versions, and environments."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from toolkit_app import environments, schemas, selectors
from toolkit_app.document_api import CompareView, RestoreView, VersionsView, VersionView
from toolkit_app.errors import NotFoundError
from toolkit_app.recent_runs import recent_runs
from toolkit_app.tools import TOOLS, read_tool, tool_check
from toolkit_app.web import ApiView, Operation, PageQuery, page


class ToolsView(ApiView):
    """All tools; making one."""

    needs: ClassVar[dict[str, str]] = {"GET": "tools.read", "POST": "tools.write"}
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("tools_list", {200: schemas.ToolList}, query=schemas.ToolQuery),
        "POST": Operation("tools_create", {201: schemas.ToolBody}, body=schemas.ToolText),
    }

    def get(self, request: Request) -> Response:
        """Lists tools by name, with their last runs."""
        query = self.query(request, schemas.ToolQuery)

        def show(rows: Any) -> list[dict[str, Any]]:
            runs = recent_runs("tool", [tool.name for tool in rows])
            return [selectors.document_row(tool, runs.get(tool.name, [])) for tool in rows]

        return page(
            request, selectors.documents_matching(TOOLS, query.search, query.state), show, order=("name",), query=query
        )

    def post(self, request: Request) -> Response:
        """Makes a tool from its text; its name is the text's."""
        tool = TOOLS.create(request.user, self.body(request, schemas.ToolText).yaml)
        return Response(selectors.tool_detail(tool), status=201)


class ToolValidateView(ApiView):
    """Checks a text."""

    needs: ClassVar[dict[str, str]] = {"POST": "tools.read"}
    describes: ClassVar[dict[str, Operation]] = {
        "POST": Operation("tools_validate", {200: schemas.ToolCheck}, body=schemas.ToolText)
    }

    def post(self, request: Request) -> Response:
        """Says what is wrong with a text; nothing is stored."""
        data = request.data
        if isinstance(data, dict) and set(data) == {"yaml"} and isinstance(data["yaml"], str):
            text = data["yaml"]  # also one that could not be stored: its problems are what is asked for
        else:
            text = self.body(request, schemas.ToolText).yaml
        checked = tool_check(text)
        schema = checked.definition.function_schema() if checked.definition else None
        return Response({"problems": checked.problems, "function_schema": schema})


class ToolView(ApiView):
    """One tool."""

    needs: ClassVar[dict[str, str]] = {"GET": "tools.read", "PUT": "tools.write", "DELETE": "tools.write"}
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("tools_get", {200: schemas.ToolBody}),
        "PUT": Operation("tools_save", {200: schemas.ToolBody}, body=schemas.ToolSave),
        "DELETE": Operation("tools_delete", {204: None}),
    }

    def get(self, request: Request, name: str) -> Response:
        """Shows a tool with its newest text."""
        return Response(selectors.tool_detail(TOOLS.get(name)))

    def put(self, request: Request, name: str) -> Response:
        """Saves a text as a new version, a faulty one as a draft with its problems."""
        given = self.body(request, schemas.ToolSave)
        tool = TOOLS.save(request.user, name, given.yaml, given.base_revision, note=given.note)
        return Response(selectors.tool_detail(tool))

    def delete(self, request: Request, name: str) -> Response:
        """Removes a tool and its versions; its runs stay."""
        TOOLS.delete(request.user, name)
        return Response(status=204)


class _ToolDetail:
    kind = TOOLS

    def detail(self, tool: Any) -> dict[str, Any]:
        return selectors.tool_detail(tool)


class ToolVersionsView(_ToolDetail, VersionsView):
    """The versions of a tool."""

    needs: ClassVar[dict[str, str]] = {"GET": "tools.read"}
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("tool_versions_list", {200: schemas.VersionList}, query=PageQuery)
    }


class ToolVersionView(_ToolDetail, VersionView):
    """One version of a tool."""

    needs: ClassVar[dict[str, str]] = {"GET": "tools.read"}
    describes: ClassVar[dict[str, Operation]] = {"GET": Operation("tool_versions_get", {200: schemas.VersionBody})}


class ToolRestoreView(_ToolDetail, RestoreView):
    """Going back to a version of a tool."""

    needs: ClassVar[dict[str, str]] = {"POST": "tools.write"}
    describes: ClassVar[dict[str, Operation]] = {"POST": Operation("tool_versions_restore", {201: schemas.ToolBody})}


class ToolCompareView(_ToolDetail, CompareView):
    """Two versions of a tool."""

    needs: ClassVar[dict[str, str]] = {"GET": "tools.read"}
    describes: ClassVar[dict[str, Operation]] = {"GET": Operation("tool_versions_compare", {200: schemas.VersionDiff})}


class ToolPublishView(ApiView):
    """Publishing a version."""

    needs: ClassVar[dict[str, str]] = {"POST": "tools.publish"}
    describes: ClassVar[dict[str, Operation]] = {
        "POST": Operation("tools_publish", {200: schemas.ToolBody}, body=schemas.ToolPublish)
    }

    def post(self, request: Request, name: str) -> Response:
        """Publishes a version on which the saved tests pass; runs from outside use it from now on."""
        given = self.body(request, schemas.ToolPublish)
        tool = TOOLS.publish(request.user, name, given.revision, despite_tests=given.despite_tests)
        return Response(selectors.tool_detail(tool))


class ToolSchemaView(ApiView):
    """The function that an LLM sees."""

    needs: ClassVar[dict[str, str]] = {"GET": "tools.read"}
    describes: ClassVar[dict[str, Operation]] = {"GET": Operation("tools_schema", {200: dict[str, Any]})}

    def get(self, request: Request, name: str) -> Response:
        """Shows the function schema of the published version."""
        tool = TOOLS.get(name)
        if tool.published_revision is None:
            raise NotFoundError(f"{name} has not been published yet.", code="not_published")
        version = TOOLS.version(tool, tool.published_revision)
        return Response(read_tool(version.yaml).function_schema())


class EnvironmentsView(ApiView):
    """All environments; making one."""

    needs: ClassVar[dict[str, str]] = {"GET": "environments.list", "POST": "environments.write"}
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("environments_list", {200: schemas.EnvironmentList}, query=PageQuery),
        "POST": Operation("environments_create", {201: schemas.EnvironmentDetail}, body=schemas.EnvironmentBody),
    }

    def get(self, request: Request) -> Response:
        """Lists environments by name."""
        return page(
            request,
            selectors.environments_counted(),
            lambda rows: [
                {
                    "name": row.name,
                    "description": row.description,
                    "variables": row.variable_count,
                    "secrets": row.secret_count,
                }
                for row in rows
            ],
            order=("name",),
            query=self.query(request, PageQuery),
        )

    def post(self, request: Request) -> Response:
        """Makes an empty environment."""
        given = self.body(request, schemas.EnvironmentBody)
        made = environments.environment_create(request.user.username, given.name, given.description)
        return Response(selectors.environment_detail(made, with_values=True), status=201)


class EnvironmentView(ApiView):
    """One environment."""

    needs: ClassVar[dict[str, str]] = {
        "GET": "environments.names",
        "PATCH": "environments.write",
        "DELETE": "environments.write",
    }
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("environments_get", {200: schemas.EnvironmentDetail}),
        "PATCH": Operation("environments_change", {200: schemas.EnvironmentDetail}, body=schemas.EnvironmentChange),
        "DELETE": Operation("environments_delete", {204: None}),
    }

    def get(self, request: Request, name: str) -> Response:
        """Shows an environment: to admins with values of variables, to authors names only."""
        found = environments.environment_get(name)
        return Response(selectors.environment_detail(found, with_values=request.user.may("environments.write")))

    def patch(self, request: Request, name: str) -> Response:
        """Changes the description."""
        given = self.body(request, schemas.EnvironmentChange)
        changed = environments.environment_change(request.user.username, name, given.description)
        return Response(selectors.environment_detail(changed, with_values=True))

    def delete(self, request: Request, name: str) -> Response:
        """Removes an environment with all its entries."""
        environments.environment_delete(request.user.username, name)
        return Response(status=204)


class VariableView(ApiView):
    """A variable of an environment."""

    needs: ClassVar[dict[str, str]] = {"PUT": "environments.write", "DELETE": "environments.write"}
    describes: ClassVar[dict[str, Operation]] = {
        "PUT": Operation("variables_set", {200: schemas.EnvironmentDetail}, body=schemas.VariableBody),
        "DELETE": Operation("variables_delete", {204: None}),
    }

    def put(self, request: Request, name: str, entry: str) -> Response:
        """Sets a variable."""
        environments.variable_set(request.user.username, name, entry, self.body(request, schemas.VariableBody).value)
        return Response(selectors.environment_detail(environments.environment_get(name), with_values=True))

    def delete(self, request: Request, name: str, entry: str) -> Response:
        """Removes a variable."""
        environments.entry_delete(request.user.username, name, "variable", entry)
        return Response(status=204)


class SecretView(ApiView):
    """A secret of an environment. It goes in and never comes out."""

    needs: ClassVar[dict[str, str]] = {"PUT": "environments.write", "DELETE": "environments.write"}
    describes: ClassVar[dict[str, Operation]] = {
        "PUT": Operation("secrets_set", {200: schemas.EnvironmentDetail}, body=schemas.SecretBody),
        "DELETE": Operation("secrets_delete", {204: None}),
    }

    def put(self, request: Request, name: str, entry: str) -> Response:
        """Sets a secret and the hosts that it may go to."""
        given = self.body(request, schemas.SecretBody)
        environments.secret_set(request.user.username, name, entry, given.value, given.hosts)
        return Response(selectors.environment_detail(environments.environment_get(name), with_values=True))

    def delete(self, request: Request, name: str, entry: str) -> Response:
        """Removes a secret."""
        environments.entry_delete(request.user.username, name, "secret", entry)
        return Response(status=204)
