"""What of a replay differs from its recording, first difference first, in words for people."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from graph_app.runs.events import dump, storable
from toolkit_app.engine.redaction import MARK

Kind = Literal[
    "request",
    "no_answer",
    "no_model",
    "no_person",
    "answer",
    "asked",
    "visit",
    "missing",
    "status",
    "error",
    "output",
    "text",
]
_SHOWN = 200
"""Characters of a value that a difference shows."""
_BEFORE = 40
_ABSENT = "nothing"
_OWN_IDS = frozenset({"msg_id"})
"""What messages have of their own in every run."""
_ID_IN_TEXT = re.compile(r'(msg_id\\*"\s*:\s*\\*")[^"\\]*')
"""The same where a model is told messages as text, perhaps as text within text."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing that a replay did otherwise.

    Attributes:
        kind: What differs; programs and pages branch on it.
        message: The sentence for people.
        node: The step of a graph.
        step: The step of a tool.
        path: Where in the output.
        expected: What the recording has; nothing where it has none.
        got: What the replay has.
    """

    kind: Kind
    message: str
    node: str | None = None
    step: int | None = None
    path: str | None = None
    expected: str | None = None
    got: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Returns it as it is stored and sent."""
        return asdict(self)


def output_difference(expected: Any, got: Any) -> Difference | None:
    """Compares outputs; what the recording hides as a secret fits anything.

    Args:
        expected: The recording's: text of a tool, state of a graph.
        got: The replay's.
    """
    found = _first(expected, got, "")
    if found is None:
        return None
    path, *sides = found
    before, now = _sides(*sides)
    where = f"{path} of the output" if path else "The output"
    message = f"{where} was {before or _ABSENT} when this was recorded; now it is {now or _ABSENT}."
    return Difference("output", message, path=path, expected=before, got=now)


def asked_difference(node: str | None, expected: Any, got: Any) -> Difference | None:
    """Compares the messages that a model was asked with and is asked with now.

    Args:
        node: The step that asks.
        expected: The recording's messages.
        got: The replay's.
    """
    found = _first(_without_ids(storable(expected)), _without_ids(storable(got)), "")
    if found is None:
        return None
    path, before, now = found
    was, comes = _sides(before, now)
    message = f"{node} asked a model with {was or _ABSENT} when this was recorded; now it asks with {comes or _ABSENT}."
    return Difference("asked", message, node, path=path or None, expected=was, got=comes)


def _without_ids(value: Any) -> Any:
    if isinstance(value, str):
        return _ID_IN_TEXT.sub(r"\1", value) if "msg_id" in value else value
    if isinstance(value, dict):
        return {key: _without_ids(item) for key, item in value.items()}
    return [_without_ids(item) for item in value] if isinstance(value, list) else value


def same_text(expected: str, got: str) -> bool:
    """Says whether texts are the same, as far as the recording shows."""
    if MARK not in expected:
        return expected == got
    pattern = ".*".join(re.escape(part) for part in expected.split(MARK))
    return re.fullmatch(pattern, got, re.DOTALL) is not None


def cut(text: str) -> str:
    """Returns the beginning of a text."""
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


_NONE = object()


def _first(expected: Any, got: Any, path: str) -> tuple[str, Any, Any] | None:
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        skipped = _OWN_IDS if "role" in expected else frozenset()
        for key in [*expected, *(key for key in got if key not in expected)]:
            if key in skipped:
                continue
            inner = f"{path}.{key}" if path else str(key)
            found = _first(expected.get(key, _NONE), got.get(key, _NONE), inner)
            if found:
                return found
        return None
    if isinstance(expected, list) and isinstance(got, list):
        for index in range(max(len(expected), len(got))):
            before, now = (one[index] if index < len(one) else _NONE for one in (expected, got))
            found = _first(before, now, f"{path}[{index}]")
            if found:
                return found
        return None
    if isinstance(expected, str) and isinstance(got, str):
        return None if same_text(expected, got) else (path, expected, got)
    same = expected is got or (expected == got and isinstance(expected, bool) == isinstance(got, bool))
    return None if same else (path, expected, got)


def _sides(expected: Any, got: Any) -> tuple[str | None, str | None]:
    """Returns two values as they are shown; nothing for one that isn't there."""
    if isinstance(expected, str) and isinstance(got, str):
        return _around(expected, got)
    before, now = (None if side is _NONE else cut(dump(side)) for side in (expected, got))
    return before, now


def _around(expected: str, got: str) -> tuple[str, str]:
    """Returns two texts as JSON, long ones from shortly before where they part."""
    if max(len(expected), len(got)) <= _SHOWN:
        return dump(expected), dump(got)
    apart = next(
        (i for i, (a, b) in enumerate(zip(expected, got, strict=False)) if a != b), min(len(expected), len(got))
    )
    begin = max(0, apart - _BEFORE)
    shown = [("…" if begin else "") + cut(text[begin:]) for text in (expected, got)]
    return dump(shown[0]), dump(shown[1])
