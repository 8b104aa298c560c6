"""The sandbox's model: answers by rule, and says so.

It calls a tool whose name the question mentions, tells what a tool answered, fills a JSON Schema from the words of the
text, and otherwise repeats the question.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_SAYS = "This answer was made by a rule of the sandbox, not by a model."
_SHOWN = 500
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_YES = re.compile(r"\b(yes|true|urgent|ja|是)\b", re.IGNORECASE)


def completion_message(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the assistant's message for a request.

    Args:
        fields: The request's body: `messages`, and perhaps `tools`, `tool_choice` and `response_format`.
    """
    messages = [message for message in fields.get("messages") or [] if isinstance(message, Mapping)]
    question = _text(next((m for m in reversed(messages) if m.get("role") == "user"), {}))
    schema = _asked_schema(fields)
    if schema is not None:
        return {"role": "assistant", "content": json.dumps(filled(schema, question), ensure_ascii=False)}
    functions = _functions(fields)
    chosen = fields.get("tool_choice")
    forced = chosen.get("function", {}).get("name") if isinstance(chosen, Mapping) else None
    if messages and messages[-1].get("role") == "tool":
        return {"role": "assistant", "content": f"{_SAYS} The tool answered: {_text(messages[-1])[:_SHOWN]}"}
    for function in functions:
        name = str(function.get("name"))
        if forced == name or (forced is None and _mentions(question, name)):
            arguments = filled(function.get("parameters") or {}, question)
            call = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
            return {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "call_sandbox", "type": "function", "function": call}],
            }
    return {"role": "assistant", "content": f"{_SAYS} You said: {question[:_SHOWN] or 'nothing'}"}


def filled(schema: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Returns an object that fits a schema's properties, taken from the words of a text.

    Args:
        schema: JSON Schema of an object.
        text: Where values are looked for: `field: value`, the next number, one of an enumeration.
    """
    numbers = _NUMBER.findall(text)
    found: dict[str, Any] = {}
    properties = schema.get("properties")
    for name, details in properties.items() if isinstance(properties, Mapping) else ():
        value = _value(name, details if isinstance(details, Mapping) else {}, text, numbers)
        if value is not None or name in (schema.get("required") or []):
            found[name] = value
    return found


def _value(name: str, details: Mapping[str, Any], text: str, numbers: list[str]) -> Any:
    choices = details.get("enum")
    if isinstance(choices, list):
        return next((choice for choice in choices if str(choice).lower() in text.lower()), choices[0])
    match details.get("type"):
        case "integer":
            return int(float(numbers.pop(0))) if numbers else 0
        case "number":
            return float(numbers.pop(0)) if numbers else 0.0
        case "boolean":
            return bool(_YES.search(text))
        case "array":
            return [part.strip() for part in text.split(",") if part.strip()]
        case "object":
            return filled(details, text)
    named = re.search(rf"\b{re.escape(name)}\s*[:=]\s*([^\n,;]+)", text, re.IGNORECASE)
    if named:
        return named[1].strip()
    return numbers.pop(0) if numbers else text.strip()[:_SHOWN]


def _asked_schema(fields: Mapping[str, Any]) -> Mapping[str, Any] | None:
    wanted = fields.get("response_format")
    if not isinstance(wanted, Mapping) or wanted.get("type") != "json_schema":
        return None
    schema = (wanted.get("json_schema") or {}).get("schema")
    return schema if isinstance(schema, Mapping) else None


def _functions(fields: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    tools = fields.get("tools")
    found = [tool.get("function") for tool in tools if isinstance(tool, Mapping)] if isinstance(tools, list) else []
    return [function for function in found if isinstance(function, Mapping)]


def _mentions(question: str, name: str) -> bool:
    words = [word for word in re.split(r"[_\W]+", name.lower()) if len(word) > 3]
    return any(word in question.lower() for word in [name.lower(), *words])


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False) if content else ""
