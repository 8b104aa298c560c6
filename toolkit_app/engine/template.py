"""Templates: text with references, parsed once and never expanded a second time.

Source: specification, "template syntax"; contract, "Values in templates".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from .definition import Step, ToolDefinition

Kind = Literal["param", "env", "step"]

_MARK = re.compile(r"\$\$\{|\$\{")
_REFERENCE = re.compile(r"(param|env|step([0-9]+)):(.+)", re.DOTALL)
_NAME = re.compile(r"[^\s{}$\x00-\x1f]+")
_QUOTES = re.compile(r'\\.|"', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reference:
    """A `${…}` of a template.

    Attributes:
        kind: The namespace.
        step: Index of the step for kind `step`, else None.
        name: Name of the parameter, environment variable or extracted variable.
        offset: Where it stands in the template.
        in_string: Whether it stands inside a JSON string literal, were the template JSON.
    """

    kind: Kind
    step: int | None
    name: str
    offset: int
    in_string: bool = False

    def __str__(self) -> str:
        return f"${{{self.kind}{'' if self.step is None else self.step}:{self.name}}}"


@dataclass(frozen=True, slots=True)
class TemplateFault:
    """What is wrong with a template, and where in it."""

    message: str
    offset: int


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed template: literals and references in turn, and what is wrong with it."""

    parts: tuple[str | Reference, ...]
    faults: tuple[TemplateFault, ...]
    literal: str | None

    @property
    def references(self) -> tuple[Reference, ...]:
        """The references, in order."""
        return tuple(part for part in self.parts if isinstance(part, Reference))


@dataclass(frozen=True, slots=True)
class FieldReference:
    """A reference and the field of the tool that holds it.

    Attributes:
        step: Index of the step whose field it is.
        field: The field inside the step: `url`, `headers.Authorization`, `query[0].value`, `body`, `result`.
        kind: The namespace.
        step_ref: Index of the step that is referred to, for kind `step`.
        name: Name of what is referred to.
    """

    step: int
    field: str
    kind: Kind
    step_ref: int | None
    name: str


@lru_cache(maxsize=4096)
def parse_template(text: str) -> Template:
    """Parse a template; what is wrong with it is in its `faults`."""
    parts: list[str | Reference] = []
    faults: list[TemplateFault] = []
    literal: list[str] = []
    in_string = False
    at = 0
    while mark := _MARK.search(text, at):
        literal.append(text[at : mark.start()])
        if mark.group() == "$${":
            literal.append("${")
            at = mark.end()
            continue
        joined = "".join(literal)
        literal.clear()
        in_string = _string_state(joined, in_string)
        if joined:
            parts.append(joined)
        at, outcome = _reference(text, mark.start(), in_string)
        if isinstance(outcome, Reference):
            parts.append(outcome)
        else:
            faults.append(outcome)
    literal.append(text[at:])
    if rest := "".join(literal):
        parts.append(rest)
    has_references = any(isinstance(part, Reference) for part in parts)
    return Template(tuple(parts), tuple(faults), None if has_references else "".join(map(str, parts)))


def template_fields(step: Step) -> Iterator[tuple[str, str]]:
    """Each field of a step that is a template: its path inside the step, and its text."""
    yield "url", step.url
    for name, value in step.headers.items():
        yield f"headers.{name}", value
    for index, item in enumerate(step.query):
        yield f"query[{index}].value", item.value
    if step.body is not None:
        yield "body", step.body
    if step.result is not None:
        yield "result", step.result


def tool_references(tool: ToolDefinition) -> list[FieldReference]:
    """List every reference of every template field of a tool, in the order of the fields."""
    return [
        FieldReference(index, field, reference.kind, reference.step, reference.name)
        for index, step in enumerate(tool.steps)
        for field, text in template_fields(step)
        for reference in parse_template(text).references
    ]


def _reference(text: str, start: int, in_string: bool) -> tuple[int, Reference | TemplateFault]:
    end = text.find("}", start)
    nested = text.find("${", start + 2)
    if end < 0:
        shown = text[start : start + 40].split("\n", 1)[0]
        return start + 2, TemplateFault(
            f"The reference `{shown}` is not closed; add `}}`, or write `$${{` for a literal `${{`.", start
        )
    if 0 <= nested < end:
        end = _closing(text, start)
        message = (
            f"The reference `{text[start : end + 1][:80]}` holds another one; references can't be nested. "
            "Extract the value with a `var` first."
        )
        return end + 1, TemplateFault(message, start)
    inside = text[start + 2 : end]
    return end + 1, _parsed(inside, start, in_string)


def _parsed(inside: str, start: int, in_string: bool) -> Reference | TemplateFault:
    shown = f"${{{inside[:60]}}}"
    match = _REFERENCE.fullmatch(inside)
    if match and _NAME.fullmatch(match[3]):
        if match[2] is None:
            return Reference("param" if match[1] == "param" else "env", None, match[3], start, in_string)
        number = int(match[2]) if len(match[2]) < 10 else 10**9
        return Reference("step", number, match[3], start, in_string)
    if match:
        return TemplateFault(
            f"The name in `{shown}` has blanks or signs that a name can't have; write `{match[1]}:name`.", start
        )
    namespace = inside.split(":", 1)[0].strip()
    if namespace == "step":
        message = (
            f"`{shown}` is not allowed: a step's raw answer can't be inserted. "
            "Extract a value with a `var` of that step and write `${step0:name}`."
        )
        return TemplateFault(message, start)
    if namespace in {"param", "env"} or re.fullmatch(r"step[0-9]+", namespace):
        return TemplateFault(f"The name is missing in `{shown}`; write `${{{namespace}:name}}`.", start)
    message = f"`{shown}` has an unknown namespace `{namespace}`; there are `param:`, `env:` and `step0:`, `step1:`, …"
    return TemplateFault(message, start)


def _closing(text: str, start: int) -> int:
    depth = 0
    for match in re.finditer(r"\$\{|\}", text[start:]):
        depth += 1 if match.group() == "${" else -1
        if depth == 0:
            return start + match.start()
    return len(text) - 1


def _string_state(literal: str, in_string: bool) -> bool:
    for match in _QUOTES.finditer(literal):
        if match.group() == '"':
            in_string = not in_string
        elif not in_string and match.group() == '\\"':
            in_string = True
    return in_string
