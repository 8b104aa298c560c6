"""Services on accounts: set-up links, invitations, sign-in, sessions and tokens."""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.password_validation import validate_password
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from toolkit_app.audit import audit
from toolkit_app.errors import ConflictError, InvalidError, NotFoundError, TooManyError
from workbench.models import ApiToken, AuditRecord, SetUpLink, User
from workbench.roles import Role

LINK_LIFE = timedelta(days=3)
_TOUCH_EVERY = timedelta(minutes=5)
_LOCKED_OUT = "session.locked_out"
_PASSWORDS_AT_ONCE = 2
_PASSWORD_WAIT_S = 20.0
_hashing = threading.BoundedSemaphore(_PASSWORDS_AT_ONCE)


def hash_token(token: str) -> str:
    """Returns what is kept of a token. Tokens are random and long, so one round of SHA-256 is enough."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


@contextmanager
def password_work() -> Iterator[None]:
    """Lets few passwords be hashed at once: each takes 100 MB, and anybody may ask for it.

    Raises:
        TooManyError: If the turn does not come.
    """
    if not _hashing.acquire(timeout=_PASSWORD_WAIT_S):
        raise TooManyError("Too many people sign in just now. Try again in a minute.", code="busy")
    try:
        yield
    finally:
        _hashing.release()


def link_create(kind: SetUpLink.Kind, user: User | None) -> str:
    """Makes a set-up link and ends the earlier ones of the same kind and person.

    Returns:
        The token of the link, which nobody can read again.
    """
    SetUpLink.objects.filter(kind=kind, user=user, used_at=None).delete()
    token = secrets.token_urlsafe(32)
    SetUpLink.objects.create(token_hash=hash_token(token), kind=kind, user=user, expires_at=timezone.now() + LINK_LIFE)
    return token


def first_admin_link() -> str | None:
    """Makes the link for the first admin, or returns `None` when an admin can sign in already."""
    return None if an_admin_can_sign_in() else link_create(SetUpLink.Kind.FIRST_ADMIN, None)


def an_admin_can_sign_in() -> bool:
    """Returns whether the server is set up."""
    return any(user.has_usable_password() for user in User.objects.filter(role=Role.ADMIN, is_active=True))


def link_find(token: str) -> SetUpLink:
    """Finds a link that can still be used.

    Raises:
        InvalidError: With code `token_unknown`, `token_used` or `token_expired`.
    """
    link = SetUpLink.objects.select_related("user").filter(token_hash=hash_token(token)).first()
    if link is None:
        raise InvalidError("This link is not known. Ask an admin for a new one.", code="token_unknown")
    if link.used_at is not None or (link.kind == SetUpLink.Kind.FIRST_ADMIN and an_admin_can_sign_in()):
        raise InvalidError("This link was used already. Sign in, or ask an admin for a new one.", code="token_used")
    if link.expires_at < timezone.now() or (link.user is not None and not link.user.is_active):
        raise InvalidError("This link has expired. Ask an admin for a new one.", code="token_expired")
    return link


@transaction.atomic
def link_use(token: str, username: str | None, password: str) -> User:
    """Sets the password that a link is for, and makes the first admin where it is theirs.

    Raises:
        InvalidError: If the link can't be used, or the name or password won't do.
    """
    link = link_find(token)
    if link.user is None:
        if not username:
            raise InvalidError("Pick a name.", fields={"username": ["Pick a name."]})
        user = user_new(username, "", Role.ADMIN)
    else:
        user = link.user
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise InvalidError(" ".join(error.messages), fields={"password": list(error.messages)}) from error
    # Whoever marks the link first has it: two browsers that send it at once make one account.
    if not SetUpLink.objects.filter(pk=link.pk, used_at=None).update(used_at=timezone.now()):
        raise InvalidError("This link was used already. Sign in, or ask an admin for a new one.", code="token_used")
    user.set_password(password)
    user.save(update_fields=["password"])
    sessions_end(user)
    audit(user.username, "user.set_up", user.username, kind=link.kind)
    return user


def user_new(username: str, email: str, role: str) -> User:
    """Makes a user without a password; the name is checked and must be free.

    Raises:
        InvalidError: If the name doesn't fit the rule, with the rule.
        ConflictError: If the name is taken.
    """
    user = User(username=User.normalize_username(username), email=User.objects.normalize_email(email), role=role)
    user.set_unusable_password()
    _check(user)
    if User.objects.filter(username__iexact=user.username).exists():
        raise ConflictError(f"The name {user.username} is taken.", fields={"username": ["This name is taken."]})
    user.save()
    return user


def _check(user: User) -> None:
    try:
        user.full_clean(validate_unique=False)
    except ValidationError as error:
        fields = {name: list(texts) for name, texts in error.message_dict.items()}
        raise InvalidError(" ".join(text for texts in fields.values() for text in texts), fields=fields) from error


@transaction.atomic
def user_invite(actor: User, username: str, email: str, role: str) -> tuple[User, str]:
    """Makes a user and the link by which they set their password."""
    user = user_new(username, email, role)
    audit(actor.username, "user.invite", user.username, role=role)
    return user, link_create(SetUpLink.Kind.INVITATION, user)


def user_get(username: str) -> User:
    """Finds a user by name.

    Raises:
        NotFoundError: If there is none.
    """
    user = User.objects.filter(username=username).first()
    if user is None:
        raise NotFoundError(f"There is no user {username}.")
    return user


@transaction.atomic
def user_change(actor: User, username: str, changes: dict[str, Any]) -> User:
    """Changes role, e-mail address or whether somebody may sign in.

    Raises:
        InvalidError: If the address is none.
        ConflictError: If no active admin would be left.
    """
    # Two admins who take the role from each other wait here for one another: somebody must be left.
    list(User.objects.select_for_update().filter(role=Role.ADMIN).order_by("pk").values_list("pk"))
    user = user_get(username)
    if "role" in changes:
        user.role = changes["role"]
    if "active" in changes:
        user.is_active = changes["active"]
    if "email" in changes:
        user.email = User.objects.normalize_email(changes["email"])
        _check(user)
    others = User.objects.filter(role=Role.ADMIN, is_active=True).exclude(pk=user.pk)
    if not (user.role == Role.ADMIN and user.is_active) and not any(one.has_usable_password() for one in others):
        raise ConflictError("Somebody must be left who is an admin and can sign in. Make another admin first.")
    user.save(update_fields=["role", "is_active", "email"])  # a password set meanwhile stays
    if not user.is_active:
        sessions_end(user)
    audit(actor.username, "user.change", user.username, **changes)
    return user


@transaction.atomic
def user_reset(actor: User, username: str) -> str:
    """Makes a link by which somebody sets a new password; the old one holds until then."""
    user = user_get(username)
    audit(actor.username, "user.reset", user.username)
    return link_create(SetUpLink.Kind.RESET, user)


def sessions_end(user: User) -> int:
    """Signs a user out everywhere.

    Returns:
        How many sessions were ended.
    """
    ended = 0
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()
            ended += 1
    return ended


@transaction.atomic
def lock_out_note(username: str, address: str) -> None:
    """Writes into the audit trail that a name is locked out for an address, once in the time that this lasts.

    Every attempt comes here, and anybody may make them: one record each would bury the others.
    """
    since = timezone.now() - timedelta(hours=settings.AXES_COOLOFF_TIME)
    known = AuditRecord.objects.filter(
        actor="nobody", action=_LOCKED_OUT, target=username[:200], detail={"address": address}, at__gt=since
    )
    if not known.exists():
        audit("nobody", _LOCKED_OUT, username, address=address)


def session_user(key: str | None) -> User | None:
    """Finds whom a session cookie speaks for, or `None` when it has ended or its user may not sign in."""
    session = SessionStore(key) if key else {}
    user = User.objects.filter(pk=session.get(SESSION_KEY), is_active=True).first()
    if user is None or not constant_time_compare(session.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash()):
        return None
    return user


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token just made, with the key that is shown once."""

    token: ApiToken
    key: str


@transaction.atomic
def token_create(owner: User, name: str, scope: str, expires_at: datetime | None) -> NewToken:
    """Makes a token for its owner.

    Raises:
        InvalidError: If the scope is above the owner's role, or the end is past.
    """
    if Role(scope).rank > owner.acting_role.rank:
        raise InvalidError(
            f"A token can't do more than its owner: you are {owner.acting_role.value}.",
            fields={"scope": [f"At most {owner.acting_role.value}."]},
        )
    if expires_at is not None and expires_at <= timezone.now():
        raise InvalidError(
            "The end of a token must lie ahead.", fields={"expires_at": ["Pick a time that lies ahead."]}
        )
    key = "wb_" + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        owner=owner, name=name, scope=scope, key_hash=hash_token(key), expires_at=expires_at
    )
    audit(owner.username, "token.create", name, scope=scope)
    return NewToken(token, key)


@transaction.atomic
def token_revoke(owner: User, token_id: int) -> None:
    """Ends one of the owner's tokens.

    Raises:
        NotFoundError: If the owner has no such token.
    """
    token = ApiToken.objects.filter(pk=token_id, owner=owner).first()
    if token is None:
        raise NotFoundError("There is no such token of yours.")
    audit(owner.username, "token.revoke", token.name)
    token.delete()


def token_user(key: str) -> User | None:
    """Finds whom a token speaks for, or `None` when it is unknown, expired or its owner may not sign in."""
    now = timezone.now()
    token = ApiToken.objects.select_related("owner").filter(key_hash=hash_token(key)).first()
    if token is None or not token.owner.is_active or (token.expires_at is not None and token.expires_at <= now):
        return None
    if token.last_used_at is None or now - token.last_used_at > _TOUCH_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    user = token.owner
    user.token_scope = Role(token.scope)
    return user
