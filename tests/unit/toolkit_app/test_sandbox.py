"""The sandbox's own API, as its documentation says."""

from __future__ import annotations

import json

import httpx
import pytest

from toolkit_app.sandbox import Sandbox


@pytest.fixture
def http() -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(Sandbox()), base_url="http://sandbox/sandbox/")


async def test_token_then_order(http: httpx.AsyncClient) -> None:
    assert (await http.get("orders/secure/7")).status_code == 401
    assert (await http.post("token", json={})).status_code == 401
    assert (await http.get("token")).status_code == 405
    token = (await http.post("token", data={"client_id": "a", "client_secret": "b"})).json()["access_token"]
    order = (await http.get("orders/secure/7", headers={"Authorization": f"Bearer {token}"})).json()["data"]
    assert order == (await http.get("orders/7")).json()["data"]
    assert order["id"] == "7"
    assert (await http.get("orders/..%2F..")).status_code == 404


async def test_items_page(http: httpx.AsyncClient) -> None:
    page, seen = 1, []
    while page:
        answer = (await http.get("items", params={"page": page})).json()
        seen += [item["id"] for item in answer["items"]]
        page = answer["next_page"]
    assert seen == list(range(1, answer["total"] + 1))
    assert (await http.get("items", params={"page": "nan"})).status_code == 200


async def test_flaky_fails_and_works_in_turn(http: httpx.AsyncClient) -> None:
    statuses = [(await http.get("flaky", params={"key": "a"})).status_code for _ in range(4)]
    assert statuses == [503, 200, 503, 200]
    assert (await http.get("flaky", params={"key": "b"})).status_code == 503


async def test_texts(http: httpx.AsyncClient) -> None:
    assert "text/html" in (await http.get("page.html")).headers["content-type"]
    assert "owner" in (await http.get("config.yaml")).text
    echo = (await http.put("echo", params={"q": "1"}, json={"a": "ü"})).json()
    assert (echo["method"], echo["query"], echo["json"]) == ("PUT", {"q": "1"}, {"a": "ü"})
    assert (await http.get("slow", params={"seconds": "0"})).json() == {"waited": 0.0}
    assert "paths" in (await http.get("nothing")).json()
    for address in ("http://sandbox/sandbox/", "http://sandbox/sandbox"):
        root = await http.get(address)
        assert root.status_code == 200
        assert "orders/{id}" in root.json()["paths"]
    assert (await http.post("echo", content=b"x" * 2_000_000)).status_code == 413


async def test_completion(http: httpx.AsyncClient) -> None:
    asked = {"model": "m", "messages": [{"role": "user", "content": "hello"}]}
    whole = (await http.post("v1/chat/completions", json=asked)).json()
    text = whole["choices"][0]["message"]["content"]
    assert "rule" in text
    assert "hello" in text
    streamed = (await http.post("v1/chat/completions", json={**asked, "stream": True})).text
    lines = [line.removeprefix("data: ") for line in streamed.split("\n\n") if line]
    assert lines.pop() == "[DONE]"
    chunks = [json.loads(line) for line in lines]
    assert "".join(chunk["choices"][0]["delta"].get("content", "") for chunk in chunks) == text
    assert chunks[-1]["usage"]["total_tokens"] > 0
    assert (await http.post("v1/chat/completions", json={"messages": 1})).status_code == 400
