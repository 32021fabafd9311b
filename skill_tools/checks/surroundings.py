"""RES and ISO: what an episode changes beyond itself: its task, the process, the folder of its code."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import check
from skill_tools.evidence.evidence import Evidence


@check(
    "RES006",
    "episode-changes-process",
    fix="leave the process as it was: random.Random(seed) of its own, absolute paths, no os.chdir",
    needs=["explored"],
    after=["DET001"],
)
def episode_changes_process(evidence: Evidence) -> Iterator[str]:
    """An episode changes nothing of the whole process, such as its folder or the global generator.

    Other episodes, and the trainer itself, run in it: a generator that is seeded anew repeats the
    trainer's chance, and a relative path means another file.
    """
    if changed := evidence.explored.endured.get("changed"):
        yield f"an episode changes {', '.join(changed)}"


@check(
    "RES007",
    "writes-beside-the-code",
    fix="write to a folder that __init__ makes with tempfile and close() removes",
    needs=["explored"],
    after=["RES002"],
)
def writes_beside_the_code(evidence: Evidence) -> Iterator[str]:
    """An episode writes no file into the folder of its code, or the working folder.

    Episodes at once overwrite each other's, and a server's folder is often read-only.
    """
    for path in evidence.explored.endured.get("new files", [])[:1]:
        yield f"episodes write {path.rpartition('/')[2]!r} beside the code"


@check(
    "ISO010",
    "episode-changes-task",
    fix="read the task and leave it as it is; copy what is to be changed (copy.deepcopy)",
    needs=["explored"],
    after=["DET001"],
)
def episode_changes_task(evidence: Evidence) -> Iterator[str]:
    """An episode leaves its task as it was.

    The table of tasks is shared: the next episode of this task would be another problem, or none.
    """
    for what in evidence.explored.mutated:
        yield f"after an episode fields of the task are other: {what}"


@check(
    "RES008",
    "episode-sets-module",
    fix="keep on the instance what belongs to an episode; leave constants as they are",
    needs=["explored"],
    after=["DET001", "RES003"],
    level="warn",
)
def episode_sets_module(evidence: Evidence) -> Iterator[str]:
    """No episode sets a value of a module or a class anew, or puts a list of theirs in another order.

    All episodes of a server share them: one changes the rules of another that is under way.
    """
    for name in evidence.explored.endured.get("set", []):
        yield f"{name} is another after some episodes of several tasks"


CHECKS = (
    episode_changes_process,
    writes_beside_the_code,
    episode_changes_task,
    episode_sets_module,
)
