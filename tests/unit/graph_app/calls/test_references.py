"""References in settings: types are kept, text is text, and nothing is looked at twice."""

from __future__ import annotations

from typing import Any

import pytest

from graph_app.calls.references import UnresolvedError, as_text, references, resolve, walk

VALUES = {"n": 42.0, "x": 1.5, "list": [1, 2.0], "text": "${state:n}", "none": None, "yes": True, "map": {"ü": 1}}
LOOKUPS = {"state": lambda path: walk(VALUES, path, "the state"), "env": lambda path: f"<{path}>"}


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("${state:n}", 42.0),
        ("${state:list}", [1, 2.0]),
        ("${state:list/1}", 2.0),
        ("${state:none}", None),
        ("n is ${state:n}", "n is 42"),
        ("${state:x} ${state:yes} ${state:none}|", "1.5 true |"),
        ("${state:list}!", "[1,2]!"),
        ("${state:map}!", '{"ü":1}!'),
        ("${state:text} ", "${state:n} "),
        ("$${state:n}", "${state:n}"),
        ("$${a} ${env:B}", "${a} <B>"),
        ("no reference", "no reference"),
        ({"a": ["${state:n}", {"b": "${env:K}"}]}, {"a": [42.0, {"b": "<K>"}]}),
        (7, 7),
        ("${item:key}", "${item:key}"),
        ("an ${item:key}", "an ${item:key}"),
    ],
)
def test_resolved(setting: Any, value: Any) -> None:
    assert resolve(setting, LOOKUPS) == value


@pytest.mark.parametrize("setting", ["${state:missing}", "${state:list/9}", "${state:n/x}", "${nothing:x}", "${plain}"])
def test_what_finds_nothing_is_said(setting: str) -> None:
    with pytest.raises(UnresolvedError):
        resolve(setting, LOOKUPS)


def test_listed() -> None:
    found = [str(one) for one in references({"a": "${env:A} $${b} ${node:s/x}", "l": ["${item:key}"]})]
    assert found == ["${env:A}", "${node:s/x}", "${item:key}"]


def test_whole_floats_have_no_fraction_in_text() -> None:
    assert as_text(3.0) == "3"
    assert as_text({"a": [1.0, 2.5]}) == '{"a":[1,2.5]}'
    assert as_text(1e300) == "1e+300"
