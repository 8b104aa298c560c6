"""Splits a command line into words, as bash, cmd.exe and PowerShell do. Nothing is run and nothing is looked up.

A shell's variable becomes a mark inside its word, so that the rest of the word can be taken apart as text;
`with_references` turns marks into `${env:NAME}` at the end.

Source: POSIX 2.2 and bash's `$'…'`; the rules of cmd.exe and of Microsoft's C runtime; about_Quoting_Rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MARK_OPEN = "\ufdd0"
MARK_CLOSE = "\ufdd1"
"""Around a variable's name; both are no characters, and refused in a command."""

MARK = re.compile(f"{MARK_OPEN}([^{MARK_CLOSE}]*){MARK_CLOSE}")
_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_][A-Za-z0-9_]{0,63})\}|([A-Za-z_][A-Za-z0-9_]{0,63}))")
_POWERSHELL_VARIABLE = re.compile(r"\$(?:\{(?:env:)?(\w{1,64})\}|(?:env:)?([A-Za-z_]\w{0,63}))", re.ASCII)
_BARE = re.compile(r"""[^\s\\'"$`|&;<>#]+""")
_QUOTED = re.compile(r'[^"\\$`]+')
_CONTINUED = re.compile(r"\\[ \t]*\r?\n")
_HEREDOC = re.compile(r"<<(-?)[ \t]*(['\"]?)(\w+)\2")
_BLANKS = re.compile(r"\s*")
_ANSI_CHUNK = re.compile(r"[^'\\]*")
_ANSI = re.compile(
    r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|c(.)|(.))", re.DOTALL
)
_ANSI_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "v": "\v"}
_CMD = re.compile(r'\^\r?\n|\s\^"')
_POWERSHELL = re.compile(r"`[ \t]*\r?\n")


class UnclosedError(Exception):
    """A quote that is never closed; `offset` says where it opens."""

    def __init__(self, offset: int) -> None:
        super().__init__()
        self.offset = offset


@dataclass(slots=True)
class CommandLine:
    """The words of one command.

    Attributes:
        words: Each without its quotes, with marks where variables stand.
        stdin: What a here-document feeds to it.
        ended_by: The operator behind it (`|`, `>`, a line break, …) when something follows that is not its own.
        substituted: Whether it holds `$(…)` or backticks, which stay text.
    """

    words: list[str] = field(default_factory=list)
    stdin: str | None = None
    ended_by: str | None = None
    substituted: bool = False


def split_command(text: str) -> CommandLine:
    """Split a command into words, by the rules of the shell that it was most likely copied for.

    Raises:
        UnclosedError: A quote is never closed.
    """
    if _CMD.search(text):
        return CommandLine(_c_runtime_words(_without_carets(text)))
    if _POWERSHELL.search(text) and not _CONTINUED.search(text):
        return _PowerShell(text).read()
    return _Bash(text).read()


def with_references(text: str) -> str:
    """Turn text with marks into a template: variables as `${env:NAME}`, a literal `${` escaped."""
    return MARK.sub(r"${env:\1}", text.replace("${", "$${"))


def marked(name: str) -> str:
    """The mark of a variable."""
    return f"{MARK_OPEN}{name}{MARK_CLOSE}"


class _Reader:
    """What both shells share: a text, a place in it, and the word that is being put together."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = CommandLine()
        self._word: list[str] | None = None
        self.asks = False
        """Whether there is a `?` in the word so far."""

    def put(self, piece: str) -> None:
        if self._word is None:
            self._word = []
            self.asks = False
        self.asks |= "?" in piece
        self._word.append(piece)

    def end_word(self) -> None:
        if self._word is not None:
            self.line.words.append("".join(self._word))
            self._word = None

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def variable(self, pattern: re.Pattern[str]) -> None:
        found = self.take(pattern)
        if found:
            self.put(marked(found[1] or found[2]))
        else:
            self.line.substituted |= self.text.startswith("$(", self.at)
            self.put("$")
            self.at += 1


class _Bash(_Reader):
    def read(self) -> CommandLine:
        while self.at < len(self.text) and self.line.ended_by is None:
            sign = self.text[self.at]
            if found := self.take(_BARE):
                self.put(found.group())
            elif sign == "\n":
                self._line_break()
            elif sign.isspace():
                self.end_word()
                self.at += 1
            elif sign == "\\":
                self._backslash()
            elif sign == "'":
                self._single()
            elif sign == '"' or self.text.startswith('$"', self.at):
                self._double()
            elif self.text.startswith("$'", self.at):
                self._ansi()
            elif sign == "$":
                self.variable(_VARIABLE)
            elif sign == "`":
                self.line.substituted = True
                self.put(sign)
                self.at += 1
            elif sign == "#":
                self._comment()
            else:
                self._operator(sign)
        self.end_word()
        return self.line

    def _line_break(self) -> None:
        self.end_word()
        self.take(_BLANKS)
        # A backslash that got lost in copying: the next line goes on with an option.
        if self.line.words and self.at < len(self.text) and self.text[self.at] not in "-#":
            self.line.ended_by = "a line break"

    def _backslash(self) -> None:
        if self.take(_CONTINUED):
            return
        if self.at + 1 < len(self.text):
            self.put(self.text[self.at + 1])
        self.at += 2

    def _single(self) -> None:
        end = self.text.find("'", self.at + 1)
        if end < 0:
            raise UnclosedError(self.at)
        self.put(self.text[self.at + 1 : end])
        self.at = end + 1

    def _double(self) -> None:
        start = self.at
        self.at += 2 if self.text[self.at] == "$" else 1
        self.put("")
        while self.at < len(self.text):
            if found := self.take(_QUOTED):
                self.put(found.group())
                continue
            sign = self.text[self.at]
            if sign == '"':
                self.at += 1
                return
            if sign == "$":
                self.variable(_VARIABLE)
                continue
            if sign == "`":
                self.line.substituted = True
                self.put(sign)
            elif self.take(_CONTINUED):
                continue
            else:
                following = self.text[self.at + 1 : self.at + 2]
                self.put(following if following and following in '$`"\\' else sign + following)
                self.at += 1
            self.at += 1
        raise UnclosedError(start)

    def _ansi(self) -> None:
        start = self.at
        end = start + 2
        while True:
            chunk = _ANSI_CHUNK.match(self.text, end)
            end = chunk.end() if chunk else end
            if end >= len(self.text):
                raise UnclosedError(start)
            if self.text[end] == "'":
                break
            end += 2
        decoded = _ANSI.sub(_ansi_sign, self.text[start + 2 : end])
        # Browsers write a sign beyond the first plane as the two halves of UTF-16.
        self.put(decoded.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
        self.at = end + 1

    def _comment(self) -> None:
        if self._word is not None:
            self.put("#")
            self.at += 1
            return
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end

    def _operator(self, sign: str) -> None:
        asks = self._word is not None and self.asks
        following = self.text[self.at + 1 : self.at + 2]
        if sign == "&" and asks and following and not following.isspace() and following != "&":
            self.put(sign)  # an address whose quotes were forgotten
            self.at += 1
            return
        if sign == "<" and (heredoc := _HEREDOC.match(self.text, self.at)):
            self._heredoc(heredoc)
            return
        if sign in "<>" and self._word is not None and "".join(self._word).isdigit():
            self._word = None  # the number of a file, as in `2>`
        self.line.ended_by = sign

    def _heredoc(self, found: re.Match[str]) -> None:
        head = self.text.find("\n", found.end())
        rest = self.text[head + 1 :].split("\n") if head >= 0 else []
        end = next((index for index, line in enumerate(rest) if line.strip() == found[3]), len(rest))
        lines = [line.removesuffix("\r") for line in rest[:end]]
        lines = [line.lstrip("\t") for line in lines] if found[1] else lines
        content = "\n".join([*lines, ""])
        plain = bool(found[2])
        self.line.stdin = content if plain else _VARIABLE.sub(lambda one: marked(one[1] or one[2]), content)
        behind = self.text[found.end() : head] if head >= 0 else ""
        self.end_word()
        self.text, self.at = behind, 0


def _ansi_sign(found: re.Match[str]) -> str:
    number = found[1] or found[2] or found[3]
    if number or found[4]:
        code = int(number, 16) if number else int(found[4], 8) & 0xFF
        return chr(code) if code <= 0x10FFFF else "\ufffd"
    if found[5]:
        return chr(ord(found[5].upper()[0]) & 0x1F)
    return _ANSI_PLAIN.get(found[6], found[6] if found[6] in "\\'\"?" else f"\\{found[6]}")


class _PowerShell(_Reader):
    def read(self) -> CommandLine:
        text = self.text
        while self.at < len(text) and self.line.ended_by is None:
            sign = text[self.at]
            if self.take(_POWERSHELL):
                continue
            if sign.isspace():
                self.end_word()
                blanks = self.take(_BLANKS)
                if blanks and "\n" in blanks.group() and self.line.words and self.at < len(text):
                    self.line.ended_by = "a line break"
            elif sign in "'\"":
                self._quoted(sign)
            elif sign == "$":
                self.variable(_POWERSHELL_VARIABLE)
            elif sign in "|;>":
                self.line.ended_by = sign
            else:
                if sign == "`":
                    self.at += 1
                self.put(text[self.at : self.at + 1])
                self.at += 1
        self.end_word()
        return self.line

    def _quoted(self, quote: str) -> None:
        start = self.at
        self.at += 1
        self.put("")
        while self.at < len(self.text):
            sign = self.text[self.at]
            following = self.text[self.at + 1 : self.at + 2]
            if sign == quote and following != quote:
                self.at += 1
                return
            if quote == '"' and sign == "$":
                self.variable(_POWERSHELL_VARIABLE)
                continue
            if sign == quote:
                self.put(quote)
                self.at += 2
            elif quote == '"' and sign in "`\\" and (following == '"' or sign == "`"):
                self.put({"n": "\n", "t": "\t", "r": "\r", "0": ""}.get(following, following))
                self.at += 2
            else:
                self.put(sign)
                self.at += 1
        raise UnclosedError(start)


_CARETS = re.compile(r'[^"^]+')
_CARET = re.compile(r"\^(?:\r?\n(\r?\n|.|$)|(.|$))", re.DOTALL)


def _without_carets(text: str) -> str:
    """What cmd.exe hands to a program: outside of quotes a caret makes the next sign an ordinary one."""
    out: list[str] = []
    at, quoted = 0, False
    while at < len(text):
        if found := _CARETS.match(text, at):
            out.append(found.group())
            at = found.end()
        elif text[at] == '"':
            quoted = not quoted
            out.append('"')
            at += 1
        elif quoted:
            out.append("^")
            at += 1
        else:
            caret = _CARET.match(text, at)
            kept = (caret[1] or caret[2] or "") if caret else ""
            out.append("\n" if kept == "\r\n" else kept)
            at = caret.end() if caret else at + 1
    return "".join(out)


_C_PIECE = re.compile(r'[^\s\\"]+|\\+|"|\s+')


def _c_runtime_words(text: str) -> list[str]:
    r"""Words as Microsoft's C runtime takes them: `\"` and `""` inside of quotes are a quote."""
    words: list[str] = []
    word: list[str] | None = None
    at, opened = 0, -1
    while at < len(text):
        found = _C_PIECE.match(text, at)
        piece = found.group() if found else text[at]
        at += len(piece)
        if piece.isspace() and opened < 0:
            if word is not None:
                words.append("".join(word))
            word = None
            continue
        word = [] if word is None else word
        if piece[0] == "\\" and text[at : at + 1] == '"':
            word.append("\\" * (len(piece) // 2))
            if len(piece) % 2:
                word.append('"')
                at += 1
        elif piece == '"':
            if opened >= 0 and text[at : at + 1] == '"':
                word.append('"')
                at += 1
            else:
                opened = at - 1 if opened < 0 else -1
        else:
            word.append(piece)
    if opened >= 0:
        raise UnclosedError(opened)
    if word is not None:
        words.append("".join(word))
    return words
