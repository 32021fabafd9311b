"""WOR004: whether the prompt states the cost of a refused call correctly."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skill_tools.checks.check import Hit, check, skip, warn
from skill_tools.checks.needs import MAX_TURNS, PROMPT
from skill_tools.checks.reading.sentences import sentences
from skill_tools.checks.rules.words.schemas import NUMBER, NUMBERS, as_number
from skill_tools.evidence.evidence import Evidence

_REFUSED = re.compile(
    r"\b(?:refus\w*|reject\w*|not (?:allowed|valid|legal|in the list|a word)|invalid|illegal|unknown"
    r"|malformed|forbidden)\b",
    re.IGNORECASE,
)
_UNIT = r"(?:turn|call|step|action|move|try|attempt)"
_FREE = re.compile(
    r"\b(?:costs?|uses?(?: up)?|spends?) (?:you )?(?:nothing|none\b|no\b)|\bwithout (?:costing|using)\b"
    rf"|\btakes? (?:you )?no {_UNIT}\b"
    r"|\b(?:does|do|is|are) not (?:cost|count|use|take)|\b(?:is|are) free\b|\bforgiven\b"
    r"|\b(?:is|are|counts? as) none of (?:your|the) (?:\w+ )?(?:turn|call|step|action|move|try|attempt)s\b",
    re.IGNORECASE,
)
_ELSE = re.compile(r"\s*(?:else|more|further|besides|beyond|but)\b", re.IGNORECASE)
_A_TURN = re.compile(
    rf"\b(?:is|are|counts? as|takes?|uses?(?: up)?|costs?|spends?) (?:you )?(?:nothing but |only )?"
    rf"(?:(?:a|an|one|its) {_UNIT}\b|one of (?:\w+ ){{1,2}}{_UNIT}s\b)"
    rf"|, but (?:a|one) {_UNIT}\b"
    rf"|\bcounts? (?:against|towards?|among|as one of) (?:\w+ ){{1,3}}{_UNIT}s?\b"
    rf"|\b{_UNIT}s?\b[^.\n]*\b(?:too|also|as well|included|so (?:is|are|does|do))\b",
    re.IGNORECASE,
)
"""Matches the statement that a refused call uses a turn: anything that it does not cost is then something else."""
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "twelfth": 12}  # fmt: skip  # noqa: E501
_LAST = re.compile(
    rf"\b(?P<number>\d+(?=st|nd|rd|th)|{'|'.join(_ORDINALS)})(?:st|nd|rd|th)?"
    r"\s+(?:refus\w*|invalid|illegal)\b[^.\n]{0,30}\bends?\b",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"\b(?:gives?|brings?|earns?|gets?|costs?|is|are|means?|counts? as) (?:you )?(?:a|an"
    rf"|one) (?!{_UNIT})(?P<noun>[a-z]+)\b",
    re.IGNORECASE,
)
"""Matches the name that a sentence gives a refused call, as in "gives you a warning"."""
_FORGIVEN = re.compile(
    rf"\b{NUMBER}\s+(?:(?:refus\w*|invalid|illegal|unknown|such|of (?:those|them))\s*){{1,2}}[^.\n]{{0,30}}?"
    r"\b(?:forgiven|free|allowed|cost nothing)",
    re.IGNORECASE,
)


@check(
    "WOR004",
    "refusals-contradict",
    fix="set episode.refusals and max_refusals in env.yaml to match the prompt, or correct the prompt",
    needs=[PROMPT, MAX_TURNS],
    trusts="nothing",
)
def refusals_contradict(evidence: Evidence) -> Iterator[Hit]:
    """Refused calls cost what the prompt says: a turn each, or nothing until too many calls were refused.

    If the prompt says that refused attempts are free, a model makes such attempts and loses turns.
    """
    prompt, most = PROMPT.of(evidence), evidence.declaration.max_refusals
    free, costs = _cost_of_refusals(prompt)
    forgiven, last = list(_FORGIVEN.finditer(prompt)), _last_ones(prompt)
    if not (free or costs or forgiven or last):
        yield skip("no sentence of the prompt states the cost of a refused call")
    if free and not costs and most is None:
        yield Hit(f"the prompt says {free!r}, but a refused call costs a turn")
    if costs and not free and most is not None:
        yield Hit(f"the prompt says {costs!r}, but a refused call costs no turn (refusals: free)")
    told = [(found, as_number(found["number"]), 1) for found in forgiven]
    told += [(found, _ordinal(found["number"]), 0) for found in last]
    for found, number, fewer in told:  # so many are forgiven, or that one ends the episode
        if most is not None and number > 0 and not most - fewer <= number <= most:
            said = " ".join(found[0].split())
            yield warn(f"the prompt says {said!r}, but refused call number {most} ends the episode")


def stated_refusals(prompt: str, otherwise: int) -> int | None:
    """Return the number of free refusals after which an episode ends, according to a prompt.

    Returns None if the prompt does not say that refusals are free.

    Args:
        prompt: The text of the prompt.
        otherwise: The number to return if refusals are free but the prompt states no number.
    """
    free, costs = _cost_of_refusals(prompt)
    numbers = [_ordinal(found["number"]) for found in _last_ones(prompt)]
    known = [number for number in numbers if number > 0]
    if not known and (costs or not free):
        return None
    return min(known, default=otherwise)


def _last_ones(prompt: str) -> list[re.Match[str]]:
    """Return the places in which the prompt says which refused call ends the episode.

    The prompt may have its own word for refused calls, such as "strikes".
    """
    found = list(_LAST.finditer(prompt))
    told = [sentence for sentence in sentences(prompt) if _REFUSED.search(sentence)]
    names = {each["noun"].lower() for sentence in told for each in _CALLED.finditer(sentence)}
    for name in sorted(names):
        number = rf"(?P<number>\d+(?:st|nd|rd|th)?|{'|'.join([*_ORDINALS, *NUMBERS])})"
        ends = rf"\b{number} {re.escape(name)}s?\b[^.\n]{{0,30}}\bends?\b"
        found += re.finditer(ends, prompt, re.IGNORECASE)
    return found


def _ordinal(text: str) -> int:
    digits = re.match(r"\d+", text)
    return int(digits[0]) if digits else _ORDINALS.get(text.lower()) or as_number(text)


def _cost_of_refusals(prompt: str) -> tuple[str, str]:
    """Return the sentences that say that a refused call is free, and that a refused call costs a turn.

    A sentence is "" if the prompt does not contain such a sentence.
    """
    free = costs = ""
    for sentence in sentences(prompt):
        if not (refused := _REFUSED.search(sentence)):
            continue
        found = _FREE.search(sentence, refused.start())
        if _A_TURN.search(sentence):
            costs = costs or sentence
        elif found and not _ELSE.match(sentence, found.end()):
            free = free or sentence
    return free, costs


CHECKS = (refusals_contradict,)
