"""A signed-in page in headless Chromium on a server of its own, for benchmarks of what people see."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import FLAGS, sign_in
from tests.support.server import Server


class Signed:
    """A page, and the API as the same person."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page = page
        self._url = f"{server.url}/api/v1/"
        self._token = next(one["value"] for one in page.context.cookies() if one["name"] == "csrftoken")

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Posts JSON and returns the answer's."""
        return self._send("POST", path, body)

    def patch(self, path: str, body: dict[str, Any]) -> Any:
        """Patches with JSON and returns the answer's."""
        return self._send("PATCH", path, body)

    def _send(self, method: str, path: str, body: dict[str, Any]) -> Any:
        headers = {"X-CSRFToken": self._token, "Content-Type": "application/json"}
        answer = self.page.request.fetch(self._url + path, method=method, data=json.dumps(body), headers=headers)
        assert answer.ok, answer.text()
        return answer.json()

    def get(self, path: str) -> Any:
        """Returns what the API says."""
        return self.page.request.get(self._url + path).json()


@contextlib.contextmanager
def signed_in() -> Iterator[Signed]:
    """Starts a server and a browser, both thrown away afterwards."""
    chromium = shutil.which("chromium")
    assert chromium, "Chromium is not installed"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder) / "data").start()
        try:
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            context = browser.new_context(base_url=server.url, viewport={"width": 1440, "height": 900})
            sign_in(context, server)
            yield Signed(context.new_page(), server)
        finally:
            server.kill()


def report(rows: list[tuple[str, float, str, float]]) -> None:
    """Prints each figure against its limit, or beside its peer where the word is "peer"."""
    for what, value, word, limit in rows:
        print(f"{what:56} {value:9.2f}   {word}" + (f" {limit:.2f}" if word.startswith("at ") else ""))
