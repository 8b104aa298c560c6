"""The connector beneath the door: resolves, checks and dials; checks again before a kept connection is used.

Source: security.md, "SSRF".
"""

import asyncio
import socket
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler
from aiohttp.client_reqrep import ClientRequest
from aiohttp.connector import Connection

from .egress import SANDBOX_HOST, EgressPolicy, normal_host, parse_ip
from .errors import EgressError

if TYPE_CHECKING:
    from aiohttp.client import ClientTimeout
    from aiohttp.tracing import Trace

_RESOLVER_THREADS = 64
KEEP_ALIVE_S = 4.0
"""Shorter than what servers usually keep an idle connection for (5 s and more), so that none is used as it closes."""

_kept: ContextVar[bool] = ContextVar("connection_was_kept", default=False)


class CheckedResolver(AbstractResolver):
    """Resolves through `socket.getaddrinfo`, in threads of its own, and lets only allowed addresses out."""

    def __init__(self, policy: Callable[[], EgressPolicy]) -> None:
        self._policy = policy
        self._threads: ThreadPoolExecutor | None = None

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Resolve a host; every address it stands for must be allowed.

        Raises:
            OSError: The name can't be resolved.
            EgressError: One of the addresses is not allowed.
        """
        policy = self._policy()
        name = normal_host(host)
        if name == SANDBOX_HOST:
            found = await self._look_up(*sandbox_address(policy), family)
        else:
            # A single label with a dot behind it (`localhost.`) is in no name server, but in many a hosts file without.
            found = await self._look_up(host if "." in name else name, port, family)
            for entry in found:
                check_address(policy, name, port, entry["host"])
        for entry in found:
            entry["hostname"] = host
        return found

    async def close(self) -> None:
        """End the threads; look-ups in progress end by themselves."""
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._threads = None

    async def _look_up(self, host: str, port: int, family: int) -> list[ResolveResult]:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(_RESOLVER_THREADS, thread_name_prefix="resolve")
        loop = asyncio.get_running_loop()
        infos = await loop.run_in_executor(self._threads, _getaddrinfo, host, port, family)
        found: list[ResolveResult] = []
        for kind, _, proto, _, address in infos:
            if kind not in (socket.AF_INET, socket.AF_INET6):
                continue
            text = str(address[0])
            if kind == socket.AF_INET6 and len(address) > 3 and address[3] and "%" not in text:
                text = f"{text}%{address[3]}"
            found.append(
                ResolveResult(
                    hostname=host,
                    host=text,
                    port=int(address[1]),
                    family=kind,
                    proto=proto,
                    flags=socket.AI_NUMERICHOST,
                )
            )
        if not found:
            raise OSError(f"no address for {host}")
        return found


class CheckedConnector(aiohttp.TCPConnector):
    """Hands out connections whose peer the policy of this moment allows."""

    def __init__(self, policy: Callable[[], EgressPolicy]) -> None:
        self._egress = policy
        self._checked_resolver = CheckedResolver(policy)
        self._used: weakref.WeakSet[ResponseHandler] = weakref.WeakSet()
        super().__init__(
            limit=0,
            use_dns_cache=False,
            resolver=self._checked_resolver,
            keepalive_timeout=KEEP_ALIVE_S,
            force_close=False,
        )

    async def connect(
        self,
        req: ClientRequest,
        traces: "list[Trace]",
        timeout: "ClientTimeout",  # noqa: ASYNC109 (aiohttp's signature)
    ) -> Connection:
        """Give a connection for a request, kept or new.

        Raises:
            EgressError: The address is not allowed.
        """
        host = normal_host(req.url.raw_host or "")
        port = req.port or 0
        if parse_ip(host) is not None:
            check_address(self._egress(), host, port, host)
        while True:
            connection = await super().connect(req, traces, timeout)
            protocol = connection.protocol
            reused = protocol in self._used
            _kept.set(reused)
            try:
                self._check_peer(host, port, connection)
            except EgressError:
                connection.close()
                if reused:
                    continue
                raise
            except BaseException:
                connection.close()
                raise
            if protocol is not None and not reused:
                self._used.add(protocol)
            return connection

    async def close(self, *, abort_ssl: bool = False) -> None:
        """Close all connections and the resolver."""
        await super().close(abort_ssl=abort_ssl)
        await self._checked_resolver.close()

    def _check_peer(self, host: str, port: int, connection: Connection) -> None:
        transport = connection.transport
        peer: Any = transport.get_extra_info("peername") if transport is not None else None
        policy = self._egress()
        if host == SANDBOX_HOST:
            address, wanted_port = sandbox_address(policy)
            ip = parse_ip(address)
            if peer is not None and (peer[1] != wanted_port or (ip is not None and parse_ip(str(peer[0])) != ip)):
                raise EgressError("The sandbox has moved to another address.")
        elif peer is not None:
            check_address(policy, host, port, str(peer[0]))


def connection_was_kept() -> bool:
    """Whether the connection that this task was given last had served an earlier request."""
    return _kept.get()


def check_address(policy: EgressPolicy, host: str, port: int, address: str) -> None:
    """Refuse an address that the policy doesn't open.

    Raises:
        EgressError: It is not allowed.
    """
    if not policy.permits(host, port, address):
        shown = f"`{host}`" if host == address else f"`{host}` ({address})"
        raise EgressError(
            f"The network policy does not allow requests to {shown}, a private or reserved address; nothing was sent. "
            "An admin can open it under Settings, Network."
        )


def sandbox_address(policy: EgressPolicy) -> tuple[str, int]:
    """Where the sandbox is.

    Raises:
        EgressError: There is none.
    """
    if policy.sandbox is None:
        raise EgressError("There is no sandbox here: the reserved name `sandbox` stands for nothing in this set-up.")
    return policy.sandbox


def _getaddrinfo(host: str, port: int, family: int) -> list[Any]:
    try:
        return socket.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM)
    except (UnicodeError, ValueError) as error:
        raise OSError(f"{host[:60]} is no name that can be resolved") from error
