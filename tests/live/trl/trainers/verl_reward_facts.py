"""Scores messages by verl's own reward manager with a `reward.py` of ours; prints the scores.

usage: python verl_reward_facts.py REWARD ROWS, our module and rows of it; the messages are on standard input
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
import verl.trainer.config
from bytes_tokenizer import byte_tokenizer
from omegaconf import OmegaConf
from tensordict import TensorDict
from verl.experimental.reward_loop.reward_manager import get_reward_manager_cls
from verl.protocol import DataProto
from verl.trainer.ppo.reward import get_custom_reward_fn
from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn


async def scored(manager: Any, row: dict[str, Any], tokenizer: Any, message: str) -> dict[str, Any]:
    """What the manager makes of a message that the model wrote to a row."""
    asked = tokenizer.apply_chat_template(row["raw_prompt"][0], add_generation_prompt=True)
    asked = asked["input_ids"] if not isinstance(asked, list) else asked
    said = tokenizer(message + tokenizer.eos_token)["input_ids"]
    ids = {"prompts": asked, "responses": said, "attention_mask": [1] * (len(asked) + len(said))}
    batch = TensorDict({name: torch.tensor([each]) for name, each in ids.items()}, 1)
    others = {k: v for k, v in row.items() if isinstance(v, np.ndarray)}
    found: dict[str, Any] = await manager.run_single(DataProto(batch, others))
    return found


async def main() -> None:
    """Score each message to the first row."""
    config = OmegaConf.load(Path(verl.trainer.config.__path__[0], "_generated_ppo_trainer.yaml"))
    config.reward.custom_reward_function.path = sys.argv[1]
    config.reward.custom_reward_function.name = "compute_score"
    config.data.return_raw_chat, config.data.max_prompt_length = True, 4000
    config.data.cache_dir = "cache"
    tokenizer = byte_tokenizer()
    row = collate_fn([RLHFDataset(sys.argv[2], tokenizer, config.data)[0]])
    kind = get_reward_manager_cls("naive")
    manager = kind(config, tokenizer, get_custom_reward_fn(config))
    found = [await scored(manager, row, tokenizer, text) for text in json.load(sys.stdin)]
    print(json.dumps([float(each["reward_score"]) for each in found]))


if __name__ == "__main__":
    asyncio.run(main())
