# Rendered from env.yaml; `skill-tools render` overwrites it.
"""Jupyter agent for SkyRL Gym, to import, which registers 'jupyter', or to run: see main()."""

import argparse
import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import skyrl_gym
from jupyter_domain._shared import task_table
from jupyter_domain._shared.env_spec import MAX_TURNS, NAME
from jupyter_domain._shared.episode import Episode, EpisodeFailed
from jupyter_domain._shared.rollouts import text_actions
from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput, ConversationType


class JupyterEnv(BaseTextEnv):
    """One episode, on the problem that a row of the dataset names.

    extras: that row. Its `extra_info` has `split` and `index`, or a whole `task`, and may have a
    `seed`; the trainer adds `max_turns`. env_config: the trainer's. Its `on_failure` says what is done
    when the world breaks. "end", the default, ends the episode: it pays nothing more, its metrics have
    `failed` and no return; for what raises ends SkyRL's training step. "raise" raises EpisodeFailed.
    """

    def __init__(
        self, env_config: Mapping[str, Any] | None = None, extras: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__()
        self.on_failure = _on_failure(env_config)
        row = extras or {}
        about = row.get("extra_info") or {}
        self.task = _task(about)
        self.seed = None if about.get("seed") is None else int(about["seed"])
        self.max_turns = min(MAX_TURNS, int(row.get("max_turns") or MAX_TURNS))
        self.episode: Episode | None = None
        self.failure: str | None = None

    def init(self, prompt: ConversationType) -> tuple[ConversationType, dict[str, Any]]:
        """Set up the world; returns its opening messages, which replace those of the row.

        Of a world that cannot be set up the row's stay, and the first step ends the episode.
        """
        self.close()
        self.episode = self.failure = None
        try:
            self.episode = Episode(self.task, self.seed, self.max_turns)
        except EpisodeFailed as error:
            self._fail(error)
            return prompt, {"seed": self.seed, "failure": self.failure}
        return text_actions.opening(self.episode.prompt, self.episode.tools), {
            "seed": self.episode.seed
        }

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Play what a message of the model says."""
        if self.failure:
            return self._failed([])
        if self.episode is None:
            raise RuntimeError("call init() before step()")
        try:
            answer = text_actions.play(self.episode, action)
        except EpisodeFailed as error:
            self.close()
            self._fail(error)
            return self._failed(list(error.steps))
        self.turns, done = self.episode.turns, self.episode.over
        told = {"steps": answer.steps, "final_reward": answer.final_reward}
        return BaseTextEnvStepOutput(
            # Pictures as SkyRL's `SkyRLVLMGymGenerator` takes them.
            observations=[] if done else [{"role": "user", "content": answer.content}],
            reward=answer.reward,
            done=done,
            metadata={"observation": answer.text, "truncated": self.episode.truncated, **told},
        )

    def get_metrics(self) -> dict[str, Any]:
        """What SkyRL averages over episodes; nothing before init(). One that failed has no return."""
        if self.failure:
            return {"failed": True}
        if self.episode is None:
            return {}
        played, refused = self.episode, [step["error"] is not None for step in self.episode.steps]
        counts = {"turns": played.turns, "refused": sum(refused), "truncated": played.truncated}
        return {"return": played.total, **counts, "failed": False}

    def close(self) -> None:
        """Free the world; safe to call twice."""
        if self.episode is not None:
            self.episode.close()

    def _fail(self, error: EpisodeFailed) -> None:
        """Keep why the world broke. Raises it if that is wanted."""
        if self.on_failure == "raise":
            raise error
        self.failure = str(error)
        logging.getLogger(__name__).error("an episode of %s failed: %s", NAME, error)

    def _failed(self, steps: list[dict[str, Any]]) -> BaseTextEnvStepOutput:
        told = {"observation": "", "truncated": False, "steps": steps, "final_reward": 0.0}
        metadata = {**told, "failure": self.failure}
        return BaseTextEnvStepOutput(observations=[], reward=0.0, done=True, metadata=metadata)


def _on_failure(env_config: Mapping[str, Any] | None) -> str:
    chosen = env_config.get("on_failure", "end") if env_config else "end"
    if chosen not in ("end", "raise"):
        raise ValueError(f"env_config has on_failure {chosen!r}; it is 'end' or 'raise'")
    return chosen


def _task(about: Mapping[str, Any]) -> dict[str, Any]:
    if odd := about.keys() - {"split", "index", "task", "seed"}:
        wants = "it has split and index, or a task, and may have a seed"
        raise ValueError(f"extra_info has an unknown {', '.join(map(repr, sorted(odd)))}; {wants}")
    if about.get("task") is not None:
        # A trainer reads rows with types of its own: numpy's from parquet, OmegaConf's from YAML.
        return json.loads(json.dumps(about["task"], default=_plain))
    if about.get("split") is None or about.get("index") is None:
        has = ", ".join(about) or "nothing"
        wants = "extras must have extra_info with split and index, or with a task"
        raise ValueError(f"{wants}; extra_info has: {has} (see main() for rows)")
    return task_table.task_at(str(about["split"]), int(about["index"]))


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    return dict(value) if isinstance(value, Mapping) else list(value)


if NAME not in skyrl_gym.registry:
    skyrl_gym.register(NAME, entry_point=f"{__name__}:JupyterEnv")


def row(split: str, index: int) -> dict[str, Any]:
    """A task as a row of a dataset, in SkyRL's keys: where it is, and no hidden field."""
    place = {"extra_info": {"split": split, "index": index}}
    env = JupyterEnv({"on_failure": "raise"}, place)
    prompt, info = env.init([])
    env.close()
    about = {"extra_info": {"split": split, "index": index, "seed": info["seed"]}}
    # SkyRL wants a ground truth in each row; here the environment knows what solves the task.
    about["reward_spec"] = {"method": "rule", "ground_truth": None}
    return {"data_source": NAME, "env_class": NAME, "prompt": prompt, **about}


def main() -> None:
    """Write the tasks of a split as rows that SkyRL trains on."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--split", default=task_table.splits()[0], choices=task_table.splits())
    parser.add_argument("--output", type=Path, help="a new file; default: SPLIT.jsonl")
    args = parser.parse_args()
    output, count = args.output or Path(f"{args.split}.jsonl"), len(task_table.tasks(args.split))
    if output.exists():
        parser.error(f"{output} exists; name a new file with --output")
    rows = (json.dumps(row(args.split, index)) + "\n" for index in range(count))
    output.write_text("".join(rows), "utf-8")
    print(f"{count} rows: {output}")


if __name__ == "__main__":
    main()
