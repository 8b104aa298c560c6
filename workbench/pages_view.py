"""Serves the one HTML document of the pages, with the nonce of the request's content security policy."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import ensure_csrf_cookie

_NONCE = "__CSP_NONCE__"
_NOT_BUILT = (
    "<!DOCTYPE html><html lang=en><title>Workbench</title><p>The pages are not built. "
    "Run <code>make install</code> and start the server again."
)


@ensure_csrf_cookie
def pages(request: HttpRequest, **_: str) -> HttpResponse:
    """Answers every address of a page; which page it is, the browser decides."""
    path = Path(settings.PAGES) / "index.html"
    if not path.exists():
        return HttpResponse(_NOT_BUILT, status=503)
    html = _read(path, path.stat().st_mtime_ns).replace(_NONCE, str(request.csp_nonce))  # type: ignore[attr-defined]
    response = HttpResponse(html)
    response["Cache-Control"] = "no-cache"
    return response


@lru_cache(maxsize=2)
def _read(path: Path, _changed: int) -> str:
    return path.read_text(encoding="utf-8")
