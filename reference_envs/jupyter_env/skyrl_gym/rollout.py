# Rendered from env.yaml; `skill-tools render` overwrites it.
"""Roll out Jupyter agent on SkyRL Gym, as SkyRL's generator drives it; --help tells the arguments."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # with PYTHONSAFEPATH Python leaves it out

import jupyter_skyrl  # noqa: F401 - registers the environment
import skyrl_gym
from jupyter_domain._shared import env_spec
from jupyter_domain._shared.rollouts import chat, play


class Session:
    """One episode, as `chat.converse` plays it."""

    def __init__(self, assignment: play.Assignment) -> None:
        about = {"task": assignment.task, "seed": assignment.seed}
        extras = {"extra_info": about, "max_turns": assignment.max_turns}
        # A failed episode has no score here; in training it ends instead.
        config = {"on_failure": "raise"}
        self.env = skyrl_gym.make(env_spec.NAME, env_config=config, extras=extras)
        self.close = self.env.close

    def open(self) -> list[dict[str, Any]]:
        """Set up the world."""
        return self.env.init([])[0]

    def say(self, message: str, played: play.Played) -> Any:
        """Play one message of the model; returns what it sees next."""
        output = self.env.step(message)
        told = output["metadata"]
        played.steps += told["steps"]
        played.final_reward, played.truncated = told["final_reward"], told["truncated"]
        played.over = output["done"]
        return told["observation"] if played.over else output["observations"][0]["content"]


if __name__ == "__main__":
    sys.exit(chat.main("SkyRL Gym", "skyrl_gym", "skyrl-gym", Session))
