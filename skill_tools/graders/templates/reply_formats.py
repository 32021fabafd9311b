"""Format variants that a grader must be able to read: line breaks, bold letters, thoughts first."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skill_tools.graders.templates.answer_templates import SLOT, Template, thoughts_in
from skill_tools.graders.templates.question import Question

THOUGHT = "<think>\nLet me see. It could be 7, but that is not it.\n</think>\n"
"""Thoughts as reasoning models write them, with a number that is not the answer."""
STRICT = frozenset({"exact", "alone", "form"})
"""Marks of a prompt that requires a particular format."""
SAID_BEFORE = (
    "A closer look at the 3 parts of this helps. I read each of them twice, and no other fits.\n\n"
)
"""Prose as models write it before an answer: with articles, letters and numbers that are not the answer."""
SAID_AFTER = "\n\nI checked this in 2 ways, and a third one agrees."
"""Prose after an answer."""
LAST = re.compile(r"(?i)\b(?:last|end|ends|finish|final|finally|conclude|then)\b")
"""Matches a prompt in which the answer comes last."""
TOLD = re.compile(r"(?i)\b(?:reply|respond|answer|write|give|output|return|state|format)\b")
"""Matches a prompt that says how to reply."""
CLAUSE = ", because nothing else fits the question"
"""A clause after an answer that stands alone."""
SAID = frozenset({"alone", "exact", "form", "length", "plain"})
"""Marks of a prompt that excludes prose."""
BARE_JSON = re.compile(r"(?i)\bfence|\bcode block|\bbare\b|\braw\b|\bmarkdown\b|```")
"""Matches the statement in a prompt whether JSON is in a code block."""
Framing = tuple[str, str, str]
"""The name of a format, its description, and the reply."""


CUT = {
    "box": "\\boxed{{{}",
    "bracket": "({}",
    "square": "[{}",
    "tag": "<answer>{}",
    "fence": "```\n{}",
    "dollar": "${}",
    "quote": '"{}',
}
"""Replies that a token limit cut off before a closing mark."""


def cut_off(question: Question, frame: Template) -> Iterator[tuple[str, str, str]]:
    """Yield replies that are cut off before or within the right answer. They may earn anything, but must not break a
    grader."""
    if "\n" in question.gold:
        return
    if not frame.bare:
        yield "cut.frame", "cut off before its end", frame.hold(question.gold)[:-1]
    for name, form in CUT.items():
        yield f"cut.{name}", "cut off before a bracket is closed", form.format(question.gold)


def framings(question: Question, frame: Template) -> Iterator[Framing]:
    """Yield the right answer to ``question`` in each format that its prompt does not exclude."""
    gold, template = question.gold, frame.template
    if "\n" in gold or question.kind == "code" or "exact" in question.says:
        return
    closed = re.search(rf"<(\w+)>{SLOT}</\1>", template)
    if closed:
        yield "lines", "with line breaks in its tags", frame.hold(f"\n{gold}\n")
        yield "tag-blanks", "with blanks in its tags", frame.hold(f" {gold} ")
    yield "end", "with a line break after it", f"{frame.hold(gold)}\n"
    if "boxed" in template:
        yield "boxed-blanks", "with blanks in its box", frame.hold(f" {gold} ")
        if not question.says & STRICT:
            yield (
                "boxed-math",
                "in a sentence, as a formula",
                f"So the answer is ${frame.hold(gold)}$.",
            )
    if question.says & STRICT:
        return
    label = re.fullmatch(rf"([A-Z][\w ]{{0,30}}):\s?{SLOT}", template)
    if label:
        yield "bold", "in bold letters", f"{label[1]}: **{gold}**"
        yield "bold-label", "with its label in bold letters", f"**{label[1]}:** {gold}"
    if question.kind == "json" and frame.bare and not BARE_JSON.search(question.prompt):
        yield "fenced", "as JSON in a block of code", f"```json\n{gold}\n```"
    if thoughts_in(question.prompt) and "<think" not in template:
        yield "thoughts", "with thoughts before it", f"{THOUGHT}{frame.hold(gold)}"


def said(question: Question, frame: Template) -> Iterator[Framing]:
    """Yield the right answer as people say it: after prose, before prose, and in a sentence."""
    gold = question.gold
    if question.says & SAID or "\n" in gold or question.kind in ("code", "json"):
        return
    if frame.bare:
        if question.kind in ("number", "choice", "boolean"):
            yield "said.sentence", "in a sentence", f"The answer is {gold}."
            if not TOLD.search(question.prompt):
                yield "said.clause", "with a clause after it", f"{gold}{CLAUSE}."
        return
    if frame.template.startswith(("{", "<think")):
        return
    held = frame.hold(gold)
    yield "said.first", "after some words", f"Let me think about it.\n\n{held}"
    yield "said.before", "after prose with letters and numbers", f"{SAID_BEFORE}{held}"
    if not LAST.search(question.prompt) and not frame.template.endswith(SLOT):
        yield "said.after", "before prose with numbers", f"{held}{SAID_AFTER}"
