"""What can go wrong beneath the door, in plain words."""

import asyncio
import ssl

import aiohttp

from .errors import RequestError, RunError
from .urls import Target


def translated(error: Exception, target: Target) -> RunError:
    """Turn a failure of a request into a RunError that says what happened and what to do.

    Everything is translated, also what aiohttp lets escape from its own tree of errors: nothing a server sends may
    raise.
    """
    if isinstance(error, RunError):
        return error
    return RequestError(f"{_told(error, f'{target.host}:{target.port}')}")


def _told(error: Exception, where: str) -> str:
    if isinstance(error, (aiohttp.ClientConnectorCertificateError, ssl.SSLCertVerificationError)):
        return f"The certificate of {where} can't be trusted, so nothing was sent ({_cause(error)})."
    if isinstance(error, (aiohttp.ClientSSLError, ssl.SSLError)):
        return f"No secure connection to {where} could be made ({_cause(error)}). Is it https at all?"
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return f"The name in {where} could not be resolved. Check how the host is spelled."
    if isinstance(error, aiohttp.ClientConnectorError):
        return f"No connection to {where} could be made ({_cause(error)}). Is the server running there?"
    if isinstance(error, asyncio.TimeoutError):
        return f"{where} did not answer in time."
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return f"{where} closed the connection without an answer."
    if isinstance(error, aiohttp.ClientPayloadError):
        return f"The answer of {where} broke off in the middle."
    if isinstance(error, aiohttp.ClientResponseError):
        return f"The answer of {where} is not readable as HTTP ({error.message[:160]})."
    if isinstance(error, (aiohttp.ClientConnectionError, OSError)):
        return f"The connection to {where} broke ({_cause(error)})."
    return f"The request to {where} failed ({type(error).__name__}: {str(error)[:160]})."


def _cause(error: BaseException) -> str:
    inner = getattr(error, "os_error", None) or getattr(error, "certificate_error", None) or error
    told = getattr(inner, "verify_message", None) or getattr(inner, "strerror", None) or str(inner)
    return str(told)[:160]
