"""Tools and their versions, environments with variables and secrets, and the network policy."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone


class DocumentBase(models.Model):
    """A document by name. Its text stands in its versions: the newest is the draft, one may be published."""

    name = models.CharField(max_length=64, unique=True)
    revision = models.PositiveIntegerField(default=0)
    published_revision = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True
        constraints: ClassVar = [models.UniqueConstraint(Lower("name"), name="one_%(class)s_a_name")]

    def __str__(self) -> str:
        return self.name


class VersionBase(models.Model):
    """One save of a document, with what was found when it was read."""

    revision = models.PositiveIntegerField()
    desc = models.TextField(blank=True)
    problem_count = models.PositiveIntegerField(default=0)
    note = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"revision {self.revision}"


class Tool(DocumentBase):
    """A tool."""


class ToolVersion(VersionBase):
    """One save of a tool: the YAML text as it was written, byte for byte."""

    tool = models.ForeignKey(Tool, on_delete=models.CASCADE, related_name="versions")
    yaml = models.TextField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["tool", "revision"], name="one_version_a_revision")]


class Environment(models.Model):
    """A named set of variables and secrets that runs draw `${env:…}` from."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=64, unique=True)
    description = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(Lower("name"), name="one_environment_a_name")]

    def __str__(self) -> str:
        return self.name


class EntryBase(models.Model):
    """What variables and secrets have in common."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=64)
    updated_at = models.DateTimeField(default=timezone.now)
    updated_by = models.CharField(max_length=64)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name


class Variable(EntryBase):
    """A value that may be shown."""

    environment = models.ForeignKey(Environment, on_delete=models.CASCADE, related_name="variables")
    value = models.TextField(blank=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["environment", "name"], name="one_variable_a_name")]


class Secret(EntryBase):
    """A value that goes in and never comes out; encrypted as `vault.py` says."""

    environment = models.ForeignKey(Environment, on_delete=models.CASCADE, related_name="secrets")
    hosts = models.JSONField(default=list)
    key_id = models.CharField(max_length=32)
    wrapped_key = models.BinaryField()
    sealed_value = models.BinaryField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["environment", "name"], name="one_secret_a_name")]


class NetworkRule(models.Model):
    """An address beyond the public ones that an admin opened."""

    class Use(models.TextChoices):
        """What may reach the address."""

        TOOLS = "tools"
        MODELS = "models"
        BOTH = "both"

    address = models.CharField(max_length=255)
    use = models.CharField(max_length=8, choices=Use)
    reason = models.CharField(max_length=500, blank=True)

    def __str__(self) -> str:
        return self.address
