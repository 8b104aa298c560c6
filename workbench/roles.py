"""The four roles and what each may do. A role may do everything that the roles below it may."""

from __future__ import annotations

from django.db import models


class Role(models.TextChoices):
    """What a person is to the server, from the least to the most."""

    VIEWER = "viewer"
    OPERATOR = "operator"
    AUTHOR = "author"
    ADMIN = "admin"

    @property
    def rank(self) -> int:
        """Place in the order of roles, 0 for the viewer."""
        return list(Role).index(self)

    @property
    def permissions(self) -> frozenset[str]:
        """Every permission that this role has, its own and those of the roles below."""
        return frozenset().union(*(_OWN[role] for role in Role if role.rank <= self.rank))


# `signed_in` is what everybody with an account has.
_OWN: dict[Role, frozenset[str]] = {
    Role.VIEWER: frozenset({"signed_in", "tools.read", "graphs.read", "runs.read"}),
    Role.OPERATOR: frozenset({"runs.start", "runs.control", "environments.list"}),
    Role.AUTHOR: frozenset({"tools.write", "tools.publish", "graphs.write", "graphs.publish", "environments.names"}),
    Role.ADMIN: frozenset({"environments.write", "users.write", "settings.write", "audit.read"}),
}
PERMISSIONS: frozenset[str] = Role.ADMIN.permissions


def lesser(first: Role, second: Role) -> Role:
    """Returns the lower of two roles: a token never gives more than its owner has."""
    return first if first.rank <= second.rank else second
