"""A model that reads a brief and sees no other part of the environment."""

from __future__ import annotations

import asyncio
import logging

from skill_tools.errors import SkillToolsError
from skill_tools.rollouts.server_check import server_at

SECONDS = 900.0
"""Maximum seconds for the reply, which contains dozens of examples that a reasoning model works out first."""


def ask_reader(brief: str, model: str, base_url: str, max_tokens: int | None = None) -> str:
    """Return a model's reply to a brief. ROLLOUT_API_KEY holds the key for the OpenAI-compatible address.

    Raises SkillToolsError if the address is invalid or the reply is missing or incomplete.
    """
    # Imported here because the client takes most of a second, and other commands do not need it.
    from rl_env_harness.models.conversation import Conversation
    from rl_env_harness.models.model_server import ContextFull, ServerFailed

    asked = server_at(model, base_url, {"max_tokens": max_tokens} if max_tokens else {})
    asked.tell = logging.getLogger("skill_tools").warning  # a program may read standard output

    async def ask() -> tuple[str, bool]:
        async with asyncio.timeout(SECONDS):
            talk = Conversation([{"role": "user", "content": brief}])
            reply = await asked.ask(talk, [], "brief")
            return reply.text, reply.cut

    try:
        said, cut = asyncio.run(ask())
    except ContextFull as error:
        raise SkillToolsError(
            f"the brief does not fit into the context of {model}: {error}\n    fix: use --num-tasks 2 or another model"
        ) from error
    except ServerFailed as error:
        raise SkillToolsError(
            f"{model} did not reply: {error}\n    fix: skill-tools doctor DIR --base-url URL --model NAME"
        ) from error
    except TimeoutError as error:
        raise SkillToolsError(
            f"{model} did not reply within {SECONDS:g} s\n    fix: use --num-tasks 2 or a faster model"
        ) from error
    if cut:
        raise SkillToolsError(
            f"the reply from {model} was cut off after {len(said):,} characters\n    fix: raise --max-tokens"
        )
    return said
