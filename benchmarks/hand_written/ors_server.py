# ruff: noqa: D102 - the framework's own methods
"""Connect four as somebody writes it by hand for ORS: pydantic parameters and @tool."""

import argparse
import os

os.environ.setdefault("OPENREWARD_LOG_LEVEL", "WARNING")
os.environ.setdefault("OPENREWARD_DISABLE_UPDATE_CHECK", "1")

from connect_four_domain.game import ConnectFour, InvalidAction
from connect_four_domain.tasks import TASKS
from openreward.environments import Environment, Server, TextBlock, ToolOutput, tool
from pydantic import BaseModel, Field


class DropPiece(BaseModel, extra="forbid"):
    """Arguments of drop_piece."""

    column: int = Field(ge=1, le=7)


class ConnectFourEnvironment(Environment):
    """One session is one game."""

    def __init__(self, task_spec={}, secrets={}):  # noqa: B006 - as in OpenReward's examples
        super().__init__(task_spec, secrets)
        self.game = ConnectFour(task_spec, task_spec["seed"])

    @classmethod
    def name(cls):
        return "connect_four"

    @classmethod
    def list_splits(cls):
        return list(TASKS)

    @classmethod
    def list_tasks(cls, split):
        return TASKS[split]

    async def get_prompt(self):
        return [TextBlock(text=self.game.observe())]

    @tool
    async def drop_piece(self, params: DropPiece) -> ToolOutput:
        """Drop one of your pieces into a column."""
        try:
            text = self.game.drop_piece(params.column)
        except InvalidAction as error:
            text = str(error)
        reward = self.game.reward if self.game.done else 0.0
        return ToolOutput(blocks=[TextBlock(text=text)], reward=reward, finished=self.game.done)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=8080)
    Server([ConnectFourEnvironment]).run(host="127.0.0.1", port=parser.parse_args().port)
