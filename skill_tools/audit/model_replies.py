"""A real model's replies to the questions of a foreign environment, for its grader to score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from skill_tools.audit.real_models import Conversation, RealModel
from skill_tools.errors import SkillToolsError

SAMPLES = 8
"""Replies to each question, as in a training group."""
TASKS = 10
"""Number of questions: enough to tell whether most are too easy."""
AT_ONCE = 8
"""Concurrent requests to a server."""


def ask_for_replies(
    model: RealModel, prompts: Mapping[str, Sequence[Mapping[str, Any]]]
) -> dict[str, list[str]]:
    """Return several replies to each prompt, by label, without the failed ones.

    Raises SkillToolsError if all failed.
    """
    talk = Conversation(model)
    asked = [(label, number) for number in range(SAMPLES) for label in prompts]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        told = list(pool.map(lambda each: talk.ask(prompts[each[0]], each[1]), asked))
    found: dict[str, list[str]] = {}
    for (label, _), (status, text) in zip(asked, told, strict=True):
        if status == 200:
            found.setdefault(label, []).append(text)
    if asked and not found:
        status, text = told[0]
        raise SkillToolsError(
            f"{model.model} at {model.url} answers {status}: {text[:200]}\n"
            f"    fix: check that it runs, and that its key is in {model.variable}"
        )
    return found
