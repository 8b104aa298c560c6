"""The beginning of a run's inputs, for lists in which a person tells runs apart."""

from __future__ import annotations

import json
import re

from django.db.models import F, QuerySet, TextField
from django.db.models.functions import Cast, Substr

from graph_app.models import Run

LENGTH = 120
"""How much of the inputs a list tells, in characters."""
_READ = 8 * LENGTH
"""How much is read of them: inputs may hold megabytes, and a database may keep a letter as six."""
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")


def with_short_inputs(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Returns runs that carry the beginning of their inputs, as they may be shown, in `inputs_text`."""
    return runs.annotate(inputs_text=Substr(Cast(F("shown_inputs"), TextField()), 1, _READ))


def short_inputs(text: str) -> str:
    """Returns inputs as `name: value, name: value`, cut where they are long.

    Args:
        text: Inputs as JSON, or the beginning of them.
    """
    try:
        inputs = json.loads(text)
    except ValueError:
        # Only the beginning is there: it is shown as it is written.
        line = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text.lstrip("{"))
    else:
        line = ", ".join(f"{name}: {_plain(value)}" for name, value in inputs.items())
    line = " ".join(line.encode("utf-16", "surrogatepass").decode("utf-16", "replace").split())
    return line if len(line) <= LENGTH else line[: LENGTH - 1] + "…"


def _plain(value: object) -> str:
    match value:
        case [*_, {"role": str(), "content": str(said)}]:  # a conversation: what was said last
            return said
        case str():
            return value
    return json.dumps(value, ensure_ascii=False)
