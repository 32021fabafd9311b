"""A form and a cookie that give a person's browser access to a server that requires a token.

The token is in no address, because servers log addresses. It is in no cookie, because a browser sends a
cookie to every port of a machine.
"""

from __future__ import annotations

import hashlib
import hmac
import html
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qs

from .. import env_spec

FORM = b"application/x-www-form-urlencoded"
LONGEST = 4096
"""Maximum bytes of a form: a token has fewer."""
COOKIE = f"{env_spec.NAME}_page"
HEADERS = [
    (b"content-type", b"text/html; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
    (
        b"content-security-policy",
        b"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    ),
]
"""Headers of the page: no scripts, no storage, and no other site may embed it."""
Headers = Iterable[tuple[bytes, bytes]]


class SignIn:
    """The sign-in form and the cookie for one server token."""

    def __init__(self, token: str, token_name: str) -> None:
        self._token, self._name = token.encode(), token_name
        self._value = hmac.new(self._token, COOKIE.encode(), hashlib.sha256).hexdigest().encode()

    def admits(self, scope: Any) -> bool:
        """Return whether a request has the cookie and does not come from another origin's page.

        The result is always False for a WebSocket.
        """
        headers = scope["headers"]
        site = dict(headers).get(b"sec-fetch-site", b"none")
        if scope["type"] != "http" or site not in (b"none", b"same-origin"):
            return False
        parts = (part for name, value in headers if name == b"cookie" for part in value.split(b";"))
        return any(
            hmac.compare_digest(value, self._value)
            for name, _, value in (part.strip().partition(b"=") for part in parts)
            if name == COOKIE.encode()
        )

    @staticmethod
    def is_for(scope: Any) -> bool:
        """Return whether the request is from a browser: a request for a page, or a submission of the form."""
        if scope["type"] != "http":
            return False
        sent = dict(scope["headers"])
        if scope["method"] == "POST":
            return bool(sent.get(b"content-type", b"").startswith(FORM))
        return scope["method"] == "GET" and b"text/html" in sent.get(b"accept", b"")

    async def answer(self, scope: Any, receive: Any, send: Any) -> None:
        """Show the sign-in form. If the form has the correct token, set the cookie and show the page."""
        why = ""
        if scope["method"] == "POST":
            if hmac.compare_digest(await _sent_token(receive), self._token):
                return await _say(send, 303, b"", self._welcome(scope))
            why = "This is another token."
        page = PAGE.format(title=html.escape(env_spec.TITLE), name=html.escape(self._name), why=why)
        return await _say(send, 401, page.encode(), HEADERS)

    def _welcome(self, scope: Any) -> Headers:
        secure = b"; Secure" if scope.get("scheme") == "https" else b""
        cookie = COOKIE.encode() + b"=" + self._value
        # "?" is the same path, whatever precedes it: an address in the request decides nothing.
        return [
            (b"location", b"?"),
            (b"set-cookie", cookie + b"; Path=/; HttpOnly; SameSite=Strict" + secure),
            (b"cache-control", b"no-store"),
        ]


async def _sent_token(receive: Any) -> bytes:
    """Return the token in a submitted form, or empty bytes if the form is too long."""
    read = b""
    while (message := await receive())["type"] == "http.request":
        read += message.get("body", b"")
        if len(read) > LONGEST:
            return b""
        if not message.get("more_body"):
            break
    fields = parse_qs(read.decode("ascii", "replace"))
    return fields.get("token", [""])[0].strip().encode("utf-8", "replace")


async def _say(send: Any, status: int, body: bytes, headers: Headers) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<style>body {{ font: 17px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 15vh auto; padding: 0 1rem }}
input, button {{ font: inherit; padding: .4rem .7rem }} strong {{ color: #b42318 }}</style></head>
<body><h1>{title}</h1>
<p>This server wants a token. Whoever runs it has it: it is what <code>{name}</code> was set to there.</p>
<form method="post"><label>Token <input name="token" type="password" required autofocus
autocomplete="current-password"></label> <button>Enter</button></form>
<p><strong role="alert">{why}</strong></p></body></html>
"""
