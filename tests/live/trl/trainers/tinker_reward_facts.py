"""Scores messages by the Tinker cookbook's own group rollouts and the page's code; prints the scores.

usage: python tinker_reward_facts.py MODULE, the page's module; the messages are on standard input
"""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
from typing import Any

from bytes_tokenizer import byte_tokenizer
from tinker_cookbook.completers import TokenCompleter, TokensWithLogprobs
from tinker_cookbook.renderers import get_renderer
from tinker_cookbook.rl.rollouts import do_group_rollout

PAGE = importlib.import_module(sys.argv[1])
TOKENIZER = byte_tokenizer()


class Policy(TokenCompleter):
    """Writes one given message."""

    def __init__(self, text: str) -> None:
        self.ids = TOKENIZER(text + TOKENIZER.eos_token)["input_ids"]

    async def __call__(self, model_input: Any, stop: Any, **_: Any) -> TokensWithLogprobs:
        return TokensWithLogprobs(tokens=self.ids, maybe_logprobs=[0.0] * len(self.ids))


def main() -> None:
    """Score each message to the first row."""
    renderer, row, found = get_renderer("qwen3", TOKENIZER), PAGE.rows("train")[0], []
    for text in json.load(sys.stdin):
        group = asyncio.run(do_group_rollout(PAGE.group(renderer, row, 2), Policy(text)))
        (score,) = set(group.get_total_rewards())
        found.append(score)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
