"""What checks need, and what is said of one that was skipped because it was not there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from skill_tools.checks.reading.pairs import paired
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Probed
from skill_tools.evidence.probes import PROBES
from skill_tools.evidence.surveyed import Endured
from skill_tools.evidence.trajectory import Trajectory

Seen_co = TypeVar("Seen_co", covariant=True)
"""What is needed."""


@dataclass(frozen=True)
class Need(Generic[Seen_co]):
    """Something of the evidence without which a check cannot be made.

    get: what is needed; None, or empty, where it was not seen. reason: what is then said, unless
    ``instead`` knows better.
    """

    name: str
    get: Callable[[Evidence], Seen_co | None]
    reason: str
    instead: Callable[[Evidence], str] | None = None

    def unmet(self, evidence: Evidence) -> str:
        """Why it is not there, or ""."""
        if self.get(evidence):
            return ""
        return (self.instead and self.instead(evidence)) or self.reason

    def of(self, evidence: Evidence) -> Seen_co:
        """What is needed; it is there, as the check has asked for it: raises AssertionError if not."""
        found = self.get(evidence)
        if found is None:
            raise AssertionError(f"{self.name} is not there: a check that reads it has to need it")
        return found


@dataclass(frozen=True)
class Declared(Need[Seen_co]):
    """A field of the declaration; one that is empty was declared all the same."""

    def unmet(self, evidence: Evidence) -> str:
        """Why it is not there, or ""."""
        return self.reason if self.get(evidence) is None else ""


def _seen(
    name: str, get: Callable[[Evidence], Seen_co | None], reason: str, in_audits: str = ""
) -> Need[Seen_co]:
    """A field of the evidence."""
    return Need(name, get, reason, lambda evidence: in_audits if evidence.audited else "")


def _declared(
    name: str, get: Callable[[Declaration], Seen_co | None], reason: str
) -> Declared[Seen_co]:
    """A field of the declaration."""
    return Declared(name, lambda evidence: get(evidence.declaration), reason)


FILES = _seen(
    "files", lambda seen: seen.files, "the rendered files were not compared with the spec"
)
SPEC = _seen("spec", lambda seen: seen.spec, "there is no env.yaml")
IMPORTS = _seen("imports", lambda seen: seen.imports, "the author's files were not read")
DOMAIN = _seen("domain", lambda seen: seen.domain, "the domain class was not looked at")
SURVEY = _seen("survey", lambda seen: seen.survey, "the tasks of all splits were not read")
TASKS = _seen("tasks", lambda seen: seen.tasks, "the tasks were not read")
WITH_TASKS = _seen(
    "with_tasks", lambda seen: seen.with_tasks, "which task an episode was about is not known"
)
PLAYED = _seen("played", lambda seen: seen.played, "nothing was played")
SCORED = _seen("scored", lambda seen: seen.scored, "no episode that was played has a return")
REFERENCE = _seen(
    "reference",
    lambda seen: seen.reference,
    "there is no reference run of the bare domain",
    "this is an audit: only what we render has a bare domain to play",
)
REPEAT = _seen(
    "repeat", lambda seen: seen.repeat, "the reference run was not repeated in another process"
)
INTERLEAVED = _seen(
    "interleaved",
    lambda seen: seen.interleaved,
    "no episodes were played in alternation in one process",
)
REVERSED = _seen("reversed", lambda seen: seen.reversed, "no episodes were played in reverse order")
RESEEDED = _seen("reseeded", lambda seen: seen.reseeded, "nothing was played under other seeds")
PROBED = _seen(
    "probed",
    lambda seen: seen.probed,
    "nothing was tried beyond the policies: episodes cost too much, or none was solved",
    "this is an audit: what exploits a world is tried on those that we render alone",
)
WORKED = _seen("worked", lambda seen: seen.worked, "no worked examples were declared and played")
SECRETS = _seen(
    "secrets",
    lambda seen: seen.secrets,
    "no task field is declared hidden: there is nothing to look for",
)
EXCEPTIONS = _seen("exceptions", lambda seen: seen.exceptions, "no exceptions are declared")
AUDITED = _seen(
    "audited", lambda seen: seen.audited, "this is no audit: the environment is one that we render"
)
REPLAYED = _seen(
    "replayed", lambda seen: seen.replayed, "no episode was played again in another process"
)
OTHER_SEEDS = _seen(
    "other_seeds",
    lambda seen: seen.other_seeds,
    "its framework resets with no seed, or nothing was played with another",
)
SIDE_BY_SIDE = _seen(
    "side_by_side", lambda seen: seen.side_by_side, "no two sessions were played at once"
)
STATES = _seen("states", lambda seen: seen.states, "its framework has no state to look at")
FILLERS = _seen(
    "fillers", lambda seen: seen.fillers, "no tool takes free text, or no call with any was played"
)
VARIANTS = _seen("variants", lambda seen: seen.variants, "no variant was to be played")
ROLLOUTS = _seen("rollouts", lambda seen: seen.rollouts, "no variant was played")
BASELINE = _seen(
    "baseline",
    lambda seen: seen.baseline,
    "there is nothing to compare with: no reference run of the bare domain, and no "
    "scripted policy that was played in two variants",
)
PICTURES = _seen("pictured", lambda seen: seen.pictured, "no picture was shown")
SANDBOX = Need(
    "sandbox",
    lambda evidence: evidence.spec is not None and evidence.spec.backend != "none",
    "no sandbox is used",
)

TOOLS = _declared("tools", lambda said: said.tools, "no tools are declared")
PROMPT = _declared("prompt", lambda said: said.prompt, "no prompt is declared")
REWARD_RANGE = _declared(
    "reward_range", lambda said: said.reward_range, "no range of returns is declared"
)
REWARD_TIMING = _declared(
    "reward_timing", lambda said: said.reward_timing, "nothing is declared of when reward is paid"
)
MAX_TURNS = _declared("max_turns", lambda said: said.max_turns, "no turn limit is declared")
HIDDEN = _declared(
    "hidden", lambda said: said.hidden, "nothing is declared of which task fields are hidden"
)
EXAMPLES = _declared(
    "examples", lambda said: said.examples, "nobody can have declared worked examples"
)
SAID = _declared("said", lambda said: said.said, "no example says which words it shows")
SEED_USED = _declared(
    "seed_used", lambda said: said.seed_used, "nothing is declared of whether the seed is used"
)


UNTIMED = "no time was left for any attempt"


def probe(*names: str) -> Need[Probed]:
    """Attempts of some probes; without any, why there are none: nothing to try, or no answer.

    A probe that asks of the domain as a whole has no attempts, and is met where it was answered.
    """
    assert set(names) <= PROBES.keys(), names

    def get(evidence: Evidence) -> Probed | None:
        found = evidence.probed
        met = found and any(found.attempts.get(name) or name in found.answered for name in names)
        return found if met else None

    return Need(names[0], get, PROBES[names[0]].absent, _without(*names))


def _without(*names: str) -> Callable[[Evidence], str]:
    """Why nothing came of some probes: no answer, or no time; "" where there was nothing to try."""

    def why(evidence: Evidence) -> str:
        if evidence.probed is None:
            return PROBED.unmet(evidence)
        if stuck := unanswered(evidence, *names):
            return stuck
        return UNTIMED if evidence.probed.untimed & {*names} else ""

    return why


def _soaked(evidence: Evidence) -> Endured | None:
    found = evidence.probed
    return found.endured if found and "soak" in found.answered else None


SOAK = Need("soak", _soaked, PROBES["soak"].absent, _without("soak"))
"""What many episodes left in one process."""


def unanswered(evidence: Evidence, *names: str) -> str:
    """What is said where one of some probes died: that there was no answer, and why; else ""."""
    causes = evidence.probed.unanswered if evidence.probed else {}
    return next((f"no answer: {causes[name]}" for name in names if name in causes), "")


def _shows(trajectory: Trajectory) -> bool:
    """Whether an episode has a picture among its observations."""
    blocks = (block for step in trajectory.steps for block in step.observation)
    return any(block.get("type") == "image" for block in blocks)


PLAYED_PICTURES = Need(
    "played_pictures",
    lambda evidence: any(map(_shows, evidence.every)),
    "no episode that was played showed a picture",
)
ORACLE_PICTURES = Need(
    "oracle_pictures",
    lambda evidence: any(map(_shows, (evidence.reference or {}).get("oracle", {}).values())),
    "the oracle was shown no picture",
)


def _tried(evidence: Evidence) -> Probed | None:
    found = evidence.probed
    # What died tells something, too: to EPI007, and why others have nothing to judge.
    return found if found and (any(found.attempts.values()) or found.unanswered) else None


TRIED = Need("tried", _tried, "no attempt of any kind could be made", PROBED.unmet)

COMPARED = Need(
    "compared",
    paired,
    "no episode of a variant has a score, and one of the same script beside it",
)
USED_SEED = Need(
    "used_seed",
    lambda evidence: evidence.declaration.seed_used is not False,
    "the seed is declared to change nothing",
)
UNUSED_SEED = Need(
    "unused_seed",
    lambda evidence: evidence.declaration.seed_used is not True,
    "the seed is declared to be used",
)
PAID_AT_THE_END = Need(
    "paid_at_the_end",
    lambda evidence: evidence.declaration.reward_timing != "per_step",
    "reward may be paid at any step, as reward.timing says",
)

REFUSALS = Need(
    "refusals",
    lambda evidence: any(step.error for played in evidence.every for step in played.steps),
    "no call was refused in what was played",
)
