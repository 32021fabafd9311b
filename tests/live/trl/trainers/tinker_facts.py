"""Plays the counter by the Tinker cookbook's own group rollouts and the page's `counter_tinker.py`.

usage: python tinker_facts.py; prints facts
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

import counter_tinker
from bytes_tokenizer import EPISODES, Scripted, byte_tokenizer, in_words, why
from tinker_cookbook.completers import TokenCompleter, TokensWithLogprobs
from tinker_cookbook.renderers import get_renderer
from tinker_cookbook.rl.data_processing import assemble_training_data, compute_advantages
from tinker_cookbook.rl.rollout_strategy import FailFast, MinViableGroup
from tinker_cookbook.rl.rollouts import do_group_rollout

TOKENIZER = byte_tokenizer()


class Policy(TokenCompleter):
    """Says the messages of one episode to all worlds, or of several, to one world each."""

    def __init__(self, *episodes: list[str]) -> None:
        self.scripted = [Scripted(TOKENIZER, messages) for messages in episodes]
        self.first: list[str] = []

    async def __call__(self, model_input: Any, stop: Any, **_: Any) -> TokensWithLogprobs:
        ids = model_input.to_ints()
        turn = TOKENIZER.decode(ids).count("<|im_start|>assistant") - 1
        at = self.turns.get(turn, 0)
        self.turns[turn] = at + 1
        said = self.scripted[at % len(self.scripted)].next(ids)
        return TokensWithLogprobs(tokens=said.ids, maybe_logprobs=[0.0] * len(said.ids))

    @property
    def turns(self) -> dict[int, int]:
        """How often each turn was asked for; all worlds of a group go on in their order."""
        return self.__dict__.setdefault("_turns", {})


async def played(strategy: Any, *episodes: list[str]) -> Any:
    """A group with an episode each, as the cookbook hands it to the trainer."""
    renderer = get_renderer("qwen3", TOKENIZER)
    worlds = counter_tinker.Group(renderer, "train", 0, len(episodes))
    try:
        found = await do_group_rollout(worlds, Policy(*episodes), strategy=strategy)
    except Exception as error:  # noqa: BLE001 - the fact is which
        return why(error)
    data, _ = assemble_training_data([found], compute_advantages([found]))
    first = data[0].loss_fn_inputs
    return {
        "returns": found.get_total_rewards(),
        "errors": [error.error_message for error in found.rollout_errors],
        "trained": in_words(TOKENIZER, first["target_tokens"].data, first["mask"].data),
        "rows": len(data),
    }


async def gathered() -> dict[str, Any]:
    """Gather the facts."""
    facts = {name: await played(FailFast(), each, each) for name, each in EPISODES.items()}
    three = [EPISODES[name] for name in ("won", "stopped", "broken")]
    facts["one of three breaks"] = await played(
        MinViableGroup(min_successful=2, max_retries=0), *three
    )
    return facts


if __name__ == "__main__":
    print(json.dumps(asyncio.run(gathered())))
