"""The strictest model server: what any real one refuses is refused of every request that our tests send.

``refusals`` is for ``PolicyEndpoint.refusals``; ``conftest.py`` sets it for all tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skill_tools.policies.loopback import HttpRequest
from skill_tools.policies.requests import ServerQuirks, Wrong
from tests.strict import chat, messages, responses


def refusals(
    request: HttpRequest, body: Mapping[str, Any], quirks: ServerQuirks
) -> Sequence[Wrong]:
    """Everything for which some real server refuses a request; empty if all take it."""
    if request.path == "/v1/messages":
        return messages.problems(body, request.headers)
    return {"/v1/chat/completions": chat, "/v1/responses": responses}[request.path].problems(
        body, quirks
    )
