"""Finds what is secret in a request and puts the name of an environment's secret in its place.

Source: security.md, "secrets in sight": values go into an environment and never into a tool.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote_plus

from .shell_words import MARK, marked

Part = Literal["header", "basic", "cookie", "query", "body", "path", "variable"]

_HEADERS = {"authorization", "proxy-authorization", "cookie"}
_SCHEME = re.compile(r"(?i)(basic|bearer|token|apikey|api-key|key|jwt|bot|genie\w*)[ \t]+(?=\S)")
_WORDS = {
    "token", "secret", "password", "passwd", "pwd", "passphrase", "apikey", "appid", "auth", "authorization",
    "credential", "credentials", "signature", "sig", "jwt", "bearer", "session", "sessionid", "sid", "accesstoken",
    "authtoken", "privatekey", "clientsecret", "accesskey", "secretkey",
}  # fmt: skip
_BEFORE_KEY = {"api", "app", "access", "secret", "private", "auth", "subscription", "master", "license", "rapidapi"}
_NOT_SECRET = {"page", "next", "continuation", "cursor", "sync", "type", "max", "min", "count", "limit", "expires"}
_TOKEN_SHAPE = re.compile(
    r"(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|xox[abeprs]-[\w-]{10,}"
    r"|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|glpat-[\w-]{15,}|hf_[A-Za-z0-9]{20,}|eyJ[\w-]{5,}\.eyJ[\w-]{5,}\.[\w-]*"
    r"|(?:bot)?\d{6,}:[\w-]{30,}",
    re.ASCII,
)
_JSON_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_COLON = re.compile(r"\s*:\s*")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_COUNTRY_CODES = {"co", "com", "org", "net", "gov", "ac", "edu"}


@dataclass(frozen=True, slots=True)
class Need:
    """A value that an environment has to hold before the step can run.

    Attributes:
        name: Its name there, `${env:name}` in the step.
        part: Where it stands: `basic` is `user:password` in base64, `variable` what a shell was to fill in.
        field: The header, the query parameter or the body's field.
        host: Where a secret may go; empty when the address itself is not known yet.
        secret: Whether it is a credential; otherwise a plain variable does.
    """

    name: str
    part: Part
    field: str
    host: str
    secret: bool = True


def is_secret_name(name: str) -> bool:
    """Whether a header, parameter or field of this name carries a credential."""
    words = [word for word in re.split(r"[^a-z0-9]+", _CAMEL.sub("_", name).lower()) if word]
    if _NOT_SECRET & set(words):
        return False
    if words == ["key"] or _WORDS & set(words):
        return True
    return any(word == "key" and words[index - 1] in _BEFORE_KEY for index, word in enumerate(words) if index)


def is_secret_header(name: str) -> bool:
    """Whether a header carries a credential."""
    return name.lower() in _HEADERS or is_secret_name(name)


class Keyring:
    """Takes credentials out of one request; values are kept only while it is read."""

    def __init__(self, host: str) -> None:
        """Begins.

        Args:
            host: The host of the request, as a secret lists it; empty when unknown.
        """
        self.needs: dict[str, Need] = {}
        self._host = host
        self._names: dict[str, str] = {}

    def hide(self, value: str, part: Part, field: str, suffix: str, *, whole: bool = False) -> str:
        """Returns what stands in the place of a secret value; an empty one stays.

        Args:
            value: The value, perhaps with marks of variables.
            part: Where it stands.
            field: What it is called there.
            suffix: What its name ends with.
            whole: Hide it also when variables of a shell are all that is in it, since it has to be encoded first.
        """
        bare = MARK.sub("", value)
        variables = MARK.findall(value)
        if variables and not whole and not re.search(r"\w{8}", bare):
            for name in variables:
                self.needs.setdefault(name, Need(name, part, field, self._host))
            return value
        if not value.strip():
            return value
        name = self._names.get(value) or self._free(suffix)
        self._names[value] = name
        self.needs.setdefault(name, Need(name, part, field, self._host))
        return marked(name)

    def header(self, name: str, value: str) -> str:
        """Returns a header's value without what is secret in it; `Bearer` and the like stay."""
        folded = name.lower()
        if folded == "cookie":
            return self.hide(value, "cookie", name, "COOKIE")
        if folded in _HEADERS:
            scheme = _SCHEME.match(value)
            kind: Part = "basic" if scheme and scheme[1].lower() == "basic" else "header"
            head = scheme.group() if scheme else ""
            return head + self.hide(value[len(head) :], kind, name, "BASIC" if kind == "basic" else "TOKEN")
        if is_secret_name(name) or _TOKEN_SHAPE.fullmatch(value.strip()):
            scheme = _SCHEME.match(value)
            head = scheme.group() if scheme else ""
            return head + self.hide(value[len(head) :], "header", name, name)
        return value

    def parameter(self, name: str, value: str) -> str:
        """Returns the value of a query parameter without what is secret."""
        if is_secret_name(name) or _TOKEN_SHAPE.fullmatch(value):
            return self.hide(value, "query", name, name)
        return value

    def path(self, path: str) -> str:
        """Returns a path, with the segments hidden that look like a key."""
        return "/".join(
            self.hide(segment, "path", "", "KEY") if _TOKEN_SHAPE.fullmatch(segment) else segment
            for segment in path.split("/")
        )

    def form(self, body: str) -> str:
        """Returns a form's body without what is secret; the rest stays as it is written."""
        pairs = []
        for pair in body.split("&"):
            name, equals, value = pair.partition("=")
            plain_name, plain = unquote_plus(name), unquote_plus(value)
            if equals and (is_secret_name(plain_name) or _TOKEN_SHAPE.fullmatch(plain)):
                pair = f"{name}={self.hide(plain, 'body', plain_name, plain_name)}"  # noqa: PLW2901
            pairs.append(pair)
        return "&".join(pairs)

    def json(self, body: str) -> str:
        """Returns a JSON body without what is secret; every other byte stays."""
        out: list[str] = []
        at, key = 0, ""
        for found in _JSON_STRING.finditer(body):
            colon = _COLON.match(body, found.end())
            text = _json_text(found.group())
            if colon:
                key = text
                continue
            named = bool(key) and bool(_COLON.fullmatch(body, _before(body, found.start()), found.start()))
            name = key if named else ""
            if (name and is_secret_name(name) and name.lower() != "key") or _TOKEN_SHAPE.fullmatch(text):
                out += [body[at : found.start()], '"', self.hide(text, "body", name, name or "KEY"), '"']
                at = found.end()
        return "".join(out) + body[at:]

    def variables(self, *texts: str) -> None:
        """Notes the shell's variables that no credential told of yet."""
        for text in texts:
            for name in MARK.findall(text):
                self.needs.setdefault(name, Need(name, "variable", "", self._host, secret=is_secret_name(name)))

    def _free(self, suffix: str) -> str:
        tail = re.sub(r"[^A-Z0-9]+", "_", _CAMEL.sub("_", suffix).upper()).strip("_").removeprefix("X_") or "KEY"
        head = _host_name(self._host)
        wanted = (tail if not head or tail.startswith(head) else f"{head}_{tail}")[:56]
        wanted = wanted if wanted[0].isalpha() else f"KEY_{wanted}"
        name, number = wanted, 1
        while name in self.needs:
            number += 1
            name = f"{wanted}_{number}"
        return name


def _json_text(literal: str) -> str:
    try:
        return str(json.loads(literal, strict=False))
    except ValueError:
        return literal[1:-1]


def _before(body: str, at: int) -> int:
    while at > 0 and body[at - 1] in " \t\r\n:":
        at -= 1
    return at


def _host_name(host: str) -> str:
    name = host.rsplit(":", 1)[0] if not host.startswith("[") else ""
    parts = [part for part in name.lower().split(".") if part and part not in {"api", "www"}]
    if not parts or all(part.isdigit() for part in parts):
        return ""
    index = -1 if len(parts) == 1 else -2
    if len(parts) > 2 and parts[-2] in _COUNTRY_CODES:
        index = -3
    found = re.sub(r"[^A-Z0-9]+", "_", parts[index].upper()).strip("_")
    return found if found[:1].isalpha() else ""
