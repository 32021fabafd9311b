"""What real servers answer and refuse, played through every variant: each episode ends as it should."""

from __future__ import annotations

import runpy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from skill_tools.evidence.trajectory import Trajectory
from skill_tools.frameworks.rules import load
from skill_tools.rollouts.options import RolloutOptions
from skill_tools.rollouts.rollout import RolloutProcess, roll_out, variant_venv
from skill_tools.spec.model import EnvSpec
from tests.live.frameworks import FRAMEWORKS
from tests.selection import some

from .kinds import KINDS, names
from .server import ModelServer, Seen
from .wire import GUESS, OTHER, Expected

SETTINGS: dict[str, dict[str, Any]] = {
    "chat": {"max_tokens": 512},
    "responses": {"api": "responses"},
}
TEMPERATURE = "temperature_not_taken"
CALLING = [name for name, facts in FRAMEWORKS.items() if facts.actions != "text"]


@dataclass(frozen=True)
class Played:
    """What came of every kind in one variant."""

    framework: str
    trajectories: dict[str, Trajectory]
    seen: dict[str, Seen]
    said: str


def play(spec: EnvSpec, folder: Path, framework: str, api: str) -> Played:
    """Play every kind of an API in one rollout, and what needs a setting of its own in another."""
    word = runpy.run_path(str(folder / "tasks.py"))["TASKS"]["train"][0]["answer"]
    assert word not in (GUESS, OTHER)
    lines: list[str] = []
    found: list[Trajectory] = []
    groups: dict[float | None, list[str]] = {None: [n for n in names(api) if n != TEMPERATURE]}
    if api == "chat":
        groups[0.16] = [TEMPERATURE]
    with ModelServer(word) as server:
        for temperature, models in groups.items():
            found += roll_out(
                RolloutProcess(
                    folder,
                    framework,
                    variant_venv(spec, folder, FRAMEWORKS[framework]),
                    timeout=300,
                ),
                models,
                RolloutOptions(
                    base_url=server.base_url,
                    split="train",
                    episode_seconds=60,
                    concurrency=8,
                    temperature=temperature,
                    **SETTINGS[api],
                ),
                on_line=lines.append,
            )
        return Played(framework, {t.model: t for t in found}, dict(server.seen), "\n".join(lines))


@pytest.fixture(scope="module", params=some(FRAMEWORKS, ("openenv", "skyrl_gym")))
def played(request: pytest.FixtureRequest, wordle: Path) -> Played:
    return play(load(wordle), wordle, request.param, "chat")


@pytest.fixture(scope="module", params=some(CALLING, ("openenv",)))
def responded(request: pytest.FixtureRequest, wordle: Path) -> Played:
    return play(load(wordle), wordle, request.param, "responses")


@pytest.mark.parametrize("name", names("chat"))
def test_an_episode_with_such_a_server_ends_as_it_should(played: Played, name: str) -> None:
    textual = FRAMEWORKS[played.framework].actions == "text"
    compare(played, name, KINDS[name].text if textual else KINDS[name].calling)


@pytest.mark.parametrize("name", names("responses"))
def test_an_episode_with_such_a_responses_server_ends_as_it_should(
    responded: Played, name: str
) -> None:
    compare(responded, name, KINDS[name].calling)


def test_calls_as_text_are_told_of_at_the_end(played: Played) -> None:
    if FRAMEWORKS[played.framework].actions != "text":
        assert "--tool-call-parser" in played.said


def compare(played: Played, name: str, expected: Expected) -> None:
    """Hold an episode, and what its server saw, against what was expected of it."""
    problems = differences(played.trajectories[name], played.seen.get(name, Seen()), expected)
    assert not problems, f"{name} ({KINDS[name].source}): " + "; ".join(problems)


def differences(found: Trajectory, seen: Seen, expected: Expected) -> list[str]:
    """All that is not as expected, in words."""
    failure = found.failure.message if found.failure else ""
    reported = found.steps[0].text if found.steps else ""
    pairs = {
        "end": (found.end, expected.end),
        "return": (found.total, expected.total),
        "errors": (tuple(step.error for step in found.steps), expected.errors),
        "limit": (getattr(found, "limit", None), expected.limit),
        "requests refused by the kind": (len(seen.refused), expected.refused),
    }
    if expected.requests is not None:
        pairs["requests"] = (len(seen.requests), expected.requests)
    if expected.usage is not None:
        first = (getattr(found, "turns", None) or [{}])[0]
        usage = first.get("usage") if isinstance(first, dict) else getattr(first, "usage", None)
        pairs["usage"] = (dict(usage or {}), dict(expected.usage))
    told = tuple(turn["tokens"] for turn in found.turns if "tokens" in turn)
    pairs["tokens"] = (told, expected.tokens)
    problems = [f"{what}: {a!r}, not {b!r}" for what, (a, b) in pairs.items() if a != b]
    if expected.says not in failure:
        problems.append(f"the failure does not say {expected.says!r}")
    if expected.message not in reported:
        problems.append(f"the model was not told {expected.message!r}, but {reported[:200]!r}")
    if seen.broken:
        problems.append(f"a request that strict servers refuse: {seen.broken[0][:300]}")
    if any(label != found.label for label in seen.labels):
        problems.append(f"labels {set(seen.labels)}")
    if failure and expected.end != "failed":
        problems.append(f"it failed: {failure[:300]}")
    return problems
