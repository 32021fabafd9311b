"""Predict each task's deciding call from a field of the task. Play the predicted call, and a wrong call.

These jobs run in the child process, on all tasks.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain, takewhile, zip_longest
from typing import Any

from skill_tools_jobs import Calls, Json, Place, Played, Request, runs
from skill_tools_jobs.deadline import Limit, share_of
from skill_tools_jobs.episodes import splits, task_at

JOINED = (", ", ",", " ", "\n")
"""Possible separators of a list in an answer that is one text."""
FAR = 1.25
"""Factor for a wrong number, to which a few units are added. A wider tolerance is visible in most tasks."""
LEAST = 3
"""Minimum distinct answers that a field must give for a rule: two may match by chance."""
FIRST = 8
"""Number of tasks after which the rule is dropped if most of them gave no reward."""
MOST = 6
"""Maximum tasks to report of each kind: people do not read more."""
RARE = 0.1
"""Maximum share of tasks that are exceptions; with more, the rule is wrong."""


def foresee(
    request: Request, split: str, decided: list[Any], top: float, max_turns: int, limit: Limit
) -> dict[str, list[Json]]:
    """For each task, play only the answer that one of the task's fields holds, and then a wrong answer.

    Returns the oracle's episodes on the few tasks that do not reward the field's answer, and the wrong answers
    that are rewarded.

    Args:
        decided: The oracle's deciding calls on tasks of a split, as [place, tool, arguments].
    """
    table, found = splits(request), dict[str, list[Json]](solved=[], loose=[])
    rule = _rule(table[split], decided)
    if rule is None:
        return found
    others = [each for each in table if each != split]
    places: list[Place] = [(split, index) for index in range(len(table[split]))]
    turns = zip_longest(*([(each, n) for n in range(len(table[each]))] for each in others))
    places += [place for place in chain.from_iterable(turns) if place is not None]
    answers = {place: _answer(task_at(request, *place), rule) for place in places}
    places = [place for place in places if answers[place] is not None]

    def paid(place: Place, answer: object) -> Played | None:
        calls: Calls = [[rule["tool"], {**rule["given"], rule["name"]: answer}]]
        played = runs.play_alone(request, max_turns, *place, None, calls)
        total, most = played["return"], runs.top_of(request, *place, top)
        reached = total is not None and most is not None and total >= most - 1e-9
        return played if reached else None

    left, count, unpaid = share_of(limit, 1 / 2), 0, []
    for place in takewhile(lambda _: left, places):
        count += 1
        if not paid(place, answers[place]):
            unpaid.append(place)
        if count == FIRST and len(unpaid) > FIRST // 2:
            return found  # an answer alone is not rewarded here
    if len(unpaid) <= count * RARE:
        found["solved"] = [
            runs.solve_alone(request, *place, None, max_turns, top=top)
            | {"own": int(task_at(request, *place).get("seed", 0))}
            for place in unpaid[:MOST]
        ]
    left, count, loose = share_of(limit, 1 / 2), 0, []
    said = [answers[place] for place in places]
    for place in takewhile(lambda _: left, places):
        wrong = _wrong(said[count], said[count + 1 :])
        count += 1
        if wrong is not None and (played := paid(place, wrong)):
            seed = int(task_at(request, *place).get("seed", 0))
            loose.append({"split": place[0], "index": place[1], "seed": seed, "played": played})
    if len(loose) <= count * RARE:
        found["loose"] = loose[:MOST]
    return found


def _rule(tasks: Sequence[Json], decided: list[Any]) -> Json | None:
    """Return the task field that predicts at least half of the deciding calls, and the parameter that it predicts."""
    counts: Counter[tuple[Any, ...]] = Counter()
    shown: dict[tuple[Any, ...], tuple[Json, set[str]]] = {}
    for index, tool, given in decided:
        for name, value in given.items() if isinstance(given, dict) else ():
            rest = {other: each for other, each in given.items() if other != name}
            for field, held in tasks[index].items():
                for joined in (None, *JOINED) if field not in ("id", "seed") else ():
                    if not isinstance(value, bool) and not _differ(_as_given(held, joined), value):
                        key = (tool, name, field, joined, repr(rest))
                        counts[key] += 1
                        shown.setdefault(key, (rest, set()))[1].add(repr(value))
    for key, count in counts.most_common():
        rest, values = shown[key]
        if len(values) >= LEAST and count * 2 >= len(decided):
            return dict(zip(("tool", "name", "field", "joined"), key[:4], strict=True)) | {
                "given": rest
            }
    return None


def _as_given(held: object, joined: str | None) -> object:
    if joined is None:
        return held
    if isinstance(held, list):
        return joined.join(map(str, held))
    return None if held is None or isinstance(held, dict) else str(held)


def _answer(task: Json, rule: Json) -> object:
    return _as_given(task.get(rule["field"]), rule["joined"])


def _wrong(right: object, others: list[object]) -> object:
    """Return a wrong answer: a distant number, or another task's answer. Return None if no other answer differs."""
    if isinstance(right, int | float):
        return round(right * FAR) + 3 if isinstance(right, int) else right * FAR + 3
    if isinstance(right, str) and re.fullmatch(r"-?\d+(\.\d+)?", right):
        digits = len(right.partition(".")[2])
        return f"{float(right) * FAR + 3:.{digits}f}"
    return next((each for each in others if _differ(each, right)), None)


def _differ(one: object, other: object) -> bool:
    return str(one).casefold() != str(other).casefold()


JOBS = {"foresee": foresee}
