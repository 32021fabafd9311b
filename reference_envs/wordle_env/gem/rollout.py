# Rendered from env.yaml; `skill-tools render` overwrites it.
"""Roll out Wordle on GEM, with any OpenAI-compatible model; --help tells the arguments."""

import logging
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # with PYTHONSAFEPATH Python leaves it out

import gem
import wordle_gem  # noqa: F401 - registers the environment
from wordle_domain._shared import env_spec, task_table
from wordle_domain._shared.rollouts import chat, play


class Session:
    """One episode, as `chat.converse` plays it."""

    def __init__(self, assignment: play.Assignment) -> None:
        name = f"{env_spec.NAME}:{assignment.split or task_table.splits()[0]}"
        problem = {key: getattr(assignment, key) for key in ("task", "seed", "max_turns")}
        self.env = gem.make(name, **problem)
        self.close = self.env.close

    def open(self) -> list[dict[str, Any]]:
        """Set up the world."""
        return [{"role": "user", "content": self.env.reset()[0]}]

    def say(self, message: str, played: play.Played) -> str:
        """Play one message of the model; returns what it sees next."""
        text, _, terminated, truncated, info = self.env.step(message)
        played.steps += info["steps"]
        played.final_reward, played.truncated = info["final_reward"], truncated
        played.over = terminated or truncated
        return text


if __name__ == "__main__":
    logging.getLogger().setLevel(logging.WARNING)  # importing gem made it INFO: a line per request
    sys.exit(chat.main("GEM", "gem", "gem-llm", Session))
