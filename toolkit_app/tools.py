"""Services on tools: every save is a version, one version may be published, texts are kept as written."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from toolkit_app.audit import audit
from toolkit_app.engine import Problem, ToolDefinition, check_tool
from toolkit_app.errors import ConflictError, InvalidError, NotFoundError
from toolkit_app.models import Tool, ToolVersion
from toolkit_app.names import check_name

_PROBLEMS_SHOWN = 5
_RESERVED = {"validate"}


@dataclass(frozen=True, slots=True)
class CheckedTool:
    """A text with what was read from it."""

    text: str
    definition: ToolDefinition | None
    problems: list[Problem]


def tool_check(text: str) -> CheckedTool:
    """Reads a text; whatever it is, the answer says what is wrong with it."""
    definition, problems = check_tool(text)
    return CheckedTool(text, definition, problems)


def tool_get(name: str) -> Tool:
    """Finds a tool.

    Raises:
        NotFoundError: If there is none of this name.
    """
    tool = Tool.objects.filter(name=name).first()
    if tool is None:
        raise NotFoundError(f"There is no tool {name}.")
    return tool


def tool_version(tool: Tool, revision: int | None = None) -> ToolVersion:
    """Finds a version; the newest unless told.

    Raises:
        NotFoundError: If the tool has no such revision.
    """
    wanted = tool.revision if revision is None else revision
    version = tool.versions.filter(revision=wanted).select_related("created_by").first()
    if version is None:
        raise NotFoundError(f"{tool.name} has no revision {wanted}; the newest is {tool.revision}.")
    return version


@transaction.atomic
def tool_create(user: Any, text: str, *, note: str = "") -> Tool:
    """Makes a tool from its text; the name is the text's.

    Raises:
        InvalidError: With every problem of the text, or if the name doesn't fit the rule.
        ConflictError: If the name is taken.
    """
    checked = tool_check(text)
    definition = require_sound(checked)
    check_name(definition.name)
    if definition.name in _RESERVED:
        raise InvalidError(f"{definition.name} is an address of the server. Pick another name.", code="name")
    if Tool.objects.filter(name__iexact=definition.name).exists():
        raise ConflictError(
            f"There is a tool {definition.name} already. Pick another name in the first line of the text.", code="taken"
        )
    tool = Tool.objects.create(name=definition.name)
    _add_version(tool, checked, user, note)
    audit(_actor(user), "tool.create", tool.name)
    return tool


@transaction.atomic
def tool_save(user: Any, name: str, text: str, base_revision: int, *, note: str = "") -> Tool:
    """Saves a text as a new version, a faulty one too; the newest text again makes no version unless it is named.

    Raises:
        ConflictError: If another save came first, with both texts.
        InvalidError: If the text names another tool.
    """
    tool = _locked(name)
    newest = tool_version(tool)
    if base_revision != tool.revision:
        raise ConflictError(
            f"{_author(newest)} saved revision {newest.revision} after you opened revision {base_revision}.",
            current={
                "revision": newest.revision,
                "yaml": newest.yaml,
                "updated_at": newest.created_at,
                "updated_by": newest.created_by.username if newest.created_by else None,
            },
            yours={"base_revision": base_revision, "yaml": text},
        )
    checked = tool_check(text)
    if checked.definition is not None and checked.definition.name != tool.name:
        raise InvalidError(
            f"The text names {checked.definition.name}, but this is {tool.name}. "
            "To rename a tool, make a new one with this text.",
            code="renamed",
            fields={"yaml": [f"name must stay {tool.name}."]},
        )
    if text != newest.yaml or note:
        _add_version(tool, checked, user, note)
        audit(_actor(user), "tool.save", tool.name, revision=tool.revision)
    return tool


@transaction.atomic
def tool_restore(user: Any, name: str, revision: int) -> Tool:
    """Makes a new version with the text of an older one."""
    tool = _locked(name)
    version = tool_version(tool, revision)
    _add_version(tool, tool_check(version.yaml), user, f"Revision {revision} restored")
    audit(_actor(user), "tool.restore", tool.name, revision=revision)
    return tool


@transaction.atomic
def tool_publish(user: Any, name: str, revision: int) -> Tool:
    """Publishes a version: runs from outside use it from now on.

    Raises:
        InvalidError: With every problem of the version's text.
        NotFoundError: If there is no such revision.
    """
    tool = _locked(name)
    require_sound(tool_check(tool_version(tool, revision).yaml))
    tool.published_revision = revision
    tool.save()
    audit(_actor(user), "tool.publish", tool.name, revision=revision)
    return tool


@transaction.atomic
def tool_delete(user: Any, name: str) -> None:
    """Removes a tool with its versions; its runs stay."""
    _locked(name).delete()
    audit(_actor(user), "tool.delete", name)


def tool_compare(name: str, revision: int, other: int) -> str:
    """Returns how `other` differs from `revision`, as unified diff."""
    tool = tool_get(name)
    first, second = tool_version(tool, revision), tool_version(tool, other)
    lines = difflib.unified_diff(
        first.yaml.splitlines(keepends=True),
        second.yaml.splitlines(keepends=True),
        f"{name} revision {revision}",
        f"{name} revision {other}",
    )
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def version_for_run(name: str, revision: int | None, *, may_edit: bool) -> ToolVersion:
    """Picks the version that a run uses: the named one, else the published one, else the newest where one may edit.

    Raises:
        NotFoundError: If there is no such tool or revision.
        ConflictError: If nothing is published and the caller may not edit.
    """
    tool = tool_get(name)
    if revision is not None:
        return tool_version(tool, revision)
    if tool.published_revision is not None:
        return tool_version(tool, tool.published_revision)
    if not may_edit:
        raise ConflictError(f"{name} has not been published yet. Ask its author to publish it.", code="not_published")
    return tool_version(tool)


def require_sound(checked: CheckedTool) -> ToolDefinition:
    """Returns the definition of a text without problems.

    Raises:
        InvalidError: With every problem.
    """
    if checked.definition is None or checked.problems:
        shown = [f"line {p.line}, column {p.column}: {p.message}" for p in checked.problems[:_PROBLEMS_SHOWN]]
        more = len(checked.problems) - len(shown)
        raise InvalidError(
            "The text has problems: " + "; ".join(shown) + (f"; and {more} more" if more > 0 else "") + ".",
            code="problems",
            problems=problems_json(checked.problems),
        )
    return checked.definition


def problems_json(problems: list[Problem]) -> list[dict[str, Any]]:
    """Returns problems as the API gives them."""
    return [
        {"path": problem.path, "line": problem.line, "column": problem.column, "message": problem.message}
        for problem in problems
    ]


def _locked(name: str) -> Tool:
    tool = Tool.objects.select_for_update().filter(name=name).first()
    if tool is None:
        raise NotFoundError(f"There is no tool {name}.")
    return tool


def _add_version(tool: Tool, checked: CheckedTool, user: Any, note: str) -> None:
    tool.revision += 1
    tool.save()
    ToolVersion.objects.create(
        tool=tool,
        revision=tool.revision,
        yaml=checked.text,
        desc=checked.definition.desc if checked.definition else "",
        problem_count=len(checked.problems),
        note=note,
        created_by=user,
        created_at=timezone.now(),
    )


def _actor(user: Any) -> str:
    return user.username if user is not None else "system"


def _author(version: ToolVersion) -> str:
    return version.created_by.username if version.created_by else "Somebody"
