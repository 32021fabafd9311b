"""Play a reader's claims in another author's environment, and describe the environment for a reader."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from skill_tools.audit.options import AuditOptions
from skill_tools.audit.sessions import reach
from skill_tools.audit.target import Target
from skill_tools.evidence.grading.reviewed import Review
from skill_tools.pipeline.reviews.played_claims import play_review, read_both
from skill_tools.pipeline.reviews.sources import foreign_files
from skill_tools.pipeline.reviews.stages import ForeignStage
from skill_tools.report.brief.review_brief import describe_foreign, describe_rows
from skill_tools.runtime.progress import Progress

MOST_ROWS = 1_000
"""Maximum rows that a reader may name in an experiment."""


def review_target(
    found: Target, file: Path, asked: AuditOptions, progress: Progress
) -> tuple[Review, str]:
    """Play the claims in a file, with a second reader's answers.

    Return the review and the remaining questions for a second reader. Raises SpecError for a file that cannot be
    read, and SkillToolsError for a target that cannot be played.
    """
    written, answers = read_both(file)
    with reached_stage(found, asked, progress) as stage:
        names = list(foreign_files(found.folder, function_file(found))) if found.folder else []
        rows = any(isinstance(place.get("task"), dict) for place in stage.places.values())
        return play_review(stage, written, answers, [*names, *(["rows"] if rows else [])])


@contextmanager
def reached_stage(found: Target, asked: AuditOptions, progress: Progress) -> Iterator[ForeignStage]:
    """Start a target and yield a stage for experiments. The target keeps running while claims are played."""
    say = partial(progress, found.framework.name)
    with reach(
        found, count=MOST_ROWS, call_seconds=asked.call_seconds, progress=progress, say=say
    ) as driven:
        low, high = asked.reward_range or (0.0, 1.0)
        yield ForeignStage(driven, found.folder or Path.cwd(), high, max(low, min(0.0, high)))


def describe_stage(stage: ForeignStage) -> list[str]:
    """Return a description for a brief, with the agent's prompts and tools and with the rows."""
    found = stage.driven.found or {}
    rows = [place["task"] for place in found["places"] if isinstance(place.get("task"), dict)]
    total = sum((found.get("splits") or {}).values()) or len(rows)
    return [*describe_foreign(found), *(describe_rows(rows, total) if rows else [])]


def function_file(target: Target) -> str:
    """Return the file of a reward function; "" for any other target."""
    return (target.id or "").partition(":")[0] if target.framework.name == "reward_function" else ""
