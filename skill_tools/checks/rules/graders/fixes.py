"""The fixes of findings about replies, chosen by the ways of replying in the finding."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

MOST = 2
"""Maximum number of fixes in one finding."""


class Fix(NamedTuple):
    """A fix for some ways of replying, and a pattern that matches the names of these ways."""

    ways: str
    fix: str


# fmt: off
PAID: tuple[Fix, ...] = (
    Fix(r"empty|empty-slot|nonsense|refusal|long|vacuous.*|value\.(?:\*|\.\*|\[\]|\{\}|None|null|name)|form\..*|no-numbers|no-items|strange|others",
        "score a reply as wrong if it has no readable answer, or if normalization empties its answer: an empty text is "
        "contained in every text, and equals every other text that normalization empties"),
    Fix(r"value\.(?:NaN|inf|-inf|True|1/0|huge)", "accept a finite number only, in a plain notation: NaN, infinity and `True` compare in unexpected ways"),
    Fix(r"injection", "do not let instructions in the reply decide the score"),
    Fix(r"all|all-words|all-lines|spray|union|json\.hedged|hedged|hedged-last|blocks\.answers|lines\.union|expression-or",
        "reject a reply that gives several answers: compare the whole of one answer instead of searching for the right one"),
    Fix(r"negated|denied|after|thought|begins|said\..*", "extract the answer from its own place and compare the whole answer, instead of looking for the right answer anywhere in the reply"),
    Fix(r"thought-tagged|drafted", "remove the thoughts before looking for the answer"),
    Fix(r"retracted|taken-back.*|two-answers.*", "score the last answer only, or reject replies with several"),
    Fix(r"blocks\..*", "bound each bonus for form (count it once), and give it only to replies with the right answer"),
    Fix(r"echo|passage.*|column.*", "do not reward words of the prompt: compare the answer alone, in both directions, and reject what the prompt already states"),
    Fix(r"next|off|near|cut|truncated|far|zero|parted|longer|prefix|plus|sign|tenfold|hundredfold|thousandth|hundredth|point-in|blank-in|unit-in|numerator|denominator|.*number",
        "compare the whole answer as a number, without deleting signs, points, blanks or letters within it; allow only the tolerance that the prompt states"),
    Fix(r"unit|unit\..*|no-constant", "compare the unit, or the constant, as well as the number"),
    Fix(r"(?:lines\.)?(?:backwards|swapped|turned|order.*)|salad|mirrored|letters|exchanged|json\.(?:.*exchanged|backwards)|turned-as-shown",
        "compare the items in their order, and values under their own names"),
    Fix(r"(?:lines\.)?(?:first|all-but-.*|once|first-half)|first-letter|json\..*(?:no-.*|one-key|first-item|cut|texts)|no-last-letter|no-middle-letter|ends|no-last-call",
        "require the whole answer: a part, or a list without some of its items, is wrong"),
    Fix(r"(?:lines\.)?(?:more.*|again|doubled)|json\..*(?:more-.*|again)|last-word|first-word", "reject additional items, keys and words: precision counts as well as recall"),
    Fix(r"json\..*|keys|values", "compare values and types at every depth, not only keys"),
    Fix(r"contrary|flipped|half-day|year|other.*", "compare the whole answer, not its length or most of its words"),
    Fix(r"expression\..*", "compare expressions symbolically, or at several random points"),
)
# fmt: on
"""Fixes for graders that reward wrong replies."""
# fmt: off
REFUSED: tuple[Fix, ...] = (
    Fix(r"said\..*|talking|.*\.(?:named|brackets)|framing\.(?:thoughts|boxed-math)", "find the answer within ordinary prose (a sentence, a reason after it), or state in the prompt that the answer must stand alone"),
    Fix(r"number\..*", "compare numbers by value (separators, decimals, signs, percent), or state the required notation in the prompt"),
    Fix(r"date\..*|text\.(?:iso|words.*|shown.*)", "parse dates instead of comparing texts, or state the required format in the prompt"),
    Fix(r"list\.order.*", "compare lists without their order, or state in the prompt that the order matters"),
    Fix(r"list\..*|json\..*", "parse the list or object before comparing it, or state its notation in the prompt"),
    Fix(r"also", "accept every right answer in the data"),
    Fix(r"framing\..*", "strip whitespace and markup around the answer before comparing it"),
    Fix(r"(?:text|choice|boolean)\..*", "ignore case, articles, accents' encoding and a final full stop when comparing, or state the required form in the prompt"),
    Fix(r"code\..*", "judge programs by what they return, not by their text"),
)
# fmt: on
"""Fixes for graders that refuse right replies."""


def fix_for(table: Sequence[Fix], ways: Iterable[str]) -> str:
    """Return the fixes for ways of replying, or "" if the table has no fix. The most frequent ways come first."""
    found = (next((each.fix for each in table if re.fullmatch(each.ways, way)), "") for way in ways)
    return "; ".join([*dict.fromkeys(filter(None, found))][:MOST])
