"""Puts values into templates, by position.

Source: contract, "Values in templates".
"""

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from .errors import ConfigError
from .scalars import JSON_NUMBER
from .template import Reference, Template, parse_template
from .values import Value, compact, is_json

_JSON_START = frozenset('{["-0123456789tfn \t\r\n')
MISSING = Value("")


class Scope:
    """The values that a call's templates may refer to.

    Attributes:
        params: Checked arguments by name.
        variables: Extracted variables by (step, name).
    """

    __slots__ = ("_declared", "_env", "_warn", "params", "variables")

    def __init__(
        self, params: Mapping[str, Value], env: Mapping[str, Any], declared: list[str], warn: Callable[[str], None]
    ) -> None:
        self.params = params
        self.variables: dict[tuple[int, str], Value] = {}
        self._env = env
        self._declared = declared
        self._warn = warn

    def value(self, reference: Reference) -> Value:
        """The value of a reference; empty, with a warning, when there is none."""
        if reference.kind == "step":
            return self.variables.get((reference.step or 0, reference.name), MISSING)
        if reference.kind == "param":
            found = self.params.get(reference.name)
            if found is None:
                self._warn(f"{reference} is not a parameter of this tool or was not given; it was left empty.")
                return MISSING
            return found
        if reference.name not in self._declared:
            self._warn(f"{reference} is not listed in the tool's `env`; it was left empty.")
            return MISSING
        value = self._env.get(reference.name)
        if value is None:
            self._warn(f"The environment variable {reference.name} is not set; {reference} was left empty.")
            return MISSING
        return Value(value)


def expand_text(text: str, scope: Scope) -> str:
    """Expand a header value, a query value, `result`, or a body that is neither JSON nor a form."""
    template = _template(text)
    if template.literal is not None:
        return template.literal
    return "".join([part if isinstance(part, str) else scope.value(part).as_text() for part in template.parts])


def expand_url(text: str, scope: Scope) -> str:
    """Expand a URL: at position 0 and from the environment as it is, elsewhere percent-encoded.

    Raises:
        UnicodeEncodeError: A value holds a lone surrogate.
    """
    template = _template(text)
    if template.literal is not None:
        return template.literal
    return "".join([part if isinstance(part, str) else _in_url(part, scope) for part in template.parts])


def expand_json(text: str, scope: Scope) -> str:
    """Expand a JSON body: escaped inside string literals, as JSON values outside."""
    template = _template(text)
    if template.literal is not None:
        return template.literal
    return "".join([part if isinstance(part, str) else _in_json(part, scope) for part in template.parts])


def expand_form(text: str, scope: Scope) -> str:
    """Expand a form body: every value percent-encoded.

    Raises:
        UnicodeEncodeError: A value holds a lone surrogate.
    """
    template = _template(text)
    if template.literal is not None:
        return template.literal
    parts = template.parts
    return "".join([part if isinstance(part, str) else quote(scope.value(part).as_text(), safe="") for part in parts])


def _template(text: str) -> Template:
    template = parse_template(text)
    if template.faults:
        raise ConfigError(template.faults[0].message)
    return template


def _in_url(reference: Reference, scope: Scope) -> str:
    text = scope.value(reference).as_text()
    if reference.offset == 0 or reference.kind == "env":
        return text
    return quote(text, safe="")


def _in_json(reference: Reference, scope: Scope) -> str:
    value = scope.value(reference)
    if reference.in_string:
        return json.dumps(value.as_text(), ensure_ascii=False)[1:-1]
    plain = value.plain
    if isinstance(plain, str):
        if plain and plain[0] in _JSON_START and is_json(plain):
            return plain
        return json.dumps(plain, ensure_ascii=False)
    if value.text is not None and (isinstance(plain, (list, dict)) or JSON_NUMBER.fullmatch(value.text)):
        return value.text
    return compact(plain)
