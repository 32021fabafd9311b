"""RES: what episodes leave in the process, its memory and its folders."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import Hit, Place, check, skip, warn
from skill_tools.checks.needs import PROBED, REFERENCE, SOAK
from skill_tools.checks.reading.episodes import cause
from skill_tools.checks.reading.places import place_of
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Record, Trajectory

ENOUGH = 10
"""Episodes from which what they leave is told from chance."""
TOO_FEW = f"there was no time for {ENOUGH} episodes in one process"
GROWTH = 60
"""Kilobytes of memory per episode that are not an allocator's noise."""


@check(
    "RES002",
    "episodes-leave-something",
    fix="close what an episode opens in close(self); write files below a folder that close() removes",
    needs=[PROBED],
    after=["DET001"],
    trusts="nothing",
)
def episodes_leave_something(evidence: Evidence) -> Iterator[Hit]:
    """An episode that is over leaves no thread, process, open file or file behind.

    A server plays a million episodes, and has room for a thousand files.
    """
    died = PROBED.of(evidence).unanswered.get("soak")
    if died and not evidence.declaration.runs_programs:  # their programs may wait for a processor
        yield Hit(died)
        return
    if why := SOAK.unmet(evidence):
        yield skip(why)
        return
    endured = SOAK.of(evidence)
    if endured.unclosed:
        left = ", ".join(f"{what}: {count}" for what, count in endured.unclosed.items())
        message = f"close() left something that went only when Python dropped the episode ({left})"
        yield Hit(message) if evidence.domain and evidence.domain.closes else warn(message)
    before, count = endured.before, endured.episodes
    if not before or count < ENOUGH:
        if not endured.unclosed:
            yield skip(TOO_FEW)
        return
    for what, now in endured.after.counts.items():
        more = now - before.counts[what]
        if more >= max(5, count // 3):
            yield Hit(f"{count} episodes left {more} more {what}")


@check(
    "RES003",
    "memory-grows",
    fix="keep what belongs to an episode on the instance; bound caches",
    needs=[SOAK],
    trusts="runs",
)
def memory_grows(evidence: Evidence) -> Iterator[Hit]:
    """What modules and classes hold does not grow with every episode.

    It ends a server after a day, and is often how one episode learns of another.
    """
    endured = SOAK.of(evidence)
    before, after, count = endured.before, endured.after, endured.episodes
    if not before or count < ENOUGH:
        yield skip(TOO_FEW)
        return
    grown = False
    for where, size in after.held.items():
        more = size - before.held.get(where, 0)
        if more >= count // 2:
            grown = True
            message = f"{where} grew by {more} in {count} episodes of the same tasks"
            yield Hit(message, place=_module_of(where))
    each = (after.memory - before.memory) / count
    if not grown and count >= 50 and each > GROWTH:
        yield warn(f"memory grew by {each:.0f} kB with each of {count} episodes")


@check(
    "RES004",
    "episodes-wear-out",
    fix="keep all state on the instance; restore what a module or a class holds",
    needs=[SOAK, REFERENCE],
    after=["RES003"],
    trusts="runs",
)
def episodes_wear_out(evidence: Evidence) -> Iterator[Hit]:
    """After hundreds of episodes in one process an episode is what it was in the beginning.

    Counters, pools that run dry and caches that fill show late, in training.
    """
    (leading,) = evidence.leading.values()
    played = [trajectory for trajectory in leading.values() if trajectory.end != "failed"]
    pairs = list(zip(played, SOAK.of(evidence).again, strict=False))
    if not pairs:
        yield skip("no episode was played again after the others")
    for first, record in pairs:
        again = _played_again(first, record)
        if again.end == "failed":
            what = cause(again)
        elif first.total is not None and abs((again.total or 0.0) - first.total) > 1e-9:
            what = f"return {again.total or 0.0:g}, which was {first.total:g} in the beginning"
        elif len(again.steps) != len(first.steps):
            what = f"{len(again.steps)} steps, which were {len(first.steps)}"
        else:
            continue
        yield Hit(f"{first.label}: {what}", again, place_of(first))


def _played_again(first: Trajectory, record: Record) -> Trajectory:
    """The same episode as it was after all others."""
    kept = {name: getattr(first, name) for name in ("model", "label", "split", "index", "seed")}
    return record.trajectory(**kept, prompt=record.prompt or first.prompt)


@check(
    "RES006",
    "episode-changes-process",
    fix="leave the process as it was: random.Random(seed) of its own, absolute paths, no os.chdir",
    needs=[SOAK],
    after=["DET001"],
    trusts="nothing",
)
def episode_changes_process(evidence: Evidence) -> Iterator[Hit]:
    """An episode changes nothing of the whole process, such as its folder or the global generator.

    Other episodes, and the trainer itself, run in it: a generator that is seeded again repeats the
    trainer's chance, and a relative path means another file.
    """
    if changed := SOAK.of(evidence).changed:
        yield Hit(f"an episode changes {', '.join(changed)}")


@check(
    "RES007",
    "writes-into-the-folder",
    fix="write to a folder that __init__ makes with tempfile and close() removes",
    needs=[SOAK],
    after=["RES002"],
    trusts="nothing",
)
def writes_into_the_folder(evidence: Evidence) -> Iterator[Hit]:
    """An episode writes no file into the folder of its code, or the working folder.

    Episodes at once overwrite each other's, and a server's folder is often read-only.
    """
    for path in SOAK.of(evidence).new_files[:1]:
        name = path.rpartition("/")[2]
        yield Hit(f"episodes write {name!r} beside the code", place=Place(file=name))


@check(
    "RES008",
    "episode-sets-module",
    fix="keep on the instance what belongs to an episode; leave constants as they are",
    needs=[SOAK],
    after=["DET001", "RES003"],
    trusts="nothing",
    level="warn",
)
def episode_sets_module(evidence: Evidence) -> Iterator[Hit]:
    """No episode reassigns a value of a module or a class, or puts a list of theirs in another order.

    All episodes of a server share them: one changes the rules of another that is under way.
    """
    for name in SOAK.of(evidence).reassigned:
        yield Hit(f"{name} is another after some episodes of several tasks", place=_module_of(name))


def _module_of(name: str) -> Place:
    """The file of a module of the author's that holds something, as module.name."""
    return Place(file=f"{name.partition('.')[0]}.py")


CHECKS = (
    episodes_leave_something,
    memory_grows,
    episodes_wear_out,
    episode_changes_process,
    writes_into_the_folder,
    episode_sets_module,
)
