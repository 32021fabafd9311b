"""The evidence from episodes, files and observations that checks need."""

from __future__ import annotations

from collections.abc import Callable

from skill_tools.checks.needs.need import Need, Seen_co
from skill_tools.checks.reading.episodes import paired
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.probed import Probed
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.spec.readers.readings import Readings


def _seen(
    name: str,
    what: str,
    get: Callable[[Evidence], Seen_co | None],
    reason: str,
    in_audits: str = "",
) -> Need[Seen_co]:
    return Need(name, what, get, reason, lambda seen: in_audits if seen.audit.audited else "")


FILES = _seen(
    "files",
    "a comparison of the rendered files with the spec",
    lambda seen: seen.files,
    "the rendered files were not compared with the spec",
)

SPEC = _seen("spec", "an env.yaml", lambda seen: seen.spec, "there is no env.yaml")

NO_ROLES = "env.yaml declares no models"
ROLES = _seen("roles", "declared models", lambda it: (it.spec and it.spec.models) or None, NO_ROLES)
IMPORTS = _seen(
    "imports",
    "the contents of the author's files",
    lambda seen: seen.imports,
    "the author's files were not read",
)

DOMAIN = _seen(
    "domain",
    "the inspected domain class",
    lambda seen: seen.reference.domain,
    "the domain class was not inspected",
)

SURVEY = _seen(
    "survey",
    "the tasks of all splits",
    lambda seen: seen.reference.survey,
    "the tasks of all splits were not read",
)

TASKS = _seen(
    "tasks",
    "the chosen tasks",
    lambda seen: seen.reference.tasks,
    "no tasks were chosen to be played",
)

WITH_TASKS = _seen(
    "with_tasks",
    "episodes whose task is known",
    lambda seen: seen.with_tasks,
    "the task of an episode is not known",
)

PLAYED = _seen("played", "played episodes", lambda seen: seen.played, "nothing was played")

SCORED = _seen(
    "scored",
    "episodes with a return",
    lambda seen: seen.scored,
    "no played episode has a return",
)

REFERENCE = _seen(
    "reference",
    "a reference run of the bare domain",
    lambda seen: seen.reference.episodes,
    "there is no reference run of the bare domain",
    "this is an audit: only environments that skill-tools renders have a bare domain",
)

REPEAT = _seen(
    "repeat",
    "a repetition of the reference run in another process",
    lambda seen: seen.reference.repeat,
    "the reference run was not repeated in another process",
)

INTERLEAVED = _seen(
    "interleaved",
    "episodes that were interleaved in one process",
    lambda seen: seen.reference.interleaved,
    "no episodes were played in alternation in one process",
)

REVERSED = _seen(
    "reversed",
    "episodes that were played in reverse order",
    lambda seen: seen.reference.reversed,
    "no episodes were played in reverse order",
)

RESEEDED = _seen(
    "reseeded",
    "episodes with other seeds",
    lambda seen: seen.reference.reseeded,
    "nothing was played under other seeds",
)


def _not_tried(evidence: Evidence) -> str:
    if evidence.audit.audited:
        return "this is an audit: probes run only on environments that skill-tools renders"
    return "" if evidence.played else "nothing was played"


PROBED: Need[Probed] = Need(
    "probed",
    "the results of probes",
    lambda seen: seen.probed,
    "no probe ran: probes need a solved task, and none runs on a screen",
    _not_tried,
)

WORKED = _seen(
    "worked",
    "worked examples that were played",
    lambda seen: seen.reference.examples_replay,
    "no worked examples were declared and played",
)


def _read(evidence: Evidence) -> Readings | None:
    """Return the reader's notes (readings.yaml) if the notes are not empty and their examples were replayed."""
    found = evidence.reference.readings if evidence.reference.readings_replay is not None else None
    return found if found and (found.examples or found.contradictions) else None


READINGS = _seen(
    "readings",
    "tested readings of a reader who saw only the prompts",
    _read,
    "there is no readings.yaml of a reader who saw only the prompts: `skill-tools blind-review "
    "DIR` explains how to get one",
)

SECRETS = _seen(
    "secrets",
    "at least one task field that is declared hidden",
    lambda seen: seen.secrets,
    "no task field is declared hidden, and secrets in a module cannot be detected",
)

EXCEPTIONS = _seen(
    "exceptions", "declared exceptions", lambda seen: seen.exceptions, "no exceptions are declared"
)

AUDITED = _seen(
    "audited",
    "an audit of an environment that skill-tools did not render",
    lambda seen: seen.audit.audited,
    "this is not an audit: skill-tools renders the environment",
)

REPLAYED = _seen(
    "replayed",
    "episodes that were replayed in another process",
    lambda seen: seen.audit.replayed,
    "no episode was played again in another process",
)

OTHER_SEEDS = _seen(
    "other_seeds",
    "episodes with another seed",
    lambda seen: seen.audit.other_seeds,
    "the framework resets without a seed, or no episode was played with a different one",
)

SIDE_BY_SIDE = _seen(
    "side_by_side",
    "two concurrent sessions",
    lambda seen: seen.audit.side_by_side,
    "no two sessions were played concurrently",
)

STATES = _seen(
    "states",
    "a readable state, as in OpenEnv",
    lambda seen: seen.audit.states,
    "the framework has no readable state",
)

FILLERS = _seen(
    "fillers",
    "calls with meaningless text of several lengths",
    lambda seen: seen.fillers,
    "no tool accepts free text, or no call with free text was played",
)

GRADED = _seen(
    "graded",
    "right and wrong answers that were submitted to the grader",
    lambda seen: seen.audit.graded,
    "no answers were submitted: either some questions have no single answer, or the answers are "
    "not known",
)

JUDGED_ANSWERS = _seen(
    "judged_answers",
    "right answers that earn reward, and other answers to compare with them",
    lambda seen: seen.audit.graded if seen.audit.graded and seen.audit.graded.best else None,
    "no right answer is known to earn reward, so the others cannot be judged",
)

WRONG_PROGRAMS = _seen(
    "wrong_programs",
    "wrong programs that were derived from rewarded right programs",
    lambda seen: seen.audit.graded if (g := seen.audit.graded) and g.programs and g.best else None,
    "no wrong program was submitted: no answer is a self-contained Python program that earns "
    "reward",
)

VARIANTS = _seen(
    "variants", "requested variants", lambda seen: seen.variants.names, "no variant was requested"
)

ROLLOUTS = _seen(
    "rollouts",
    "at least one variant that was played",
    lambda seen: seen.variants.rollouts,
    "no variant was played",
)

BASELINE = _seen(
    "baseline",
    "a run of the bare domain or of another variant, for comparison",
    lambda seen: seen.baseline,
    "there is nothing to compare with: no reference run of the bare domain, and no "
    "scripted policy in two variants",
)

PICTURES = _seen(
    "pictured", "pictures that were shown", lambda seen: seen.pictured, "no picture was shown"
)

SANDBOX = Need(
    "sandbox",
    "a sandbox that env.yaml requests",
    lambda evidence: evidence.spec is not None and evidence.spec.backend != "none",
    "no sandbox is used",
)


def _shows(trajectory: Trajectory) -> bool:
    """Return whether the opening or any observation of an episode contains an image."""
    return any(True for _ in trajectory.pictures())


PLAYED_PICTURES = Need(
    "played_pictures",
    "a picture in a played episode",
    lambda evidence: any(map(_shows, evidence.every)),
    "no played episode showed a picture",
)

ORACLE_PICTURES = Need(
    "oracle_pictures",
    "a picture that the oracle was shown",
    lambda evidence: any(
        map(_shows, (evidence.reference.episodes or {}).get("oracle", {}).values())
    ),
    "the oracle was shown no picture",
)

COMPARED = Need(
    "compared",
    "a scripted episode with a score in both compared runs",
    paired,
    "no scripted episode has a score both in a variant and in the run for comparison",
)

ROWS = _seen(
    "rows",
    "the rows of a data set",
    lambda seen: seen.audit.rows,
    "no data set was read",
)

REFUSALS = Need(
    "refusals",
    "a refused call",
    lambda evidence: any(step.error for played in evidence.every for step in played.steps),
    "no call was refused",
)
