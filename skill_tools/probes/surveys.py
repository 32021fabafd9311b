"""Surveys: queries about the domain as a whole, in addition to trials, which play single scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from skill_tools.evidence.calls import Calls, calls_of, deciding
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.policies import scripted
from skill_tools.probes import coverage
from skill_tools.probes.players import chance, shortcuts
from skill_tools.probes.probe import ProbeContext, Trial
from skill_tools.reference.playbook import Playbook
from skill_tools.reference.process import Query
from skill_tools.spec.model import EnvSpec

MOST_OPENED = 1500
"""Maximum tasks of a split to open, while there is time."""
MOST_SOLVED = 12
"""Maximum tasks in a split for the oracle, beyond those that every policy played."""
WANDERED = 120
"""Maximum tasks for random legal calls."""
DRAWN = 400
"""Number of random calls to draw; an episode uses as many as it needs."""
EPISODES = 150
"""Maximum episodes of a soak test, while there is time."""
ENDURED = 3
"""Number of tasks in a soak test, played in turn."""
RESEEDED = 5
"""Maximum tasks to play under other seeds."""
OFFSETS = (1, 2, 3, 17, 1000003, *range(101, 241, 7))
"""Offsets to a task's own seed: small ones, large ones, and ones with varied remainders."""


def write_surveys(
    spec: EnvSpec,
    folder: Path,
    playbook: Playbook,
    ground: ProbeContext,
    solved: Sequence[Trajectory],
    trials: Mapping[str, Sequence[Trial]],
    limit: Mapping[str, Any],
) -> dict[str, Query]:
    """Return the queries about the domain as a whole, keyed by probe."""
    split = playbook.tasks.split
    played, wanted = {split: len(playbook.tasks.tasks)}, {"most": MOST_OPENED, "solve": MOST_SOLVED}
    decided = [
        (each.index, *calls_of(each)[deciding(each)])
        for each in solved
        if calls_of(each) and ground.won(each)
    ]
    scripts = [(each.index, calls_of(each)) for each in solved[:ENDURED]]
    asked = {
        "survey": (
            "survey_play",
            "opening and solving tasks of all splits",
            {"played": played, "top": ground.top, **wanted},
        ),
        "soak": (
            "endure",
            "playing many episodes in one process",
            {"split": split, "scripts": scripts, "episodes": EPISODES},
        ),
        "answer_key": (
            "foresee",
            "playing the values of task fields",
            {"split": split, "decided": decided, "top": ground.top},
        ),
    }
    if not spec.blocking:
        asked["shortcut"] = (
            "show_tasks",
            "opening tasks from which rules are learned",
            {"split": split, "most": shortcuts.TASKS, "top": ground.top}
            | {"asked": shortcuts.fixed_calls(ground)},
        )
    if spec.seed.used:
        count = min(RESEEDED, len(solved))
        asked["seeds"] = (
            "solve_seeds",
            "the oracle under other seeds",
            {"split": split, "count": count, "offsets": list(OFFSETS), "top": ground.top},
        )
    asked |= _of_some(spec, folder, split, scripts)
    if not spec.blocking:
        drawn = [_drawn(ground, number) for number in range(3)]
        asked["random_play"] = (
            "wander_all",
            "playing legal calls at random",
            {"most": WANDERED, "drawn": drawn, "top": ground.top},
        )
    limits = {"max_turns": spec.episode.max_turns, "limit": limit}
    found = {name: Query(do, what, {**more, **limits}) for name, (do, what, more) in asked.items()}
    return found | _of_chance(spec, ground, limit) | _of_names(spec, folder, ground, trials, limit)


def _of_chance(spec: EnvSpec, ground: ProbeContext, limit: Mapping[str, Any]) -> dict[str, Query]:
    """Return the queries for a domain in which luck decides; otherwise return no queries."""
    if spec.reward.best != "luck":
        return {}
    asked = chance.dealing(ground, _drawn(ground, 0), limit, reseed=spec.seed.used)
    asked["max_turns"] = spec.episode.max_turns
    return {"chance": Query("play_chance", "dealing many hands", asked, share=chance.LONGER)}


def _of_names(
    spec: EnvSpec,
    folder: Path,
    ground: ProbeContext,
    trials: Mapping[str, Sequence[Trial]],
    limit: Mapping[str, Any],
) -> dict[str, Query]:
    """Return the query about branches if the domain's code tests for named values; otherwise return no queries."""
    if spec.backend != "none" or not coverage.asks_for_names(spec, folder):
        return {}
    drawn = [_drawn(ground, number) for number in range(2)]
    return {"coverage": coverage.reaching(spec, trials, drawn, limit)}


def _of_some(
    spec: EnvSpec, folder: Path, split: str, scripts: Sequence[tuple[int | None, Calls]]
) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Return the queries for a domain with status(), and for a domain with a sandbox."""
    asked: dict[str, tuple[str, str, dict[str, Any]]] = {}
    if has_status(spec, folder):
        asked["status"] = (
            "ask_often",
            "additional calls to status()",
            {"split": split, "scripts": scripts[:1] if spec.blocking else scripts},
        )
    if spec.backend != "none":
        asked["lost_sandbox"] = (
            "break_session",
            "playing with a closed sandbox",
            {"split": split, "script": scripts[0]},
        )
    return asked


def has_status(spec: EnvSpec, folder: Path) -> bool:
    """Return whether the domain's file defines status(). An inherited status() does not count."""
    path = folder / f"{spec.domain_module}.py"
    text = path.read_text("utf-8", "replace") if path.is_file() else ""
    return "status" not in spec.tools and "def status(self" in text


def sample_calls(spec: EnvSpec, label: str) -> Calls:
    """Return random calls that the schemas allow. Half of the values in these calls come from the author's samples."""
    samples = {name: tool.samples() for name, tool in spec.actions.items()}
    script = scripted.sampled(spec.tool_rules(), label, DRAWN, samples=samples)
    return [(call.tool, call.arguments) for turn in script for call in turn.calls]


def _drawn(ground: ProbeContext, number: int) -> list[tuple[str, Any]]:
    """Return random calls. If a call is refused, the player takes the next call."""
    script = scripted.sampled(ground.tools, f"wander {number}", DRAWN, seed=number)
    return [(call.tool, call.arguments) for turn in script for call in turn.calls]
