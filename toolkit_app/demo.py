"""What a fresh install has to try out, and the folder of tools loaded at start."""

from __future__ import annotations

from pathlib import Path

from django.db import transaction

from toolkit_app.engine.files import FileError, read_document
from toolkit_app.errors import ConflictError, ServiceError
from toolkit_app.models import Tool
from toolkit_app.tools import TOOLS, tool_check

_FOLDER = Path(__file__).resolve().parent / "demo_tools"


@transaction.atomic
def load_demo() -> int:
    """Loads and publishes the demo tools into a database that has no tool yet.

    Returns:
        How many were loaded.
    """
    if Tool.objects.exists():
        return 0
    files = sorted(_FOLDER.glob("*.yaml"))
    for path in files:
        tool = TOOLS.create(None, path.read_text(encoding="utf-8"), note="Demo")
        TOOLS.publish(None, tool.name, tool.revision)
    return len(files)


def load_tools_folder(folder: Path) -> list[str]:
    """Loads every tool file of a folder and publishes it; one that is stored already gets a new version if it differs.

    Returns:
        A warning for each file that could not be loaded; it names the file.
    """
    if not folder.is_dir():
        return [f"{folder} is no folder; no tools were loaded from it. Check WORKBENCH_TOOLS."]
    warnings = []
    names: dict[str, Path] = {}
    for path in sorted(path for path in folder.iterdir() if path.suffix in {".yaml", ".yml"}):
        try:
            _load_file(path, names)
        except FileError as error:
            warnings.append(str(error))
        except ServiceError as error:
            warnings.append(f"{path}: {error.detail}")
    return warnings


@transaction.atomic
def _load_file(path: Path, names: dict[str, Path]) -> None:
    text = read_document(path)
    definition = tool_check(text).definition
    if definition is not None:
        earlier = names.setdefault(definition.name, path)
        if earlier != path:  # else each start would make two versions, one of each
            raise ConflictError(f"The name {definition.name} is used by {earlier} already.")
    tool = Tool.objects.filter(name=definition.name).first() if definition else None
    if tool is None:
        tool = TOOLS.create(None, text, note=f"Loaded from {path.name}")
        TOOLS.publish(None, tool.name, tool.revision)
    elif tool.versions.get(revision=tool.revision).yaml != text:
        tool = TOOLS.save(None, tool.name, text, tool.revision, note=f"Loaded from {path.name}")
        TOOLS.publish(None, tool.name, tool.revision)
