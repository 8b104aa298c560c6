"""A small API of the server's own, so that a fresh install has something to call with no network and no key.

It is a plain ASGI application. The server carries it under `/sandbox/`; where there is no server (command line,
worker) `address` starts it inside the process, on loopback. Tools write `http://sandbox/…`.

    POST token                 client_id and client_secret as JSON or form -> a token
    GET  orders/{id}           an order; asks for `Authorization: Bearer <token>` only under `orders/secure/{id}`
    GET  items?page=N          three pages of items, and the number of the next
    GET  slow?seconds=N        answers after N seconds, at most 60
    GET  flaky                 503 and 200 in turn for each `key`
    GET  page.html             a page
    GET  config.yaml           YAML
    ANY  echo                  what was sent
    POST v1/chat/completions   an OpenAI-style completion by rule, streamed on request
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote

from toolkit_app.sandbox_model import completion_message

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

PREFIX = "/sandbox/"
MAX_BODY = 1024 * 1024
MAX_WAIT_S = 60.0
_ABOUT = (
    "A small API to try tools and graphs against, with no network and no key. "
    "Tools write http://sandbox/ before these paths."
)
_OFFERS = {
    "token": "POST client_id and client_secret, whatever they are, for a token",
    "orders/{id}": "An order, such as orders/1042; orders/secure/{id} asks for the token",
    "items?page=N": "Three pages of items, and the number of the next",
    "slow?seconds=N": "Answers after N seconds",
    "flaky": "Fails and works in turn",
    "page.html": "A web page",
    "config.yaml": "YAML",
    "echo": "What was sent",
    "v1/chat/completions": "Chat completions by rule, as from a model, streamed on request",
}
WORD_EVERY_S = 0.02
"""The completion streams a word about this often, in seconds."""
_TOKEN = "sandbox-token-" + hashlib.sha256(b"workbench sandbox").hexdigest()[:24]
_FLAKY_KEYS = 1000

_ITEMS = [
    {"id": number, "name": name, "price": price, "tags": tags}
    for number, (name, price, tags) in enumerate(
        [
            ("Desk lamp", 39.9, ["light", "office"]),
            ("Notebook", 4.5, ["paper"]),
            ("Chair", 129.0, ["office"]),
            ("Kettle", 24.9, ["kitchen"]),
            ("Mug", 7.9, ["kitchen"]),
            ("Backpack", 59.0, ["travel"]),
            ("Umbrella", 15.0, ["travel", "rain"]),
        ],
        start=1,
    )
]
_PAGE_ITEMS = 3

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head><title>Sandbox weather station</title></head>
<body>
<h1>Sandbox weather station</h1>
<p class="reading">Temperature: <b>21.5</b> °C</p>
<p class="reading">Wind: <b>12</b> km/h</p>
<p>Session id=4f2a9c0d1e</p>
</body>
</html>
"""
_YAML = """# Made by the sandbox
service: order-desk
region: eu-central
limits:
  requests_per_minute: 120
  burst: 20
contacts:
  - {name: Ada, role: owner}
  - {name: Lin, role: deputy}
"""
_STATUSES = ["packed", "shipped", "delivered", "returned"]


@dataclass(slots=True)
class _Request:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes

    def fields(self) -> dict[str, Any]:
        """Returns the body's fields, whether it is JSON or a form; nothing where it is neither."""
        try:
            data = json.loads(self.body or b"{}")
            return data if isinstance(data, dict) else {}
        except ValueError:
            return dict(parse_qsl(self.body.decode("utf-8", "replace")))


class Sandbox:
    """The ASGI application; each instance has a memory of its own for `flaky`."""

    def __init__(self) -> None:
        """Starts with nothing asked yet."""
        self._asked: OrderedDict[str, int] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            return
        body = b""
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            if len(body) > MAX_BODY:
                await _answer(send, 413, {"error": f"The sandbox reads at most {MAX_BODY} bytes."})
                return
            if not message.get("more_body"):
                break
        request = _Request(
            scope["method"],
            scope["path"].removeprefix(PREFIX) if scope["path"] != PREFIX.rstrip("/") else "",
            dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)),
            {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]},
            body,
        )
        gone = asyncio.ensure_future(_wait_gone(receive))
        work = asyncio.ensure_future(self._route(request, send))
        try:
            await asyncio.wait({gone, work}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                work.result()
        finally:
            gone.cancel()
            work.cancel()

    async def _route(self, request: _Request, send: Send) -> None:
        parts = request.path.strip("/").split("/")
        match parts:
            case ["token"]:
                await self._token(request, send)
            case ["orders", "secure", order_id] if request.headers.get("authorization") != f"Bearer {_TOKEN}":
                await _answer(send, 401, {"error": "Ask /sandbox/token for a token first.", "order": order_id})
            case ["orders", order_id] | ["orders", "secure", order_id]:
                await _order(unquote(order_id), send)
            case ["items"]:
                await _items(request, send)
            case ["slow"]:
                seconds = min(max(_number(request.query.get("seconds"), 1.0), 0.0), MAX_WAIT_S)
                await asyncio.sleep(seconds)
                await _answer(send, 200, {"waited": seconds})
            case ["flaky"]:
                await self._flaky(request, send)
            case ["page.html"]:
                await _answer_text(send, 200, _PAGE, "text/html; charset=utf-8")
            case ["config.yaml"]:
                await _answer_text(send, 200, _YAML, "application/yaml")
            case ["echo"]:
                await _echo(request, send)
            case ["v1", "chat", "completions"]:
                await _completion(request, send)
            case [""]:
                await _answer(send, 200, {"about": _ABOUT, "paths": _OFFERS})
            case _:
                await _answer(send, 404, {"error": f"The sandbox has no {request.path!r}.", "paths": list(_OFFERS)})

    async def _token(self, request: _Request, send: Send) -> None:
        if request.method != "POST":
            await _answer(send, 405, {"error": "Send POST with client_id and client_secret."})
            return
        fields = request.fields()
        if not fields.get("client_id") or not fields.get("client_secret"):
            await _answer(send, 401, {"error": "client_id and client_secret are needed; the sandbox takes any."})
            return
        await _answer(send, 200, {"access_token": _TOKEN, "token_type": "Bearer", "expires_in": 3600})

    async def _flaky(self, request: _Request, send: Send) -> None:
        key = request.query.get("key", "")
        count = self._asked.pop(key, 0) + 1
        self._asked[key] = count
        while len(self._asked) > _FLAKY_KEYS:
            self._asked.popitem(last=False)
        if count % 2:
            await _answer(send, 503, {"error": "The flaky source is down; ask again.", "attempt": count})
        else:
            await _answer(send, 200, {"price": 42.5, "source": "flaky", "attempt": count})


async def _wait_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _order(order_id: str, send: Send) -> None:
    if not order_id.isalnum() or len(order_id) > 20:
        await _answer(send, 404, {"error": f"There is no order {order_id[:40]}."})
        return
    number = int(hashlib.sha256(order_id.encode()).hexdigest()[:8], 16)
    if order_id.isdigit():
        number = int(order_id)
    await _answer(
        send,
        200,
        {
            "data": {
                "id": order_id,
                "status": _STATUSES[number % len(_STATUSES)],
                "amount": round(number % 400 + 19.9, 2),
                "currency": "EUR",
                "customer": {"name": "Ada Example", "email": "ada@example.com"},
            }
        },
    )


async def _items(request: _Request, send: Send) -> None:
    number = max(1, int(min(_number(request.query.get("page"), 1), 1000)))
    rows = _ITEMS[(number - 1) * _PAGE_ITEMS : number * _PAGE_ITEMS]
    following = number + 1 if number * _PAGE_ITEMS < len(_ITEMS) else None
    await _answer(send, 200, {"page": number, "next_page": following, "total": len(_ITEMS), "items": rows})


async def _echo(request: _Request, send: Send) -> None:
    text = request.body.decode("utf-8", "replace")
    try:
        data = json.loads(text) if text else None
    except ValueError:
        data = None
    await _answer(
        send,
        200,
        {
            "method": request.method,
            "query": request.query,
            "headers": request.headers,
            "body": text,
            "json": data,
        },
    )


async def _completion(request: _Request, send: Send) -> None:
    fields = request.fields()
    messages = fields.get("messages")
    if request.method != "POST" or not isinstance(messages, list) or not messages:
        await _answer(send, 400, {"error": {"message": "Send POST with messages.", "type": "invalid_request_error"}})
        return
    message = completion_message(fields)
    text = message["content"] or ""
    usage = {"prompt_tokens": sum(len(str(m).split()) for m in messages), "completion_tokens": len(text.split())}
    usage["total_tokens"] = usage["prompt_tokens"] + usage["completion_tokens"]
    reason = "tool_calls" if message.get("tool_calls") else "stop"
    base = {"id": "chatcmpl-sandbox", "created": int(time.time()), "model": str(fields.get("model") or "sandbox")}
    if not fields.get("stream"):
        choice = {"index": 0, "message": message, "finish_reason": reason}
        await _answer(send, 200, {**base, "object": "chat.completion", "choices": [choice], "usage": usage})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
    base["object"] = "chat.completion.chunk"
    role: dict[str, Any] = {"role": "assistant"}
    for index, word in enumerate(text.split(" ") if text else ()):
        delta = {**role, "content": word if index == 0 else " " + word}
        role = {}
        await _send_chunk(send, {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        await asyncio.sleep(WORD_EVERY_S)
    last = {"tool_calls": [{"index": i, **call} for i, call in enumerate(message.get("tool_calls") or [])]}
    delta = {**role, **last} if message.get("tool_calls") else {}
    final = {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}], "usage": usage}
    await _send_chunk(send, final)
    await send({"type": "http.response.body", "body": b"data: [DONE]\n\n", "more_body": False})


async def _send_chunk(send: Send, data: dict[str, Any]) -> None:
    body = b"data: " + json.dumps(data, ensure_ascii=False).encode() + b"\n\n"
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _answer(send: Send, status: int, data: dict[str, Any]) -> None:
    await _answer_text(send, status, json.dumps(data, ensure_ascii=False), "application/json")


async def _answer_text(send: Send, status: int, text: str, content_type: str) -> None:
    body = text.encode("utf-8", "replace")
    headers = [
        (b"content-type", content_type.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"content-security-policy", b"default-src 'none'; sandbox"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _number(text: str | None, default: float) -> float:
    try:
        number = float(text or default)
    except ValueError:
        return default
    return number if math.isfinite(number) else default


_lock = threading.Lock()
_address: tuple[str, int] | None = None


def announce(host: str, port: int) -> None:
    """Says where the server that carries the sandbox listens; called by `serve`."""
    global _address  # noqa: PLW0603 - one server a process
    with _lock:
        _address = (host, port)


def address() -> tuple[str, int]:
    """Returns host and port of the sandbox; without a server it is started in a thread of this process."""
    global _address  # noqa: PLW0603 - one server a process
    with _lock:
        if _address is None:
            _address = _start()
        return _address


def _start() -> tuple[str, int]:
    import uvicorn

    listening = socket.create_server(("127.0.0.1", 0))
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    config = uvicorn.Config(Sandbox(), lifespan="off", log_level="error", access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(
        target=lambda: asyncio.run(server.serve(sockets=[listening])), name="sandbox", daemon=True
    )
    thread.start()
    return "127.0.0.1", listening.getsockname()[1]
