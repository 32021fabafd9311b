"""Run by test_openreward.py beside a server of the ORS variant: TRL's OpenRewardSpec plays it, prints facts.

usage: python openreward_facts.py URL MODEL README, a page with the lines that TRL is to be given
"""

from __future__ import annotations

import json
import math
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from transformers import AutoModelForCausalLM, AutoTokenizer
from trl import GRPOConfig, GRPOTrainer
from trl.experimental.openreward import OpenRewardSpec

URL, MODEL, README = sys.argv[1:]
[LINES] = re.findall(
    r"^```python\n(def paid.*?)^```$", Path(README).read_text("utf-8"), re.MULTILINE | re.DOTALL
)
PAGE: dict[str, Any] = {}
exec(LINES, PAGE)  # noqa: S102 - a page of ours


def call(tool: str, **arguments: Any) -> str:
    return f"<tool_call>\n{json.dumps({'name': tool, 'arguments': arguments})}\n</tool_call>"


WON = [call("add", amount=9), call("add", amount=6)]
EPISODES = {
    "won": WON,
    "won, then goes on": [*WON, call("add", amount=1)],
    "stopped": [call("add", amount=3)],
    "broken": [call("add", amount=3), call("add", amount=1, note="boom")],
}
"""What the model says, and then nothing more."""


def paid(messages: list[str], reward: Any) -> dict[str, Any]:
    """An episode of the first task, as TRL plays and pays it."""
    left = list(messages)

    class Scripted(GRPOTrainer):
        def _generate_single_turn(self, *given: Any, **more: Any) -> Any:
            text = left.pop(0) if left else ""
            return [self._tokenizer(text + "<|im_end|>")["input_ids"]], None

    spec = OpenRewardSpec(URL, num_tasks=1)
    trainer = Scripted(
        AutoModelForCausalLM.from_pretrained(MODEL),
        args=GRPOConfig(
            tempfile.mkdtemp(), use_cpu=True, bf16=False, report_to="none", disable_tqdm=True,
            per_device_eval_batch_size=1, num_generations_eval=1, max_completion_length=4000,
        ),
        train_dataset=spec.train_dataset,
        processing_class=AutoTokenizer.from_pretrained(MODEL),
        environment_factory=spec.environment_factory,
        reward_funcs=reward,
    )  # fmt: skip
    found = trainer.evaluate(spec.train_dataset)["eval_reward"]
    shown = sorted(tool.__name__ for tool in trainer._env_tools[None])
    told = None if found is None or math.isnan(found) else found
    return {"paid": told, "tools": shown, "said": len(messages) - len(left)}


by_page = {name: paid(messages, PAGE["paid"]) for name, messages in EPISODES.items()}
own = {
    name: paid(messages, OpenRewardSpec(URL).reward_funcs) for name, messages in EPISODES.items()
}
print(json.dumps({"lines of the page": by_page, "TRL's own": own}))
