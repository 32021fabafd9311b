"""Nim for Verifiers, with one tool server per rollout. The score depends on who took the last stone."""

from pydantic import Field

import verifiers.v1 as vf

__all__ = ["NimTaskset"]
PILES = {
    "train": [5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18, 19],
    "test": [21, 22, 23, 25],
}


class NimData(vf.TaskData):
    stones: int


class NimState(vf.State):
    left: int = 0
    won: bool = False


class NimTools(vf.Toolset[vf.ToolsetConfig, NimState]):
    @vf.tool
    def take(self, count: int) -> str:
        """Take one, two or three stones. The computer then makes its move."""
        if not 1 <= count <= min(3, self.state.left):
            return "You cannot take so many."
        self.state.left -= count
        self.state.won = not self.state.left
        if self.state.left:
            self.state.left -= self.state.left % 4 or 1
        return f"STONES: {self.state.left}"


class NimTaskConfig(vf.TaskConfig):
    tools: vf.ToolsetConfig = vf.ToolsetConfig()


class NimTask(vf.Task[NimData, NimState, NimTaskConfig]):
    @classmethod
    def toolsets(cls, config):
        return [NimTools(config.tools)]

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        trace.state.left = self.data.stones

    @vf.stop
    async def over(self, trace: vf.Trace) -> bool:
        return trace.state.left == 0

    async def finalize(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        trace.info["won"] = trace.state.won

    @vf.reward
    async def won(self, trace: vf.Trace) -> float:
        return float(trace.info["won"])


class NimConfig(vf.TasksetConfig):
    split: str = "train"
    task: NimTaskConfig = Field(default_factory=NimTaskConfig)


class NimTaskset(vf.Taskset[NimTask, NimConfig]):
    def load(self):
        text = "Take 1 to 3 stones in turn; whoever takes the last one wins.\nSTONES: {}"
        piles = PILES[self.config.split]
        return [NimTask(NimData(stones=n, prompt=text.format(n)), self.config.task) for n in piles]
