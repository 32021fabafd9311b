"""Run in TRL's venv by test_trl.py: drives the counter by TRL's own trainer, prints facts.

usage: python facts.py MODEL, a folder with a tokenizer that TRL can read calls of

The model's messages are given: TRL's loop reads them, calls the tools and asks for the reward.
"""

from __future__ import annotations

import json
import math
import sys
import tempfile
from typing import Any

import counter_trl
from counter_domain._shared import env_spec
from counter_trl import CounterEnvironment, CounterTrainer
from datasets import Dataset
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.utils import get_json_schema
from trl import GRPOConfig, GRPOTrainer

PROMPT = [{"role": "user", "content": ""}]
FOLDER = tempfile.mkdtemp()


def call(tool: str, **arguments: Any) -> str:
    return f"<tool_call>\n{json.dumps({'name': tool, 'arguments': arguments})}\n</tool_call>"


def trainer(kind: type[GRPOTrainer], messages: list[str]) -> Any:
    """A trainer whose model says these messages, one after another, and then nothing more."""
    left = list(messages)

    class Scripted(kind):  # type: ignore[misc, valid-type]
        asked = 0

        def _generate_single_turn(self, *given: Any, **more: Any) -> Any:
            type(self).asked += 1
            text = left.pop(0) if left else ""
            return [self._tokenizer(text + "<|im_end|>")["input_ids"]], None

    return Scripted(
        AutoModelForCausalLM.from_pretrained(sys.argv[1]),
        args=GRPOConfig(
            FOLDER, use_cpu=True, bf16=False, report_to="none", disable_tqdm=True,
            per_device_eval_batch_size=1, num_generations_eval=1, max_completion_length=8000,
        ),
        train_dataset=Dataset.from_list([{"prompt": PROMPT}]),
        processing_class=AutoTokenizer.from_pretrained(sys.argv[1]),
        environment_factory=CounterEnvironment,
    )  # fmt: skip


def played(kind: type[GRPOTrainer], messages: list[str], **row: Any) -> dict[str, Any]:
    """One episode, as TRL plays and pays it."""
    made = trainer(kind, messages)
    found = made.evaluate(
        Dataset.from_list([{"prompt": PROMPT, "split": "train", "index": 0, **row}])
    )
    paid = found["eval_reward"]
    environment = made.environments[0]
    episode = environment.episode
    return {
        "paid": None if paid is None or math.isnan(paid) else paid,
        "asked": type(made).asked,
        "errors": [step["error"] for step in episode.steps] if episode else [],
        "turns": episode.turns if episode else 0,
        "failure": environment.failure,
    }


def raised(function: Any, *arguments: Any, **options: Any) -> str:
    try:
        function(*arguments, **options)
    except Exception as error:  # noqa: BLE001 - the fact is which
        return f"{type(error).__name__}: {error}"
    return ""


def solution(index: int) -> list[str]:
    """Calls that reach the target of a task."""
    environment = CounterEnvironment()
    environment.reset("train", index)
    left = environment.episode._world.target
    amounts = [9] * (left // 9) + ([left % 9] if left % 9 else [])
    return [call("add", amount=amount) for amount in amounts]


def main() -> None:
    """Gather the facts."""
    won = solution(0)
    ours = trainer(CounterTrainer, [])
    beyond = [*won, call("add", amount=1), call("look")]
    many = ["\n".join([*won, call("add", amount=1)])]
    facts = {
        "schemas": ours._env_tools[None] == [
            {"type": "function", "function": tool} for tool in env_spec.TOOLS
        ],
        "stock schemas": {
            name: sorted(get_json_schema(getattr(CounterEnvironment(), name))["function"]["parameters"]["properties"])
            for name in ("add", "look", "mark")
        },
        "won": played(CounterTrainer, won),
        "won, then goes on": played(CounterTrainer, beyond),
        "won, then goes on, in TRL's own trainer": played(GRPOTrainer, beyond),
        "won and more in one message": played(CounterTrainer, many),
        "stopped": played(CounterTrainer, ["I give up."]),
        "unknown tool": played(CounterTrainer, [call("fly"), *won]),
        "unknown tool, in TRL's own trainer": played(GRPOTrainer, [call("fly"), *won]),
        "wrong argument": played(CounterTrainer, [call("add", much=1), *won]),
        "out of bounds": played(CounterTrainer, [call("add", amount=10), *won]),
        "breaks in a call": played(CounterTrainer, [call("add", amount=1, note="boom"), *won]),
        "breaks at the start": played(
            CounterTrainer, won, split=None, index=None,
            task={"id": "x", "seed": 1, "target_word": "a", "broken": True},
        ),
        "two turns": played(CounterTrainer, [call("look")] * 9, max_turns=2),
        "row without a task": raised(CounterEnvironment().reset, prompt=PROMPT),
        "row with a seed alone": bool(CounterEnvironment().reset(seed=13)),
        "row of no task": raised(CounterEnvironment().reset, split="train", index=99),
        "columns of one's own": bool(CounterEnvironment().reset("train", 0, prompt=PROMPT, mine=1)),
        "rows": list(counter_trl.rows("train"))[:1],
        "tools": sorted(n for n in vars(CounterEnvironment) if not n.startswith("_")),
    }  # fmt: skip
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
