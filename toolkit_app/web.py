"""What every API view is built from: who may, how a body is read, how a list is paged.

A view says with `needs` which permission each method asks for; a method that is not in it is refused, so that a new
route is closed until somebody opened it.
"""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, TypeVar
from urllib.parse import urlencode

from django.core.exceptions import ValidationError as ValidationRefusal
from django.db import DataError
from django.db.models import Model, Q, QuerySet
from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from toolkit_app.errors import InvalidError, NotFoundError
from toolkit_app.names import PATTERN, RULE

PAGE_SIZE = 50
_BAD_CURSOR = "This page's cursor is not one that a list gave. Start again from the first page."
PAGE_SIZE_MAX = 500
MAX_DEPTH = 200
"""How deep the data of a body may be nested."""
_TOO_DEEP = f"The body is nested more than {MAX_DEPTH} levels deep."


def _in_utc(value: datetime) -> datetime:
    try:
        return value.astimezone(UTC)
    except OverflowError as error:  # the first and the last hours of the calendar lie outside of it elsewhere
        raise ValueError("the time lies outside of the calendar") from error


Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]
"""A time with its zone, as every database takes it."""


class Body(BaseModel):
    """Base of request bodies: an unknown field is an error, never dropped in silence."""

    model_config = ConfigDict(extra="forbid", str_max_length=4 * 1024 * 1024)


class PlacedProblem(BaseModel):
    """A problem of a document with its place in the text; line and column count from 1."""

    path: str
    line: int
    column: int
    message: str


class Problem(BaseModel):
    """An error, as RFC 9457 has it."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    problems: list[PlacedProblem] | None = None
    fields: dict[str, list[str]] | None = None


@dataclass(frozen=True, slots=True)
class Operation:
    """What one method of a view takes and gives, for the OpenAPI document."""

    name: str
    answers: Mapping[int, Any]
    body: type[BaseModel] | None = None
    query: type[BaseModel] | None = None


_BodyT = TypeVar("_BodyT", bound=BaseModel)
_ModelT = TypeVar("_ModelT", bound=Model)


class ApiView(APIView):
    """Base of all API views."""

    needs: ClassVar[dict[str, str]] = {}
    describes: ClassVar[dict[str, Operation]] = {}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Checks who asks; a name that could not be stored names nothing."""
        super().initial(request, *args, **kwargs)
        if _unstorable(kwargs):
            raise NotFoundError("There is nothing at this address.")

    def body(self, request: Request, model: type[_BodyT]) -> _BodyT:
        """Reads the request's body.

        Raises:
            InvalidError: With a message for each field that doesn't fit.
        """
        try:
            data = request.data
            unstorable = _unstorable(data)
        except RecursionError as error:  # the JSON reader's own, on a body that is nested even deeper
            raise InvalidError(_TOO_DEEP) from error
        if not isinstance(data, dict):
            raise InvalidError("The body must be a JSON object.")
        if unstorable:
            raise InvalidError(unstorable)
        return read_model(model, data)

    def query(self, request: Request, model: type[_BodyT]) -> _BodyT:
        """Reads the request's query string; empty values count as left out.

        Raises:
            InvalidError: With a message for each parameter that doesn't fit.
        """
        values = {key: value for key, value in request.query_params.items() if value != ""}
        unstorable = _unstorable(values, "the query string")
        if unstorable:
            raise InvalidError(unstorable)
        return read_model(model, values)


def read_model(model: type[_BodyT], data: dict[str, Any]) -> _BodyT:
    """Validates data from outside.

    Raises:
        InvalidError: With `fields`, a list of messages for each field that doesn't fit.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        fields: dict[str, list[str]] = {}
        for problem in error.errors(include_url=False, include_input=False):
            where = ".".join(str(part) for part in problem["loc"]) or "body"
            fields.setdefault(where, []).append(_sentence(_plain(problem)))
        summary = " ".join(f"{where}: {' '.join(messages)}" for where, messages in fields.items())
        raise InvalidError(summary, fields=fields) from error


def _plain(problem: ErrorDetails) -> str:
    """Returns what people read of a problem: pydantic speaks to programmers of strings and inputs."""
    context = problem.get("ctx", {})
    match problem["type"]:
        case "extra_forbidden":
            return "There is no such field."
        case "missing":
            return "This field is required."
        case "string_too_short" if context["min_length"] == 1:
            return "This can't be empty."
        case "string_too_short":
            return f"At least {context['min_length']} characters are needed."
        case "string_too_long":
            return f"At most {context['max_length']} characters are allowed."
        case "too_long":
            return f"At most {context['max_length']} entries are allowed."
        case "string_pattern_mismatch" if context["pattern"] == PATTERN:
            return RULE
        case "string_type":
            return "This must be text."
        case "literal_error" | "enum":
            return f"This must be {context['expected']}."
        case "value_error":
            return str(context["error"])
    return problem["msg"]


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def require_storable(value: Any, where: str) -> None:
    """Refuses what came from outside and no database or reader takes: half characters, NUL, endless nesting.

    Raises:
        InvalidError: If there is any of it; the message says where.
    """
    unstorable = _unstorable(value, where)
    if unstorable:
        raise InvalidError(unstorable)


def _unstorable(value: Any, where: str = "body", depth: int = 0) -> str | None:
    if depth > MAX_DEPTH:
        return _TOO_DEEP
    if isinstance(value, str):
        if "\0" in value:
            return f"{where} holds a NUL character. Remove it."
        if any("\ud800" <= char <= "\udfff" for char in value):
            return f"{where} holds half a character (a lone surrogate). Paste the text again."
    elif isinstance(value, dict):
        for key, item in value.items():
            found = _unstorable(key, f"a name in {where}") or _unstorable(item, f"{where}.{key}", depth + 1)
            if found:
                return found
    elif isinstance(value, list):
        for index, item in enumerate(value):
            found = _unstorable(item, f"{where}[{index}]", depth + 1)
            if found:
                return found
    elif isinstance(value, float) and not math.isfinite(value):
        return f"{where} is a number too large to be kept. Send it as text."
    return None


class PageQuery(Body):
    """The parameters that every list takes."""

    cursor: str | None = None
    limit: int = PAGE_SIZE


def page(
    request: Request,
    rows: QuerySet[_ModelT],
    show: Callable[[Sequence[_ModelT]], list[dict[str, Any]]],
    *,
    order: tuple[str, ...],
    query: PageQuery,
) -> Response:
    """Answers with one page of a list and the address of the next.

    The cursor holds the ordering fields of the page's last row, so that a page costs the same wherever it is and rows
    that come or go between two pages are neither repeated nor skipped.

    Args:
        request: The request, for the address of the next page.
        rows: What is listed.
        show: Turns the page's rows into JSON.
        order: Field names, with `-` for descending; together they are unique.
        query: The request's parameters.
    """
    limit = max(1, min(query.limit, PAGE_SIZE_MAX))
    if query.cursor:
        try:
            rows = rows.filter(_after(order, _decode_cursor(query.cursor, len(order))))
        except (ValueError, OverflowError, ValidationRefusal) as error:  # right in number, but no such values
            raise InvalidError(_BAD_CURSOR) from error
    try:
        found = list(rows.order_by(*order)[: limit + 1])
    except (OverflowError, DataError) as error:  # a value that only the database finds too large
        raise InvalidError(_BAD_CURSOR) from error
    following = None
    if len(found) > limit:
        found.pop()
        last = [_text(getattr(found[-1], name.lstrip("-"))) for name in order]
        parameters = {**request.query_params.dict(), "cursor": _encode_cursor(last)}
        following = request.build_absolute_uri(f"{request.path}?{urlencode(parameters)}")
    return Response({"results": show(found), "next": following})


def _after(order: tuple[str, ...], values: list[str]) -> Q:
    # (a, b) after (x, y)  is  a after x, or a = x and b after y; the redundant first bound lets an index be used.
    condition = Q()
    for index in reversed(range(len(order))):
        name, value = order[index].lstrip("-"), values[index]
        comparison = "lt" if order[index].startswith("-") else "gt"
        later = Q(**{f"{name}__{comparison}": value})
        condition = later | (Q(**{name: value}) & condition) if condition else later
    first = order[0]
    bound = Q(**{f"{first.lstrip('-')}__{'lte' if first.startswith('-') else 'gte'}": values[0]})
    return bound & condition


def _text(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _encode_cursor(values: list[str]) -> str:
    return base64.urlsafe_b64encode("\x1f".join(values).encode()).decode().rstrip("=")


def _decode_cursor(text: str, count: int) -> list[str]:
    try:
        values = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode().split("\x1f")
    except (binascii.Error, ValueError):
        values = []
    if len(values) != count:
        raise InvalidError(_BAD_CURSOR)
    return values
