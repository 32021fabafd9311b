"""The verdict: whether an environment is sound, and the facts that the verdict requires.

The rule:

- *not sound*: some check failed.
- *not judged*: no check failed, but a question in ``QUESTIONS`` that applies to the run is open.
- *incomplete*: no check failed, but some did not get enough time.
- *sound*: no check failed, every question is answered, and every check got enough time.

The questions depend on how far a run went (``kind_of``). An audit must have seen a reward for a correct
answer; a build must have played every variant. If nothing was played, nothing is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from skill_tools.checks import Finding
from skill_tools.checks.own import every_check
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.graded import LACKING
from skill_tools.evidence.trajectory import return_of

Verdict = Literal["sound", "not sound", "not judged", "incomplete"]
"""The verdict on an environment."""
Kind = Literal["audit", "build", "play", "review", "read", "data"]
"""How far a run went: a foreign environment, variants, the bare domain, only a reader's claims, only files, or only
rows."""
NAMED = 6
"""Maximum number of checks without time to name; naming more does not help the reader."""
WORST: tuple[Verdict, ...] = ("not sound", "not judged", "incomplete", "sound")
"""The verdicts, the worst first; of those of several splits, the worst counts."""


@dataclass(frozen=True)
class Asked:
    """A fact that must be known before an environment is called sound.

    Attributes:
        asks: The question as text.
        of: The kinds of run to which the question applies.
        answered: A function that returns whether the evidence answers the question.
        give: The evidence that would answer the question.
    """

    asks: str
    of: tuple[Kind, ...]
    answered: Callable[[Evidence], bool]
    give: str


def _solved(evidence: Evidence) -> bool:
    """Return whether a correct answer was played and the episode has a return."""
    return any(each.model == "oracle" for each in evidence.scored)


def _rewarded(evidence: Evidence) -> bool:
    """Return whether a solution has a different return than doing nothing, or a return above 0.

    In another author's environment, a call sequence without a reward may not be a solution.
    """
    idle = {each.label: return_of(each) for each in evidence.scored if each.model == "noop"}
    solved = [each for each in evidence.scored if each.model == "oracle"]
    return any(return_of(each) != idle.get(each.label) or return_of(each) > 0 for each in solved)


QUESTIONS: tuple[Asked, ...] = (
    Asked(
        "whether any episode earns a reward",
        ("audit", "build", "play"),
        lambda evidence: bool(evidence.scored),
        "an environment that starts and replies: no episode has a return",
    ),
    Asked(
        "whether a right answer is rewarded",
        ("audit",),
        _rewarded,
        "--solutions FILE with the calls that solve some tasks, or --dataset FILE with rows that hold the "
        "answers: no known right answer earned a reward, so it is unknown whether right answers are rewarded",
    ),
    Asked(
        "whether the same calls earn the same reward when repeated",
        ("audit",),
        lambda evidence: bool(evidence.audit.replayed),
        "more time, --seconds N: no episode was played a second time",
    ),
    Asked(
        "whether a right answer is rewarded",
        ("build", "play"),
        _solved,
        "an oracle that solves a task: no right answer was played",
    ),
    Asked(
        "whether every variant runs",
        ("build",),
        lambda evidence: not evidence.variants.broken,
        "variants that run: some variants played no episode",
    ),
    Asked(
        "how the environment behaves when played",
        ("read",),
        lambda evidence: False,
        "`check --play`, or a build: nothing was played",
    ),
    Asked(
        "how the environment behaves beyond a reader's claims",
        ("review",),
        lambda evidence: False,
        "a `build` or an `audit`: only the reader's claims were played",
    ),
    Asked(
        "whether one question has two answers",
        ("data",),
        lambda evidence: evidence.audit.rows is not None and bool(evidence.audit.rows.answer),
        "--answer FIELD: no field of the rows holds the answers, so labels were not examined",
    ),
)
"""The questions, by the kind of run."""

REWARDLESS = "rewards, which are missing here: an environment around the server must score the agent's actions"
"""What would answer the questions of an environment without any rewards, such as an MCP server."""
IN_AUDITS = frozenset(
    {"audited", "tasks", "with_tasks", "played", "scored", "variants", "rollouts", "compared"}
    | {"replayed", "other_seeds", "side_by_side", "states", "fillers", "refusals"}
    | {"played_pictures", "tools", "reward_range", "by_task", "no_luck"}
    | {"graded", "judged_answers", "rows", "review"}
)
"""Needs of checks, by name, that an audit can meet with more time, solutions or a range of returns."""


def kind_of(evidence: Evidence) -> Kind:
    """Return the kind of run that produced the evidence, such as "audit" or "build"."""
    if evidence.audit.audited:
        return "audit"
    if evidence.variants.names:
        return "build"
    if evidence.audit.rows and not evidence.spec:
        return "data"
    if evidence.reference.episodes:
        return "play"
    return "review" if evidence.review else "read"


def unanswered(evidence: Evidence) -> list[str]:
    """Return the facts that are still required before the environment can be called sound."""
    kind = kind_of(evidence)
    if evidence.audit.audited and (why := evidence.audit.audited.broken):
        return [f"an environment that starts and replies: {why.strip().splitlines()[-1]}"]
    if evidence.audit.audited and (lacks := _lacks(evidence)):
        return lacks
    if evidence.audit.audited and evidence.audit.audited.found.get("rewardless"):
        return [REWARDLESS]
    asked = [each for each in QUESTIONS if kind in each.of]
    return [each.give for each in asked if not each.answered(evidence)]


def more_time(findings: Sequence[Finding]) -> list[str]:
    """Return advice on how to give enough time to the checks that ran out of time."""
    late = sorted({finding.check for finding in findings if finding.untimed})
    if not late:
        return []
    named = ", ".join(late[:NAMED]) + (
        f" and {len(late) - NAMED} more" if len(late) > NAMED else ""
    )
    how = "build again when the machine is less busy, or set SKILL_TOOLS_DOMAIN_SECONDS above 60"
    return [f"more time for {named}: {how}"]


def _lacks(evidence: Evidence) -> list[str]:
    """Return the requirements of the environment's code that the audit could not meet."""
    failed = (each.failure for each in evidence.every)
    told = [each.message for each in failed if each and each.kind == LACKING]
    assert evidence.audit.audited is not None
    return list(dict.fromkeys(filter(None, (evidence.audit.audited.lacks, *told))))


def verdict_of(findings: Sequence[Finding], unjudged: Sequence[str]) -> Verdict:
    """Return the verdict according to the rule in this module's docstring."""
    if any(finding.status == "fail" for finding in findings):
        return "not sound"
    if unjudged:
        return "not judged"
    return "incomplete" if any(finding.untimed for finding in findings) else "sound"


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the worst verdict, which is the verdict on all splits together. Raise ValueError for an empty sequence."""
    return min(verdicts, key=WORST.index)


def not_for_audits(evidence: Evidence, findings: Sequence[Finding]) -> list[str]:
    """Return the checks that an audit skipped because they apply only to environments that skill-tools renders."""
    if not evidence.audit.audited:
        return []
    known = every_check()
    skipped = [finding.check for finding in findings if finding.status == "skip"]
    return [
        each
        for each in skipped
        if each in known
        and any(need.name not in IN_AUDITS and need.unmet(evidence) for need in known[each].needs)
    ]
