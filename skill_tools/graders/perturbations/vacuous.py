"""Replies that are right to no question, whatever its right answer is: nothing, no number, words and blocks without meaning."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.evidence.grading.graded import VACUOUS
from skill_tools.graders.perturbations.probe import Guess
from skill_tools.graders.perturbations.wrong_blocks import wrong_blocks
from skill_tools.graders.templates.frames import BARE, Frame
from skill_tools.graders.templates.item import Item

VALUES = ("NaN", "inf", "1e999", "null", "[]", "{}", "[[]]", "()", "(", "*", ".*", "1/0", "-", '""')
"""Texts that careless code takes for a value, for a list that breaks no rule, or for a pattern that fits all."""


def vacuous(question: Item, frames: list[Frame]) -> Iterator[Guess]:
    """The replies: alone, and in the frames in which a prompt wants its answers."""
    yield Guess(f"{VACUOUS}.empty", "wrong", "nothing", "")
    yield Guess(f"{VACUOUS}.blank", "wrong", "a blank", " ")
    for at, frame in enumerate(dict.fromkeys([BARE, *frames])):
        said = "" if frame.bare else f" {frame.name}"
        for value in VALUES:
            reply = frame.hold(value)
            yield Guess(f"{VACUOUS}.{at}.{value}", "wrong", f"the text {value}{said}", reply)
        if not frame.bare:
            yield Guess(f"{VACUOUS}.{at}.empty", "wrong", f"nothing{said}", frame.hold(""))
            yield Guess(
                f"{VACUOUS}.{at}.nonsense",
                "wrong",
                f"a word without meaning{said}",
                frame.hold("zqxv"),
            )
    for guess in wrong_blocks(question, "zqxv", frames[0]):
        if guess.must == "wrong":
            yield guess._replace(probe=f"{VACUOUS}.{guess.probe}")
