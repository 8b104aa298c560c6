"""Objects from a model, by what its server can do: a response format, else a tool, else a prompt; always checked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from graph_app.calls.accounts import note_asked
from graph_app.calls.chat import ChatClient, ModelChunk
from graph_app.calls.errors import CallError, ModelError
from graph_app.calls.schemas import SchemaTextError, UserSchema, read_schema

Way = Literal["format", "tool", "prompt"]
_WAYS: tuple[Way, ...] = ("format", "tool", "prompt")
_TRIES = 2
_NAME = "answer"
_FENCED = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)


class StructuredOutput:
    """Makes objects with one model; remembers the first way that its server takes."""

    def __init__(self, client: ChatClient, model: str) -> None:
        """Knows nothing of the server yet.

        Args:
            client: Asks the server.
            model: Name of the model.
        """
        self._client = client
        self._model = model
        self._way: Way | None = None

    async def make(self, messages: Sequence[Mapping[str, Any]], schema: Mapping[str, Any]) -> dict[str, Any]:
        """Returns an object that fits a schema.

        Args:
            messages: Chat messages.
            schema: JSON Schema of an object.

        Raises:
            CallError: If the schema is none.
            ModelError: If the server can't be asked, or gives no fitting object.
        """
        try:
            checked = read_schema(schema)
        except SchemaTextError as error:
            raise CallError(f"This schema can't be used: {error.message}") from error
        conversation = list(messages)
        problem = ""
        for _ in range(_TRIES):
            note_asked(self._client.label, self._model, conversation)
            answer = await self._ask(conversation, schema)
            text = answer.tool_calls[0].arguments if answer.tool_calls else answer.content or ""
            value, problem = _read(text, checked)
            if value is not None:
                return value
            conversation += [
                {"role": "assistant", "content": text},
                {"role": "user", "content": f"That doesn't fit: {problem}. Answer again, with the JSON object alone."},
            ]
        raise ModelError("malformed", f"The model {self._client.label} gave no fitting object: {problem}")

    async def _ask(self, messages: list[Mapping[str, Any]], schema: Mapping[str, Any]) -> ModelChunk:
        ways = _WAYS if self._way is None else (self._way,)
        for way in ways:
            try:
                answer = await self._client.complete(self._request(way, messages, schema))
            except ModelError as error:
                # A server that doesn't know a field refuses the request as a whole.
                if error.kind == "refused" and error.data.get("status") in (400, 422) and way != ways[-1]:
                    continue
                raise
            self._way = way
            return answer
        raise AssertionError("the last way returns or raises")

    def _request(self, way: Way, messages: list[Mapping[str, Any]], schema: Mapping[str, Any]) -> dict[str, Any]:
        request: dict[str, Any] = {"model": self._model, "messages": messages}
        match way:
            case "format":
                request["response_format"] = {
                    "type": "json_schema",
                    "json_schema": {"name": _NAME, "schema": schema, "strict": False},
                }
            case "tool":
                request["tools"] = [{"type": "function", "function": {"name": _NAME, "parameters": schema}}]
                request["tool_choice"] = {"type": "function", "function": {"name": _NAME}}
            case "prompt":
                told = (
                    f"Answer with one JSON object that fits this JSON Schema, and nothing else:\n{json.dumps(schema)}"
                )
                request["messages"] = [{"role": "system", "content": told}, *messages]
        return request


def _read(text: str, schema: UserSchema) -> tuple[dict[str, Any] | None, str]:
    """Returns the object in a text, or why there is none."""
    fenced = _FENCED.search(text)
    begin, end = text.find("{"), text.rfind("}")
    candidates = [text, *([fenced[1]] if fenced else []), *([text[begin : end + 1]] if begin < end else [])]
    problem = "it is no JSON object"
    for candidate in candidates:
        try:
            value = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        if not isinstance(value, dict):
            continue
        unfit = schema.problem(value)
        if unfit is None:
            return value, ""
        problem = unfit
    return None, problem
