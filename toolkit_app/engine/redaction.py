"""Keeps secret values out of everything that is written or streamed, in whatever form they come back.

A `Redactor` knows a run's secrets. It finds each as it is, percent-encoded, in base64 (also inside longer text, at
every alignment), in hex, JSON-escaped, HTML-escaped and reversed, with one pass of an Aho-Corasick automaton.

Source: security.md, "secrets in sight".
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, quote_plus

from ahocorasick_rs import AhoCorasick, MatchKind

MARK = "••••••"
MIN_EXTRACTED_LENGTH = 8
"""Values that a step extracted count as secrets from this length, in characters."""
_MIN_DERIVED = 6
"""Derived forms shorter than this would hit ordinary text; the plain form is always looked for."""


FIELDS = frozenset(
    """
    at at_seq body breakpoint breakpoints cached chunk condition content_type cut data delta duration_ms edge
    edges environment error event events filter head headers index inputs items json key kind max_turn message
    messages method missing mode name node nodes output outputs parent path question reason request response
    result revision run seq size source state status step steps target targets text type url usage value values
    variable variables visit visits warning warnings
    """.split()  # noqa: SIM905 - words read better than 70 quoted lines
)
"""Names of fields that stand in every journal. As a name of a field none tells a secret that is spelled alike, and a
journal without its names can't be read."""


@dataclass(frozen=True, slots=True)
class SecretValue:
    """A secret of an environment: its name, its value, and the hosts (`host` or `host:port`) that it may go to."""

    name: str
    value: str
    hosts: tuple[str, ...] = ()


def encodings(value: str) -> set[str]:
    """Returns the texts as which a value may come back, itself among them."""
    raw = value.encode("utf-8", "surrogatepass")
    forms = {value[::-1], value.strip()}
    forms |= {quote(value, safe=safe, errors="surrogatepass") for safe in ("", "/")}
    forms |= {quote_plus(value, errors="surrogatepass"), "".join(f"%{byte:02X}" for byte in raw)}
    forms |= {raw.hex(), raw.hex().upper(), raw.hex(" "), raw.hex(":"), raw.hex(":").upper()}
    forms |= {json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}
    forms |= {form.replace("/", "\\/") for form in tuple(forms) if "/" in form}
    forms |= {html.escape(value), html.escape(value, quote=False)}
    forms |= _base64_forms(raw) | _base64_forms(raw[::-1])
    long_enough = {form for form in forms if len(form) >= min(_MIN_DERIVED, len(value))}
    return {form for form in long_enough if form} | {value}


def _base64_forms(raw: bytes) -> set[str]:
    """Returns the characters of base64 that depend on `raw` alone, for each of the three alignments."""
    forms = set()
    for before in range(3):
        padded = b"\0" * before + raw
        text = base64.b64encode(padded + b"\0" * (-len(padded) % 3)).decode()
        first = -(-before * 8 // 6)  # characters that hold bits of what stands before
        last = (len(padded) * 8) // 6  # full characters of `raw`; the next one mixes with what follows
        inner = text[first:last]
        if len(inner) >= _MIN_DERIVED:
            forms |= {inner, inner.replace("+", "-").replace("/", "_")}
    whole = base64.b64encode(raw).decode()
    return forms | {whole, whole.rstrip("=")}


_ESCAPE = re.compile(r"%[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}")


class Redactor:
    """Replaces a run's secrets by a mark. Secrets may be added while the run goes on; nothing is ever taken away."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        """Knows these values from the start.

        Args:
            values: Secret values, each at least one character.
        """
        self._values: dict[str, set[str]] = {}
        self._longest = 0
        self._find: AhoCorasick | None = None
        self._scan: AhoCorasick | None = None
        for value in values:
            self.add(value)

    def __bool__(self) -> bool:
        return bool(self._values)

    @property
    def longest(self) -> int:
        """Length in characters of the longest form looked for."""
        return self._longest

    def add(self, value: str) -> None:
        """Counts a value as secret from now on; an empty one and one known already change nothing."""
        if not value or value in self._values:
            return
        self._values[value] = encodings(value)
        self._longest = max(self._longest, *(len(form) for form in self._values[value]))
        self._find = self._scan = None

    def text(self, text: str) -> str:
        """Returns the text with every form of every secret replaced by the mark."""
        if not self._values or not text:
            return text
        if self._find is None:
            self._find = _automaton(set().union(*self._values.values()), MatchKind.LeftmostLongest)
        matches = self._find.find_matches_as_indexes(_searchable(text))
        if not matches:
            return text
        parts: list[str] = []
        end = 0
        for _, start, stop in matches:
            parts += [text[end:start], MARK]
            end = stop
        return "".join([*parts, text[end:]])

    def holds(self, text: str) -> bool:
        """Says whether the text holds any form of a secret."""
        return self.text(text) is not text

    def value(self, value: Any) -> Any:
        """Returns JSON data with every secret in its texts, keys and numbers replaced; the input stays as it is."""
        if not self._values:
            return value
        return self._walk(value)

    def serialised(self, data: Any, dump: Callable[[Any], str]) -> str:
        """Returns `dump(data)` without secrets; data that holds none, as nearly all does, is walked only once.

        Args:
            data: JSON data.
            dump: Makes the text, without escaping non-ASCII.
        """
        text = dump(data)
        if not self._values:
            return text
        if self._scan is None:
            forms = set().union(*self._values.values())
            escaped = {json.dumps(form, ensure_ascii=False)[1:-1] for form in forms}
            self._scan = _automaton(forms | escaped, MatchKind.Standard)
        if not self._scan.find_matches_as_indexes(_searchable(text), overlapping=False):
            return text
        return dump(self._walk(data))

    def _walk(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int | float):
            text = str(value)
            return MARK if self.holds(text) else value
        if isinstance(value, Mapping):
            return {key if key in FIELDS else self.text(str(key)): self._walk(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._walk(item) for item in value]
        return value


class StreamRedactor:
    """Redacts a text that comes in pieces: a secret that is split over pieces is found too."""

    def __init__(self, redactor: Redactor) -> None:
        """Starts an empty stream.

        Args:
            redactor: Knows the secrets; those added later count from then on.
        """
        self._redactor = redactor
        self._held = ""

    def feed(self, piece: str) -> str:
        """Takes a piece and returns what can be shown already; at most the longest form's length is held back."""
        if not self._redactor:
            held, self._held = self._held, ""
            return held + piece
        text = self._redactor.text(self._held + piece)
        keep = min(len(text), self._redactor.longest - 1)
        cut = len(text) - keep
        # A mark that was just written stays whole.
        mark = text.rfind(MARK, 0, cut + len(MARK))
        if mark != -1 and mark < cut < mark + len(MARK):
            cut = mark + len(MARK)
        self._held = text[cut:]
        return text[:cut]

    def flush(self) -> str:
        """Ends the stream and returns what was held back."""
        held, self._held = self._redactor.text(self._held), ""
        return held


def _automaton(forms: set[str], kind: MatchKind) -> AhoCorasick:
    return AhoCorasick(sorted(_searchable(form) for form in forms), matchkind=kind)


def _searchable(text: str) -> str:
    """Returns the text as it is searched, of the same length: escapes in one case, no lone surrogates."""
    if "%" in text or "\\u" in text:
        text = _ESCAPE.sub(lambda escape: escape[0].lower(), text)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
    return text
