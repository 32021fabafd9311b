"""Causes of findings about replies: what several ways of replying have in common, and the fix."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

MOST = 2
"""Maximum number of fixes in one finding."""
SEVERAL = 2
"""Minimum ways with one cause before a finding names the cause; one way describes itself."""
SHARE = 1 / 3
"""Minimum share of a finding's ways that have this cause."""


class Cause(NamedTuple):
    """A cause: a pattern that matches the names of its ways of replying, the fix, and what is common to these replies.

    In ``says``, ``{near}`` stands for the distance of the numbers.
    """

    ways: str
    fix: str
    says: str = ""


ALL = r"all|all-words|all-lines|spray|union|json\.hedged|hedged|hedged-last|blocks\.answers|lines\.union|expression-or"
NEAR = "next|off|near|slight|cut|truncated|far"
WHOLE = "extract the answer from its own place and compare the whole answer, instead of looking for the right answer anywhere in the reply"
WITHIN = "compare the whole answer as a number, without deleting signs, points, blanks or letters within it; allow only the tolerance that the prompt states"
# fmt: off
PAID: tuple[Cause, ...] = (
    Cause(r"empty|empty-slot|nonsense|refusal|long|vacuous.*|value\.(?:\*|\.\*|\[\]|\{\}|None|null|name)|form\..*|no-numbers|no-items|strange|others",
        "score a reply as wrong if it has no readable answer, or if normalization empties its answer: an empty text is "
        "contained in every text, and equals every other text that normalization empties", "a reply without a readable answer"),
    Cause(r"value\.(?:NaN|inf|-inf|True|1/0|huge)", "accept a finite number only, in a plain notation: NaN, infinity and `True` compare in unexpected ways"),
    Cause(r"injection", "do not let instructions in the reply decide the score"),
    Cause(ALL, "reject a reply that gives several answers: compare the whole of one answer instead of searching for the right one"),
    Cause(r"negated|denied|hedged|hedged-last|all|all-words|begins|longer|json\.hedged", WHOLE, "any answer that contains it"),
    Cause(rf"negated|denied|after|thought|outside|begins|longer|said\..*|{ALL}", WHOLE, "any reply that contains it"),
    Cause(r"thought-tagged|drafted", "remove the thoughts before looking for the answer"),
    Cause(r"retracted|taken-back.*|two-answers.*|denied|hedged|drafted", "score the last answer only, or reject replies with several",
        "the first answer in a reply, whatever follows"),
    Cause(r"blocks\..*", "bound each bonus for form (count it once), and give it only to replies with the right answer", "a reply with much form"),
    Cause(r"echo|echo\..*|passage.*|column.*", "do not reward words of the prompt: compare the answer alone, in both directions, and reject what the prompt already states",
        "words of the prompt"),
    Cause(NEAR, WITHIN, "a number up to {near} away"),
    Cause(r"longer|prefix|plus|parted|sign|zero|tenfold|hundredfold|thousandth|hundredth|point-in|blank-in|unit-in|numerator|denominator|.*number", WITHIN),
    Cause(r"sign|negated|point-in|blank-in|unit-in|tenfold|hundredth", WITHIN, "the right digits, whatever is between or before them"),
    Cause(r"unit|unit\..*|no-constant", "compare the unit, or the constant, as well as the number", "the number without its right unit"),
    Cause(r"(?:lines\.)?(?:backwards|swapped|turned|order.*)|salad|mirrored|letters|exchanged|json\.(?:.*exchanged|backwards)|turned-as-shown",
        "compare the items in their order, and values under their own names", "the right parts in another order"),
    Cause(r"(?:lines\.)?(?:first|all-but-.*|once|first-half)|first-letter|json\..*(?:no-.*|one-key|first-item|cut|texts)|no-last-letter|no-middle-letter|ends|no-last-call",
        "require the whole answer: a part, or a list without some of its items, is wrong", "a part of the right answer"),
    Cause(r"(?:lines\.)?(?:more.*|again|doubled)|json\..*(?:more-.*|again)", "reject additional items, keys and words: precision counts as well as recall",
        "the right answer with anything added"),
    Cause(r"last-word|first-word|letter|no-last-letter|no-middle-letter|longer|every-number", "compare all words of the answer, and every letter", "a text that differs in a word or a letter"),
    Cause(r"json\.(?:values.*|.*-value|lists|objects|ones)|keys", "compare values and types at every depth, not only keys", "the right keys, whatever their values"),
    Cause(r"json\..*|values", "compare values and types at every depth, not only keys"),
    Cause(r"contrary|flipped|half-day|year|other.*", "compare the whole answer, not its length or most of its words", "an answer of the same form"),
    Cause(r"expression\..*", "compare expressions symbolically, or at several random points"),
)
# fmt: on
"""Causes of rewards for wrong replies."""
# fmt: off
REFUSED: tuple[Cause, ...] = (
    Cause(r"said\..*|talking|.*\.(?:named|brackets)|framing\.(?:thoughts|boxed-math)", "find the answer within ordinary prose (a sentence, a reason after it), or state in the prompt that the answer must stand alone"),
    Cause(r"number\..*", "compare numbers by value (separators, decimals, signs, percent), or state the required notation in the prompt"),
    Cause(r"date\..*|text\.(?:iso|words.*|shown.*)", "parse dates instead of comparing texts, or state the required format in the prompt"),
    Cause(r"list\.order.*", "compare lists without their order, or state in the prompt that the order matters"),
    Cause(r"list\..*|json\..*", "parse the list or object before comparing it, or state its notation in the prompt"),
    Cause(r"also", "accept every right answer in the data"),
    Cause(r"framing\..*", "strip whitespace and markup around the answer before comparing it"),
    Cause(r"(?:text|choice|boolean)\..*", "ignore case, articles, accents' encoding and a final full stop when comparing, or state the required form in the prompt"),
    Cause(r"code\..*", "judge programs by what they return, not by their text"),
)
# fmt: on
"""Causes of refusals of right replies."""
DISTANCES = {"far": "50 %", "off": "10 %", "near": "1 %", "slight": "0.2 %"}
"""Distances of wrong numbers, by the way of replying, the largest first."""


def fix_for(table: Sequence[Cause], ways: Iterable[str]) -> str:
    """Return the fixes for ways of replying, or "" if the table has no fix. The most frequent ways come first."""
    found = (next((each.fix for each in table if re.fullmatch(each.ways, way)), "") for way in ways)
    return "; ".join([*dict.fromkeys(filter(None, found))][:MOST])


def common_cause(rewarded: Mapping[str, int], sent: Mapping[str, int]) -> tuple[str, list[str]]:
    """Return what several ways of replying have in common, with the names of these ways; ("", []) if nothing.

    Of several causes, the one with the most rewarded and the fewest refused replies is returned.

    Args:
        rewarded: Number of rewarded replies, by way of replying.
        sent: Number of replies that were sent, for all ways.
    """
    best: tuple[int, str, list[str]] = (0, "", [])
    for each in PAID:
        tried = [way for way in sent if re.fullmatch(each.ways, way)]
        own = [way for way in rewarded if way in tried]
        margin = sum(2 * rewarded.get(way, 0) - sent[way] for way in tried)
        enough = len(own) >= max(SEVERAL, SHARE * len(rewarded))
        if each.says and enough and margin > best[0]:
            best = (margin, each.says.format(near=_distance(own)), own)
    return best[1], best[2]


def _distance(ways: Sequence[str]) -> str:
    return next((text for way, text in DISTANCES.items() if way in ways), "1")
