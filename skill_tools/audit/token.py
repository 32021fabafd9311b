"""The token of a server that is audited: from one variable to its driver, and into nothing that is kept."""

from __future__ import annotations

import json
import os
import re
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from skill_tools.errors import SkillToolsError

VARIABLE = "SKILL_TOOLS_TOKEN"
"""The variable that has it; never an option, which `ps` and a shell's history would tell."""
UNAUTHORIZED = 77
"""Exit code of a driver whose server answers 401; the drivers' own module `audit_token` has it, too."""
SENDABLE = re.compile(r"[!#-\[\]-~]+")
"""Characters of a token: those that a header takes and that JSON writes as they are."""
SHORTEST = 8
"""Characters of a token that is taken out of what the server says: a shorter one stands in any text."""
HIDDEN = "[token]"
"""What is in its place."""


def read_token() -> str:
    """The token, or "" where none is set. Raises SkillToolsError for what no header takes."""
    token = os.environ.get(VARIABLE, "").strip()
    if token and not SENDABLE.fullmatch(token):
        raise SkillToolsError(
            f"{VARIABLE} has characters that a token cannot contain\n"
            "    fix: set it to what the server expects: visible ASCII, no space, quote or backslash"
        )
    return token


def token_variables(url: str | None) -> dict[str, str]:
    """What who plays at an address gets to know; nothing for a folder, whose code would run with it."""
    token = read_token() if url else ""
    return {VARIABLE: token} if token else {}


def unauthorized(url: str) -> SkillToolsError:
    """The error for a server that would not let us in."""
    here = "has another value" if read_token() else "is not set"
    at = urlsplit(url)
    shown = urlunsplit(at._replace(netloc=at.netloc.rpartition("@")[2]))
    return SkillToolsError(
        f"the server at {shown} requires a token (401), and {VARIABLE} {here}\n"
        f"    fix: set {VARIABLE} to the server's token; it is sent as Authorization: Bearer, or as "
        "X-API-Key by the client of ORS"
    )


def hide_token(text: str) -> str:
    """A text without the token: a server may say what it was sent."""
    token = read_token()
    return text.replace(token, HIDDEN) if len(token) >= SHORTEST else text


def hide_in_line(line: bytes) -> bytes:
    """A line of JSON whose texts are without the token."""
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
