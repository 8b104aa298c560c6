"""Trying an extraction, and writing one for a selection: both by what a run uses."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit_app.engine import NotStructuredError, PathSyntaxError, RegexSyntaxError, suggest_extract, try_extract
from toolkit_app.engine.extract import Answer


def suggested(text: str, selected: str) -> str:
    start = text.rindex(selected)
    return suggest_extract(text, start, start + len(selected))


@pytest.mark.parametrize(
    ("text", "selected", "wanted"),
    [
        ("<td>Temperature: <b>21.5</b></td> <b>9</b>", "21.5", r"/Temperature:\s+<b>([^<]*)</"),
        ('<span class="price">19.99 EUR</span>', "19.99", '/price">([0-9]+(?:[.,][0-9]+)*)/'),
        ("Order #1042 is sent.\nRef: AB-12", "AB-12", r"/Ref:\s+([\w-]+)/"),
        ('{"name": "Anna Lee", "x": "b"}', "Anna Lee", r'/name":\s+"([^"]*)"/'),
        ("城市：北京，天气：晴", "北京", r"/城市：([\p{L}\p{M}\p{N}]+)/"),
        ("x\ny", "x", r"/^([\w-]+)/"),
        ("at 12:30:45 UTC", "12:30:45", r"/at\s+(.+?)\s+UTC/"),
        ("a\nfirst (line)\nsecond\nend", "first (line)\nsecond", r"/a\s+((?s:.+?))\s+end/"),
        ("balance: -12 EUR", "-12", r"/balance:\s+(-?[0-9]+)/"),
    ],
)
def test_a_pattern_is_held_by_the_label_before_it(text: str, selected: str, wanted: str) -> None:
    assert suggested(text, selected) == wanted
    assert try_extract(text, wanted).value == selected


def test_it_finds_what_will_stand_there_another_time() -> None:
    for before, selected, later, found in [
        ("<li>Stock: <b>5</b></li>", "5", "<li>Stock: <b>1200 left</b></li>", "1200 left"),
        ("total 13 items on page 2", "13", "total 7 items on page 9", "7"),
        ("Status: OK\n", "OK", "Status:   pending\n", "pending"),
    ]:
        assert try_extract(later, suggested(before, selected)).value == found


def test_of_several_places_it_is_the_selected_one() -> None:
    text = "<h1>One</h1><h1>Two</h1>\nitem 1: 5\nitem 2: 5\nid=7;id=7;id=8"
    for selected in ("One", "Two", "8"):
        assert try_extract(text, suggested(text, selected)).value == selected
    start = text.index("5\nid")
    found = try_extract(text, suggest_extract(text, start, start + 1))
    assert found.before.endswith("item 2: ")


def test_blanks_around_a_selection_are_left_out() -> None:
    assert suggest_extract("a:  b  c", 2, 7) == suggest_extract("a:  b  c", 4, 5)
    assert suggest_extract("a   b", 1, 4) == ""
    assert suggest_extract("", 0, 5) == ""
    assert suggest_extract("abc", 9, 12) == ""


def test_a_trial_says_what_is_found_and_where() -> None:
    found = try_extract("价格：12 元", r"/价格：([0-9]+)/")
    assert (found.found, found.value, found.before, found.after) == (True, "12", "价格：", " 元")
    assert not try_extract("abc", "/x/").found
    assert not try_extract("abc", "/b|(x)/").found
    assert try_extract('{"n": 12345678901234567890}', "n").value == "12345678901234567890"


@pytest.mark.parametrize(
    ("extract", "error"),
    [("/(/", RegexSyntaxError), ("/(?=x)/", RegexSyntaxError), ("a..b", PathSyntaxError), ("a", NotStructuredError)],
)
def test_a_trial_of_what_is_wrong_raises_as_a_run_does(extract: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        try_extract("<p>no data</p>", extract)


@settings(max_examples=200, deadline=None)
@given(
    st.text(st.sampled_from("ab1 2.-<b>/\"'\\()[]{}:;,\n\té北😀"), max_size=80), st.integers(0, 80), st.integers(1, 20)
)
def test_any_selection_gives_a_pattern_that_a_run_takes(text: str, start: int, length: int) -> None:
    extract = suggest_extract(text, start, start + length)
    if not extract:
        assert not text[start : start + length].strip()
        return
    found = try_extract(text, extract)
    assert found.found
    assert found.value == Answer(text).extract(extract).as_text()


def test_long_answers_take_no_time() -> None:
    text = "lorem ipsum 12 " * 130_000
    began = time.perf_counter()
    extract = suggest_extract(text, 1_900_002, 1_900_007)
    assert try_extract(text, extract).found
    assert time.perf_counter() - began < 5
