"""Requests to a model server, with one attempt each."""

import asyncio
import functools
import ipaddress
import os
import ssl
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

import httpx

CONNECT = 30.0
"""Maximum seconds to connect. Waiting for an answer is limited only by the episode's own time limit."""


class Refused(RuntimeError):
    """Raised when the server answers with an error status. `text` and `headers` belong to the answer."""

    def __init__(self, status: int, reason: str, text: str, headers: Mapping[str, str]) -> None:
        super().__init__(f"{status} {reason}: {text[:300]}")
        self.status, self.text, self.headers = status, text, headers


class Unreached(RuntimeError):
    """Raised when no connection could be made, or the answer was not complete."""

    def __init__(self, error: Exception) -> None:
        super().__init__(": ".join(filter(None, (type(error).__name__, str(error)))))


def key_in(variable: str) -> str:
    """Return the API key in an environment variable, or "".

    If an HTTP header cannot hold the key, raises ValueError without showing the key.
    """
    key = os.environ.get(variable, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise ValueError(
            f"{variable} holds a line break, or a character that no key has; set it again"
        )
    return key


async def exchange(
    method: str,
    url: str,
    key: str,
    *,
    headers: Mapping[str, str] = MappingProxyType({}),
    body: Any = None,
    seconds: float | None = None,
) -> str:
    """Send a request with a JSON body. Raises Refused if the answer is an error, Unreached if there is no answer."""
    direct = on_loopback(url)
    idle = _idle(direct, asyncio.get_running_loop())
    one = idle.pop() if idle else client(direct)
    headers = {"Authorization": f"Bearer {key}", **headers}
    timeout = seconds or httpx.USE_CLIENT_DEFAULT
    request = one.build_request(method, url, json=body, headers=headers, timeout=timeout)
    try:
        answer = await one.send(request)
    except Exception as error:  # errors of a socks proxy are not httpx's
        raise Unreached(error) from error
    idle.append(one)
    if not answer.is_success:
        raise Refused(answer.status_code, answer.reason_phrase, answer.text, answer.headers)
    return answer.text


def client(direct: bool) -> httpx.AsyncClient:
    """Return an HTTP client: without proxies if ``direct``, otherwise with the environment's proxies."""
    return httpx.AsyncClient(
        trust_env=not direct,
        verify=_certificates(),
        timeout=httpx.Timeout(None, connect=CONNECT),
        follow_redirects=True,
    )


def on_loopback(url: str) -> bool:
    """Return whether an address is on this machine. No proxy applies to such an address."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@functools.cache
def _idle(direct: bool, loop: asyncio.AbstractEventLoop) -> list[httpx.AsyncClient]:
    """Return idle clients for reuse.

    Each client handles one request at a time, because httpx scans all connections for each request.
    """
    return []


@functools.cache
def _certificates() -> ssl.SSLContext:
    """Return Mozilla's certificates and the certificates of this machine, such as a company's.

    The result is cached, because reading certificates is slow.
    """
    found = httpx.create_ssl_context()
    found.load_default_certs()
    return found
