"""The versions that a run goes by. They are kept with it: a name and a number may come to mean another document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graph_app.graphs import GRAPHS
from graph_app.models import Run
from toolkit_app.documents import DocumentKind
from toolkit_app.errors import ConflictError, NotFoundError
from toolkit_app.tools import TOOLS

KINDS: Mapping[str, DocumentKind] = {Run.Kind.TOOL.value: TOOLS, Run.Kind.GRAPH.value: GRAPHS}


def version_of(run: Run) -> Any:
    """Finds the version that a run is of.

    Raises:
        ConflictError: If it was deleted, also when another document has the name now.
        NotFoundError: If a run that was started before versions were kept finds none.
    """
    return _same(KINDS[run.kind], run.name, run.revision, run.options.get("version"))


def nested_version(name: str, kept: Mapping[str, Any] | None) -> Any:
    """Finds the version of a graph that runs within a run.

    Args:
        name: The graph.
        kept: What `as_kept` made of the version that the run entered; the published one, else the newest, where it
            enters the graph now.

    Raises:
        ConflictError: If the version was deleted.
        NotFoundError: If there is no such graph.
    """
    if kept is None:
        return GRAPHS.version_for_run(name, None, may_edit=True)
    return _same(GRAPHS, name, kept["revision"], kept["version"])


def as_kept(version: Any) -> dict[str, Any]:
    """Returns what is kept with a run of a version of a nested graph."""
    return {"revision": version.revision, "version": version.pk}


def _same(kind: DocumentKind, name: str, revision: int, key: int | None) -> Any:
    try:
        version = kind.version(kind.get(name), revision)
    except NotFoundError:
        if key is None:
            raise
        version = None
    if version is None or key not in (None, version.pk):
        now = f" A {kind.noun} that was made later has its name now." if version is not None else ""
        raise ConflictError(
            f"The {kind.noun} {name} was deleted; revision {revision}, by which this run goes, is no more.{now} "
            "The run can be looked at and stopped. To go on, start a new one.",
            code="deleted",
        )
    return version
