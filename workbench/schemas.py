"""Bodies and answers of the API of accounts, as pydantic models."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from graph_app.providers import ModelsBody
from toolkit_app.schemas import NetworkRuleBody
from toolkit_app.web import Body, Moment, PageQuery
from workbench.roles import Role

Username = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=64)]
Password = Annotated[str, StringConstraints(min_length=1, max_length=1024)]


class SignIn(Body):
    """Name and password."""

    username: Username
    password: Password


class SessionState(Body):
    """Who is signed in, and what they may do."""

    username: str
    email: str
    role: Role
    may: list[str]


class SetUpToken(Body):
    """The token of a set-up link."""

    token: str


class SetUp(Body):
    """What a person sends from the page of a set-up link."""

    token: str
    username: Username | None = None
    password: Password


class SetUpNeed(Body):
    """Whether the server waits for its first admin, who comes by the link that it printed."""

    needed: bool


class SetUpState(Body):
    """What a set-up link is for."""

    kind: Literal["first_admin", "invitation", "reset"]
    username: str | None
    role: Role


class UserBody(Body):
    """A person to invite."""

    username: Username
    email: Annotated[str, StringConstraints(max_length=254)] = ""
    role: Role


class UserChange(Body):
    """What may change of a user."""

    email: Annotated[str, StringConstraints(max_length=254)] | None = None
    role: Role | None = None
    active: bool | None = None


class UserRow(Body):
    """A user as listed. `pending` says that no password was set yet."""

    username: str
    email: str
    role: Role
    active: bool
    pending: bool
    last_login: datetime | None


class InvitedUser(UserRow):
    """A user just invited, with the link to hand over."""

    set_up_link: str


class UserList(Body):
    """A page of users."""

    results: list[UserRow]
    next: str | None


class SetUpLinkBody(Body):
    """A link to hand over."""

    set_up_link: str


class TokenBody(Body):
    """A token to make."""

    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=64)]
    scope: Role
    expires_at: Moment | None = None


class TokenRow(Body):
    """A token as listed."""

    id: int
    name: str
    scope: Role
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


class NewTokenRow(TokenRow):
    """A token just made; `token` is shown this once."""

    token: str


class TokenList(Body):
    """A page of tokens."""

    results: list[TokenRow]
    next: str | None


class AuditQuery(PageQuery):
    """What the audit trail can be filtered by."""

    actor: str | None = None
    action: str | None = None


class AuditRow(Body):
    """One record of the audit trail."""

    id: int
    at: datetime
    actor: str
    action: str
    target: str
    detail: dict[str, Any]


class AuditList(Body):
    """A page of the audit trail."""

    results: list[AuditRow]
    next: str | None


class Network(Body):
    """The network policy: what beyond public addresses may be reached."""

    allow: list[NetworkRuleBody] = Field(max_length=1000)


class SettingsBody(Body):
    """The server's settings that admins change."""

    network: Network | None = None
    models: ModelsBody | None = None
