"""The browser: Debian's Chromium, a real server, people who signed in."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from tests.support.server import PASSWORD, ROOT, Server

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without Chromium or built pages these tests are left out; under CI that is a failure."""
    here = [item for item in items if item.path.is_relative_to(Path(__file__).parent)]
    built = (ROOT / "workbench" / "pages" / "index.html").exists()
    if (CHROMIUM and built) or os.environ.get("CI"):
        return
    reason = "Chromium is not installed" if built else "the pages are not built"
    for item in here:
        item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    assert CHROMIUM, "Chromium is not installed (apt-get install chromium)"
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": FLAGS}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "locale": "en-US", "viewport": {"width": 1440, "height": 900}}


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    """A fresh install."""
    server = Server(tmp_path / "data").start()
    yield server
    server.kill()


class Errors(list[str]):
    """What the browser complained about."""

    def watch(self, page: Page) -> None:
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.append(str(error)))

    def _heard(self, message: ConsoleMessage) -> None:
        expected = "Failed to load resource" in message.text or "WebSocket connection" in message.text
        if message.type == "error" and not expected:
            self.append(message.text)


@pytest.fixture
def errors() -> Iterator[Errors]:
    """Fails the test when a page wrote an error to the console; the policy's refusals are errors too."""
    found = Errors()
    yield found
    assert not found


@pytest.fixture
def ada(server: Server, browser: Browser, browser_context_args: dict[str, Any], errors: Errors) -> Iterator[Page]:
    """A page of the admin of the shared server."""
    context = browser.new_context(**browser_context_args, base_url=server.url)
    sign_in(context, server)
    page = context.new_page()
    errors.watch(page)
    yield page
    context.close()


def sign_in(context: BrowserContext, server: Server, username: str = "ada") -> None:
    """Signs in as the page does, without the page."""
    if username == "ada" and server.set_up_token:
        server.first_admin()
        server.set_up_token = None
    answer = context.request.post(f"{server.url}/api/v1/session/", data={"username": username, "password": PASSWORD})
    assert answer.ok, answer.text()
