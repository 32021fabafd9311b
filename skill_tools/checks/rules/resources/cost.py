"""RES: what episodes cost, and what they leave behind."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from skill_tools.checks.check import check, warn
from skill_tools.checks.reading.episodes import counted, named
from skill_tools.checks.reading.probed import told
from skill_tools.evidence.evidence import Evidence, Tried
from skill_tools.evidence.trajectory import Step

LONG = 50_000
"""Characters of an observation, of which models read a part."""
FEW, MANY, MORE = 4, 8, 400
"""Observations that grow by repeating all before, and in any way; characters that a list of moves may have."""
BEFORE = ["DET001", "ISO001", "EPI001"]
ENOUGH = 10
"""Episodes from which what they leave is told from chance."""
GROWTH = 60
"""Kilobytes of memory per episode that are not an allocator's noise."""


@check(
    "RES001",
    "slow-call",
    fix="look for a loop over all there is, or a file that is read at each call; cache what never changes",
    needs=["explored"],
    after=BEFORE,
)
def slow_call(evidence: Evidence) -> Iterator[str]:
    """No call takes longer than seconds, whatever its arguments, and no opening a third of one.

    A rollout worker waits for it, and so does everybody in its batch.
    """
    if evidence.declaration.runs_programs:
        return
    tried = [each for several in evidence.explored.tried.values() for each in several]
    slowest: Tried | None = max(tried, key=lambda each: each.slowest, default=None)
    if slowest is not None and slowest.slowest > SLOW:
        message = (
            f"a call took {slowest.slowest:.1f} s, {told(slowest)}"
            if slowest.trajectory.total is not None
            else f"a call took {slowest.slowest:.1f} s: {slowest.calls}"
        )
        yield message if slowest.slowest > TOO_SLOW else warn(message)
    # The first opening reads what is then kept, and one may be an accident.
    opened = sorted(evidence.explored.opened, key=lambda each: each.get("took", 0.0))[-2:-1]
    for each in opened:
        if each.get("took", 0.0) > SLOW_OPENING:
            yield warn(f"opening {each['split']}/{each['index']} took {each['took']:.1f} s")


SLOW, TOO_SLOW, SLOW_OPENING = 1.0, 8.0, 0.3
"""Seconds; an episode is opened beside others, which wait."""


@check(
    "RES002",
    "episodes-leave-something",
    fix="close what an episode opens in close(self); write files below a folder that close() removes",
    needs=["explored"],
    after=["DET001"],
)
def episodes_leave_something(evidence: Evidence) -> Iterator[str]:
    """An episode that is over leaves no thread, process, open file or file behind.

    A server plays a million episodes, and has room for a thousand files.
    """
    endured = evidence.explored.endured
    cause = evidence.explored.broken.get("endure")
    if cause and not evidence.declaration.runs_programs:  # their programs may wait for a processor
        yield cause
    if unclosed := endured.get("unclosed"):
        left = ", ".join(f"{what}: {count}" for what, count in unclosed.items())
        message = f"close() left something that went only when Python dropped the episode ({left})"
        yield message if evidence.domain and evidence.domain.closes else warn(message)
    if not endured or not endured.get("before") or endured["episodes"] < ENOUGH:
        return
    before, after, count = endured["before"], endured["after"], endured["episodes"]
    for what in (
        "threads",
        "open files",
        "processes",
        "temporary files",
        "files in the folder",
        "handlers of loggers",
    ):
        more = after[what] - before[what]
        if more >= max(5, count // 3):
            yield f"{count} episodes left {more} more {what}"


@check(
    "RES003",
    "memory-grows",
    fix="keep what belongs to an episode on the instance; bound caches",
    needs=["explored"],
    after=["DET001", "ISO001"],
)
def memory_grows(evidence: Evidence) -> Iterator[str]:
    """What modules and classes hold does not grow with every episode.

    It ends a server after a day, and is often how one episode learns of another.
    """
    endured = evidence.explored.endured
    if not endured or not endured.get("before"):
        return
    before, after, count = endured["before"], endured["after"], max(1, endured["episodes"])
    grown = False
    for where, size in after["held"].items():
        more = size - before["held"].get(where, 0)
        if count >= 10 and more >= count // 2:
            grown = True
            yield f"{where} grew by {more} in {count} episodes of the same tasks"
    each = (after["memory"] - before["memory"]) / count
    if not grown and count >= 50 and each > GROWTH:
        yield warn(f"memory grew by {each:.0f} kB with each of {count} episodes")


@check(
    "RES004",
    "episodes-wear-out",
    fix="keep all state on the instance; restore what a module or a class holds",
    needs=["explored", "reference"],
    after=["DET001", "ISO001", "RES003"],
)
def episodes_wear_out(evidence: Evidence) -> Iterator[str]:
    """After hundreds of episodes in one process an episode is what it was in the beginning.

    Counters, pools that run dry and caches that fill show late, in training.
    """
    (leading,) = evidence.leading.values()
    played = [trajectory for trajectory in leading.values() if trajectory.end != "failed"]
    for first, again in zip(played, evidence.explored.endured.get("again", []), strict=False):
        if again["end"] == "failed":
            yield f"{first.label}: {again['failure']['message']}"
        elif first.total is not None and abs((again["return"] or 0.0) - first.total) > 1e-9:
            yield f"{first.label}: return {again['return']:g}, which was {first.total:g} in the beginning"
        elif len(again["steps"]) != len(first.steps):
            yield f"{first.label}: {len(again['steps'])} steps, which were {len(first.steps)}"


@check(
    "RES005",
    "observation-too-long",
    fix="show what changed, or a part with a tool that shows more",
    needs=["played"],
    after=["DET001", "ISO001", "EPI001"],
    level="warn",
)
def observation_too_long(evidence: Evidence) -> Iterator[str]:
    """No observation is longer than a model reads, and none grows with every step.

    Context is what an episode costs; a history in every observation costs its square.
    """
    for trajectory in evidence.every:
        sizes = [len(step.text) for step in counted(trajectory)]
        if sizes and max(sizes) > LONG:
            yield f"{named(trajectory)}: an observation of {max(sizes):,} characters"
            return
    for trajectory in evidence.every_bare:
        shown = [step for step in trajectory.steps if not step.error and not step.done]
        sizes = [_size(step) for step in shown]
        if len(shown) < FEW or sizes[-1] <= 3 * sizes[0] + MORE:
            continue
        grow = all(after > before for before, after in pairwise(sizes))
        repeat = all(before.text in after.text for before, after in pairwise(shown))
        if grow and (repeat or len(shown) >= MANY):
            yield f"{named(trajectory)}: observations grow with every step, {sizes[0]} to {sizes[-1]} characters"
            return


def _size(step: Step) -> int:
    """The characters of an observation; a picture is read as a thousand."""
    pictures = sum(block["type"] == "image" for block in step.observation)
    return len(step.text) + 1000 * (pictures + step.text.count("[image "))


CHECKS = (
    slow_call,
    episodes_leave_something,
    memory_grows,
    episodes_wear_out,
    observation_too_long,
)
