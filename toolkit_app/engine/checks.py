"""Checks what the models can't see: references, jumps, paths, patterns, headers.

They work on plain data, so that a document with wrong types still gets all of its other problems.
"""

import re
from typing import Any

from .document import MAX_PROBLEMS, Document, Loc
from .errors import ParamsError, RunError
from .params import coerce
from .paths import parse_path
from .patterns import is_pattern, parse_pattern
from .structure import nearest
from .template import Reference, parse_template

HEADER_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
FORBIDDEN_HEADERS = frozenset(
    {"content-length", "transfer-encoding", "connection", "expect", "upgrade", "te", "trailer"}
)
_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NAME = re.compile(r"[^\s{}$\x00-\x1f]+")
_BAD_IN_URL = re.compile(r"[\x00-\x20\x7f]")


def check_meaning(document: Document) -> None:
    """Report everything that is wrong in a document beyond its fields' types."""
    data = document.data
    if not isinstance(data, dict):
        return
    name = data.get("name")
    if isinstance(name, str) and not _TOOL_NAME.fullmatch(name):
        document.report(
            ("name",), "A tool's name has 1 to 64 letters (a-z), digits, `_` or `-`; models accept nothing else."
        )
    _check_params(document, data.get("params"))
    for index, variable in enumerate(_list(data.get("env"))):
        if isinstance(variable, str) and not _NAME.fullmatch(variable):
            document.report(
                ("env", index), f"`{variable[:40]}` can't be the name of a variable; remove blanks, braces and `$`."
            )
    steps = data.get("steps")
    if steps == []:
        document.report(("steps",), "A tool needs at least one step; add one with a `url`.")
    for index, step in enumerate(_list(steps)):
        if isinstance(step, dict):
            _check_step(document, ("steps", index), step, _list(steps))


def _check_params(document: Document, params: Any) -> None:
    seen: set[str] = set()
    for index, param in enumerate(_list(params)):
        if not isinstance(param, dict):
            continue
        name = param.get("name")
        if isinstance(name, str):
            if not _NAME.fullmatch(name):
                message = f"`{name[:40]}` can't be the name of a parameter; remove blanks, braces and `$`."
                document.report(("params", index, "name"), message)
            if name in seen:
                document.report(("params", index, "name"), f"There is another parameter `{name}`; rename one of them.")
            seen.add(name)
        kind = param.get("type")
        if param.get("default") is not None and kind in ("string", "number", "integer", "boolean"):
            try:
                coerce(str(name), kind, param["default"])
            except ParamsError:
                document.report(("params", index, "default"), f"`default` does not fit the parameter's type `{kind}`.")


def _check_step(document: Document, loc: Loc, step: dict[str, Any], steps: list[Any]) -> None:
    url = step.get("url")
    if isinstance(url, str):
        _check_url(document, (*loc, "url"), url)
        _check_template(document, (*loc, "url"), url, steps)
    _check_headers(document, (*loc, "headers"), step.get("headers"), steps)
    for index, item in enumerate(_list(step.get("query"))):
        if isinstance(item, dict):
            _check_template(document, (*loc, "query", index, "value"), item.get("value"), steps)
    for field in ("body", "result"):
        _check_template(document, (*loc, field), step.get(field), steps)
    _check_target(document, (*loc, "next"), step.get("next"), len(steps))
    for index, entry in enumerate(_list(step.get("var"))):
        if isinstance(entry, dict):
            _check_variable(document, (*loc, "var", index), entry, len(steps))


def _check_url(document: Document, loc: Loc, url: str) -> None:
    if not url:
        document.report(loc, "The URL is empty; write one, such as `https://api.example.com/orders`.")
    offset = 0
    for part in parse_template(url).parts:
        if isinstance(part, Reference):
            continue
        if bad := _BAD_IN_URL.search(part):
            what = (
                "a line break" if bad.group() in "\r\n" else "a blank" if bad.group() == " " else "a control character"
            )
            offset = url.find(part) + bad.start() if part in url else 0
            message = f"The URL holds {what}; write `%20` for a blank, and put values into `query`."
            document.report_inside(loc, url, offset, message)
            return


def _check_headers(document: Document, loc: Loc, headers: Any, steps: list[Any]) -> None:
    seen: dict[str, str] = {}
    for name, value in headers.items() if isinstance(headers, dict) else ():
        here = (*loc, name)
        folded = name.lower()
        if not HEADER_NAME.fullmatch(name):
            document.report(
                here, f"`{name[:60]}` can't be the name of a header; use letters, digits and `-`.", at_key=True
            )
        elif folded in FORBIDDEN_HEADERS:
            document.report(here, f"The header `{name}` is set by the engine itself; remove it.", at_key=True)
        elif folded in seen:
            message = (
                f"The header `{name}` is there already, as `{seen[folded]}`; case makes no difference. Remove one."
            )
            document.report(here, message, at_key=True)
        seen.setdefault(folded, name)
        _check_template(document, here, value, steps)


def _check_template(document: Document, loc: Loc, text: Any, steps: list[Any]) -> None:
    if not isinstance(text, str):
        return
    template = parse_template(text)
    for fault in template.faults[:MAX_PROBLEMS]:
        document.report_inside(loc, text, fault.offset, fault.message)
    for reference in template.references:
        if document.full:
            return
        if reference.kind != "step" or reference.step is None:
            continue
        if reference.step >= len(steps):
            message = f"{reference} refers to a step that does not exist; {_known_steps(len(steps))}"
            document.report_inside(loc, text, reference.offset, message)
            continue
        names = _variable_names(steps[reference.step])
        if reference.name not in names:
            known = f" It has {', '.join(f'`{name}`' for name in names[:20])}." if names else " It has none."
            hint = nearest(reference.name, names) or known
            message = f"{reference} refers to a variable that step {reference.step} does not extract.{hint}"
            document.report_inside(loc, text, reference.offset, message)


def _check_variable(document: Document, loc: Loc, entry: dict[str, Any], count: int) -> None:
    name = entry.get("name")
    if isinstance(name, str) and not _NAME.fullmatch(name):
        document.report(
            (*loc, "name"), f"`{name[:40]}` can't be the name of a variable; remove blanks, braces and `$`."
        )
    chosen = [
        field
        for field in ("default", "abort", "jump")
        if entry.get(field) not in (None, False) or _is_zero(entry, field)
    ]
    if len(chosen) > 1:
        listed = " and ".join(f"`{field}`" for field in chosen)
        message = f"{listed} are set together; choose one of `default`, `abort` and `jump` for a missing value."
        document.report((*loc, chosen[1]), message, at_key=True)
    _check_target(document, (*loc, "jump"), entry.get("jump"), count)
    extract = entry.get("extract")
    if isinstance(extract, str):
        try:
            parse_pattern(extract) if is_pattern(extract) else parse_path(extract)
        except RunError as error:
            document.report((*loc, "extract"), error.message)


def _check_target(document: Document, loc: Loc, target: Any, count: int) -> None:
    if type(target) is int and not 0 <= target < count:
        shown = target if abs(target) < 10**9 else "given here"
        document.report(loc, f"`{loc[-1]}` leads to step {shown}, which does not exist; {_known_steps(count)}")


def _known_steps(count: int) -> str:
    if count == 1:
        return "the tool has only step 0 (steps are counted from 0)."
    return f"the tool has steps 0 to {count - 1} (counted from 0)."


def _variable_names(step: Any) -> list[str]:
    entries = _list(step.get("var")) if isinstance(step, dict) else []
    return [entry["name"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("name"), str)]


def _is_zero(entry: dict[str, Any], field: str) -> bool:
    return field == "jump" and type(entry.get("jump")) is int


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
