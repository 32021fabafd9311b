"""The rendered episode.py alone, as every variant plays it: prompt, calls, close."""

from collections.abc import Sequence

from games import Game, Played, accepted, in_process
from wordle_domain._shared.episode import Episode


def play_episode(games: Sequence[Game]) -> Played:
    played = Played()
    for game in games:
        episode = Episode(game.task)
        assert episode.prompt
        for arguments in game.arguments:
            step = episode.call("guess", arguments)
            accepted(step.error)
            played.steps += 1
            if step.done:
                break
        played.total += episode.total
        episode.close()
    return played


if __name__ == "__main__":
    in_process(episode=play_episode)
