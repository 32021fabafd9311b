"""One episode of the last validation, as text and pictures for a coding agent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fastmcp.tools.base import ToolResult
from mcp.types import ImageContent, TextContent
from rl_env_harness.blocks import said

from skill_tools.errors import SkillToolsError
from skill_tools.evidence.grading.requests import replies_at
from skill_tools.evidence.images.pictures import NoPictureError, decode
from skill_tools.evidence.trajectory import PACKED, Step, Trajectory, read
from skill_tools.mcp.answer_size import LONG, clip, page, plain
from skill_tools.mcp.pages import EpisodeShown
from skill_tools.report.storage.runs import runs_of

MOST_PICTURES = 4
"""Maximum pictures in a result: a screenshot costs a model a thousand tokens or more."""
READ = (
    "Can a model act on these observations, does the reward come at the right step, and is the answer "
    "kept secret?"
)
"""Suggested next steps for a client that has read an episode to its end."""
MOST_BYTES = 400_000
"""Maximum characters of a picture in base64; clients refuse larger messages."""


def find_episode(
    folder: Path, framework: str | None, policy: str, split: str | None, index: int
) -> Trajectory:
    """Return an episode of the last validation. Raises SkillToolsError if the episode does not exist."""
    runs = runs_of(folder)
    place = runs / split if split and (runs / split).is_dir() else runs
    end = f".jsonl{PACKED}"
    played = {path.name.removesuffix(end): path for path in sorted(place.glob(f"*{end}"))}
    if not played:
        raise SkillToolsError(f"{place} has no episodes: call validate_env first")
    name = framework or next(iter(played))
    if name not in played:
        raise SkillToolsError(
            f"the last validation did not play {name!r}; it played {', '.join(played)}"
        )
    episodes = read(played[name])
    found = [each for each in episodes if (each.model, each.index) == (policy, index)]
    if not found:
        policies = sorted({each.model for each in episodes})
        last = max((each.index or 0 for each in episodes), default=0)
        raise SkillToolsError(
            f"{policy!r} did not play task {index} in {name}; choose {', '.join(policies)} and tasks 0 to {last}"
        )
    return found[0]


def show_steps(shown: Trajectory, offset: int, limit: int) -> ToolResult:
    """Return steps of an episode with the pictures of each step; the prompt precedes the first step."""
    rows: list[tuple[int, Step | None]] = [*enumerate(shown.steps, 1)] or [(0, None)]

    def make(items: Any, more: int | None) -> dict[str, Any]:
        texts = [_head(shown)] if not offset else []
        texts += [
            _told(number, step, replies_at(shown, number - 1)) for number, step in items if step
        ]
        return {"texts": texts, "end": "" if more else _ending(shown), "next_offset": more}

    part = page(rows, offset, limit, make)
    count = len(part["texts"]) - (not offset)
    content: list[TextContent | ImageContent] = []
    left = MOST_PICTURES
    if not offset:
        content.append(_text(part["texts"][0]))
        first = [block for number, block in shown.pictures() if number == 0]
        content += map(_picture, first[:left])
        left = max(0, left - len(first))
    for text, (_, step) in zip(
        part["texts"][not offset :], rows[offset : offset + count], strict=False
    ):
        content.append(_text(text))
        pictures = (
            [block for block in step.observation if block.get("type") == "image"] if step else []
        )
        content += [
            _picture(block) if at < left else _text("[a picture; ask for fewer steps]")
            for at, block in enumerate(pictures)
        ]
        left -= len(pictures)
    more = part["next_offset"]
    told = EpisodeShown(
        label=shown.label,
        framework=shown.framework,
        policy=shown.model,
        end=shown.end,
        episode_return=plain(shown.total),
        total=len(shown.steps),
        next_offset=more,
        next=f"call it with offset={more} for more steps" if more else READ,
    )
    last = told.next if more else f"{part['end']}\n{told.next}"
    return ToolResult(
        content=[*content, _text(last)], structured_content=told.model_dump(mode="json")
    )


def _head(shown: Trajectory) -> str:
    prompt = "\n".join(f"{m['role']}: {said(m, '[an image]')}" for m in shown.prompt)
    return f"{shown.model} in {shown.framework} on {shown.label}\n{clip(prompt, 2 * LONG)}"


def _told(number: int, step: Step, asked: list[str]) -> str:
    call = clip(f"{step.tool}({json.dumps(step.arguments, default=str)})", LONG)
    error = f", refused: {step.error}" if step.error else ""
    inside = "".join(f"| {clip(line, LONG)}\n" for line in asked)
    return (
        f"step {number}: {call}\n{clip(step.text, LONG)}\n{inside}reward {step.reward:g}, done "
        f"{str(step.done).lower()}{error}"
    )


def _ending(shown: Trajectory) -> str:
    failure = f": {clip(shown.failure.message, LONG)}" if shown.failure else ""
    total = "none" if shown.total is None else f"{shown.total:g}"
    return f"end: {shown.end}{failure}, return {total}"


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _picture(block: dict[str, Any]) -> TextContent | ImageContent:
    """Return a picture that a client can show, or the reason why the client cannot show the picture."""
    data = str(block["data"])
    if len(data) > MOST_BYTES:
        return _text(f"[a picture of {len(data):,} characters, too large to send]")
    try:
        decode(data).close()
    except NoPictureError as error:
        return _text(f"[a picture that {error}]")
    return ImageContent(type="image", data=data, mimeType=str(block["media_type"]))
