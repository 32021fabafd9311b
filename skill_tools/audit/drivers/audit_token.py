"""The token for a server: how to send the token, and whether the server rejected the token.

Runs in the venv of a framework: standard library only.
"""

from __future__ import annotations

import os

TOKEN = os.environ.pop("SKILL_TOOLS_TOKEN", "")
"""The server's token, or "". It is removed from the environment, so that nothing else here can find or print it."""
UNAUTHORIZED = 77
"""Exit code of a driver that the server rejected; see `play.audits.token`."""
DEEPEST = 8
"""Maximum number of an error's causes to examine: clients wrap them once or twice."""


def bearer() -> dict[str, str]:
    """Return the authorization header, or an empty dict if there is no token."""
    return {"Authorization": f"Bearer {TOKEN}"} if TOKEN else {}


def is_unauthorized(error: BaseException | None) -> bool:
    """Return whether an error of any client library, or one of the error's causes, is an HTTP 401."""
    for _ in range(DEEPEST):
        if error is None:
            return False
        answer = getattr(error, "response", None)
        said = [
            getattr(each, name, None)
            for each in (error, answer)
            for name in ("status", "status_code")
        ]
        # OpenReward's error has no status.
        if 401 in said or type(error).__name__ == "AuthenticationError":
            return True
        error = error.__cause__ or error.__context__
    return False
