"""Nim for ORS, written by hand."""

from nim import TEST, TRAIN, computer
from openreward.environments import Environment, Server, TextBlock, ToolOutput, tool
from pydantic import BaseModel

PILES = {"train": TRAIN, "test": TEST}


class Take(BaseModel):
    """The number of stones to take."""

    count: int


class NimEnvironment(Environment):
    def __init__(self, task_spec={}, secrets={}):
        super().__init__(task_spec, secrets)
        self.left, self.over = task_spec["stones"], False

    @classmethod
    def name(cls):
        return "nim"

    @classmethod
    def list_splits(cls):
        return list(PILES)

    @classmethod
    def list_tasks(cls, split):
        return [{"stones": pile} for pile in PILES[split]]

    async def get_prompt(self):
        text = f"Take 1 to 3 stones in turn; the last one wins. STONES: {self.left}"
        return [TextBlock(text=text)]

    @tool
    async def take(self, params: Take) -> ToolOutput:
        """Take one, two or three stones."""
        if self.over or not 1 <= params.count <= min(3, self.left):
            return self.told("You cannot take so many.", 0.0)
        self.left -= params.count
        reward = 0.0 if self.left else 1.0
        if self.left:
            self.left -= computer(self.left)
        self.over = not self.left
        return self.told(f"STONES: {self.left}", reward)

    def told(self, text, reward):
        return ToolOutput(blocks=[TextBlock(text=text)], reward=reward, finished=self.over)


if __name__ == "__main__":
    Server([NimEnvironment]).run(host="127.0.0.1", port=8080)
