"""Making the text of an event: numbered, redacted, big values cut.

The text is made once, stored as it is, and sent to every reader as it is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from toolkit_app.engine.redaction import Redactor

CUT_ABOVE = 16_384
"""Texts longer than this, in characters, are cut in the event and kept whole beside it."""
HEAD_LENGTH = 2_000
"""How much of a cut text the event shows, in characters."""
_MAX_DEPTH = 100
_STATE = {"delta": 1, "routes": 3}
"""What holds state variables, and how many levels above them: routes are lists of edge, target and state."""


@dataclass(frozen=True, slots=True)
class EventText:
    """An event ready to be stored and sent.

    `values` are the whole texts of what was cut, by the key that the event names.
    """

    seq: int
    text: str
    values: tuple[tuple[str, str], ...] = ()

    @property
    def size(self) -> int:
        """Size in memory, about, in bytes."""
        return len(self.text) + sum(len(text) for _, text in self.values) + 100


@dataclass(slots=True)
class _Cutter:
    seq: int
    values: list[tuple[str, str]] = field(default_factory=list)

    def walk(self, value: Any, depth: int = 0) -> Any:
        if isinstance(value, str):
            return self._cut(value, value) if len(value) > CUT_ABOVE else value
        if isinstance(value, dict):
            if depth > _MAX_DEPTH:
                return self._as_text(value)
            return {key: self.walk(item, depth + 1) for key, item in value.items()}
        if isinstance(value, list | tuple):
            if depth > _MAX_DEPTH:
                return self._as_text(value)
            return [self.walk(item, depth + 1) for item in value]
        return value

    def limit(self, data: dict[str, Any]) -> dict[str, Any]:
        """Cuts what is still big as a whole: a list of a million numbers has no long text in it.

        State is cut by variable, so that those which are small can be seen, and reckoned with.
        """
        return {
            key: (self._smaller(item, _STATE[key]) if key in _STATE else self._as_text(item)) if _big(item) else item
            for key, item in data.items()
        }

    def _smaller(self, value: Any, levels: int) -> Any:
        if levels and isinstance(value, dict):
            value = {key: self._smaller(item, levels - 1) if _big(item) else item for key, item in value.items()}
        elif levels and isinstance(value, list):
            value = [self._smaller(item, levels - 1) if _big(item) else item for item in value]
        return self._as_text(value) if _big(value) else value

    def _as_text(self, value: Any) -> dict[str, Any]:
        text = dump(value)
        plain = dump(_placeless(value)) if self.values else text
        return {**self._cut(text, text, plain), "json": True}

    def _cut(self, text: str, head: str, told: str | None = None) -> dict[str, Any]:
        key = f"{self.seq}.{len(self.values)}"
        self.values.append((key, storable(text)))
        digest = hashlib.sha256((told or text).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return {"cut": True, "size": len(text), "head": head[:HEAD_LENGTH], "value": key, "digest": digest}


def _placeless(value: Any) -> Any:
    """Returns a value without the places of what was cut in it: they differ between runs, the digest must not."""
    if isinstance(value, dict):
        kept = value if value.get("cut") is not True else {key: value[key] for key in value if key != "value"}
        return {key: _placeless(item) for key, item in kept.items()}
    return [_placeless(item) for item in value] if isinstance(value, list) else value


def _big(value: Any) -> bool:
    """Says whether a list or map takes more than four cut texts' room."""
    return isinstance(value, list | dict) and len(dump(value)) > 4 * CUT_ABOVE


def storable(value: Any) -> Any:
    """Returns JSON data whose texts any database takes: no NUL, no half characters."""
    if isinstance(value, str):
        text = value.encode("utf-8", "replace").decode("utf-8") if not value.isascii() else value
        return text.replace("\0", "\ufffd")
    if isinstance(value, dict):
        return {storable(key): storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [storable(item) for item in value]
    return value


def dump(value: Any) -> str:
    """Returns compact JSON; text that is no Unicode (a lone surrogate) is escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"), default=str)
    return text


def event_text(
    seq: int,
    kind: str,
    data: dict[str, Any],
    *,
    redactor: Redactor,
    node: str | None = None,
    visit: str | None = None,
    path: Sequence[str] = (),
    at: datetime | None = None,
    cut: bool = True,
) -> EventText:
    """Makes an event's text.

    Args:
        seq: Number of the event in its run, from 1.
        kind: Type of the event, such as `step.response`.
        data: What happened; JSON data.
        redactor: Knows the run's secrets.
        node: Name of the node, for a graph.
        visit: Which visit of it.
        path: Names of the enclosing nodes.
        at: When; now unless told.
        cut: Whether big values are cut.
    """
    stamp = (at or datetime.now(UTC)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    # Secrets are looked for in the data alone: a number or a word that is spelled like one must not break the envelope.
    envelope = dump({"seq": seq, "at": stamp, "type": kind, "node": node, "visit": visit, "path": list(path)})
    text = redactor.serialised(data, dump)
    if len(text) <= CUT_ABOVE or not cut:
        return EventText(seq, _joined(envelope, text))
    cutter = _Cutter(seq)
    # Redaction comes before cutting: a secret that stands across the cut would be missed after it.
    text = dump(cutter.limit(cutter.walk(redactor.value(data))))
    return EventText(seq, _joined(envelope, text), tuple(cutter.values))


def _joined(envelope: str, data: str) -> str:
    return f'{envelope[:-1]},"data":{data}}}'


def whole_event(value: Any, values: dict[str, str]) -> Any:
    """Puts whole values back where an event shows their beginning."""
    if isinstance(value, dict):
        if value.get("cut") is True and value.get("value") in values:
            text = values[value["value"]]
            # What was cut as a whole may hold texts that were cut before.
            return whole_event(json.loads(text), values) if value.get("json") else text
        return {key: whole_event(item, values) for key, item in value.items()} if values else value
    if isinstance(value, list) and values:
        return [whole_event(item, values) for item in value]
    return value
