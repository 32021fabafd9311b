"""GSM8K rows as verl's reward function scores them: the last number after `####` in the last 300 characters."""

import json
import re
from pathlib import Path

ROWS = [json.loads(line) for line in Path(__file__).with_name("rows.jsonl").open()]
MOST_READ = 300
"""Characters at the end of a reply in which the answer must be."""
ANSWER = re.compile(r"#### (-?[0-9.,]+)")


class InvalidAction(Exception):
    """The rules forbid the action; this environment takes every message."""


class VerlGsm8k:
    """One question. `reward` is 1.0 for the right answer."""

    def __init__(self, task: dict, seed: int) -> None:
        """Take the row of the task."""
        self.reward, self.done = 0.0, False
        self._row = ROWS[task["index"]]

    def observe(self) -> str:
        """Return the question."""
        return self._row["prompt"]

    def message(self, text: str) -> str:
        """Score the reply, which ends the episode."""
        found = ANSWER.findall(text[-MOST_READ:])
        answer = found[-1].replace(",", "") if found else None
        self.reward = float(answer == self._row["ground_truth"])
        self.done = True
        return "(scored)"
