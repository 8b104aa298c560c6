"""What every answer has, whatever it answers: its form, its headers, no warning in the server's log."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from django.test import AsyncClient
from django.utils import timezone

from tests.integration.conftest import Api
from tests.support.server import Server
from toolkit_app.names import RULE
from workbench.models import AuditRecord, User

FILE = "/static/rest_framework/css/default.css"


class TestErrors:
    def test_several_fields_are_several_sentences(self, author: Api) -> None:
        answer = author("POST", "graphs/", {"yaml": "x"})
        assert answer.status_code == 400
        assert answer.json()["detail"] == "definition: This field is required. yaml: There is no such field."

    @pytest.mark.parametrize(
        ("path", "body", "field", "told"),
        [
            ("users/", {"username": " ", "role": "viewer"}, "username", "This can't be empty."),
            ("users/", {"username": "u" * 65, "role": "viewer"}, "username", "At most 64 characters are allowed."),
            (
                "users/",
                {"username": "u", "role": "boss"},
                "role",
                "This must be 'viewer', 'operator', 'author' or 'admin'.",
            ),
            ("users/", {"username": 7, "role": "viewer"}, "username", "This must be text."),
            ("environments/", {"name": "two words"}, "name", RULE),
        ],
    )
    def test_a_refused_field_is_told_in_plain_words(
        self, api: dict[str, Api], path: str, body: dict[str, object], field: str, told: str
    ) -> None:
        answer = api["admin"]("POST", path, body)
        assert answer.status_code == 400
        assert answer.json()["fields"] == {field: [told]}

    @pytest.mark.parametrize("headers", [{}, {"Accept": "application/yaml"}, {"Authorization": "Bearer unknown"}])
    def test_the_description_refuses_in_json(self, api: dict[str, Api], headers: dict[str, str]) -> None:
        answer = api["nobody"].http.get("/api/schema/", headers=headers)
        assert answer.status_code == 401
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json()["code"] in ("not_authenticated", "authentication_failed")


class TestLockOut:
    @pytest.fixture
    def tries(self, users: dict[str, User]) -> Api:
        return Api(None)

    def test_a_flood_leaves_one_line_for_each_name(self, tries: Api) -> None:
        for name in ("viewer-user", "nobody-of-this-name"):
            for _ in range(25):
                tries("POST", "session/", {"username": name, "password": "wrong"})
        lines = AuditRecord.objects.filter(action="session.locked_out")
        assert sorted(line.target for line in lines) == ["nobody-of-this-name", "viewer-user"]
        assert {line.detail["address"] for line in lines} == {"127.0.0.1"}

    def test_the_next_time_is_told_again(self, tries: Api) -> None:
        lines = AuditRecord.objects.filter(action="session.locked_out")
        for _ in range(12):
            tries("POST", "session/", {"username": "viewer-user", "password": "wrong"})
        lines.update(at=timezone.now() - timedelta(minutes=16))
        for _ in range(3):
            tries("POST", "session/", {"username": "viewer-user", "password": "wrong"})
        assert lines.count() == 2


class TestFiles:
    async def test_come_in_one_piece(self) -> None:
        browser = AsyncClient()
        whole = await browser.get(FILE)
        assert whole.status_code == 200
        assert not whole.streaming
        assert whole["Content-Type"].startswith("text/css")
        assert int(whole["Content-Length"]) == len(whole.content)
        part = await browser.get(FILE, headers={"Range": "bytes=2-5"})
        assert (part.status_code, part.content) == (206, whole.content[2:6])
        same = await browser.get(FILE, headers={"If-None-Match": whole["ETag"]})
        assert (same.status_code, same.content) == (304, b"")
        head = await browser.head(FILE)
        assert (head.status_code, head.content, head["Content-Length"]) == (200, b"", whole["Content-Length"])
        assert (await browser.post(FILE)).status_code == 405


class TestTransport:
    def test_browsers_are_told_to_stay_with_https(self, tmp_path: Path, server: Server) -> None:
        behind_proxy = Server(tmp_path / "data", WORKBENCH_HTTPS="yes").start()
        try:
            by_https = {"X-Forwarded-Proto": "https"}
            for address in ("/sign-in", FILE, "/api/v1/session/"):
                answer = httpx.get(f"{behind_proxy.url}{address}", headers=by_https)
                assert answer.headers["strict-transport-security"] == "max-age=31536000", address
                assert "strict-transport-security" not in httpx.get(f"{behind_proxy.url}{address}").headers, address
            assert "strict-transport-security" not in httpx.get(f"{server.url}/sign-in", headers=by_https).headers
        finally:
            behind_proxy.kill()
        assert not [line for line in behind_proxy.output if "Warning" in line]
