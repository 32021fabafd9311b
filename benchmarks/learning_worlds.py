"""The environments of learns.py: copies that are edited to have many tasks, rendered for TRL."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from comparison import ROOT, Variant, say

sys.path.insert(0, str(ROOT))

import skill_tools
from corpora.mutants.corpus import FOUND, Mutant, copy_environment, leave_out_examples, mutants
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.rollouts.rollout import variant_venv

Calls = list[tuple[str, dict[str, Any]]]
HUNT = "starter-pure-python-game"
DIGS = tuple(("dig", {"row": row, "column": at}) for row in range(1, 6) for at in range(1, 6))
MORE_HUNTS = (
    ("tasks.py", "TRAIN = 24", "TRAIN = 400"),
    ("tasks.py", "range(1000, 1012)", "range(1000, 1064)"),
    ("tasks.py", "SIZES = (6, 7, 8)", "SIZES = (5,)"),
)


@dataclass(frozen=True)
class World:
    """An environment, and how a policy is trained in it.

    of: its name among the author's; defect: a mutant of it. edits: file, what is found, what is put instead.
    calls: the calls of the vocabulary; words: a file with one per word. numbers: all below are words.
    stops: how often the random play that is imitated stops before a call.
    """

    name: str
    title: str
    of: str
    steps: int
    rate: float
    edits: tuple[tuple[str, str, str], ...] = ()
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    words: str = ""
    numbers: int = 151
    defect: str = ""
    tasks_per_step: int = 8
    episodes: int = 8
    tokens: int = 700
    stops: float = 0.0
    warm_steps: int = 800
    warm_batch: int = 16
    warm_rate: float = 4e-3
    random_episodes: int = 1024
    held_out_tasks: int = 64
    held_out_episodes: int = 4


MORE_SHUFFLES = (
    ("tasks.py", "range(24)", "range(1000, 1400)"),
    ("tasks.py", "210 + n} for n in range(12)", "210 + n} for n in range(64)"),
)
TOSSED = 'random.Random(f"{self._cards} {self._turned}").random()'
"""A reward that nobody can play for: another number for each shuffle and each place where the game ends."""
WORLDS = (
    World(
        "haggle",
        "Haggling",
        "flea-haggle",
        120,
        1e-3,
        (
            ("tasks.py", "range(24)", "range(1000, 1400)"),
            ("tasks.py", "range(900, 912)", "range(300, 364)"),
            ("tasks.py", "number % len(LEVELS)", "0"),
            ("tasks.py", '"price": [60, 150]', '"price": [90, 110]'),
        ),
        (("accept", {}), *(("offer", {"price": price}) for price in range(1, 112))),
        warm_steps=300,
    ),
    World(
        "luck",
        "Pushing one's luck",
        "push-luck",
        150,
        4e-4,
        MORE_SHUFFLES,
        (("turn_card", {}), ("stop", {})),
        warm_steps=100,
        tokens=200,
    ),
    World(
        "tossed",
        "The same, rewarded by a coin toss",
        "push-luck",
        150,
        4e-4,
        (
            *MORE_SHUFFLES,
            (
                "world.py",
                'return "A skull: the pot is lost, and',
                f'self.reward = {TOSSED}\n            return "A skull: the pot is lost, and',
            ),
            (
                "world.py",
                "self.reward = pot / sum(self._cards[: self._safe])",
                f"self.reward = {TOSSED}",
            ),
        ),
        (("turn_card", {}), ("stop", {})),
        warm_steps=100,
        tokens=200,
    ),
    World("wordle", "Wordle", "wordle", 40, 3e-4, words="answers.txt", warm_steps=100),
    World(
        "top",
        "Treasure hunt whose reward starts at the top",
        HUNT,
        30,
        1e-3,
        MORE_HUNTS,
        DIGS,
        defect=f"{HUNT}-reward-starts-at-top",
        stops=0.1,
        warm_steps=300,
    ),
)


@dataclass(frozen=True)
class Place:
    """A copy of an environment, rendered, with TRL's venv.

    warned: the checks that `check --play` found a defect by. studied: what `learnability` said before any training: the
    verdict, why, and the names of its findings. sound: the same without the defect.
    """

    world: World
    name: str
    variant: Variant
    warned: dict[str, str]
    studied: dict[str, Any]
    sound: Place | None = None


def small(world: World) -> World:
    """As little of everything as has all parts played."""
    few = {"steps": 2, "tasks_per_step": 2, "episodes": 2, "warm_steps": 3, "warm_batch": 4}
    return replace(world, **few, random_episodes=8, held_out_tasks=4, held_out_episodes=2)


def prepared(world: World, kept: Path) -> Place:
    """Copy an environment, check it, render it for TRL, and prepare the venv."""
    folder = kept / "environments" / world.name
    shutil.rmtree(folder, ignore_errors=True)
    copy_environment(world.of, folder)
    warned = {}
    if world.defect:
        (mutant,) = (each for each in mutants() if each.name == world.defect)
        _edit(folder, [(each["file"], each["find"], each["put"]) for each in mutant.edits])
        say(f"{world.name}: check --play")
        warned = _warnings(folder, mutant)
    _edit(folder, world.edits)
    if world.edits:
        leave_out_examples(folder)  # their tasks are others after an edit of tasks.py
    spec = skill_tools.render(folder, ["trl"]).spec
    say(f"{world.name}: preparing the venv of TRL")
    venv = variant_venv(spec, folder, FRAMEWORKS["trl"], progress=say)
    sound = None
    if world.defect:
        sound = prepared(replace(world, name=f"{world.name}-sound", defect=""), kept)
    variant = Variant(folder, "trl", venv)
    return Place(world, spec.name, variant, warned, studied(world.name, folder), sound)


def studied(name: str, folder: Path) -> dict[str, Any]:
    """What `learnability` says of an environment, without any training."""
    say(f"{name}: study")
    found = skill_tools.study(folder, num_tasks=48)
    names = [f"{each.name} ({each.status})" for each in found.reported]
    return {"verdict": found.verdict, "because": found.because, "findings": names}


def _warnings(folder: Path, mutant: Mutant) -> dict[str, str]:
    """What warned of the defect, of all that `check --play` found: the checks that name its cause."""
    found = skill_tools.check(folder, play=True).report.findings
    told: dict[str, str] = {}
    for each in found:  # the first of a check is the one that says it
        if each.status in FOUND and each.check in mutant.finds:
            told.setdefault(each.check, each.message)
    return told


def _edit(folder: Path, edits: Sequence[tuple[str, str, str]]) -> None:
    for name, find, put in edits:
        text = (folder / name).read_text("utf-8")
        if text.count(find) != 1:
            raise ValueError(f"{find!r} is not once in {name} of {folder.name}")
        (folder / name).write_text(text.replace(find, put), "utf-8")
