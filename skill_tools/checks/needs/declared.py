"""The parts of the declaration that checks need."""

from __future__ import annotations

from collections.abc import Callable

from skill_tools.checks.needs.need import Declared, Need, Seen_co
from skill_tools.evidence.declaration import Declaration


def _declared(
    name: str, what: str, get: Callable[[Declaration], Seen_co | None], reason: str
) -> Declared[Seen_co]:
    return Declared(name, what, lambda evidence: get(evidence.declaration), reason)


TOOLS = _declared("tools", "declared tools", lambda said: said.tools, "no tools are declared")

PROMPT = _declared("prompt", "a declared prompt", lambda said: said.prompt, "no prompt is declared")

REWARD_RANGE = _declared(
    "reward_range",
    "a declared range of returns",
    lambda said: said.reward_range,
    "no range of returns is declared",
)

REWARD_TIMING = _declared(
    "reward_timing",
    "a declared reward timing",
    lambda said: said.reward_timing,
    "the reward timing is not declared (reward.timing)",
)

BY_TASK = Need(
    "by_task",
    "a declaration that the maximum differs by task",
    lambda evidence: evidence.declaration.best == "by_task",
    "the maximum is not declared to differ by task (reward.best: by_task)",
)

NO_LUCK = Need(
    "no_luck",
    "no declaration that luck decides",
    lambda evidence: evidence.declaration.best != "luck",
    "luck may win a single episode in this world: REW028 compares means over many deals instead",
)

MAX_TURNS = _declared(
    "max_turns", "a declared turn limit", lambda said: said.max_turns, "no turn limit is declared"
)

HIDDEN = _declared(
    "hidden",
    "a declaration of which task fields are hidden",
    lambda said: said.hidden,
    "env.yaml does not declare which task fields are hidden",
)

EXAMPLES = _declared(
    "examples",
    "an env.yaml, because only env.yaml can declare worked examples",
    lambda said: said.examples,
    "without env.yaml there are no worked examples",
)

SAID = _declared(
    "said",
    "worked examples that name the sentences they show",
    lambda said: said.said,
    "no example names the sentence it shows",
)

SEED_USED = _declared(
    "seed_used",
    "a declaration of whether the seed is used",
    lambda said: said.seed_used,
    "env.yaml does not declare whether the seed is used",
)

USED_SEED = Need(
    "used_seed",
    "no declaration that the seed is unused",
    lambda evidence: evidence.declaration.seed_used is not False,
    "env.yaml declares the seed unused",
)

UNUSED_SEED = Need(
    "unused_seed",
    "no declaration that the seed is used",
    lambda evidence: evidence.declaration.seed_used is not True,
    "env.yaml declares the seed used",
)

PAID_AT_THE_END = Need(
    "paid_at_the_end",
    "no declaration that reward may come at any step",
    lambda evidence: evidence.declaration.reward_timing != "per_step",
    "reward.timing allows reward at any step",
)
