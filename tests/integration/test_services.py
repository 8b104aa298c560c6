"""With PostgreSQL and Redis: run by `make test` once more with DATABASE_URL and REDIS_URL set."""

from __future__ import annotations

import os
import uuid
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from graph_app.models import Graph
from toolkit_app.models import Environment, Tool


@pytest.mark.skipif("DATABASE_URL" not in os.environ, reason="runs when DATABASE_URL is set")
@pytest.mark.django_db
def test_the_database_is_postgresql() -> None:
    assert connection.vendor == "postgresql"


@pytest.mark.skipif("REDIS_URL" not in os.environ, reason="runs when REDIS_URL is set")
def test_a_message_crosses_redis() -> None:
    layer = get_channel_layer()
    assert type(layer).__module__.startswith("channels_redis")

    async def cross() -> dict[str, str]:
        group = uuid.uuid4().hex
        channel = await layer.new_channel()
        await layer.group_add(group, channel)
        await layer.group_send(group, {"type": "more", "seq": "1"})
        return await layer.receive(channel)

    assert async_to_sync(cross)() == {"type": "more", "seq": "1"}


@pytest.mark.django_db
def test_models_and_migrations_agree() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.django_db
@pytest.mark.parametrize("model", [Tool, Graph, Environment])
def test_two_names_differ_by_more_than_case_also_when_two_make_them_at_once(model: Any) -> None:
    model.objects.create(name="orders")
    with pytest.raises(IntegrityError), transaction.atomic():
        model.objects.create(name="Orders")
