"""Answers of servers: bytes to text, text to values.

Nothing a server sends can raise anything but NotStructuredError.

Source: specification, "extract"; contract, "Extraction".
"""

import codecs
import html
import json
import re
from typing import Any

from .errors import NotStructuredError
from .scalars import exact_float, exact_int
from .values import MAX_LEVELS
from .yaml_reader import Limits, Node, YamlError, read_yaml

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CHARSET = re.compile(r""";\s*charset\s*=\s*["']?([A-Za-z0-9_.:+-]{1,40})""", re.IGNORECASE)
_UNTRUSTED_CODECS = frozenset(
    {"utf_7", "idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}
)
_YAML_LIMITS = Limits(chars=1_000_000, depth=MAX_LEVELS, nodes=100_000, aliases=1_000, scalar=1_000_000, digits=10**9)
_LONE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_PREFIXED = re.compile(
    r"\)|&&&|throw\s|(?:for|while)\s*\(|(?:/\*.*?\*/)?\s*(?:typeof\s+)?[\w$.\[\]]+\s*\(\s*[\[{\"']"
    r"|(?:(?:var|let|const|window\.)\s*)?[\w$.]+\s*=\s*[\[{]|[^:\n]*[{\[(]\s*[\"'{\[][^\n]*?[\"']\s*:",
    re.DOTALL,
)
_SHOWN = 120


class EmptyAnswerError(Exception):
    """There is nothing in the answer."""


def decode(body: bytes, content_type: str) -> str:
    """Decode a body: a byte order mark decides, then the declared charset, then UTF-8 with replacement."""
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    declared = _CHARSET.search(content_type)
    if declared is not None:
        encoding = _trusted(declared[1])
        if encoding != "utf-8":
            try:
                text = body.decode(encoding, "replace")
            except (ValueError, LookupError):
                return body.decode("utf-8", "replace")
            return _LONE.sub("\ufffd", text)
    return body.decode("utf-8", "replace")


def parse_answer(text: str) -> Any:
    """Read an answer as JSON, or else as YAML, whatever its content type says.

    Numbers that Python would write differently come as `ExactFloat` or `ExactInt`.

    Raises:
        EmptyAnswerError: There are only blanks in it.
        NotStructuredError: It is neither JSON nor YAML.
    """
    text = text.lstrip("\ufeff")
    try:
        value = _json(text)
    except ValueError:
        return _not_json(text)
    except RecursionError:
        raise NotStructuredError(_too_deep()) from None
    if "\\u" in text and _ESCAPED_SURROGATE.search(text):
        try:
            return _without_lone_surrogates(value)
        except RecursionError:
            raise NotStructuredError(_too_deep()) from None
    return value


def _json(text: str) -> Any:
    if "-0" in text:
        return _EXACT.decode(text)
    try:
        return _FAST.decode(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        # Raised by int() for thousands of digits, and for NaN, which the exact decoder refuses again.
        return _EXACT.decode(text)


def _refuse_constant(name: str) -> Any:
    raise json.JSONDecodeError(f"{name} is no JSON", name, 0)


_FAST = json.JSONDecoder(parse_float=exact_float, parse_constant=_refuse_constant)
_EXACT = json.JSONDecoder(parse_float=exact_float, parse_int=exact_int, parse_constant=_refuse_constant)


def _not_json(text: str) -> Any:
    body = text.strip()
    if not body:
        raise EmptyAnswerError
    if body[0] == "<":
        raise NotStructuredError(_about_page(body))
    if _several_lines_of_json(body):
        raise NotStructuredError(
            "The answer looks like several JSON documents, one a line; a path needs a single one. "
            f"Use a regular expression instead. It begins: {_begin(body)}"
        )
    if body[0] not in "[{\"'" and _PREFIXED.match(body[:1_000]):
        raise NotStructuredError(
            "The answer is JSON behind something else (a guard prefix or a callback), so a path can't be followed "
            f"in it. Use a regular expression instead. It begins: {_begin(body)}"
        )
    try:
        root = read_yaml(text, _YAML_LIMITS)
    except YamlError as error:
        raise NotStructuredError(
            f"The answer is neither JSON nor YAML, so a path can't be followed in it ({error.message}) "
            f"It begins: {_begin(body)}"
        ) from None
    if root is None:
        raise EmptyAnswerError
    if root.kind == "scalar":
        raise NotStructuredError(
            f"The answer is plain text, neither JSON nor YAML, so a path can't be followed in it. "
            f"It begins: {_begin(body)}"
        )
    return _value(root)


def _value(node: Node) -> Any:
    if node.kind == "scalar":
        return node.value
    if node.kind == "list":
        return [_value(item) for item in node.items]
    found: dict[str, Any] = {}
    for key, item in node.pairs:
        if key.kind != "scalar":
            raise NotStructuredError(f"The YAML answer has a key that is no text, in line {key.line}.")
        if key.text in found:
            raise NotStructuredError(
                f"The YAML answer has the key `{key.text[:40]}` twice in one object, the second time in line "
                f"{key.line}; it can't be told which one is meant."
            )
        found[key.text] = _value(item)
    return found


def _without_lone_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return _LONE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_without_lone_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_LONE.sub("\ufffd", key): _without_lone_surrogates(item) for key, item in value.items()}
    return value


def _trusted(charset: str) -> str:
    try:
        info = codecs.lookup(charset)
    except (LookupError, ValueError):
        return "utf-8"
    if info.name.replace("-", "_") in _UNTRUSTED_CODECS or not info._is_text_encoding:
        return "utf-8"
    return info.name


def _several_lines_of_json(body: str) -> bool:
    lines = body.splitlines()
    if len(lines) < 2 or body[0] not in "[{":
        return False
    try:
        _FAST.decode(lines[0])
        _FAST.decode(next(line for line in lines[1:] if line.strip()))
    except (ValueError, RecursionError):
        return False
    return True


def _about_page(body: str) -> str:
    head = body[:8_000]
    title = re.search(r"<title[^<>]*>([^<]{1,200})", head, re.IGNORECASE)
    bare = re.sub(r"<(?:script|style|title)\b[^<>]*>[^<]*", " ", head, flags=re.IGNORECASE)
    words = " ".join(html.unescape(re.sub(r"<[^<>]*>", " ", bare)).split())
    named = f" titled “{' '.join(html.unescape(title[1]).split())}”" if title else ""
    shown = f" It says: {words[:_SHOWN]}" if words else ""
    return f"The answer is a web page or XML{named}, not JSON or YAML, so a path can't be followed in it.{shown}"


def _begin(body: str) -> str:
    printable = "".join([sign if sign.isprintable() else " " for sign in body[: _SHOWN * 2]])
    shown = " ".join(printable.split())
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"


def _too_deep() -> str:
    return f"The answer is nested too deeply to be read (more than {MAX_LEVELS} levels)."
