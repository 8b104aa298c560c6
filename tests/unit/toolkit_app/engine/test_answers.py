"""Texts of answers to values."""

import json
import time

import pytest

from toolkit_app.engine import NotStructuredError
from toolkit_app.engine.answers import EmptyAnswerError, parse_answer
from toolkit_app.engine.extract import Answer
from toolkit_app.engine.paths import MissingError


def value(text, path):
    found = Answer(text).extract(path)
    return found.plain, found.as_text()


@pytest.mark.parametrize(
    ("text", "path", "plain", "shown"),
    [
        ("a: 1\nb: [x, y]\n", "a", 1, "1"),
        ("a: 1\nb: [x, y]\n", "b[]", ["x", "y"], '["x","y"]'),
        ("- a\n- b\n", "[1]", "b", "b"),
        ("d: 2024-01-02\n", "d", "2024-01-02", "2024-01-02"),
        ("d: 12:30:45", "d", "12:30:45", "12:30:45"),
        ("d: no", "d", "no", "no"),
        ("d: 01234", "d", "01234", "01234"),
        ("d: 1_000", "d", "1_000", "1_000"),
        ("d: 0x1F", "d", 31, "31"),
        ("d: +5", "d", 5, "+5"),
        ("d: 1.10", "d", 1.1, "1.10"),
        ("d: .nan", "d", ".nan", ".nan"),
        ("d: -.inf", "d", "-.inf", "-.inf"),
        ("d: ~", "d", None, ""),
        ("d: Yes", "d", "Yes", "Yes"),
        ("d: TRUE", "d", True, "true"),
        ("1: x\ntrue: y", "1", "x", "x"),
        ("1: x\ntrue: y", "true", "y", "y"),
        ("a: &x {b: 1}\nc: *x", "c.b", 1, "1"),
        ("%YAML 1.2\n---\na: 1", "a", 1, "1"),
        ("/users/{id}:\n  get: ok", "/users/{id}.get", None, None),
        ('{"a": 1e400}', "a", "1e400", "1e400"),
        ('{"a": -0}', "a", 0, "-0"),
        ('{"a": -0.0}', "a", -0.0, "-0.0"),
        ('{"a": 1E5}', "a", 1e5, "1E5"),
        ('{"a": [1.0, 1.10, {"b": 2.50}]}', "a", [1.0, 1.1, {"b": 2.5}], '[1.0,1.10,{"b":2.50}]'),
        ('{"a": true}', "a", True, "true"),
        ('{"a": {"ü": [null, "x"]}}', "a", {"ü": [None, "x"]}, '{"ü":[null,"x"]}'),
        ('{"a": "\\ud83d"}', "a", "\ufffd", "\ufffd"),
        ('{"a": "\\ud83d\\ude00"}', "a", "\U0001f600", "\U0001f600"),
        ('{"a": ["\\udc00"]}', "a", ["\ufffd"], '["\ufffd"]'),
        ("{'a': 1,}", "a", 1, "1"),
        ('{"a": 1, "a": 2}', "a", 2, "2"),
        ('\ufeff {"a": 1}', "a", 1, "1"),
        ("  \n[1]", "[0]", 1, "1"),
        ('event: message\ndata: {"id": 1}\n', "data.id", 1, "1"),
    ],
)
def test_values(text, path, plain, shown):
    if shown is None:
        with pytest.raises(Exception, match="regular expression"):
            value(text, path)
        return
    found = value(text, path)
    assert found == (plain, shown)
    assert type(found[0]) is type(plain)


@pytest.mark.parametrize("digits", [50, 3_000, 4_301, 20_000, 200_000])
def test_integers_of_any_size(digits):
    text = "9" * digits
    started = time.process_time()
    plain, shown = value(f'{{"a": {text}}}', "a")
    listed, shown_list = value(f'{{"a": [-{text}, 1.10]}}', "a")
    assert time.process_time() - started < 1
    assert (shown, shown_list) == (text, f"[-{text},1.10]")
    if digits < 4_000:
        assert (plain, listed[0]) == (10**digits - 1, 1 - 10**digits)
    else:
        assert (plain, listed[0]) == (text, f"-{text}")
        assert type(plain) is type(listed[0]) is str
    json.dumps([plain, listed])


async def test_integers_without_measure_are_sent_on_as_numbers(server, runner, tool_of):
    text = "9" * 5_000
    server.answer("/", f'{{"a": {text}, "l": [{text}]}}')
    var = [{"name": "a", "extract": "a"}, {"name": "l", "extract": "l"}]
    headers = {"Content-Type": "application/json"}
    steps = [
        {"url": server.url + "/", "var": var},
        {"url": server.url + "/", "method": "POST", "headers": headers, "body": "[${step0:a}, ${step0:l}]"},
    ]
    assert (await runner.run(tool_of(steps))).error is None
    assert server.seen[1].body.decode() == f"[{text}, [{text}]]"


@pytest.mark.parametrize(
    "text",
    [
        "plain text", "<html></html>", " \n<?xml version='1.0'?><a/>", "\ufeff<a>", ")]}',\n{\"a\": 1}",
        "while(1);{\"a\": 1}",
        "for (;;);{\"a\": 1}", 'callback({"a": 1})', 'callback({"a": 1});', '/**/cb({"a": 1})',
        "/**/ typeof cb === 'function' && cb({\"a\": 1});",
        'my.cb([{"a": 1}])', 'throw 1; {"a": 1}', '&&&START&&&{"a": 1}', 'var x = {"a": 1}', '{"a": 1}{"a": 2}',
        '{"a": 1}\n{"a": 2}\n',
        "a: 1\n---\na: 2", "a: 1\na: 2", "x:\n  b: 1\n  b: 2", "a: !!python/object:os.system x", "a: !foo b",
        "{\"a\": ", "[1, 2", "a: b: c",
        "a:\n\t- b", "\x00\x01", "GIF89a\x01\x00", "a: *b", "? [x]\n: y", "'text'", "yes", "a: &a [*a]", "@x", "%x",
        "a: " + "x" * 2_000_000,
    ],
)  # fmt: skip
def test_what_is_not_structured(text):
    started = time.process_time()
    with pytest.raises(NotStructuredError) as caught:
        parse_answer(text)
    assert time.process_time() - started < 1
    assert len(caught.value.message) < 700
    assert "\x00" not in caught.value.message


@pytest.mark.parametrize("text", ["", " ", "\r\n\t", "\ufeff", "\ufeff \n", "# only a comment", "---\n"])
def test_what_is_empty(text):
    with pytest.raises((EmptyAnswerError, NotStructuredError)):
        parse_answer(text)


def test_json_scalars_are_structured_but_lead_nowhere():
    for text in ("null", "5", '"x"', "true"):
        with pytest.raises(MissingError):
            Answer(text).extract("a")


def test_alias_bomb():
    text = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n" + "\n".join(
        f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)
    )
    started = time.process_time()
    with pytest.raises(NotStructuredError):
        parse_answer(text)
    assert time.process_time() - started < 1


@pytest.mark.parametrize("depth", [150, 250, 900, 5_000, 100_000])
@pytest.mark.parametrize("opening", ["[", '{"a":', "[1.10,"])
def test_depth(depth, opening):
    closing = "}" if opening[0] == "{" else "]"
    text = '{"top": 1, "deep": ' + opening * depth + "1" + closing * depth + "}"
    if depth == 150:
        assert json.loads(Answer(text).extract("deep").as_text()) == json.loads(text)["deep"]
    else:
        with pytest.raises(NotStructuredError):
            Answer(text).extract("deep")


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("items[].tags", [["x", "y"], ["z"], []]),
        ("items[].tags[]", ["x", "y", "z"]),
        ("items[].tags[0]", ["x", "z"]),
        ("items[].tags[].q", None),
        ("items[].id", [1, 2]),
        ("items[].none", None),
        ("items[0].id", 1),
        ("items[9]", None),
        ("items[99999999999999999999999999]", None),
        ("empty[]", []),
        ("empty[].a.b[].c", []),
        ("empty[0]", None),
        ("items[].empty[].a", []),
        ("nested[]", [[1, 2], [3]]),
        ("nested[][]", [1, 2, 3]),
        ("nested[][0]", [1, 3]),
        ("text[0]", None),
        ("text[]", None),
        ("text.length", None),
        ("obj[0]", None),
        ("obj[]", None),
        ('obj["a.b"]', 1),
        ('obj["\\u0061.b"]', 1),
        ('["obj"]["a.b"]', 1),
        ('obj["a\\"]"].x', 2),
        ('items["id"]', None),
        ('items[]["id"]', [1, 2]),
        ("obj.a b", 3),
        ("obj.@x", 4),
        ("obj.", "syntax"),
    ],
)
def test_paths(path, found):
    data = {
        "items": [{"id": 1, "tags": ["x", "y"], "empty": []}, {"id": 2, "tags": ["z"]}, {"tags": []}],
        "empty": [], "nested": [[1, 2], [3]], "text": "abc", "obj": {"a.b": 1, 'a"]': {"x": 2}, "a b": 3, "@x": 4},
    }  # fmt: skip
    answer = Answer(json.dumps(data))
    if found == "syntax":
        with pytest.raises(Exception, match="empty segment"):
            answer.extract(path)
    elif found is None:
        with pytest.raises(MissingError):
            answer.extract(path)
    else:
        assert answer.extract(path).plain == found


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("/session[= ]([a-f0-9]+)/", "ab12"),
        ("/session/", "session"),
        ("/(x)?session/", None),
        ("/nothing/", None),
        ("/(?i)SESSION=(.)(.)/", "a"),
        (r"/(\p{Han}+)/", "订单"),
        (r"/a/b\/(c)/", "c"),
        ("/(?m)^(second)$/", "second"),
    ],
)
def test_patterns(pattern, found):
    answer = Answer("Set session=ab12; 订单 a/b/c\nsecond\n")
    if found is None:
        with pytest.raises(MissingError):
            answer.extract(pattern)
    else:
        assert answer.extract(pattern).plain == found


def test_patterns_run_in_linear_time():
    started = time.process_time()
    with pytest.raises(MissingError):
        Answer("a" * 200_000).extract("/^(a+)+$b/")
    assert time.process_time() - started < 1


def test_without_extract_the_text_itself():
    assert Answer(" any\ntext").extract(None).plain == " any\ntext"
