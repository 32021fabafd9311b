"""The token of a server at an address: how it is sent there, and whether that server wants another.

Run in the venv of a framework: the standard library alone.
"""

from __future__ import annotations

import os

TOKEN = os.environ.pop("SKILL_TOOLS_TOKEN", "")
"""What the server wants, or "". Taken out of the environment, so that nothing else here finds or tells it."""
UNAUTHORIZED = 77
"""Exit code of a driver that the server would not let in; see `play.audits.token`."""
DEEPEST = 8
"""Causes of an error that are looked at: clients wrap them once or twice."""


def bearer() -> dict[str, str]:
    """The header that lets us in; none without a token."""
    return {"Authorization": f"Bearer {TOKEN}"} if TOKEN else {}


def is_unauthorized(error: BaseException | None) -> bool:
    """Whether an error, or one that caused it, is the status 401, whatever client says so."""
    for _ in range(DEEPEST):
        if error is None:
            return False
        answer = getattr(error, "response", None)
        said = [
            getattr(each, name, None)
            for each in (error, answer)
            for name in ("status", "status_code")
        ]
        # OpenReward's has no status.
        if 401 in said or type(error).__name__ == "AuthenticationError":
            return True
        error = error.__cause__ or error.__context__
    return False
