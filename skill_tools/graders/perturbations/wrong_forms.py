"""Texts that look like an answer of the right kind and are none: what is read without care raises, or is paid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from skill_tools.graders.perturbations.probe import Guess
from skill_tools.graders.templates.frames import Frame
from skill_tools.graders.templates.item import Item, Kind

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


def wrong_forms(question: Item, frame: Frame) -> Iterator[Guess]:
    """These texts, where the right answer is of this kind."""
    own = {question.gold.strip(), *(each.strip() for each in question.also)}
    for text in FORMS[question.kind]:
        if text.strip() not in own:
            yield Guess(f"form.{text}", "wrong", f"the text {text!r}", frame.hold(text))
