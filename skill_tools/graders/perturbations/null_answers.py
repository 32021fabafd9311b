"""Replies without an answer, malformed answers, and replies with padding to collect a format bonus."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from skill_tools.evidence.grading.graded import VACUOUS
from skill_tools.graders.perturbations.operators import Guess, Operator, perturb
from skill_tools.graders.templates.answer_templates import BARE, Template
from skill_tools.graders.templates.question import NONSENSE, Kind, Question

TIMES = 50
"""Number of repetitions of a block: bonuses of a fiftieth each then add up to the right answer's reward."""
TAG = re.compile(r"</?([A-Za-z_][\w-]{0,20})>")
"""Matches a tag that a prompt names."""
TAGS = 4
"""Maximum tags to try."""
QUOTED = re.compile(r"[\"'`“]([^\"'`”\n]{2,30})[\"'`”]|\*\*([^*\n]{2,30})\*\*")
"""Matches a word or label that a prompt shows."""
WORDS = (
    "First, let me think step by step. Wait, let me check this again. Therefore, because of this, we verify: "
    "however, hence it follows. Finally, in conclusion, the final answer is clear [1]. "
)
"""Words of reasoning that bonuses count."""


@dataclass(frozen=True)
class Padded:
    """A wrong answer in its template, and its question, whose prompt may name a format."""

    question: Question
    wrong: str
    framed: bool

    @property
    def tags(self) -> list[str]:
        """Return the distinct tags in the prompt."""
        return list(dict.fromkeys(TAG.findall(self.question.prompt)))[:TAGS]

    @property
    def shown(self) -> list[str]:
        """Return the texts in the prompt that are in quotes or bold."""
        return list(dict.fromkeys(a or b for a, b in QUOTED.findall(self.question.prompt)))[:10]

    def behind(self, text: str) -> str:
        """Return the wrong answer preceded by a text."""
        return f"{text}\n{self.wrong}"


def _tagged(tag: str) -> Operator[Padded]:
    how = f"{TIMES} blocks of <{tag}>, and a wrong answer"
    blocks = "\n".join([f"<{tag}>x</{tag}>"] * TIMES)
    return Operator(tag, how, lambda p: p.behind(blocks))


def _all_tags(p: Padded) -> str | None:
    blocks = "\n".join(f"<{tag}>\nx\n</{tag}>" for tag in p.tags for _ in range(TIMES))
    return p.behind(blocks) if len(p.tags) > 1 else None


STEPS = "\n".join(f"Step {n}: x = {n}" for n in range(1, TIMES + 1))
PARTS = "\n".join(f"## Part\n{n}. x\n- y\n* **z**" for n in range(1, TIMES + 1))
# fmt: off
BLOCKS: tuple[Operator[Padded], ...] = (
    Operator("all", "many blocks of each tag, and a wrong answer", _all_tags),
    Operator("steps", "many numbered steps, and a wrong answer", lambda p: p.behind(STEPS)),
    Operator("lists", "many headings and lists, and a wrong answer", lambda p: p.behind(PARTS)),
    Operator("words", "many words of reasoning, and a wrong answer", lambda p: p.behind(WORDS * 20)),
    Operator("thought", "long thoughts in <think>, and a wrong answer", lambda p: p.behind(f"<think>\n{WORDS * 20}\n</think>")),
    Operator("shown", "the prompt's quoted texts, and a wrong answer", lambda p: p.behind("\n".join(p.shown * 5)) if p.shown and not p.question.is_open else None, "doubtful"),
    Operator("answers", "the same wrong answer many times", lambda p: "\n".join([p.wrong] * TIMES) if p.framed else None),
)
# fmt: on


def wrong_blocks(question: Question, other: str, frame: Template) -> Iterator[Guess]:
    """Yield replies with the wrong answer ``other`` and much padding that a format bonus may reward."""
    padded = Padded(question, frame.hold(other), not frame.bare)
    yield from perturb((*map(_tagged, padded.tags), *BLOCKS), padded, str, "blocks.")
    if padded.framed and question.is_open and not question.given_away:
        how = "the right answer before its place, and meaningless words in the place"
        words = " ".join([NONSENSE] * len(question.gold.split()))
        yield Guess("outside", "wrong", how, f"{question.gold}\n{frame.hold(words)}")


VALUES = ("NaN", "null", "[]", "{}", "()", ".*")
"""Texts that careless code takes for a value, a list without errors, or a pattern that matches all."""


def vacuous(question: Question, frames: list[Template]) -> Iterator[Guess]:
    """Yield replies without an answer, such as an empty reply, alone and in the templates that the prompt asks for."""
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
                f"a meaningless word{said}",
                frame.hold(NONSENSE),
            )


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
"""Malformed texts by kind of answer: odd digits, non-numbers, impossible dates, truncated JSON."""


def wrong_forms(question: Question, frame: Template) -> Iterator[Guess]:
    """Yield texts that are malformed for this kind of answer, such as NaN for a number."""
    own = {question.gold.strip(), *(each.strip() for each in question.also)}
    for text in FORMS[question.kind]:
        if text.strip() not in own:
            yield Guess(f"form.{text}", "wrong", f"the text {text!r}", frame.hold(text))
