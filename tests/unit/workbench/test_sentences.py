"""The pages say in Chinese whatever the server says in English: `frontend/src/shared/i18n/sentences`."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import chain

from tests.support.sentences import PACKAGES, ROOT, is_prose, sources, strings

CATALOGUES = ROOT / "frontend/src/shared/i18n/sentences/zh"
FROM_LIBRARIES = "libraries"  # what pydantic, jsonschema, Django and libyaml say
WORDS = "words"  # words and parts that are known inside of sentences only
SAYS_SOMETHING = 5  # letters of a template by which others can be told to be made of it
SAYS_ENOUGH = 12

NOT_SAID: dict[str, tuple[str, ...]] = {
    "told to models": (
        "Answer with one JSON object that fits this JSON Schema, and nothing else:\n{0}",
        "Conversation so far:\n{0}\n\nFacts:\n{1}\n\nQuestion:\n{2}",
        "Fill in the fields of the JSON Schema from what the person said. Leave a field out when nothing was said "
        "about it; never invent a value.",
        "Take the fields of the JSON Schema out of the text. Never invent a value.",
        "That doesn't fit: {0}. Answer again, with the JSON object alone.",
        "What earlier steps gave:\n",
    ),
    "compared with what libraries and servers say": (
        "ERROR: <input>:",
        "Value error, ",
        "cannot start any token",
        "could not find expected ':'",
        "does not exist",
        "mapping values are not allowed",
        "nesting depth",
        "not found",
    ),
    "written in Python only, by whoever programs with the engines": (
        "a Call runs as a node of a graph",
        "a nested graph runs inside a run",
        "a nested graph runs inside a visit",
        "a node is a NodeBase or any callable",
        "a state schema is a TypedDict or pydantic model class, not {0}",
        "an edge cannot be read: {0}",
        "an edge is of the type edge or conditional, not {0}",
        "Convert runs as a node of a graph",
        "graph_mode is run or debug, not {0}",
        "no edge {0} of {1} leads to {2}",
        "no entry is set; set_entry_point() names it",
        "node {0}: the merge strategy of group {1} cannot be called",
        "node {0}: {1} cannot be called",
        "the caller",
        "the filter from {0} to {1} cannot be called",
        "the package cel-expr-python is not installed",
        "the router of {0} cannot be called",
        "the run is not over",
        "the run was started already",
        "the state schema's types cannot be read: {0}",
        "the {0} strategy",
        "there are no checkpoints to merge",
        "The task of the executor has no state.",
        "{0} cannot be called, so it is no node",
    ),
    "no sentences": (
        "Awaitable[None] | None",
        "Basic {0}",
        "Bearer {0}",
        "INSERT INTO {0} (run_id, seq, event) VALUES {1} ON CONFLICT DO NOTHING",
        "Node | None",
        "StateFilterLike | None",
        "UPDATE {0} SET last_seq = %s WHERE id = %s",
        "gzip, deflate",
        "journal writer",
        "no key",
        "run {0}",
        "text/plain; charset=utf-8",
        "visit {0}",
        "{0} revision {1}",
    ),
    "part of a sentence that is known as a whole": (
        "Pick an environment that has",
        "The environment {0} lacks",
        "node {0} returned",
        "state variable",
        "the inputs are",
        "the number ",
        "visit {0} {1}",
        "{0} failed: {1}: {2}",
        "{0}channel {1}: {2}",
    ),
}


@cache
def _catalogue() -> dict[str, dict[str, str]]:
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(CATALOGUES.glob("*.json"))}


def _holes(text: str) -> list[str]:
    return re.findall(r"\{(\d+)!?\}", text)


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile("(?s:" + ".*".join(map(re.escape, re.split(r"\{\d+\}", template))) + ")")


def _letters(template: str) -> int:
    return len(re.sub(r"\{\d+\}|[^A-Za-z]", "", template))


def test_every_sentence_has_chinese() -> None:
    known = {key for entries in _catalogue().values() for key in entries}
    passed_over = set(chain.from_iterable(NOT_SAID.values()))
    lacking: dict[str, str] = {}
    for path in sources():
        for line, said in strings(path):
            if not is_prose(said) or said in known or said in passed_over or said in lacking:
                continue
            # A sentence with parts may stand in the catalogue once for each of its parts.
            if _letters(said) >= SAYS_ENOUGH and any(map(_pattern(said).fullmatch, known)):
                continue
            lacking[said] = f"{path.relative_to(ROOT)}:{line}"
    told = "\n".join(f"  {where}: {said!r}" for said, where in lacking.items())
    assert not lacking, f"no Chinese in {CATALOGUES.relative_to(ROOT)} for:\n{told}"


def test_nothing_in_the_catalogue_is_left_over() -> None:
    paths = chain.from_iterable(sorted((ROOT / package).rglob("*.py")) for package in PACKAGES)
    said = {text for path in paths for _, text in strings(path, all_of_them=True)}
    holed = [_pattern(text) for text in said if _holes(text) and _letters(text) >= SAYS_SOMETHING]
    entries = {
        key for name, of in _catalogue().items() if name not in (FROM_LIBRARIES, WORDS) for key in of if key not in said
    }
    left = [key for key in sorted(entries) if not any(pattern.fullmatch(key) for pattern in holed)]
    assert left == []
    assert [text for text in chain.from_iterable(NOT_SAID.values()) if text not in said] == []


def test_chinese_is_chinese_and_takes_the_same_values() -> None:
    for name, entries in _catalogue().items():
        assert list(entries) == sorted(entries), f"{name}.json is in the order of the English"
        for english, chinese in entries.items():
            assert re.search(r"[\u4e00-\u9fff，；：。（]", chinese) or english == "Value error, {0}", english
            # Of holes that touch, the first takes all.
            assert set(_holes(chinese)) <= set(_holes(re.sub(r"(?<=\})\{\d+\}", "", english))), english
            assert _holes(english) == [str(index) for index in range(len(_holes(english)))], english
            assert not re.search(r"[\u4e00-\u9fff][,;:.?!](?:\s|$)", chinese), f"Chinese has its own marks: {chinese}"
    everything = [key for name, entries in _catalogue().items() if name != WORDS for key in entries]
    assert len(everything) == len(set(everything))
