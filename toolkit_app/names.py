"""The one rule for names of tools, environments and their entries."""

from __future__ import annotations

import re

from toolkit_app.errors import InvalidError

PATTERN = r"^[A-Za-z0-9_-]{1,64}$"
_NAME = re.compile(PATTERN)
RULE = "Names have letters, digits, _ and -, at most 64, without blanks."


def check_name(name: str) -> None:
    """Checks a name.

    Raises:
        InvalidError: If it doesn't fit; the message tells the rule.
    """
    if not _NAME.fullmatch(name):
        raise InvalidError(f"{name[:80]!r} can't be a name. {RULE}", fields={"name": [RULE]}, code="name")
