"""Plays the counter by OpenRLHF's own executor and the page's `counter_openrlhf.py`; prints facts.

usage: python openrlhf_facts.py ROWS
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from bytes_tokenizer import EPISODES, Scripted, byte_tokenizer, in_words, why
from datasets import load_dataset

# `openrlhf.utils` imports DeepSpeed as a whole; what plays episodes needs nothing of it.
package = ModuleType("openrlhf.utils")
root = Path(importlib.util.find_spec("openrlhf").submodule_search_locations[0])  # type: ignore[union-attr, index]
package.__path__ = [str(root / "utils")]
sys.modules["openrlhf.utils"] = package
prompts = importlib.util.spec_from_file_location("prompts", root / "datasets/prompts_dataset.py")


def agent() -> Any:
    """The page's module, loaded as OpenRLHF's engine loads the file of --train.agent_func_path."""
    return importlib.import_module("counter_openrlhf").AgentExecutor()


class Engine:
    """What the executor asks of vLLM's engine."""

    def __init__(self, scripted: Scripted) -> None:
        self.scripted = scripted

    async def generate(self, ids: list[int], params: Any, multi_modal_data: Any = None) -> Any:
        said = self.scripted.next(ids)
        said.ids = said.ids[: params.max_tokens]
        text = self.scripted.tokenizer.decode(said.ids)
        ended = "stop" if text == said.text else "length"
        one = {"token_ids": said.ids, "text": text, "finish_reason": ended, "logprobs": None}
        return SimpleNamespace(outputs=[SimpleNamespace(**one)])


def row(rows: str, tokenizer: Any, label: str = "extra_info") -> Any:
    """Prompt and label of the first row, as OpenRLHF's dataset makes them."""
    module = importlib.util.module_from_spec(prompts)  # type: ignore[arg-type]
    prompts.loader.exec_module(module)  # type: ignore[union-attr]
    keys = {"input_key": "prompt", "label_key": label, "apply_chat_template": True}
    strategy = SimpleNamespace(
        args=SimpleNamespace(data=SimpleNamespace(**keys)), is_rank_0=lambda: False
    )
    dataset = load_dataset("json", data_files=rows, split="train")
    made = module.PromptDataset(dataset, tokenizer, strategy)
    _, [prompt], [label], _ = made.collate_fn([made[0]])
    return prompt, label


def played(rows: str, messages: list[str], length: int = 8000) -> Any:
    """One episode, as the executor hands it to the trainer."""
    tokenizer = byte_tokenizer()
    prompt, label = row(rows, tokenizer)
    params, engine = (
        SimpleNamespace(max_tokens=None, logprobs=None),
        Engine(Scripted(tokenizer, messages)),
    )
    length = length if length > 0 else len(tokenizer(prompt)["input_ids"]) - length
    try:
        out = asyncio.run(agent().execute(prompt, label, params, length, tokenizer, engine))
    except Exception as error:  # noqa: BLE001 - the fact is which
        return why(error)
    ids = out["observation_tokens"]
    mask = [any(start <= at < end for start, end in out["action_ranges"]) for at in range(len(ids))]
    return {
        "return": out["reward"],
        "score": out["scores"],
        "trained": in_words(tokenizer, ids, mask),
        "shown": tokenizer.decode(ids),
        "truncated": out["truncated"],
        "logged": {name: float(value) for name, value in out["extra_logs"].items()},
    }


def main() -> None:
    """Gather the facts."""
    facts = {name: played(sys.argv[1], messages) for name, messages in EPISODES.items()}
    facts["cut"] = played(sys.argv[1], EPISODES["won"], -30)
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
