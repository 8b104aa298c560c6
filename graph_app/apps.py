"""The app of runs and graphs."""

from django.apps import AppConfig


class GraphConfig(AppConfig):
    """Runs, their journals, and graphs."""

    name = "graph_app"
    verbose_name = "Runs and graphs"

    def ready(self) -> None:
        """Tells tools who keeps their runs and tests, and rotations which rows hold keys of models."""
        from graph_app.models import ModelProvider
        from graph_app.providers import provider_identity
        from graph_app.saved_tests import publish_check
        from graph_app.selectors import open_runs, recent_runs
        from toolkit_app.open_runs import keep_open_runs
        from toolkit_app.publish_checks import keep_tests
        from toolkit_app.recent_runs import keep_runs
        from toolkit_app.rotation import SealedRows, keep_sealed

        keep_runs(recent_runs)
        keep_open_runs(open_runs)
        keep_tests(publish_check)
        keep_sealed(SealedRows(ModelProvider, "sealed_key", provider_identity))
