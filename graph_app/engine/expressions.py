"""Expressions in CEL, the only language in which users of the product say conditions.

They run in this process only where nothing they can do takes long; everything else runs in a child that is killed
when it takes more than 250 ms or 64 MB. Numbers are doubles, as in the browser.
"""

from __future__ import annotations

import asyncio
import datetime
import functools
import re
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from graph_app.engine.errors import ExpressionError, ExpressionSyntaxError
from graph_app.engine.expression_form import well_formed
from graph_app.engine.expression_pool import TIME_S, pool
from graph_app.engine.threads import in_thread

_MOST_SOURCE = 1_000
_MOST_STRING = 4_000
_MOST_ITEMS = 1_000
_MOST_DEPTH = 60
_ON_LOOP_S = 0.08
_QUICK_S = 0.01
"""Seconds of compiling above which a source never comes into this process."""

NAMES = ("state", "steps", "input")

Bindings = Mapping[str, Callable[[], Any]]

_COSTLY = re.compile(r"\b(all|exists|exists_one|existsOne|map|filter|matches|transform\w*|bind|block|sort\w*|range)\b")
_TOKEN = re.compile(
    r"""
    (?P<text>[rRbB]{0,2}(?:\"\"\"(?:\\.|[^\\])*?\"\"\"|'''(?:\\.|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))
    |(?P<comment>//[^\n]*)|(?P<word>[A-Za-z_]\w*)|(?P<space>\s+)|(?P<mark>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_PLAIN_TEXT = re.compile(r"""["'][^"'\\]*["']""")


def _tokens(source: str) -> list[tuple[str, str]]:
    tokens = ((match.lastgroup or "", match.group()) for match in _TOKEN.finditer(source))
    return [token for token in tokens if token[0] not in ("comment", "space")]


def names_used(source: str) -> dict[str, set[str] | None]:
    """Return the names that an expression uses, each with the keys that it looks up in it; ``None`` means all."""
    tokens = _tokens(source)
    used: dict[str, set[str] | None] = {}
    for index, (kind, text) in enumerate(tokens):
        if kind != "word" or text not in NAMES or (index and tokens[index - 1][1] == "."):
            continue
        after = [*tokens[index + 1 : index + 4], *[("", "")] * 3]
        key = None
        if after[0][1] == "." and after[1][0] == "word":
            key = after[1][1]
        elif after[0][1] == "[" and after[2][1] == "]" and _PLAIN_TEXT.fullmatch(after[1][1]):
            key = after[1][1][1:-1]
        keys = used.setdefault(text, set())
        if key is None:
            used[text] = None
        elif keys is not None:
            keys.add(key)
    return used


class _TooLarge(Exception):  # noqa: N818 - a signal inside this module
    """The values are too large for evaluation in this process."""


class _Converter:
    """Turns values of a state into what CEL takes: numbers as doubles, containers plain."""

    def __init__(self, bounded: bool) -> None:
        self.left = _MOST_ITEMS * 4 if bounded else 2_000_000
        self.bounded = bounded

    def convert(self, value: Any, depth: int = 0) -> Any:
        if value is None or value is True or value is False:
            return value
        if isinstance(value, str):
            if self.bounded and len(value) > _MOST_STRING:
                raise _TooLarge
            return str(value)
        if isinstance(value, int | float):
            try:
                return float(value)
            except OverflowError:
                raise ExpressionError("a whole number is too large for an expression") from None
        if depth > _MOST_DEPTH:
            raise ExpressionError("a value is nested too deeply for an expression")
        if isinstance(value, Mapping):
            self._count(len(value))
            return {str(key): self.convert(item, depth + 1) for key, item in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            self._count(len(value))
            return [self.convert(item, depth + 1) for item in value]
        if isinstance(value, BaseModel):
            fields = {**value.__dict__, **(value.__pydantic_extra__ or {})}
            return self.convert({name: item for name, item in fields.items() if item is not None}, depth + 1)
        try:
            plain = to_jsonable_python(value)
        except Exception as error:
            raise ExpressionError(f"a value of type {type(value).__name__} cannot be used in an expression") from error
        return self.convert(plain, depth + 1)

    def _count(self, items: int) -> None:
        self.left -= items + 1
        if (self.bounded and items > _MOST_ITEMS) or self.left < 0:
            if self.bounded:
                raise _TooLarge
            raise ExpressionError("the values that the expression names are too large")


def _bind(used: dict[str, set[str] | None], bindings: Bindings, bounded: bool) -> dict[str, Any]:
    converter = _Converter(bounded)
    data: dict[str, Any] = {}
    for name, keys in used.items():
        values = bindings[name]() if name in bindings else {}
        if isinstance(values, BaseModel):
            values = values.__dict__
        if keys is not None:
            values = {key: values[key] for key in keys if key in values}
        data[name] = converter.convert(values)
    return data


@functools.cache
def _environment() -> Any:
    from cel_expr_python import cel

    return cel.NewEnv(variables=dict.fromkeys(NAMES, cel.Type.DYN)), cel.Type.ERROR


@functools.lru_cache(maxsize=1_000)
def _compiled(source: str) -> Any:
    return _environment()[0].compile(source)


@functools.lru_cache(maxsize=4_000)
def _problem(source: str) -> str | None:
    """Return why a source does not compile.

    Where it is not well formed that is found out in a child, since the compiler's cost has no other bound.
    """
    if not source.strip():
        return "the expression is empty"
    if len(source) > 10 * _MOST_SOURCE:
        return f"the expression is longer than {10 * _MOST_SOURCE} characters"
    try:
        source.encode()
    except UnicodeEncodeError:
        return "the expression has half a surrogate pair in it"
    if well_formed(source):
        try:
            _compiled(source)
        except Exception as error:
            return _first_line(str(error))
        return None
    answer = pool.ask(source, None, _time_s())
    if answer.get("compiled_s", 1.0) > _QUICK_S:
        _slow.add(source)
    return None if "error" not in answer else _first_line(str(answer["error"]))


def _first_line(message: str) -> str:
    message = message.replace("INVALID_ARGUMENT: ", "").replace("ERROR: <input>:", "")
    return message.split("\n", 1)[0].removesuffix(" [INVALID_ARGUMENT]").strip()


def _time_s() -> float:
    """Return the time that may be spent here: less where an event loop would wait meanwhile."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return TIME_S
    return _ON_LOOP_S


def _answer(value: Any, depth: int = 0) -> Any:
    if value is None or isinstance(value, bool | str | int | float):
        return value
    if isinstance(value, list) and depth <= _MOST_DEPTH:
        return [_answer(item, depth + 1) for item in value]
    if isinstance(value, dict) and depth <= _MOST_DEPTH:
        if not all(isinstance(key, str) for key in value):
            raise ExpressionError("the keys of a map are text")
        return {key: _answer(item, depth + 1) for key, item in value.items()}
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    raise ExpressionError(f"an expression may not answer a {type(value).__name__}")


class Expression:
    """A CEL expression over ``state``, ``steps`` (outputs by node) and ``input``.

    It is callable with a state, so that it serves as a router or filter.

    Args:
        source: The expression.
    """

    __slots__ = ("_costly", "_used", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        self._used: dict[str, set[str] | None] | None = None
        self._costly = len(source) > _MOST_SOURCE or bool(_COSTLY.search(source))

    def __repr__(self) -> str:
        return f"Expression({self.source!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and other.source == self.source

    def __hash__(self) -> int:
        return hash(self.source)

    def problem(self) -> str | None:
        """Return why it does not compile; ``None`` if it does."""
        try:
            return _problem(self.source)
        except ExpressionError as error:
            return str(error)

    def check(self) -> None:
        """Compile it.

        Raises:
            ExpressionSyntaxError: It does not compile.
        """
        problem = self.problem()
        if problem is not None:
            raise ExpressionSyntaxError(f"the expression {self.source!r} does not compile: {problem}")

    def names(self) -> dict[str, set[str] | None]:
        """Return the names that it uses, with the keys that it looks up in each; ``None`` means all."""
        if self._used is None:
            self._used = names_used(self.source)
        return self._used

    def __call__(self, state: Any) -> Any:
        """Evaluate it on a state."""
        return self.evaluate({"state": lambda: state})

    def evaluate(self, bindings: Bindings) -> Any:
        """Evaluate it, and return when that is done or its time is over.

        Args:
            bindings: For each name a function that makes its value.

        Raises:
            ExpressionError: It failed, or went past its bounds.
        """
        data = self._light(bindings)
        if data is not None:
            return self._here(data)
        return self._there(bindings, _time_s())

    async def evaluate_async(self, bindings: Bindings) -> Any:
        """Evaluate it without holding up the event loop."""
        if self._compiled_before():
            data = self._light(bindings)
            if data is not None:
                return self._here(data)
        return await in_thread(self._there, bindings, TIME_S)

    def _compiled_before(self) -> bool:
        # The first compilation may wait for a child, which is no thing to do on an event loop.
        return self.source in _checked or well_formed(self.source)

    def _light(self, bindings: Bindings) -> dict[str, Any] | None:
        """Return what it names, if it may be evaluated in this process."""
        if self._costly:
            return None
        if self.source not in _checked:
            self._check_once()
        if self.source in _slow:
            return None
        try:
            return _bind(self.names(), bindings, True)
        except _TooLarge:
            return None

    def _check_once(self) -> None:
        problem = self.problem()
        if problem is not None:
            raise ExpressionError(f"the expression {self.source!r} does not compile: {problem}")
        if len(_checked) > 4_000:
            _checked.clear()
            _slow.clear()
            _problem.cache_clear()
        _checked.add(self.source)

    def _here(self, data: dict[str, Any]) -> Any:
        try:
            value = _compiled(self.source).eval(data=data)
        except Exception as error:
            raise ExpressionError(f"the expression {self.source!r} failed: {_first_line(str(error))}") from error
        if value.type() == _environment()[1]:
            raise self._failed(str(value.plain_value()))
        return _answer(value.plain_value())

    def _there(self, bindings: Bindings, time_s: float) -> Any:
        if not self._costly and self.source not in _checked:
            self._check_once()
            data = self._light(bindings)
            if data is not None:
                return self._here(data)
        problem = _problem_text(self.source)
        if problem is not None:
            raise ExpressionError(f"the expression {self.source[:200]!r} {problem}")
        answer = pool.ask(self.source, _bind(self.names(), bindings, False), time_s)
        if "error" in answer:
            raise self._failed(str(answer["error"]))
        return _answer(answer["value"])

    def _failed(self, message: str) -> ExpressionError:
        message = re.sub(r"^[A-Z_]+: ", "", _first_line(message))
        return ExpressionError(f"the expression {self.source[:200]!r} failed: {message}")


_slow: set[str] = set()
"""Sources that take long to compile."""

_checked: set[str] = set()
"""Sources that compiled in a child, so that compiling them here is known to be cheap."""


def _problem_text(source: str) -> str | None:
    if len(source) > 10 * _MOST_SOURCE:
        return f"is longer than {10 * _MOST_SOURCE} characters"
    try:
        source.encode()
    except UnicodeEncodeError:
        return "has half a surrogate pair in it"
    return None
