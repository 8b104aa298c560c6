"""Who is asking, and may they: authentication by token or cookie, and the permission that a view's `needs` names."""

from __future__ import annotations

from typing import Any

from rest_framework.authentication import BaseAuthentication, SessionAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from toolkit_app.permissions import PUBLIC
from workbench.accounts import token_user
from workbench.models import User

_SAFE = {"HEAD": "GET"}


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer …` with a key made under API tokens."""

    def authenticate(self, request: Request) -> tuple[User, str] | None:
        """Returns the token's owner, acting with the lower of both roles.

        Raises:
            AuthenticationFailed: If the token is unknown, expired or its owner may not sign in.
        """
        kind, _, key = get_authorization_header(request).decode("latin-1").partition(" ")
        if kind.lower() != "bearer":
            return None
        user = token_user(key.strip())
        if user is None:
            raise AuthenticationFailed("This token is not known, or has expired.")
        return user, "token"

    def authenticate_header(self, request: Request) -> str:
        """Returns the challenge that makes an unauthenticated answer a 401."""
        return "Bearer"


class CookieAuthentication(SessionAuthentication):
    """The session cookie of somebody who signed in in the browser, with Django's CSRF check."""

    def authenticate_header(self, request: Request) -> str:
        """Returns the challenge that makes an unauthenticated answer a 401."""
        return "Session"


class RoleAllows(BasePermission):
    """Lets a request through when its user has the permission that the view names for the method."""

    message = "Your role doesn't allow this. Ask an admin."

    def has_permission(self, request: Request, view: Any) -> bool:
        """Checks the view's `needs`; a method without an entry is refused."""
        method = request.method or "GET"
        needs = {"OPTIONS": "signed_in", **getattr(view, "needs", {})}
        needed = needs.get(_SAFE.get(method, method))
        if needed is None:
            return False
        if needed == PUBLIC:
            return True
        user = request.user
        return isinstance(user, User) and user.may(needed)
