"""Runs of tools and graphs, and their journals."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from toolkit_app.models import DocumentBase, Tool, VersionBase


class Status(models.TextChoices):
    """What a run is doing."""

    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    PAUSED = "paused"
    STOPPING = "stopping"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"


TERMINAL: frozenset[str] = frozenset({Status.FINISHED, Status.FAILED, Status.CANCELLED})
RESTING: frozenset[str] = frozenset({Status.WAITING, Status.PAUSED})
"""Nobody runs it: it goes on when somebody answers or commands."""
ACTIVE: frozenset[str] = frozenset({Status.QUEUED, Status.RUNNING, Status.STOPPING})


class Graph(DocumentBase):
    """A graph."""


class GraphVersion(VersionBase):
    """One save of a graph: the definition's text as it was written, byte for byte."""

    graph = models.ForeignKey(Graph, on_delete=models.CASCADE, related_name="versions")
    text = models.TextField()
    as_object = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["graph", "revision"], name="one_graph_version_a_revision")
        ]


class ModelProvider(models.Model):
    """A server of language models; its key is encrypted as secrets are."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=64, unique=True)
    base_url = models.CharField(max_length=500)
    reasoning = models.CharField(max_length=200)
    function = models.CharField(max_length=200, blank=True)
    is_default = models.BooleanField(default=False)
    key_id = models.CharField(max_length=32, blank=True)
    wrapped_key = models.BinaryField(default=b"")
    sealed_key = models.BinaryField(default=b"")

    def __str__(self) -> str:
        return self.name


class Run(models.Model):
    """One run. The journal tells what happened; this row holds what lists and recovery need.

    `lease_owner`, `lease_until` and `fence` say which process runs it: a process whose lease ran out may be overtaken,
    and the overtaker raises `fence`, so that the slow one's later writes are refused.
    """

    class Kind(models.TextChoices):
        """What is run."""

        TOOL = "tool"
        GRAPH = "graph"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=8, choices=Kind)
    name = models.CharField(max_length=64)
    revision = models.PositiveIntegerField()
    status = models.CharField(max_length=12, choices=Status, default=Status.QUEUED)
    mode = models.CharField(max_length=8, default="run")
    environment = models.CharField(max_length=64, blank=True)
    inputs: models.JSONField[Any, Any] = models.JSONField(default=dict)
    options: models.JSONField[Any, Any] = models.JSONField(default=dict)
    shown_inputs: models.JSONField[Any, Any] = models.JSONField(default=dict)
    output = models.TextField(null=True)
    error: models.JSONField[Any, Any] = models.JSONField(null=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    parent = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="forks")
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    last_seq = models.PositiveBigIntegerField(default=0)
    lease_owner = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True)
    fence = models.PositiveIntegerField(default=0)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["-created_at", "-id"], name="run_newest"),
            models.Index(fields=["kind", "name", "-created_at", "-id"], name="run_of"),
            models.Index(fields=["kind", "-created_at", "-id"], name="run_kind"),
            models.Index(fields=["name", "-created_at", "-id"], name="run_name"),
            models.Index(fields=["status", "-created_at", "-id"], name="run_status"),
            models.Index(fields=["user", "-created_at", "-id"], name="run_user"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name} {self.id}"


class RunEvent(models.Model):
    """One event of a journal, as the JSON text that readers get."""

    pk = models.CompositePrimaryKey("run_id", "seq")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="events", db_index=False)
    seq = models.PositiveBigIntegerField()
    event = models.TextField()

    def __str__(self) -> str:
        return self.event[:80]


class RunValue(models.Model):
    """The whole of a value that an event shows the beginning of."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="values", db_index=False)
    key = models.CharField(max_length=64)
    text = models.TextField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["run", "key"], name="one_value_a_key")]

    def __str__(self) -> str:
        return self.key


class SavedTest(models.Model):
    """A recorded run that is replayed as a test of its tool or graph.

    It stands alone: the run may go after its time. `recording` has what servers, models and people answered, as the
    journal had it, without secrets; `expected` how the run ended.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tool = models.ForeignKey(Tool, null=True, on_delete=models.CASCADE, related_name="saved_tests")
    graph = models.ForeignKey(Graph, null=True, on_delete=models.CASCADE, related_name="saved_tests")
    title = models.CharField(max_length=120)
    inputs: models.JSONField[Any, Any] = models.JSONField(default=dict)
    recording: models.JSONField[Any, Any] = models.JSONField(default=dict)
    expected: models.JSONField[Any, Any] = models.JSONField(default=dict)
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    last_result: models.JSONField[Any, Any] = models.JSONField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(tool__isnull=False) ^ models.Q(graph__isnull=False),
                name="saved_test_of_one_document",
            )
        ]

    def __str__(self) -> str:
        return self.title
