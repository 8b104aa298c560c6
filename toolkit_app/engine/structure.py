"""Checks a document against the models and says in plain words what doesn't fit."""

import difflib
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from .definition import ToolDefinition
from .document import Document, Loc

_RESERVED = {
    "retry": "steps", "loop": "steps", "export": "steps", "validate": "params", "pre_request": "", "sensitive": "env",
}  # fmt: skip
_WANTED = {
    "string_type": "a text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a map of names and values",
    "model_type": "a map of fields",
    "model_attributes_type": "a map of fields",
}


def check_structure(document: Document) -> ToolDefinition | None:
    """Validate the fields and types of a document; what is wrong is reported to it."""
    if not isinstance(document.data, dict):
        document.report((), "A tool is a map of fields that begins with `name:`; this is something else.")
        return None
    try:
        return ToolDefinition.model_validate(document.data)
    except ValidationError as error:
        for fault in error.errors(include_url=False, include_context=True):
            if document.full:
                break
            _report(document, fault["loc"], fault["type"], fault)
        return None


def nearest(name: str, known: list[str]) -> str:
    """A hint that names the nearest of the known names; empty when none is near."""
    by_folded = {candidate.lower(): candidate for candidate in known}
    found = difflib.get_close_matches(name.lower()[:100], list(by_folded), n=1, cutoff=0.6)
    return f" Did you mean `{by_folded[found[0]]}`?" if found else ""


def _report(document: Document, loc: Loc, kind: str, fault: Any) -> None:
    if kind == "extra_forbidden":
        document.report(loc, _unknown(loc), at_key=True)
    elif kind == "missing":
        document.report(loc, f"The field `{loc[-1]}` is missing; add it{_where(loc[:-1])}.")
    elif kind == "literal_error":
        document.report(loc, _not_one_of(loc, fault))
    elif kind in {"greater_than_equal", "less_than_equal"}:
        document.report(loc, f"`{loc[-1]}` must be from 1 to 86400 (seconds).")
    else:
        document.report(*_wrong_type(loc, kind, fault.get("input")))


def _unknown(loc: Loc) -> str:
    field = str(loc[-1])
    if _is_reserved(loc):
        return f"The field `{field}` is reserved for a later version and can't be used yet; remove it."
    known = _fields_at(loc[:-1])
    hint = nearest(field, known) or f" Known fields are {', '.join(f'`{name}`' for name in known)}."
    return f"The field `{field}` is not known here.{hint}"


def _is_reserved(loc: Loc) -> bool:
    where = _RESERVED.get(str(loc[-1]))
    if where is None:
        return False
    return len(loc) == 1 if where == "" else len(loc) == 3 and loc[0] == where


def _wrong_type(loc: Loc, kind: str, value: Any) -> tuple[Loc, str]:
    if isinstance(value, dict) and "ttl" in value and loc[-1] == "cache":
        return (*loc, "ttl"), "`cache.ttl` is reserved for a later version; write `cache: true`."
    if isinstance(value, dict) and "sensitive" in value and loc[0] == "env" and len(loc) == 2:
        return (*loc, "sensitive"), "`sensitive` is reserved for a later version; write the name of the variable only."
    name = f"`{loc[-1]}`" if loc and isinstance(loc[-1], str) else "This entry"
    wanted = _WANTED.get(kind, "something else")
    message = f"{name} must be {wanted}, but this is {_described(value)}."
    if kind == "string_type" and value is not None and not isinstance(value, (dict, list)):
        message += " Put it in quotes."
    elif kind == "bool_type" and str(value).lower() in {"yes", "no", "on", "off", "true", "false"}:
        message += " Write true or false, without quotes."
    elif kind == "int_type" and isinstance(value, str) and value.strip().isdigit():
        message += " Remove the quotes, and zeros in front."
    elif value is None:
        message += " Fill it in or remove the field."
    return loc, message


def _described(value: Any) -> str:
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, (int, float)):
        return "the number " + (f"`{value}`" if len(repr(value)) < 40 else "given here")
    if isinstance(value, str):
        shown = " ".join(value[:40].split())
        return f"the text `{shown}`"
    return "a list" if isinstance(value, list) else "a map"


def _not_one_of(loc: Loc, fault: Any) -> str:
    choices = [part.strip("'") for part in fault["ctx"]["expected"].replace(" or ", ", ").split(", ")]
    value = fault.get("input")
    hint = nearest(value, choices) if isinstance(value, str) else ""
    listed = ", ".join(f"`{choice}`" for choice in choices)
    return f"`{loc[-1]}` must be one of {listed}, but this is {_described(value)}.{hint}"


def _where(parent: Loc) -> str:
    if not parent:
        return " at the top of the tool"
    kind, number = next(
        ((part, parent[i + 1]) for i, part in enumerate(parent[:-1]) if isinstance(parent[i + 1], int)), ("", 0)
    )
    if len(parent) == 2 and kind in {"steps", "params"}:
        return f" to {'step' if kind == 'steps' else 'parameter'} {number}"
    return " to this entry"


def _fields_at(parent: Loc) -> list[str]:
    model: type[BaseModel] = ToolDefinition
    for part in parent:
        if isinstance(part, int):
            continue
        found = model.model_fields.get(part)
        inner = get_args(found.annotation) if found else ()
        if not inner or not isinstance(inner[0], type) or not issubclass(inner[0], BaseModel):
            return []
        model = inner[0]
    return list(model.model_fields)
