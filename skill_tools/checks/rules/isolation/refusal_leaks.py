"""ISO012: refusals that reveal hidden values."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import combinations

from skill_tools.checks.check import Hit, Place, check, skip, warn
from skill_tools.checks.needs import REFERENCE, unanswered
from skill_tools.checks.reading.episodes import named
from skill_tools.checks.reading.texts import common, opening, scalars, stands_in, words_of
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Step, Trajectory

ALIKE = 0.7
"""Minimum share of characters (by difflib) that refusals of one kind have in common."""
PAIRS = 2
"""Minimum number of tasks whose refusals differ: one may be an accident."""
LEAST = 3
"""Minimum tasks whose answer something open reveals: with two this may be chance."""
_Refusal = tuple[Trajectory, Step]
_Pair = tuple[_Refusal, _Refusal, tuple[str, str]]
_BOUNDS = re.compile(
    r"\b(?:range|between|from|at most|at least|up to|only|there are|has|have|of|lines?|rows?|columns?|items?"
    r"|places?)\b\W{0,3}-?\d+"
    r"(?:\W{1,3}(?:to|and|or)?\W{0,2}-?\d+)?|\d+ [a-z]* ?(?:at most|at least|left)\b|-?\d+\W{1,3}(?:to|and"
    r"|or)\W{1,3}-?\d+|\d-\d"
)
"""Words that state the bounds of a number."""


@check(
    "ISO012",
    "refusal-reveals",
    fix="let a refusal state only what the agent did wrong and what is allowed, with the same text in every task",
    needs=[REFERENCE],
    after=["ISO003", "ISO005", "ISO006"],
    trusts="runs",
)
def refusal_reveals(evidence: Evidence) -> Iterator[Hit]:
    """The refusal of a first call does not depend on hidden values of the task.

    The check reports refusals whose words differ between tasks, unless these words are in the call or in the task's
    own part of the opening. A policy sends refused calls until such refusals have revealed the hidden value.
    """
    several = _first_refusals(evidence)
    if evidence.declaration.runs_programs:  # refusals depend on the agent's own text
        several = [one for one in several if not _texts(one[1])]
    shared = common([words_of(opening(t)) for t, _ in several])
    looked, choices = _looked(evidence), _choices(evidence)
    by_tool: dict[str, list[_Refusal]] = defaultdict(list)
    for trajectory, step in several:
        by_tool[step.tool].append((trajectory, step))
    compared = revealed = False
    for refused in by_tool.values():
        compared = compared or len({trajectory.label for trajectory, _ in refused}) >= PAIRS
        same_call = _of_the_call(refused)
        first = refused[:60]
        own = {id(s): same_call[_call(s)] | _of_the_form(refused, s) for _, s in first}
        found = [
            (one, other, only)
            for one, other in combinations(first, 2)
            if one[0].label != other[0].label
            and (only := _revealed(one, other, shared))
            and not all(
                set(words.split()) <= own[id(each[1])]
                for words, each in zip(only, (one, other), strict=True)
            )
            and _shown(*one) == _shown(*other)
            and not all(
                set(words.split()) <= choices | looked[each[0].label]
                for words, each in zip(only, (one, other), strict=True)
            )
        ]
        found = _not_foretold(found)
        if len({one[0].label for one, _, _ in found}) >= PAIRS:
            (trajectory, step), (other, its), (ours, theirs) = min(found, key=_only_numbers)
            message = (
                f"{named(trajectory)}: {step.tool}({step.arguments}) is refused with {step.text[:160]!r}, and on "
                f"{other.label} {step.tool}({its.arguments}) with {its.text[:160]!r}; neither the calls nor the "
                f"tasks contained {_in_order(ours, step)} or {_in_order(theirs, its)} before"
            )
            revealed, place = True, Place(task=trajectory.label, tool=step.tool)
            if all(map(_only_numbers, found)):
                # For example, the number of letters in which two words that the agent has differ.
                message += (
                    "; declare an exception if the agent can work it out from the observations"
                )
                yield warn(message, trajectory, place)
            else:
                yield Hit(message, trajectory, place)
    why = unanswered(evidence, "refused")
    if not revealed and (why or not compared):
        yield skip(why or f"no first call of a tool was refused in {PAIRS} tasks")


def _call(step: Step) -> str:
    return f"{step.tool} {step.arguments!r}"


def _of_the_call(refused: Sequence[_Refusal]) -> dict[str, set[str]]:
    """Return, for each call that was refused in several tasks, the words that all its refusals have in common.

    These words depend on the call, and two calls that break different rules may be refused in different words.
    """
    said: dict[str, dict[str, set[str]]] = defaultdict(dict)
    for trajectory, step in refused:
        said[_call(step)][trajectory.label] = set(words_of(step.text))
    return {
        call: set.intersection(*by_task.values()) if len(by_task) >= PAIRS else set()
        for call, by_task in said.items()
    }


def _of_the_form(refused: Sequence[_Refusal], step: Step) -> set[str]:
    """Return the words that all similar refusals of calls with the same arguments' names have in common.

    These words depend on the part of the tool that the call uses. Return no words if only one task has such calls.
    """
    alike = [
        (trajectory.label, set(words_of(each.text)))
        for trajectory, each in refused
        if _names(each) == _names(step) and _alike(each.text, step.text)
    ]
    several = len({label for label, _ in alike}) >= PAIRS
    return set.intersection(*(words for _, words in alike)) if several else set()


def _names(step: Step) -> list[str]:
    return sorted(step.arguments) if isinstance(step.arguments, dict) else []


def _alike(left: str, right: str) -> bool:
    return SequenceMatcher(None, _bare(left), _bare(right)).ratio() >= ALIKE


def _in_order(words: str, step: Step) -> str:
    text = step.text.lower()
    return ", ".join(repr(word) for word in sorted(words.split(), key=text.find))


def _not_foretold(pairs: Sequence[_Pair]) -> list[_Pair]:
    """Return only the pairs of refusals whose difference the tasks' openings do not explain.

    For example, one question asks for a day and another question asks for a number, and the refusals say so. The
    openings explain a kind of refusal if a word is in all openings of its tasks and in no other opening.
    """
    kinds: dict[str, dict[str, set[str]]] = defaultdict(dict)
    for one, other, _ in pairs:
        for trajectory, step in (one, other):
            kinds[_bare(step.text)][trajectory.label] = set(words_of(opening(trajectory)))
    foretold = {
        text
        for text, openings in kinds.items()
        if len(openings) >= PAIRS
        and set.intersection(*openings.values())
        - {word for kind in kinds if kind != text for each in kinds[kind].values() for word in each}
    }
    texts = [{_bare(one[1].text), _bare(other[1].text)} for one, other, _ in pairs]
    return [
        pair for pair, two in zip(pairs, texts, strict=True) if len(two) < 2 or not two <= foretold
    ]


def _only_numbers(pair: _Pair) -> bool:
    return "".join(pair[2]).replace(" ", "").isdigit()


def _looked(evidence: Evidence) -> dict[str, set[str]]:
    """Return, by task, the words that tools without parameters show. A refusal may repeat these words."""
    found: dict[str, set[str]] = defaultdict(set)
    free = {name for name, given in evidence.declaration.parameters.items() if not given}
    for trajectory in evidence.every_bare:
        for step in trajectory.steps:
            if step.tool in free and not step.error:
                found[trajectory.label] |= set(words_of(step.text))
    return found


def _choices(evidence: Evidence) -> set[str]:
    """Return the allowed values (``enum``) of all parameters. A refusal may say which values can be chosen."""
    return {
        str(value).lower()
        for parameters in evidence.declaration.parameters.values()
        for schema in parameters.values()
        for value in schema.get("enum", ())
    }


def _first_refusals(evidence: Evidence) -> list[_Refusal]:
    found: dict[tuple[str, str], _Refusal] = {}
    again = evidence.probed.attempts.get("refused", []) if evidence.probed else []
    for each in [*(one.trajectory for one in again), *evidence.every_bare]:
        if each.steps and each.steps[0].error == "invalid_action":
            found.setdefault((each.label, each.steps[0].text), (each, each.steps[0]))
    return list(found.values())


def _revealed(one: _Refusal, other: _Refusal, shared: Counter[str]) -> tuple[str, str] | None:
    """Return the words in which two similar refusals differ without a known reason, or None."""
    left, right = one[1].text, other[1].text
    same = one[1].arguments == other[1].arguments
    if not _alike(left, right):
        return None
    ours, theirs = (words_of(_BOUNDS.sub("", text), numbers=same) for text in (left, right))
    only = [
        sorted(
            word
            for word in set(mine - yours) - _known(*each, shared)
            if not _repeats(each[1], word) and not _multiple(each[1], word)
        )
        for mine, yours, each in ((ours, theirs, one), (theirs, ours, other))
    ]
    return (" ".join(only[0]), " ".join(only[1])) if all(only) else None


def _shown(trajectory: Trajectory, step: Step) -> bool | None:
    """Return whether the text that a refusal quotes from its call is in the task's last prompt message.

    A refusal may reveal whether the text is in the prompt. The result is None if the refusal quotes nothing.
    """
    said = " ".join(map(str, scalars(step.arguments)))
    quoted = [text for text in re.findall(r"['\"]([^'\"]{1,40})['\"]", step.text) if text in said]
    return stands_in(quoted[0], trajectory.question) if quoted else None


def _repeats(step: Step, word: str) -> bool:
    """Return whether ``word`` is the beginning of a word in the call: refusals may cut off a long word."""
    said = words_of(" ".join(map(str, scalars(step.arguments))), numbers=False)
    return any(each.startswith(word) for each in said)


def _texts(step: Step) -> list[str]:
    return [value for value in scalars(step.arguments) if isinstance(value, str)]


def _multiple(step: Step, word: str) -> bool:
    """Return whether ``word`` is a multiple of a number in the call, as a price is a multiple of a quantity."""
    given = [v for v in scalars(step.arguments) if type(v) is int and v > 1]
    return word.isdigit() and any(int(word) >= n and int(word) % n == 0 for n in given)


def _known(trajectory: Trajectory, step: Step, shared: Counter[str]) -> set[str]:
    """Return the words in the call, and the opening's words that are specific to this task."""
    given = words_of(" ".join(map(str, scalars(step.arguments))))
    return set(given) | set(words_of(opening(trajectory)) - shared)


def _bare(text: str) -> str:
    return re.sub(r"\d+|'[^']*'|\"[^\"]*\"", "", text)


CHECKS = (refusal_reveals,)
