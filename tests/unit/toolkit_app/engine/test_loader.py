"""Loading: every problem at once, each with its place."""

import json
import logging
import time

import pytest

from toolkit_app.engine import ToolSyntaxError, check_tool, load_folder, load_tool
from toolkit_app.engine.loader import LIMITS

HEAD = "name: t\ndesc: d\n"


def problems(text):
    tool, found = check_tool(text)
    assert tool is None
    assert found
    with pytest.raises(ToolSyntaxError) as caught:
        load_tool(text)
    assert caught.value.problems == found
    return found


def only(text):
    found = problems(text)
    assert len(found) == 1, [str(problem) for problem in found]
    return found[0]


def step(text):
    """The only problem of a tool whose one step has the given lines besides its URL."""
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    return only(f"{HEAD}steps:\n  - url: http://x/\n{lines}")


def test_a_whole_tool():
    tool = load_tool(
        HEAD + "params:\n  - {name: city, type: string, required: true, description: c, default: Paris}\n"
        "env: [KEY]\nsteps:\n  - url: http://x/${param:city}\n"
        "    query:\n      - {key: k, value: '1'}\n      - {key: k, value: '2'}\n"
    )
    assert tool.steps[0].method == "GET"
    assert (tool.steps[0].timeout, tool.steps[0].cache, tool.steps[0].next) == (30, False, None)
    assert [(item.key, item.value) for item in tool.steps[0].query] == [("k", "1"), ("k", "2")]


def test_function_schema_keeps_order_and_defaults():
    tool = load_tool(
        HEAD + "params:\n"
        "  - {name: z, type: string, required: true, description: Z}\n"
        "  - {name: a, type: integer, required: false, description: A, default: 0}\n"
        "  - {name: m, type: boolean, required: false, description: M}\n"
        "steps: [{url: 'http://x/'}]\n"
    )
    schema = tool.function_schema()
    assert (schema["name"], schema["description"]) == ("t", "d")
    assert list(schema["parameters"]["properties"]) == ["z", "a", "m"]
    assert schema["parameters"]["properties"]["a"] == {"type": "integer", "description": "A", "default": 0}
    assert "default" not in schema["parameters"]["properties"]["z"]
    assert schema["parameters"]["required"] == ["z"]
    assert schema["parameters"]["type"] == "object"


def test_function_schema_without_parameters():
    schema = load_tool(HEAD + "steps: [{url: 'http://x/'}]").function_schema()
    assert schema["parameters"]["properties"] == {}


@pytest.mark.parametrize("field", ["name", "desc", "steps"])
def test_missing_top_field(field):
    fields = {"name": "name: t\n", "desc": "desc: d\n", "steps": "steps: [{url: 'http://x/'}]\n"}
    problem = only("".join(text for key, text in fields.items() if key != field))
    assert problem.path == field
    assert field in problem.message
    assert (problem.line, problem.column) == (1, 1)


def test_missing_fields_inside():
    found = problems(
        HEAD + "params:\n  - name: a\nsteps:\n  - method: GET\n  - url: http://x/\n    var:\n      - extract: a\n"
    )
    assert [(problem.path, problem.line) for problem in found] == [
        ("params[0].type", 4),
        ("params[0].required", 4),
        ("params[0].description", 4),
        ("steps[0].url", 6),
        ("steps[1].var[0].name", 9),
    ]


@pytest.mark.parametrize(
    ("line", "path", "near"),
    [
        ("metod: GET", "steps[0].metod", "`method`"),
        ("Headers: {}", "steps[0].Headers", "`headers`"),
        ("variables: []", "steps[0].variables", "`var`"),
    ],
)
def test_unknown_field_names_the_nearest(line, path, near):
    problem = step(line)
    assert problem.path == path
    assert (problem.line, problem.column) == (5, 5)
    assert near in problem.message


@pytest.mark.parametrize("line", ["retry: 3", "loop: {}", "export: x"])
def test_reserved_step_fields(line):
    assert "reserved" in step(line).message


def test_reserved_fields_elsewhere():
    found = problems(
        HEAD + "pre_request: {}\nparams: [{name: a, type: string, required: true, description: x, validate: a}]\n"
        "env: [{name: KEY, sensitive: true}]\nsteps: [{url: 'http://x/', cache: {ttl: 5}}]\n"
    )
    assert {problem.path for problem in found} == {
        "pre_request", "params[0].validate", "env[0].sensitive", "steps[0].cache.ttl",
    }  # fmt: skip
    assert all("reserved" in problem.message for problem in found)


@pytest.mark.parametrize(
    ("line", "path", "word"),
    [
        ("timeout: '5'", "steps[0].timeout", "whole number"),
        ("timeout: 1.5", "steps[0].timeout", "whole number"),
        ("timeout: 0", "steps[0].timeout", "1 to 86400"),
        ("timeout: 99999999999999999999", "steps[0].timeout", "1 to 86400"),
        ("cache: yes", "steps[0].cache", "true or false"),
        ("cache: 1", "steps[0].cache", "true or false"),
        ("headers: [a]", "steps[0].headers", "map"),
        ("headers: {X: 2}", "steps[0].headers.X", "in quotes"),
        ("query: {a: b}", "steps[0].query", "list"),
        ("body: {a: 1}", "steps[0].body", "text"),
        ("method: get", "steps[0].method", "`GET`"),
        ("method: HEAD", "steps[0].method", "GET"),
        ("var:", "steps[0].var", "empty"),
        ("next: true", "steps[0].next", "whole number"),
        ("result: 5", "steps[0].result", "quotes"),
        ("var: [{name: a, default: 5}]", "steps[0].var[0].default", "quotes"),
    ],
)
def test_wrong_types(line, path, word):
    problem = step(line)
    assert problem.path == path
    assert problem.line == 5
    assert word in problem.message


def test_words_and_times_are_text():
    tool = load_tool("name: no\ndesc: 12:30:45\nsteps:\n  - url: http://x/\n    body: 2024-01-02\n    result: on\n")
    assert (tool.name, tool.desc, tool.steps[0].body, tool.steps[0].result) == ("no", "12:30:45", "2024-01-02", "on")


@pytest.mark.parametrize(("field", "target"), [("next", 1), ("next", -1), ("next", 10**30), ("jump", 7), ("jump", -1)])
def test_targets_out_of_range(field, target):
    line = f"next: {target}" if field == "next" else f"var: [{{name: a, extract: a, jump: {target}}}]"
    problem = step(line)
    assert problem.path.endswith(field)
    assert "does not exist" in problem.message


@pytest.mark.parametrize(
    "fields", ["default: x, abort: true", "default: x, jump: 0", "abort: true, jump: 0", "default: '', jump: 0"]
)
def test_only_one_way_to_fail(fields):
    problem = step(f"var: [{{name: a, extract: a, {fields}}}]")
    assert "choose one" in problem.message


def test_abort_false_is_no_choice():
    load_tool(HEAD + "steps: [{url: 'http://x/', var: [{name: a, abort: false, default: x}]}]")


def test_duplicate_keys_are_found_everywhere():
    found = problems(HEAD + "name: u\nsteps:\n  - url: http://x/\n    headers:\n      A: '1'\n      A: '2'\n")
    assert [(problem.path, problem.line, problem.column) for problem in found] == [
        ("name", 3, 1),
        ("steps[0].headers.A", 8, 7),
    ]


@pytest.mark.parametrize(
    "tag", ["!!python/object:os.system", "!!python/name:os.system", "!foo", "!!binary", "!!timestamp"]
)
def test_foreign_tags(tag):
    problem = only(HEAD + f"steps:\n  - url: {tag} x\n")
    assert (problem.line, problem.column) == (4, 10)
    assert "tag" in problem.message


@pytest.mark.parametrize("tag", ["!!python/object:os.system", "!foo", "!!set", "!!omap"])
@pytest.mark.parametrize("value", ["{}", "[]"])
def test_foreign_tags_of_collections(tag, value):
    assert "tag" in only(HEAD + f"steps: {tag} {value}\n").message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x" * (LIMITS.chars + 1), "too long"),
        ("a: " + "[" * 200, "deeply"),
        ("[" * 5_000_000, "too long"),
        ("[" * 100_000, "deeply"),
        ("{" * 100_000, "deeply"),
        ("a: &a x\nb: [" + "*a," * 60 + "]", "aliases"),
        ("a: &a [*a]", "inside its own anchor"),
        ("a: *b", "no anchor"),
        ("n: " + "9" * 5_000, "too long"),
        ("n: " + "9" * 50_000, "too long"),
        ("n: '" + "9" * 70_000 + "'", "too long"),
        ("- x\n" * 30_000, "too many values"),
        ("a: b\n---\na: c\n", "second document"),
        ("", "empty"),
        ("# nothing\n", "empty"),
        ("- a\n", "map of fields"),
        ("text", "map of fields"),
        ("a: \x00", "U+0000"),
        ("a: \ud800", "U+D800"),
        ("a:\n\t- b", "tab"),
        ("a: b: c", "colon"),
        ("%YAML 9.0\n---\na: b", "malformed"),
        ("? [a]\n: b", "key"),
        ("a: 'x", "malformed"),
        ("a: {b: ${param:x}}", "must stand in quotes"),
        ("a: @x", "can't begin with `@`"),
        ("\ufeff\ufeffa: b", ""),
    ],
)
def test_documents_that_are_refused(text, message):
    started = time.perf_counter()
    tool, found = check_tool(text)
    assert time.perf_counter() - started < 1
    assert tool is None
    assert any(message in problem.message for problem in found)
    assert all(problem.line >= 1 and problem.column >= 1 for problem in found)


def test_alias_bomb_is_stopped():
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"]
    lines += [f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 9)]
    started = time.perf_counter()
    problem = only("\n".join(lines))
    assert time.perf_counter() - started < 1
    assert problem.line > 1


def test_aliases_are_allowed_in_measure():
    tool = load_tool(HEAD + "steps:\n  - url: http://x/\n    headers: &h {A: b}\n  - url: http://x/\n    headers: *h\n")
    assert tool.steps[1].headers == {"A": "b"}


def test_a_byte_order_mark_is_no_problem():
    assert load_tool("\ufeff" + HEAD + "steps: [{url: 'http://x/'}]").name == "t"


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("${step:0}", "raw answer"),
        ("${step0:${env:KEY}}", "nested"),
        ("${param:${param:a}}", "nested"),
        ("${foo:x}", "unknown namespace"),
        ("${}", "unknown namespace"),
        ("${x}", "unknown namespace"),
        ("${step1:a}", "does not exist"),
        ("${step99999999999999999999999999:a}", "does not exist"),
        ("${step0:nam}", "`name`"),
        ("${param:}", "name is missing"),
        ("${env: KEY}", "blanks"),
        ("${param:a", "not closed"),
    ],
)
@pytest.mark.parametrize("field", ["url", "headers", "query", "body", "result"])
def test_bad_references(reference, message, field):
    value = json.dumps(f"http://x/{reference}")
    lines = {"headers": f"headers: {{H: {value}}}", "query": f"query: [{{key: a, value: {value}}}]"}
    line = lines.get(field, f"{field}: {value}")
    url = "" if field == "url" else "url: http://x/\n    "
    problem = only(f"{HEAD}steps:\n  - {url}{line}\n    var: [{{name: name, extract: a}}]\n")
    path = {"headers": "steps[0].headers.H", "query": "steps[0].query[0].value"}.get(field, f"steps[0].{field}")
    assert problem.path == path
    assert message in problem.message
    text = f"{HEAD}steps:\n  - {url}{line}\n".splitlines()[problem.line - 1]
    assert text[problem.column - 1 :].startswith("${")


def test_places_inside_block_scalars():
    text = (
        HEAD + "steps:\n  - url: http://x/\n    body: |\n      first ${param:a}\n      second ${foo:a} and ${foo:a}\n"
    )
    found = problems(text)
    assert [(problem.line, problem.column) for problem in found] == [(7, 14), (7, 27)]


def test_own_and_later_steps_may_be_referred_to():
    load_tool(
        HEAD + "steps:\n  - url: http://x/${step0:a}${step1:b}\n    var: [{name: a}]\n"
        "  - url: http://x/\n    var: [{name: b}]\n"
    )


def test_undefined_parameters_are_no_load_error():
    load_tool(HEAD + "steps: [{url: 'http://x/${param:nope}${env:NOPE}'}]")


def test_a_literal_reference():
    load_tool(HEAD + "steps: [{url: 'http://x/', body: '$${foo:x} $ { } $$'}]")


@pytest.mark.parametrize(
    "path",
    [
        "",
        ".a",
        "a.",
        "a..b",
        "a[",
        "a[0",
        "a[-1]",
        "a[x]",
        "a]",
        "a[]b",
        "a.[0]",
        'a["x]',
        "a[1.5]",
        "a[ 0]",
        "[",
        "a[٣]",
    ],
)
def test_malformed_paths(path):
    problem = step(f"var: [{{name: a, extract: {json.dumps(path, ensure_ascii=False)}}}]")
    assert problem.path == "steps[0].var[0].extract"
    assert f"`{path}`" in problem.message


@pytest.mark.parametrize("pattern", ["/(/", "/(?=a)/", "/(?<!a)b/", r"/(a)\1/", "/a", "/", "//", "/a{2000}/", "/[/"])
def test_malformed_patterns(pattern):
    problem = step(f"var: [{{name: a, extract: {json.dumps(pattern)}}}]")
    assert pattern in problem.message


@pytest.mark.parametrize("pattern", ["/(?=a)/", r"/(a)\1/"])
def test_patterns_say_what_is_supported(pattern):
    message = step(f"var: [{{name: a, extract: {json.dumps(pattern)}}}]").message
    assert "look-around" in message
    assert r"\p{L}" in message
    assert r"\w" in message


@pytest.mark.parametrize(
    "name",
    ["Content-Length", "transfer-encoding", "CONNECTION", "Expect", "Upgrade", "TE", "Trailer", "a b", "ä", "a:", "''"],
)
def test_headers_that_are_refused(name):
    problem = step(f"headers: {{{json.dumps(name)}: x}}" if name != "''" else "headers: {'': x}")
    assert problem.path.startswith("steps[0].headers")


def test_one_header_in_two_casings():
    problem = step("headers: {Accept: a, accept: b}")
    assert "`Accept`" in problem.message


@pytest.mark.parametrize(
    ("url", "word"), [("http://x/a b", "a blank"), (r"http://x/\u0001", "control"), (r"http://x/\n", "line break")]
)
def test_literal_urls(url, word):
    problem = only(f'{HEAD}steps: [{{url: "{url}"}}]')
    assert problem.path == "steps[0].url"
    assert word in problem.message


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("steps: []", "steps"),
        (
            "params: [{name: 'a b', type: string, required: true, description: x}]\nsteps: [{url: 'http://x/'}]",
            "params[0].name",
        ),
        (
            "params: [{name: a, type: integer, required: true, description: x, default: x}]\nsteps: [{url: 'http://x/'}]",
            "params[0].default",
        ),
        ("env: ['A B']\nsteps: [{url: 'http://x/'}]", "env[0]"),
        ("steps: [{url: ''}]", "steps[0].url"),
        ("steps: [{url: 'http://x/', var: [{name: 'a}'}]}]", "steps[0].var[0].name"),
        ("steps: [x]", "steps[0]"),
    ],
)
def test_other_refusals(text, path):
    assert only(HEAD + text).path == path


def test_two_parameters_of_one_name():
    param = "{name: a, type: string, required: true, description: x}"
    assert only(f"{HEAD}params: [{param}, {param}]\nsteps: [{{url: 'http://x/'}}]").path == "params[1].name"


@pytest.mark.parametrize("name", ["''", "a b", "x" * 65, "天气", "a.b"])
def test_names_that_no_model_takes(name):
    assert only(f"name: {name}\ndesc: d\nsteps: [{{url: 'http://x/'}}]").path == "name"


def test_all_problems_at_once_in_the_order_of_the_text():
    found = problems(
        "nam: t\ndesc: 5\nsteps:\n  - url: http://x/${foo:a}\n    next: 9\n"
        "    var:\n      - name: a\n        extract: a..b\n"
        "        jump: 4\n  - metod: x\n"
    )
    assert [problem.path for problem in found] == [
        "name", "nam", "desc", "steps[0].url", "steps[0].next", "steps[0].var[0].extract", "steps[0].var[0].jump",
        "steps[1].url", "steps[1].metod",
    ]  # fmt: skip


def test_a_folder_loads_what_it_can(tmp_path, caplog):
    good = "desc: d\nsteps: [{url: 'http://x/'}]\n"
    (tmp_path / "b.yaml").write_text("name: b\n" + good)
    (tmp_path / "a.yml").write_text("name: a\n" + good)
    (tmp_path / "bad.yaml").write_text("name: x\n")
    (tmp_path / "latin.yaml").write_bytes(b"name: \xff\n")
    (tmp_path / "twice.yaml").write_text("name: a\n" + good)
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "notes.txt").write_text("no tool")
    with caplog.at_level(logging.WARNING):
        folder = load_folder(tmp_path)
    assert [tool.name for tool in folder.tools] == ["a", "b"]
    assert [file.path.name for file in folder.files] == ["a.yml", "b.yaml"]
    assert [warning.split(" ")[0] for warning in folder.warnings] == [
        "bad.yaml",
        "folder.yaml",
        "latin.yaml",
        "twice.yaml",
    ]
    assert "desc" in folder.warnings[0]
    assert len(caplog.records) == 4


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"unknown{n}: 1\n" for n in range(9_000)),
        "".join("name: a\n" for _ in range(9_000)),
        HEAD + "steps: [{url: 'http://x/', body: '" + "${step0:x}" * 6_000 + "'}]",
        HEAD + "steps: [{url: 'http://x/', body: '" + "${foo:x}" * 7_000 + "'}]",
        HEAD + "steps: [{url: 'http://x/', body: '" + "${" * 30_000 + "'}]",
        HEAD + "steps: [{url: 'http://x/', body: '" + "${step0:${" * 6_000 + "'}]",
        HEAD + "steps:\n" + "  - url: 'http://x/${step9999:a}'\n" * 6_000,
        HEAD + "steps: [" + "{}," * 15_000 + "]",
        HEAD + "steps: [" + "1," * 15_000 + "]",
        HEAD + "env: [" + "'a b'," * 15_000 + "]\nsteps: [{url: 'http://x/'}]",
        HEAD + "steps: [{url: 'http://x/', var: [{name: v, extract: '" + "a[" * 30_000 + "'}]}]",
        HEAD + "steps: [{url: 'http://x/', var: [{name: v, extract: '" + "a." * 30_000 + "'}]}]",
        HEAD + "steps: [{url: 'http://x/', var: [{name: v, extract: '/" + "(" * 9_000 + "/'}]}]",
        "{" + "a: {" * 20 + "b: " + "x" * 60_000,
        "k" * 60_000 + ": 1\n" + "k" * 60_000 + ": 2\n",
    ],
)
def test_many_problems_take_no_time(text):
    started = time.process_time()
    tool, found = check_tool(text)
    assert time.process_time() - started < 1
    assert tool is None
    assert 1 <= len(found) <= 200
    assert all(len(problem.message) < 2_000 for problem in found)


@pytest.mark.parametrize("value", ["[]", "{}", "[[a]]", "{a: [b]}", "1", "1.5", "true", "~", "text", "''"])
@pytest.mark.parametrize(
    "path",
    ["name", "desc", "params", "env", "steps", "params.0", "env.0", "steps.0"]
    + [f"params.0.{name}" for name in ("name", "type", "required", "description", "default")]
    + [
        f"steps.0.{name}"
        for name in ("url", "method", "headers", "query", "body", "timeout", "cache", "next", "var", "result")
    ]
    + ["steps.0.headers.A", "steps.0.query.0", "steps.0.query.0.key", "steps.0.query.0.value", "steps.0.var.0"]
    + [f"steps.0.var.0.{name}" for name in ("name", "extract", "default", "abort", "jump")],
)
def test_anything_anywhere(path, value):
    root = {
        "name": "t", "desc": "d", "env": ["E"],
        "params": [{"name": "p", "type": "string", "required": True, "description": "d", "default": "x"}],
        "steps": [{"url": "http://x/", "headers": {"A": "b"}, "query": [{"key": "k", "value": "v"}],
                   "var": [{"name": "v"}]}],
    }  # fmt: skip
    at = root
    *parents, last = (int(part) if part.isdigit() else part for part in path.split("."))
    for part in parents:
        at = at[part]
    at[last] = "PLACE"
    tool, found = check_tool(json.dumps(root).replace('"PLACE"', value))
    assert (tool is None) == bool(found)
    dotted = path.replace(".0", "[0]")
    assert all(problem.path.startswith((dotted, dotted.rsplit(".", 1)[0])) for problem in found)
