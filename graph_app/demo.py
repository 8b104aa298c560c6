"""The demo graphs of a fresh install."""

from __future__ import annotations

from pathlib import Path

from django.db import transaction

from graph_app.graphs import GRAPHS
from graph_app.models import Graph

_FOLDER = Path(__file__).resolve().parent / "demo_graphs"


@transaction.atomic
def load_demo() -> int:
    """Loads and publishes the demo graphs into a database that has no graph yet.

    Returns:
        How many were loaded.
    """
    if Graph.objects.exists():
        return 0
    files = sorted(_FOLDER.glob("*.yaml"))
    for path in files:
        graph = GRAPHS.create(None, path.read_text(encoding="utf-8"), note="Demo")
        GRAPHS.publish(None, graph.name, graph.revision)
    return len(files)
