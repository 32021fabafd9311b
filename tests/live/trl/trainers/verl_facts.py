"""Plays the counter by verl's own agent-loop worker and the page's `counter_verl.py`; prints facts.

usage: python verl_facts.py ROWS LOOPS FOLDER, the page's YAML of loops and a folder to write a model's
files into
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import verl.trainer.config
from bytes_tokenizer import EPISODES, Scripted, byte_tokenizer, in_words, why
from omegaconf import OmegaConf
from transformers import Qwen2Config
from verl.experimental.agent_loop.agent_loop import AgentLoopWorker
from verl.protocol import DataProto
from verl.trainer.ppo.core_algos import compute_grpo_outcome_advantage
from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn
from verl.workers.rollout.replica import TokenOutput


class Server:
    """What a loop asks of verl's client of model servers."""

    def __init__(self, scripted: list[Scripted]) -> None:
        self.scripted, self.known = scripted, {}

    async def generate(self, request_id: str, *, prompt_ids: list[int], **_: Any) -> TokenOutput:
        at = self.known.setdefault(request_id, len(self.known))
        said = self.scripted[at % len(self.scripted)].next(prompt_ids)
        return TokenOutput(token_ids=said.ids, log_probs=[-0.5] * len(said.ids), stop_reason="stop")


def configured(folder: Path, loops: str) -> Any:
    """verl's own configuration with the options that the page gives."""
    config = OmegaConf.load(Path(verl.trainer.config.__path__[0], "_generated_ppo_trainer.yaml"))
    rollout = config.actor_rollout_ref.rollout
    rollout.agent.agent_loop_config_path = loops
    rollout.prompt_length, rollout.response_length = 2000, 1500
    rollout.name, rollout.calculate_log_probs = "vllm", True
    config.actor_rollout_ref.model.path = str(folder)
    config.data.return_raw_chat, config.data.max_prompt_length = True, 2000
    config.data.cache_dir = str(folder / "cache")
    return config


def played(config: Any, rows: str, *episodes: list[str]) -> Any:
    """A group on the first task with an episode each, as the worker hands it to the trainer."""
    tokenizer = byte_tokenizer()
    dataset = RLHFDataset(rows, tokenizer, config.data)
    batch = DataProto.from_single_dict(collate_fn([dataset[0]] * len(episodes)))
    batch.meta_info = {"global_steps": 1}

    async def generated() -> Any:
        server = Server([Scripted(tokenizer, messages) for messages in episodes])
        return await AgentLoopWorker(config, server).generate_sequences(batch)

    try:
        out = asyncio.run(generated())
    except Exception as error:  # noqa: BLE001 - the fact is which
        return why(error)
    told = out.batch
    mask = told["response_mask"]
    uid = np.array(["one"] * len(episodes))
    advantages, _ = compute_grpo_outcome_advantage(told["rm_scores"], mask, uid)
    return {
        "returns": told["rm_scores"].sum(-1).tolist(),
        "advantages": [
            row.max().item() if row.max() > 0 else row.min().item() for row in advantages
        ],
        "trained": in_words(tokenizer, told["responses"][0].tolist(), mask[0].tolist()),
        "shown": tokenizer.decode(told["prompts"][0].tolist() + told["responses"][0].tolist()),
        "logprobs": told["rollout_log_probs"][0].tolist() == (mask[0] * -0.5).tolist(),
    }


def main() -> None:
    """Gather the facts."""
    rows, loops, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    byte_tokenizer().save_pretrained(folder)
    Qwen2Config(
        hidden_size=8,
        num_attention_heads=1,
        num_hidden_layers=1,
        architectures=["Qwen2ForCausalLM"],
    ).save_pretrained(folder)
    config = configured(folder, loops)
    facts = {name: played(config, rows, each, each) for name, each in EPISODES.items()}
    facts["won and stopped"] = played(config, rows, EPISODES["won"], EPISODES["stopped"])
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
