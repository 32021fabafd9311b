# ruff: noqa: D102 - documented in games.Opened
"""SkyRL Gym as its generator drives it: make, init, step over text, get_metrics, close."""

import skyrl_gym
import wordle_skyrl  # noqa: F401 - registers the environment
from games import MAX_TURNS, Game, accepted, in_process


class SkyRLGame:
    """An environment per game."""

    def start(self, game: Game) -> None:
        self.total = 0.0
        about = {"split": game.split, "index": game.index}
        extras = {"extra_info": about, "max_turns": MAX_TURNS}
        self.env = skyrl_gym.make("wordle", extras=extras)
        self.env.init([])

    def step(self, game: Game, turn: int) -> bool:
        output = self.env.step(game.texts[turn])
        self.total += output["reward"]
        return output["done"]

    def end(self) -> float:
        accepted(self.env.get_metrics()["refused"])
        self.env.close()
        return self.total


if __name__ == "__main__":
    in_process(variant=SkyRLGame)
