"""Finding tools and graphs by name: in the folder of a file first, then among what is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from asgiref.sync import sync_to_async
from django.core.management.base import CommandError
from django.db import DatabaseError

from graph_app.calls import CallError, Provider
from graph_app.calls.unlikely import ToolVariables, variables_of
from graph_app.engine import GraphError
from graph_app.engine.document_text import read_text
from graph_app.graphs import GRAPHS, stored_variables
from graph_app.providers import stored_providers
from toolkit_app.engine import ToolDefinition
from toolkit_app.engine.files import FileError, read_document
from toolkit_app.errors import ServiceError
from toolkit_app.tools import TOOLS, read_tool

SUFFIXES = {".yaml", ".yml", ".json"}
"""What files of tools and graphs end with."""
_MOST_FILES = 1_000


class Folder:
    """The folder of the file that is run; none where a stored graph is."""

    def __init__(self, path: Path | None) -> None:
        """Reads nothing yet.

        Args:
            path: The folder.
        """
        self._path = path
        self._texts: dict[str, str] | None = None

    @classmethod
    def of(cls, source: str) -> Folder:
        """Returns the folder of a file, or none for a name."""
        path = Path(source)
        return cls(path.resolve().parent if path.is_file() else None)

    def document(self, source: str) -> str:
        """Returns the text of the graph that is run.

        Raises:
            CommandError: If the file can't be read.
            NotFoundError: If there is no such file and no such stored graph.
        """
        path = Path(source)
        if path.is_file():
            return _read(path)
        if "/" in source or path.suffix in SUFFIXES:
            raise CommandError(f"There is no file {source}.")
        return _stored_graph(source)

    async def tool(self, name: str) -> ToolDefinition:
        """Finds a tool.

        Raises:
            CallError: If there is none, or its text has problems.
        """
        return await self._found(name, "tool", lambda: TOOLS.version_for_run(name, None, may_edit=True).yaml, read_tool)

    def variables(self, name: str) -> ToolVariables | None:
        """Returns what a tool's steps take; `None` where there is no such tool, or no database to look in."""
        text = self._in_folder().get(f"tool {name}")
        try:
            if text is None:
                return stored_variables(name)
            known = variables_of(read_tool(text))
        except (ServiceError, DatabaseError):
            return None
        return ToolVariables(known, known)

    def tool_env(self, name: str) -> Iterable[str]:
        """Returns the entries of the environment that a tool names; none where it can't be read: the run says why."""
        text = self._in_folder().get(f"tool {name}")
        try:
            return read_tool(text or TOOLS.version_for_run(name, None, may_edit=True).yaml).env
        except (ServiceError, DatabaseError):
            return ()

    async def graph(self, name: str) -> str:
        """Finds a graph's text.

        Raises:
            CallError: If there is none.
        """
        return await self._found(name, "graph", lambda: _stored_graph(name), str)

    def providers(self) -> list[Provider]:
        """Returns the stored model servers; none where there is no database."""
        try:
            return stored_providers()
        except DatabaseError:
            if self._path is None:
                raise
            return []

    async def _found(self, name: str, kind: str, stored: Callable[[], str], read: Callable[[str], Any]) -> Any:
        text = self._in_folder().get(f"{kind} {name}")
        try:
            if text is None:
                text = await sync_to_async(stored)()
            return read(text)
        except ServiceError as error:
            raise CallError(error.detail) from error
        except DatabaseError as error:
            raise CallError(f"There is no {kind} {name} in the folder, and no database to look in.") from error

    def _in_folder(self) -> dict[str, str]:
        """Returns the texts of the folder's files by kind and the name inside."""
        if self._texts is None:
            self._texts = {}
            paths = sorted(self._path.iterdir()) if self._path else []
            for path in [path for path in paths if path.suffix in SUFFIXES and path.is_file()][:_MOST_FILES]:
                self._add(path)
        return self._texts

    def _add(self, path: Path) -> None:
        assert self._texts is not None
        try:
            text = _read(path)
            data, _ = read_text(text)
        except (CommandError, GraphError):
            return  # another file of the folder; nobody asked for it
        if isinstance(data, dict) and isinstance(data.get("name"), str):
            self._texts.setdefault(f"{_kind(data)} {data['name']}", text)


def kind_of(text: str) -> str:
    """Returns whether a text is of a tool or of a graph; a graph where it can't be read."""
    try:
        return _kind(read_text(text)[0])
    except GraphError:
        return "graph"


def _kind(data: Any) -> str:
    return "tool" if isinstance(data, dict) and "steps" in data else "graph"


def _read(path: Path) -> str:
    try:
        return read_document(path)
    except FileError as error:
        raise CommandError(str(error)) from error


def _stored_graph(name: str) -> str:
    return GRAPHS.text(GRAPHS.version_for_run(name, None, may_edit=True))
