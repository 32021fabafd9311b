"""ISO001, 010, 016: state that episodes share."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import Hit, Place, check, skip
from skill_tools.checks.needs import INTERLEAVED, PROBED, REFERENCE, REVERSED, probe
from skill_tools.checks.reading.episodes import difference
from skill_tools.checks.reading.probed import _says
from skill_tools.evidence.evidence import Evidence


@check(
    "ISO010",
    "episode-changes-task",
    fix="read the task without changing it; copy what you need to change (copy.deepcopy)",
    needs=[probe("survey")],
    after=["DET001"],
    trusts="nothing",
)
def episode_changes_task(evidence: Evidence) -> Iterator[Hit]:
    """An episode does not change its task.

    All episodes share the table of tasks. After such a change, the next episode of the task is a different problem or
    fails.
    """
    oracle = (evidence.reference.episodes or {}).get("oracle", {}).values()
    solved = {f"{each.split}/{each.index}": each for each in oracle}
    for what in PROBED.of(evidence).mutated:
        task = what.partition(":")[0]
        message = f"an episode changed fields of the task: {what}"
        yield Hit(message, solved.get(task), Place(task=task))


@check(
    "ISO016",
    "sandbox-used-again",
    fix="open a sandbox for each episode, and close it in close(self)",
    needs=[probe("found")],
    after=["ISO002"],
)
def sandbox_used_again(evidence: Evidence) -> Iterator[Hit]:
    """A file that one episode writes does not exist in the next episode.

    Otherwise an agent finds the notes, scripts and answers of the previous agent.
    """
    attempts = PROBED.of(evidence).attempts["found"]
    for each in attempts:
        if _says(each, "there"):
            message = f"the next episode could read a file that an agent wrote, on {each.of}"
            yield Hit(message, each.trajectory, Place(task=each.of))
            return
    if not any(_says(each, "gone") for each in attempts):
        yield skip("no tool ran the program that looks for files of another episode")


@check(
    "ISO001",
    "episodes-share-state",
    fix="keep all state on the instance (self.x in __init__), not on the class or the module",
    needs=[REFERENCE, INTERLEAVED, REVERSED],
    after=["DET001"],
    trusts="nothing",
    stage="evidence",
)
def episodes_share_state(evidence: Evidence) -> Iterator[Hit]:
    """Episodes interleaved in one process are the same as episodes played alone.

    A server plays many episodes at once. If a list is stored on the class, all episodes share the list.
    """
    declared = evidence.declaration
    unsolved = [label for label, why in evidence.unsolved.items() if why.alone]
    for label in unsolved:
        message = (
            f"the oracle solves {label} in a separate process, but not after other tasks: "
            f"{evidence.unsolved[label].message}"
        )
        yield Hit(message, place=Place(task=label))
    ((policy, by_label),) = evidence.leading.items()
    compared = [
        label
        for label, alone in by_label.items()
        if alone.end != "failed"
        and label in INTERLEAVED.of(evidence)
        and label in REVERSED.of(evidence)
    ]
    if not compared and not unsolved:
        yield skip(
            "every interleaved episode had already failed when it ran alone, so nothing can be "
            "compared"
        )
    for label in compared:
        place = Place(task=label)
        in_turns, behind = INTERLEAVED.of(evidence)[label], REVERSED.of(evidence)[label]
        if found := difference(in_turns, by_label[label], declared):
            message = f"{policy} on {label}: {found} differs if other episodes run concurrently"
            yield Hit(message, in_turns, place)
        elif found := difference(behind, by_label[label], declared):
            message = f"{policy} on {label}: {found} differs if other episodes ran before it"
            yield Hit(message, behind, place)


CHECKS = (
    episode_changes_task,
    sandbox_used_again,
    episodes_share_state,
)
