"""GSM8K rows as SkyRL Gym's `gsm8k` scores them: the first number after `####`."""

import json
import re
from pathlib import Path

ROWS = [json.loads(line) for line in Path(__file__).with_name("rows.jsonl").open()]
ANSWER = re.compile(r"#### (-?[0-9.,]+)")


class InvalidAction(Exception):
    """The rules forbid the action; this environment takes every message."""


class SkyrlGsm8k:
    """One question. `reward` is 1.0 for the right answer."""

    def __init__(self, task: dict, seed: int) -> None:
        """Take the row of the task."""
        self.reward, self.done = 0.0, False
        self._row = ROWS[task["index"]]

    def observe(self) -> str:
        """Return the question."""
        return self._row["prompt"][0]["content"]

    def message(self, text: str) -> str:
        """Score the reply, which ends the episode."""
        found = ANSWER.search(text)
        answer = found[1].replace(",", "") if found else None
        self.reward = float(answer == self._row["reward_spec"]["ground_truth"])
        self.done = True
        return "(the episode is over)"
