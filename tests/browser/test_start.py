"""Pages whose parts don't come."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import sign_in
from tests.support.server import Server

WORDS = re.compile(r"/assets/(en|zh)-[^/]*\.js")


def test_pages_whose_words_do_not_come_say_so_and_start_when_asked_again(ada: Page, server: Server) -> None:
    ada.route(WORDS, lambda route: route.abort())
    ada.goto("/graphs")
    alert = ada.get_by_role("alert")
    expect(alert).to_contain_text("could not be loaded")
    ada.unroute(WORDS)
    alert.get_by_role("button", name="Try again").click()
    expect(ada.get_by_role("heading", name="Graphs")).to_be_visible()


def test_a_page_that_does_not_come_says_so(
    server: Server, browser: Browser, browser_context_args: dict[str, Any]
) -> None:
    # The browser itself complains about what it didn't get: that is no fault of the page.
    context = browser.new_context(**browser_context_args, base_url=server.url)
    sign_in(context, server)
    page = context.new_page()
    page.goto("/graphs")
    expect(page.get_by_role("heading", name="Graphs")).to_be_visible()
    parts = re.compile(r"/assets/SettingsPage-")
    page.route(parts, lambda route: route.abort())
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("main")).to_contain_text("A part of the page could not be loaded")
    page.unroute(parts)
    page.get_by_role("button", name="Load again").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    context.close()
