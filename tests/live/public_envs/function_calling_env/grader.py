"""Compares the calls of a message with those that a request needs."""

import json


class InvalidAction(Exception):
    """Never raised: every message is graded."""


def normal(call: dict) -> str:
    """A call as text that is the same for equal calls: 2.0 is 2, and keys have an order."""
    arguments = {key: _number(value) for key, value in call["arguments"].items()}
    return json.dumps([call["name"], arguments], sort_keys=True)


def _number(value: object) -> object:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


class FunctionCalling:
    """One request, one message."""

    def __init__(self, task: dict, seed: int) -> None:
        self.wanted = sorted(normal(call) for call in task["calls"])
        self.reward, self.done = 0.0, False

    def message(self, text: str, calls: list[dict]) -> str:
        """Grade a message by its calls."""
        self.done = True
        right = sorted(normal(call) for call in calls) == self.wanted
        none = bool(self.wanted) or text.strip() == "NONE"
        self.reward = float(right and none)
        return "The request is closed."
