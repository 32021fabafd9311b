"""Tests of the ids that a server gives to its cookie sessions."""

from __future__ import annotations

from typing import Any

from stand_in._shared.servers.session_ids import SessionIds


async def never(*_: Any) -> None:
    """Fail, because ids are set before anything is received or sent."""
    raise AssertionError


async def pass_on(scope: dict[str, Any]) -> dict[str, Any]:
    """Return the scope that the wrapped app receives."""
    seen: dict[str, Any] = {}

    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        seen.update(scope)

    await SessionIds(app, "session_id")(scope, never, never)
    return seen


class Written(dict[str, str]):
    """A session that records whether it was modified, as Starlette's session does."""

    modified = False

    def __setitem__(self, key: str, value: str) -> None:
        self.modified = True
        super().__setitem__(key, value)


async def test_a_session_without_an_id_gets_one_of_its_own() -> None:
    first = await pass_on({"type": "http", "session": Written()})
    second = await pass_on({"type": "http", "session": Written()})
    assert len({first["session"]["session_id"], second["session"]["session_id"]}) == 2


async def test_a_session_keeps_its_id_and_its_cookie_is_sent_again() -> None:
    known = Written(session_id="known")
    seen = await pass_on({"type": "http", "session": known})
    assert (seen["session"]["session_id"], known.modified) == ("known", True)


async def test_what_is_no_request_passes_as_it_is() -> None:
    assert await pass_on({"type": "lifespan"}) == {"type": "lifespan"}
