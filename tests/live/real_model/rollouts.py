"""Environments in every variant, and the real model that plays them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from skill_tools import pipeline
from skill_tools.frameworks.rules import load
from skill_tools.rollouts.options import RolloutOptions
from skill_tools.rollouts.rollout import RolloutProcess, roll_out, variant_venv
from tests.conftest import WORDLE
from tests.live.conftest import AUTHORS
from tests.live.frameworks import FRAMEWORKS

from .servers import NAME, Setup

STARTERS = {"game": "pure-python-game", "text": "text-action"}
ENVIRONMENTS = ("wordle", *STARTERS)
HOUR = 3600.0


@dataclass(frozen=True)
class Way:
    """A server as it is set up, how many tokens of a message are asked for, and what else is."""

    setup: Setup
    max_tokens: int = 48
    extra: str | None = None

    @property
    def options(self) -> RolloutOptions:
        """How the model is asked."""
        most, extra = self.max_tokens, self.extra
        return RolloutOptions(temperature=0.8, max_tokens=most, sampling_seed=1, extra_body=extra)


WAYS = {
    "as it comes": Way(Setup("llama.cpp")),
    "with tools": Way(Setup("llama.cpp", tools=True)),
    "small context": Way(Setup("llama.cpp", tools=True, context=640), max_tokens=24),
    "tokens": Way(Setup("llama.cpp", tools=True), extra='{"logprobs": true, "top_logprobs": 1}'),
    "transformers": Way(Setup("transformers", tools=True), max_tokens=24),
}
"""As it comes, the model never sees a tool. With few tokens, calls end in the middle. transformers
lets the model write calls of any kind; llama.cpp holds it to the schema, once it has begun one."""


def make(name: str, folder: Path) -> Path:
    """An environment by name, rendered for every framework."""
    if name == "wordle":
        shutil.copytree(WORDLE, folder, ignore=AUTHORS)
    else:
        pipeline.new(folder, STARTERS[name])
    pipeline.render(folder, list(FRAMEWORKS))
    return folder


def play(
    folder: Path,
    framework: str,
    way: Way,
    url: str,
    output: Path,
    *,
    indices: tuple[int, int] = (0, 0),
    samples: int = 1,
    max_turns: int | None = None,
    timeout: float = HOUR,
) -> list[str]:
    """Let the model play the first tasks of a split into `output`; returns what was printed."""
    spec, said = load(folder), list[str]()
    roll_out(
        RolloutProcess(
            folder,
            framework,
            variant_venv(spec, folder, FRAMEWORKS[framework]),
            timeout=timeout,
        ),
        [NAME],
        replace(
            way.options,
            base_url=f"{url}/v1",
            indices=indices,
            samples=samples,
            max_turns=max_turns,
            concurrency=way.setup.slots,
            episode_seconds=timeout,
        ),
        output=output,
        on_line=said.append,
    )
    return said
