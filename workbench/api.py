"""REST of accounts: session, set-up links, users, tokens, the audit trail and settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from axes.utils import reset as axes_reset
from django.contrib.auth import authenticate, login, logout
from django.middleware.csrf import get_token
from rest_framework.request import Request
from rest_framework.response import Response

from graph_app.providers import models_replace, models_shown
from toolkit_app.audit import audit
from toolkit_app.errors import ForbiddenError, NotSignedInError, TooManyError
from toolkit_app.network import network_rules, network_rules_replace
from toolkit_app.permissions import PUBLIC
from toolkit_app.web import ApiView, Operation, PageQuery, page
from workbench import accounts, schemas
from workbench.models import ApiToken, AuditRecord, User
from workbench.roles import Role


class SessionView(ApiView):
    """Sign in, who am I, sign out."""

    needs: ClassVar[dict[str, str]] = {"GET": "signed_in", "POST": PUBLIC, "DELETE": "signed_in"}
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("session_get", {200: schemas.SessionState}),
        "POST": Operation("session_create", {200: schemas.SessionState}, body=schemas.SignIn),
        "DELETE": Operation("session_delete", {204: None}),
    }

    def get_authenticators(self) -> list[Any]:
        """Signing in needs no CSRF token: there is no session yet that could be abused; the origin is checked."""
        if self.request is not None and self.request.method == "POST":
            return []
        return super().get_authenticators()

    def get(self, request: Request) -> Response:
        """Says who is signed in and what they may do."""
        get_token(request._request)
        return Response(_session(request.user))

    def post(self, request: Request) -> Response:
        """Signs in by name and password."""
        _check_origin(request)
        given = self.body(request, schemas.SignIn)
        with accounts.password_work():
            user = authenticate(request._request, username=given.username, password=given.password)
        if user is None:
            if getattr(request._request, "axes_locked_out", False):
                accounts.lock_out_note(given.username, request._request.axes_ip_address or "")
                raise TooManyError(
                    "Too many wrong passwords for this name. Wait 15 minutes, or ask an admin for a reset link.",
                    code="locked_out",
                )
            raise NotSignedInError("This name and password don't belong together.")
        login(request._request, user, backend="django.contrib.auth.backends.ModelBackend")
        audit(user.get_username(), "session.start", user.get_username())
        return Response(_session(user))

    def delete(self, request: Request) -> Response:
        """Signs out; the session ends on the server too."""
        audit(request.user.username, "session.end", request.user.username)
        logout(request._request)
        return Response(status=204)


class SetUpCheckView(ApiView):
    """What a set-up link is for, before it is used."""

    needs: ClassVar[dict[str, str]] = {"POST": PUBLIC}
    describes: ClassVar[dict[str, Operation]] = {
        "POST": Operation("set_up_check", {200: schemas.SetUpState}, body=schemas.SetUpToken)
    }
    authentication_classes: ClassVar[list[Any]] = []

    def post(self, request: Request) -> Response:
        """Says what a set-up link is for."""
        link = accounts.link_find(self.body(request, schemas.SetUpToken).token)
        user = link.user
        return Response(
            {"kind": link.kind, "username": user.username if user else None, "role": user.role if user else Role.ADMIN}
        )


class SetUpView(ApiView):
    """Uses a set-up link; says whether the first one is still to be used."""

    needs: ClassVar[dict[str, str]] = {"GET": PUBLIC, "POST": PUBLIC}
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("set_up_need", {200: schemas.SetUpNeed}),
        "POST": Operation("set_up", {200: schemas.SessionState}, body=schemas.SetUp),
    }
    authentication_classes: ClassVar[list[Any]] = []

    def get(self, request: Request) -> Response:
        """Says whether nobody can sign in yet."""
        return Response({"needed": not accounts.an_admin_can_sign_in()})

    def post(self, request: Request) -> Response:
        """Sets the password that the link is for, and signs in."""
        _check_origin(request)
        given = self.body(request, schemas.SetUp)
        with accounts.password_work():
            user = accounts.link_use(given.token, given.username, given.password)
        axes_reset(username=user.username)
        login(request._request, user, backend="django.contrib.auth.backends.ModelBackend")
        return Response(_session(user))


class UsersView(ApiView):
    """All users; inviting one."""

    needs: ClassVar[dict[str, str]] = {"GET": "users.write", "POST": "users.write"}
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("users_list", {200: schemas.UserList}, query=PageQuery),
        "POST": Operation("users_invite", {201: schemas.InvitedUser}, body=schemas.UserBody),
    }

    def get(self, request: Request) -> Response:
        """Lists users by name."""
        return page(
            request,
            User.objects.all(),
            lambda users: [_user(user) for user in users],
            order=("username",),
            query=self.query(request, PageQuery),
        )

    def post(self, request: Request) -> Response:
        """Makes a user and the link by which they set their password."""
        given = self.body(request, schemas.UserBody)
        user, token = accounts.user_invite(request.user, given.username, given.email, given.role)
        return Response({**_user(user), "set_up_link": _link(request, token)}, status=201)


class UserView(ApiView):
    """One user."""

    needs: ClassVar[dict[str, str]] = {"GET": "users.write", "PATCH": "users.write"}
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("users_get", {200: schemas.UserRow}),
        "PATCH": Operation("users_change", {200: schemas.UserRow}, body=schemas.UserChange),
    }

    def get(self, request: Request, username: str) -> Response:
        """Shows a user."""
        return Response(_user(accounts.user_get(username)))

    def patch(self, request: Request, username: str) -> Response:
        """Changes role, address or whether they may sign in."""
        given = self.body(request, schemas.UserChange).model_dump(exclude_none=True, mode="json")
        return Response(_user(accounts.user_change(request.user, username, given)))


class UserResetView(ApiView):
    """A reset link for one user."""

    needs: ClassVar[dict[str, str]] = {"POST": "users.write"}
    describes: ClassVar[dict[str, Operation]] = {"POST": Operation("users_reset", {200: schemas.SetUpLinkBody})}

    def post(self, request: Request, username: str) -> Response:
        """Makes a link by which the user sets a new password."""
        return Response({"set_up_link": _link(request, accounts.user_reset(request.user, username))})


class UserSessionsView(ApiView):
    """The sessions of one user."""

    needs: ClassVar[dict[str, str]] = {"POST": "users.write"}
    describes: ClassVar[dict[str, Operation]] = {"POST": Operation("users_end_sessions", {204: None})}

    def post(self, request: Request, username: str) -> Response:
        """Signs the user out everywhere."""
        user = accounts.user_get(username)
        accounts.sessions_end(user)
        audit(request.user.username, "user.end_sessions", user.username)
        return Response(status=204)


class TokensView(ApiView):
    """One's own tokens."""

    needs: ClassVar[dict[str, str]] = {"GET": "signed_in", "POST": "signed_in"}
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("tokens_list", {200: schemas.TokenList}, query=PageQuery),
        "POST": Operation("tokens_create", {201: schemas.NewTokenRow}, body=schemas.TokenBody),
    }

    def get(self, request: Request) -> Response:
        """Lists one's own tokens, the newest first."""
        return page(
            request,
            ApiToken.objects.filter(owner=request.user),
            lambda tokens: [_token(token) for token in tokens],
            order=("-id",),
            query=self.query(request, PageQuery),
        )

    def post(self, request: Request) -> Response:
        """Makes a token; its key is in this answer and nowhere else."""
        given = self.body(request, schemas.TokenBody)
        made = accounts.token_create(request.user, given.name, given.scope, given.expires_at)
        return Response({**_token(made.token), "token": made.key}, status=201)


class TokenView(ApiView):
    """One of one's own tokens."""

    needs: ClassVar[dict[str, str]] = {"DELETE": "signed_in"}
    describes: ClassVar[dict[str, Operation]] = {"DELETE": Operation("tokens_revoke", {204: None})}

    def delete(self, request: Request, token_id: int) -> Response:
        """Ends a token at once."""
        accounts.token_revoke(request.user, token_id)
        return Response(status=204)


class AuditView(ApiView):
    """The audit trail."""

    needs: ClassVar[dict[str, str]] = {"GET": "audit.read"}
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("audit_list", {200: schemas.AuditList}, query=schemas.AuditQuery)
    }

    def get(self, request: Request) -> Response:
        """Lists who did what, the newest first."""
        query = self.query(request, schemas.AuditQuery)
        rows = AuditRecord.objects.all()
        if query.actor:
            rows = rows.filter(actor=query.actor)
        if query.action:
            rows = rows.filter(action__startswith=query.action)
        return page(request, rows, _audit_rows, order=("-number",), query=query)


class SettingsView(ApiView):
    """The server's settings."""

    needs: ClassVar[dict[str, str]] = {"GET": "settings.write", "PATCH": "settings.write"}
    describes: ClassVar[dict[str, Operation]] = {
        "GET": Operation("settings_get", {200: schemas.SettingsBody}),
        "PATCH": Operation("settings_change", {200: schemas.SettingsBody}, body=schemas.SettingsBody),
    }

    def get(self, request: Request) -> Response:
        """Shows the settings."""
        return Response({"network": {"allow": network_rules()}, "models": models_shown()})

    def patch(self, request: Request) -> Response:
        """Changes the parts that are given, each as a whole."""
        given = self.body(request, schemas.SettingsBody)
        if given.network is not None:
            network_rules_replace(request.user.username, given.network.allow)
        if given.models is not None:
            models_replace(request.user.username, given.models)
        return self.get(request)


def _session(user: User) -> dict[str, Any]:
    return {
        "username": user.username,
        "email": user.email,
        "role": user.acting_role,
        "may": sorted(user.acting_role.permissions),
    }


def _user(user: User) -> dict[str, Any]:
    return {
        "username": user.username,
        "email": user.email,
        "role": user.role,
        "active": user.is_active,
        "pending": not user.has_usable_password(),
        "last_login": user.last_login,
    }


def _token(token: ApiToken) -> dict[str, Any]:
    return {name: getattr(token, name) for name in schemas.TokenRow.model_fields}


def _audit_rows(records: Sequence[AuditRecord]) -> list[dict[str, Any]]:
    return [
        {
            "id": record.number,
            "at": record.at,
            "actor": record.actor,
            "action": record.action,
            "target": record.target,
            "detail": record.detail,
        }
        for record in records
    ]


def _link(request: Request, token: str) -> str:
    return request.build_absolute_uri(f"/set-up?token={token}")


def _check_origin(request: Request) -> None:
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"{request.scheme}://{request.get_host()}":
        raise ForbiddenError("Sign in from this server's own pages.", code="origin")
