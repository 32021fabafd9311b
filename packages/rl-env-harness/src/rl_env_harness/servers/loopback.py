"""Keep requests to this machine out of the user's proxy."""

import os
from collections.abc import MutableMapping
from importlib.util import find_spec
from urllib.parse import urlsplit

HOSTS = ("localhost", "127.0.0.1", "::1", "0.0.0.0")
"""Names of a server on this machine."""
SPOKEN = ("http", "https", "socks5", "socks5h")
"""Proxy schemes that the clients of models and frameworks support; they fail on others."""
_left_out: dict[str, str] = {}


def spare(environment: MutableMapping[str, str] = os.environ) -> None:
    """Let clients reach this machine without the user's proxy. Nothing changes if no proxy is set.

    Clients read the environment when they are created, so call this before creating them. A proxy
    with an unsupported scheme is removed, because clients would fail even if they do not use it;
    see `unreachable`.
    """
    spare_hosts(environment)
    for name in _proxies(environment):
        if environment[name].startswith("socks://"):  # as desktops write it
            environment[name] = "socks5" + environment[name].removeprefix("socks")
        if why := _unusable(environment[name]):
            _left_out[name] = why
            del environment[name]


def spare_hosts(environment: MutableMapping[str, str]) -> None:
    """Add this machine to the hosts that bypass the proxy, if a proxy is set."""
    if not _proxies(environment):
        return
    # Programs differ in which of the two they read, so both get the same value.
    given = [environment.get("no_proxy", ""), environment.get("NO_PROXY", ""), *HOSTS]
    named = dict.fromkeys(host.strip() for host in ",".join(given).split(","))
    hosts = "*" if "*" in named else ",".join(filter(None, named))
    environment.update(no_proxy=hosts, NO_PROXY=hosts)


def unreachable(url: str) -> str:
    """If a remote server is unreachable because its proxy was removed, return the reason; otherwise ""."""
    parts = urlsplit(url)
    by_scheme = {f"{parts.scheme}_proxy", "all_proxy"}
    why = [f"{name} {why}" for name, why in _left_out.items() if name.lower() in by_scheme]
    if not why or parts.hostname in HOSTS:
        return ""
    return f"{url} is behind an unusable proxy: {'; '.join(why)}"


def _proxies(environment: MutableMapping[str, str]) -> list[str]:
    names = [name for name, value in environment.items() if value.strip()]
    return [n for n in names if n.lower().endswith("_proxy") and n.lower() != "no_proxy"]


def _unusable(proxy: str) -> str:
    """Return the reason why a proxy cannot be used, without the proxy's password, or "" if the proxy can be used."""
    try:
        parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        right = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        right = False
    if not right:
        return "is not an address: write http://HOST:PORT"
    if parts.scheme not in SPOKEN:
        return f"is a {parts.scheme} proxy: use one of {', '.join(SPOKEN)}"
    if parts.scheme.startswith("socks") and not find_spec("socksio"):
        return "is a socks proxy: install httpx[socks]"
    return ""
