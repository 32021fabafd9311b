"""Rollout options, each defined once for the command line, the library, clusters and rollout.py.

The command line derives its options from the fields that have a help text; see ``skill_tools.cli.options``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any


def option(default: Any, text: str, **more: Any) -> Any:
    """Define a field that is a command-line option, with its help text and ``flag``, ``min``, ``max`` or other typer
    settings."""
    return field(default=default, metadata={"help": text, **more})


@dataclass(frozen=True)
class RolloutOptions:
    """Settings for the episodes that a variant's rollout.py plays, and for its requests to a model.

    None leaves the value to rollout.py or, for request fields, to the model's server.
    """

    base_url: str | None = option(
        None, "OpenAI-compatible endpoint of the model (key: ROLLOUT_API_KEY)"
    )
    indices: tuple[int, int] = (0, 0)
    """First and last task of the split; the command line has `--index 0-9`."""
    split: str | None = option(None, "split to play. Default: the first")
    seed: int | None = option(None, "seed of the world. Default: the task's own")
    max_turns: int | None = option(
        None, "maximum turns per episode. Default: the episode's own limit", min=1
    )
    samples: int = option(1, "number of episodes per task", min=1)
    concurrency: int | None = option(
        None,
        "maximum concurrent episodes of a model. Default: 1, or 16 per batch with --cluster",
        min=1,
    )
    episode_seconds: float | None = option(
        None,
        "maximum seconds for one message, after which generation stops. Default: 3600",
        min=1,
    )
    api: str | None = option(None, "API of the endpoint: chat or responses")
    temperature: float | None = option(None, "sampling temperature. Default: the server's")
    top_p: float | None = option(None, "nucleus sampling threshold. Default: the server's")
    max_tokens: int | None = option(
        None, "maximum tokens per message. Default: the server's", min=1
    )
    sampling_seed: int | None = option(None, "base seed; sample k uses seed + k")
    stop: Sequence[str] = option((), "stop sequence; repeatable")
    extra_body: str | None = option(None, "JSON object with additional request fields")
    stream: bool = option(False, "stream the server's replies")
    strip_reasoning: bool = option(False, "do not send reasoning back to the model")
    action_api: str | None = option(
        None, "screen API that the model uses: tools, openai, anthropic or qwen"
    )
    coordinates: str | None = option(
        None, "coordinates that the model uses: pixels, thousandths, or a size such as 640x480"
    )

    roles_model: str | None = option(
        None,
        "model for all models inside the environment (key: NAME_ROLES_API_KEY). Default: stand-ins",
    )
    roles_base_url: str | None = option(None, "OpenAI-compatible endpoint of --roles-model")
    replies: str | None = option(
        None, "trajectories from which to replay the replies of models inside the environment"
    )

    @property
    def episodes_per_model(self) -> int:
        """Number of episodes that each model plays."""
        first, last = self.indices
        return (last - first + 1) * self.samples

    def arguments(self) -> list[str]:
        """Return the options as command line arguments of rollout.py."""
        words = ["--index", f"{self.indices[0]}-{self.indices[1]}"]
        for each in fields(self):
            name, value = f"--{each.name.replace('_', '-')}", getattr(self, each.name)
            if each.name == "indices" or value == each.default:
                continue
            if isinstance(value, bool):
                words.append(name)
            elif each.name == "stop":
                words += [name, *value]
            else:
                words += [name, str(value)]
        return words


@dataclass(frozen=True)
class SamplePlan:
    """Settings for a model's samples in a study: how many to play, when to end, and what counts as a pass.

    A study ends as soon as all samples are played, ``episodes`` have started, the batch that exhausts
    ``token_budget`` has ended, or pass@1 is known to within ``ci_halfwidth``.
    """

    num_tasks: int | None = None
    """Number of tasks to play, of every level. Default: 24."""
    episodes: int | None = option(None, "maximum number of episodes that the model plays", min=1)
    token_budget: int | None = option(
        None, "token budget; the model stops after the batch that exhausts it", min=1
    )
    ci_halfwidth: float | None = option(
        None, "stop the model when pass@1 is known to within plus or minus this value, such as 0.05"
    )
    threshold: float | None = option(
        None, "minimum return that counts as a pass. Default: the task's maximum"
    )
    price_in: float | None = option(None, "price per million input tokens", min=0)
    price_out: float | None = option(None, "price per million output tokens", min=0)
    restart: bool = option(False, "start over with the model, keeping the old file")

    @property
    def ends_early(self) -> bool:
        """Whether the study can end before every sample is played."""
        return any(
            each is not None for each in (self.episodes, self.token_budget, self.ci_halfwidth)
        )
