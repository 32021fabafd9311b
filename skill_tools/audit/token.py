"""The token of an audited server, which is passed from an environment variable to the driver and never stored."""

from __future__ import annotations

import json
import os
import re
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from skill_tools.errors import SkillToolsError

VARIABLE = "SKILL_TOOLS_TOKEN"
"""The variable with the token; never an option, which `ps` and a shell's history would show."""
UNAUTHORIZED = 77
"""Exit code of a driver whose server answers 401; the drivers' own module `audit_token` uses it, too."""
SENDABLE = re.compile(r"[!#-\[\]-~]+")
"""Valid characters of a token: those that a header accepts and that JSON writes unchanged."""
SHORTEST = 8
"""Minimum length of a token that is hidden in the server's output; shorter ones occur in any text."""
HIDDEN = "[token]"
"""The replacement of a hidden token."""


def read_token() -> str:
    """Return the token, or "" if no token is set. Raise SkillToolsError if an HTTP header cannot carry the token."""
    token = os.environ.get(VARIABLE, "").strip()
    if token and not SENDABLE.fullmatch(token):
        raise SkillToolsError(
            f"{VARIABLE} has characters that a token cannot contain\n"
            "    fix: set it to what the server expects: visible ASCII, no space, quote or backslash"
        )
    return token


def token_variables(url: str | None) -> dict[str, str]:
    """Return the environment variables that pass the token to a driver, or {} if the target is not an address.

    The driver of a folder gets no token, because the folder's code would see the token.
    """
    token = read_token() if url else ""
    return {VARIABLE: token} if token else {}


def unauthorized(url: str) -> SkillToolsError:
    """Return the error for a server that rejected the token."""
    here = "has another value" if read_token() else "is not set"
    at = urlsplit(url)
    shown = urlunsplit(at._replace(netloc=at.netloc.rpartition("@")[2]))
    return SkillToolsError(
        f"the server at {shown} requires a token (401), and {VARIABLE} {here}\n"
        f"    fix: set {VARIABLE} to the server's token; it is sent as Authorization: Bearer, or "
        "as X-API-Key by the ORS client"
    )


def hide_token(text: str) -> str:
    """Remove the token from a text, because a server may echo the token."""
    token = read_token()
    return text.replace(token, HIDDEN) if len(token) >= SHORTEST else text


def hide_in_line(line: bytes) -> bytes:
    """Remove the token from the texts of a JSON line."""
    token = read_token()
    if len(token) < SHORTEST or token.encode() not in line:
        return line
    try:
        return json.dumps(_without(json.loads(line))).encode()
    except (ValueError, RecursionError):
        return b"null"


def _without(value: Any) -> Any:
    if isinstance(value, str):
        return hide_token(value)
    if isinstance(value, list):
        return [_without(each) for each in value]
    if isinstance(value, dict):
        return {hide_token(key): _without(each) for key, each in value.items()}
    return value
