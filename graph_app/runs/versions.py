"""The versions that a run goes by. They are kept with it: a name and a number may come to mean another document."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from graph_app.graphs import GRAPHS
from graph_app.models import Run
from toolkit_app.documents import DocumentKind
from toolkit_app.errors import ConflictError, InvalidError, NotFoundError
from toolkit_app.tools import TOOLS

KINDS: Mapping[str, DocumentKind] = {Run.Kind.TOOL.value: TOOLS, Run.Kind.GRAPH.value: GRAPHS}
ENTERED: Mapping[str, str] = {"graph": "nested", "tool": "tools"}
"""Under which option a run keeps the versions that it entered, by kind and name."""
PUBLISHED_ONLY = "published_only"
"""The option of a run that enters nothing unpublished."""


def version_of(run: Run) -> Any:
    """Finds the version that a run is of.

    Raises:
        ConflictError: If it was deleted, also when another document has the name now.
        NotFoundError: If a run that was started before versions were kept finds none.
    """
    return _same(KINDS[run.kind], run.name, run.revision, run.options.get("version"))


def nested_version(
    kind: DocumentKind, name: str, kept: Mapping[str, Any] | None, *, published_only: bool = False
) -> Any:
    """Finds the version of a graph or tool that runs within a run.

    Args:
        kind: `GRAPHS` or `TOOLS`.
        name: The graph or tool.
        kept: What `as_kept` made of the version that the run entered; the published one, else the newest, where it
            enters it now.
        published_only: Whether the newest one doesn't do where none is published.

    Raises:
        ConflictError: If the version was deleted, or none is published and one must be.
        NotFoundError: If there is no such graph or tool.
    """
    if kept is None:
        return kind.version_for_run(name, None, may_edit=not published_only)
    return _same(kind, name, kept["revision"], kept["version"])


def as_kept(version: Any) -> dict[str, Any]:
    """Returns what is kept with a run of a version of a nested graph or tool."""
    return {"revision": version.revision, "version": version.pk}


def as_recorded(run: Run) -> dict[str, Any]:
    """Returns the options of a run that repeats another one for somebody who could not start that one's version.

    It enters nothing that isn't published, but for what that run entered.
    """
    tools = run.options.get(ENTERED["tool"]) or {}
    published = set(
        TOOLS.model.objects.filter(name__in=tools, published_revision__isnull=False).values_list("name", flat=True)
    )
    kept = {name: version for name, version in tools.items() if name not in published}
    return {PUBLISHED_ONLY: True, ENTERED["tool"]: kept}


def entered_now(run: Run) -> dict[str, Any]:
    """Returns, as a run keeps them, the versions by which a new run would enter the graphs that a run entered."""
    found = {}
    for name in run.options.get(ENTERED["graph"]) or {}:
        with contextlib.suppress(NotFoundError):  # the step that still asks for it says so
            found[name] = as_kept(nested_version(GRAPHS, name, None))
    return found


def nested_definitions(name: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[Any, Any] | None:
    """Returns a nested graph's definition in two versions that were kept; `None` where one of them is gone.

    Args:
        name: The graph.
        before: Versions kept with one run, by name.
        now: Versions kept with another.
    """
    if name not in before or name not in now:
        return None
    try:
        texts = [nested_version(GRAPHS, name, kept[name]).text for kept in (before, now)]
        old, new = (GRAPHS.require_sound(GRAPHS.check(text)).definition for text in texts)
    except (NotFoundError, ConflictError, InvalidError):
        return None
    return old, new


def entered(run: Run) -> list[dict[str, Any]]:
    """Returns the graphs and tools that a run entered so far, with the revisions by which it goes."""
    return [
        {"kind": kind, "name": name, "revision": kept["revision"]}
        for kind, option in ENTERED.items()
        for name, kept in (run.options.get(option) or {}).items()
    ]


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
