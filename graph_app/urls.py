"""Addresses of runs under `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from graph_app import api, graph_api, saved_test_api

urlpatterns = [
    path("tools/<str:name>/run/", api.ToolRunView.as_view()),
    path("tools/<str:name>/tests/", saved_test_api.ToolTestsView.as_view()),
    path("tools/<str:name>/tests/run/", saved_test_api.ToolTestsRunView.as_view()),
    path("tools/<str:name>/tests/<uuid:test_id>/", saved_test_api.ToolTestView.as_view()),
    path("graphs/", graph_api.GraphsView.as_view()),
    path("graphs/validate/", graph_api.GraphValidateView.as_view()),
    path("graphs/<str:name>/", graph_api.GraphView.as_view()),
    path("graphs/<str:name>/versions/", graph_api.GraphVersionsView.as_view()),
    path("graphs/<str:name>/versions/<int:revision>/", graph_api.GraphVersionView.as_view()),
    path("graphs/<str:name>/versions/<int:revision>/restore/", graph_api.GraphRestoreView.as_view()),
    path("graphs/<str:name>/versions/<int:revision>/compare/<int:other>/", graph_api.GraphCompareView.as_view()),
    path("graphs/<str:name>/publish/", graph_api.GraphPublishView.as_view()),
    path("graphs/<str:name>/tests/", saved_test_api.GraphTestsView.as_view()),
    path("graphs/<str:name>/tests/run/", saved_test_api.GraphTestsRunView.as_view()),
    path("graphs/<str:name>/tests/<uuid:test_id>/", saved_test_api.GraphTestView.as_view()),
    path("graphs/<str:name>/run/", graph_api.GraphRunView.as_view()),
    path("calls/", graph_api.CallsView.as_view()),
    path("models/", graph_api.ModelsView.as_view()),
    path("runs/", api.RunsView.as_view()),
    path("runs/<uuid:run_id>/", api.RunView.as_view()),
    path("runs/<uuid:run_id>/events/", api.RunEventsView.as_view()),
    path("runs/<uuid:run_id>/asked/", api.RunAskedView.as_view()),
    path("runs/<uuid:run_id>/command/", api.RunCommandView.as_view()),
    path("runs/<uuid:run_id>/fork/", api.RunForkView.as_view()),
    path("runs/<uuid:run_id>/retry/", api.RunRetryView.as_view()),
    path("runs/<uuid:run_id>/values/<str:key>/", api.RunValueView.as_view()),
]
