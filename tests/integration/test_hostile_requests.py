"""Requests that nobody sends by mistake: each has an answer that says why, none a fault of the server."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, OperationalError
from django.test import Client as DjangoClient

from graph_app.providers import stored_providers
from tests.integration.conftest import TOOL, Api
from tests.support.threads import at_once
from toolkit_app import rotation, tools
from toolkit_app.vault import VaultError
from workbench import accounts, audit
from workbench.models import AuditRecord, User


def cursor(*values: str) -> str:
    return base64.urlsafe_b64encode("\x1f".join(values).encode()).decode().rstrip("=")


def raw(api: Api, path: str, text: str) -> Any:
    return api.http.post(f"/api/v1/{path}", text, content_type="application/json")


@pytest.mark.parametrize("depth", [250, 900, 980, 2_000, 100_000])
def test_deep_bodies(author: Api, depth: int) -> None:
    author("POST", "tools/", {"yaml": TOOL.format(name="orders")})
    for text in ('{"params": {"order_id": %s}}', '{"params": {"order_id": %s}'):
        answer = raw(author, "tools/orders/run/", text % ("[" * depth + "]" * depth))
        assert answer.status_code == 400
        assert answer["Content-Type"] == "application/problem+json"


def test_numbers_that_no_database_takes(author: Api) -> None:
    author("POST", "tools/", {"yaml": TOOL.format(name="orders")})
    for number in ("1e400", "-1e999", "NaN", "Infinity"):
        body = f'{{"params": {{"order_id": {number}}}}}'
        assert raw(author, "tools/orders/run/", body).status_code == 400, number


@pytest.mark.parametrize(
    "path",
    [
        "runs/?from=0001-01-01T00:00:00%2B23:59",
        "runs/?to=9999-12-31T23:59:59-23:59",
        f"runs/?cursor={cursor('0001-01-01T00:00:00+23:59', '00000000-0000-0000-0000-000000000000')}",
        f"runs/?cursor={cursor('9999-12-31T23:59:59-23:59', '00000000-0000-0000-0000-000000000000')}",
    ],
)
def test_times_outside_of_the_calendar(admin: Api, path: str) -> None:
    assert admin("GET", path).status_code == 400


def test_an_end_outside_of_the_calendar(admin: Api) -> None:
    body = {"name": "t", "scope": "viewer", "expires_at": "9999-12-31T23:59:59-23:59"}
    assert admin("POST", "tokens/", body).status_code == 400


@pytest.mark.parametrize("path", ["audit/?cursor=" + cursor("9" * 40), f"audit/?cursor={cursor('-' + '9' * 40)}"])
def test_cursors_of_any_size(admin: Api, path: str) -> None:
    assert admin("GET", path).status_code in (200, 400)


def test_a_host_that_the_server_does_not_go_by(admin: Api) -> None:
    answer = admin("GET", "session/", Host="evil.example")
    assert answer.status_code == 400
    assert answer.json()["code"] == "bad_request"
    assert "evil" not in answer.content.decode()


@pytest.mark.parametrize(
    ("error", "status"),
    [(IntegrityError("duplicate key"), 409), (OperationalError("is locked"), 503), (VaultError("no key"), 500)],
)
def test_what_the_database_says_is_a_problem_document(
    author: Api, error: Exception, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise error

    monkeypatch.setattr(tools, "tool_check", fails)
    monkeypatch.setattr("toolkit_app.environments.environment_get", fails)
    answer = author("GET", "environments/prod/")
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert "duplicate" not in answer.content.decode()


class TestTwoAtOnce:
    def test_the_same_name(self, users: dict[str, User]) -> None:
        def ask(path: str, body: Any) -> Any:
            return lambda _: Api(users["admin"])("POST", path, body).status_code

        for path, body in (
            ("users/", {"username": "lin", "role": "viewer"}),
            ("environments/", {"name": "prod"}),
            ("tools/", {"yaml": TOOL.format(name="orders")}),
        ):
            assert sorted(at_once(ask(path, body))) == [201] + [409] * 5, path

    def test_the_same_secret(self, users: dict[str, User]) -> None:
        admin = Api(users["admin"])
        admin("POST", "environments/", {"name": "prod"})
        body = {"value": "a-value-of-it", "hosts": []}
        statuses = at_once(lambda _: Api(users["admin"])("PUT", "environments/prod/secrets/K/", body).status_code)
        assert set(statuses) <= {200, 409}
        assert 200 in statuses

    def test_a_name_is_a_variable_or_a_secret(self, users: dict[str, User]) -> None:
        Api(users["admin"])("POST", "environments/", {"name": "prod"})
        bodies = {"variables": {"value": "value-1"}, "secrets": {"value": "value-1", "hosts": []}}

        def put(number: int) -> int:
            kind = ("variables", "secrets")[number % 2]
            return int(Api(users["admin"])("PUT", f"environments/prod/{kind}/K/", bodies[kind]).status_code)

        assert sorted(at_once(put)) == [200] * 3 + [409] * 3

    def test_one_save_wins(self, users: dict[str, User]) -> None:
        Api(users["author"])("POST", "tools/", {"yaml": TOOL.format(name="orders")})

        def save(number: int) -> int:
            body = {"yaml": TOOL.format(name="orders") + f"# {number}\n", "base_revision": 1}
            return int(Api(users["author"])("PUT", "tools/orders/", body).status_code)

        assert sorted(at_once(save)) == [200] + [409] * 5

    def test_one_link_makes_one_password(self, users: dict[str, User]) -> None:
        _, token = accounts.user_invite(users["admin"], "lin", "", "viewer")

        def use(number: int) -> int:
            body = {"token": token, "password": f"correct horse {number} battery"}
            return int(DjangoClient().post("/api/v1/set-up/", body, content_type="application/json").status_code)

        assert sorted(at_once(use)) == [200] + [400] * 5

    def test_somebody_is_left_who_is_an_admin(self, users: dict[str, User]) -> None:
        names = [f"admin-{number}" for number in range(6)]
        for name in names:
            User.objects.create_user(name, password="x", role="admin")
        users["admin"].delete()

        def demote(number: int) -> int:
            actor = User.objects.get(username=names[number - 1])
            try:
                accounts.user_change(actor, names[number], {"role": "viewer"})
            except accounts.ConflictError:
                return 409
            return 200

        assert sorted(at_once(demote)) == [200] * 5 + [409]
        assert User.objects.filter(role="admin").count() == 1

    def test_the_audit_trail_is_whole_while_it_grows(self, users: dict[str, User]) -> None:
        (audit._head_path()).unlink(missing_ok=True)
        AuditRecord.objects.all().delete()
        audit.record("a", "b", "c", {})
        found: list[str] = []

        def work(number: int) -> int:
            for _ in range(15):
                if number:
                    audit.record("a", "b", "c", {"number": number})
                else:
                    found.extend(audit.verify())
            return 0

        at_once(work)
        assert found == []
        assert audit.verify() == []
        assert AuditRecord.objects.count() == 76


def test_whatever_is_sealed_rotates() -> None:
    sealed = [model for model in apps.get_models() if any(field.name == "wrapped_key" for field in model._meta.fields)]
    assert sealed
    assert set(sealed) == set(rotation.sealed_models()), "a rotation would lose what it doesn't know"


def test_the_key_of_a_model_server_survives_a_rotation(admin: Api) -> None:
    given = {"name": "one", "base_url": "https://api.example.com/v1", "reasoning": "m", "key": "a-model-key"}
    keyless = {"name": "two", "base_url": "https://b.example.com/v1", "reasoning": "m"}
    changed = admin("PATCH", "settings/", {"models": {"providers": [given, keyless]}})
    assert changed.status_code == 200, changed.content
    assert rotation.rotate_keys() == (1, 1)
    keys = {provider.name: provider.api_key for provider in stored_providers()}
    assert (keys["one"], keys["two"]) == ("a-model-key", "")
