"""Reading tools and environments for lists and pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery

from toolkit_app.documents import DocumentKind
from toolkit_app.environments import entry_users
from toolkit_app.models import Environment, Tool
from toolkit_app.tools import TOOLS, tool_check


def documents_matching(kind: DocumentKind, search: str | None, state: str | None) -> QuerySet[Any]:
    """Returns documents with their newest version's fields, filtered.

    Args:
        kind: Tools or graphs.
        search: Text that name or description holds.
        state: `draft`, `published`, `changed` (a draft newer than the published one) or `faulty`.
    """
    versions = kind.model.versions.rel.related_model.objects
    newest = versions.filter(**{kind.noun: OuterRef("pk")}, revision=OuterRef("revision"))
    documents = kind.model.objects.annotate(
        desc=Subquery(newest.values("desc")[:1]),
        problem_count=Subquery(newest.values("problem_count")[:1]),
        updated_at=Subquery(newest.values("created_at")[:1]),
        updated_by=Subquery(newest.values("created_by__username")[:1]),
    )
    if search:
        documents = documents.filter(Q(name__icontains=search) | Q(desc__icontains=search))
    match state:
        case "draft":
            documents = documents.filter(published_revision=None)
        case "published":
            documents = documents.filter(published_revision=F("revision"))
        case "changed":
            documents = documents.filter(published_revision__lt=F("revision"))
        case "faulty":
            documents = documents.filter(problem_count__gt=0)
    return documents  # type: ignore[no-any-return]


def document_row(document: Any, runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Returns a document as listed.

    Args:
        document: One of `documents_matching`.
        runs: Its last runs, the newest first.
    """
    return {
        "name": document.name,
        "desc": document.desc or "",
        "state": _state(document),
        "revision": document.revision,
        "published_revision": document.published_revision,
        "problem_count": document.problem_count or 0,
        "last_run": runs[0] if runs else None,
        "recent_runs": list(runs),
        "updated_at": document.updated_at,
        "updated_by": document.updated_by,
    }


def tool_detail(tool: Tool) -> dict[str, Any]:
    """Returns a tool with its newest text and what is wrong with it."""
    version = TOOLS.version(tool)
    checked = tool_check(version.yaml)
    definition = checked.definition
    schema = definition.function_schema() if definition else None
    return {
        "name": tool.name,
        "desc": definition.desc if definition else version.desc,
        "yaml": version.yaml,
        "revision": tool.revision,
        "published_revision": tool.published_revision,
        "problems": checked.problems,
        "function_schema": schema,
        "params": [param.model_dump(exclude_unset=True) for param in definition.params] if definition else [],
        "env": list(definition.env) if definition else [],
        "updated_at": version.created_at,
        "updated_by": version.created_by.username if version.created_by else None,
    }


def version_row(document: Any, version: Any) -> dict[str, Any]:
    """Returns a version as listed."""
    return {
        "revision": version.revision,
        "created_at": version.created_at,
        "created_by": version.created_by.username if version.created_by else None,
        "note": version.note,
        "published": version.revision == document.published_revision,
        "problem_count": version.problem_count,
    }


def environments_counted() -> QuerySet[Environment]:
    """Returns environments with the numbers of their variables and secrets."""
    return Environment.objects.annotate(
        variable_count=Count("variables", distinct=True), secret_count=Count("secrets", distinct=True)
    )


def environment_detail(environment: Environment, *, with_values: bool) -> dict[str, Any]:
    """Returns an environment's entries; a secret's value is never among them.

    Args:
        environment: Which one.
        with_values: For admins: values of variables, hosts of secrets, who set them and what uses them. Others see
            names only.
    """
    variables, secrets = environment.variables.order_by("name"), environment.secrets.order_by("name")
    if not with_values:
        return {
            "name": environment.name,
            "description": environment.description,
            "variables": [{"name": variable.name} for variable in variables],
            "secrets": [{"name": secret.name, "set": True} for secret in secrets],
        }
    users = entry_users()
    return {
        "name": environment.name,
        "description": environment.description,
        "variables": [
            {
                "name": variable.name,
                "value": variable.value,
                "updated_at": variable.updated_at,
                "updated_by": variable.updated_by,
                "used_by": users.get(variable.name, []),
            }
            for variable in variables
        ],
        "secrets": [
            {
                "name": secret.name,
                "set": True,
                "hosts": secret.hosts,
                "updated_at": secret.updated_at,
                "updated_by": secret.updated_by,
                "used_by": users.get(secret.name, []),
            }
            for secret in secrets
        ],
    }


def _state(document: Any) -> str:
    if document.published_revision is None:
        return "draft"
    return "published" if document.published_revision == document.revision else "changed"
