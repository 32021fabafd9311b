"""TAS001 to 006: whether tasks are distinct problems, and whether no two splits share a problem."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from skill_tools.checks.check import Hit, Place, check, skip
from skill_tools.checks.needs import PROBED, REWARD_RANGE, SURVEY, probe
from skill_tools.checks.reading.probed import attempts, tops
from skill_tools.evidence.calls import calls_of, deciding
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.surveyed import Opened
from skill_tools.spec.model import EpisodeLimits, Prompt


def problems(evidence: Evidence, *, seeded: bool = True) -> dict[tuple[Any, ...], list[Opened]]:
    """Group tasks by problem. Two tasks are the same problem if their seeds and fields are equal.

    Only fields that the domain or the prompt reads are compared. The seed is compared only if it is used. Without
    ``seeded``, tasks that open alike and have the same solution are one problem. If luck decides, the result is
    then empty, because later deals differ.
    """
    if not seeded and evidence.declaration.best == "luck":
        return {}
    probed = PROBED.of(evidence)
    solutions = {each.task: each.calls for each in probed.solved}
    read = probed.read and probed.read | evidence.declaration.placeholders
    found: dict[tuple[Any, ...], list[Opened]] = defaultdict(list)
    for each in probed.opened:
        kept = [
            (key, value)
            for key, value in sorted(each.fields.items())
            if key not in ("id", "seed") and (not read or key in read)
        ]
        solution = solutions.get(each.task)
        last = each.seed if seeded and evidence.declaration.seed_used is not False else solution
        if not each.error and (seeded or solution):
            found[(*kept, "" if seeded else each.prompt, last)].append(each)
    return found


@check(
    "TAS001",
    "splits-share-problems",
    fix="generate tasks and seeds so that no problem is in two splits",
    needs=[probe("survey")],
    after=["DET002", "DET003"],
    trusts="runs",
)
def splits_share_problems(evidence: Evidence) -> Iterator[Hit]:
    """No problem (task fields, seed and first observation) is in two splits.

    Otherwise the test split would measure memorization.
    """
    if len({each.split for each in PROBED.of(evidence).opened}) < 2:
        yield skip("only tasks of one split were opened")
    for several in problems(evidence).values():
        splits = {each.split: each for each in several}
        if len(splits) > 1:
            one, other, *_ = splits.values()
            yield _of_task(other, f"{one.task} and {other.task} are the same problem")
    alike = [found for found in problems(evidence, seeded=False).values() if _seeds(found) > 1]
    pairs = [found for found in alike if len({each.split for each in found}) > 1]
    if pairs and _share(evidence, pairs) > ALIKE:
        splits = {each.split: each for each in pairs[0]}
        one, other, *_ = splits.values()
        message = (
            f"{one.task} and {other.task} open alike and have the same solution, although their "
            f"seeds differ; there are {len(pairs)} such groups"
        )
        yield _of_task(other, message)


@check(
    "TAS002",
    "same-problem-again",
    fix="draw tasks without replacement, or give each task its own seed",
    needs=[probe("survey")],
    after=["DET002", "DET003"],
    trusts="runs",
    level="warn",
)
def same_problem_again(evidence: Evidence) -> Iterator[Hit]:
    """No split contains a problem twice.

    Copies weigh too much in averages and make the split look larger than it is.
    """
    for several in problems(evidence).values():
        for split, count in Counter(each.split for each in several).items():
            if count > 1:
                one, other, *_ = [each for each in several if each.split == split]
                message = f"{one.task} and {other.task} are the same problem ({count} in all)"
                yield _of_task(other, message)
    alike = [g for g in problems(evidence, seeded=False).values() if _seeds(g) > 1]
    if alike and _share(evidence, alike) > ALIKE:
        one, other, *_ = max(alike, key=len)
        message = (
            f"{one.task} and {other.task} open alike and have the same solution, although their "
            f"seeds differ; so do {max(map(len, alike))} tasks"
        )
        yield _of_task(other, message)


@check(
    "TAS003",
    "one-answer-for-all",
    fix="vary the answers, so that each answer is right in about the same number of tasks",
    needs=[probe("right"), REWARD_RANGE],
    after=["REW002"],
    trusts="runs",
)
def one_answer_for_all(evidence: Evidence) -> Iterator[Hit]:
    """The call that earns the highest reward differs between tasks.

    If most tasks have the same answer, a policy learns that answer and nothing else.
    """
    solved = [t for t in (evidence.reference.episodes or {}).get("oracle", {}).values() if t.steps]
    alone = tops(evidence, attempts(evidence, "right"))
    # In some tasks, the calls before the last one decide.
    undecided = {each.of for each in attempts(evidence, "right")} - {each.of for each in alone}
    decided = [each for each in solved if each.label not in undecided]
    said = [(calls_of(t)[deciding(t)], t) for t in decided if calls_of(t)]
    last = [(repr(call), t) for call, t in said if call[1]]  # `submit()` may repeat
    if not alone and not any(len(t.steps) == 1 for t in solved):
        yield skip("no deciding call earns the maximum on its own")
    elif len(last) < LEAST:
        yield skip(f"fewer than {LEAST} of the played tasks are decided by a call with arguments")
    else:
        call, count = Counter(each for each, _ in last).most_common(1)[0]
        if count > len(last) * MOSTLY:
            message = f"the call {call} decides {count} of {len(last)} tasks"
            shown = next(played for each, played in last if each == call)
            tool = shown.steps[deciding(shown)].tool
            # In a world of luck, the same call may well be best in every task.
            sure = count == len(last) and evidence.declaration.best != "luck"
            yield Hit(message, shown, Place(tool=tool), "fail" if sure else "warn")


@check(
    "TAS004",
    "split-of-few",
    fix="add tasks, or remove the split",
    needs=[SURVEY],
    level="note",
    trusts="nothing",
)
def split_of_few(evidence: Evidence) -> Iterator[Hit]:
    """Every split has enough tasks.

    A mean return over two tasks says nothing about a policy.
    """
    survey = SURVEY.of(evidence)
    most = max(map(len, survey.values()), default=0)
    worked = {(each.split, each.index) for each in evidence.declaration.examples or ()}
    for split, tasks in survey.items():
        # With another name and an example per task, its purpose is to show rare rules.
        shown = split not in MEASURED and worked.issuperset((split, n) for n in range(len(tasks)))
        if 0 < len(tasks) < FEW and not shown:
            message = f"{split} has {len(tasks)} task{'s' if len(tasks) > 1 else ''}"
            if most > MANY:
                yield Hit(f"{message}, another split {most}", None, Place(task=split), "warn")
            else:
                yield Hit(message, place=Place(task=split))


@check(
    "TAS005",
    "level-never-dealt",
    fix="generate tasks so that each value occurs in every split, or remove values that occur in no task",
    needs=[probe("survey")],
    after=["DET001"],
    trusts="nothing",
    level="warn",
)
def level_never_dealt(evidence: Evidence) -> Iterator[Hit]:
    """Each level or setting listed in the tasks' module occurs in some task.

    A level that never occurs is neither trained on nor tested, whatever the texts say.
    """
    probed = PROBED.of(evidence)
    if not probed.undealt:
        yield skip("the module that generates the tasks has no list of levels or settings")
    for each in probed.undealt:
        if len(each.left) * 4 >= each.of:
            left = ", ".join(each.left[:4])
            count = f"{len(each.left)} of {each.of}"
            yield Hit(f"{count} in {each.name} are in no task: {left}")


@check(
    "TAS006",
    "level-in-one-split",
    fix="generate every level and setting in every split, unless you deliberately hold out a level or setting",
    needs=[probe("survey")],
    after=["TAS001"],
    trusts="runs",
    level="warn",
)
def level_in_one_split(evidence: Evidence) -> Iterator[Hit]:
    """A level or setting that is common in the largest split also occurs in every other split.

    Otherwise the test split does not measure a large part of the training.
    """
    probed = PROBED.of(evidence)
    by_split: dict[str, list[Opened]] = defaultdict(list)
    for each in probed.opened:
        by_split[each.split].append(each)
    largest = max(by_split, key=lambda split: len(by_split[split]), default="")
    compared = False
    for split, tasks in by_split.items():
        for field in sorted(probed.read - {"id", "seed"}) if split != largest else ():
            there = Counter(each.fields.get(field) for each in by_split[largest])
            here = {each.fields.get(field) for each in tasks}
            if not 2 <= len(there) <= LEVELS or not here <= set(there):
                continue  # a value that is new here was held out on purpose
            compared = True
            for value, count in there.items():
                share = count / len(by_split[largest])
                if value not in here and share * len(tasks) >= EXPECTED:
                    like = next(t for t in by_split[largest] if t.fields.get(field) == value)
                    message = (
                        f"no task of {split} has the {field!r} of {like.task}, although "
                        f"{share:.0%} of {largest} have it"
                    )
                    yield _of_task(like, message)
    if not compared:
        yield skip("no field that the domain reads has a few values that two splits share")


@check(
    "TAS008",
    "task-field-ignored",
    fix="if the setting applies to all tasks, move it to env.yaml. Otherwise make the domain read the field, or "
    "show it with {field} in the prompt. If tools differ by task, name the field in `offer`",
    needs=[probe("survey")],
    level="warn",
    trusts="nothing",
)
def task_field_ignored(evidence: Evidence) -> Iterator[Hit]:
    """If a task field has the name of a setting in env.yaml, the prompt or the domain reads this field.

    A task cannot have its own prompt or limits, and can have its own tools only with `offer` in env.yaml. An unread
    field with the name of such a setting has no effect.
    """
    probed = PROBED.of(evidence)
    for each in probed.opened:
        used = probed.read | evidence.declaration.placeholders | evidence.declaration.used_fields
        unread = SETTINGS & each.fields.keys() - used
        if probed.read and unread:
            for field in sorted(unread):
                message = f"the field {field!r} of {each.task} is ignored: neither prompt nor domain reads it"
                yield _of_task(each, message)
            return


def _of_task(opened: Opened, message: str) -> Hit:
    return Hit(message, place=Place(task=opened.task))


def _seeds(group: list[Opened]) -> int:
    return len({each.seed for each in group})


def _share(evidence: Evidence, groups: list[list[Opened]]) -> float:
    return sum(map(len, groups)) / max(1, len(PROBED.of(evidence).solved))


LEAST = 5
"""Minimum tasks decided by calls with arguments: fewer may share an answer by chance."""
FEW = 3
"""Minimum tasks in a split: a mean over two says nothing."""
MOSTLY = 0.7
"""Share of tasks with the same deciding call from which a policy learns just that call."""
ALIKE = 0.3
"""Maximum share of solved tasks that have the same opening and solution with different seeds by chance."""
MANY = 50
"""Minimum tasks in another split from which a small split is an oversight."""
MEASURED = frozenset({"train", "test", "validation", "val", "eval", "dev"})
"""Splits whose mean is reported."""
LEVELS = 8
"""Maximum distinct values of a field for levels; a field with more is a quantity or a unique text."""
SETTINGS = frozenset(
    {*Prompt.model_fields, *EpisodeLimits.model_fields, "prompt", "tools", "reward"}
)
"""Fields of env.yaml that may be mistaken for task fields, as other frameworks have them."""
EXPECTED = 4.0
"""Expected tasks of a level in a split that has none: chance gives this once in fifty."""

CHECKS = (
    splits_share_problems,
    same_problem_again,
    one_answer_for_all,
    split_of_few,
    level_never_dealt,
    level_in_one_split,
    task_field_ignored,
)
