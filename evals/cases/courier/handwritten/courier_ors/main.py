"""A courier on a grid for OpenReward, written by hand."""

from typing import Literal

from openreward.environments import Environment, Server, TextBlock, ToolOutput, tool
from pydantic import BaseModel

def houses(n):
    """Return four fields of 25. Each n from 0 to 15 gives four other fields, all near the middle."""
    return {6 + n % 2, 8 + 5 * (n // 2 % 2), 16 + n // 4 % 2, 18 + 5 * (n // 8)}


class Walk(BaseModel):
    """The direction of a walk."""

    direction: Literal["north", "east", "south", "west"]


class Courier(Environment):
    def __init__(self, task_spec={}, secrets={}):
        super().__init__(task_spec, secrets)
        self.field, self.waiting, self.used = 12, houses(task_spec["map"]), 0

    @classmethod
    def list_splits(cls):
        return ["train", "test"]

    @classmethod
    def list_tasks(cls, split):
        return [{"map": n} for n in (range(12) if split == "train" else range(12, 16))]

    async def get_prompt(self):
        return [TextBlock(text=f"Deliver to all houses in 24 actions.\n{self.line()}")]

    def line(self):
        places = [f"{field % 5},{field // 5}" for field in (self.field, *sorted(self.waiting))]
        return f"AT: {places[0]} OPEN: {' '.join(places[1:]) or 'none'}"

    def over(self):
        return not self.waiting or self.used >= 24

    def told(self, text, reward=0.0):
        blocks = [TextBlock(text=text)]
        return ToolOutput(blocks=blocks, reward=reward, finished=self.over())

    @tool
    async def walk(self, params: Walk) -> ToolOutput:
        """Walk one field."""
        column, row = self.field % 5, self.field // 5
        column += {"east": 1, "west": -1}.get(params.direction, 0)
        row += {"south": 1, "north": -1}.get(params.direction, 0)
        if self.over() or not {column, row} <= set(range(5)):
            return self.told("You cannot walk there.")
        self.field, self.used = row * 5 + column, self.used + 1
        return self.told(self.line())

    @tool
    async def deliver(self) -> ToolOutput:
        """Leave a parcel."""
        if self.over() or self.field not in self.waiting:
            return self.told("Nobody waits here.")
        self.waiting.remove(self.field)
        self.used += 1
        return self.told(self.line(), 0.25)


if __name__ == "__main__":
    Server([Courier]).run(host="127.0.0.1", port=8080)
