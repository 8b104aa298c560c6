"""Set-up links, sign-in, users, tokens and the audit trail."""

from __future__ import annotations

import io
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client as DjangoClient
from django.utils import timezone

from tests.integration.conftest import Api
from tests.support.threads import at_once
from workbench import accounts, audit
from workbench.models import ApiToken, AuditRecord, SetUpLink, User

PASSWORD = "a fairly long password"


def post(http: DjangoClient, path: str, body: dict[str, object], **headers: str) -> object:
    return http.post(f"/api/v1/{path}", body, content_type="application/json", headers=headers)


@pytest.mark.django_db(transaction=True)
class TestFirstAdmin:
    def test_the_link_works_once(self) -> None:
        token = accounts.first_admin_link()
        assert token
        http = DjangoClient()
        assert post(http, "set-up/check/", {"token": token}).json()["kind"] == "first_admin"
        made = post(http, "set-up/", {"token": token, "username": "ada", "password": PASSWORD})
        assert made.status_code == 200
        assert made.json()["role"] == "admin"
        assert http.get("/api/v1/session/").json()["username"] == "ada"
        again = post(DjangoClient(), "set-up/", {"token": token, "username": "eve", "password": PASSWORD})
        assert (again.status_code, again.json()["code"]) == (400, "token_used")
        assert accounts.first_admin_link() is None

    def test_whoever_comes_before_is_told_that_it_is_to_be_set_up(self) -> None:
        assert DjangoClient().get("/api/v1/set-up/").json() == {"needed": True}
        post(DjangoClient(), "set-up/", {"token": accounts.first_admin_link(), "username": "ada", "password": PASSWORD})
        assert DjangoClient().get("/api/v1/set-up/").json() == {"needed": False}

    def test_a_restart_ends_the_earlier_link(self) -> None:
        first = accounts.first_admin_link()
        accounts.first_admin_link()
        assert post(DjangoClient(), "set-up/check/", {"token": first}).json()["code"] == "token_unknown"

    def test_a_weak_password_and_a_missing_name_leave_the_link(self) -> None:
        token = accounts.first_admin_link()
        weak = post(DjangoClient(), "set-up/", {"token": token, "username": "ada", "password": "12345678"})
        assert weak.status_code == 400
        assert weak.json()["fields"]["password"]
        assert post(DjangoClient(), "set-up/", {"token": token, "password": PASSWORD}).json()["fields"]["username"]
        assert not User.objects.exists()
        assert accounts.link_find(token)

    def test_an_expired_link(self) -> None:
        token = accounts.first_admin_link()
        SetUpLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        assert post(DjangoClient(), "set-up/check/", {"token": token}).json()["code"] == "token_expired"

    def test_createsuperuser_makes_an_admin(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DJANGO_SUPERUSER_USERNAME", "root")
        monkeypatch.setenv("DJANGO_SUPERUSER_EMAIL", "root@example.com")
        monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
        call_command("createsuperuser", interactive=False, stdout=io.StringIO())
        assert post(DjangoClient(), "session/", {"username": "root", "password": PASSWORD}).json()["role"] == "admin"
        assert accounts.first_admin_link() is None

    def test_the_link_ends_when_there_is_an_admin(self) -> None:
        token = accounts.first_admin_link()
        User.objects.create_superuser("root", password=PASSWORD)
        used = post(DjangoClient(), "set-up/", {"token": token, "username": "eve", "password": PASSWORD})
        assert (used.status_code, used.json()["code"]) == (400, "token_used")
        assert not User.objects.filter(username="eve").exists()


class TestSession:
    def test_few_passwords_are_hashed_at_once(self, users: dict[str, User], monkeypatch: pytest.MonkeyPatch) -> None:
        working, most = [0], [0]

        def slow(*_: object, **__: object) -> None:
            working[0] += 1
            most[0] = max(most[0], working[0])
            time.sleep(0.02)
            working[0] -= 1

        monkeypatch.setattr("workbench.api.authenticate", slow)
        at_once(lambda number: post(DjangoClient(), "session/", {"username": f"n{number}", "password": "x"}), 12)
        assert 1 <= most[0] <= 2

    def test_whose_turn_does_not_come_is_told(self, users: dict[str, User], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(accounts, "_PASSWORD_WAIT_S", 0.01)
        with accounts.password_work(), accounts.password_work():
            assert post(DjangoClient(), "session/", {"username": "a", "password": "b"}).status_code == 429

    def test_sign_in_changes_the_session_and_sign_out_ends_it(self, users: dict[str, User]) -> None:
        users["viewer"].set_password(PASSWORD)
        users["viewer"].save()
        http = DjangoClient()
        http.get("/sign-in")
        before = http.cookies.get("sessionid")
        signed = post(http, "session/", {"username": "viewer-user", "password": PASSWORD})
        assert signed.status_code == 200
        assert "tools.read" in signed.json()["may"]
        session = http.cookies["sessionid"].value
        assert before is None or before.value != session
        assert http.delete("/api/v1/session/").status_code == 204
        stolen = DjangoClient()
        stolen.cookies["sessionid"] = session
        assert stolen.get("/api/v1/session/").status_code == 401

    def test_wrong_passwords_lock_the_name(self, users: dict[str, User]) -> None:
        http = DjangoClient()
        statuses = [
            post(http, "session/", {"username": "viewer-user", "password": "wrong"}).status_code for _ in range(12)
        ]
        assert statuses[0] == 401
        assert statuses[-1] == 429
        users["viewer"].set_password(PASSWORD)
        users["viewer"].save()
        assert post(http, "session/", {"username": "viewer-user", "password": PASSWORD}).status_code == 429

    def test_a_foreign_page_can_not_sign_in(self, users: dict[str, User]) -> None:
        body = {"username": "viewer-user", "password": "x"}
        assert post(DjangoClient(), "session/", body, Origin="https://evil.example").status_code == 403
        assert post(DjangoClient(), "session/", body, Origin="http://testserver").status_code == 200

    def test_changes_by_cookie_need_the_csrf_token(self, users: dict[str, User]) -> None:
        http = DjangoClient(enforce_csrf_checks=True)
        post(http, "session/", {"username": "admin-user", "password": "x"})
        body = {"name": "prod"}
        assert post(http, "environments/", body).status_code == 403
        token = http.cookies["csrftoken"].value
        assert post(http, "environments/", body, **{"X-CSRFToken": token}).status_code == 201

    def test_unknown_fields_and_other_types_are_refused(self, users: dict[str, User]) -> None:
        http = DjangoClient()
        extra = post(http, "session/", {"username": "a", "password": "b", "role": "admin"})
        assert extra.status_code == 400
        assert extra.json()["fields"]["role"]
        assert http.post("/api/v1/session/", "a=b", content_type="application/x-www-form-urlencoded").status_code == 415


class TestUsers:
    def test_invitation(self, admin: Api) -> None:
        made = admin("POST", "users/", {"username": "lin", "email": "lin@example.com", "role": "author"})
        assert made.status_code == 201
        token = made.json()["set_up_link"].split("token=")[1]
        assert admin("GET", "users/lin/").json()["pending"] is True
        http = DjangoClient()
        assert post(http, "set-up/check/", {"token": token}).json() == {
            "kind": "invitation",
            "username": "lin",
            "role": "author",
        }
        assert post(http, "set-up/", {"token": token, "password": PASSWORD}).json()["role"] == "author"
        assert admin("GET", "users/lin/").json()["pending"] is False

    def test_names(self, admin: Api) -> None:
        for name in ("ADMIN-user", "admin-user"):
            assert admin("POST", "users/", {"username": name, "role": "viewer"}).status_code == 409
        for name in ("a b", "", "x" * 65, "a/b"):
            assert admin("POST", "users/", {"username": name, "role": "viewer"}).status_code == 400

    def test_a_role_can_not_be_given_to_oneself(self, author: Api) -> None:
        assert author("PATCH", "users/author-user/", {"role": "admin"}).status_code == 403

    def test_read_only_fields_are_refused(self, admin: Api) -> None:
        assert admin("PATCH", "users/viewer-user/", {"is_superuser": True}).status_code == 400

    def test_disabling_ends_sessions_and_tokens(self, admin: Api, users: dict[str, User]) -> None:
        http = DjangoClient()
        post(http, "session/", {"username": "author-user", "password": "x"})
        key = post(http, "tokens/", {"name": "t", "scope": "viewer"}).json()["token"]
        assert admin("PATCH", "users/author-user/", {"active": False}).status_code == 200
        assert http.get("/api/v1/session/").status_code == 401
        bearer = DjangoClient().get("/api/v1/session/", headers={"Authorization": f"Bearer {key}"})
        assert bearer.status_code == 401

    def test_an_address_is_checked(self, admin: Api) -> None:
        refused = admin("PATCH", "users/viewer-user/", {"email": "no address"})
        assert refused.status_code == 400
        assert refused.json()["fields"]["email"]
        assert admin("PATCH", "users/viewer-user/", {"email": "a@EXAMPLE.com"}).json()["email"] == "a@example.com"

    def test_a_change_keeps_a_password_set_meanwhile(
        self, users: dict[str, User], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = accounts.user_get

        def slow(name: str) -> User:
            user = real(name)
            token = accounts.link_create(SetUpLink.Kind.RESET, user)
            accounts.link_use(token, None, PASSWORD)
            return user

        monkeypatch.setattr(accounts, "user_get", slow)
        accounts.user_change(users["admin"], "viewer-user", {"role": "operator"})
        changed = User.objects.get(username="viewer-user")
        assert changed.role == "operator"
        assert changed.check_password(PASSWORD)

    def test_the_last_admin_stays(self, admin: Api) -> None:
        assert admin("PATCH", "users/admin-user/", {"role": "viewer"}).status_code == 409
        assert admin("PATCH", "users/admin-user/", {"active": False}).status_code == 409

    def test_reset_link_and_end_sessions(self, admin: Api, users: dict[str, User]) -> None:
        http = DjangoClient()
        post(http, "session/", {"username": "viewer-user", "password": "x"})
        assert admin("POST", "users/viewer-user/end-sessions/").status_code == 204
        assert http.get("/api/v1/session/").status_code == 401
        token = admin("POST", "users/viewer-user/reset/").json()["set_up_link"].split("token=")[1]
        assert post(DjangoClient(), "set-up/", {"token": token, "password": PASSWORD}).status_code == 200
        assert post(DjangoClient(), "session/", {"username": "viewer-user", "password": "x"}).status_code == 401


class TestTokens:
    def test_a_token_never_goes_above_its_owner(self, author: Api, admin: Api) -> None:
        assert author("POST", "tokens/", {"name": "t", "scope": "admin"}).status_code == 400
        key = admin("POST", "tokens/", {"name": "t", "scope": "operator"}).json()["token"]
        http = DjangoClient(headers={"Authorization": f"Bearer {key}"})
        assert http.get("/api/v1/session/").json()["role"] == "operator"
        assert http.get("/api/v1/users/").status_code == 403
        admin("PATCH", "users/admin-user/", {})
        User.objects.filter(username="admin-user").update(role="viewer")
        assert http.get("/api/v1/environments/").status_code == 403

    def test_the_key_is_shown_once_and_not_kept(self, author: Api) -> None:
        made = author("POST", "tokens/", {"name": "t", "scope": "viewer"}).json()
        assert "token" not in author("GET", "tokens/").json()["results"][0]
        assert not ApiToken.objects.filter(key_hash__contains=made["token"]).exists()

    def test_only_ones_own(self, author: Api, admin: Api) -> None:
        made = author("POST", "tokens/", {"name": "t", "scope": "viewer"}).json()
        assert admin("GET", "tokens/").json()["results"] == []
        assert admin("DELETE", f"tokens/{made['id']}/").status_code == 404
        assert author("DELETE", f"tokens/{made['id']}/").status_code == 204
        http = DjangoClient(headers={"Authorization": f"Bearer {made['token']}"})
        assert http.get("/api/v1/session/").status_code == 401

    def test_expiry(self, author: Api) -> None:
        past = (timezone.now() - timedelta(days=1)).isoformat()
        assert author("POST", "tokens/", {"name": "t", "scope": "viewer", "expires_at": past}).status_code == 400
        soon = (timezone.now() + timedelta(days=1)).isoformat()
        made = author("POST", "tokens/", {"name": "t", "scope": "viewer", "expires_at": soon}).json()
        ApiToken.objects.update(expires_at=timezone.now())
        http = DjangoClient(headers={"Authorization": f"Bearer {made['token']}"})
        assert http.get("/api/v1/session/").status_code == 401


@pytest.fixture
def trail(admin: Api) -> Api:
    """An audit trail of a few records, with a head of its own."""
    (Path(settings.DATA) / "audit.head").unlink(missing_ok=True)
    AuditRecord.objects.all().delete()
    for name in ("one", "two", "three", "four"):
        assert admin("POST", "environments/", {"name": name}).status_code == 201
    return admin


class TestAudit:
    def test_who_did_what(self, trail: Api) -> None:
        rows = trail("GET", "audit/?limit=2").json()["results"]
        assert [(row["actor"], row["action"], row["target"]) for row in rows] == [
            ("admin-user", "environment.create", "four"),
            ("admin-user", "environment.create", "three"),
        ]
        assert audit.verify() == []
        call_command("verify_audit", stdout=io.StringIO())

    def test_a_changed_record_is_noticed(self, trail: Api) -> None:
        AuditRecord.objects.filter(number=2).update(target="other")
        assert "Record 2 was changed" in audit.verify()[0]
        with pytest.raises(CommandError, match="Record 2"):
            call_command("verify_audit", stdout=io.StringIO())

    def test_a_removed_record_is_noticed(self, trail: Api) -> None:
        AuditRecord.objects.filter(number=2).delete()
        assert any("2 to 2 are missing" in problem for problem in audit.verify())

    def test_removed_last_records_are_noticed(self, trail: Api) -> None:
        AuditRecord.objects.filter(number__gte=3).delete()
        assert any("missing at the end" in problem for problem in audit.verify())

    def test_reordered_records_are_noticed(self, trail: Api) -> None:
        second, third = AuditRecord.objects.get(number=2), AuditRecord.objects.get(number=3)
        second.number, third.number = 3, 2
        AuditRecord.objects.filter(number__in=[2, 3]).delete()
        second.save(force_insert=True)
        third.save(force_insert=True)
        assert audit.verify()

    def test_a_missing_head_is_noticed(self, trail: Api) -> None:
        (Path(settings.DATA) / "audit.head").unlink()
        assert any("head is missing" in problem for problem in audit.verify())

    def test_a_full_disk_fails_nothing_that_is_committed(self, trail: Api, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(audit, "write_private", full)
            assert trail("POST", "environments/", {"name": "five"}).status_code == 201
        assert audit.verify() == []
        assert trail("POST", "environments/", {"name": "six"}).status_code == 201
        assert audit.verify() == []

    def test_a_head_that_was_put_back_is_noticed(self, trail: Api, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(audit, "_HEAD_FOLLOWS_WITHIN_S", 0.0)
        old = audit._head_path().read_text()
        for number in range(12):
            audit.record("a", "b", str(number), {})
        audit._head_path().write_text(old)
        assert any("head names record" in problem for problem in audit.verify())

    def test_a_secret_never_gets_in(self, trail: Api) -> None:
        trail("PUT", "environments/one/secrets/KEY/", {"value": "secret-value-1", "hosts": ["api.example.com"]})
        assert "secret-value-1" not in trail("GET", "audit/").content.decode()
