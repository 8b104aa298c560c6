"""Tools as stored documents."""

from __future__ import annotations

from dataclasses import asdict

from toolkit_app.documents import CheckedText, DocumentKind
from toolkit_app.engine import ToolDefinition, check_tool
from toolkit_app.errors import InvalidError
from toolkit_app.models import Tool
from toolkit_app.names import check_name

_RESERVED = {"validate"}


def tool_check(text: str) -> CheckedText:
    """Reads a text; whatever it is, the answer says what is wrong with it."""
    definition, problems = check_tool(text)
    shown = [asdict(problem) for problem in problems]
    if definition is None:
        return CheckedText(text, None, "", None, shown)
    return CheckedText(text, definition.name, definition.desc, definition, shown)


def _name(name: str) -> str:
    check_name(name)
    if name in _RESERVED:
        raise InvalidError(f"{name} is an address of the server. Pick another name.", code="name")
    return name


TOOLS = DocumentKind("tool", Tool, "yaml", "yaml", tool_check, _name)


def read_tool(text: str) -> ToolDefinition:
    """Returns the definition of a text without problems.

    Raises:
        InvalidError: With every problem.
    """
    definition: ToolDefinition = TOOLS.require_sound(tool_check(text)).definition
    return definition
