"""Roll out Wordle on GEM, with any OpenAI-compatible model; --help tells the arguments.

Rendered from env.yaml; `skill-tools render` overwrites it.
"""

import logging
import sys
from importlib.metadata import version
from typing import Any

import gem
import wordle_gem  # noqa: F401 - registers the environment
from wordle_domain._shared import chat, env_spec, play, task_table


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

    def say(self, message: str, played: chat.Played) -> str:
        """Play one message of the model; returns what it sees next."""
        text, _, terminated, truncated, info = self.env.step(message)
        played.steps += info["steps"]
        played.final_reward, played.truncated = info["final_reward"], truncated
        played.over = terminated or truncated
        return text


def main() -> int:
    """Play what the command line asks for; returns the exit code."""
    logging.getLogger().setLevel(logging.WARNING)  # importing gem made it INFO: a line per request
    args = play.parse_arguments("GEM")

    async def play_one(model: str, assignment: play.Assignment) -> dict[str, Any]:
        return await chat.converse(Session(assignment), model, assignment, args)

    return play.run("gem", {"gem-llm": version("gem-llm")}, args, play_one)


if __name__ == "__main__":
    sys.exit(play.interruptible(main))
