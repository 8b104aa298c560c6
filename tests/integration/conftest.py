"""What integration tests share: users of each role and a client of the API inside this process."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client as DjangoClient

from graph_app.runs.host import host
from workbench.models import User
from workbench.roles import Role

API = "/api/v1/"
TOOL = """name: {name}
desc: A tool
params:
  - {{name: order_id, type: string, required: false, description: Number, default: "1"}}
steps:
  - url: http://sandbox/orders/${{param:order_id}}
    var: [{{name: status, extract: data.status}}]
    result: "${{step0:status}}"
"""


class Api:
    """The API as one user sees it."""

    def __init__(self, user: User | None) -> None:
        self.http = DjangoClient(raise_request_exception=True)
        self.user = user
        if user is not None:
            self.http.force_login(user, backend="django.contrib.auth.backends.ModelBackend")

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        data = None if body is None else json.dumps(body)
        return self.http.generic(
            method, API + path, data=data or "", content_type="application/json", headers=headers or None
        )


@pytest.fixture(scope="session", autouse=True)
def host_ends(django_db_setup: None) -> Iterator[None]:
    """The host of this process stops before its database goes."""
    yield
    host.close()
    gc.collect()  # threads that ended may have left connections to it, which their objects' cycles keep open


@pytest.fixture
def users(transactional_db: None) -> dict[str, User]:
    """Somebody of each role."""
    return {role.value: User.objects.create_user(f"{role}-user", password="x", role=role) for role in Role}


@pytest.fixture
def api(users: dict[str, User]) -> dict[str, Api]:
    """The API as each role sees it, and as nobody does."""
    return {**{role: Api(user) for role, user in users.items()}, "nobody": Api(None)}


@pytest.fixture
def admin(api: dict[str, Api]) -> Api:
    """The API as an admin sees it."""
    return api["admin"]


@pytest.fixture
def author(api: dict[str, Api]) -> Api:
    """The API as an author sees it."""
    return api["author"]
