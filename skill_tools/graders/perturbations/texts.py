"""Operators for texts, which take a part, state the opposite, or change word order or numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from skill_tools.evidence.grading.graded import Expectation
from skill_tools.graders.arithmetic import without_marks
from skill_tools.graders.perturbations.operators import NAN, Guess, Operator, perturb
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import NONSENSE, Question

SENTENCE = 4
"""Minimum words in a statement."""
LONG = 60
"""Minimum words in a passage, for which a change of one word may not matter."""
SURE = 8
"""Maximum words in a text that a different first or last word makes wrong."""
NUMBERS = re.compile(r"(?<![\w.])\d{1,9}(?:\.\d{1,9})?(?![\w.]*\w)|\d{1,9}(?!\d)")
SHIFTED = re.compile(r"(?<!\d)(\d)([:/.,;-])(\d)(?=\d)")
"""Matches a digit, a mark and more digits."""
SHORTEST = 6
"""Minimum characters of an answer that may be a changed text of the prompt."""
ALIKE = 0.7
"""Similarity (by `difflib`) from which answers may be mistaken for each other."""
AUXILIARY = re.compile(r"\b(is|are|was|were|can|may|must|will|should|does|do|has|have)\b")
SIGNED = re.compile(r"(?<![\w-])[-+](?=\d)|(?<=[A-Z])[-+](?=\d)")
"""Matches the sign of a number in a text, such as UTC-5."""
CLOCK = re.compile(r"([01]?\d|2[0-3])(:[0-5]\d(?::[0-5]\d)?)")
MARKED = re.compile(r"(?i)\b(?:macrons?|accents?|diacritics?|umlauts?|tones?|long vowels?)\b")
"""Matches a prompt in which the marks of letters matter."""
HALF = re.compile(r"(?<=\d)(\s?)([ap])(\.?m\b)", re.IGNORECASE)
"""Matches the half of the day (AM or PM) after a time."""
COUNTED_LINE = re.compile(r"^\s*(\d{1,3})[.)] ", re.MULTILINE)


@dataclass(frozen=True)
class RightText:
    """A right answer that is a text, and right answers of other tasks."""

    question: Question
    others: Sequence[str]

    @property
    def gold(self) -> str:
        """Return the right answer."""
        return self.question.gold

    @property
    def prompt(self) -> str:
        """Return the prompt of the question."""
        return self.question.prompt

    @property
    def words(self) -> list[str]:
        """Return the text's words; an empty list if the text has several lines or is an option in the prompt."""
        words = self.gold.split(" ")
        fits = "\n" not in self.gold and 1 < len(words) <= LONG and not self.question.options
        return words if fits else []

    @property
    def says(self) -> list[str]:
        """Return the text's words if they form a sentence; otherwise an empty list."""
        words = self.words
        lettered = all(re.search(r"[^\W\d_]", each) for each in words)
        return words if len(words) >= SENTENCE and lettered else []

    @property
    def word(self) -> str:
        """Return the text if it is one word; otherwise ""."""
        one = len(self.gold) > 2 and not re.search(r"[ \n+*=]", self.gold)
        return self.gold if one else ""

    @property
    def numbers(self) -> list[re.Match[str]]:
        """Return the numbers in the text, if it also has other characters and its lines are not merely counted."""
        counted = [each[1] for each in COUNTED_LINE.finditer(self.gold)]
        if len(counted) > 1 and counted == [str(n + 1) for n in range(len(counted))]:
            return []
        return list(NUMBERS.finditer(self.gold)) if re.search(r"\D", self.gold) else []

    @property
    def numbered(self) -> bool:
        """Return whether the text has both numbers and letters."""
        return bool(self.numbers and re.search(r"[^\W\d_]", self.gold))


def _letter(text: RightText) -> str | None:
    """Return the text with a letter in its middle changed; None if the text is too short or has no letters."""
    gold = text.gold
    letters = [index for index, letter in enumerate(gold) if letter.isalpha()]
    if not letters or len(gold) < 2:
        return None
    at = letters[len(letters) // 2]
    return gold[:at] + ("q" if gold[at].lower() != "q" else "x") + gold[at + 1 :]


def _middle(text: RightText) -> int:
    """Return the position of the middle letter of a word.

    Return 0 for a short word, or if a neighboring letter is the same.
    """
    word = text.word
    at = len(word) // 2
    fits = len(word) > 4 and word.isalpha() and word[at] not in (word[at - 1], word[at + 1])
    return at if fits else 0


def _within(text: RightText, more: str, skip: int) -> str | None:
    """Return the word with ``more`` in place of ``skip`` letters in its middle; None for an unsuitable word."""
    at = _middle(text)
    return f"{text.word[:at]}{more}{text.word[at + skip :]}" if at else None


CONSTANT = re.compile(r"\s?(?:\\cdot\s?|\*\s?)?(?:\\pi|\u03c0|\bpi|\\sqrt\{\d+\}|\u221a\d+)$")
"""Matches a constant after a number, such as the last letter of 36\u03c0."""


def _no_constant(text: RightText) -> str | None:
    bare = CONSTANT.sub("", text.gold)
    return bare if bare != text.gold and re.search(r"\d$", bare) else None


def _slip(text: RightText) -> Expectation:
    """Return the expectation for an answer with a missing letter.

    Such an answer is "doubtful" if it contains a word, because graders may forgive a typo.
    """
    return "doubtful" if re.search(r"[^\W\d_A-Z]{3}", text.gold) else "wrong"


def _unmarked(text: RightText) -> str | None:
    """Return the text without the marks of its letters, such as accents."""
    bare = without_marks(text.gold)
    return None if bare == text.gold else bare


def _of_marks(text: RightText) -> Expectation:
    free = "unmarked" in text.question.says
    return "wrong" if MARKED.search(text.prompt) and not free else "doubtful"


def _sign(text: RightText) -> str | None:
    found = SIGNED.search(text.gold)
    if not found or re.search(r"\d[-+]\d", text.gold):
        return None
    other = "+" if found[0] == "-" else "-"
    return text.gold[: found.start()] + other + text.gold[found.end() :]


def _other_case(text: RightText) -> str | None:
    same = (o for o in text.others if o != text.gold and o.casefold() == text.gold.casefold())
    return min(same, default=None)


def _half_day(text: RightText) -> str | None:
    if (clock := CLOCK.fullmatch(text.gold)) and "minut" not in text.prompt:
        return f"{(int(clock[1]) + 12) % 24:02d}{clock[2]}"
    other = {"a": "p", "p": "a", "A": "P", "P": "A"}
    return HALF.sub(lambda m: f"{m[1]}{other[m[2]]}{m[3]}", text.gold, count=1)


def _near_other(text: RightText) -> str | None:
    plain = text.gold.casefold().strip(". ")
    rest = [each for each in text.others if each.casefold() != plain]
    return next(iter(get_close_matches(text.gold, rest, 1, ALIKE)), None)


def _next(number: str) -> str:
    """Return another number with the same number of digits, which differs in the last digit."""
    return number[:-1] + ("1" if number[-1] == "9" else str(int(number[-1]) + 1))


def _with_number(text: RightText, at: int) -> str | None:
    if not text.numbers:
        return None
    found = text.numbers[at]
    return text.gold[: found.start()] + _next(found[0]) + text.gold[found.end() :]


def _numberless(text: RightText) -> str | None:
    bare = re.sub(r"\d+", "", text.gold)
    return re.sub(r" {2,}", " ", bare).strip() or None if text.numbered else None


def _exchanged(text: RightText) -> str | None:
    numbers, gold = text.numbers, text.gold
    if len(numbers) < 2 or re.search(r"[+*=\u00d7\u00b7]", gold):
        return None
    one, two = numbers[0], numbers[-1]
    between = gold[one.end() : two.start()]
    return gold[: one.start()] + two[0] + between + one[0] + gold[two.end() :]


def _near_number(text: RightText) -> Expectation:
    return "doubtful" if "tolerance" in text.question.says else "wrong"


def _contrary(text: RightText) -> str | None:
    if not text.says:
        return None
    if re.search(r"\bnot\b|n't\b", text.gold):
        return re.sub(r"\bnot\s|n't\b", "", text.gold, count=1)
    return AUXILIARY.sub(r"\1 not", text.gold, count=1)


def _sure(text: RightText) -> Expectation:
    return "wrong" if len(text.words) <= SURE else "doubtful"


def _of_order(text: RightText) -> Expectation:
    return "doubtful" if "any_order" in text.question.says else "wrong"


def _unchanged(text: RightText) -> str | None:
    """Return the line or the end of a line in the prompt that is most like the answer but is not the answer.

    Return None if the prompt contains the answer.
    """
    if len(text.gold) < SHORTEST or text.gold in text.prompt or text.question.options:
        return None
    lines = [each.strip() for each in text.prompt.splitlines() if len(each) <= 4 * len(text.gold)]
    parts = [each.rpartition(": ")[2].strip("`\"'") for each in lines]
    return next(iter(get_close_matches(text.gold, [*lines, *parts], 1, ALIKE)), None)


def _of_word(name: str, what: str, make: Callable[[str], str]) -> Operator[RightText]:
    return Operator(name, what, lambda t: make(t.word) if t.word else None)


# fmt: off
MARKS: tuple[Operator[RightText], ...] = (
    Operator("sign", "the opposite sign", _sign),
    Operator("case", "small and capital letters exchanged", lambda t: t.gold.swapcase() if "cased" in t.question.says else None),
    Operator("other-case", "another task's answer that differs in its capital letters", _other_case),
    Operator("half-day", "twelve hours later", _half_day),
    Operator("shifted", "a digit moved to the other side of a mark", lambda t: SHIFTED.sub(r"\1\3\2", t.gold, count=1)),
)
"""Operators for signs, brackets and letters whose change alters the meaning."""
NUMBERED: tuple[Operator[RightText], ...] = (
    Operator("last-number", "the last number changed", lambda t: _with_number(t, -1), _near_number ),
    Operator("first-number", "the first number changed", lambda t: _with_number(t, 0), _near_number ),
    Operator("no-numbers", "the text without its numbers", _numberless),
    Operator("every-number", "all numbers changed", lambda t: NUMBERS.sub(lambda m: _next(m[0]), t.gold) if len(t.numbers) > 1 else None, _near_number),
    Operator("exchanged", "two numbers exchanged", _exchanged, _of_order),
    Operator(NAN, "NaN in place of each number", lambda t: NUMBERS.sub(NAN, t.gold) if len(t.numbers) > 1 else None),
)
# fmt: on
"""Operators for the numbers in a text."""
# fmt: off
TEXTS: tuple[Operator[RightText], ...] = (
    Operator("no-constant", "the number without its constant", _no_constant),
    Operator("prefix", "the first half of the text", lambda t: t.gold[: len(t.gold) // 2] if len(t.gold) > 3 else None, lambda t: "doubtful" if re.search(r"(?i)\babbreviat|\bfirst \w+ letters\b", t.question.prompt) else "wrong"),
    Operator("first-letter", "the first letter of the text", lambda t: t.gold[0] if len(t.gold) > 3 else None),
    Operator("letter", "one letter changed", _letter, "doubtful"),
    Operator("longer", "extra words at the end", lambda t: f"{t.gold} xyzzy quux", "doubtful"),
    _of_word("mirrored", "the letters in reverse order", lambda word: word[::-1]),
    _of_word("letters", "the letters in alphabetical order", lambda word: "".join(sorted(word))),
    Operator("no-last-letter", "the last letter removed", lambda t: t.word[:-1] or None, _slip),
    Operator("no-middle-letter", "a letter in the middle removed", lambda t: _within(t, "", 1), _slip),
    Operator("unit-in", "a unit inserted into a word", lambda t: _within(t, "km", 0)),
    Operator("unmarked", "letters without their marks, such as accents", _unmarked, _of_marks),
    *MARKS,
    Operator("near-other", "another task's answer that looks similar", _near_other),
    *NUMBERED,
    Operator("last-word", "the last word changed", lambda t: " ".join([*t.words[:-1], NONSENSE]) if t.words else None, _sure),
    Operator("first-word", "the first word changed", lambda t: " ".join([NONSENSE, *t.words[1:]]) if t.words else None, _sure),
    Operator("salad", "the words in alphabetical order", lambda t: " ".join(sorted(t.says, key=str.casefold)) if t.says else None, _of_order),
    Operator("unchanged", "the text of the prompt, unchanged", _unchanged),
    Operator("contrary", "the opposite", _contrary),
)
# fmt: on


def other_texts(question: Question, others: Sequence[str], frame: Template) -> Iterator[Guess]:
    """Yield wrong texts made from a right answer that is a text."""
    yield from _but_right(TEXTS, question, others, frame)


def other_marks(question: Question, others: Sequence[str], frame: Template) -> Iterator[Guess]:
    """Yield copies of the answer with changed signs, brackets or letters. If it has words, also change numbers."""
    text = RightText(question, others)
    table = (*MARKS, *NUMBERED) if text.numbered else MARKS
    yield from _but_right(table, question, others, frame)


def _but_right(
    table: Sequence[Operator[RightText]], question: Question, others: Sequence[str], frame: Template
) -> Iterator[Guess]:
    seen = {frame.hold(question.gold), frame.hold("")}
    for guess in perturb(table, RightText(question, others), frame.hold):
        if guess.reply not in seen:
            seen.add(guess.reply)
            yield guess
