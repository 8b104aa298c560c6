"""With PostgreSQL and Redis: run by `make test` once more with DATABASE_URL and REDIS_URL set."""

from __future__ import annotations

import asyncio
import os
import uuid
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from graph_app import consumers
from graph_app.models import Graph, Run, Status
from tests.integration.test_kills import wait_until
from toolkit_app.errors import InvalidError
from toolkit_app.models import Environment, Tool
from workbench.models import User


@pytest.mark.skipif("DATABASE_URL" not in os.environ, reason="runs when DATABASE_URL is set")
@pytest.mark.django_db
def test_the_database_is_postgresql() -> None:
    assert connection.vendor == "postgresql"


@pytest.mark.skipif("DATABASE_URL" not in os.environ, reason="runs when DATABASE_URL is set")
def test_commands_over_sockets_give_their_connections_back(users: dict[str, User]) -> None:
    run = Run.objects.create(kind="tool", name="x", revision=1, user=users["author"], status=Status.FINISHED)

    async def refused() -> None:
        with pytest.raises(InvalidError):
            await consumers._carry_out(users["author"], run.pk, "step_over", {})

    async def together() -> None:
        await asyncio.gather(*(refused() for _ in range(8)))
        wait_until(lambda: in_use() <= before, 20)  # before the loop and its threads end

    def in_use() -> int:
        stats = connection.pool.get_stats()
        return int(stats["pool_size"] - stats["pool_available"])

    before = in_use()
    async_to_sync(together)()


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
