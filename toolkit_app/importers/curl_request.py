"""Puts a request together out of the options of a cURL command."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from urllib.parse import quote, unquote, unquote_plus, urlsplit

from toolkit_app.engine import QueryItem, Step
from toolkit_app.engine.checks import FORBIDDEN_HEADERS, HEADER_NAME
from toolkit_app.engine.definition import MAX_TIMEOUT_S

from .credentials import Keyring, Need
from .curl_options import Option
from .curl_values import encoded, is_json, quoted
from .shell_words import MARK, CommandLine, with_references

_METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH")
_FORM = "application/x-www-form-urlencoded"
_BROWSERS = re.compile(r"sec-(?:ch|fetch|gpc).*|dnt|priority|upgrade-insecure-requests", re.IGNORECASE)
_CACHE_HEADERS = {"if-none-match", "if-modified-since"}
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_BAD_IN_URL = re.compile(r'[\x00-\x20\x7f"<>\\^`|]')
_GLOB = re.compile(r"\[[^\]]{1,40}-[^\]]{1,40}\]|\{[^{}]*,[^{}]*\}")
_LOST_BREAK = re.compile(r"[\r\n\x00]")

LEFT_OUT = {
    "prints": "Only about what cURL prints and keeps; the run shows the whole answer.",
    "itself": "A tool does this by itself.",
    "certificates": "Left out. A tool always checks certificates, by the list of the server's system.",
    "client": "Left out. A tool can't show a certificate of its own.",
    "proxy": "Left out. Tools go straight to the host, never through a proxy.",
    "route": "Left out. The server itself finds the way to a host; an admin opens addresses under Settings.",
    "sign": "Left out. A tool can't sign requests this way; ask for a token or a key instead.",
    "file": "Left out. A tool reads and writes no files.",
    "trusted": "Redirects are followed, but Authorization is not sent on to another host.",
    "again": "Left out. A request is sent once; to try again, let a variable jump back to the step.",
    "limits": "Left out. A step has one limit, its time-out for the whole request.",
    "unknown": "Left out, as cURL has no such option.",
    "other": "Left out, as there is nothing like it in a tool.",
}
"""Why an option has no place in a step."""


class UnusableError(Exception):
    """The options give no request; the message says why and holds no value."""


class CurlRequest:
    """Reads the options of one command."""

    def __init__(self, line: CommandLine) -> None:
        """Begins with what the shell's rules told already.

        Args:
            line: The command's words.
        """
        self.notes: list[str] = []
        self._line = line
        self._left: dict[str, list[str]] = {}
        self._urls: list[str] = []
        self._headers: list[tuple[str, str]] = []
        self._data: list[str] = []
        self._json: list[str] = []
        self._query: list[str] = []
        self._form: list[str] = []
        self._method: str | None = None
        self._user: str | None = None
        self._timeout: int | None = None
        self._flags: set[str] = set()
        self._keys = Keyring("")

    @property
    def needs(self) -> Iterable[Need]:
        """What the environment has to hold."""
        return self._keys.needs.values()

    def step(self, options: Iterable[Option]) -> Step:
        """Make the step.

        Raises:
            UnusableError: There is no address, or one that no tool can send to.
        """
        for option in options:
            if option.name == "next" and option.known:
                self._note("Behind `--next` stands another request. The first one was taken; paste the next by itself.")
                break
            self._take(option)
        url, query = self._address()
        body = self._body()
        headers = self._named_headers()
        fields: dict[str, object] = {"url": with_references(url), "method": self._chosen_method(body)}
        if headers:
            fields["headers"] = {name: with_references(value) for name, value in headers.items()}
        if query:
            fields["query"] = [QueryItem(key=with_references(k), value=with_references(v)) for k, v in query]
        if body is not None:
            kind = next((value for name, value in headers.items() if name.lower() == "content-type"), "")
            body = self._without_secrets(body, kind.lower())
            fields["body"] = with_references(body)
        if self._timeout is not None:
            fields["timeout"] = self._timeout
        self._keys.variables(url, body or "", *headers.values(), *(text for pair in query for text in pair))
        self._tell()
        return Step.model_validate(fields)

    def _note(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes.append(sentence)

    def _take(self, option: Option) -> None:
        value = option.value or ""
        match option.name if option.known else "":
            case "url":
                self._urls.append(value)
            case "request":
                self._method = value.strip().upper()
            case "header":
                self._take_header(value)
            case "data" | "data-ascii" | "data-binary" | "data-raw" | "data-urlencode" | "json":
                self._take_data(option.name, value)
            case "form" | "form-string":
                self._take_field(option, value)
            case "url-query":
                self._query.append(value[1:] if value.startswith("+") else encoded(value))
            case "user":
                self._user = value
            case "oauth2-bearer":
                self._headers.append(("Authorization", f"Bearer {value}"))
            case "user-agent":
                self._headers.append(("User-Agent", value))
            case "referer":
                self._headers.append(("Referer", value.split(";", 1)[0]))
            case "range":
                self._headers.append(("Range", f"bytes={value}"))
            case "cookie":
                if "=" in value or MARK.search(value):
                    self._headers.append(("Cookie", value))
                else:
                    self._left.setdefault("file", []).append(option.written)
            case "max-time":
                self._take_timeout(option, value)
            case "get" | "head" as flag:
                self._flags.add(flag)
            case _:
                self._left.setdefault(option.reason, []).append(option.written)
                if option.name == "upload-file":
                    self._method = self._method or "PUT"

    def _take_timeout(self, option: Option, value: str) -> None:
        try:
            self._timeout = min(MAX_TIMEOUT_S, max(1, math.ceil(float(value))))
        except (ValueError, OverflowError):
            self._left.setdefault("limits", []).append(option.written)

    def _take_header(self, value: str) -> None:
        if value.startswith("@"):
            self._note("`-H @…` reads headers from a file, which a tool can't. Add them to the step.")
            return
        name, colon, text = value.partition(":")
        name = name.strip()
        if not colon and name.endswith(";"):
            name, colon = name[:-1], ":"
        elif colon and not text.strip():
            return  # `-H "Accept:"` keeps cURL from sending its own; a tool sends none of them
        if not colon or not HEADER_NAME.fullmatch(name):
            self._note("A header was left out: it has no name that a header can have, such as `Accept: text/plain`.")
        elif _LOST_BREAK.search(text):
            self._note(f"The header {name} was left out: there is a line break in its value.")
        else:
            self._headers.append((name, text.strip()))

    def _take_data(self, kind: str, value: str) -> None:
        encode = kind == "data-urlencode"
        is_file = value.startswith("@") or (encode and bool(re.match(r"[^=@]*@", value)))
        if kind != "data-raw" and is_file:
            if self._line.stdin is not None and value.endswith("@-"):
                value = self._line.stdin
                value = value if kind in {"data-binary", "json"} else re.sub(r"[\r\n]", "", value)
            else:
                self._note(f"`--{kind} @…` reads the body from a file, which a tool can't. Write it into the step.")
                self._flags.add("post")
                return
        if kind == "json":
            self._json.append(value)
        else:
            self._data.append(encoded(value) if encode else value)

    def _take_field(self, option: Option, value: str) -> None:
        self._flags.add("post")
        name, equals, text = value.partition("=")
        if not equals:
            self._note("A form's field was left out: it has no `=`.")
            return
        if option.name == "form" and text[:1] in {"@", "<"}:
            self._note(f"The form's field {name[:40]} sends a file, which a tool can't; it was left out.")
            return
        if option.name == "form":
            text = re.sub(r";(?:type|filename|encoder|headers)=[^;]*$", "", text)
            if len(text) > 1 and text[0] == text[-1] == '"':
                text = re.sub(r"\\(.)", r"\1", text[1:-1])
        self._form.append(f"{quoted(name)}={quoted(text)}")

    def _address(self) -> tuple[str, list[tuple[str, str]]]:
        urls = [url for url in self._urls if url]
        whole = [url for url in urls if _SCHEME.match(url) or MARK.match(url)]
        if not urls:
            raise UnusableError("The command names no address. Add one, such as `https://api.example.com/orders`.")
        url = (whole or urls)[0].strip()
        if len(urls) > 1:
            self._note(
                f"The command names {len(urls)} addresses; one was taken. Paste a command for each of the others."
            )
        if not _SCHEME.match(url) and not MARK.match(url):
            url = f"http://{url}"
            self._note("The address has no `https://` in front; `http://` was put there, as cURL does.")
        scheme = url.split("://", 1)[0].lower()
        if not MARK.match(url) and scheme not in {"http", "https"}:
            raise UnusableError(f"A tool sends to http and https addresses only, not to {scheme[:20]}.")
        if _GLOB.search(url) and not any("globoff" in names for names in self._left.values()):
            self._note("`[…]` or `{…}` in the address stands for several addresses in cURL; it was taken as it is.")
        url = url.split("#", 1)[0]
        base, _, asked = url.partition("?")
        base = self._without_user(base)
        self._keys = Keyring(_host(base))
        base = self._keys.path(_BAD_IN_URL.sub(lambda bad: quote(bad.group()), base))
        pieces = [piece for piece in asked.split("&") if piece] + self._query
        if "get" in self._flags:
            pieces += [piece for data in (*self._data, *self._json) for piece in data.split("&") if piece]
            self._data, self._json = [], []
        return self._split_query(base, pieces)

    def _without_user(self, base: str) -> str:
        head, slashes, rest = base.partition("://")
        authority, slash, path = rest.partition("/")
        user, at, host = authority.rpartition("@")
        if not slashes or not at:
            return base
        if self._user is None:
            self._user = unquote(user)
        return f"{head}://{host}{slash}{path}"

    def _split_query(self, base: str, pieces: list[str]) -> tuple[str, list[tuple[str, str]]]:
        query: list[tuple[str, str]] = []
        kept: list[str] = []
        for piece in pieces:
            key, equals, value = piece.partition("=")
            plain_key, plain = unquote_plus(key), unquote_plus(value)
            if not equals or "\ufffd" in plain_key + plain or MARK.search(key):
                kept.append(_BAD_IN_URL.sub(lambda bad: quote(bad.group()), piece))
            else:
                query.append((plain_key, self._keys.parameter(plain_key, plain)))
        return (f"{base}?{'&'.join(kept)}" if kept else base), query

    def _body(self) -> str | None:
        if sum(map(bool, (self._json, self._form, self._data))) > 1:
            self._note("cURL takes one of `-d`, `-F` and `--json`; look whether the body is what was meant.")
        if self._json:
            self._default_header("Content-Type", "application/json")
            self._default_header("Accept", "application/json")
            return "&".join(["".join(self._json), *self._form, *self._data])
        if self._form:
            if any(name.lower() == "content-type" for name, _ in self._headers):
                self._headers = [pair for pair in self._headers if pair[0].lower() != "content-type"]
            self._default_header("Content-Type", _FORM)
            self._note(
                "`-F` sends the fields as multipart/form-data; a tool sends them as a plain form "
                f"({_FORM}), which most servers take just as well."
            )
            return "&".join(self._form + self._data)
        if not self._data:
            return None
        body = "&".join(self._data)
        if not any(name.lower() == "content-type" for name, _ in self._headers):
            found_json = body.lstrip()[:1] in {"{", "["} and is_json(body)
            self._headers.append(("Content-Type", "application/json" if found_json else _FORM))
            if found_json:
                self._note("The body is JSON, so `Content-Type: application/json` was added.")
        return body

    def _default_header(self, name: str, value: str) -> None:
        if not any(given.lower() == name.lower() for given, _ in self._headers):
            self._headers.append((name, value))

    def _chosen_method(self, body: str | None) -> str:
        sends = body is not None or "post" in self._flags
        usual = "POST" if sends and "get" not in self._flags else "GET"
        if self._method is None and "head" in self._flags:
            self._note("`-I` asks for the headers alone (HEAD); a tool has no HEAD, so GET was put there.")
            return "GET"
        if self._method is None or self._method in _METHODS:
            return self._method or usual
        named = self._method[:20] if self._method.isalpha() and self._method.isascii() else "…"
        self._note(f"A tool sends GET, POST, PUT, DELETE or PATCH, not {named}; {usual} was put there.")
        return usual

    def _named_headers(self) -> dict[str, str]:
        found: dict[str, str] = {}
        names: dict[str, str] = {}
        own: list[str] = []
        browsers: list[str] = []
        for name, value in self._headers:
            folded = name.lower()
            if folded in FORBIDDEN_HEADERS or folded in {"host", "accept-encoding"}:
                own.append(name)
            elif _BROWSERS.fullmatch(name):
                browsers.append(name)
            elif folded in _CACHE_HEADERS:
                self._note(f"The header {name} was left out: it asks for nothing when there is nothing new.")
            elif folded in names:
                first = names[folded]
                found[first] += ("; " if folded == "cookie" else ", ") + value
                self._note(f"The header {first} stands there twice; a tool sends it once, with both values.")
            else:
                names[folded] = name
                found[name] = value
        if own:
            self._note(f"Left out, as the server sets them by itself: {_listed(own)}.")
        if browsers:
            self._note(f"Left out, as they only describe a browser: {_listed(browsers)}.")
        hidden = {name: self._keys.header(name, value) for name, value in found.items()}
        if self._user and "authorization" in names:
            self._note("`-u` was left out, since the command has a header Authorization too.")
        elif self._user:
            basic = self._keys.hide(self._user, "basic", "Authorization", "BASIC", whole=True)
            hidden["Authorization"] = f"Basic {basic}"
        return hidden

    def _without_secrets(self, body: str, kind: str) -> str:
        media_type = kind.split(";", 1)[0].strip()
        if media_type == _FORM:
            return self._keys.form(body)
        if is_json(body):
            return self._keys.json(body)
        if media_type.endswith("json"):
            self._note("The body is said to be JSON, but is none. Look at its quotes and commas.")
        if media_type.startswith("multipart/"):
            self._note("The body is multipart text. It is kept as it is; look whether a key or a password is in it.")
        return body

    def _tell(self) -> None:
        for reason, names in self._left.items():
            self._note(f"{_listed([f'`{name}`' for name in names])}: {LEFT_OUT[reason]}")
        if self._line.ended_by:
            self._note(
                f"What stands behind {_operator(self._line.ended_by)} is no part of the request and was left out."
            )
        if self._line.substituted:
            self._note("`$(…)` and backticks would run a command; here they stay text. Write the value instead.")


def _operator(sign: str) -> str:
    return sign if " " in sign else f"`{sign}`"


def _listed(names: list[str]) -> str:
    once = list(dict.fromkeys(names))
    return ", ".join(once[:20]) + (", …" if len(once) > 20 else "")


def _host(base: str) -> str:
    if MARK.search(base.split("/", 3)[2] if base.count("/") > 1 else base):
        return ""
    try:
        parts = urlsplit(base)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        host, port = "", None
    if not host:
        raise UnusableError("The address has no host that can be read. Look at what stands behind `://`.")
    return f"{host}:{port}" if port else host
