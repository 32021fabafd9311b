"""Questions to a judge about labeled replies, and functions that choose the judge, its model and its price."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import Any

from rl_env_harness.records import role_costs

from skill_tools.errors import DomainError, SkillToolsError, nearest
from skill_tools.pipeline.studies.gold import GoldReply
from skill_tools.reference.process import Query, ask, time_limit
from skill_tools.reference.replies import Judgement
from skill_tools.spec.model import EnvSpec

APART = 0.5
"""Minimum difference of the gold scores of two replies that are compared."""
MOST_PAIRS = 20
"""Maximum pairs to compare."""


def choose_judge(spec: EnvSpec, role: str | None) -> str:
    """Return the judge to measure, by default the only judge. Raises SkillToolsError for an unsuitable judge."""
    judges = [name for name, each in spec.models.items() if each.purpose == "judge"]
    if role is None and len(judges) != 1:
        fix = f"name one with --role: {', '.join(judges)}" if judges else "declare one under models"
        raise SkillToolsError(f"{spec.name} declares {len(judges)} judges\n    fix: {fix}")
    chosen = role or judges[0]
    if chosen not in judges:
        raise SkillToolsError(f"there is no judge {role!r}{nearest(chosen, judges)}")
    if not (spec.models[chosen].rubric or spec.one_message):
        raise SkillToolsError(
            f"the judge {chosen} has no rubric, and an episode of {spec.name} is more than one message\n"
            f"    fix: write a rubric under models.{chosen}, and ask with rate()"
        )
    return chosen


def endpoint_of(
    spec: EnvSpec, role: str, model: str | None, base_url: str | None
) -> dict[str, str]:
    """Return the variables that name the judge's model; empty for a stand-in. The variables may hold keys."""
    settings = ("MODEL", "BASE_URL", "API_KEY")
    names = [f"{spec.name}_{who}_{each}".upper() for who in (role, "roles") for each in settings]
    found = {name: os.environ[name] for name in names if os.environ.get(name, "").strip()}
    if model:
        found |= {names[0]: model, f"{spec.name}_REPLIES".upper(): ""}
    if not any(name.endswith("_MODEL") for name in found):
        if base_url:
            raise SkillToolsError("--base-url needs --model\n    fix: name the model with --model")
        return {}
    return found | ({names[1]: base_url} if base_url else {})


def price_of(spec: EnvSpec, role: str) -> tuple[float, float] | None:
    """Return the price in dollars of a million input and output tokens; None if no variable states the price."""
    try:
        return role_costs.price(spec.name, role)
    except ValueError as error:
        raise SkillToolsError(str(error).replace("; ", "\n    fix: ")) from error


def pairs_of(
    spec: EnvSpec, role: str, replies: Sequence[GoldReply]
) -> list[tuple[GoldReply, GoldReply]]:
    """Return pairs of replies, with the clearly better reply first; no reply is in two pairs."""
    if not (rubric := spec.models[role].rubric):
        return []
    alike: dict[str, list[GoldReply]] = defaultdict(list)
    for each in replies:
        task = each.line.task if isinstance(rubric.criteria, str) else ""
        alike[f"{task} {each.line.prompt}"].append(each)
    found = list[tuple[GoldReply, GoldReply]]()
    for several in alike.values():
        ranked = sorted(several, key=lambda each: each.score)
        half = len(ranked) // 2
        found += zip(ranked[: -half - 1 : -1], ranked[:half], strict=True)
    return [(one, two) for one, two in found if one.score - two.score >= APART][:MOST_PAIRS]


def to_rate(spec: EnvSpec, role: str, each: GoldReply, times: int = 1) -> dict[str, Any]:
    """Return the question that asks a judge to rate a reply, with the reply's text repeated ``times`` times.

    If the judge has no rubric, the reply is played as an episode.
    """
    text = "\n\n".join([each.line.reply] * times)
    if not spec.models[role].rubric:
        return {**each.line.place, "play": text}
    given = {"prompt": each.line.prompt, "reference": each.line.reference}
    return {**each.line.place, "rate": {"reply": text, **given}}


def to_compare(better: GoldReply, worse: GoldReply) -> dict[str, Any]:
    """Return the question that asks a judge which of two replies is better."""
    replies = {"first": better.line.reply, "second": worse.line.reply}
    return {**better.line.place, "compare": {**replies, "prompt": better.line.prompt}}


def ask_judge(
    spec: EnvSpec,
    folder: Path,
    role: str,
    questions: list[dict[str, Any]],
    endpoint: Mapping[str, str],
) -> list[Judgement]:
    """Ask a judge, in the process of the author's code, and return the judgments. The author's stand-in may answer.

    Scores are from 0 to 1. No returned text contains a key.
    """
    rule = spec.models[role]
    requests = 2 * rule.rubric.votes if rule.rubric else rule.max_requests
    longest = requests * (1 + rule.retries) * rule.seconds if endpoint else 0.0
    low, high = (0.0, 1.0) if rule.rubric else spec.reward.range
    arguments = {"role": role, "questions": questions}
    share = 1 + ceil(longest / time_limit())
    query = Query("ask_judge", f"asking the judge {role}", arguments, share)
    try:
        (reply,) = ask(spec, folder, [query], endpoint=endpoint)
        if reply.error:
            raise DomainError(f"{query.what} failed: {reply.error}")
    except DomainError as error:
        raise DomainError(_without_keys(str(error), endpoint)) from None
    return [
        each.model_copy(
            update={
                "failure": _without_keys(each.failure, endpoint),
                "score": None if each.score is None else (each.score - low) / (high - low),
            }
        )
        for each in reply.value
    ]


def _without_keys(text: str, endpoint: Mapping[str, str]) -> str:
    for name, value in endpoint.items():
        text = text.replace(value.strip(), f"${name}") if name.endswith("_API_KEY") else text
    return text
