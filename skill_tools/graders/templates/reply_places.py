"""Places of answers in right replies that models write in any style: headings, labeled lines, and JSON."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from skill_tools.graders.templates.answer_templates import SLOT
from skill_tools.graders.templates.question import Question

MOSTLY = 0.8
"""Minimum share of replies with the answer in the same place: some are written differently."""
LONGEST_LINE = 300
"""Maximum characters in a labeled line: a longer one is a paragraph."""
BLOCK = "in a code block"
PARAGRAPH = "in the last paragraph"
HEADING = re.compile(r"\W{0,4}[^\W\d_][\w ]{1,30}:?\W{0,3}")
"""Matches a line that is a title, such as ``PAIRS`` or ``**Route:**``."""
MARKS = "#*_`: "
"""Marks around a title."""
LABELED = re.compile(r"(?:\*\*)?[A-Z][A-Za-z]{0,20}(?: [A-Za-z]{1,15}){0,2}: ?(?:\*\*)?")
_LINE = re.compile(
    r"(?P<marks>[\s*_`>#-]{0,8})(?P<label>[^\W\d_][\w()' /-]{0,38}?)[\s*_`]{0,4}(?P<sign>[:=])\s*(?P<answer>\S.*)"
)
"""Matches a line with a label in any spelling, and an answer."""
_OPENS = re.compile(r"[\[{](?=\s{0,9}[\"\[{\d])")
"""Matches the beginning of an object or list."""

Places = Mapping[str, tuple[str, str]]
"""The places where a reply's answer may be, each with its template and the text there."""


def with_heading(several: Sequence[Places], questions: Sequence[Question]) -> list[Places]:
    """Return the places, also below a line that most replies share and that the prompt names."""
    lines = [
        [line for line in map(str.strip, each.gold.splitlines()[:-1]) if _is_heading(line, each)]
        for each in questions
    ]
    counts = Counter(name for own in lines for name in dict.fromkeys(map(_bare, own)))
    usual = [name for name, count in counts.items() if count >= MOSTLY * len(questions)]
    if not usual:
        return list(several)
    name = usual[-1]
    spellings = Counter(line for own in lines for line in own if _bare(line) == name)
    heading = min(spellings, key=lambda line: (-spellings[line], len(line)))
    found: list[Places] = []
    for places, own, question in zip(several, lines, questions, strict=True):
        line = next((each for each in reversed(own) if _bare(each) == name), "")
        below = question.gold.rpartition(f"{line}\n")[2] if line else ""
        inner = {f"under {heading}": (f"{heading}\n{SLOT}", below.strip("\n").partition("\n\n")[0])}
        found.append({**places, **(inner if below else {})})
    return found


def _is_heading(line: str, question: Question) -> bool:
    named = _bare(line) in question.prompt.casefold()
    return bool(line.strip(MARKS)) and named and bool(HEADING.fullmatch(line))


def _bare(line: str) -> str:
    """Return a line without case, marks at its ends, and a colon."""
    return line.strip(MARKS).casefold()


def with_labels(several: Sequence[Places], questions: Sequence[Question]) -> list[Places]:
    """Return the places, also after a label that the prompt names and of which most replies have a line, in any
    spelling."""
    lines = [_labeled(each) for each in questions]
    counts = Counter(name for own in lines for name in own)
    usual = [name for name, count in counts.items() if count >= MOSTLY * len(questions)]
    if len(usual) > 1:
        return _with_several_labels(several, lines, usual)
    if not usual:
        return list(several)
    found = [own.get(usual[0]) for own in lines]
    before = Counter(each.before for each in found if each).most_common(1)[0][0]
    stopped = sum(each.answer.endswith(".") for each in found if each)
    return [
        {
            **own,
            f"after {before}": (
                f"{before} {SLOT}",
                each.answer.removesuffix(".") if stopped < len(found) / 2 else each.answer,
            ),
        }
        if each
        else own
        for own, each in zip(several, found, strict=True)
    ]


def _with_several_labels(
    several: Sequence[Places],
    lines: Sequence[Mapping[str, _LabeledLine]],
    labels: Sequence[str],
) -> list[Places]:
    """Return the places, also the lines with these labels and others that replies share: together the answer."""
    counts = Counter(label for own in lines for label in own)
    found = [
        [f"{each.before} {each.answer}" for label, each in own.items() if counts[label] > 1]
        if all(label in own for label in labels)
        else []
        for own in lines
    ]
    return [
        {**places, "in labeled lines": (SLOT, "\n".join(each))} if each else places
        for places, each in zip(several, found, strict=True)
    ]


def with_json(several: Sequence[Places], questions: Sequence[Question]) -> list[Places]:
    """Return the places, also the only JSON object or list of a reply, with words or in a code block or without."""
    found = [_json_in(each.gold) if each.kind != "code" else "" for each in questions]
    fenced = sum(BLOCK in places for places in several)
    template = f"```json\n{SLOT}\n```" if fenced > len(several) / 2 else SLOT
    return [
        {**places, "as JSON": (template, each)} if each else places
        for places, each in zip(several, found, strict=True)
    ]


def _json_in(reply: str) -> str:
    """Return the only JSON object or list of a reply, or ""."""
    found: list[str] = []
    end = 0
    for opening in _OPENS.finditer(reply):
        start = opening.start()
        if start >= end:
            with suppress(ValueError, RecursionError):
                _, end = json.JSONDecoder().raw_decode(reply, start)
                found.append(reply[start:end])
    return found[0] if len(found) == 1 else ""


class _LabeledLine(NamedTuple):
    """A label with its sign, and the answer after it."""

    before: str
    answer: str


def _labeled(question: Question) -> dict[str, _LabeledLine]:
    """Return the last line of a reply with each label that the prompt names, by the label in lower case."""
    prompt = question.prompt.casefold()
    found: dict[str, _LabeledLine] = {}
    # An answer may stand below its label.
    for line in re.sub(r"([:=][\s*_`]{0,4})\n+(?=[^\s`])", r"\1 ", question.gold).splitlines():
        match = _LINE.fullmatch(line.strip()) if len(line) <= LONGEST_LINE else None
        if match and match["label"].casefold() in prompt:
            label, sign = match["label"], match["sign"]
            before = f"{label}:" if sign == ":" else f"{label} ="
            answer = _unmarked(match["answer"].strip(), match["marks"].strip("#>- "))
            found[label.casefold()] = _LabeledLine(before, answer)
    return found


def _unmarked(answer: str, marks: str) -> str:
    """Return the answer on a line without marks that begin before the label, and without backticks around it."""
    if marks and answer.startswith(marks):
        answer = answer.removeprefix(marks).strip()
    elif marks:
        answer = answer.removesuffix(marks).strip()
    inner = answer[1:-1]
    return inner if answer == f"`{inner}`" and inner and "`" not in inner else answer


def with_lines(several: Sequence[Places], questions: Sequence[Question]) -> list[Places]:
    """Return the places, also for replies that are only the labeled lines with which others end."""
    labels = next((_labels(each[PARAGRAPH][1]) for each in several if PARAGRAPH in each), [])
    if len(labels) < 2 or "" in labels:
        return list(several)
    return [
        {**places, PARAGRAPH: (SLOT, gold)}
        if _labels(gold := question.gold.strip()) == labels
        else places
        for places, question in zip(several, questions, strict=True)
    ]


def _labels(text: str) -> list[str]:
    """Return the label of each line, or "" for a line without a label."""
    found = (LABELED.match(each.strip()) for each in text.split("\n"))
    return [each[0].strip("*: ") if each else "" for each in found]
