"""An environment's text as Markdown: in code blocks, limited in length, with marks in place of omitted text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from skill_tools.evidence.trajectory import Step, Trajectory
from skill_tools.spec.shown import LONGEST_NAME

LONGEST_ANSWER = 1_200
"""Maximum characters of one reply from the world; text that shows a rule is rarely further down."""
LONGEST_ARGUMENTS = 1_200
"""Maximum characters in the arguments of one call, which may be a program that produces an answer."""
OF_ANSWER = 3
"""One reply may take at most a third of a transcript, so that at least two calls are shown."""
OF_ARGUMENTS = 6
"""The arguments of one call may take at most a sixth of a transcript."""


def clip(text: str, most: int) -> str:
    """Return a short text unchanged. In a longer text, replace the middle by a note about the omitted length."""
    if len(text) <= most:
        return text
    head = most * 2 // 3
    cut = len(text) - most
    return f"{text[:head]}\n[... {cut:,} characters are cut here ...]\n{text[head + cut :]}"


def fenced(text: str) -> list[str]:
    """Return a text as a Markdown code block whose fence is longer than any run of backticks in the text."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", text.rstrip("\n"), fence]


def as_json(value: Any, most: int) -> str:
    """Return a value on one line, as JSON of bounded length."""
    text = json.dumps(value, ensure_ascii=False)
    return (
        text if len(text) <= most else f"{text[:most]} [... {len(text) - most:,} more characters]"
    )


def transcript(played: Trajectory, most: int, pictures: str = "") -> str:
    """Format an episode's calls and their results. Leave out calls in the middle if the text is too long.

    ``pictures`` is the folder of the episode's pictures, as ``report.runs.pictures`` names it, or "" if pictures
    are not kept.
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
    """Return how many items fit at the start, and how many fit at the end, with at least one item at each end."""
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
        "failed": "the world failed: there is no score",
    }.get(played.end, played.end)
    late = (
        f"; {played.final_reward:g} of it came after the last call" if played.final_reward else ""
    )
    paid = "none" if played.total is None else f"{played.total:g}"
    return f"end: {why}; return {paid}{late}"
