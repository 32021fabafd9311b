"""EPI, REW and ISO: whether an episode's sandbox is its own, who may change what is graded, and what its end means."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import check
from skill_tools.checks.reading.probed import told, tops, tried
from skill_tools.evidence.evidence import Evidence, Tried
from skill_tools.play.probes.sandbox import MARK

BEFORE = ["DET001", "ISO001", "EPI001"]


@check(
    "EPI013",
    "lost-sandbox-answered",
    fix="catch nothing of the sandbox's errors: what fails there is no doing of the agent's",
    needs=["explored"],
    after=BEFORE,
)
def lost_sandbox_answered(evidence: Evidence) -> Iterator[str]:
    """A call whose sandbox is gone fails the episode, and is not answered as if it had been played.

    An episode that goes on without one is scored 0.0, and in training the model is blamed for it.
    """
    if found := evidence.explored.unbroken:
        how = f"as {found['error']}" if found["error"] else "as played"
        yield f"the sandbox was closed, and then {found['tool']} was answered {how}: {found['said']!r}"


@check(
    "REW023",
    "graded-from-open-files",
    fix="compute the answer before the agent comes, and keep it in the domain",
    needs=["explored", "reward_range"],
    after=[*BEFORE, "REW001", "REW002"],
)
def graded_from_open_files(evidence: Evidence) -> Iterator[str]:
    """A right answer stays right when the agent has changed the files that it was to read.

    What is graded by files in the agent's folder is graded by the agent.
    """
    alone = {each.of for each in tops(evidence, tried(evidence, "right"))}
    found = [e for e in tried(evidence, "tampered") if e.of in alone and _says(e, "changed")]
    paid = {each.of for each in tops(evidence, found)}
    lost = [each for each in found if each.of not in paid]
    if len(lost) > 1 and not paid:
        yield f"{told(lost[0])} once {lost[0].what} ({len(lost)} tasks); alone it earns the top"


def _says(each: Tried, what: str) -> bool:
    return any(f"{MARK} {what}" in step.text for step in each.trajectory.steps)


@check(
    "ISO016",
    "sandbox-used-again",
    fix="open a sandbox for each episode, and close it in close(self)",
    needs=["explored"],
    after=[*BEFORE, "ISO002"],
)
def sandbox_used_again(evidence: Evidence) -> Iterator[str]:
    """A file that one episode writes is not there in the next.

    The next agent finds the notes, scripts and answers of the one before.
    """
    for each in evidence.explored.tried.get("found", []):
        if _says(each, "there"):
            yield f"a file that an agent wrote was there in the next episode, on {each.of}"
            return


CHECKS = (lost_sandbox_answered, graded_from_open_files, sandbox_used_again)
