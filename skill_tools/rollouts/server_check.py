"""Check a model server before an episode is played."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from skill_tools.errors import SkillToolsError
from skill_tools.frameworks import rules
from skill_tools.reference.replay import play_calls
from skill_tools.runtime.doctor import Row

if TYPE_CHECKING:
    from rl_env_harness.models.model_server import Model

APIS = ("chat", "responses")


def examine_server(
    folder: Path, model: str, base_url: str, *, api: str = "chat", max_tokens: int | None = None
) -> list[Row]:
    """Check, among other things, that a server replies, accepts the tools and has a long enough context.

    The request has the environment's tools and the opening of its first task on the bare domain. The key is in
    ROLLOUT_API_KEY. Raises SkillToolsError for an invalid address or API, and DomainError if the author's code
    raises or never ends.
    """
    from rl_env_harness.models import preflight

    asked = server_at(model, base_url, {"max_tokens": max_tokens} if max_tokens else {}, api=api)
    spec = rules.load(folder)
    opened = play_calls(spec, folder, (), index=0, split=None, seed=None)
    turns = spec.episode.max_turns
    tools = opened.tools if spec.offer else spec.tool_schemas()
    found = asyncio.run(preflight.examine(asked, opened.prompt, tools, turns))
    return [Row(each.what, each.ok, each.seen) for each in found]


def refuse_unreachable(model: str, base_url: str) -> None:
    """Raise SkillToolsError if the model's server is not reachable, before hundreds of episodes fail."""
    from rl_env_harness.models import connections

    asked = server_at(model, base_url, {})

    async def reach() -> None:
        with suppress(connections.Refused):  # any answer shows that it is reachable
            await connections.exchange(
                "GET", f"{asked.url.rstrip('/')}/models", asked.key, seconds=30
            )

    try:
        asyncio.run(reach())
    except connections.Unreached as error:
        raise SkillToolsError(
            f"no model server can be reached at {base_url}: {error}\n"
            "    fix: start it, or name another one with --base-url"
        ) from error


def server_at(model: str, base_url: str, sampling: dict[str, Any], *, api: str = "chat") -> Model:
    """Return a model at an address, with the key from ROLLOUT_API_KEY and with ``sampling`` as request fields.

    Raises SkillToolsError for an invalid address, API or key.
    """
    # Imported here because the client takes most of a second, and other commands do not need it.
    from rl_env_harness.models.connections import key_in
    from rl_env_harness.models.model_server import Model, Options

    if urlsplit(base_url).scheme not in ("http", "https"):
        raise SkillToolsError(
            f"--base-url is {base_url!r}\n    fix: write it as http://127.0.0.1:8000/v1"
        )
    if api not in APIS:
        raise SkillToolsError(f"--api is {api!r}\n    fix: write {' or '.join(APIS)}")
    try:
        key = key_in("ROLLOUT_API_KEY") or "none"
    except ValueError as error:
        raise SkillToolsError(str(error)) from error
    return Model(model, base_url, key, Options(api=api, sampling=sampling))
