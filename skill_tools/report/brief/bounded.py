"""Text of an environment in Markdown: fenced, and no longer than so many characters, with what was cut said."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from skill_tools.evidence.trajectory import Step, Trajectory
from skill_tools.spec.shown import LONGEST_NAME

LONGEST_ANSWER = 1_200
"""Characters of one answer of the world; what a rule shows is seldom further down."""
LONGEST_ARGUMENTS = 1_200
"""Characters of the arguments of one call, which may be a program that an answer is worked out with."""
OF_ANSWER = 3
"""The part of a transcript, a third, that one answer may take at most: two calls are always shown."""
OF_ARGUMENTS = 6
"""The same of the arguments of one call, a sixth."""


def clip(text: str, most: int) -> str:
    """A text, or its first two thirds and its end with how much was cut between them."""
    if len(text) <= most:
        return text
    head = most * 2 // 3
    cut = len(text) - most
    return f"{text[:head]}\n[... {cut:,} characters are cut here ...]\n{text[head + cut :]}"


def fenced(text: str) -> list[str]:
    """A block that no text inside can end."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", text.rstrip("\n"), fence]


def as_json(value: Any, most: int) -> str:
    """A value on one line, of at most so many characters."""
    text = json.dumps(value, ensure_ascii=False)
    return (
        text if len(text) <= most else f"{text[:most]} [... {len(text) - most:,} more characters]"
    )


def transcript(played: Trajectory, most: int, pictures: str = "") -> str:
    """The calls of an episode and what each brought; where it is longer, those in its middle are left out.

    ``pictures`` is the folder of its pictures, which ``report.runs.pictures`` names; "" where nobody keeps them.
    """
    arguments, answer = (
        min(longest, most // part)
        for longest, part in (
            (LONGEST_ARGUMENTS, OF_ARGUMENTS),
            (LONGEST_ANSWER, OF_ANSWER),
        )
    )
    told = []
    for number, step in enumerate(played.steps, 1):
        shown = clip(_shown(number, step, pictures), answer)
        told.append(_step(number, step, as_json(step.arguments, arguments), shown))
    first, last = _kept(list(map(len, told)), most)
    lines = told[:first]
    if left := len(told) - first - last:
        lines.append(f"[... calls {first + 1} to {first + left} are cut here ...]")
    return "\n".join([*lines, *told[len(told) - last :], _ending(played)])


def _step(number: int, step: Step, arguments: str, shown: str) -> str:
    lines = [f"call {number}: {step.tool[:LONGEST_NAME]} {arguments}", "answer:"]
    lines += [f"    {line}" for line in shown.splitlines()]
    refused = f", refused ({step.error})" if step.error else ""
    lines.append(f"reward {step.reward:g}, done {str(step.done).lower()}{refused}")
    return "\n".join(lines)


def _shown(number: int, step: Step, pictures: str) -> str:
    shown, count = [], 0
    for block in step.observation:
        if block.get("type") != "image":
            shown.append(str(block.get("text", "")))
            continue
        count += 1
        kind = str(block["media_type"]).rpartition("/")[2]
        where = (
            f"{pictures}/step-{number}-{count}.{kind}" if pictures else "not shown in this brief"
        )
        shown.append(f"[a picture: {where}]")
    return "\n".join(shown)


def _kept(sizes: Sequence[int], most: int) -> tuple[int, int]:
    """How many to keep at the start, and at the end, of things of these sizes; one of each at least."""
    if sum(sizes) <= most or len(sizes) < 3:
        return len(sizes), 0
    first = max(1, sum(1 for _ in _while(sizes, most * 2 // 3)))
    last = max(1, sum(1 for _ in _while(sizes[:first:-1], most // 3)))
    return first, last


def _while(sizes: Sequence[int], most: int) -> Iterator[int]:
    total = 0
    for size in sizes:
        total += size
        if total > most:
            return
        yield size


def _ending(played: Trajectory) -> str:
    why = {
        "terminated": "the rules ended it",
        "truncated": "a limit of the episode ended it",
        "stopped": "the player made no further call",
        "failed": "the world broke: there is no score",
    }.get(played.end, played.end)
    late = (
        f"; {played.final_reward:g} of it came after the last call" if played.final_reward else ""
    )
    paid = "none" if played.total is None else f"{played.total:g}"
    return f"end: {why}; return {paid}{late}"
