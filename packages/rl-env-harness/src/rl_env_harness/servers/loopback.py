"""Keeps what stays on this machine out of the user's proxy."""

import os
from collections.abc import MutableMapping
from importlib.util import find_spec
from urllib.parse import urlsplit

HOSTS = ("localhost", "127.0.0.1", "::1", "0.0.0.0")
"""The names by which a server on this machine is called."""
SPOKEN = ("http", "https", "socks5", "socks5h")
"""Kinds of proxy that the clients of models and frameworks speak; one of another kind ends them."""
_left_out: dict[str, str] = {}


def spare(environment: MutableMapping[str, str] = os.environ) -> None:
    """Have clients reach this machine directly; where there is no proxy, nothing is changed.

    Clients read the environment when they are made, so this comes before them. A proxy that none of
    them speaks is taken out, as they would fail on it even where it is not asked; see `unreachable`.
    """
    spare_hosts(environment)
    for name in _proxies(environment):
        if environment[name].startswith("socks://"):  # as desktops write it
            environment[name] = "socks5" + environment[name].removeprefix("socks")
        if why := _unusable(environment[name]):
            _left_out[name] = why
            del environment[name]


def spare_hosts(environment: MutableMapping[str, str]) -> None:
    """Name this machine among what no proxy is asked for."""
    if not _proxies(environment):
        return
    # Programs differ in which of the two they read, so both say the same.
    given = [environment.get("no_proxy", ""), environment.get("NO_PROXY", ""), *HOSTS]
    named = dict.fromkeys(host.strip() for host in ",".join(given).split(","))
    hosts = "*" if "*" in named else ",".join(filter(None, named))
    environment.update(no_proxy=hosts, NO_PROXY=hosts)


def unreachable(url: str) -> str:
    """Why a server elsewhere must not be asked: its proxy is one that was left out; otherwise nothing."""
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
    """Why a proxy cannot be used; its password is not told."""
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
