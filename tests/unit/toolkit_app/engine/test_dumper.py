"""What is dumped loads to the same tool."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit_app.engine import ToolDefinition, dump_tool, load_tool

TEXTS = [
    "no", "yes", "true", "null", "~", "", " ", " a", "a ", "1", "1.5", "1e5", "0x1f", "0o17", "12:30:45", "2024-01-02",
    "01", ".5",
    "- a", "a: b", "#x", "a #b", "'", '"', "a\nb", "a\nb\n", "a\n\n", "\na", "  a\n b\n", "a \nb", "\ta", "a\tb",
    "a\r\nb", "\r", "\x85",
    "\u2028", "\ufeff", "ü中\U0001f600", "%", "@", "`", "!x", "&a", "*a", "|", ">", "?", "? a", "---", "...", "{", "[",
    "=", "<<",
    "\\", "x" * 5000, "a b " * 500,
]  # fmt: skip


def tool(**fields):
    return ToolDefinition.model_validate({"name": "t", "desc": "d", "steps": [{"url": "http://x/"}], **fields})


@pytest.mark.parametrize("text", TEXTS)
def test_texts(text):
    made = tool(desc=text, steps=[{"url": "http://x/", "headers": {"X": text}, "body": text, "result": text}])
    assert load_tool(dump_tool(made)) == made


@settings(deadline=None, max_examples=200)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\n\t :#-'\""), max_size=60))
def test_any_text(text):
    if not any(sign in text for sign in ("\ufffe", "\uffff")) and all(ord(sign) & 0xFFFE != 0xFFFE for sign in text):
        made = tool(desc=text.replace("${", ""))
        assert load_tool(dump_tool(made)) == made


@pytest.mark.parametrize("default", [None, 0, False, 1.5, 1e300, "1", "", "x", 10**30])
def test_defaults(default):
    kind = {bool: "boolean", int: "integer", float: "number"}.get(type(default), "string")
    param = {"name": "p", "type": kind, "required": False, "description": "d", "default": default}
    made = tool(params=[param])
    loaded = load_tool(dump_tool(made))
    assert loaded == made
    assert loaded.params[0].has_default
    assert "default" in loaded.function_schema()["parameters"]["properties"]["p"]


def test_nothing_is_added():
    assert dump_tool(tool()) == "name: t\ndesc: d\nsteps:\n  - url: http://x/\n"


def test_multi_line_texts_are_blocks():
    assert "body: |\n" in dump_tool(tool(steps=[{"url": "http://x/", "body": "a\nb\n"}]))
