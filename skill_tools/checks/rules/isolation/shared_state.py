"""ISO001, 010, 016: state that episodes share."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import BEFORE, check
from skill_tools.checks.needs import INTERLEAVED, PROBED, REFERENCE, REVERSED
from skill_tools.checks.reading.episodes import difference
from skill_tools.checks.reading.probed import _says
from skill_tools.evidence.evidence import Evidence


@check(
    "ISO010",
    "episode-changes-task",
    fix="read the task and leave it as it is; copy what is to be changed (copy.deepcopy)",
    needs=[PROBED],
    after=["DET001"],
)
def episode_changes_task(evidence: Evidence) -> Iterator[str]:
    """An episode leaves its task as it was.

    The table of tasks is shared: the next episode of this task would be another problem, or none.
    """
    for what in evidence.probed.mutated:
        yield f"after an episode fields of the task are other: {what}"


@check(
    "ISO016",
    "sandbox-used-again",
    fix="open a sandbox for each episode, and close it in close(self)",
    needs=[PROBED],
    after=[*BEFORE, "ISO002"],
)
def sandbox_used_again(evidence: Evidence) -> Iterator[str]:
    """A file that one episode writes is not there in the next.

    The next agent finds the notes, scripts and answers of the one before.
    """
    for each in evidence.probed.attempts.get("found", []):
        if _says(each, "there"):
            yield f"a file that an agent wrote was there in the next episode, on {each.of}"
            return


@check(
    "ISO001",
    "episodes-share-state",
    fix="keep all state on the instance (self.x in __init__), none on the class or the module",
    needs=[REFERENCE, INTERLEAVED, REVERSED],
    after=["DET001"],
    stage="evidence",
)
def episodes_share_state(evidence: Evidence) -> Iterator[str]:
    """Episodes played in turn in one process are the same as each played alone.

    A server plays many episodes at once; a list on the class is shared by all of them.
    """
    declared = evidence.declaration
    for label, why in evidence.unsolved.items():
        if why.alone:
            yield (
                f"the oracle solves {label} in a process of its own, but not after other tasks: "
                f"{why.message}"
            )
    ((policy, by_label),) = evidence.leading.items()
    for label, alone in by_label.items():
        if alone.end == "failed" or label not in evidence.interleaved:
            continue
        if found := difference(evidence.interleaved[label], alone, declared):
            yield f"{policy} on {label}: {found} differs when other episodes run beside it"
        elif found := difference(evidence.reversed[label], alone, declared):
            yield f"{policy} on {label}: {found} differs when other episodes ran before it"


CHECKS = (
    episode_changes_task,
    sandbox_used_again,
    episodes_share_state,
)
