"""The pages know how long a document may be, and say of a longer one what the server says of it."""

from __future__ import annotations

import re

import pytest

from graph_app.engine import GraphDocumentError
from graph_app.engine.document_text import read_text
from tests.support.sentences import ROOT
from toolkit_app.engine import check_tool

PAGES = ROOT / "frontend/src/shared/editor/longest.ts"


def limit(kind: str) -> tuple[int, str]:
    found = re.search(rf'{kind}: {{ characters: ([\d_]+), told: "([^"]+)" }}', PAGES.read_text(encoding="utf-8"))
    assert found is not None
    return int(found[1]), found[2]


def test_graphs() -> None:
    characters, told = limit("graphs")
    assert read_text("#" * characters)[0] is None
    with pytest.raises(GraphDocumentError) as caught:
        read_text("#" * (characters + 1))
    assert [one.message for one in caught.value.problems] == [told]


def test_tools() -> None:
    characters, told = limit("tools")
    assert told not in [one.message for one in check_tool("#" * characters)[1]]
    assert [one.message for one in check_tool("#" * (characters + 1))[1]] == [told]
