"""Pieces of text that come faster than anybody reads are put together before they become events.

Source: design.md, "Chunks of one visit that come faster than they can be read are merged before they are numbered".
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

MERGE_S = 0.015
"""Pieces of one visit that come within this time become one event, in seconds."""
MERGE_CHARACTERS = 8_192

Emit = Callable[[str, str, Sequence[str], str], None]


@dataclass(slots=True)
class _Text:
    node: str
    path: Sequence[str]
    pieces: list[str] = field(default_factory=list)
    size: int = 0
    timer: asyncio.TimerHandle | None = None


class Chunks:
    """Gathers pieces by visit."""

    def __init__(self, emit: Emit) -> None:
        """Starts empty.

        Args:
            emit: Takes visit, node, path and text of what was put together.
        """
        self._emit = emit
        self._texts: dict[str, _Text] = {}

    def add(self, visit: str, node: str, path: Sequence[str], piece: str) -> None:
        """Takes a piece; the first one after a silence goes on at once."""
        text = self._texts.get(visit)
        if text is None:
            text = self._texts[visit] = _Text(node, path)
            self._emit(visit, node, path, piece)
            text.timer = asyncio.get_running_loop().call_later(MERGE_S, self._due, visit)
            return
        text.pieces.append(piece)
        text.size += len(piece)
        if text.size >= MERGE_CHARACTERS:
            self._say(visit, text)

    def flush(self, visit: str) -> None:
        """Tells what is left of a visit, before anything else is told of it."""
        text = self._texts.pop(visit, None)
        if text is not None:
            if text.timer is not None:
                text.timer.cancel()
            self._say(visit, text)

    def close(self) -> None:
        """Tells what is left of every visit."""
        for visit in list(self._texts):
            self.flush(visit)

    def _due(self, visit: str) -> None:
        text = self._texts.get(visit)
        if text is None:
            return
        if text.pieces:
            self._say(visit, text)
            text.timer = asyncio.get_running_loop().call_later(MERGE_S, self._due, visit)
        else:
            del self._texts[visit]

    def _say(self, visit: str, text: _Text) -> None:
        if text.pieces:
            said = "".join(text.pieces)
            text.pieces.clear()
            text.size = 0
            self._emit(visit, text.node, text.path, said)
