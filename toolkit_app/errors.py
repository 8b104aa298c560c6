"""What services refuse, and why. Each becomes one problem document (RFC 9457) of the API.

ServiceError
├── InvalidError      400  the input won't do
├── NotSignedInError  401  name and password don't belong together
├── ForbiddenError    403  the role is too low
├── NotFoundError     404
├── ConflictError     409  it clashes with what is there
└── TooManyError      429  a limit on starting things
"""

from __future__ import annotations

from typing import Any, ClassVar


class ServiceError(Exception):
    """A request that a service refused; `detail` says what, where and what to do."""

    status: ClassVar[int] = 400
    title: ClassVar[str] = "The request was refused"
    code: str = "refused"

    def __init__(self, detail: str, *, code: str | None = None, **extra: Any) -> None:
        """Keeps the sentence for people and, as further members of the document, the parts for programs."""
        super().__init__(detail)
        self.detail = detail
        self.extra = extra
        if code is not None:
            self.code = code


class InvalidError(ServiceError):
    """The input won't do: a field is missing, unknown or wrong, or a document has problems."""

    title = "The input won't do"
    code = "invalid"


class NotSignedInError(ServiceError):
    """Name and password don't belong together."""

    status = 401
    title = "You are not signed in"
    code = "not_signed_in"


class ForbiddenError(ServiceError):
    """The role of the caller is too low."""

    status = 403
    title = "You may not do this"
    code = "forbidden"


class NotFoundError(ServiceError):
    """There is no such thing, or the caller may not see it."""

    status = 404
    title = "Not found"
    code = "not_found"


class ConflictError(ServiceError):
    """It clashes with what is there: a name that is taken, or a save based on an older revision."""

    status = 409
    title = "It clashes with what is there"
    code = "conflict"


class TooManyError(ServiceError):
    """A limit on how many things may be under way at once."""

    status = 429
    title = "Too many at once"
    code = "too_many"
