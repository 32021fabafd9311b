"""SkyRL Gym as its generator drives it: make, init, step over text, get_metrics, close."""

from collections.abc import Sequence

import skyrl_gym
import wordle_skyrl  # noqa: F401 - registers the environment
from games import MAX_TURNS, Game, Played, accepted, in_process


def play_all(games: Sequence[Game]) -> Played:
    played = Played()
    for game in games:
        about = {"split": game.split, "index": game.index}
        env = skyrl_gym.make("wordle", extras={"extra_info": about, "max_turns": MAX_TURNS})
        env.init([])
        for text in game.texts:
            output = env.step(text)
            played.steps += 1
            played.total += output["reward"]
            if output["done"]:
                break
        accepted(env.get_metrics()["refused"])
        env.close()
    return played


if __name__ == "__main__":
    in_process(variant=play_all)
