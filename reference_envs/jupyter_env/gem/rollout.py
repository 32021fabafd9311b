"""Roll out Jupyter agent on GEM, with any OpenAI-compatible model.

Rendered from env.yaml; `skill-tools render` overwrites it. Run it with --help to see the arguments.
"""

import logging
import sys
from importlib.metadata import version
from typing import Any

import gem
import jupyter_gem  # noqa: F401 - registers the environment
from jupyter_domain._shared import chat, env_spec, play, task_table, threads


class Session:
    """One episode, behind GEM's reset and step."""

    def __init__(self, assignment: play.Assignment) -> None:
        name = f"{env_spec.NAME}:{assignment.split or task_table.splits()[0]}"
        self.env = gem.make(
            name, task=assignment.task, seed=assignment.seed, max_turns=assignment.max_turns
        )
        self.prompt: list[dict[str, Any]] = []
        self.thread = threads.EpisodeThread(self.env)

    async def open(self) -> None:
        """Set up the world."""
        text, _ = await self.thread.run(self.env.reset)
        self.prompt = [{"role": "user", "content": text}]

    async def say(self, message: str, played: chat.Played) -> str:
        """Play one message of the model; returns what it sees next."""
        outcome = await self.thread.run(self.env.step, message)
        text, _, terminated, truncated, info = outcome
        played.steps += info["steps"]
        played.final_reward = info["final_reward"]
        played.truncated, played.over = truncated, terminated or truncated
        return text

    async def close(self) -> None:
        """Free the world."""
        await self.thread.close()


def main() -> int:
    """Play what the command line asks for; returns the exit code."""
    # Importing gem sets it to INFO, which prints a line for every model request.
    logging.getLogger().setLevel(logging.WARNING)
    args = play.parse_arguments("GEM")

    async def play_one(model: str, assignment: play.Assignment) -> dict[str, Any]:
        session = Session(assignment)
        return await chat.converse(session, model, assignment, args)

    return play.run("gem", {"gem-llm": version("gem-llm")}, args, play_one)


if __name__ == "__main__":
    sys.exit(play.interruptible(main))
