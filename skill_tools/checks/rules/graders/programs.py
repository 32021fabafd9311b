"""GRA009: whether the tests that run programs detect one wrong line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from skill_tools.checks.check import Hit, Place, check, note, warn
from skill_tools.checks.needs import WRONG_PROGRAMS
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.contrast import clause
from skill_tools.evidence.grading.graded import WrongProgram
from skill_tools.evidence.grading.shares import Share

MANY = 0.25
"""Share of tasks up to which weak tests may be an oversight: in public test suites it is 10 and 18 %."""
SEVERAL = 2
"""Minimum number of tasks with weak tests: one may be a coincidence."""
SHOWN = 3
"""Maximum number of tasks whose missing test is shown."""

FAILING = (
    (
        ("raised",),
        ", although it raises an exception in an example of the task",
        "count a test in which a program raises an exception, or does not end, as failed",
    ),
    (
        ("raised", "value"),
        ", although it fails an example of the task",
        "run every example of the task as a test, and count each test that does not pass",
    ),
)
"""Kinds of results in examples that wrong programs fail, with a clause for the message and a fix."""


@check(
    "GRA009",
    "wrong-program-paid",
    shows="program-rewarded",
    fix="add the assertion shown in the message to the task's tests, then confirm that the right program still passes",
    needs=[WRONG_PROGRAMS],
    stage="exploit",
    trusts="nothing",
)
def wrong_program_paid(evidence: Evidence) -> Iterator[Hit]:
    """A program with one wrong line gets less reward than the right program.

    Policies do not learn to handle cases that tests omit, such as a bound, an empty list or duplicates.
    """
    graded = WRONG_PROGRAMS.of(evidence)
    paid = graded.paid_programs
    alike = [each for each in paid if each.alike]
    told = {each.given.task for each in alike}
    beyond = [each for each in paid if not each.alike and each.given.task not in told]
    tried = graded.weak_tests.of
    if alike:
        hit = Hit if len(told) >= max(SEVERAL, MANY * tried) else warn
        every = {each.given.task for each in graded.programs}
        shared = clause(graded.facts, told, every & graded.best.keys())
        several, although, fix = _failing(alike)
        message = f"rewarded like the right program{although}: {_tells(several, tried)}{shared}"
        place = Place(task=_shortest(several)[0].given.task)
        yield replace(hit(message, place=place), fix=fix)
    if beyond:
        message = (
            "rewarded like the right program, although the two differ on inputs unlike the task's "
            f"examples; the task may exclude such inputs: {_tells(beyond, tried)}"
        )
        yield note(message, place=Place(task=_shortest(beyond)[0].given.task))


def _failing(alike: Sequence[WrongProgram]) -> tuple[Sequence[WrongProgram], str, str]:
    """Return the programs that fail examples of their tasks, with a clause about them and a fix.

    Returns all programs and empty texts if few of them fail an example.
    """
    for kinds, although, fix in FAILING:
        found = [each for each in alike if each.exposed in kinds]
        if len({each.given.task for each in found}) >= SEVERAL:
            return found, although, fix
    return alike, "", ""


def _tells(several: Sequence[WrongProgram], tried: int) -> str:
    """Return how many tasks reward a wrong program, with an example and the tests to add."""
    first, *others = _shortest(several)
    share = Share(len(others) + 1, tried).text
    more = "".join(f"; on {each.given.task} `{each.test}`" for each in others[: SHOWN - 1])
    what = "it fails" if first.exposed else "add"
    return f"{first.given.how} on {first.given.task}, and likewise on {share}; {what} `{first.test}`{more}"


def _shortest(several: Sequence[WrongProgram]) -> list[WrongProgram]:
    """Return, for each task, the program with the shortest missing test. The shortest test comes first."""
    found: dict[str, WrongProgram] = {}
    for each in sorted(several, key=lambda one: (len(one.test), one.given.task, one.given.probe)):
        found.setdefault(each.given.task, each)
    return list(found.values())


CHECKS = (wrong_program_paid,)
