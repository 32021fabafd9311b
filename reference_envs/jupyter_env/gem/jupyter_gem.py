# Rendered from env.yaml; `skill-tools render` overwrites it.
"""Jupyter agent for GEM: reset and step over text; importing it registers "jupyter:SPLIT"."""

import random
from typing import Any, Self

import gem
from gem.envs.registration import ENV_REGISTRY
from jupyter_domain._shared import task_table
from jupyter_domain._shared.env_spec import MAX_TURNS, NAME
from jupyter_domain._shared.episode import Episode, EpisodeFailed
from jupyter_domain._shared.rollouts import openings, random_message, replay, text_actions


class JupyterEnv(gem.Env):
    """Episodes of one split, one after the other; or of one task, again and again.

    split: where the tasks are. index, task: which one, if it is to be one; `task` is a task itself.
    seed: the order in which the tasks of the split come, which is the same for the same seed; for
    one task, the seed of its world (by default the task's own).
    """

    def __init__(
        self,
        split: str = task_table.splits()[0],
        index: int | None = None,
        task: dict[str, Any] | None = None,
        seed: int | None = None,
        max_turns: int = MAX_TURNS,
    ) -> None:
        super().__init__()
        if index is not None and task is not None:
            raise ValueError("give an index or a task, not both")
        self.config = {"split": split, "index": index, "task": task, "max_turns": max_turns}
        self.tasks = task_table.tasks(split)
        self.only = task if index is None else task_table.task_at(split, index)
        self.max_turns = min(MAX_TURNS, max_turns)
        self.episode: Episode | None = None
        self._place = {"split": split if task is None else None, "index": index}
        self._begin(seed)

    def reset(self, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        """Open the next episode, freeing the last one; with a seed, start again from that seed."""
        # Not super().reset(seed): it reseeds generators that all threads share.
        if seed is not None:
            self._begin(seed)
        self.close()
        if self.only is not None:
            self.episode = Episode(self.only, self.seed, self.max_turns)
        else:
            if not self._left:
                self._left = self._order.sample(range(len(self.tasks)), len(self.tasks))
            index = self._left.pop()
            self._place = {"split": self.config["split"], "index": index}
            self.episode = Episode(self.tasks[index], None, self.max_turns)
        # One text: GEM has neither roles nor pictures.
        messages = text_actions.opening(self.episode.prompt, self.episode.tools)
        return openings.in_one_text(messages), self._about()

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Play what a message of the model says. Raises EpisodeFailed when the domain breaks."""
        if self.episode is None:
            raise RuntimeError("call reset() before step()")
        try:
            answer = text_actions.play(self.episode, action)
        except EpisodeFailed:
            self.episode.close()
            raise
        info = {**self._about(), "steps": answer.steps, "final_reward": answer.final_reward}
        truncated = self.episode.truncated
        return answer.text, answer.reward, self.episode.over and not truncated, truncated, info

    def close(self) -> None:
        """Free the world; safe to call twice."""
        if self.episode is not None:
            self.episode.close()
            self.episode = None

    def get_state(self) -> dict[str, Any]:
        """The running episode as JSON data: its problem and every call so far; {} before reset()."""
        if self.episode is None:
            return {}
        if self.episode.failure:
            raise EpisodeFailed(self.episode.failure)
        problem = {key: getattr(self.episode, key) for key in ("task", "seed", "max_turns", "over")}
        return {**problem, **self._place, "steps": list(self.episode.steps)}

    def set_state(self, state: dict[str, Any]) -> None:
        """Take an episode up where get_state() found it, by playing the same calls again."""
        self.close()
        if "task" in state:
            self._place = {"split": state["split"], "index": state["index"]}
            self.episode = replay.replayed(state)

    def spawn(self, same_state: bool = False, **kwargs: Any) -> Self:
        """A new environment like this one, with what the arguments change.

        With `same_state` it takes up the running episode as it is (see set_state) and goes on with
        the same tasks, if the arguments change neither them nor the seed.
        """
        config = {**self.config, "seed": self.seed}
        if kwargs.keys() & {"split", "index", "task"}:
            config |= {"index": None, "task": None}
        child = type(self)(**{**config, **kwargs})
        if same_state:
            child.set_state(self.get_state())
            if kwargs.keys() <= {"max_turns"}:
                child._left = list(self._left)
                child._order.setstate(self._order.getstate())
                child._chance.setstate(self._chance.getstate())
        return child

    def sample_random_action(self) -> str:
        """A call with random arguments that fit the tool's schema, as a message."""
        return random_message.random_message(self._chance)

    def _begin(self, seed: int | None) -> None:
        self.seed = None if seed is None else int(seed)
        self._order = random.Random(self.seed or 0)
        self._chance = random.Random(f"actions/{self.seed}")
        self._left: list[int] = []

    def _about(self) -> dict[str, Any]:
        """Which problem this is, and the turns it took so far."""
        return {**self._place, "seed": self.episode.seed, "turns": self.episode.turns}


for _split in task_table.splits():
    if f"{NAME}:{_split}" not in ENV_REGISTRY:
        gem.register(f"{NAME}:{_split}", f"{__name__}:JupyterEnv", split=_split)
