"""A solver's files, its last message, and the episodes played on the files. All scorers use this data."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from evals.case import Case
from evals.episode import Episode, Play, PlayError, Step
from evals.rollouts.folders import Found, find
from evals.rollouts.variant import playing

AT_MOST = 3
"""Maximum episodes in which a variant may break. After that, all remaining episodes count as lost, unplayed."""
OURS = ("runs", "env.lock.json", "__pycache__", ".venv")
"""Files to remove before grading, because reports and caches prove nothing."""


class Played(BaseModel):
    """One hidden episode in one framework."""

    episode: str
    framework: str
    outcomes: dict[str, tuple[bool, str]]
    steps: list[dict[str, Any]] = []
    problem: str = ""
    """The reason why the episode could not continue."""


class Attempt(BaseModel):
    """The data of an attempt that the scorers use."""

    folder: str
    frameworks: list[str]
    """The frameworks that this sample requests."""
    found: dict[str, str] = {}
    """The file of each variant that was found, below the folder."""
    problems: dict[str, str] = {}
    """For each variant that does not start, the reason."""
    tools: dict[str, list[str]] = {}
    played: list[Played] = []
    said: str = ""
    """The solver's last words."""
    loaded: dict[str, str | None] | None = {}
    """For each sentence of the user, the skill that loaded; None if none of our skills was installed."""
    effort: dict[str, Any] = {}
    """The agent's own report: numbers of tokens, turns and seconds, for example."""


def copied(workspace: Path, to: Path) -> Path:
    """Copy the solver's files, without reports and caches that could make the files look better than they are."""
    ignored = shutil.ignore_patterns(*OURS)
    return Path(shutil.copytree(workspace, to, ignore=ignored, symlinks=True))


def play(case: Case, folder: Path, frameworks: list[str], scratch: Path) -> Attempt:
    """Find the variants in a folder, and play every hidden episode in each requested variant."""
    attempt = Attempt(folder=str(folder), frameworks=frameworks)
    there = find(folder) if folder.is_dir() else {}
    attempt.found = {name: str(each.file.relative_to(folder)) for name, each in there.items()}
    for framework in frameworks:
        if framework in there:
            _play_variant(case, there[framework], scratch / framework, attempt)
    return attempt


def _play_variant(case: Case, found: Found, scratch: Path, attempt: Attempt) -> None:
    settings = {"tags": case.asks.tags}
    try:
        with playing(found, scratch, settings) as player:
            broken = 0
            for episode in case.episodes:
                if broken >= AT_MOST:
                    lost = f"not played: {AT_MOST} episodes broke before it"
                    attempt.played.append(_lost(episode, found.framework, lost))
                    continue
                played = _play_one(episode, player, attempt)
                attempt.played.append(played)
                broken += bool(played.problem)
    except PlayError as error:
        attempt.problems[found.framework] = str(error)


def _play_one(episode: Episode, player: Any, attempt: Attempt) -> Played:
    play = Play(player, episode.names)
    problem = ""
    try:
        episode.script(play)
    except PlayError as error:
        problem = str(error)
    except Exception as error:  # noqa: BLE001 - what a script cannot read is the attempt's to mend
        problem = f"the episode could not be read: {type(error).__name__}: {error}"
    attempt.tools.setdefault(player.framework, [tool.name for tool in play.tools])
    outcomes = dict(play.outcomes)
    for name in episode.names:
        outcomes.setdefault(name, (False, f"not reached: {problem or 'the episode ended before'}"))
    return Played(
        episode=episode.name, framework=player.framework, outcomes=outcomes, problem=problem,
        steps=[_step(step) for step in play.steps],
    )  # fmt: skip


def _step(step: Step) -> dict[str, Any]:
    return {"said": step.said, "seen": step.seen, "reward": step.reward, "done": step.done}


def _lost(episode: Episode, framework: str, why: str) -> Played:
    outcomes = dict.fromkeys(episode.names, (False, why))
    return Played(episode=episode.name, framework=framework, outcomes=outcomes, problem=why)
