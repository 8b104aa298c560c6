"""`manage.py serve`: brings the database up to date, loads the demo, and serves pages, API, sockets and runs."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import ctypes
import errno
import gc
import os
import socket
import sys
from pathlib import Path
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from toolkit_app.locks import one_at_a_time
from workbench.variables import describe_variables

_LAST_PORT = 65535
_STALLED_MS = 45_000
"""How long a peer may take nothing; longer than sockets wait for it themselves."""
_SWITCH_EVERY_S = 0.0001
"""Less than a turn of a busy event loop."""
_M_MMAP_THRESHOLD = -3
"""Of malloc.h."""


class Command(BaseCommand):
    """Serves Workbench."""

    help = "Serves Workbench: pages, API, sockets and runs, in one process."

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(
            prog_name,
            subcommand,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            epilog="variables of the process:\n" + describe_variables(),
            **kwargs,
        )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=settings.PORT, help="TCP port; 0 takes a free one")
        parser.add_argument("--host", default=settings.HOST, help="address to listen on")

    def handle(self, *, host: str, port: int, **_: Any) -> None:
        listening = _listen(host, port)
        port = listening.getsockname()[1]
        try:
            with one_at_a_time(Path(settings.DATA) / ".start.lock"):
                call_command("migrate", verbosity=0, interactive=False)
        except DatabaseError as error:
            where = (
                "Check DATABASE_URL, and that the server runs." if "DATABASE_URL" in os.environ else "Check the file."
            )
            raise CommandError(f"The database can't be used: {error}. {where}") from error

        from graph_app.demo import load_demo as load_demo_graphs
        from toolkit_app import demo
        from toolkit_app.sandbox import announce
        from workbench.accounts import first_admin_link

        announce("127.0.0.1" if host in ("0.0.0.0", "localhost") else host, port)  # noqa: S104 - compared, not bound
        demo.load_demo()
        load_demo_graphs()
        if settings.TOOLS_FOLDER is not None:
            for warning in demo.load_tools_folder(settings.TOOLS_FOLDER):
                self.stderr.write(f"Warning: {warning}")
        address = f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}"  # noqa: S104 - compared, not bound
        token = first_admin_link()
        if token:
            self.stdout.write(f"Workbench: open {address}/set-up?token={token} to make the first admin (works once)")
        else:
            self.stdout.write(f"Workbench: {address}/")
        self.stdout.flush()
        _return_large_memory()
        _share_the_interpreter()
        asyncio.run(_serve(listening))


def _return_large_memory() -> None:
    """Lets glibc return large answers to the system when they go; else it keeps them, in pieces that fit nothing."""
    with contextlib.suppress(OSError, AttributeError):  # another C library does well without
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, 1024 * 1024)


def _share_the_interpreter() -> None:
    """Lets requests go on beside a run that loops without waiting.

    A busy event loop gives up the interpreter's lock for a moment at each turn and takes it again before a thread that
    waits is awake; only after `switchinterval` without that is it made to hand it over.
    """
    sys.setswitchinterval(_SWITCH_EVERY_S)
    gc.collect()
    gc.freeze()  # what was loaded stays; looking through it again and again holds everybody up for 0.1 s


async def _serve(listening: socket.socket) -> None:
    from graph_app.runs.host import host
    from workbench.asgi import application

    config = uvicorn.Config(
        application,
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=3,
        ws_max_size=1024 * 1024,
        # Without a proxy in front anybody could name an address of their own choice, and so never be locked out.
        proxy_headers=settings.HTTPS,
    )
    server = uvicorn.Server(config)
    await host.attach()
    try:
        await server.serve(sockets=[listening])
    finally:
        await host.aclose()


def _listen(host: str, port: int) -> socket.socket:
    if not 0 <= port <= _LAST_PORT:
        raise CommandError(f"{port} is no port: ports are numbers from 0 to {_LAST_PORT}.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=512)
        # Accepted connections inherit it; asyncio sets it only on sockets that name their protocol.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # A reader that takes nothing is cut off by the system: a closing socket would wait for it for ever.
        with contextlib.suppress(AttributeError):  # Linux alone has it
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _STALLED_MS)
    except OSError as error:
        hint = "Set WORKBENCH_HOST to an address of this machine, such as 127.0.0.1."
        if error.errno == errno.EADDRINUSE:
            hint = "Another program uses it: stop that one, or set PORT to another number."
        elif error.errno in (errno.EACCES, errno.EPERM):
            hint = "This user may not open it: set PORT to a number above 1023."
        raise CommandError(f"Port {port} on {host} can't be used ({error.strerror}). {hint}") from error
    return listening
