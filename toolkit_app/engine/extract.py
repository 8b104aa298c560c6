"""Takes a variable's value out of an answer.

Source: specification, "extract".
"""

from typing import Any

from .answers import EmptyAnswerError, parse_answer
from .errors import NotStructuredError
from .paths import MissingError, follow, parse_path
from .patterns import is_pattern, parse_pattern, search
from .values import MAX_LEVELS, Value, value_of

_UNREAD = object()


class Answer:
    """The text of one answer, read as JSON or YAML at most once."""

    __slots__ = ("_bytes", "_root", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._root: Any = _UNREAD
        self._bytes: bytes | None = None

    def extract(self, extract: str | None) -> Value:
        """Extract a value.

        Args:
            extract: A path, a `/pattern/`, or None for the whole text.

        Raises:
            MissingError: It isn't there.
            PathSyntaxError, RegexSyntaxError: The extraction is malformed.
            NotStructuredError: A path, but the answer is neither JSON nor YAML.
        """
        if extract is None:
            return Value(self.text)
        if is_pattern(extract):
            pattern = parse_pattern(extract)
            if self._bytes is None:
                self._bytes = self.text.encode()
            return Value(search(pattern, self._bytes))
        ops = parse_path(extract)
        if self._root is _UNREAD:
            try:
                self._root = parse_answer(self.text)
            except EmptyAnswerError:
                raise MissingError from None
        try:
            return value_of(follow(ops, self._root))
        except RecursionError:
            message = f"What `{extract}` leads to is nested too deeply to be read (more than {MAX_LEVELS} levels)."
            raise NotStructuredError(message) from None
