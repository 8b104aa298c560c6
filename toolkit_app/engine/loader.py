"""Loads tools: a text, or a folder of files."""

import logging
from dataclasses import dataclass, field
from pathlib import Path

from .checks import check_meaning
from .definition import ToolDefinition
from .document import read_document
from .errors import Problem, ToolSyntaxError
from .structure import check_structure
from .yaml_reader import Limits, YamlError, read_yaml

LIMITS = Limits(chars=262_144, depth=32, nodes=20_000, aliases=50, scalar=65_536, digits=100)
"""What a tool's document may measure."""

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ToolFile:
    """A tool and the file it was loaded from."""

    path: Path
    text: str
    tool: ToolDefinition


@dataclass(slots=True)
class ToolFolder:
    """The tools of a folder.

    Attributes:
        files: What was loaded, in the order of the file names.
        warnings: A message for each file that was left out; it names the file.
    """

    files: list[ToolFile] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def tools(self) -> list[ToolDefinition]:
        """The tools that were loaded."""
        return [file.tool for file in self.files]


def check_tool(text: str) -> tuple[ToolDefinition | None, list[Problem]]:
    """Read a tool and gather its problems; never raises, whatever the text.

    Returns:
        The tool, None when it has problems; and the problems in the order of the text.
    """
    try:
        root = read_yaml(text, LIMITS)
    except YamlError as error:
        return None, [Problem("", error.line, error.column, error.message)]
    if root is None:
        return None, [Problem("", 1, 1, "The document is empty; a tool begins with `name:`.")]
    document = read_document(root, text)
    tool = check_structure(document)
    check_meaning(document)
    problems = sorted(document.problems, key=lambda problem: (problem.line, problem.column))
    return (None if problems else tool), problems


def load_tool(text: str) -> ToolDefinition:
    """Read a tool.

    Args:
        text: The YAML text.

    Raises:
        ToolSyntaxError: It has problems; all of them are in `problems`.
    """
    tool, problems = check_tool(text)
    if tool is None:
        raise ToolSyntaxError(problems)
    return tool


def load_folder(folder: str | Path) -> ToolFolder:
    """Load every `*.yaml` and `*.yml` file of a folder; a bad file becomes a warning that names it.

    Raises:
        OSError: The folder itself can't be read.

    Source: specification, "error handling": a malformed file is skipped with a warning.
    """
    loaded = ToolFolder()
    taken: dict[str, Path] = {}
    for path in sorted(Path(folder).iterdir()):
        if path.suffix.lower() not in {".yaml", ".yml"}:
            continue
        try:
            if not path.is_file() or path.stat().st_size > 4 * LIMITS.chars:
                _warn(loaded, f"{path.name} was skipped: it is no file, or too large for a tool.")
                continue
            text = path.read_text(encoding="utf-8-sig")
            tool = load_tool(text)
        except (OSError, UnicodeError) as error:
            _warn(loaded, f"{path.name} was skipped: it can't be read as UTF-8 text ({error}).")
            continue
        except ToolSyntaxError as error:
            _warn(loaded, f"{path.name} was skipped: {error}")
            continue
        if tool.name in taken:
            _warn(loaded, f"{path.name} was skipped: {taken[tool.name].name} holds a tool named `{tool.name}` already.")
            continue
        taken[tool.name] = path
        loaded.files.append(ToolFile(path, text, tool))
    return loaded


def _warn(loaded: ToolFolder, message: str) -> None:
    _logger.warning("%s", message)
    loaded.warnings.append(message)
