"""Answer templates: the place of the answer in a reply, as the prompt says or as graders usually expect."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from skill_tools.graders.templates.question import Question
from skill_tools.graders.templates.shown_examples import number_frames

SLOT = "\x00"
"""Placeholder for the answer in a template: models never write it."""
MOST = 18
"""Maximum templates to try: each costs one reply on several tasks."""


@dataclass(frozen=True)
class Template:
    """The text around the answer in a reply. ``said`` states whether the prompt shows it."""

    name: str
    template: str
    said: bool = False

    def hold(self, answer: str) -> str:
        """Put an answer into the template."""
        return self.template.replace(SLOT, answer)

    def held(self, reply: str) -> str | None:
        """Return the answer in a reply, or None if the reply does not have this template."""
        before, _, after = self.template.partition(SLOT)
        text = reply.strip()
        fits = text.startswith(before) and text.endswith(after)
        inner = text[len(before) : len(text) - len(after)] if fits else ""
        return inner if inner.strip() else None

    @property
    def unthought(self) -> Template:
        """The template without thoughts before the answer."""
        template = re.sub(r"(?s)^<(\w+)>.{0,40}</\1>\s*(?=\S*\x00)", "", self.template)
        return Template(self.name, template, self.said)

    @property
    def labeled(self) -> bool:
        """Whether the answer follows a label on its line, so that it has to end with the line."""
        return self.template.partition(SLOT)[0].rpartition("\n")[2].rstrip(" *`").endswith(":")

    @property
    def bare(self) -> bool:
        """Whether the reply is only the answer."""
        return self.template == SLOT


BARE = Template("alone", SLOT)
USUAL = (
    BARE,
    Template("boxed", f"\\boxed{{{SLOT}}}"),
    Template("in <answer> tags", f"<answer>{SLOT}</answer>"),
    Template("after ####", f"#### {SLOT}"),
    Template("after Answer:", f"Answer: {SLOT}"),
    Template("after Final answer:", f"Final answer: {SLOT}"),
    Template("in a sentence", f"The answer is {SLOT}."),
    Template("in a sentence, in brackets", f"So the answer is ({SLOT})."),
    Template("thought and tagged", f"<think>Let me see.</think>\n<answer>{SLOT}</answer>"),
)
_TAG = re.compile(r"<([A-Za-z_]{1,20})>[^<>]{0,60}</\1>")
_TAG_NAMED = re.compile(r"<([A-Za-z_]{1,20})>\s{0,2}(?:tags?|and\b|\.\.\.|…)|</([A-Za-z_]{1,20})>")
_LABEL = re.compile(r"(?:\*\*)?[A-Z][A-Za-z]{0,20}(?: [A-Za-z]{1,15}){0,2}: ?")
_SHOWN_LINE = re.compile(rf"[\"'`“]\s?({_LABEL.pattern})(?=[\"'`”]|[^\n\"'`”]{{0,60}}[\"'`”])")
_TOLD_LINE = re.compile(
    rf"\b(?:line|form|format|write|end|ends|finish|reply|answer|respond|output)\b[^\n]{{0,80}}?[:\s]\s?({_LABEL.pattern})(?=[<\[$({{*_X.…A-Za-z0-9])"
)
_LINE = re.compile(rf"^({_LABEL.pattern})(?=[<\[$({{*_X.…A-Z0-9])", re.MULTILINE)
"""Matches a line with a label: in quotes, where the prompt says how to answer, or anywhere."""
_EXAMPLE = re.compile(rf"^({_LABEL.pattern})(?=\S)", re.MULTILINE)
"""Matches a labeled line in a worked example."""
LINES = 6
"""Maximum labels of lines to try."""
_PLACE = re.compile(
    r"[\"'`“]([^\"'`”\n<>\x00]{0,40})((?:<[a-z][a-z _-]{0,20}>[ ]?)+)([^\"'`”\n<>\x00]{0,20})[\"'`”]"
)
"""Matches a quoted format in which the answer is one or more names in angle brackets."""
_KEY = re.compile(r"\{\s{0,4}\"(\w{1,30})\"\s{0,3}:")
_FENCE = re.compile(r"```(\w{0,12})|\bcode block\b|\bfenced\b", re.IGNORECASE)


def frames_of(questions: Sequence[Question]) -> list[Template]:
    """Return the templates to try: those in the prompts first, then the usual ones."""
    prompt = questions[0].prompt
    shown: list[Template] = []
    names = [found[1] for found in _TAG.finditer(prompt)]
    names += [found[1] or found[2] for found in _TAG_NAMED.finditer(prompt)]
    tags = [name for name in dict.fromkeys(names) if name.lower() not in _THOUGHT]
    thoughts = [name for name in dict.fromkeys(names) if name.lower() in _THOUGHT]
    for name in tags[:3]:
        plain = f"<{name}>{SLOT}</{name}>"
        if thoughts:
            thought = f"<{thoughts[0]}>Let me see.</{thoughts[0]}>\n"
            shown.append(Template(f"thought and in <{name}> tags", thought + plain, said=True))
        shown.append(Template(f"in <{name}> tags", plain, said=True))
    found_lines = [
        found[1].strip()
        for pattern in (_SHOWN_LINE, _TOLD_LINE, _LINE)
        for found in pattern.finditer(prompt)
    ]
    worked = Counter(label.strip() for label in _EXAMPLE.findall(prompt))
    # In worked examples the answer comes last.
    found_lines += [line for line, times in reversed(worked.items()) if times > 1]
    for line in list(dict.fromkeys(found_lines))[:LINES]:
        shown.append(Template(f"after {line}", f"{line} {SLOT}", said=True))
    for before, places, after in _PLACE.findall(prompt)[:2]:
        blank = " " if places.endswith(" ") and after else ""
        if (before + after).strip():
            template = f"{before}{SLOT}{blank}{after}"
            shown.append(Template(f"in the form {before}…{after}", template, said=True))
    shown += [
        Template(f"as in the example {before}…{after}", f"{before}{SLOT}{after}", said=True)
        for before, after in number_frames(prompt)[:LINES]
    ]
    numeric = all(each.kind in ("number", "list", "json") for each in questions)
    for key in list(dict.fromkeys(_KEY.findall(prompt)))[:2]:
        quoted = f'{{"{key}": "{SLOT}"}}'
        both = [f'{{"{key}": {SLOT}}}', quoted] if numeric else [quoted]
        shown += [Template(f"as JSON under {key}", each, said=True) for each in both]
    if all(each.kind == "code" for each in questions):
        shown.append(Template("in a code block", f"```python\n{SLOT}\n```", said=True))
    elif fence := _FENCE.search(prompt):
        shown.append(Template("in a code block", f"```{fence[1] or ''}\n{SLOT}\n```", said=True))
    if "boxed" in prompt:
        shown.append(Template("boxed", USUAL[1].template, said=True))
    if "####" in prompt:
        shown.append(Template("after ####", USUAL[3].template, said=True))
    found = {each.template: each for each in reversed([*shown, *USUAL])}
    return [found[template] for template in dict.fromkeys(e.template for e in (*shown, *USUAL))][
        :MOST
    ]


_THOUGHT = frozenset({"think", "thinking", "thought", "reasoning", "scratchpad", "reason"})
"""Tags for a model's thoughts, without an answer."""


def is_thought(tag: str) -> bool:
    """Return whether a tag is for a model's thoughts, without an answer."""
    return tag.lower() in _THOUGHT


def thoughts_in(prompt: str) -> list[str]:
    """Return the tags that a prompt names for thoughts."""
    names = [found[1] or found[2] for found in _TAG_NAMED.finditer(prompt)]
    names += [found[1] for found in _TAG.finditer(prompt)]
    return [name for name in dict.fromkeys(names) if name.lower() in _THOUGHT]


def frame_in(reply: str, frames: Sequence[Template]) -> tuple[Template, str]:
    """Return the template that a right reply has, and the answer in it. If no template fits, the whole reply is the
    answer."""
    for frame in sorted(frames, key=lambda each: -len(each.template)):
        if not frame.bare and (held := frame.held(reply)) is not None:
            return frame, held
    return BARE, reply
