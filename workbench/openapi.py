"""OpenAPI of the API, read from the views: a view says with `describes` which models a method takes and gives."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from toolkit_app.permissions import PUBLIC
from toolkit_app.web import Problem


class Schema(AutoSchema):
    """Reads `ApiView.describes`: method to an `Operation`."""

    def _operation(self) -> Any:
        return getattr(self.view, "describes", {}).get(self.method)

    def get_operation_id(self) -> str:
        """Returns the name that clients call the operation by."""
        operation = self._operation()
        return operation.name if operation else super().get_operation_id()

    def get_description(self) -> str:
        """Returns the first paragraph of the method's docstring."""
        handler = getattr(self.view, self.method.lower(), None)
        return (getattr(handler, "__doc__", "") or "").split("\n\n")[0].strip()

    def get_tags(self) -> list[str]:
        """Returns the part of the API: the first word of the address."""
        parts = self.path.removeprefix("/api/v1/").split("/")
        return [parts[0] or "api"]

    def get_request_serializer(self) -> Any:
        """Returns the model of the body, or nothing."""
        operation = self._operation()
        return operation.body if operation else None

    def get_response_serializers(self) -> Any:
        """Returns the models of the answers by status."""
        operation = self._operation()
        if operation is None:
            return {200: OpenApiTypes.OBJECT}
        answers: dict[Any, Any] = dict(operation.answers)
        needs = getattr(self.view, "needs", {}).get(self.method)
        refusals = [400] + ([] if needs == PUBLIC else [401, 403]) + ([404] if "{" in self.path else [])
        for status in refusals:
            answers.setdefault((status, "application/problem+json"), Problem)
        return answers

    def get_override_parameters(self) -> list[OpenApiParameter]:
        """Returns the parameters of the query string."""
        operation = self._operation()
        if operation is None or operation.query is None:
            return []
        schema = operation.query.model_json_schema()
        found = []
        for name, details in schema["properties"].items():
            kinds = [part for part in details.get("anyOf", [details]) if part.get("type") != "null"]
            kind = kinds[0] if kinds else {"type": "string"}
            found.append(
                OpenApiParameter(
                    name,
                    {"type": kind.get("type", "string"), **{k: kind[k] for k in ("format", "enum") if k in kind}},
                    description=details.get("description", ""),
                )
            )
        return found


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Describes tokens."""

    target_class = "workbench.access.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Returns the scheme."""
        return {"type": "http", "scheme": "bearer"}


class CookieScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Describes the session cookie."""

    target_class = "workbench.access.CookieAuthentication"
    name = "cookie"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Returns the scheme."""
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}
