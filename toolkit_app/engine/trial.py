"""Tries an extraction on a text, and writes one for what somebody selected in it.

Both go by the code that runs go by: there is one dialect, and what is shown here is what a run finds.

Source: specification, "extract"; contract, "Extraction".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .errors import RegexSyntaxError
from .extract import Answer
from .paths import MissingError
from .patterns import is_pattern, locate, parse_pattern

_AROUND = 40
_MOST_SHOWN = 2_000
_LONGEST_ANCHOR = 160
_MOST_TRIED = 24
_MOST_SELECTED = 5_000
_SPECIAL = re.compile(r"[\\.+*?()|\[\]{}^$]")
_PIECE = re.compile(r"\s+|[0-9]+|[^\W\d_]+|.", re.DOTALL)
_BARE_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9]*\s*/?>")
_LABEL = re.compile(r"[^\W\d_]{3}|[^\x00-\x7f]{2}")
_CLOSING = {'"': '"', "'": "'", ">": "<", "(": ")", "[": "]", "“": "”", "「": "」", "《": "》", "（": "）"}


@dataclass(frozen=True, slots=True)
class Trial:
    """What an extraction finds in a text.

    Attributes:
        found: Whether there is anything.
        value: What it is, as text; its beginning where it is long.
        before: What stands before it, for a pattern.
        after: What stands behind it.
    """

    found: bool
    value: str = ""
    before: str = ""
    after: str = ""


def try_extract(text: str, extract: str) -> Trial:
    """Try an extraction as a run does.

    Args:
        text: The answer's text.
        extract: A path or a `/pattern/`.

    Raises:
        PathSyntaxError, RegexSyntaxError: The extraction is malformed.
        NotStructuredError: A path, but the text is neither JSON nor YAML.
    """
    try:
        value = Answer(text).extract(extract).as_text()[:_MOST_SHOWN]
        if not is_pattern(extract):
            return Trial(True, value)
        data = text.encode()
        start, end = locate(parse_pattern(extract), data)
    except MissingError:
        return Trial(False)
    before = data[max(0, start - 4 * _AROUND) : start].decode("utf-8", "ignore")[-_AROUND:]
    after = data[end : end + 4 * _AROUND].decode("utf-8", "ignore")[:_AROUND]
    return Trial(True, value, before, after)


def suggest_extract(text: str, start: int, end: int) -> str:
    """Write a pattern that finds what is selected, and what will stand there another time.

    The text around it holds it in place: a label before it rather than the bare tag beside it, with runs of blanks and
    numbers left open where that is enough. The first pattern is taken whose first match is the selection; when there
    is none, the one with the longest text before it.

    Args:
        text: The answer's text.
        start: Where the selection begins, in characters.
        end: Where it ends.
    """
    end = min(end, start + _MOST_SELECTED, len(text))
    selected = text[start:end]
    start += len(selected) - len(selected.lstrip())
    selected = selected.strip()
    end = start + len(selected)
    if not selected:
        return ""
    data = text.encode()
    first = len(text[:start].encode())
    wanted = (first, first + len(selected.encode()))
    last = ""
    for count, candidate in enumerate(_candidates(text, start, end)):
        if count >= _MOST_TRIED:
            break
        extract = f"/{candidate}/"
        try:
            found = locate(parse_pattern(extract), data)
        except (MissingError, RegexSyntaxError):
            continue
        if found == wanted:
            return extract
        last = extract
    return last or f"/{_escaped(selected)}/"


def _candidates(text: str, start: int, end: int) -> Iterator[str]:
    group, behind = _group(text, start, end)
    anchors = list(_anchors(text, start))
    labelled = [anchor for anchor in anchors if _LABEL.search(_BARE_TAG.sub("", anchor))]
    for anchor in [*labelled[:4], *labelled[4::3], *[one for one in anchors if one not in labelled][::-1]]:
        yield f"{_opened(anchor)}({group}){behind}"
        if any(sign.isdigit() for sign in anchor):
            yield f"{_escaped(anchor)}({group}){behind}"
    if not anchors:
        yield f"^({group}){behind}"


def _anchors(text: str, start: int) -> Iterator[str]:
    """Texts that end where the selection begins, the shortest first; each begins with a whole word or sign."""
    near = text[max(0, start - _LONGEST_ANCHOR) : start]
    begins = [piece.start() for piece in _PIECE.finditer(near)]
    if start > len(near) and begins:
        begins.pop(0)  # perhaps the end of a word
    for at in reversed(begins):
        if not near[at].isspace():
            yield near[at:]


def _group(text: str, start: int, end: int) -> tuple[str, str]:
    """What the value may look like another time, and what has to stand behind it."""
    selected = text[start:end]
    left, right = text[start - 1 : start], text[end : end + 1]
    if left and _CLOSING.get(left) == right and right not in selected and "\n" not in selected:
        return f"[^{_in_class(right)}]*", _escaped(right)
    if re.fullmatch(r"-?[0-9]+", selected):
        number = "-?[0-9]+" if selected[0] == "-" else "[0-9]+"
        return number, ""
    if re.fullmatch(r"[-+]?[0-9][0-9.,]*[0-9]", selected):
        return "[-+]?[0-9]+(?:[.,][0-9]+)*" if selected[0] in "-+" else "[0-9]+(?:[.,][0-9]+)*", ""
    if re.fullmatch(r"[A-Za-z0-9_-]+", selected) and not re.match(r"[\w-]", right):
        return r"[\w-]+", ""
    if re.fullmatch(r"[^\W_]+", selected) and not (right and right.isalnum()):
        return r"[\p{L}\p{M}\p{N}]+", ""
    if "\n" in selected:
        return r"(?s:.+?)", _behind(text, end)
    if right and right not in selected and not right.isalnum() and right not in " \t":
        return r"[^\n]+" if right in "\r\n" else f"[^{_in_class(right)}\\n]+", "" if right in "\r\n" else _escaped(
            right
        )
    return (r".+?", _behind(text, end)) if right else (r"[^\n]+", "")


def _behind(text: str, end: int) -> str:
    pieces = [piece.group() for piece in _PIECE.finditer(text[end : end + 60])][:3]
    return _opened("".join(pieces)) if pieces else r"\z"


def _opened(anchor: str) -> str:
    """An anchor in which blanks and numbers may change."""
    out = []
    for piece in _PIECE.findall(anchor):
        out.append(r"\s+" if piece.isspace() else "[0-9]+" if piece.isascii() and piece.isdigit() else _escaped(piece))
    return "".join(out)


def _escaped(text: str) -> str:
    plain = _SPECIAL.sub(lambda sign: f"\\{sign.group()}", text)
    return plain.replace("\n", r"\n").replace("\r", r"\r").replace("\t", r"\t")


def _in_class(sign: str) -> str:
    return f"\\{sign}" if sign in "]\\^-" else sign
