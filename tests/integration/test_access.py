"""Who may do what. The table is read from the routes: a route that is not listed here fails the test.

Each cell is then tried for real, by every role and by nobody.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from graph_app.routing import websocket_urlpatterns
from tests.integration.conftest import Api
from toolkit_app.permissions import PUBLIC
from workbench.roles import PERMISSIONS, Role

ROUTES: dict[str, dict[str, str]] = {
    "session/": {"GET": "signed_in", "POST": PUBLIC, "DELETE": "signed_in"},
    "set-up/": {"GET": PUBLIC, "POST": PUBLIC},
    "set-up/check/": {"POST": PUBLIC},
    "users/": {"GET": "users.write", "POST": "users.write"},
    "users/<str:username>/": {"GET": "users.write", "PATCH": "users.write"},
    "users/<str:username>/reset/": {"POST": "users.write"},
    "users/<str:username>/end-sessions/": {"POST": "users.write"},
    "tokens/": {"GET": "signed_in", "POST": "signed_in"},
    "tokens/<int:token_id>/": {"DELETE": "signed_in"},
    "audit/": {"GET": "audit.read"},
    "settings/": {"GET": "settings.write", "PATCH": "settings.write"},
    "tools/": {"GET": "tools.read", "POST": "tools.write"},
    "tools/validate/": {"POST": "tools.read"},
    "tools/import/curl/": {"POST": "tools.write"},
    "tools/extract/try/": {"POST": "tools.write"},
    "tools/extract/suggest/": {"POST": "tools.write"},
    "tools/<str:name>/": {"GET": "tools.read", "PUT": "tools.write", "DELETE": "tools.write"},
    "tools/<str:name>/versions/": {"GET": "tools.read"},
    "tools/<str:name>/versions/<int:revision>/": {"GET": "tools.read"},
    "tools/<str:name>/versions/<int:revision>/restore/": {"POST": "tools.write"},
    "tools/<str:name>/versions/<int:revision>/compare/<int:other>/": {"GET": "tools.read"},
    "tools/<str:name>/publish/": {"POST": "tools.publish"},
    "tools/<str:name>/schema/": {"GET": "tools.read"},
    "tools/<str:name>/run/": {"POST": "runs.start"},
    "tools/<str:name>/tests/": {"GET": "tools.read", "POST": "tools.write"},
    "tools/<str:name>/tests/run/": {"POST": "runs.start"},
    "tools/<str:name>/tests/<uuid:test_id>/": {"GET": "tools.read", "PATCH": "tools.write", "DELETE": "tools.write"},
    "graphs/": {"GET": "graphs.read", "POST": "graphs.write"},
    "graphs/validate/": {"POST": "graphs.read"},
    "graphs/<str:name>/": {"GET": "graphs.read", "PUT": "graphs.write", "DELETE": "graphs.write"},
    "graphs/<str:name>/versions/": {"GET": "graphs.read"},
    "graphs/<str:name>/versions/<int:revision>/": {"GET": "graphs.read"},
    "graphs/<str:name>/versions/<int:revision>/restore/": {"POST": "graphs.write"},
    "graphs/<str:name>/versions/<int:revision>/compare/<int:other>/": {"GET": "graphs.read"},
    "graphs/<str:name>/publish/": {"POST": "graphs.publish"},
    "graphs/<str:name>/run/": {"POST": "runs.start"},
    "graphs/<str:name>/tests/": {"GET": "graphs.read", "POST": "graphs.write"},
    "graphs/<str:name>/tests/run/": {"POST": "runs.start"},
    "graphs/<str:name>/tests/<uuid:test_id>/": {
        "GET": "graphs.read",
        "PATCH": "graphs.write",
        "DELETE": "graphs.write",
    },
    "calls/": {"GET": "graphs.read"},
    "models/": {"GET": "graphs.read"},
    "environments/": {"GET": "environments.list", "POST": "environments.write"},
    "environments/<str:name>/": {
        "GET": "environments.names",
        "PATCH": "environments.write",
        "DELETE": "environments.write",
    },
    "environments/<str:name>/variables/<str:entry>/": {"PUT": "environments.write", "DELETE": "environments.write"},
    "environments/<str:name>/secrets/<str:entry>/": {"PUT": "environments.write", "DELETE": "environments.write"},
    "runs/": {"GET": "runs.read"},
    "runs/<uuid:run_id>/": {"GET": "runs.read"},
    "runs/<uuid:run_id>/events/": {"GET": "runs.read"},
    "runs/<uuid:run_id>/asked/": {"GET": "runs.read"},
    "runs/<uuid:run_id>/command/": {"POST": "runs.control"},
    "runs/<uuid:run_id>/fork/": {"POST": "runs.start"},
    "runs/<uuid:run_id>/retry/": {"POST": "runs.start"},
    "runs/<uuid:run_id>/values/<str:key>/": {"GET": "runs.read"},
}
SOCKETS = {"ws/runs/": "runs.read", "ws/runs/<uuid:run_id>/": "runs.read"}
LOWEST = {
    "signed_in": "viewer",
    "tools.read": "viewer",
    "graphs.read": "viewer",
    "runs.read": "viewer",
    "runs.start": "operator",
    "runs.control": "operator",
    "environments.list": "operator",
    "tools.write": "author",
    "tools.publish": "author",
    "graphs.write": "author",
    "graphs.publish": "author",
    "environments.names": "author",
    "environments.write": "admin",
    "users.write": "admin",
    "settings.write": "admin",
    "audit.read": "admin",
}


def routes(patterns: list[Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for pattern in patterns:
        address = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, address)
        elif isinstance(pattern, URLPattern) and address.startswith("api/v1/"):
            yield address.removeprefix("api/v1/"), pattern.callback.view_class


def test_every_route_is_listed_with_its_permissions() -> None:
    found = {address: dict(view.needs) for address, view in routes(get_resolver().url_patterns)}
    assert found == ROUTES
    assert {str(p.pattern): p.callback.consumer_class.needs for p in websocket_urlpatterns} == SOCKETS


def test_every_handler_has_a_permission_and_a_description() -> None:
    for address, view in routes(get_resolver().url_patterns):
        handlers = {m for m in ("GET", "POST", "PUT", "PATCH", "DELETE") if hasattr(view, m.lower())}
        assert handlers == set(view.needs) == set(view.describes), address


def test_every_permission_has_its_lowest_role() -> None:
    assert set(LOWEST) == PERMISSIONS
    for permission, lowest in LOWEST.items():
        holders = {role.value for role in Role if permission in role.permissions}
        assert holders == {role.value for role in Role if role.rank >= Role(lowest).rank}, permission


CELLS = [(path, method) for path, methods in ROUTES.items() for method in methods]


@pytest.mark.parametrize(("path", "method"), CELLS, ids=str)
def test_each_cell(path: str, method: str, api: dict[str, Api]) -> None:
    permission = ROUTES[path][method]
    address = (
        path.replace("<str:username>", "someone")
        .replace("<str:name>", "something")
        .replace("<str:entry>", "ENTRY")
        .replace("<str:key>", "1.0")
        .replace("<uuid:run_id>", str(uuid.uuid4()))
        .replace("<uuid:test_id>", str(uuid.uuid4()))
        .replace("<int:token_id>", "1")
        .replace("<int:revision>", "1")
        .replace("<int:other>", "1")
    )
    for who, client in api.items():
        status = client(method, address, {}).status_code
        assert status < 500, (who, status)
        if permission == PUBLIC:
            assert status not in (401, 403), who
        elif who == "nobody":
            assert status == 401
        elif Role(who).rank < Role(LOWEST[permission]).rank:
            assert status == 403, who
        else:
            assert status not in (401, 403), who


@pytest.mark.parametrize("method", ["TRACE", "PATCH", "DELETE"])
def test_other_methods_are_closed(method: str, api: dict[str, Api]) -> None:
    assert api["admin"](method, "runs/").status_code in (403, 405)


def test_the_description_needs_an_account(api: dict[str, Api]) -> None:
    assert api["nobody"].http.get("/api/schema/").status_code == 401
    assert api["viewer"].http.get("/api/schema/").status_code == 200


def test_unknown_addresses_are_problem_documents(api: dict[str, Api]) -> None:
    answer = api["nobody"]("GET", "nothing/")
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["detail"]
