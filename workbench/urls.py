"""All addresses: the API, its description, and the pages."""

from __future__ import annotations

from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularAPIView

from workbench import api, errors
from workbench.pages_view import pages


class SchemaView(SpectacularAPIView):
    """The OpenAPI description of the API."""

    needs = {"GET": "signed_in"}  # noqa: RUF012 - declared as in every view


_api = [
    path("session/", api.SessionView.as_view()),
    path("set-up/", api.SetUpView.as_view()),
    path("set-up/check/", api.SetUpCheckView.as_view()),
    path("users/", api.UsersView.as_view()),
    path("users/<str:username>/", api.UserView.as_view()),
    path("users/<str:username>/reset/", api.UserResetView.as_view()),
    path("users/<str:username>/end-sessions/", api.UserSessionsView.as_view()),
    path("tokens/", api.TokensView.as_view()),
    path("tokens/<int:token_id>/", api.TokenView.as_view()),
    path("audit/", api.AuditView.as_view()),
    path("settings/", api.SettingsView.as_view()),
    path("", include("toolkit_app.urls")),
    path("", include("graph_app.urls")),
]

PAGES = [
    "",
    "tools",
    "tools/<str:name>",
    "graphs",
    "graphs/<str:name>",
    "runs",
    "runs/<str:run_id>",
    "runs/<str:run_id>/compare/<str:other>",
    "questions",
    "environments",
    "environments/<str:name>",
    "people",
    "audit",
    "settings",
    "sign-in",
    "set-up",
]

urlpatterns = [
    path("api/v1/", include(_api)),
    path("api/schema/", SchemaView.as_view()),
    re_path(r"^api/", errors.api_not_found),
    *(path(address, pages) for address in PAGES),
    *(path(f"{address}/", pages) for address in PAGES if address),
]

handler400 = "workbench.errors.bad_request"
handler500 = "workbench.errors.server_error"
