"""Schemas that people write: what is refused when they are read, and that every check ends."""

from __future__ import annotations

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from graph_app.calls import CallError, CallServices, build_engine
from graph_app.calls.ask import Ask
from graph_app.calls.schemas import SchemaTextError, read_schema
from graph_app.calls.structured import StructuredOutput
from graph_app.engine import GraphDocumentError

BOMB: dict[str, Any] = {
    "$defs": {
        **{f"a{i}": {"anyOf": [{"$ref": f"#/$defs/a{i + 1}"}] * 2} for i in range(30)},
        "a30": {"type": "string"},
    },
    "$ref": "#/$defs/a0",
}
TREE: dict[str, Any] = {"type": "object", "properties": {"of": {"items": {"$ref": "#"}}, "n": {"type": "integer"}}}


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {"n": 1}
    for _ in range(depth):
        value = {"of": [value]}
    return value


def deep_schema(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for _ in range(depth):
        schema = {"properties": {"a": schema}}
    return schema


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ({"$ref": "http://127.0.0.1:1/x"}, r"\$ref: 'http://127.0.0.1:1/x' is outside this schema"),
        ({"properties": {"a": {"$ref": "file:///etc/hostname"}}}, r"properties.a.\$ref: .* nothing is fetched"),
        ({"$id": "http://127.0.0.1:1/x", "$ref": "y"}, "nothing is fetched"),
        ({"properties": {"a": {"$id": "http://127.0.0.1:1/x", "$ref": "y#/a"}}}, "nothing is fetched"),
        ({"$ref": "https://json-schema.org/draft/2020-12/schema"}, "nothing is fetched"),
        ({"$id": "http://[::1", "properties": {"a": {"$ref": "y"}}}, r"\$ref: .* nothing is fetched"),
        ({"$ref": "#/nope"}, r"nothing at '#/nope'"),
        ({"$ref": "#nope"}, "nothing at '#nope'"),
        ({"enum": [1], "$ref": "#/enum/x"}, "nothing at"),
        ({"default": {"type": "nonsense"}, "$ref": "#/default"}, "no JSON Schema"),
        ({"default": {"pattern": "(?=x)"}, "$ref": "#/default"}, "look-around"),
        ({"default": {"$ref": "http://127.0.0.1:1/"}, "$ref": "#/default"}, "nothing is fetched"),
        ({"type": "nonsense"}, "type: this is no JSON Schema"),
        ({"properties": 5}, "properties: this is no JSON Schema"),
        ({"properties": {"a": {"pattern": "(a"}}}, "properties.a.pattern: The regular expression"),
        ({"patternProperties": {"(?<!x)a": {}}}, "patternProperties: .*look-around"),
        ({"properties": {"a": {"$schema": "http://json-schema.org/draft-07/schema#"}}}, r"properties.a: \$schema"),
        ({"unevaluatedProperties": False}, "use additionalProperties"),
        ({"$ref": "#"}, "back to itself"),
        ({"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"not": {"$ref": "#"}}}}, "back to itself"),
        ({"enum": list(range(5_000))}, "too large"),
        ({"description": "x" * 200_000}, "too long"),
        (deep_schema(1_000), "too deeply"),
        ({"default": {1, 2}}, "JSON values only"),
        ({"default": float("nan")}, "JSON values only"),
    ],
)
def test_what_a_schema_may_not_be(schema: dict[str, Any], says: str) -> None:
    with pytest.raises(SchemaTextError, match=says):
        read_schema(schema)


@pytest.mark.parametrize(
    ("schema", "value", "says"),
    [
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}}, {}, None),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "required": ["a"]}, {}, "'a' is a required property"),
        ({"properties": {"a": {"pattern": r"^\p{L}+$"}}}, {"a": "中文"}, None),
        ({"properties": {"a": {"pattern": "b"}}}, {"a": "x"}, "a: 'x' does not match 'b'"),
        ({"properties": {"a": {"pattern": ""}}}, {"a": "\ud800"}, None),
        ({"patternProperties": {"^n": {"type": "integer"}}}, {"n1": "x"}, "n1: 'x' is not of type 'integer'"),
        (
            {"properties": {"a": {}}, "patternProperties": {"^n": {}}, "additionalProperties": False},
            {"a": 1, "n1": 1, "b": 1},
            "Additional properties are not allowed ('b' was unexpected)",
        ),
        ({"additionalProperties": {"type": "integer"}}, {"b": "x"}, "b: 'x' is not of type 'integer'"),
        ({"properties": {"a": {"uniqueItems": True}}}, {"a": [1, True, {"b": [1]}, {"b": [2]}]}, None),
        ({"properties": {"a": {"uniqueItems": True}}}, {"a": [{"b": [1]}, {"b": [1.0]}]}, "a: the items are not all"),
        ({"properties": {"a": {"multipleOf": 0.5}}}, {"a": float("nan")}, "the value can't be checked"),
        ({"properties": {"a": {"multipleOf": 0.5}}}, {"a": 10**400}, "the value can't be checked"),
        (TREE, nested(10), None),
        (TREE, {"of": [{"of": [{"n": "x"}]}]}, "of.0.of.0.n: 'x' is not of type 'integer'"),
        (TREE, nested(1_000), "nested too deeply"),
        ({}, {"a": list(range(100_000))}, "too large"),
        ({"type": "integer"}, {"a": "x" * 10_000}, "…"),
    ],
)
def test_what_a_check_says(schema: dict[str, Any], value: Any, says: str | None) -> None:
    found = read_schema(schema).problem(value)
    assert found is None if says is None else says in (found or ""), found
    assert len(found or "") < 500


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (BOMB, {}),
        ({"properties": {"a": {"pattern": "^(a+)+$"}}}, {"a": "a" * 90_000 + "!"}),
        ({"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False}, {"a" * 50_000 + "!": 1}),
        ({"properties": {"a": {"uniqueItems": True}}}, {"a": [{"b": [n]} for n in range(6_000)]}),
        ({"properties": {"a": {"items": {"enum": list(range(1_900))}}}}, {"a": [-1] * 9_000}),
    ],
)
def test_every_check_ends_soon(schema: dict[str, Any], value: Any) -> None:
    began = time.monotonic()
    read_schema(schema).problem(value)
    assert time.monotonic() - began < 5


def test_nothing_is_fetched() -> None:
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *args: Any) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        schema = {"$ref": f"http://127.0.0.1:{server.server_port}/x"}
        ask = Ask(name="ask", description="", question="?", kind="form", schema=schema)
        with pytest.raises(CallError, match="nothing is fetched"):
            ask.accept({})
        server.shutdown()
    assert asked == []


async def test_a_models_object_is_checked_with_the_same() -> None:
    with pytest.raises(CallError, match="nothing is fetched"):
        await StructuredOutput(None, "m").make([], {"$ref": Path("/etc/hostname").as_uri()})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "settings"), [("Ask", {"question": "?", "kind": "form"}), ("Extract", {"source": "text"})]
)
def test_a_faulty_schema_is_a_problem_of_the_document(call: str, settings: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "#/nope"}}}
    document = {
        "name": "g",
        "entry": "it",
        "nodes": {"it": {"call": call, "settings": {**settings, "schema": schema}}},
        "edges": [],
    }
    with pytest.raises(GraphDocumentError) as error:
        build_engine(document, CallServices())
    (problem,) = error.value.problems
    assert problem.place == "nodes.it.settings.schema"
    assert "properties.a.$ref: there is nothing at '#/nope'" in problem.message


def test_a_form_that_is_not_shown_is_not_looked_at() -> None:
    settings = {"question": "?", "kind": "text", "schema": {"type": "nonsense"}}
    document = {"name": "g", "entry": "it", "nodes": {"it": {"call": "Ask", "settings": settings}}, "edges": []}
    assert build_engine(document, CallServices())
