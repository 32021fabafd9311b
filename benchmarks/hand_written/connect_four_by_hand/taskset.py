"""The tasks: a tool server each, and a score from the state that it leaves."""

import verifiers.v1 as vf
from connect_four_domain.tasks import TASKS

from connect_four_by_hand.tool import ConnectFourState, ConnectFourToolset, game_of


class ConnectFourData(vf.TaskData):
    """Which task of the split train."""

    index: int = 0


class ConnectFourTaskConfig(vf.TaskConfig):
    """One tool server per rollout, as is the default."""

    tools: vf.ToolsetConfig = vf.ToolsetConfig()


class ConnectFourTask(vf.Task[ConnectFourData, ConnectFourState, ConnectFourTaskConfig]):
    """One game."""

    @classmethod
    def toolsets(cls, config: ConnectFourTaskConfig) -> list[vf.Toolset]:
        """Give every rollout its own tool server."""
        return [ConnectFourToolset(config.tools)]

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Tell the tool server which game it is."""
        trace.state.index = self.data.index

    @vf.stop
    async def game_over(self, trace: vf.Trace) -> bool:
        """Stop the model at the end of the game."""
        return trace.state.done

    async def finalize(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Keep what scoring needs."""
        trace.info["game"] = {"reward": trace.state.reward, "moves": len(trace.state.moves)}

    @vf.reward
    async def outcome(self, trace: vf.Trace) -> float:
        """1 for a win, a half for a draw."""
        return trace.info["game"]["reward"]

    @vf.metric
    async def turns(self, trace: vf.Trace) -> float:
        """How long the game was."""
        return trace.info["game"]["moves"]


class ConnectFourConfig(vf.TasksetConfig):
    """Settings of the tasks."""

    task: ConnectFourTaskConfig = ConnectFourTaskConfig()


class ConnectFourTaskset(vf.Taskset[ConnectFourTask, ConnectFourConfig]):
    """The split train."""

    def load(self) -> list[ConnectFourTask]:
        """One task per row."""
        return [
            ConnectFourTask(
                ConnectFourData(
                    index=index,
                    system_prompt="You play connect four as X. Call connect_four_drop_piece.",
                    prompt=game_of(index, []).observe(),
                ),
                self.config.task,
            )
            for index in range(len(TASKS["train"]))
        ]
