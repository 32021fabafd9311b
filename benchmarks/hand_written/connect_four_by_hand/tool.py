"""The tool server: Verifiers starts one per rollout."""

import verifiers.v1 as vf
from connect_four_domain.game import ConnectFour, InvalidAction
from connect_four_domain.tasks import TASKS
from pydantic import Field


class ConnectFourState(vf.State):
    """The moves so far, as JSON: it travels to the tool server and back with every call."""

    index: int = 0
    moves: list[int] = Field(default_factory=list)
    done: bool = False
    reward: float = 0.0


def game_of(index: int, moves: list[int]) -> ConnectFour:
    """The game of a task after some moves."""
    task = TASKS["train"][index]
    game = ConnectFour(task, task["seed"])
    for column in moves:
        game.drop_piece(column)
    return game


class ConnectFourToolset(vf.Toolset[vf.ToolsetConfig, ConnectFourState]):
    """The one tool."""

    TOOL_PREFIX = "connect_four"

    @vf.tool
    def drop_piece(self, column: int) -> str:
        """Drop one of your pieces into a column, 1 to 7. Returns the board."""
        game = game_of(self.state.index, self.state.moves)
        try:
            text = game.drop_piece(column)
        except InvalidAction as error:
            return str(error)
        self.state.moves = [*self.state.moves, column]
        self.state.done, self.state.reward = game.done, game.reward
        return text


if __name__ == "__main__":
    ConnectFourToolset.run()
