"""Putting together what a graph's run gives to its Calls; the server and the command line do it the same way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from graph_app.calls import CallServices, LanguageType, Models, Provider
from graph_app.calls.services import GraphLookup, ToolLookup
from toolkit_app.engine import Door, ToolRunner
from toolkit_app.engine.redaction import Redactor, SecretValue
from toolkit_app.engine.secret_guard import SecretGuard
from toolkit_app.environments import EnvironmentValues

SANDBOX = Provider(name="sandbox", base_url="http://sandbox/v1", reasoning="sandbox")
"""The provider that every install has: it answers by rule."""


def call_services(
    values: EnvironmentValues,
    *,
    runner: ToolRunner,
    door: Door,
    providers: Sequence[Provider],
    tool: ToolLookup,
    graph: GraphLookup,
    run_id: UUID,
    user_id: str = "",
    graph_name: str = "",
    language: LanguageType = LanguageType.CHINESE,
    extra_env: dict[str, str] | None = None,
) -> CallServices:
    """Returns the services of one run.

    Args:
        values: The environment's variables and secrets.
        runner: Runs tools.
        door: Through which models are asked.
        providers: Model servers, the default one first.
        tool: Finds tools.
        graph: Finds graphs.
        run_id: The run.
        user_id: Who runs it.
        graph_name: The graph.
        language: In which Calls speak.
        extra_env: Entries that go before the environment's.
    """
    keys = tuple(SecretValue(f"key of {p.name}", p.api_key) for p in providers if p.api_key)
    redactor = Redactor(secret.value for secret in (*values.secrets, *keys))
    guard: Any = SecretGuard(values.secrets)
    return CallServices(
        tool=tool,
        graph=graph,
        runner=runner,
        models=Models(providers or [SANDBOX], door, guard),
        env={**values.env(), **(extra_env or {})},
        guard=guard,
        redactor=redactor,
        run_id=run_id,
        user_id=user_id,
        graph_name=graph_name,
        language=language,
    )
