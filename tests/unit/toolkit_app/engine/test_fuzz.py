"""Generated and mutated documents, patterns and answers: each is taken or refused with its place, within a second.

A sample by default; `WORKBENCH_SOAK=1` takes 10,000 of each.
"""

import contextlib
import os
import time

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolkit_app.engine import RunError, check_tool, dump_tool, load_tool
from toolkit_app.engine.extract import Answer
from toolkit_app.engine.paths import MissingError

SOAK = os.environ.get("WORKBENCH_SOAK") == "1"
sampled = settings(
    max_examples=10_000 if SOAK else 150, deadline=None, derandomize=not SOAK, suppress_health_check=list(HealthCheck)
)

BASE = """\
name: order_status
desc: Looks an order up
params:
  - {name: order_id, type: string, required: true, description: "The order's number"}
env: [BASE_URL, KEY]
steps:
  - url: ${env:BASE_URL}/auth/token
    method: POST
    headers: &headers
      Content-Type: application/json
    body: |
      {"client_id": "${env:KEY}"}
    timeout: 15
    cache: true
    var:
      - name: token
        extract: access_token
        abort: true
    next: 1
  - url: ${env:BASE_URL}/orders/${param:order_id}
    headers: *headers
    query:
      - {key: a, value: "${step0:token}"}
    var:
      - name: status
        extract: data.items[0].status
        default: unknown
      - name: id
        extract: /id=([0-9]+)/
        jump: 0
    result: |
      状态: ${step1:status}
"""
TOKENS = [
    "${", "}", "$${", "${env:", "${step1:status}", "${step9:x}", "&a ", "*a", "*headers", "!!python/object:x ", "!x ",
    "- ", ": ",
    "\t", "\n", "\r", "  ", "[", "]", "{", "}", "'", '"', "|", ">", "%", "@", "`", "#", "---\n", "...", "? ",
    "<<: *headers",
    "\x00", "\x85", "\u2028", "\ud800", "\ufeff", "\U0001f600", "9" * 200, "0x" + "f" * 200, "1e999", ".nan", "null",
    "~", "yes",
    "[" * 50, "{" * 50, "x" * 70_000, "next: 9", "jump: -1", "retry: 1", "extract: a..b", "extract: /(/", "/(?=x)/",
    "a[-1]",
]  # fmt: skip

places = st.integers(0, len(BASE))
mutation = st.one_of(
    st.tuples(st.just("insert"), places, st.one_of(st.sampled_from(TOKENS), st.text(max_size=8))),
    st.tuples(st.just("delete"), places, st.integers(1, 60)),
    st.tuples(st.just("repeat"), places, st.integers(1, 200)),
    st.tuples(st.just("move"), places, places),
)


def mutated(mutations):
    text = BASE
    for kind, at, what in mutations:
        if kind == "insert":
            text = text[:at] + what + text[at:]
        elif kind == "delete":
            text = text[:at] + text[at + what :]
        elif kind == "repeat":
            text = text[: at + what] + text[at:]
        else:
            text = text[:at] + text[what : what + 40] + text[at:]
    return text


leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(["${param:a}", "a.b", "/x/", "GET"]),
)
FIELDS = [
    "name", "desc", "params", "env", "steps", "url", "method", "headers", "query",
    "body", "timeout", "cache", "next", "var", "result", "extract", "default", "abort",
    "jump", "type", "required", "description", "key", "value",
]  # fmt: skip
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(FIELDS), inner, max_size=8)),
)


@st.composite
def replaced(draw):
    """The tool with anything at all in the place of one of its values."""
    root = yaml.safe_load(BASE)
    at = root
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        key = draw(st.sampled_from(keys))
        if not isinstance(at[key], (dict, list)) or not at[key] or draw(st.booleans()):
            at[key] = draw(trees)
            return yaml.safe_dump(root, allow_unicode=True, sort_keys=False)
        at = at[key]


documents = st.one_of(
    replaced(),
    st.lists(mutation, min_size=1, max_size=4).map(mutated),
    st.dictionaries(st.sampled_from(FIELDS), trees, max_size=6).map(
        lambda tree: yaml.safe_dump(tree, allow_unicode=True)
    ),
    st.text(max_size=300),
    st.text(alphabet="[]{}:,-#&*!|>'\"%@`?\n\t ab1", max_size=300),
)


@sampled
@given(documents)
def test_documents(text):
    started = time.process_time()
    tool, problems = check_tool(text)
    assert time.process_time() - started < 1
    if tool is None:
        assert problems
        lines = (
            text.count("\n") + text.count("\r") + text.count("\x85") + text.count("\u2028") + text.count("\u2029") + 2
        )
        for problem in problems:
            assert 1 <= problem.line <= lines
            assert problem.column >= 1
            assert problem.message
    else:
        assert not problems
        assert load_tool(dump_tool(tool)) == tool


@sampled
@given(
    st.one_of(
        st.text(alphabet="()[]{}|*+?.^$\\abdwsWpLkNu<>=!:,-0123456789", max_size=60),
        st.lists(
            st.sampled_from(["(a*)*", "(a|aa)+", "{1000}", "(", ")", "[", "\\1", "(?=", ".*", "x?" * 20, "$"])
        ).map("".join),
    ),
    st.sampled_from(["", "a" * 5_000 + "b", "ab" * 3_000, "é中\n" * 1_000]),
)
def test_patterns(pattern, text):
    started = time.process_time()
    with contextlib.suppress(RunError, MissingError):
        Answer(text).extract(f"/{pattern}/")
    assert time.process_time() - started < 1


JSON_ANSWER = (
    '{"data": {"items": [{"id": 7615917337495251231, "name": "ü", "p": 1.10, "n": null}], "a.b": true}, "e": []}'
)
cut = st.integers(0, len(JSON_ANSWER))
answers = st.one_of(
    st.text(max_size=200),
    st.text(alphabet="[]{}:,-#&*!|>'\"%@`?\n\t ab1.eE+NaInfity\\ud8", max_size=200),
    st.tuples(cut, st.sampled_from(TOKENS), st.integers(0, 5)).map(
        lambda edit: JSON_ANSWER[: edit[0]] + edit[1] + JSON_ANSWER[edit[0] + edit[2] :]
    ),
    st.sampled_from(["[", "{", '{"a":', "- ", "&a [*a", "9", "a: ", "(", "<", '"', "{{", '[{"', "f("]).map(
        lambda piece: piece * 20_000
    ),
)


@sampled
@given(
    answers, st.sampled_from(["data.items[0].id", "[]", "data.items[].name", '["a.b"]', "[0][0]", "a", "/(.)/", None])
)
def test_answers(text, extract):
    started = time.process_time()
    try:
        value = Answer(text.encode("utf-8", "replace").decode()).extract(extract)
    except (RunError, MissingError):
        pass
    else:
        value.as_text().encode()
    assert time.process_time() - started < 1
