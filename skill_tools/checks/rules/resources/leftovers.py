"""RES: traces that episodes leave in the process, its memory and its folders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter

from skill_tools.checks.check import Check, Hit, Place, check, skip, warn
from skill_tools.checks.needs import PROBED, REFERENCE, SOAK
from skill_tools.checks.reading.episodes import cause
from skill_tools.checks.tables.relations import Difference, Pair, Relation, related
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.surveyed import Endured

ENOUGH = 10
"""Minimum number of episodes that distinguish leftovers from chance."""
TOO_FEW = f"no time was left for {ENOUGH} episodes in one process"
GROWTH = 60
"""Kilobytes of memory per episode that exceed an allocator's noise."""


@check(
    "RES002",
    "episodes-leave-something",
    fix="in close(self), close everything that the episode opened; write files below a folder that close() removes",
    needs=[PROBED],
    after=["DET001"],
    trusts="nothing",
)
def episodes_leave_something(evidence: Evidence) -> Iterator[Hit]:
    """A finished episode leaves no threads, processes, open file handles or new files behind.

    A server plays a million episodes, but can open only a thousand files.
    """
    died = PROBED.of(evidence).unanswered.get("soak")
    if died and not evidence.declaration.runs_programs:  # these programs may wait for a processor
        yield Hit(died)
        return
    if why := SOAK.unmet(evidence):
        yield skip(why)
        return
    endured = SOAK.of(evidence)
    if endured.unclosed:
        left = ", ".join(f"{what}: {count}" for what, count in endured.unclosed.items())
        message = (
            f"close() left resources that were only freed when Python dropped the episode ({left})"
        )
        yield (
            Hit(message)
            if evidence.reference.domain and evidence.reference.domain.closes
            else warn(message)
        )
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
    fix="keep an episode's state on the instance; limit the size of caches",
    needs=[SOAK],
    trusts="runs",
)
def memory_grows(evidence: Evidence) -> Iterator[Hit]:
    """The contents of modules and classes do not grow with every episode.

    A server runs out of memory after a day, and stored data often reveals one episode to another.
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
            yield Hit(message, place=Place(file=_module_of(where)))
    each = (after.memory - before.memory) / count
    if not grown and count >= 50 and each > GROWTH:
        yield warn(f"memory grew by {each:.0f} kB with each of {count} episodes")


def _after_others(evidence: Evidence) -> Iterator[Pair]:
    """Yield pairs: an early episode of a process, and the same episode played again after all other episodes."""
    (leading,) = evidence.leading.values()
    played = [trajectory for trajectory in leading.values() if trajectory.end != "failed"]
    for first, record in zip(played, SOAK.of(evidence).again, strict=False):
        kept = {name: getattr(first, name) for name in ("model", "label", "split", "index", "seed")}
        yield Pair(first, record.trajectory(**kept, prompt=record.prompt or first.prompt))


def _worn(_: Evidence, each: Pair) -> Difference | None:
    first, again = each.first, each.again
    if again.end == "failed":
        return Difference(cause(again))
    if first.total is not None and abs((again.total or 0.0) - first.total) > 1e-9:
        paid = f"return {again.total or 0.0:g}, but {first.total:g} at the start"
        return Difference(paid)
    if len(again.steps) != len(first.steps):
        return Difference(f"{len(again.steps)} steps instead of {len(first.steps)}")
    return None


def changed_by_episodes(
    changed: Callable[[Endured], list[str]],
    words: str,
    file_of: Callable[[str], str],
    evidence: Evidence,
) -> Iterator[Hit]:
    """Yield a hit for each name from ``changed``: an object outside the episodes that the episodes changed."""
    for name in changed(SOAK.of(evidence)):
        yield Hit(words.format(name=name), place=Place(file=file_of(name)))


def _module_of(name: str) -> str:
    return f"{name.partition('.')[0]}.py"


CHECKS = (
    episodes_leave_something,
    memory_grows,
    Check(
        "RES004",
        "episodes-wear-out",
        partial(
            related,
            (
                Relation(
                    _after_others,
                    (_worn,),
                    "{label}: {what}",
                    nothing="no episode was repeated after the others",
                ),
            ),
        ),
        fix="keep all state on the instance; restore whatever an episode changes in modules and classes",
        needs=(SOAK, REFERENCE),
        after=("RES003",),
        trusts="runs",
        says="""After hundreds of episodes in one process, a task still gives the same episode as at the start.

        Counters, exhausted pools and growing caches show up late, in training.
        """,
    ),
    Check(
        "RES006",
        "episode-changes-process",
        partial(
            changed_by_episodes,
            lambda left: [", ".join(left.changed)] if left.changed else [],
            "an episode changes {name}",
            lambda _: "",
        ),
        fix="leave the process unchanged: use a separate random.Random(seed) and absolute paths, and do not call "
        "os.chdir",
        needs=(SOAK,),
        after=("DET001",),
        trusts="nothing",
        says="""An episode changes no process-wide state, such as the working folder or the global generator.

        Other episodes and the trainer itself run in the same process. Reseeding the global generator repeats the
        trainer's random numbers. After a change of the working folder, a relative path means another file.
        """,
    ),
    Check(
        "RES007",
        "writes-into-the-folder",
        partial(
            changed_by_episodes,
            lambda left: [path.rpartition("/")[2] for path in left.new_files[:1]],
            "episodes write {name!r} next to the code",
            str,
        ),
        fix="write to a folder that __init__ creates with tempfile and close() removes",
        needs=(SOAK,),
        after=("RES002",),
        trusts="nothing",
        says="""An episode writes no file into its code folder or the working folder.

        Concurrent episodes overwrite each other's files, and a server's folder is often read-only.
        """,
    ),
    Check(
        "RES008",
        "episode-sets-module",
        partial(
            changed_by_episodes,
            attrgetter("reassigned"),
            "episodes of several tasks change {name}",
            _module_of,
        ),
        fix="keep an episode's state on the instance; leave constants unchanged",
        needs=(SOAK,),
        after=("DET001", "RES003"),
        trusts="nothing",
        level="warn",
        says="""Episodes do not reassign variables of modules or classes, or reorder lists that are stored there.

        All episodes in a server share these values, so one episode changes the rules of other episodes in progress.
        """,
    ),
)
