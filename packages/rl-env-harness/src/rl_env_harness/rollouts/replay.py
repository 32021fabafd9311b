"""Resume an episode at the end of its record, by repeating the same calls."""

from __future__ import annotations

from typing import Any

from ..arguments import UNPARSED
from ..episode import Episode, EpisodeFailed


def replayed(state: dict[str, Any]) -> Episode:
    """Return a new episode on the same problem, in which the recorded calls have been repeated.

    If the world fails, closes the episode and raises EpisodeFailed.

    Args:
        state: The `task`, `seed` and `max_turns` of the problem, the `steps` of the episode, and `over`, which is
            true if the episode had ended.
    """
    episode = Episode(state["task"], state["seed"], state["max_turns"])
    try:
        for step in state["steps"]:
            if step["error"] == "episode_over":
                episode.end()  # No step records that the model stopped.
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
