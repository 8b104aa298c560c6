"""Model servers that admins configured; their keys are kept as secrets are."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlsplit

from django.db import transaction
from pydantic import Field, StringConstraints

from graph_app.calls import Provider
from graph_app.models import ModelProvider
from graph_app.runs.assembly import SANDBOX
from toolkit_app.audit import audit
from toolkit_app.environments import vault
from toolkit_app.errors import InvalidError
from toolkit_app.vault import Sealed
from toolkit_app.web import Body

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]
ModelName = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]


class ProviderBody(Body):
    """A model server. `key` goes in and never comes out; left out, the stored one stays."""

    name: Name
    base_url: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
    reasoning: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
    function: ModelName = ""
    key: Annotated[str, StringConstraints(max_length=10_000)] | None = None
    key_set: bool | None = None


class ModelsBody(Body):
    """The model servers, the default one first, and which is the default."""

    providers: list[ProviderBody] = Field(max_length=50)
    default: str | None = None


def stored_providers() -> list[Provider]:
    """Returns the configured servers with their keys, the default one first; the sandbox is always among them."""
    rows = list(ModelProvider.objects.order_by("-is_default", "pk"))
    found = [
        Provider(
            name=row.name,
            base_url=row.base_url,
            api_key=vault().open(_sealed(row), provider_identity(row)) if row.sealed_key else "",
            reasoning=row.reasoning,
            function=row.function,
        )
        for row in rows
    ]
    if any(row.is_default for row in rows):
        return [*found, SANDBOX]
    return [SANDBOX, *found]


def models_shown() -> dict[str, Any]:
    """Returns the settings as admins see them: whether a key is set, never the key."""
    rows = list(ModelProvider.objects.order_by("pk"))
    default = next((row.name for row in rows if row.is_default), SANDBOX.name)
    return {
        "providers": [
            {
                "name": row.name,
                "base_url": row.base_url,
                "reasoning": row.reasoning,
                "function": row.function,
                "key_set": bool(row.sealed_key),
            }
            for row in rows
        ],
        "default": default,
    }


def models_named() -> list[dict[str, Any]]:
    """Returns what a step may name as its model, the default one first; neither addresses nor keys."""
    rows = list(ModelProvider.objects.order_by("-is_default", "pk"))
    found = [{"name": row.name, "model": row.reasoning, "function": row.function} for row in rows]
    sandbox = {"name": SANDBOX.name, "model": SANDBOX.reasoning, "function": SANDBOX.function}
    named = [*found, sandbox] if any(row.is_default for row in rows) else [sandbox, *found]
    return [{**row, "default": index == 0} for index, row in enumerate(named)]


def models_replace(actor: str, given: ModelsBody) -> None:
    """Replaces the model servers; a key that is left out stays as it was.

    Raises:
        InvalidError: If a name comes twice, an address is none, or the default is not among them.
    """
    with vault().sealing(), transaction.atomic():
        _replace(actor, given)


def _replace(actor: str, given: ModelsBody) -> None:
    names = [provider.name for provider in given.providers]
    fields: dict[str, list[str]] = {}
    for index, provider in enumerate(given.providers):
        if names.count(provider.name) > 1 or provider.name == SANDBOX.name:
            fields[f"models.providers.{index}.name"] = ["This name is taken."]
        parts = urlsplit(provider.base_url)
        if parts.scheme not in {"http", "https"} or not parts.netloc:
            fields[f"models.providers.{index}.base_url"] = ["An address is wanted, such as https://api.example.com/v1."]
    default = given.default or SANDBOX.name
    if default != SANDBOX.name and default not in names:
        fields["models.default"] = [f"There is no {default} among the providers."]
    if fields:
        raise InvalidError(" ".join(text for texts in fields.values() for text in texts), fields=fields)
    ModelProvider.objects.exclude(name__in=names).delete()
    for provider in given.providers:
        row = ModelProvider.objects.filter(name=provider.name).first() or ModelProvider(name=provider.name)
        row.base_url, row.reasoning, row.function = provider.base_url, provider.reasoning, provider.function
        row.is_default = provider.name == default
        if provider.key is not None:
            sealed = vault().seal(provider.key, provider_identity(row)) if provider.key else Sealed("", b"", b"")
            row.key_id, row.wrapped_key, row.sealed_key = sealed.key_id, sealed.wrapped_key, sealed.sealed_value
        row.save()
    audit(actor, "settings.models", "models", providers=names, default=default)


def provider_identity(row: ModelProvider) -> str:
    """Returns what binds an encrypted key to its row."""
    return f"provider:{row.pk}:{row.name}"


def _sealed(row: ModelProvider) -> Sealed:
    return Sealed(row.key_id, bytes(row.wrapped_key), bytes(row.sealed_key))
