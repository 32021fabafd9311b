"""The verdict: whether an environment is sound, and what has to be known before it is called so.

The rule, in four words:

- *not sound*: some check failed.
- *not judged*: no check failed, but one of ``QUESTIONS`` that are asked of such a run has no answer.
- *incomplete*: no check failed, but for some there was no time.
- *sound*: no check failed, every question of the run is answered, and there was time for every check.

Which questions are asked depends on how far a run went (``kind_of``): an audit must have seen a right
answer paid; a build must have played every variant; where nothing was played, nothing is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from skill_tools.checks import Finding
from skill_tools.checks.own import every_check
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.graded import LACKING

Verdict = Literal["sound", "not sound", "not judged", "incomplete"]
"""What is said of an environment."""
Kind = Literal["audit", "build", "play", "read", "data"]
"""How far a run went: another's environment, variants, the bare domain, or the files alone; or rows alone."""
NAMED = 6
"""Checks that are named of those without time: more tell a person no more."""
WORST: tuple[Verdict, ...] = ("not sound", "not judged", "incomplete", "sound")
"""The verdicts, the worst first: of several splits the worst one counts."""


@dataclass(frozen=True)
class Asked:
    """Something that has to be known before an environment is called sound.

    asks: in words. of: the kinds of runs it is asked of. answered: whether the evidence tells. give:
    what would let it be told.
    """

    asks: str
    of: tuple[Kind, ...]
    answered: Callable[[Evidence], bool]
    give: str


def _solved(evidence: Evidence) -> bool:
    """Whether a right answer was played, and has a return."""
    return any(each.model == "oracle" for each in evidence.scored)


QUESTIONS: tuple[Asked, ...] = (
    Asked(
        "whether an episode is ever played to a reward",
        ("audit", "build", "play"),
        lambda evidence: bool(evidence.scored),
        "an environment that starts and answers: no episode has a return",
    ),
    Asked(
        "whether a right answer is rewarded",
        ("audit",),
        _solved,
        "--solutions FILE with the calls that solve some tasks, or --dataset FILE with rows that hold the "
        "answers: no right answer was played, so it is not known whether one is rewarded",
    ),
    Asked(
        "whether the same calls earn the same again",
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
        "variants that run: some played no episode",
    ),
    Asked(
        "what happens when it is played",
        ("read",),
        lambda evidence: False,
        "`check --play`, or a build: nothing was played",
    ),
    Asked(
        "whether one question has two answers",
        ("data",),
        lambda evidence: evidence.audit.rows is not None and bool(evidence.audit.rows.answer),
        "--answer FIELD: no field of the rows holds the answers, so labels were not examined",
    ),
)
"""What has to be known, by the kind of run."""

IN_AUDITS = frozenset(
    {"audited", "tasks", "with_tasks", "played", "scored", "variants", "rollouts", "compared"}
    | {"replayed", "other_seeds", "side_by_side", "states", "fillers", "refusals"}
    | {"played_pictures", "tools", "reward_range", "by_task", "no_luck"}
    | {"graded", "judged_answers", "rows"}
)
"""The needs of checks, by name, that an audit can meet: more time, solutions or a range may do it."""


def kind_of(evidence: Evidence) -> Kind:
    """How far the run went."""
    if evidence.audit.audited:
        return "audit"
    if evidence.variants.names:
        return "build"
    if evidence.audit.rows and not evidence.spec:
        return "data"
    return "play" if evidence.reference.episodes else "read"


def unanswered(evidence: Evidence) -> list[str]:
    """What would let the environment be judged, a line a question; nothing where all are answered."""
    kind = kind_of(evidence)
    if evidence.audit.audited and (lacks := _lacks(evidence)):
        return lacks
    asked = [each for each in QUESTIONS if kind in each.of]
    return [each.give for each in asked if not each.answered(evidence)]


def more_time(findings: Sequence[Finding]) -> list[str]:
    """What would give the checks time for which there was none; nothing where all had some."""
    late = sorted({finding.check for finding in findings if finding.untimed})
    if not late:
        return []
    named = ", ".join(late[:NAMED]) + (
        f" and {len(late) - NAMED} more" if len(late) > NAMED else ""
    )
    how = "build again when the machine is less busy, or set SKILL_TOOLS_DOMAIN_SECONDS above 60"
    return [f"more time for {named}: {how}"]


def _lacks(evidence: Evidence) -> list[str]:
    """What an audit did not have that the code it played needs, a line each."""
    failed = (each.failure for each in evidence.every)
    told = [each.message for each in failed if each and each.kind == LACKING]
    assert evidence.audit.audited is not None
    return list(dict.fromkeys(filter(None, (evidence.audit.audited.lacks, *told))))


def verdict_of(findings: Sequence[Finding], unjudged: Sequence[str]) -> Verdict:
    """The verdict, by the rule above."""
    if any(finding.status == "fail" for finding in findings):
        return "not sound"
    if unjudged:
        return "not judged"
    return "incomplete" if any(finding.untimed for finding in findings) else "sound"


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """The one that counts of several splits; raises ValueError without any."""
    return min(verdicts, key=WORST.index)


def not_for_audits(evidence: Evidence, findings: Sequence[Finding]) -> list[str]:
    """The checks that an audit skipped since only what we render has what they need; otherwise none."""
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
