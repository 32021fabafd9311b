"""What checks need, and what is said of one that was skipped because it was not there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from skill_tools.checks.reading.pairs import paired
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probes import PROBES
from skill_tools.evidence.trajectory import Trajectory


@dataclass(frozen=True)
class Need:
    """Something of the evidence without which a check cannot be made.

    get: what is needed; None, or empty, where it was not seen. reason: what is then said, unless
    ``instead`` knows better. what: the same in words, for who reads about a check.
    """

    name: str
    what: str
    get: Callable[[Evidence], Any]
    reason: str
    instead: Callable[[Evidence], str] | None = None

    def unmet(self, evidence: Evidence) -> str:
        """Why it is not there, or ""."""
        if self.get(evidence):
            return ""
        return (self.instead and self.instead(evidence)) or self.reason


@dataclass(frozen=True)
class Declared(Need):
    """A field of the declaration; one that is empty was declared all the same."""

    def unmet(self, evidence: Evidence) -> str:
        """Why it is not there, or ""."""
        return self.reason if self.get(evidence) is None else ""


def _seen(name: str, what: str, reason: str, in_audits: str = "") -> Need:
    """An attribute of the evidence."""

    return Need(
        name, what, attrgetter(name), reason, lambda evidence: in_audits if evidence.audited else ""
    )


def _declared(name: str, what: str, reason: str) -> Need:
    """An attribute of the declaration."""
    return Declared(name, what, attrgetter(f"declaration.{name}"), reason)


FILES = _seen(
    "files",
    "the rendered files, compared with the spec",
    "the rendered files were not compared with the spec",
)
SPEC = _seen("spec", "an env.yaml", "there is no env.yaml")
IMPORTS = _seen("imports", "the author's files, read", "the author's files were not read")
DOMAIN = _seen("domain", "the domain class, looked at", "the domain class was not looked at")
SURVEY = _seen("survey", "the tasks of all splits, read", "the tasks of all splits were not read")
TASKS = _seen("tasks", "the tasks, read", "the tasks were not read")
WITH_TASKS = _seen(
    "with_tasks", "which task each episode is about", "which task an episode was about is not known"
)
PLAYED = _seen("played", "episodes that were played", "nothing was played")
SCORED = _seen("scored", "episodes with a return", "no episode that was played has a return")
REFERENCE = _seen(
    "reference",
    "a reference run of the bare domain",
    "there is no reference run of the bare domain",
    "this is an audit: only what we render has a bare domain to play",
)
REPEAT = _seen(
    "repeat",
    "the reference run again, in another process",
    "the reference run was not repeated in another process",
)
INTERLEAVED = _seen(
    "interleaved",
    "episodes played in alternation in one process",
    "no episodes were played in alternation in one process",
)
REVERSED = _seen(
    "reversed", "episodes played in reverse order", "no episodes were played in reverse order"
)
RESEEDED = _seen("reseeded", "episodes under other seeds", "nothing was played under other seeds")
PROBED = _seen(
    "probed",
    "what was tried beyond the policies",
    "nothing was tried beyond the policies: episodes cost too much, or none was solved",
    "this is an audit: what exploits a world is tried on those that we render alone",
)
WORKED = _seen(
    "worked", "worked examples that were played", "no worked examples were declared and played"
)
SECRETS = _seen(
    "secrets",
    "task fields that are declared hidden",
    "no task field is declared hidden: there is nothing to look for",
)
EXCEPTIONS = _seen("exceptions", "declared exceptions", "no exceptions are declared")
AUDITED = _seen(
    "audited",
    "an audit of an environment that we did not render",
    "this is no audit: the environment is one that we render",
)
REPLAYED = _seen(
    "replayed",
    "episodes played again, in another process",
    "no episode was played again in another process",
)
OTHER_SEEDS = _seen(
    "other_seeds",
    "episodes with another seed",
    "its framework resets with no seed, or nothing was played with another",
)
SIDE_BY_SIDE = _seen(
    "side_by_side", "two sessions played at once", "no two sessions were played at once"
)
STATES = _seen(
    "states", "a state to look at, which OpenEnv has", "its framework has no state to look at"
)
FILLERS = _seen(
    "fillers",
    "calls with meaningless text of several lengths",
    "no tool takes free text, or no call with any was played",
)
VARIANTS = _seen("variants", "variants that were to be played", "no variant was to be played")
ROLLOUTS = _seen("rollouts", "variants that were played", "no variant was played")
BASELINE = _seen(
    "baseline",
    "a run to compare with: of the bare domain, or of another variant",
    "there is nothing to compare with: no reference run of the bare domain, and no "
    "scripted policy that was played in two variants",
)
PICTURES = _seen("pictured", "pictures that were shown", "no picture was shown")
SANDBOX = Need(
    "sandbox",
    "a sandbox that the spec asks for",
    lambda evidence: evidence.spec is not None and evidence.spec.backend != "none",
    "no sandbox is used",
)

TOOLS = _declared("tools", "declared tools", "no tools are declared")
PROMPT = _declared("prompt", "a declared prompt", "no prompt is declared")
REWARD_RANGE = _declared(
    "reward_range", "a declared range of returns", "no range of returns is declared"
)
REWARD_TIMING = _declared(
    "reward_timing",
    "when reward is paid, as declared",
    "nothing is declared of when reward is paid",
)
MAX_TURNS = _declared("max_turns", "a declared turn limit", "no turn limit is declared")
HIDDEN = _declared(
    "hidden",
    "which task fields are hidden, as declared",
    "nothing is declared of which task fields are hidden",
)
EXAMPLES = _declared(
    "examples",
    "an env.yaml, in which worked examples can be declared",
    "nobody can have declared worked examples",
)
SAID = _declared(
    "said", "worked examples that say which words they show", "no example says which words it shows"
)
SEED_USED = _declared(
    "seed_used",
    "whether the seed is used, as declared",
    "nothing is declared of whether the seed is used",
)


UNTIMED = "no time was left for any attempt"


def probe(*names: str) -> Need:
    """Attempts of some probes; without any, why there are none: nothing to try, or no answer.

    A probe that asks of the domain as a whole has no attempts, and is met where it was answered.
    """
    assert set(names) <= PROBES.keys(), names

    def get(evidence: Evidence) -> Any:
        found = evidence.probed
        return found and [
            name for name in names if found.attempts.get(name) or name in found.answered
        ]

    def why(evidence: Evidence) -> str:
        if missing := PROBED.unmet(evidence):
            return missing
        stuck = [
            evidence.probed.unanswered[name] for name in names if name in evidence.probed.unanswered
        ]
        if stuck:
            return f"no answer: {stuck[0]}"
        return UNTIMED if evidence.probed.untimed & {*names} else ""

    tried = ", or ".join(PROBES[name].tries for name in names)
    return Need(names[0], f"an attempt: {tried}", get, PROBES[names[0]].absent, why)


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
    "a picture in an episode that was played",
    lambda evidence: any(map(_shows, evidence.every)),
    "no episode that was played showed a picture",
)
ORACLE_PICTURES = Need(
    "oracle_pictures",
    "a picture that the oracle was shown",
    lambda evidence: any(map(_shows, (evidence.reference or {}).get("oracle", {}).values())),
    "the oracle was shown no picture",
)
TRIED = Need(
    "tried",
    "an attempt of any kind",
    # What died tells something, too: to EPI007, and why others have nothing to judge.
    lambda evidence: (
        evidence.probed and (any(evidence.probed.attempts.values()) or evidence.probed.unanswered)
    ),
    "no attempt of any kind could be made",
    PROBED.unmet,
)

COMPARED = Need(
    "compared",
    "episodes of a variant, and of the same script beside it, with a return",
    paired,
    "no episode of a variant has a score, and one of the same script beside it",
)
USED_SEED = Need(
    "used_seed",
    "a seed that is not declared to change nothing",
    lambda evidence: evidence.declaration.seed_used is not False,
    "the seed is declared to change nothing",
)
UNUSED_SEED = Need(
    "unused_seed",
    "a seed that is not declared to be used",
    lambda evidence: evidence.declaration.seed_used is not True,
    "the seed is declared to be used",
)
PAID_AT_THE_END = Need(
    "paid_at_the_end",
    "a reward that is paid at the end only, as declared",
    lambda evidence: evidence.declaration.reward_timing != "per_step",
    "reward may be paid at any step, as reward.timing says",
)

REFUSALS = Need(
    "refusals",
    "a call that was refused",
    lambda evidence: any(step.error for played in evidence.every for step in played.steps),
    "no call was refused in what was played",
)
