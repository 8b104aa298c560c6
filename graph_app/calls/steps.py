"""Events of the tool engine as events of the journal, and what of a tool's values counts as secret."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolkit_app.engine import (
    JumpTaken,
    ResponseReceived,
    StepFinished,
    StepStarted,
    ToolDefinition,
    VariableExtracted,
    Warned,
    tool_references,
)
from toolkit_app.engine.redaction import MIN_EXTRACTED_LENGTH, Redactor

_SECRET_HEADERS = {"authorization", "proxy-authorization", "cookie"}
_SECRET_WORDS = ("key", "token", "secret", "password", "auth", "session", "credential")

StepEvent = StepStarted | ResponseReceived | VariableExtracted | JumpTaken | StepFinished | Warned


def secret_variables(tool: ToolDefinition) -> frozenset[tuple[int, str]]:
    """Returns the variables, as step and name, that some step puts into a header which carries credentials.

    Source: security.md, "secrets in sight".
    """
    found = set()
    for reference in tool_references(tool):
        kind, _, header = reference.field.partition(".")
        if kind == "headers" and reference.kind == "step" and _carries_credentials(header):
            found.add((reference.step_ref, reference.name))
    return frozenset((step, name) for step, name in found if step is not None)


def _carries_credentials(header: str) -> bool:
    name = header.strip("'\"[]").lower()
    return name in _SECRET_HEADERS or any(word in name for word in _SECRET_WORDS)


class StepEvents:
    """Turns the events of one tool call into journal events, in order.

    An answer is held back until its variables were extracted: a token counts as secret from then on, and it stands in
    the answer too.
    """

    def __init__(self, tool: ToolDefinition, redactor: Redactor) -> None:
        """Starts a call.

        Args:
            tool: The tool that is called.
            redactor: Learns the secrets that the call extracts.
        """
        self._secret = secret_variables(tool)
        self._redactor = redactor
        self._held: list[tuple[str, dict[str, Any]]] = []

    def take(self, event: StepEvent) -> list[tuple[str, dict[str, Any]]]:
        """Takes an engine event; returns type and data of the journal events that may be written now."""
        written = step_event(event)
        if isinstance(event, VariableExtracted) and (event.step, event.name) in self._secret:
            self._learn(event)
        if isinstance(event, ResponseReceived | VariableExtracted | Warned):
            self._held.append(written)
            return []
        return [*self.flush(), written]

    def flush(self) -> list[tuple[str, dict[str, Any]]]:
        """Returns what was held back."""
        held, self._held = self._held, []
        return held

    def _learn(self, event: VariableExtracted) -> None:
        for text in _texts(event.value, event.text):
            if len(text) >= MIN_EXTRACTED_LENGTH:
                self._redactor.add(text)


def _texts(value: Any, text: str) -> Iterable[str]:
    if isinstance(value, list):
        for item in value:
            yield from _texts(item, "")
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item, "")
    elif isinstance(value, str):
        yield value
    elif value is not None and not isinstance(value, bool):
        yield text or str(value)


def step_event(event: StepEvent) -> tuple[str, dict[str, Any]]:
    """Returns type and data of an engine event as the journal has it."""
    match event:
        case StepStarted():
            return "step.started", {"step": event.step, "visit": event.visit}
        case ResponseReceived():
            return "step.response", {
                "step": event.step,
                "visit": event.visit,
                "cached": event.cached,
                "duration_ms": round(event.duration_ms, 1),
                "request": {
                    "method": event.request.method,
                    "url": event.request.url,
                    "headers": dict(event.request.headers),
                    "body": event.request.body,
                },
                "response": None
                if event.response is None
                else {
                    "status": event.response.status,
                    "reason": event.response.reason,
                    "headers": dict(event.response.headers),
                    "content_type": event.response.content_type,
                    "size": event.response.size,
                    "text": event.response.text,
                },
            }
        case VariableExtracted():
            return "step.variable", {
                "step": event.step,
                "visit": event.visit,
                "name": event.name,
                "value": event.value,
                "text": event.text,
                "missing": event.missing,
            }
        case JumpTaken():
            return "step.jump", {
                "step": event.step,
                "visit": event.visit,
                "target": event.target,
                "reason": event.reason,
                "variable": event.variable,
            }
        case StepFinished():
            return "step.finished", {
                "step": event.step,
                "visit": event.visit,
                "cached": event.cached,
                "duration_ms": round(event.duration_ms, 1),
            }
        case Warned():
            return "warning", {"message": event.message}
