"""Wordle for GEM: reset and step over text, one id per split.

Rendered from env.yaml; `skill-tools render` overwrites it. The rules are in the package
wordle_domain; this file gives them the types of `gem`. Importing it registers
'wordle' followed by a colon and the name of a split.
"""

from __future__ import annotations

import json
import random
from typing import Any
from xml.sax.saxutils import escape

import gem
from gem.envs.registration import ENV_REGISTRY
from wordle_domain import text_actions
from wordle_domain.episode import (
    MAX_TURNS,
    NAME,
    TOOLS,
    UNPARSED,
    Episode,
    EpisodeFailed,
    as_text,
    splits,
    tasks,
)
from wordle_domain.episode import task as one_task

QUOTE = {'"': "&quot;"}


class WordleEnv(gem.Env):
    """Episodes of one split, one after the other; or of one task again and again.

    split: where the tasks are. index, task: which one, if it is to be one. seed: the order in which
    the tasks of the split come; for one task, the seed of its world (by default the task's own).
    """

    def __init__(
        self,
        split: str = splits()[0],
        index: int | None = None,
        task: dict[str, Any] | None = None,
        seed: int | None = None,
        max_turns: int = MAX_TURNS,
    ) -> None:
        super().__init__()
        self.config = {"split": split, "index": index, "task": task, "max_turns": max_turns}
        self.tasks = tasks(split)
        self.only = one_task(split, index) if task is None and index is not None else task
        self.max_turns = max_turns
        self.episode: Episode | None = None
        self._index = index
        self._restart(seed)

    def reset(self, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        """Open the next episode, freeing the last one; with a seed, begin anew from that seed.

        The first text is the whole opening, because GEM has no system message.
        """
        # Not super().reset(seed): it reseeds generators that all threads share.
        if seed is not None:
            self._restart(seed)
        self.close()
        if self.only is None:
            if not self._left:
                self._left = self._rng.sample(range(len(self.tasks)), len(self.tasks))
            self._index = self._left.pop()
            self.episode = Episode(self.tasks[self._index], None, self.max_turns)
        else:
            self.episode = Episode(self.only, self.seed, self.max_turns)
        messages = text_actions.opening(self.episode.prompt)
        text = "\n\n".join(message["content"] for message in messages)
        return text, self._about()

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

    def spawn(self, same_state: bool = False, **kwargs: Any) -> WordleEnv:
        """A new environment like this one; with `same_state` at the same point of the same episode.

        That point is reached by playing the same calls again.
        """
        child = WordleEnv(**{**self.config, "seed": self.seed, **kwargs})
        if same_state:
            child._rng.setstate(self._rng.getstate())
            child._left, child._index = list(self._left), self._index
            child.episode = _again(self.episode) if self.episode else None
        return child

    def sample_random_action(self) -> str:
        """A call with random arguments of the right types, as a message."""
        tool = self._chance.choice(TOOLS)
        schema = tool["parameters"]
        text = f"<{text_actions.TAGS[tool['name']]}"
        for name, field in schema["properties"].items():
            if name in schema["required"] or self._chance.random() < 0.5:
                value = _random_value(field, self._chance)
                written = value if isinstance(value, str) else json.dumps(value)
                text += f' {name}="{escape(written, QUOTE)}"'
        return f"{text}/>"

    def close(self) -> None:
        """Free the world; safe to call twice."""
        if self.episode is not None:
            self.episode.close()
            self.episode = None

    def _about(self) -> dict[str, Any]:
        """Which problem this is, and the turns it took so far."""
        return {
            "split": self.config["split"] if self._index is not None else None,
            "index": self._index,
            "seed": self.episode.seed,
            "turns": self.episode.turns,
        }

    def _restart(self, seed: int | None) -> None:
        self.seed = seed
        self._rng = random.Random(seed or 0)
        self._chance = random.Random(f"actions/{seed}")
        self._left: list[int] = []


def _again(episode: Episode) -> Episode:
    """The same problem, played up to the same point."""
    twin = Episode(episode.task, episode.seed, episode.max_turns)
    for step in episode.steps:
        if step["error"] == "unreadable":
            twin.refuse(step["arguments"][UNPARSED], as_text(step["observation"]))
        else:
            twin.call(step["tool"], step["arguments"])
    if episode.over:
        twin.end()
    return twin


def _random_value(field: dict[str, Any], chance: random.Random) -> Any:
    kind = field["type"]
    if kind == "boolean":
        return chance.random() < 0.5
    if kind in ("integer", "number"):
        low = field.get("minimum", field.get("maximum", 100) - 100)
        high = field.get("maximum", low + 100)
        return chance.randint(low, high) if kind == "integer" else chance.uniform(low, high)
    if kind == "array":
        least = field.get("minItems", 0)
        count = chance.randint(least, field.get("maxItems", least + 3))
        return [_random_value(field["items"], chance) for _ in range(count)]
    if "enum" in field:
        return chance.choice(field["enum"])
    least = field.get("minLength", min(1, field.get("maxLength", 1)))
    count = chance.randint(least, field.get("maxLength", least + 7))
    return "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=count))


for _split in splits():
    if f"{NAME}:{_split}" not in ENV_REGISTRY:
        gem.register(f"{NAME}:{_split}", f"{__name__}:WordleEnv", split=_split)
