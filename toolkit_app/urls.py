"""Addresses of tools and environments under `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from toolkit_app import api, import_api

urlpatterns = [
    path("tools/", api.ToolsView.as_view()),
    path("tools/validate/", api.ToolValidateView.as_view()),
    path("tools/import/curl/", import_api.CurlImportView.as_view()),
    path("tools/extract/try/", import_api.ExtractTryView.as_view()),
    path("tools/extract/suggest/", import_api.ExtractSuggestView.as_view()),
    path("tools/<str:name>/", api.ToolView.as_view()),
    path("tools/<str:name>/versions/", api.ToolVersionsView.as_view()),
    path("tools/<str:name>/versions/<int:revision>/", api.ToolVersionView.as_view()),
    path("tools/<str:name>/versions/<int:revision>/restore/", api.ToolRestoreView.as_view()),
    path("tools/<str:name>/versions/<int:revision>/compare/<int:other>/", api.ToolCompareView.as_view()),
    path("tools/<str:name>/publish/", api.ToolPublishView.as_view()),
    path("tools/<str:name>/schema/", api.ToolSchemaView.as_view()),
    path("environments/", api.EnvironmentsView.as_view()),
    path("environments/<str:name>/", api.EnvironmentView.as_view()),
    path("environments/<str:name>/variables/<str:entry>/", api.VariableView.as_view()),
    path("environments/<str:name>/secrets/<str:entry>/", api.SecretView.as_view()),
]
