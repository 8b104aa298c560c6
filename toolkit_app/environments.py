"""Services on environments: entries, secrets, and what a run draws from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from toolkit_app.audit import audit
from toolkit_app.engine import check_tool
from toolkit_app.engine.redaction import SecretValue
from toolkit_app.errors import ConflictError, InvalidError, NotFoundError
from toolkit_app.models import Environment, Secret, ToolVersion, Variable
from toolkit_app.names import check_name
from toolkit_app.network import address_problem
from toolkit_app.vault import Sealed, Vault, VaultError


@dataclass(frozen=True, slots=True)
class EnvironmentValues:
    """What a run may draw: variables as they are, secrets with the hosts that they may go to."""

    variables: Mapping[str, str] = field(default_factory=dict)
    secrets: tuple[SecretValue, ...] = ()

    def env(self) -> dict[str, str]:
        """Returns every entry by name, as tools read them."""
        return {**self.variables, **{secret.name: secret.value for secret in self.secrets}}


_vaults: dict[str, Vault] = {}


def vault() -> Vault:
    """Returns the vault of this server's key file."""
    path = str(settings.KEY_FILE)
    if path not in _vaults:
        _vaults[path] = Vault(settings.KEY_FILE)
    return _vaults[path]


def environment_get(name: str) -> Environment:
    """Finds an environment.

    Raises:
        NotFoundError: If there is none of this name.
    """
    environment = Environment.objects.filter(name=name).first()
    if environment is None:
        raise NotFoundError(f"There is no environment {name}.")
    return environment


def _locked(name: str) -> Environment:
    """Finds an environment and holds it: a name is a variable or a secret, also when two people set it at once."""
    environment = Environment.objects.select_for_update().filter(name=name).first()
    if environment is None:
        raise NotFoundError(f"There is no environment {name}.")
    return environment


@transaction.atomic
def environment_create(actor: str, name: str, description: str) -> Environment:
    """Makes an empty environment.

    Raises:
        InvalidError: If the name doesn't fit the rule.
        ConflictError: If the name is taken.
    """
    check_name(name)
    if Environment.objects.filter(name__iexact=name).exists():
        raise ConflictError(f"There is an environment {name} already.", fields={"name": ["This name is taken."]})
    environment = Environment.objects.create(name=name, description=description)
    audit(actor, "environment.create", name)
    return environment


@transaction.atomic
def environment_change(actor: str, name: str, description: str) -> Environment:
    """Changes the description."""
    environment = environment_get(name)
    environment.description = description
    environment.save()
    audit(actor, "environment.change", name)
    return environment


@transaction.atomic
def environment_delete(actor: str, name: str) -> None:
    """Removes an environment with all its entries."""
    environment_get(name).delete()
    audit(actor, "environment.delete", name)


@transaction.atomic
def variable_set(actor: str, environment_name: str, name: str, value: str) -> None:
    """Sets a variable.

    Raises:
        ConflictError: If a secret has this name.
    """
    environment = _locked(environment_name)
    check_name(name)
    if environment.secrets.filter(name=name).exists():
        raise ConflictError(f"{name} is a secret of this environment. Delete the secret first, or pick another name.")
    Variable.objects.update_or_create(
        environment=environment,
        name=name,
        defaults={"value": value, "updated_at": timezone.now(), "updated_by": actor},
    )
    audit(actor, "variable.set", f"{environment_name}/{name}")


def secret_set(actor: str, environment_name: str, name: str, value: str, hosts: list[str]) -> None:
    """Sets a secret and the hosts that it may go to. Its value can't be read again.

    Raises:
        InvalidError: If a host is not a host or host:port.
        ConflictError: If a variable has this name.
    """
    with vault().sealing(), transaction.atomic():
        _secret_set(actor, environment_name, name, value, hosts)


def _secret_set(actor: str, environment_name: str, name: str, value: str, hosts: list[str]) -> None:
    environment = _locked(environment_name)
    check_name(name)
    fields = {f"hosts.{i}": [text] for i, host in enumerate(hosts) if (text := _host_problem(host))}
    if fields:
        raise InvalidError(" ".join(text for texts in fields.values() for text in texts), fields=fields)
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidError("The value holds half a character (a lone surrogate). Paste it again.") from error
    if environment.variables.filter(name=name).exists():
        raise ConflictError(
            f"{name} is a variable of this environment. Delete the variable first, or pick another name."
        )
    secret = Secret.objects.filter(environment=environment, name=name).first() or Secret(
        environment=environment, name=name
    )
    sealed = vault().seal(value, secret_identity(secret))
    secret.key_id, secret.wrapped_key, secret.sealed_value = sealed.key_id, sealed.wrapped_key, sealed.sealed_value
    secret.hosts = [host.lower() for host in hosts]
    secret.updated_at, secret.updated_by = timezone.now(), actor
    secret.save()
    audit(actor, "secret.set", f"{environment_name}/{name}", hosts=secret.hosts)


@transaction.atomic
def entry_delete(actor: str, environment_name: str, kind: str, name: str) -> None:
    """Removes a variable or a secret.

    Raises:
        NotFoundError: If there is none of this name.
    """
    environment = environment_get(environment_name)
    rows = environment.variables if kind == "variable" else environment.secrets
    deleted, _ = rows.filter(name=name).delete()
    if not deleted:
        raise NotFoundError(f"There is no {kind} {name} in {environment_name}.")
    audit(actor, f"{kind}.delete", f"{environment_name}/{name}")


def environment_values(name: str | None) -> EnvironmentValues:
    """Opens what a run draws from its environment; without a name there is nothing.

    Raises:
        NotFoundError: If there is no such environment.
        VaultError: If a secret doesn't open.
    """
    if not name:
        return EnvironmentValues()
    environment = environment_get(name)
    variables = {variable.name: variable.value for variable in environment.variables.all()}
    try:
        secrets = _open_secrets(environment)
    except VaultError:  # a rotation may have removed the keys of what was read just before it: what is there now counts
        secrets = _open_secrets(environment)
    return EnvironmentValues(variables, secrets)


def _open_secrets(environment: Environment) -> tuple[SecretValue, ...]:
    return tuple(
        SecretValue(secret.name, vault().open(_sealed(secret), secret_identity(secret)), tuple(secret.hosts))
        for secret in environment.secrets.all()
    )


def environment_lacks(name: str | None, needed: Iterable[str]) -> list[str]:
    """Returns the needed names that an environment doesn't have, in their order."""
    have: set[str] = set()
    if name:
        environment = environment_get(name)
        have |= set(environment.variables.values_list("name", flat=True))
        have |= set(environment.secrets.values_list("name", flat=True))
    return [entry for entry in dict.fromkeys(needed) if entry not in have]


def entry_users() -> dict[str, list[str]]:
    """Returns, for each name in the `env` of the tools' newest texts, the tools that list it."""
    users: dict[str, list[str]] = {}
    newest = ToolVersion.objects.filter(revision=F("tool__revision")).select_related("tool").order_by("tool__name")
    for version in newest:
        tool, _ = check_tool(version.yaml)
        for entry in tool.env if tool else []:
            users.setdefault(entry, []).append(version.tool.name)
    return users


def secret_identity(secret: Secret) -> str:
    """Returns what binds an encrypted value to its row."""
    return f"{secret.pk}:{secret.environment_id}:{secret.name}"


def _sealed(secret: Secret) -> Sealed:
    return Sealed(secret.key_id, bytes(secret.wrapped_key), bytes(secret.sealed_value))


def _host_problem(host: str) -> str | None:
    if "/" in host:
        return f"{host}: only a host or host:port, such as api.example.com; no https:// and no path."
    return address_problem(host)
