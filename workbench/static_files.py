"""Serves the pages' files."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise, which would stream files by a synchronous iterator; an ASGI server can't do that without a detour.

    The built files are small, so each is answered in one piece.
    """

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        """Answers with a file, a part of it, or that it hasn't changed."""
        found = static_file.get_response(request.method, request.META)
        content = b""
        if found.file is not None:
            with found.file:
                content = found.file.read()
        response = HttpResponse(content, status=int(found.status))
        del response["Content-Type"]  # the file's own, where it has one, is among its headers
        for name, value in found.headers:
            response[name] = value
        return response
