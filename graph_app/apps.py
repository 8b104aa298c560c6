"""The app of runs and graphs."""

from django.apps import AppConfig


class GraphConfig(AppConfig):
    """Runs, their journals, and graphs."""

    name = "graph_app"
    verbose_name = "Runs and graphs"

    def ready(self) -> None:
        """Tells tools who keeps their runs."""
        from graph_app.selectors import recent_runs
        from toolkit_app.recent_runs import keep_runs

        keep_runs(recent_runs)
