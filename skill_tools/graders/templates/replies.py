"""Find right answers in replies as models write them: thoughts, then the answer in its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from skill_tools.graders.templates.answer_templates import SLOT, Template, frames_of, is_thought
from skill_tools.graders.templates.dates import read_date
from skill_tools.graders.templates.question import Question, is_number, kind_of, read_json
from skill_tools.graders.templates.reply_places import (
    BLOCK,
    LABELED,
    LONGEST_LINE,
    MOSTLY,
    PARAGRAPH,
    Places,
    with_heading,
    with_json,
    with_labels,
    with_lines,
)

PLACES = 2
"""Maximum places to try: each costs a reply in each template."""
BOXED = "\\boxed{"
_TAGGED = re.compile(r"<([A-Za-z_]\w{0,30})>(.{1,20000}?)</\1>", re.DOTALL)
_CODES = re.compile(r"(?=\S*\d)[\w.-]{1,30}(?:[;\s]{1,3}(?=\S*\d)[\w.-]{1,30}){1,60}")
"""Matches codes with blanks or semicolons between them: where others have commas, they are lists, too."""
_BLOCK = re.compile(r"```([\w+-]{0,12})[ \t]*\n(.{1,20000}?)\n?```", re.DOTALL)
_MARKED = re.compile(r"^#### ?(.{1,300})$", re.MULTILINE)


class Reading(NamedTuple):
    """The questions with the answers found at one place of their right replies, and the templates of these replies.

    There are at most two templates: the place alone, and after the first reply's thoughts.
    """

    questions: list[Question]
    frames: list[Template]


def read_replies(questions: Sequence[Question]) -> list[Reading]:
    """Return what may be the answers in whole right replies, with the innermost place first.

    Return [] if the replies share no place, or are only the answer.
    """
    asked = {frame.template for frame in frames_of(questions)}
    several = _with_bare([_places(each, asked) for each in questions], questions)
    several = with_heading(several, questions)
    several = with_lines(with_labels(several, questions), questions)
    several = with_json(several, questions)
    counts = Counter(name for places in several for name in places)
    usual = [name for name, count in counts.items() if count >= MOSTLY * len(questions)]
    # The innermost is the shortest: a box in a tag, a line in a block.
    usual.sort(key=lambda each: sum(len(p[each][1]) for p in several if each in p))
    return [_read(name, questions, several) for name in usual[:PLACES]]


def _read(name: str, questions: Sequence[Question], several: Sequence[Places]) -> Reading:
    read: list[Question] = []
    frames: list[Template] = []
    listed = any(", " in places[name][1] for places in several if name in places)
    for question, places in zip(questions, several, strict=True):
        if name not in places:
            continue
        template, inner = places[name]
        inner = re.sub(r"[;\s]{1,3}", ", ", inner) if listed and _CODES.fullmatch(inner) else inner
        read.append(replace(_answered(question, inner), given=question.gold))
        around = _around(question.gold, template, inner)
        if not frames:
            frames = [Template(name, template, said=True)]
            if around != template:
                frames.append(Template(f"{name}, after thoughts", around, said=True))
    return Reading(read, frames)


def _with_bare(several: Sequence[Places], questions: Sequence[Question]) -> list[Places]:
    """Return the places, also for replies that are bare JSON where other replies have JSON in a code block."""
    found = next((each[BLOCK] for each in several if BLOCK in each), None)
    if not found or read_json(found[1]) is None:
        return list(several)
    template, _ = found
    return [
        {BLOCK: (template, question.gold)} if not places and question.kind == "json" else places
        for places, question in zip(several, questions, strict=True)
    ]


def _answered(question: Question, answer: str) -> Question:
    bare = answer.strip().removesuffix(".")
    answer = bare if is_number(bare) or read_date(bare) else answer
    kind = kind_of(answer, question.prompt, question.options)
    return replace(question, gold=answer if kind == "code" else answer.strip(), kind=kind)


def _places(question: Question, asked: set[str]) -> dict[str, tuple[str, str]]:
    """Return where a reply's answer may be: the name of each place, its template, and the text there.

    If no place is marked, or only a part of the last paragraph, that paragraph may be the answer, after prose.
    """
    places = dict(_marked_places(question.gold, asked))
    before, _, last = question.gold.strip().rpartition("\n\n")
    whole = any(inner.strip() in last for _, inner in places.values())
    if before and question.kind != "code" and (not places or (whole and "\n" in last)):
        places[PARAGRAPH] = (SLOT, last)
    return places


def _marked_places(reply: str, asked: set[str]) -> Iterator[tuple[str, tuple[str, str]]]:
    if boxed := _boxed(reply):
        yield "boxed", (f"{BOXED}{SLOT}}}", boxed)
    for tag, inner in _TAGGED.findall(reply):
        if not is_thought(tag) and inner.strip():
            yield f"in <{tag}> tags", (f"<{tag}>{SLOT}</{tag}>", inner)
    if found := _MARKED.findall(reply):
        yield "after ####", (f"#### {SLOT}", found[-1])
    blocks = _BLOCK.findall(reply)
    if len(blocks) == 1:
        language, inner = blocks[0]
        yield BLOCK, (f"```{language}\n{SLOT}\n```", inner)
    last = reply.rstrip().rpartition("\n")[2].strip()
    if last[:2] == last[-2:] == "**":  # a whole line in bold
        last = last[2:-2]
    label = LABELED.match(last)
    if label and len(last) <= LONGEST_LINE and last[label.end() :].strip():
        bold = label[0].rstrip()
        before = bold if f"{bold} {SLOT}" in asked else bold.replace("*", "")
        alone = last == reply.strip().strip("*")
        # A reply of one line may be a title: its label counts only if the prompt asks for it.
        if not alone or f"{before} {SLOT}" in asked:
            yield f"after {before}", (f"{before} {SLOT}", last[label.end() :])


def _boxed(reply: str) -> str:
    """Return the content of the last box, with balanced braces; "" if there is none."""
    at = reply.rfind(BOXED)
    if at < 0:
        return ""
    depth, start = 1, at + len(BOXED)
    for place in range(start, len(reply)):
        depth += {"{": 1, "}": -1}.get(reply[place], 0)
        if depth == 0:
            return reply[start:place]
    return ""


def _around(reply: str, template: str, inner: str) -> str:
    """Return the whole reply as a template, with a slot in place of the answer."""
    held = template.replace(SLOT, inner)
    before, found, after = reply.rpartition(held)
    return f"{before}{template}{after}" if found else template
