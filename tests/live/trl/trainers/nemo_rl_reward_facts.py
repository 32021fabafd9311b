"""Scores messages by NeMo RL's own data set, actor and rewards, and the page's code; prints the scores.

usage: python nemo_rl_reward_facts.py MODULE ROWS, the page's module and rows of `reward.py`, with NeMo RL's source
on the path; the messages are on standard input
"""

from __future__ import annotations

import copy
import importlib
import json
import sys

import ray
from bytes_tokenizer import byte_tokenizer
from nemo_rl.data.utils import setup_response_data
from nemo_rl.distributed.batched_data_dict import BatchedDataDict
from nemo_rl.experience.rollouts import calculate_rewards


def main() -> None:
    """Score each message to the first row."""
    importlib.import_module(sys.argv[1])
    name = sys.argv[1].partition("_reward_")[0]
    data = {"dataset_name": "ResponseDataset", "data_path": sys.argv[2], "processor": name}
    config = {"train": {**data, "env_name": name}, "max_input_seq_length": 8000}
    ray.init(num_cpus=2, include_dashboard=False, configure_logging=False)
    tasks, _, environments, _ = setup_response_data(byte_tokenizer(), config, {name: {}})
    asked, messages = tasks[0], json.load(sys.stdin)
    batch = BatchedDataDict(
        message_log=[
            [*copy.copy(asked["message_log"]), {"role": "assistant", "content": text}]
            for text in messages
        ],
        task_name=[asked["task_name"]] * len(messages),
        extra_env_info=[asked["extra_env_info"]] * len(messages),
    )
    found = calculate_rewards(batch, environments).rewards.tolist()
    ray.shutdown()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
