"""placeholder."""

from graph_app.engine.engine import GraphEngine


class GraphEngineDebugger(GraphEngine):
    """placeholder."""

    db_file_path: str = ".state_storage.db"
    db_name: str = "graph state"
