"""The whole job, as somebody does it who never programmed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Errors, sign_in
from tests.support.server import PASSWORD, Server


def test_from_the_link_to_a_tool_that_runs(
    own: Server, browser: Browser, browser_context_args: dict[str, Any], errors: Errors
) -> None:
    context = browser.new_context(**browser_context_args, base_url=own.url)
    page = context.new_page()
    errors.watch(page)

    page.goto(f"/set-up?token={own.set_up_token}")
    page.get_by_label("User name").fill("ada")
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_label("Repeat the password").fill(PASSWORD)
    page.get_by_role("button", name="Set up and sign in").click()
    expect(page.get_by_role("heading", name="Tools")).to_be_visible()

    page.get_by_role("button", name="New tool").click()
    dialog = page.get_by_role("dialog", name="New tool")
    dialog.get_by_label("Name").fill("my_order")
    dialog.get_by_label("Description").fill("Says where an order is")
    dialog.get_by_role("button", name="Create").click()
    expect(page).to_have_url(re.compile("/tools/my_order"))

    code = page.locator(".cm-content").first
    expect(code).to_contain_text("my_order")
    write(page, "name: my_order\ndesc: Says where an order is\nsteps:\n  - urll: http://sandbox/orders/7")
    problems = page.get_by_role("region", name="Problems")
    expect(problems.get_by_role("button", name=re.compile("urll is not known here"))).to_be_visible()

    write(
        page,
        "name: my_order\ndesc: Says where an order is\nsteps:\n  - url: http://sandbox/orders/7\n"
        "    var:\n      - {name: status, extract: data.status}\n    result: It is ${step0:status}",
    )
    expect(page.get_by_text("No problems")).to_be_visible()
    expect(page.get_by_text(re.compile("^Saved"))).to_be_visible(timeout=15_000)

    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("Finished").first).to_be_visible(timeout=15_000)
    expect(page.get_by_text("It is returned").first).to_be_visible()
    expect(page.get_by_text("returned").first).to_be_visible()

    page.reload()
    expect(page.locator(".cm-content").first).to_contain_text("extract: data.status")
    context.close()


def write(page: Page, text: str) -> None:
    """Replaces the YAML, as by pasting."""
    code = page.locator(".cm-content").first
    code.click()
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.setData('text/plain', text);
            const code = document.querySelector('.cm-content');
            code.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
        }""",
        text,
    )


def test_the_form_changes_only_its_own_lines(ada: Page, server: Server) -> None:
    text = "# mine\nname: by_form   # keep\ndesc: 'quoted'\nsteps:\n  - url: http://sandbox/orders/1\n    timeout: 9\n"
    created = ada.request.post(f"{server.url}/api/v1/tools/", data={"yaml": text}, headers={"X-CSRFToken": csrf(ada)})
    assert created.ok, created.text()
    ada.goto("/tools/by_form")
    field = ada.get_by_label("Description").first
    expect(field).to_have_value("quoted")
    field.fill("quoted, and changed")
    expect(ada.locator(".cm-content").first).to_contain_text("and changed")
    ada.wait_for_function("() => document.body.innerText.includes('Saved')")
    expect(ada.get_by_text(re.compile("^Saved"))).to_be_visible(timeout=15_000)
    stored = ""
    for _ in range(100):
        stored = ada.request.get(f"{server.url}/api/v1/tools/by_form/").json()["yaml"]
        if "changed" in stored:
            break
        ada.wait_for_timeout(100)
    lines, before = stored.split("\n"), text.split("\n")
    assert [line for line in lines if "desc" not in line] == [line for line in before if "desc" not in line]


def csrf(page: Page) -> str:
    """Returns the token that changes need."""
    return next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "csrftoken")


def test_two_people_save_and_neither_text_is_lost(
    server: Server, browser: Browser, browser_context_args: dict[str, Any], errors: Errors
) -> None:
    first, second = (browser.new_context(**browser_context_args, base_url=server.url) for _ in range(2))
    for context in (first, second):
        sign_in(context, server)
    one, two = first.new_page(), second.new_page()
    for page in (one, two):
        errors.watch(page)
    text = "name: shared\ndesc: start\nsteps:\n  - url: http://sandbox/orders/1\n    timeout: 30\n"
    made = first.request.post(f"{server.url}/api/v1/tools/", data={"yaml": text}, headers={"X-CSRFToken": csrf(one)})
    assert made.ok
    for page in (one, two):
        page.goto("/tools/shared")
        expect(page.get_by_label("Description").first).to_have_value("start")
    one.get_by_label("Description").first.fill("one")
    for _ in range(100):
        if first.request.get(f"{server.url}/api/v1/tools/shared/").json()["revision"] == 2:
            break
        one.wait_for_timeout(100)
    write(two, text.replace("30", "7"))
    expect(two.get_by_text(re.compile("Not saved", re.IGNORECASE)).first).to_be_visible(timeout=15_000)
    expect(two.get_by_text(re.compile("timeout: 7")).first).to_be_visible()
    expect(two.get_by_text(re.compile("desc: one")).first).to_be_visible()
    first.close()
    second.close()


PAGES = [
    "/tools",
    "/tools/order_status",
    "/graphs",
    "/graphs/order_desk",
    "/questions",
    "/runs",
    "/environments",
    "/people",
    "/audit",
    "/settings",
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 1024])
def test_no_page_has_a_serious_finding(
    server: Server,
    browser: Browser,
    browser_context_args: dict[str, Any],
    errors: Errors,
    width: int,
    scheme: Any,
) -> None:
    options = {**browser_context_args, "viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    context = browser.new_context(**options, base_url=server.url)
    sign_in(context, server)
    page = context.new_page()
    errors.watch(page)
    for address in PAGES:
        page.goto(address)
        expect(page.get_by_role("main")).to_be_visible()
        page.wait_for_load_state("networkidle")
        found = Axe().run(page).response["violations"]
        serious = [one for one in found if one["impact"] in ("serious", "critical")]
        assert not serious, (address, [(one["id"], one["nodes"][0]["html"][:200]) for one in serious])
        sideways = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert sideways <= 0, address
    context.close()


def test_chinese_throughout(server: Server, browser: Browser, browser_context_args: dict[str, Any]) -> None:
    context = browser.new_context(**{**browser_context_args, "locale": "zh-CN"}, base_url=server.url)
    sign_in(context, server)
    page = context.new_page()
    page.goto("/tools")
    expect(page.get_by_role("heading", name="工具")).to_be_visible()

    # What the server says, it says in English; the page says it in Chinese: a problem, a failed run, a refusal.
    token = {"X-CSRFToken": csrf(page)}
    text = "name: in_chinese\ndesc: d\nsteps:\n  - url: http://10.0.0.1/\n"
    assert page.request.post(f"{server.url}/api/v1/tools/", data={"yaml": text}, headers=token).ok
    done = page.request.post(f"{server.url}/api/v1/tools/in_chinese/run/?wait=true", data={}, headers=token)
    page.goto(f"/runs/{done.json()['run']}")
    expect(page.get_by_role("alert")).to_contain_text("网络策略不允许请求 10.0.0.1")
    faulty = {"yaml": text.replace("url", "ulr"), "base_revision": 1}
    assert page.request.put(f"{server.url}/api/v1/tools/in_chinese/", data=faulty, headers=token).ok
    page.goto("/tools/in_chinese")
    expect(page.get_by_text("此处没有字段 ulr。您是指 url 吗？").first).to_be_visible()
    context.clear_cookies()
    page.goto("/sign-in")
    page.get_by_label("用户名").fill("nobody")
    page.get_by_label("密码", exact=True).fill("wrong")
    page.get_by_role("button", name="登录").click()
    expect(page.get_by_role("alert")).to_have_text("用户名与密码不匹配。")
    context.close()


PAYLOADS = [
    "<script>window.hit=1</script>",
    "<img src=x onerror=window.hit=1>",
    "<svg onload=window.hit=1>",
    "javascript:window.hit=1",
    "\"><iframe srcdoc='<script>parent.hit=1</script>'>",
    "{{constructor.constructor('window.hit=1')()}}",
]


def test_nothing_that_a_server_said_is_run(ada: Page, server: Server) -> None:
    text = (
        "name: hostile\ndesc: '<img src=x onerror=window.hit=1>'\n"
        "params: [{name: text, type: string, required: true, description: '<script>window.hit=1</script>'}]\n"
        "steps:\n  - url: http://sandbox/echo\n    method: POST\n    body: '${param:text}'\n"
        "    var: [{name: back, extract: body}]\n    result: '${step0:back}'\n"
    )
    made = ada.request.post(f"{server.url}/api/v1/tools/", data={"yaml": text}, headers={"X-CSRFToken": csrf(ada)})
    assert made.ok, made.text()
    for payload in PAYLOADS:
        done = ada.request.post(
            f"{server.url}/api/v1/tools/hostile/run/?wait=true",
            data={"params": {"text": payload}},
            headers={"X-CSRFToken": csrf(ada)},
        )
        for address in (f"/runs/{done.json()['run']}", "/tools/hostile", "/tools", "/runs"):
            ada.goto(address)
            expect(ada.get_by_role("main")).to_be_visible()
            assert ada.evaluate("window.hit") is None, (address, payload)


def test_a_value_that_is_not_found_is_told_in_the_language_of_the_page(ada: Page, server: Server) -> None:
    text = (
        "name: no_token\ndesc: Wants what isn't there\nsteps:\n  - url: http://sandbox/orders/1\n"
        "    var: [{name: token, extract: nowhere, abort: true}]\n"
    )
    token = {"X-CSRFToken": csrf(ada)}
    assert ada.request.post(f"{server.url}/api/v1/tools/", data={"yaml": text}, headers=token).ok
    done = ada.request.post(f"{server.url}/api/v1/tools/no_token/run/?wait=true", data={}, headers=token)
    ada.goto(f"/runs/{done.json()['run']}")
    expect(ada.get_by_text("Nothing was found for token").first).to_be_visible()
    ada.goto("/runs")
    expect(ada.get_by_text("Nothing was found for token").first).to_be_visible()
