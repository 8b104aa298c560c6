"""Puts a step's request together: templates expanded by position.

Source: contract, "Values in templates"; specification, "steps".
"""

import re
from urllib.parse import quote

from multidict import CIMultiDict

from .definition import Step
from .errors import RequestError
from .expand import Scope, expand_form, expand_json, expand_text, expand_url
from .results import SentRequest

_LONE = re.compile("[\ud800-\udfff]")
_FORM = "application/x-www-form-urlencoded"


def expand_request(step: Step, scope: Scope) -> SentRequest:
    """Expand the URL, query, headers and body of a step.

    Raises:
        RequestError: A value can't stand where it was put.
        ConfigError: A template is malformed.
    """
    try:
        url = _with_query(expand_url(step.url, scope), step, scope)
        headers: CIMultiDict[str] = CIMultiDict()
        for name, value in step.headers.items():
            headers[name] = expand_text(value, scope)
        body = None
        if step.body is not None:
            body = _expand_body(step.body, headers.get("Content-Type", ""), scope)
    except UnicodeEncodeError:
        raise RequestError(
            "A value holds half a character (a lone surrogate), which can't stand in a URL or form; nothing was sent."
        ) from None
    return SentRequest(step.method, url, headers, body)


def encode_body(body: str | None) -> bytes | None:
    """The bytes of an expanded body.

    Raises:
        RequestError: It holds a lone surrogate.
    """
    if body is None:
        return None
    try:
        return body.encode()
    except UnicodeEncodeError:
        raise RequestError("The body holds half a character (a lone surrogate); nothing was sent.") from None


def _expand_body(text: str, content_type: str, scope: Scope) -> str:
    media_type = content_type.split(";", 1)[0].strip().lower()
    if media_type == "application/json" or media_type.endswith("+json") or media_type == "text/json":
        body = expand_json(text, scope)
        if body.isascii():
            return body
        return _LONE.sub(lambda match: f"\\u{ord(match.group()):04x}", body)
    if media_type == _FORM:
        return expand_form(text, scope)
    return expand_text(text, scope)


def _with_query(url: str, step: Step, scope: Scope) -> str:
    if not step.query:
        return url
    items = [f"{quote(item.key, safe='')}={quote(expand_text(item.value, scope), safe='')}" for item in step.query]
    url = url.split("#", 1)[0]
    joint = "?" if "?" not in url else "" if url[-1] in "?&" else "&"
    return f"{url}{joint}{'&'.join(items)}"
