"""Describing a Call's settings: labels and hints in both languages, and which fields hold templates or expressions.

The description is part of the class's JSON Schema; form, validation and documentation read it from there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from graph_app.calls.types import LanguageType

Kind = Literal["template", "expression", "schema", "plain"]
"""What a field holds: `template`, `${…}` resolved before the step; `expression`, CEL; `schema`; or plain."""

_TEXTS = "x-texts"
_KIND = "x-kind"
_WIDGET = "x-widget"
_OPTIONS = "x-options"
_WHEN = "x-when"
_INSTEAD = "x-instead"


def described(
    *,
    zh: tuple[str, str],
    en: tuple[str, str],
    kind: Kind = "plain",
    widget: str | None = None,
    options: Mapping[str, tuple[str, str]] | None = None,
    when: Mapping[str, Sequence[str]] | None = None,
    instead: str | None = None,
) -> dict[str, Any]:
    """Returns the `json_schema_extra` of a setting.

    Args:
        zh: Label and hint in Chinese.
        en: Label and hint in English.
        kind: What it holds.
        widget: What the form edits it with where the schema doesn't say: `text`, `texts`, `list`, `tool`,
            `tools`, `graph`, `model`.
        options: For a setting with fixed values, each value's label in Chinese and English.
        when: The form shows it only while the named setting has one of these values; any value when there are none.
        instead: The setting that this one takes the place of: only one of the two is given.
    """
    extra: dict[str, Any] = {_TEXTS: {"zh": zh, "en": en}, _KIND: kind}
    if widget:
        extra[_WIDGET] = widget
    if options:
        extra[_OPTIONS] = {value: {"zh": labels[0], "en": labels[1]} for value, labels in options.items()}
    if when:
        extra[_WHEN] = {name: list(values) for name, values in when.items()}
    if instead:
        extra[_INSTEAD] = instead
    return extra


def _picked(value: str) -> str:
    if not value.strip():
        raise PydanticCustomError("not_picked", "Nothing is picked yet.")
    return value


Picked = Annotated[str, AfterValidator(_picked)]
"""The name of a tool or a graph, which must be picked before the step can run."""


def template_fields(model: type[BaseModel]) -> frozenset[str]:
    """Returns the names of the fields that hold templates."""
    return frozenset(name for name, field in model.model_fields.items() if _kind(field) == "template")


def expression_fields(model: type[BaseModel]) -> frozenset[str]:
    """Returns the names of the fields that hold CEL expressions."""
    return frozenset(name for name, field in model.model_fields.items() if _kind(field) == "expression")


def widget_fields(model: type[BaseModel], widget: str) -> list[str]:
    """Returns the settings that the form edits with a widget."""
    return [
        field.alias or name
        for name, field in model.model_fields.items()
        if isinstance(field.json_schema_extra, Mapping) and field.json_schema_extra.get(_WIDGET) == widget
    ]


def schema_fields(model: type[BaseModel], settings: Mapping[str, Any]) -> list[str]:
    """Returns the settings that hold a JSON Schema, where what else is set makes the form show them.

    Args:
        model: The Call's class.
        settings: The settings as written.
    """
    return [
        field.alias or name
        for name, field in model.model_fields.items()
        if _kind(field) == "schema" and _shown(model, field, settings)
    ]


def _shown(model: type[BaseModel], field: FieldInfo, settings: Mapping[str, Any]) -> bool:
    extra = field.json_schema_extra
    when: Any = extra.get(_WHEN, {}) if isinstance(extra, Mapping) else {}
    return all(
        not values or settings.get(name, model.model_fields[name].default) in values for name, values in when.items()
    )


def _kind(field: FieldInfo) -> str:
    extra = field.json_schema_extra
    return str(extra.get(_KIND, "plain")) if isinstance(extra, Mapping) else "plain"


def localised(schema: dict[str, Any], language: LanguageType) -> dict[str, Any]:
    """Returns a JSON Schema with the labels and hints of one language as `title` and `description`."""
    properties = {}
    for name, details in schema.get("properties", {}).items():
        shown = {key: value for key, value in details.items() if key != _TEXTS}
        texts = details.get(_TEXTS)
        if texts:
            shown["title"], shown["description"] = texts[LanguageType(language).value]
        if _OPTIONS in shown:
            shown[_OPTIONS] = {value: labels[LanguageType(language).value] for value, labels in shown[_OPTIONS].items()}
        properties[name] = shown
    return {**schema, "properties": properties}
