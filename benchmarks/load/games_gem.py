# ruff: noqa: D102 - documented in games.Opened
"""GEM: one environment per task, reset for each of its games; and the same in vectors."""

from collections import Counter
from collections.abc import Sequence

import gem
import wordle_gem  # noqa: F401 - registers the environment
from games import Game, Played, accepted, in_process

TOGETHER = 16
"""Environments in a vector."""


class GemGame:
    """An environment per task, reset for each of its games."""

    def __init__(self) -> None:
        self.envs: dict[int, gem.Env] = {}

    def start(self, game: Game) -> None:
        self.total = 0.0
        if game.index not in self.envs:
            self.envs[game.index] = gem.make(f"wordle:{game.split}", index=game.index)
        self.envs[game.index].reset()

    def step(self, game: Game, turn: int) -> bool:
        _, reward, terminated, truncated, info = self.envs[game.index].step(game.texts[turn])
        accepted(info["steps"][0]["error"])
        self.total += reward
        return terminated or truncated

    def end(self) -> float:
        return self.total


def play_in_vectors(games: Sequence[Game]) -> Played:
    """gem.make_vec, one task per environment; each resets itself in the step that ends a game."""
    played = Played()
    counts = Counter(game.index for game in games)
    tasks = list({game.index: game for game in games}.values())
    for first in range(0, len(tasks), TOGETHER):
        group = tasks[first : first + TOGETHER]
        _play_vector(group, [counts[game.index] for game in group], played)
    return played


def _play_vector(group: Sequence[Game], left: list[int], played: Played) -> None:
    """Play each of the games so many times."""
    which = [{"index": game.index} for game in group]
    envs = gem.make_vec([f"wordle:{game.split}" for game in group], vec_kwargs=which)
    envs.reset()
    turns = [0] * len(group)
    while active := [number for number, games in enumerate(left) if games]:
        # A vector plays on with the environments that are given an action.
        texts = {number: group[number].texts[turns[number]] for number in active}
        _, rewards, terminated, truncated, infos = envs.step(texts)
        played.steps += len(active)
        played.total += float(rewards.sum())
        for at, number in enumerate(active):
            turns[number] += 1
            if "steps" in infos[at]:  # not where the reset's info has taken its place
                accepted(infos[at]["steps"][0]["error"])
            if terminated[at] or truncated[at] or turns[number] == len(group[number].texts):
                turns[number], left[number] = 0, left[number] - 1


if __name__ == "__main__":
    in_process(variant=GemGame, vector=play_in_vectors)
