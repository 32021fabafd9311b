"""Texts that are not the right one: a part of it, its contrary, its words in no order, another number in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches

from skill_tools.graders.perturbations.probe import Guess, Must
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import Kind, Question

STRANGE = "zqxv"
"""A word that no right answer has."""
SENTENCE = 4
"""Words from which a text says something."""
LONG = 60
"""Words of a text from which it is a passage, where one word more or less may be as good."""
NUMBERS = re.compile(r"(?<![\w.])\d{1,9}(?:\.\d{1,9})?(?![\w.]*\w)|\d{1,9}(?!\d)")
SHIFTED = re.compile(r"(?<!\d)(\d)([:/.,;-])(\d)(?=\d)")
"""A digit, a mark and more digits."""
ALIKE = 0.7
"""How much alike two answers are that may be taken for each other, as `difflib` counts it."""
PAIR = re.compile(r"\(\s*([^(),]{1,20}),\s*([^(),]{1,20})\)")
"""Two values in brackets: a point, or a pair."""
INTERVAL = re.compile(r"([(\[])\s*([^()\[\],]{1,20}),\s*([^()\[\],]{1,20})([)\]])")
"""An interval, with its ends in it or not."""
FORMULA = re.compile(r"(?:[A-Z][a-z]?\d{0,3}){1,8}")
"""A formula of chemistry, in which small and capital letters are others."""
AUXILIARY = re.compile(r"\b(is|are|was|were|can|may|must|will|should|does|do|has|have)\b")


def other_texts(question: Question, others: Sequence[str], frame: Template) -> Iterator[Guess]:
    """Texts that are wrong where ``question`` has a text as its right answer."""
    seen = {question.gold}
    for probe, must, how, text in (
        *_parts(question),
        *_marks(question, others),
        *_near(question, others),
        *_numbers(question),
        *_words(question),
    ):
        if text and text not in seen:
            seen.add(text)
            yield Guess(probe, must, how, frame.hold(text))


Made = tuple[str, Must, str, str]


def other_marks(question: Question, others: Sequence[str], frame: Template) -> Iterator[Guess]:
    """Of these, those with other signs, brackets and letters, and with digits at other places."""
    named = _numbers(question) if re.search(r"[^\W\d_]", question.gold) else ()
    for probe, must, how, text in (*_marks(question, others), _shifted(question.gold), *named):
        if text and text != question.gold:
            yield Guess(probe, must, how, frame.hold(text))


def _parts(question: Question) -> Iterator[Made]:
    """Its beginning, and what goes on after its end."""
    gold = question.gold
    if len(gold) > 3:
        yield "prefix", "wrong", "its beginning", gold[: len(gold) // 2]
        yield "first-letter", "wrong", "its first letter", gold[0]
    letters = [index for index, letter in enumerate(gold) if letter.isalpha()]
    if letters and len(gold) > 1:
        at = letters[len(letters) // 2]
        changed = "q" if gold[at].lower() != "q" else "x"
        yield (
            "letter",
            "doubtful",
            "with another letter in it",
            gold[:at] + changed + gold[at + 1 :],
        )
    yield "longer", "doubtful", "with other words after it", f"{gold} xyzzy quux"
    if len(gold) > 2 and " " not in gold and "\n" not in gold and not re.search(r"[+*=]", gold):
        yield "mirrored", "wrong", "its letters the other way round", gold[::-1]
        yield "letters", "wrong", "its letters in alphabetical order", "".join(sorted(gold))
        # A word with a letter less is a slip that some graders forgive on purpose.
        word: Must = "doubtful" if re.search(r"[^\W\d_A-Z]{3}", gold) else "wrong"
        yield "no-last-letter", word, "without its last letter", gold[:-1]


def _marks(question: Question, others: Sequence[str]) -> Iterator[Made]:
    """Its signs, brackets and letters the other way round, where that says something else."""
    gold, prompt = question.gold, question.prompt
    yield "sign", "wrong", "with the other sign", _other_sign(gold)
    other_case = {each for each in others if each != gold and each.casefold() == gold.casefold()}
    if "cased" in question.says:
        yield "case", "wrong", "with small and capital letters exchanged", gold.swapcase()
    for each in sorted(other_case)[:1]:
        yield "other-case", "wrong", "another answer, which has other capital letters", each
    if FORMULA.fullmatch(gold) and re.search(r"(?i)\bformula|\bchemical\b|\belement\b", prompt):
        turned = gold.upper() if gold != gold.upper() else gold[0] + gold[1:].lower()
        yield "formula-case", "wrong", "a formula of other elements", turned
    if re.search(r"(?i)\bpoint|\bcoordinate|\bpair\b|\bvector|\bposition|\bcell\b", prompt):
        yield "pair", "wrong", "its pairs the other way round", PAIR.sub(r"(\2, \1)", gold)
    other_end = {"(": "[", "[": "(", ")": "]", "]": ")"}
    if "interval" in prompt.casefold():
        brackets = INTERVAL.sub(lambda m: f"{other_end[m[1]]}{m[2]}, {m[3]}{other_end[m[4]]}", gold)
        yield "brackets", "wrong", "with the ends of its intervals in for out", brackets
    halves = {"am": "pm", "pm": "am", "a.m.": "p.m.", "p.m.": "a.m.", "AM": "PM", "PM": "AM"}
    half = re.search(r"\b([ap]m|[AP]M|[ap]\.m\.)(?!\w)", gold)
    if (
        clock := re.fullmatch(r"([01]?\d|2[0-3])(:[0-5]\d(?::[0-5]\d)?)", gold)
    ) and "minut" not in prompt:
        hour = (int(clock[1]) + 12) % 24
        yield "half-day", "wrong", "twelve hours later", f"{hour:02d}{clock[2]}"
    if half and any(letter.isdigit() for letter in gold):
        yield (
            "half-day",
            "wrong",
            "with the other half of the day",
            gold[: half.start()] + halves[half[1]] + gold[half.end() :],
        )


def _near(question: Question, others: Sequence[str]) -> Iterator[Made]:
    """Other answers that look most like it: of those that the prompt offers, and of other tasks."""
    plain = question.gold.casefold().strip(". ")
    offered = [text.strip() for _, text in question.options]
    if plain in {each.casefold().strip(". ") for each in offered}:
        near = get_close_matches(
            question.gold, [x for x in offered if x.casefold().strip(". ") != plain], 1, 0.0
        )
        for each in near:
            yield "near-option", "wrong", "the other option that looks most like it", each
    for each in get_close_matches(
        question.gold, [x for x in others if x.casefold() != plain], 1, ALIKE
    ):
        yield "near-other", "wrong", "another task's answer that looks like it", each


def _numbers(question: Question) -> Iterator[Made]:
    """With another number in it."""
    gold = question.gold
    near: Must = "doubtful" if "tolerance" in question.says else "wrong"
    yield _shifted(gold)
    found = list(NUMBERS.finditer(gold))
    if not found or not re.search(r"\D", gold):
        return
    for probe, how, at in (("last-number", "last", found[-1]), ("first-number", "first", found[0])):
        text = gold[: at.start()] + _next(at[0]) + gold[at.end() :]
        yield probe, near, f"with another {how} number in it", text
    if re.search(r"[^\W\d_]", gold):
        bare = re.sub(r" {2,}", " ", re.sub(r"\d+", "", gold)).strip()
        yield "no-numbers", "wrong", "without its numbers", bare
    if len(found) > 1:
        every = NUMBERS.sub(lambda m: _next(m[0]), gold)
        yield "every-number", "wrong", "with all its numbers changed", every
        one, two = found[0], found[-1]
        if one[0] != two[0] and not re.search(r"[+*=\u00d7\u00b7]", gold):
            text = (
                gold[: one.start()]
                + two[0]
                + gold[one.end() : two.start()]
                + one[0]
                + gold[two.end() :]
            )
            yield "exchanged", "wrong", "with two of its numbers exchanged", text


def _shifted(gold: str) -> Made:
    text = SHIFTED.sub(r"\1\3\2", gold, count=1)
    return "shifted", "wrong", "with a digit on the other side of the mark in it", text


def _next(number: str) -> str:
    """Another number that has as many digits."""
    last = "1" if number[-1] == "9" else str(int(number[-1]) + 1)
    return number[:-1] + last


def _words(question: Question) -> Iterator[Made]:
    """With other words, or the same ones in no order."""
    gold = question.gold
    words = gold.split(" ")
    if "\n" in gold or len(words) < 2 or len(words) > LONG or question.options:
        return
    sure: Must = "wrong" if len(words) <= 8 else "doubtful"
    yield "last-word", sure, "with another last word", " ".join([*words[:-1], STRANGE])
    yield "first-word", sure, "with another first word", " ".join([STRANGE, *words[1:]])
    if len(words) < SENTENCE or not all(re.search(r"[^\W\d_]", each) for each in words):
        return
    yield (
        "salad",
        "wrong",
        "its words in alphabetical order",
        " ".join(sorted(words, key=str.casefold)),
    )
    if re.search(r"\bnot\b|n't\b", gold):
        yield "contrary", "wrong", "its contrary", re.sub(r"\bnot\s|n't\b", "", gold, count=1)
    elif AUXILIARY.search(gold):
        yield "contrary", "wrong", "its contrary", AUXILIARY.sub(r"\1 not", gold, count=1)


def _other_sign(gold: str) -> str:
    """A text with a signed number in it, such as UTC-5, with the other sign; "" where there is none."""
    found = re.search(r"(?<![\w-])[-+](?=\d)|(?<=[A-Z])[-+](?=\d)", gold)
    if not found or re.search(r"\d[-+]\d", gold):
        return ""
    return gold[: found.start()] + ("+" if found[0] == "-" else "-") + gold[found.end() :]


FORMS: Mapping[Kind, tuple[str, ...]] = {
    "number": ("\u00b2", "\u0967\u0968", ".", "-", "1.2.3", "1e999", "0/0", "5-", ",", "1e", "%"),
    "choice": ("\u00b2", "AB", "?"),
    "boolean": ("yesno", "0", "maybe"),
    "date": ("2024-13-45", "2023-02-30", "0000-00-00", "99999-01-01", "-"),
    "list": (",", ",,,", "[", "[[]]", "[null]", "\u00b2, \u00b3", "1"),
    "json": ("{", '{"a": ', "[[]]", "[null]", '"', "1", "NaN", '{"": null}'),
    "text": ("\u00b2", ":", "->", "(", "[", "=", "\\", "%s", "{}{}", "\t"),
    "code": (),
}
"""By kind of answer: digits that `int` does not take, numbers that are none, dates that do not exist, JSON that is cut off."""


def wrong_forms(question: Question, frame: Template) -> Iterator[Guess]:
    """These texts, where the right answer is of this kind."""
    own = {question.gold.strip(), *(each.strip() for each in question.also)}
    for text in FORMS[question.kind]:
        if text.strip() not in own:
            yield Guess(f"form.{text}", "wrong", f"the text {text!r}", frame.hold(text))
