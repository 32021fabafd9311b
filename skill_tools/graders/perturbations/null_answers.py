"""Replies without an answer, and blocks, steps and words that farm a bonus for the form."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skill_tools.evidence.grading.graded import VACUOUS
from skill_tools.graders.perturbations.probe import Guess
from skill_tools.graders.templates.answer_templates import BARE, Template
from skill_tools.graders.templates.question import Question

TIMES = 50
"""How often a block is repeated: bonuses of a fiftieth each are worth the right answer."""
TAG = re.compile(r"</?([A-Za-z_][\w-]{0,20})>")
"""A tag that a prompt names."""
TAGS = 4
"""Tags that are tried."""
QUOTED = re.compile(r"[\"'`“]([^\"'`”\n]{2,30})[\"'`”]|\*\*([^*\n]{2,30})\*\*")
"""A word or a label that a prompt shows."""
WORDS = (
    "First, let me think step by step. Wait, let me check this again. Therefore, because of this, we verify: "
    "however, hence it follows. Finally, in conclusion, the final answer is clear [1]. "
)
"""Words of reasoning, as bonuses count them."""


def wrong_blocks(question: Question, other: str, frame: Template) -> Iterator[Guess]:
    """A wrong answer, ``other``, with many of the things beside it that a form may be paid for."""
    wrong = frame.hold(other)
    tags = list(dict.fromkeys(TAG.findall(question.prompt)))[:TAGS]
    for tag in tags:
        blocks = "\n".join(f"<{tag}>x</{tag}>" for _ in range(TIMES))
        how = f"{TIMES} blocks of <{tag}>, and a wrong answer"
        yield Guess(f"blocks.{tag}", "wrong", how, f"{blocks}\n{wrong}")
    if len(tags) > 1:
        blocks = "\n".join(f"<{tag}>\nx\n</{tag}>" for tag in tags for _ in range(TIMES))
        yield Guess(
            "blocks.all",
            "wrong",
            "many blocks of each tag, and a wrong answer",
            f"{blocks}\n{wrong}",
        )
    steps = "\n".join(f"Step {n}: x = {n}" for n in range(1, TIMES + 1))
    yield Guess(
        "blocks.steps", "wrong", "many numbered steps, and a wrong answer", f"{steps}\n{wrong}"
    )
    lines = "\n".join(f"## Part\n{n}. x\n- y\n* **z**" for n in range(1, TIMES + 1))
    yield Guess(
        "blocks.lists", "wrong", "many headings and lists, and a wrong answer", f"{lines}\n{wrong}"
    )
    yield Guess(
        "blocks.words",
        "wrong",
        "many words of reasoning, and a wrong answer",
        f"{WORDS * 20}\n{wrong}",
    )
    thought = f"<think>\n{WORDS * 20}\n</think>\n{wrong}"
    yield Guess("blocks.thought", "wrong", "long thoughts in <think>, and a wrong answer", thought)
    shown = list(dict.fromkeys(a or b for a, b in QUOTED.findall(question.prompt)))[:10]
    if shown and not question.is_open:
        yield Guess(
            "blocks.shown",
            "doubtful",
            "what the prompt shows in quotes, and a wrong answer",
            "\n".join([*shown * 5, wrong]),
        )
    if not frame.bare:
        several = "\n".join([wrong] * TIMES)
        yield Guess("blocks.answers", "wrong", "the same wrong answer many times", several)


VALUES = ("NaN", "inf", "1e999", "null", "[]", "{}", "[[]]", "()", "(", "*", ".*", "1/0", "-", '""')
"""Texts that careless code takes for a value, for a list that breaks no rule, or for a pattern that fits all."""


def vacuous(question: Question, frames: list[Template]) -> Iterator[Guess]:
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
