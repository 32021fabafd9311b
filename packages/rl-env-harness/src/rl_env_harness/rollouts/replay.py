"""Takes an episode up where its record ends, by playing the same calls again."""

from __future__ import annotations

from typing import Any

from ..arguments import UNPARSED
from ..episode import Episode, EpisodeFailed


def replayed(state: dict[str, Any]) -> Episode:
    """A new episode on the same problem, played up to the same point.

    state: `task`, `seed` and `max_turns` of the problem, the `steps` of the episode, and whether it
    is `over`. Raises EpisodeFailed when the world breaks, with nothing left open.
    """
    episode = Episode(state["task"], state["seed"], state["max_turns"])
    try:
        for step in state["steps"]:
            if step["error"] == "episode_over":
                episode.end()  # No step says that the model stopped.
            if step["error"] == "unreadable":
                episode.refuse(step["arguments"][UNPARSED], "")
                episode.steps[-1]["observation"] = step["observation"]  # as it was told
            else:
                episode.call(step["tool"], step["arguments"])
        if state["over"]:
            episode.end()
    except EpisodeFailed:
        episode.close()
        raise
    return episode
