"""Accounts, their links and tokens, and the audit trail."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.db import models
from django.utils import timezone

from workbench.roles import Role, lesser


class UserManager(BaseUserManager["User"]):
    """Makes users; `createsuperuser` comes through here."""

    use_in_migrations = True

    def create_user(
        self, username: str, email: str = "", password: str | None = None, role: str = Role.VIEWER, **extra: Any
    ) -> User:
        """Makes a user; without a password nobody can sign in as them until a set-up link was used."""
        user = self.model(
            username=self.model.normalize_username(username), email=self.normalize_email(email), role=role, **extra
        )
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, username: str, email: str = "", password: str | None = None, **extra: Any) -> User:
        """Makes an admin, for `manage.py createsuperuser`."""
        return self.create_user(username, email, password, role=Role.ADMIN, **extra)


class User(AbstractBaseUser):
    """Somebody with an account and one role."""

    username = models.CharField(max_length=64, unique=True, validators=[UnicodeUsernameValidator()])
    email = models.EmailField(blank=True)
    role = models.CharField(max_length=16, choices=Role, default=Role.VIEWER)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now)

    objects = UserManager()
    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["email"]

    token_scope: Role | None = None
    """The role of the token by which this request came, `None` for a cookie."""

    def __str__(self) -> str:
        return self.username

    @property
    def acting_role(self) -> Role:
        """The role that counts for this request: the user's, or the token's where that is lower."""
        role = Role(self.role)
        return lesser(role, self.token_scope) if self.token_scope else role

    def may(self, permission: str) -> bool:
        """Says whether this request has a permission of `roles.py`."""
        return self.is_active and permission in self.acting_role.permissions


class SetUpLink(models.Model):
    """A link that lets one person set a password, once. The token itself is not kept, only its hash."""

    class Kind(models.TextChoices):
        """Why the link was made."""

        FIRST_ADMIN = "first_admin"
        INVITATION = "invitation"
        RESET = "reset"

    token_hash = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=16, choices=Kind)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="set_up_links")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.kind} link of {self.created_at:%Y-%m-%d}"


class ApiToken(models.Model):
    """A key by which a program acts for its owner. The key itself is not kept, only its hash."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=64)
    scope = models.CharField(max_length=16, choices=Role)
    key_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name} of {self.owner}"


class AuditRecord(models.Model):
    """One thing that somebody did. Each record's hash covers the hash before it."""

    number = models.BigIntegerField(primary_key=True)
    at = models.DateTimeField()
    actor = models.CharField(max_length=64, db_index=True)
    action = models.CharField(max_length=64, db_index=True)
    target = models.CharField(max_length=200)
    detail = models.JSONField(default=dict)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering: ClassVar[list[str]] = ["-number"]

    def __str__(self) -> str:
        return f"{self.number} {self.actor} {self.action} {self.target}"
