"""Scores messages by OpenRLHF's own single-turn executor with a `reward.py` of ours; prints the scores.

usage: python openrlhf_reward_facts.py REWARD ROWS, our module and rows of it; the messages are on standard input
"""

from __future__ import annotations

import asyncio
import json
import sys
from types import SimpleNamespace
from typing import Any

from bytes_tokenizer import byte_tokenizer
from openrlhf_facts import row


class Engine:
    """What the executor asks of vLLM's engine: it says one given message."""

    def __init__(self, tokenizer: Any, text: str) -> None:
        self.ids = tokenizer(text + tokenizer.eos_token)["input_ids"]

    async def generate(self, ids: list[int], params: Any, multi_modal_data: Any = None) -> Any:
        one = {"token_ids": self.ids, "finish_reason": "stop", "logprobs": None}
        return SimpleNamespace(outputs=[SimpleNamespace(**one)])


def main() -> None:
    """Score each message to the first row."""
    from openrlhf.utils.agent import SingleTurnAgentExecutor

    tokenizer = byte_tokenizer()
    prompt, label = row(sys.argv[2], tokenizer, label="label")
    executor = SingleTurnAgentExecutor(sys.argv[1])
    params, found = SimpleNamespace(max_tokens=None, logprobs=None), []
    for text in json.load(sys.stdin):
        asked = (prompt, label, params, 8000, tokenizer, Engine(tokenizer, text))
        out = asyncio.run(executor.execute(*asked))
        found.append(None if out["reward"] is None else float(out["reward"]))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
