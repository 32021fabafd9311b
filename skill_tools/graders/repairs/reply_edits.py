"""The small change to a right reply after which a grader rewards it: it shows what the grader cannot read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from fractions import Fraction

from skill_tools.evidence.grading.explanations import Respelling
from skill_tools.evidence.grading.graded import CLOSE, Graded, GradedReply
from skill_tools.evidence.grading.shares import Share
from skill_tools.evidence.grading.underpaid import underpaid
from skill_tools.graders.arithmetic import DASHES, without_marks
from skill_tools.graders.grader_client import Grader, GradeRequest, spread

MOST = 10
"""Maximum refused replies to change."""
MOST_DIGITS = 6
"""Maximum digits of a number in a fraction to divide."""
QUOTES = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "\u00b4": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"'}
)
SPACES = str.maketrans(dict.fromkeys("\u00a0\u202f\u2009\u2007\u3000", " "))
SIGNS = str.maketrans(
    {"→": "->", "\u00d7": "x", "·": "*", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!="}
)


def _divided(found: re.Match[str]) -> str:
    return f"{float(Fraction(int(found[1]), int(found[2]))):.10g}"


def _ends(text: str) -> list[str]:
    return [line for line in text.strip().split("\n") if line.strip()] or [text]


QUOTIENT = re.compile(
    rf"(?<![\d./])(\d{{1,{MOST_DIGITS}}})/([1-9]\d{{0,{MOST_DIGITS - 1}}})(?![\d./])"
)
"""Matches a fraction within a text."""
EDITS: Sequence[tuple[str, Callable[[str], str]]] = (
    ("with hyphens in place of other dashes and minus signs", lambda t: t.translate(DASHES)),
    ("with straight quotation marks", lambda t: t.translate(QUOTES)),
    ("with plain spaces", lambda t: t.translate(SPACES)),
    ("with signs of ASCII in place of others", lambda t: t.translate(SIGNS)),
    ("with composed letters", lambda t: unicodedata.normalize("NFC", t)),
    ("without thousands separators", lambda t: re.sub(r"(?<=\d)[,' ](?=\d{3}(?!\d))", "", t)),
    ("with points for decimal commas", lambda t: re.sub(r"(?<=\d),(?=\d)", ".", t)),
    ("with a minus in place of brackets", lambda t: re.sub(r"\(([\d.,]{1,20})\)", r"-\1", t)),
    ("without plus signs", lambda t: re.sub(r"(?<![\w)])\+(?=\d)", "", t)),
    ("without signs of currencies", lambda t: re.sub(r"[$€£¥] ?| ?(?:EUR|USD|GBP)\b", "", t)),
    ("without percent signs", lambda t: re.sub(r"\s?%", "", t)),
    ("without zeros at the beginning", lambda t: re.sub(r"(?<![\d.,])0{1,4}(?=\d)", "", t)),
    ("with two digits for hours", lambda t: re.sub(r"(?<![\d:.])(\d:\d\d)", r"0\1", t)),
    ("without zeros at the end", lambda t: re.sub(r"(\d)\.0{1,6}(?!\d)", r"\1", t)),
    ("with decimals for fractions", lambda t: QUOTIENT.sub(_divided, t)),
    ("without what follows the last number", lambda t: re.sub(r"(\d)[^\d\n]{1,40}$", r"\1", t)),
    ("without a full stop at the end", lambda t: re.sub(r"\.(?=\W{0,3}$)", "", t)),
    ("without bold type and backticks", lambda t: re.sub(r"\*\*|__|`", "", t)),
    ("without a code block", lambda t: re.sub(r"```\w{0,12}\n?", "", t)),
    ("in lower case", str.lower),
    ("in capitals", str.upper),
    ("without accents", without_marks),
    ("reduced to its last line", lambda t: _ends(t)[-1]),
    ("without its last line", lambda t: "\n".join(_ends(t)[:-1])),
    ("in one line", lambda t: " ".join(t.split())),
    ("without spaces after commas", lambda t: re.sub(r", {1,3}", ",", t)),
    ("with spaces after commas", lambda t: re.sub(r",(?=\S)", ", ", t)),
)
"""Changes that keep the meaning of most replies, the smallest first."""


def respellings(graded: Graded, grade: Grader) -> list[Respelling]:
    """Return the change after which most of the refused right replies earn the full reward, if there is one."""
    refused = spread(underpaid(graded), MOST)
    top = max(graded.best.values(), default=0.0)
    asked: list[tuple[str, GradedReply]] = []
    asks: list[GradeRequest] = []
    for how, change in EDITS:
        for each in refused:
            if (text := change(each.reply)) not in (each.reply, ""):
                asked.append((how, each))
                asks.append(GradeRequest(each.task, text, kind="respelled"))
    grades = grade(asks) if asks else []
    full: dict[str, list[GradedReply]] = {}
    for (how, each), got in zip(asked, grades, strict=True):
        if got.paid is not None and got.paid >= top - CLOSE:
            full.setdefault(how, []).append(each)
    how, several = max(full.items(), key=lambda pair: len(pair[1]), default=("", []))
    if len(several) <= len(refused) / 2:
        return []
    return [Respelling(how, Share(len(several), len(refused)), several[0].task)]
