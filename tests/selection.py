"""Which tests a run plays: by markers, and by the paths that a change touches.

A plain run plays what is fast, and a smoke test of each framework. Each other test is in one part:
that of its ``everything("part")`` marker, or, of a live test without one, that of its file (``LIVE`` in parts.py).
The live tests without a marker are the core of their part.

=============== ===============================================================================
(no option)     what is fast, and ``tests/live/test_smoke.py``
--changed       also the parts that cover a changed file: whole if they take little, else their core
--parts A,B     these parts, whole, and nothing else
--everything    all
=============== ===============================================================================

What the command names by its file is always played, and so is a named folder of live tests.
"""

from __future__ import annotations

import subprocess
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .parts import EVERY_PART, LIVE, MOST_MINUTES, PARTS

ROOT = Path(__file__).parent.parent
LANDED = ("origin/HEAD", "origin/main", "main")
"""Names of the branch that holds what has landed; the first that exists counts."""
TOGETHER = (
    "suffered", "session", "served", "built", "by_hand", "local", "played", "framework", "archetype", "place",
)  # fmt: skip
"""Parameters that cost much to set up or to share: tests with one value stay on one worker."""


@dataclass(frozen=True)
class Plan:
    """What a run plays.

    fast: whether it plays what is in no part. core: parts whose core it plays. whole: those that it
    plays whole.
    """

    fast: bool = True
    core: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()

    def plays(self, item: pytest.Item) -> bool:
        """Whether it plays a test."""
        part, core = part_of(item)
        if part is None:
            return self.fast
        return part in self.whole or (core and part in self.core)

    def __str__(self) -> str:
        said = {
            "what is fast": self.fast,
            f"all of {', '.join(sorted(self.whole))}": self.whole,
            f"the core of {', '.join(sorted(self.core - self.whole))}": self.core - self.whole,
        }
        return "; ".join(what for what, there in said.items() if there)


EVERYTHING = Plan(whole=frozenset(PARTS))


def plan_of(changed: Collection[str]) -> Plan:
    """Return the core of each part that changed, and in the order of PARTS as many whole parts as there is time for."""
    minutes = sum(PARTS[name].core for name in changed)
    whole = set()
    for name in sorted(changed, key=[*PARTS].index):
        more = (PARTS[name].whole or MOST_MINUTES + 1) - PARTS[name].core
        if minutes + more <= MOST_MINUTES:
            minutes += more
            whole.add(name)
    return Plan(core=frozenset(changed), whole=frozenset(whole))


def part_of(item: pytest.Item) -> tuple[str | None, bool]:
    """The part that a test is in, if any, and whether it is of its core.

    Fails for a part that does not exist.
    """
    # A parameter's marker comes after its function's, and is the more specific of the two.
    own = [mark for mark in item.own_markers if mark.name == "everything"]
    marker = own[-1] if own else item.get_closest_marker("everything")
    if marker:
        (name,) = marker.args
        assert name in PARTS, f"{item.nodeid} is marked everything({name!r}); there are {[*PARTS]}"
        return name, False
    if item.get_closest_marker("smoke") or not (is_live(item) or item.get_closest_marker("live")):
        return None, False
    if not item.path.is_relative_to(ROOT / "tests"):
        return LIVE["tests"], True
    path = item.path.relative_to(ROOT)
    return next(LIVE[str(each)] for each in (path, *path.parents) if str(each) in LIVE), True


def named(arguments: Iterable[str]) -> bool:
    """Whether a command names tests by their file, or a folder of live tests."""
    paths = [Path(each.partition("::")[0]) for each in arguments]
    live = ROOT / "tests" / "live"
    return any(path.suffix == ".py" or path.absolute().is_relative_to(live) for path in paths)


def some(names: Iterable[Any], usual: Iterable[Any], part: str = "frameworks") -> list[Any]:
    """Parameters of which only the usual ones are played without the part."""
    mark = pytest.mark.everything(part)
    return [pytest.param(name, marks=[] if name in usual else mark) for name in names]


def few(rows: Iterable[Any], count: int, part: str) -> list[Any]:
    """Rows of which only the first ones are played without the part."""
    mark = pytest.mark.everything(part)
    return [
        pytest.param(*(row if isinstance(row, tuple) else [row]), marks=[mark] * (number >= count))
        for number, row in enumerate(rows)
    ]


def group(item: pytest.Item) -> str | None:
    """The name that live tests share which one worker is to play: the file, and a parameter."""
    if not is_live(item):
        return None
    path = item.path.relative_to(ROOT / "tests").with_suffix("").as_posix()
    if not isinstance(item, pytest.Function) or not hasattr(item, "callspec"):
        return path
    given = item.callspec
    for name in TOGETHER:
        if name in given.params:
            value = given.params[name]
            return f"{path}:{value if isinstance(value, str) else given.indices[name]}"
    return path


def ungrouped(name: str) -> str:
    """A test's name without the group that xdist puts behind an @."""
    return name.rpartition("@")[0] if "::" in name and "@" in name.rpartition("]")[2] else name


def is_live(item: pytest.Item) -> bool:
    """Whether a test plays with real frameworks or clients."""
    return item.path.is_relative_to(ROOT / "tests" / "live")


def parts_changed(root: Path = ROOT) -> list[str]:
    """The parts whose files differ from the last landed commit; all if none can be found.

    Never one that covers nothing.
    """
    every = [name for name, part in PARTS.items() if part.covers]
    base = _landed(root)
    if base is None:
        return every
    # Committed or not; a file that git does not know yet counts too.
    known = _git(root, "diff", "--name-only", "--no-renames", base, "--")
    new = _git(root, "ls-files", "--others", "--exclude-standard")
    if known is None or new is None:
        return every
    changed = [Path(line) for line in (known + new).splitlines()]

    def touched(*covered: str) -> bool:
        return any(path.is_relative_to(each) for path in changed for each in covered)

    return [name for name in every if touched(*PARTS[name].covers, *EVERY_PART)]


def _landed(root: Path) -> str | None:
    """The newest landed commit that HEAD builds on, unless that is HEAD itself or not known."""
    head = _git(root, "rev-parse", "--verify", "--quiet", "HEAD")
    for name in LANDED:
        if base := _git(root, "merge-base", name, "HEAD"):
            return None if base == head else base.strip()
    return None


def _git(root: Path, *arguments: str) -> str | None:
    """What git prints; None where it, or what it is asked for, is not there."""
    command = ["git", "-C", str(root), *arguments]
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return run.stdout if run.returncode == 0 else None
