"""Plays the counter by SkyRL's own generator, over its own dataset; prints facts.

usage: python skyrl_facts.py ROWS, with the SkyRL variant and the domain on the path
"""

from __future__ import annotations

import asyncio
import json
import sys
import typing
from typing import Any

import typing_extensions

if sys.version_info < (3, 12):  # SkyRL 0.3.0 says 3.11, where pydantic 2.14 refuses its typed dicts
    typing.TypedDict = typing_extensions.TypedDict  # type: ignore[assignment]

import counter_skyrl  # noqa: F401 - registers the counter
from bytes_tokenizer import EPISODES, Scripted, byte_tokenizer, in_words, why
from skyrl.backends.skyrl_train.inference_servers.base import InferenceEngineInterface
from skyrl.train.config import GeneratorConfig, SkyRLGymConfig
from skyrl.train.dataset import PromptDataset
from skyrl.train.generators.base import BatchMetadata, TrajectoryID
from skyrl.train.generators.skyrl_gym_generator import SkyRLGymGenerator


class Engine:
    """What the generator asks of an engine; see InferenceEngineInterface."""

    def __init__(self, scripted: Scripted) -> None:
        self.scripted = scripted

    async def generate(self, asked: Any, model: str | None = None) -> dict[str, Any]:
        said = [self.scripted.next(prompt) for prompt in asked["prompt_token_ids"]]
        return {
            "responses": [each.text for each in said],
            "response_ids": [each.ids for each in said],
            "stop_reasons": ["stop"] * len(said),
        }

    async def finish_session(self, session: str) -> None:
        assert hasattr(InferenceEngineInterface, "finish_session"), session


def played(rows: str, messages: list[str], **on_failure: str) -> Any:
    """One group of two on the first task, as the generator hands it to the trainer."""
    tokenizer = byte_tokenizer()
    gym = SkyRLGymConfig()
    if on_failure:
        gym.counter = on_failure
    config = GeneratorConfig(max_turns=6, max_input_length=8000)
    generator = SkyRLGymGenerator(config, gym, Engine(Scripted(tokenizer, messages)), tokenizer)
    dataset = PromptDataset(rows, tokenizer, 4000, num_workers=1)
    [row] = dataset.collate_fn([dataset[0]])
    asked = {
        "prompts": [row["prompt"]] * 2,
        "env_classes": [row["env_class"]] * 2,
        "env_extras": [dict(row["env_extras"]) for _ in range(2)],
        "sampling_params": None,
        "trajectory_ids": [TrajectoryID(row["uid"], number) for number in range(2)],
        "batch_metadata": BatchMetadata(global_step=0, training_phase="train"),
    }
    try:
        out = asyncio.run(generator.generate(asked))
    except Exception as error:  # noqa: BLE001 - the fact is which
        return why(error)
    ids, mask = out["response_ids"][0], out["loss_masks"][0]
    return {
        "returns": [sum(rewards) for rewards in out["rewards"]],
        "rewarded": [r for r in out["rewards"][0] if r],
        "trained": in_words(tokenizer, ids, mask),
        "shown": tokenizer.decode(out["prompt_token_ids"][0] + ids),
        "metrics": {
            k: v for k, v in out["rollout_metrics"].items() if k.startswith("environment/")
        },
        "env": out["env_metrics"][0],
    }


def main() -> None:
    """Gather the facts."""
    rows = sys.argv[1]
    facts = {name: played(rows, messages) for name, messages in EPISODES.items()}
    facts["raised"] = played(rows, EPISODES["broken"], on_failure="raise")
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
