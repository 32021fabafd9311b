"""Roll out Wordle on SkyRL Gym, with any OpenAI-compatible model.

Rendered from env.yaml; `skill-tools render` overwrites it. It drives the environment as SkyRL's
generator does. Run it with --help to see the arguments.
"""

import sys
from importlib.metadata import version
from typing import Any

import skyrl_gym
import wordle_skyrl  # noqa: F401 - registers the environment
from wordle_domain._shared import chat, play


class Session:
    """One episode, behind the interface that SkyRL's generator uses."""

    def __init__(self, assignment: play.Assignment) -> None:
        about = {"task": assignment.task, "seed": assignment.seed}
        extras = {"extra_info": about, "max_turns": assignment.max_turns}
        self.env = skyrl_gym.make(play.env_spec.NAME, extras=extras)
        self.prompt: list[dict[str, Any]] = []

    async def open(self) -> None:
        """Set up the world."""
        self.prompt, _ = self.env.init([])

    async def say(self, message: str, played: chat.Played) -> str:
        """Play one message of the model; returns what it sees next."""
        output = self.env.step(message)
        told = output["metadata"]
        played.steps += told["steps"]
        played.final_reward = told["final_reward"]
        played.truncated, played.over = told["truncated"], output["done"]
        return told["observation"]

    async def close(self) -> None:
        """Free the world."""
        self.env.close()


def main() -> int:
    """Play what the command line asks for; returns the exit code."""
    args = play.parse_arguments("SkyRL Gym")

    async def play_one(model: str, assignment: play.Assignment) -> dict[str, Any]:
        session = Session(assignment)
        return await chat.converse(session, model, assignment, args)

    return play.run("skyrl_gym", {"skyrl-gym": version("skyrl-gym")}, args, play_one)


if __name__ == "__main__":
    sys.exit(play.interruptible(main))
