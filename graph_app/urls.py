"""Addresses of runs under `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from graph_app import api

urlpatterns = [
    path("tools/<str:name>/run/", api.ToolRunView.as_view()),
    path("runs/", api.RunsView.as_view()),
    path("runs/<uuid:run_id>/", api.RunView.as_view()),
    path("runs/<uuid:run_id>/events/", api.RunEventsView.as_view()),
    path("runs/<uuid:run_id>/command/", api.RunCommandView.as_view()),
    path("runs/<uuid:run_id>/values/<str:key>/", api.RunValueView.as_view()),
]
