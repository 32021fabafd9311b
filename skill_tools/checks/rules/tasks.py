"""TAS: whether tasks are problems of their own, and splits keep theirs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from skill_tools.checks.check import check, warn
from skill_tools.checks.needs import PROBED, REWARD_RANGE, SURVEY
from skill_tools.evidence.deciding import calls_of, deciding
from skill_tools.evidence.evidence import Evidence

Opened = dict[str, Any]


def problems(evidence: Evidence, *, seeded: bool = True) -> dict[tuple[Any, ...], list[Opened]]:
    """The tasks of each problem: of the same fields that the domain and the prompt read, and the seed.

    A seed counts if it is used. Without ``seeded`` they open alike and have the same solution.
    """
    solutions = {(s["split"], s["index"]): s.get("calls") for s in evidence.probed.solved}
    read = evidence.probed.read and evidence.probed.read | evidence.declaration.placeholders
    found: dict[tuple[Any, ...], list[Opened]] = defaultdict(list)
    for each in evidence.probed.opened:
        kept = [
            (key, value)
            for key, value in sorted(each["fields"].items())
            if key not in ("id", "seed") and (not read or key in read)
        ]
        solution = solutions.get((each["split"], each["index"]))
        last = each["seed"] if seeded and evidence.declaration.seed_used is not False else solution
        if not each["error"] and (seeded or solution):
            found[(*kept, "" if seeded else each["prompt"], last)].append(each)
    return found


@check(
    "TAS001",
    "splits-share-problems",
    fix="deal tasks and seeds so that no problem is in two splits",
    needs=[PROBED],
    after=["DET001", "ISO001", "DET002", "DET003"],
)
def splits_share_problems(evidence: Evidence) -> Iterator[str]:
    """No problem of one split is in another: same fields, seed and first observation.

    The test split would measure what was learned by heart.
    """
    for several in problems(evidence).values():
        splits = {each["split"]: each for each in several}
        if len(splits) > 1:
            one, other, *_ = splits.values()
            yield f"{_place(one)} and {_place(other)} are the same problem"
    alike = [found for found in problems(evidence, seeded=False).values() if _seeds(found) > 1]
    pairs = [found for found in alike if len({each["split"] for each in found}) > 1]
    if pairs and _share(evidence, pairs) > ALIKE:
        splits = {each["split"]: each for each in pairs[0]}
        one, other, *_ = splits.values()
        yield (
            f"{_place(one)} and {_place(other)} open alike and have the same solution, though their "
            f"seeds differ; there are {len(pairs)} such groups"
        )


@check(
    "TAS002",
    "same-problem-again",
    fix="draw tasks without putting them back, or give each its own seed",
    needs=[PROBED],
    after=["DET001", "ISO001", "DET002", "DET003"],
    level="warn",
    stage="consequence",
)
def same_problem_again(evidence: Evidence) -> Iterator[str]:
    """No split has one problem twice.

    Copies weigh more in the mean than they should, and a split is smaller than it says.
    """
    for several in problems(evidence).values():
        for split, count in Counter(each["split"] for each in several).items():
            if count > 1:
                one, other, *_ = [each for each in several if each["split"] == split]
                yield f"{_place(one)} and {_place(other)} are the same problem ({count} in all)"
    alike = [g for g in problems(evidence, seeded=False).values() if _seeds(g) > 1]
    if alike and _share(evidence, alike) > ALIKE:
        one, other, *_ = max(alike, key=len)
        yield (
            f"{_place(one)} and {_place(other)} open alike and have the same solution, though their "
            f"seeds differ; so do {max(map(len, alike))} tasks"
        )


@check(
    "TAS003",
    "one-answer-for-all",
    fix="write tasks with different answers, in about equal numbers",
    needs=[PROBED, REWARD_RANGE],
    after=["DET001", "ISO001", "REW002"],
)
def one_answer_for_all(evidence: Evidence) -> Iterator[str]:
    """The calls that decide differ between tasks.

    Where most tasks have one answer, that answer is learned and nothing else.
    """
    solved = [t for t in (evidence.reference or {}).get("oracle", {}).values() if t.steps]
    said = [calls_of(t)[deciding(t)] for t in solved if calls_of(t)]
    last = [repr(call) for call in said if call[1]]  # a call that says nothing, as `submit()`, may
    high = evidence.declaration.reward_range[1]
    right = evidence.probed.attempts.get("right", [])
    alone = any((each.trajectory.total or 0.0) >= high > 0.0 for each in right)
    if len(last) >= LEAST and (alone or any(len(t.steps) == 1 for t in solved)):
        call, count = Counter(last).most_common(1)[0]
        if count > len(last) * MOSTLY:
            message = f"{call} decides {count} of {len(last)} tasks"
            yield message if count == len(last) else warn(message)


@check(
    "TAS004",
    "split-of-few",
    fix="add tasks, or remove the split",
    needs=[SURVEY],
    level="note",
)
def split_of_few(evidence: Evidence) -> Iterator[str]:
    """Every split has some tasks.

    A mean return over two tasks says nothing of a policy.
    """
    most = max(map(len, evidence.survey.values()), default=0)
    for split, tasks in evidence.survey.items():
        if 0 < len(tasks) < FEW:
            message = f"{split} has {len(tasks)} task{'s' if len(tasks) > 1 else ''}"
            yield warn(f"{message}, another split {most}") if most > MANY else message


@check(
    "TAS005",
    "level-never-dealt",
    fix="deal tasks so that each value occurs in every split, or remove what no task has",
    needs=[PROBED],
    after=["DET001"],
    level="warn",
)
def level_never_dealt(evidence: Evidence) -> Iterator[str]:
    """Of a list of levels or settings in the tasks' module, each is in some task.

    One that never occurs is not trained on and not tested, whatever the words say.
    """
    for each in evidence.probed.undealt:
        if len(each["left"]) * 4 >= each["of"]:
            left = ", ".join(each["left"][:4])
            yield warn(
                f"{len(each['left'])} of {each['of']} in {each['name']} are in no task: {left}"
            )


@check(
    "TAS006",
    "level-in-one-split",
    fix="deal every level and setting to every split, unless one is held out on purpose",
    needs=[PROBED],
    after=["DET001", "ISO001", "TAS001"],
    level="warn",
)
def level_in_one_split(evidence: Evidence) -> Iterator[str]:
    """What many tasks of the largest split have is in some task of each other one.

    The test split would not measure what most of training is about.
    """
    by_split: dict[str, list[Opened]] = defaultdict(list)
    for each in evidence.probed.opened:
        by_split[each["split"]].append(each)
    largest = max(by_split, key=lambda split: len(by_split[split]), default="")
    for split, tasks in by_split.items():
        for field in sorted(evidence.probed.read - {"id", "seed"}) if split != largest else ():
            there = Counter(each["fields"].get(field) for each in by_split[largest])
            here = {each["fields"].get(field) for each in tasks}
            if not 2 <= len(there) <= LEVELS or not here <= set(there):
                continue  # a value that is new here was held out on purpose
            for value, count in there.items():
                share = count / len(by_split[largest])
                if value not in here and share * len(tasks) >= EXPECTED:
                    like = next(t for t in by_split[largest] if t["fields"].get(field) == value)
                    yield (
                        f"no task of {split} has the {field!r} of {_place(like)}, as {share:.0%} of "
                        f"{largest} have"
                    )


def _seeds(group: list[Opened]) -> int:
    return len({each["seed"] for each in group})


def _share(evidence: Evidence, groups: list[list[Opened]]) -> float:
    """How many of the solved tasks are in some groups."""
    return sum(map(len, groups)) / max(1, len(evidence.probed.solved))


def _place(opened: Opened) -> str:
    return f"{opened['split']}/{opened['index']}"


LEAST, FEW, MOSTLY, ALIKE = 5, 3, 0.7, 0.3
MANY, LEVELS, EXPECTED = 50, 8, 4.0
"""Tasks beside which a split of few was a slip; values of a field that are levels; how many tasks of one a
split would have by chance, so that none is no accident."""

CHECKS = (
    splits_share_problems,
    same_problem_again,
    one_answer_for_all,
    split_of_few,
    level_never_dealt,
    level_in_one_split,
)
