"""Jupyter agent for SkyRL Gym: one object per episode, driven by the model's text.

Rendered from env.yaml; `skill-tools render` overwrites it. The rules are in the package
jupyter_domain; this file gives them the types of `skyrl_gym`. Importing it registers the id
'jupyter'.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import skyrl_gym
from jupyter_domain._shared import text_actions
from jupyter_domain._shared.env_spec import MAX_TURNS, NAME
from jupyter_domain._shared.episode import Episode, EpisodeFailed
from jupyter_domain._shared.task_table import task
from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput, ConversationType


class JupyterEnv(BaseTextEnv):
    """One episode, on the problem that a row of the dataset names.

    extras: that row. Its `extra_info` has `split` and `index`, or a whole `task`, and may have a
    `seed`; the trainer adds `max_turns`. What else is in it belongs to others and is left alone.
    env_config: the trainer's section for this environment, in which nothing is expected.
    """

    def __init__(
        self, env_config: Mapping[str, Any] | None = None, extras: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__()
        row = extras or {}
        about = row.get("extra_info") or {}
        self.task = _task(about)
        self.seed = None if about.get("seed") is None else int(about["seed"])
        self.max_turns = min(MAX_TURNS, int(row.get("max_turns") or MAX_TURNS))
        self.episode: Episode | None = None

    def init(self, prompt: ConversationType) -> tuple[ConversationType, dict[str, Any]]:
        """Set up the world; returns its opening messages, which replace those of the row."""
        self.close()
        self.episode = Episode(self.task, self.seed, self.max_turns)
        return text_actions.opening(self.episode.prompt), {"seed": self.episode.seed}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Play what a message of the model says. Raises EpisodeFailed when the domain breaks."""
        if self.episode is None:
            raise RuntimeError("call init() before step()")
        try:
            answer = text_actions.play(self.episode, action)
        except EpisodeFailed:
            self.close()
            raise
        self.turns = self.episode.turns
        done = self.episode.over
        return BaseTextEnvStepOutput(
            observations=[] if done else [{"role": "user", "content": answer.text}],
            reward=answer.reward,
            done=done,
            metadata={
                "observation": answer.text,
                "steps": answer.steps,
                "final_reward": answer.final_reward,
                "truncated": self.episode.truncated,
            },
        )

    def get_metrics(self) -> dict[str, Any]:
        """What SkyRL averages over episodes; nothing before init()."""
        if self.episode is None:
            return {}
        return {
            "return": self.episode.total,
            "turns": self.episode.turns,
            "refused": sum(step["error"] is not None for step in self.episode.steps),
            "truncated": self.episode.truncated,
        }

    def close(self) -> None:
        """Free the world; safe to call twice."""
        if self.episode is not None:
            self.episode.close()


def _task(about: Mapping[str, Any]) -> dict[str, Any]:
    if about.get("task") is not None:
        return _plain(about["task"])
    if about.get("split") is None or about.get("index") is None:
        raise ValueError(
            "extras must have extra_info with split and index, or with a task; "
            f"extra_info has: {', '.join(about) or 'nothing'} (dataset.py writes such rows)"
        )
    return task(str(about["split"]), int(about["index"]))


def _plain(value: Any) -> Any:
    """What a trainer reads from a file or a configuration, as Python's own types."""
    if hasattr(value, "tolist"):  # numpy's scalars and arrays, which rows of a parquet file hold
        value = value.tolist()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_plain(item) for item in value]
    return value


if NAME not in skyrl_gym.registry:
    skyrl_gym.register(NAME, entry_point=f"{__name__}:JupyterEnv")
