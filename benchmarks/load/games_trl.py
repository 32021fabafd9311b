# ruff: noqa: D102 - documented in games.Opened
"""TRL's environment class as its trainer drives it: reset with a row, a method per tool, get_reward."""

from games import Game, accepted, in_process
from wordle_trl import WordleEnvironment


class TrlGame:
    """One environment for all its games, as TRL has one per place of a batch."""

    def __init__(self) -> None:
        self.environment = WordleEnvironment()

    def start(self, game: Game) -> None:
        self.environment.reset(split=game.split, index=game.index)

    def step(self, game: Game, turn: int) -> bool:
        self.environment.guess(**game.arguments[turn])
        accepted(self.environment.episode.steps[-1]["error"])
        return self.environment.episode.over

    def end(self) -> float:
        return self.environment.get_reward()


if __name__ == "__main__":
    in_process(variant=TrlGame)
