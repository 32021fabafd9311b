"""How far was looked: what was not played, and which examples no variant played."""

from __future__ import annotations

from collections.abc import Sequence

from skill_tools.evidence.evidence import Evidence, Tasks

NOT_GIVEN = "there was no time left, or similar replies were never scored"


def not_played(played: Sequence[Tasks], scored: int = 0) -> str:
    """How many tasks of each split were not played, in words; "" where all were.

    scored: tasks of the first split on which replies were scored, which may be more than were played.
    """
    left = dict(played[0].sizes) if played else {}
    for tasks in played:
        left[tasks.split] -= max(len(tasks.tasks), scored if tasks is played[0] else 0)
    return ", ".join(f"{size} tasks of {split}" for split, size in left.items() if size > 0)


def tasks_scored(evidence: Evidence) -> int:
    """On how many tasks an audit had replies scored."""
    graded = evidence.graded if evidence.audited else None
    return len({each.task for each in graded.replies}) if graded else 0


def bare_examples(evidence: Evidence) -> list[int]:
    """The examples that no variant played: another of their task was, or their task was not."""
    if not (evidence.rollouts and evidence.tasks):
        return []
    played, left = set(), []
    for number, example in enumerate(evidence.declaration.examples or ()):
        place = (example.split, example.index)
        tasks = evidence.tasks.tasks[: evidence.most]
        count = len(tasks) if example.split == evidence.tasks.split else 0
        if place in played or example.index >= count:
            left.append(number)
        played.add(place)
    return left


def _few_tasks(evidence: Evidence) -> str:
    """What to say where the variants played fewer tasks than the bare domain, by ``--quick`` or by their cost."""
    there = len(evidence.tasks.tasks) if evidence.tasks else 0
    if evidence.most is None or evidence.most >= there:
        return ""
    first = f"in the variants the first {evidence.most} of {there} tasks were played"
    if evidence.minutes:
        return f"{first}, as all would take about {evidence.minutes:.0f} min in each; --tasks {there} plays them"
    return f"{first}; build without --quick before you rely on it"


def seen(evidence: Evidence) -> str:
    """How far it was looked, in words; "" where that is all the way."""
    if evidence.audited and evidence.audited.lacks:
        return "nothing was played"
    if evidence.audited:
        left = evidence.audited.left
        unplayed = f"; there was no time for {left} scripts" if left else ""
        replies = evidence.graded.unplayed if evidence.graded else 0
        unplayed += f"; {replies} replies were not submitted: {NOT_GIVEN}" if replies else ""
        solved = sum(trajectory.model == "oracle" for trajectory in evidence.every)
        given = f", and by the solutions of {solved} tasks" if solved else ""
        if scored := tasks_scored(evidence):
            given += f"; replies were scored on {scored} tasks"
        return f"scripts that know only its tools played it{given}{unplayed}"
    if evidence.variants:
        return _few_tasks(evidence)
    if evidence.reference:
        return "the policies were played on the bare domain, but in no variant"
    if evidence.domain:
        return "the domain was imported and all tasks were read; nothing was played"
    if evidence.rows and not evidence.spec:
        return evidence.rows.told
    return "env.yaml and the domain's source were read; none of the author's code ran"
