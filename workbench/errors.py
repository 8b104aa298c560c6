"""Errors of the API as RFC 9457 problem documents, whatever raised them."""

from __future__ import annotations

import logging
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost, PermissionDenied, RequestDataTooBig
from django.db import IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, JsonResponse
from rest_framework import exceptions
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from toolkit_app.errors import ServiceError
from toolkit_app.vault import VaultError

_log = logging.getLogger(__name__)
PROBLEM_TYPE = "application/problem+json"

_TITLES = {
    400: "The input won't do",
    401: "You are not signed in",
    403: "You may not do this",
    404: "Not found",
    405: "This address doesn't know that method",
    406: "This form of answer is not offered",
    409: "It clashes with what is there",
    413: "The body is too large",
    415: "This content type is not read here",
    429: "Too many at once",
    503: "Not available just now",
}


def problem(status: int, detail: str, code: str, **extra: Any) -> dict[str, Any]:
    """Returns the members of a problem document.

    Args:
        status: HTTP status.
        detail: A sentence for people: what, where, what to do.
        code: A word for programs.
        **extra: Further members.
    """
    return {
        "type": "about:blank",
        "title": _TITLES.get(status, "The request was refused"),
        "status": status,
        "detail": detail,
        "code": code,
        **extra,
    }


def problem_response(error: Exception, context: dict[str, Any]) -> Response | None:
    """Turns an error raised in a view into its answer; called by Django REST Framework.

    Args:
        error: What was raised.
        context: The view and its request.

    Returns:
        The answer, or `None` for a fault of ours, which stays an exception and is logged.
    """
    headers: dict[str, str] = {}
    match error:
        case ServiceError():
            body = problem(error.status, error.detail, error.code, **error.extra)
            body["title"] = error.title
        case Http404():
            body = problem(404, "There is nothing at this address.", "not_found")
        case VaultError():
            body = problem(500, str(error), "vault")
        case IntegrityError():
            _log.warning("Two changes met: %s", error)
            body = problem(
                409, "Somebody else changed this at the same moment. Look again, and try once more.", "conflict"
            )
        case OperationalError() | InterfaceError():
            _log.error("The database does not answer: %s", error)
            body = problem(503, "The database does not answer just now. Try again in a moment.", "database")
            headers["Retry-After"] = "5"
        case RequestDataTooBig():
            body = problem(413, f"A body has at most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE:,} bytes.", "too_large")
        case PermissionDenied():
            body = problem(403, "Your role doesn't allow this. Ask an admin.", "forbidden")
        case exceptions.APIException():
            detail = error.detail if isinstance(error.detail, str) else str(error.detail)
            if isinstance(error, exceptions.UnsupportedMediaType):
                detail = "Send JSON, with Content-Type: application/json."
            body = problem(error.status_code, detail, error.default_code)
            if isinstance(error, exceptions.NotAuthenticated | exceptions.AuthenticationFailed):
                headers["WWW-Authenticate"] = getattr(error, "auth_header", "") or "Bearer"
        case _:
            return None
    request = context.get("request")
    if request is not None:  # a view that answers in other forms too still tells its errors as JSON
        request.accepted_renderer, request.accepted_media_type = JSONRenderer(), JSONRenderer.media_type
    return Response(body, status=body["status"], headers=headers, content_type=PROBLEM_TYPE)


def api_not_found(request: HttpRequest) -> JsonResponse:
    """Answers for addresses under `/api/` that don't exist."""
    return JsonResponse(
        problem(404, f"There is nothing at {request.path}.", "not_found"), status=404, content_type=PROBLEM_TYPE
    )


def server_error(request: HttpRequest) -> JsonResponse:
    """Answers for a fault of ours: what happened stands in the server's log, not in the answer."""
    return JsonResponse(
        problem(500, "Something went wrong in the server. Its log says more.", "server_error"),
        status=500,
        content_type=PROBLEM_TYPE,
    )


def bad_request(request: HttpRequest, exception: Exception) -> JsonResponse:
    """Answers for a request that Django itself refuses, such as one for a host that this server doesn't go by."""
    if isinstance(exception, DisallowedHost):
        detail = "This server doesn't go by that host name. An admin can add it to WORKBENCH_ALLOWED_HOSTS."
    else:
        detail = "The request can't be read."
    return JsonResponse(problem(400, detail, "bad_request"), status=400, content_type=PROBLEM_TYPE)


def csrf_failure(request: HttpRequest, reason: str = "") -> JsonResponse:
    """Answers for a request that carries no valid CSRF token."""
    return JsonResponse(
        problem(403, "The page is out of date. Reload it and try again.", "csrf"), status=403, content_type=PROBLEM_TYPE
    )
