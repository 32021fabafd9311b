"""The shortcut player, which learns the simplest rule for the deciding call on half of the tasks.

It plays the rule on the other half. A rule may read anything that an agent may see before it decides: the
opening, the task's id, and the result of a call that is the same in every task.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import log2
from typing import Any

from skill_tools.evidence.calls import Calls
from skill_tools.evidence.surveyed import ShownTask
from skill_tools.graders.extraction_rules import ASKS, HOLDS, Rule, find_rules
from skill_tools.probes.answers import few_values
from skill_tools.probes.probe import ProbeContext, Trial

TASKS = 60
"""Maximum tasks to open and solve, half of them for learning."""
ASKED = 10
"""Maximum calls, the same in all tasks, whose results are read."""
SURE = 30.0
"""Minimum bits of information in the learned answers that a rule must explain.

A rule then holds by accident once in a million, and there are some ten thousand rules.
"""
LETTER = 1.5
"""Bits of information per letter of a word in a natural language."""
WORD = 8
"""Number of letters of a text that count: a policy that knows these knows the rest."""
LEAST = 2
"""Minimum distinct answers: with fewer, every rule holds."""
FEWEST = 4
"""Minimum tasks for splitting them in half."""
PLAYED = 20
"""Maximum tasks on which a rule is played."""
RULES = 2
"""Maximum rules to play per place: further rules extract the same."""


@dataclass(frozen=True)
class _Place:
    """A text that a rule can read, such as the opening.

    Attributes:
        words: The name of the text.
        calls: The calls that show the text.
        texts: The text for each task.
    """

    words: str
    kind: str
    calls: Calls
    texts: Mapping[str, str]
    asks: bool


@dataclass(frozen=True)
class _Shortcut:
    """Rules for the arguments of the deciding call; ``fixed`` holds the arguments that are the same in all tasks."""

    tool: str
    place: _Place
    rules: Mapping[str, Rule]
    fixed: Mapping[str, Any] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """The shortcut as readable text."""
        told = ", ".join(f"{name} is {rule.words}" for name, rule in self.rules.items())
        return f"{self.tool}: {told}"

    @property
    def asked(self) -> bool:
        """Whether the prompt may ask for the shortcut, so that following the shortcut may be the intended task."""
        return self.place.kind in ("opening", "answer") and self.place.asks


def fixed_calls(ground: ProbeContext) -> Calls:
    """Return calls to try at the start of every task: calls with few possible arguments, and calls of solutions."""
    found: Calls = []
    for offered in ground.tools:
        few = [*islice(few_values(offered["parameters"]), 3), *_ends(offered["parameters"])]
        found += [(offered["name"], given) for given in few]
    some = {json.dumps(call): call for each in ground.solved for call in _calls(each)}
    every = {json.dumps(call): call for call in found if ground.allows(*call)}
    return list((every | dict(list(some.items())[:4])).values())[:ASKED]


def _ends(parameters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield two sets of arguments: the first parameter at its minimum and the rest at their maximum, or vice versa."""
    fields = {name: parameters["properties"][name] for name in parameters.get("required", [])}
    if len(fields) < 2 or not all(
        {"minimum", "maximum"} <= each.keys() for each in fields.values()
    ):
        return
    for first, rest in (("minimum", "maximum"), ("maximum", "minimum")):
        ends = [first, *[rest] * (len(fields) - 1)]
        yield {name: fields[name][end] for name, end in zip(fields, ends, strict=True)}


def _calls(played: Any) -> Calls:
    return [
        (step.tool, step.arguments) for step in played.steps if isinstance(step.arguments, dict)
    ]


@dataclass(frozen=True)
class Learned:
    """The shortcut player's trials, or the reason why no rule could be learned with confidence."""

    trials: Sequence[Trial] = ()
    why: str = ""


def learn(ground: ProbeContext, asked: Calls, shown: Sequence[ShownTask], name: str) -> Learned:
    """Learn rules on every second task, and return trials that play the rules on the other tasks.

    Tasks that the oracle does not win are left out.

    Args:
        asked: The calls whose results are in ``shown``.
        name: The environment's name.
    """
    won = [each for each in shown if each.won]
    learned, tried = won[::2], won[1::2]
    if len(tried) < FEWEST:
        return Learned(why=f"{len(won)} solved tasks are too few to learn a rule from half of them")
    if _bits([json.dumps(task.calls[-1]) for task in learned]) < SURE:
        return Learned(why="the deciding calls differ too little to separate a rule from chance")
    found = [each for place in _places(won, asked) for each in _learn(place, learned)]
    return Learned(
        [
            trial
            for each in found
            for task in [t for t in tried if t.task in each.place.texts][:PLAYED]
            if (trial := _play(ground, each, task, name))
        ]
    )


def _places(tasks: Sequence[ShownTask], asked: Calls) -> Iterator[_Place]:
    """Yield the texts that a rule may read. Texts that an agent can see after few calls come first."""
    lead = _lead(tasks)
    asks = bool(ASKS.search(tasks[0].prompt))
    yield _Place("the opening", "opening", lead, {t.task: t.prompt for t in tasks}, asks)
    yield _Place("the task's id", "id", lead, {t.task: t.id for t in tasks}, asks)
    for number, call in enumerate(asked):
        said = {t.task: t.said[number] for t in tasks}
        tool, given = call
        made = f"{tool}({', '.join(f'{k}={v!r}' for k, v in given.items())})"[:80]
        for refused in (False, True):
            texts = {n: s.text for n, s in said.items() if s and s.refused == refused}
            if len(texts) >= 2 * FEWEST:
                words = f"the refusal of {made}" if refused else f"the reply to {made}"
                yield _Place(words, "refusal" if refused else "answer", [call, *lead], texts, asks)


def _lead(tasks: Sequence[ShownTask]) -> Calls:
    """Return the calls before the deciding call if they are the same in all tasks; otherwise return an empty list."""
    before = [task.calls[:-1] for task in tasks]
    return before[0] if all(each == before[0] for each in before) else []


def _learn(place: _Place, tasks: Sequence[ShownTask]) -> Iterator[_Shortcut]:
    """Yield the simplest rules that compute the arguments of the tasks' deciding calls from a text."""
    tool = Counter(t.calls[-1][0] for t in tasks).most_common(1)[0][0]
    there = [t for t in tasks if t.task in place.texts]
    mine = [t for t in there if t.calls[-1][0] == tool]
    if len(mine) < HOLDS * len(there) or not mine:
        return
    names = {name for t in mine for name in t.calls[-1][1]}
    fixed: dict[str, Any] = {}
    rules: dict[str, list[Rule]] = {}
    for name in sorted(names):
        values = [t.calls[-1][1].get(name) for t in mine]
        if len({json.dumps(v) for v in values}) == 1:
            fixed[name] = values[0]
            continue
        if any(isinstance(v, bool) or not isinstance(v, str | int) for v in values):
            return
        pairs = [(place.texts[t.task], str(v)) for t, v in zip(mine, values, strict=True)]
        if _bits([answer for _, answer in pairs]) < SURE:
            return
        computed = place.kind in ("id", "refusal")
        held = find_rules(pairs, place.words, computed=computed)
        rules[name] = [rule for _, rule in zip(range(RULES), held, strict=False)]
        if not rules[name]:
            return
    if not rules:
        return
    for number in range(min(map(len, rules.values()))):
        yield _Shortcut(tool, place, {name: found[number] for name, found in rules.items()}, fixed)


def _bits(answers: Sequence[str]) -> float:
    """Return how many bits of information the answers contain, or 0 if too few answers are distinct."""
    counts = Counter(answers)
    if len(counts) < LEAST:
        return 0.0
    drawn = sum(-log2(counts[each] / len(answers)) for each in answers)
    if len(counts) * 2 < len(answers):
        return drawn
    # If most differ, they come from a larger set: a range of numbers, words with some letters.
    numbers = [int(each) for each in answers if re.fullmatch(r"-?[0-9]{1,15}", each)]
    if len(numbers) == len(answers):
        return max(drawn, len(answers) * log2(max(numbers) - min(numbers) + 1))
    return max(drawn, sum(LETTER * min(len(each), WORD) for each in answers))


def _play(ground: ProbeContext, found: _Shortcut, task: ShownTask, name: str) -> Trial | None:
    """Return the trial that follows a rule on a task.

    The trial makes no call if the tool does not accept the arguments that the rule gives.
    """
    given = dict(found.fixed)
    for parameter, rule in found.rules.items():
        taken = rule.take(found.place.texts[task.task])
        whole = ground.schema(found.tool, parameter).get("type") == "integer"
        digits = taken.replace(",", "")
        value: Any = int(digits) if whole and digits.lstrip("-").isdigit() else taken
        given[parameter] = _as_listed(value, ground.schema(found.tool, parameter))
    call = (found.tool, given)
    # A refusal by the schema has no reward, and counts.
    change = {"rule": found.words, "place": found.place.kind, "asked": found.asked}
    calls = [*found.place.calls, call] if ground.allows(*call) else []
    label = f"{name}/{task.task}/{task.seed}"  # like the label of every other episode
    return Trial("shortcut", found.words, label, task.split, task.index, calls, None, change)


def _as_listed(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return the item of the parameter's ``enum`` that equals a value except for upper and lower case. If there is
    no such item, return the value.
    """
    listed = {str(each).casefold(): each for each in schema.get("enum", ())}
    return listed.get(str(value).casefold(), value)
