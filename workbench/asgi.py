"""The ASGI application: pages and API, websockets, and the sandbox."""

from __future__ import annotations

import os
from typing import Any

from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workbench.settings")
_django = get_asgi_application()

from graph_app.routing import websocket_urlpatterns  # noqa: E402 - models can be imported only now
from toolkit_app.sandbox import PREFIX, Sandbox  # noqa: E402
from workbench.bodies import BoundedBodies  # noqa: E402
from workbench.sockets import SocketAccess  # noqa: E402

_sandbox = Sandbox()
_sockets = SocketAccess(URLRouter(websocket_urlpatterns))
_bounded = BoundedBodies(_django, settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


async def _http(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if f"{scope['path']}/".startswith(PREFIX):  # also its root without the slash
        await _sandbox(scope, receive, send)
    else:
        await _bounded(scope, receive, send)


async def _websocket(scope: dict[str, Any], receive: Any, send: Any) -> None:
    try:
        await _sockets(scope, receive, send)
    except ValueError:  # no route: close, as an unknown address does
        await receive()
        await send({"type": "websocket.close", "code": 4404})


application = ProtocolTypeRouter({"http": _http, "websocket": _websocket})
