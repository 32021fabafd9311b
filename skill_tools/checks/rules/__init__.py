"""The rules: one module or package per family of checks, whose ids begin with the family's letters."""

from __future__ import annotations

from operator import attrgetter
from types import ModuleType

from skill_tools.checks.check import Check
from skill_tools.checks.rules import (
    audits,
    contract,
    data,
    determinism,
    episodes,
    examples,
    graders,
    isolation,
    learnability,
    models,
    observations,
    parity,
    ports,
    rendering,
    resources,
    reviews,
    rewards,
    spec,
    tasks,
    words,
)

_FAMILIES: dict[str, tuple[ModuleType, str]] = {
    "SPE": (spec, "the env spec"),
    "REV": (reviews, "readers' claims"),
    "WOR": (words, "prompts against behavior"),
    "REN": (rendering, "rendering and drift"),
    "CON": (contract, "the domain contract"),
    "EXA": (examples, "worked examples"),
    "EPI": (episodes, "episodes"),
    "DET": (determinism, "determinism and seeds"),
    "TAS": (tasks, "tasks and splits"),
    "REW": (rewards, "rewards"),
    "ISO": (isolation, "isolation and leaks"),
    "RES": (resources, "resources"),
    "OBS": (observations, "observations"),
    "PAR": (parity, "parity between variants"),
    "POR": (ports, "ports and their originals"),
    "DAT": (data, "data sets"),
    "GRA": (graders, "graders of answers"),
    "MOD": (models, "models inside the environment"),
    "LRN": (learnability, "learnability"),
    "AUD": (audits, "audits of any environment"),
}
FAMILIES = {letters: what for letters, (_, what) in _FAMILIES.items()}
"""The subject of each family, by the letters with which its ids begin."""
MODULES = {
    letters: module.__name__.rpartition(".")[2] for letters, (module, _) in _FAMILIES.items()
}
"""The module or package of each family's rules, which is also the name of its page."""
CHECKS: dict[str, Check] = {
    each.id: each
    for module, _ in _FAMILIES.values()
    for each in sorted(module.CHECKS, key=attrgetter("id"))
}
"""Every check by its id, family by family."""
