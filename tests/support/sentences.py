"""What the server says to people, gathered from its source: the templates of its sentences.

A template is the text of a string, with `{0}`, `{1}`, … where an f-string puts values in.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("toolkit_app", "graph_app", "workbench")

_ELSEWHERE: dict[str, str] = {
    "*/management/*": "the command line, which speaks English",
    "*/migrations/*": "no sentences",
    "*/apps.py": "titles for Django",
    "*/demo.py": "what `serve` prints and logs at its start",
    "toolkit_app/sandbox*.py": "the answers of a foreign server, played",
    "toolkit_app/engine/files.py": "files of the command line",
    "toolkit_app/engine/redaction.py": "no sentences",
    "toolkit_app/importers/curl_options.py": "the names of options",
    "graph_app/engine/debugger*.py": "the debugger for programs; runs have a session of their own",
    "graph_app/engine/drawing.py": "an SVG file for programs",
    "graph_app/engine/registry.py": "graphs that are written in Python",
    "graph_app/engine/schema_files.py": "graphs that are written in Python",
    "graph_app/engine/serialization.py": "graphs that are written in Python",
    "graph_app/engine/strategies.py": "graphs that are written in Python",
    "graph_app/engine/threads.py": "a fault in a program",
    "graph_app/runs/folder.py": "the command line",
    "workbench/audit.py": "the command `verify_audit`",
    "workbench/checks.py": "the checks at the start",
    "workbench/keys.py": "the checks at the start",
    "workbench/models.py": "names for programmers",
    "workbench/pages_view.py": "shown where there are no pages",
    "workbench/settings.py": "settings of Django",
    "workbench/variables.py": "settings of whoever starts the server",
}
_FOR_PROGRAMS = frozenset(
    {
        "AssertionError", "Field", "ImproperlyConfigured", "NotImplementedError", "Operation", "RuntimeError",
        "TypeError", "add_argument", "cast", "compile", "described", "execute", "extra_context",
    }
)  # fmt: skip
_LOGGED = frozenset({"critical", "debug", "error", "exception", "info", "warning"})


def sources() -> Iterator[Path]:
    """Gives the modules whose sentences reach pages."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if not any(fnmatch(str(path.relative_to(ROOT)), pattern) for pattern in _ELSEWHERE):
                yield path


def template(node: ast.Constant | ast.JoinedStr) -> str | None:
    """Returns the text of a string with numbered holes."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    said, holes = "", 0
    for part in node.values:
        if isinstance(part, ast.Constant):
            said += str(part.value)
        else:
            said += f"{{{holes}}}"
            holes += 1
    return said


def _quiet(node: ast.AST) -> bool:
    # Logs, descriptions of the API, and what programmers alone can meet.
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return name in _FOR_PROGRAMS
        case ast.Call(func=ast.Attribute(attr=name, value=of)):
            return name in _FOR_PROGRAMS or (name in _LOGGED and isinstance(of, ast.Name) and "log" in of.id.lower())
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.FunctionDef(name="__repr__" | "__str__" | "info"):
            return True
    return False


def strings(path: Path, *, all_of_them: bool = False) -> Iterator[tuple[int, str]]:
    """Gives line and template of each string of a module that may be said to people.

    Args:
        path: The module.
        all_of_them: Whether to give those for programs too.
    """
    todo: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while todo:
        node = todo.pop()
        if not all_of_them and _quiet(node):
            continue
        if isinstance(node, ast.Constant | ast.JoinedStr):
            said = template(node)
            if said:
                yield node.lineno, said
        if isinstance(node, ast.JoinedStr):
            todo += [part for part in node.values if isinstance(part, ast.FormattedValue)]
        else:
            todo += ast.iter_child_nodes(node)


def is_prose(text: str) -> bool:
    """Whether a template has words for people: two at least, in Latin letters."""
    plain = re.sub(r"\{\d+\}", " ", text)
    return " " in text.strip() and re.search(r"[A-Za-z]{2,}", plain) is not None
