"""States and outputs as JSON data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from pydantic_core import to_jsonable_python


def plain(value: Any) -> Any:
    """Returns a value as JSON data: messages as maps without empty fields, whatever else pydantic knows as its text."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, BaseModel):
        return plain(value.model_dump(exclude_none=True))
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return to_jsonable_python(value, fallback=str)


def plain_delta(delta: Any) -> dict[str, Any]:
    """Returns a state or delta as JSON data."""
    if isinstance(delta, BaseModel):
        delta = {name: getattr(delta, name) for name in type(delta).model_fields}
    return {str(name): plain(value) for name, value in (delta or {}).items()}
