"""A session in which an environment's grader scores replies, and records what it does."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from skill_tools.audit.driver import DriverSession, SeenEpisode
from skill_tools.audit.groups import Group, play_groups
from skill_tools.evidence.grading.graded import NOT_RETURNED
from skill_tools.evidence.grading.shares import Share
from skill_tools.graders.decisions import Trace, run_lines
from skill_tools.graders.grader_client import Grade, GradeRequest
from skill_tools.graders.slips import Recorded
from skill_tools.graders.templates.answer_argument import Slot

AT_ONCE = 25
"""Number of concurrent episodes: while one waits for a server's reply, others continue."""
FEW = 4
"""Number of concurrent episodes with a real judge, which takes seconds for each."""
SLIP_SECONDS = 8.0
"""Maximum seconds for replies whose operations are recorded."""


class GradingSession:
    """A grader of replies in one environment, within a time limit."""

    def __init__(
        self, driven: DriverSession, places: Mapping[str, Any], slot: Slot, seconds: float
    ) -> None:
        self.driven, self.places, self.slot, self.left = driven, places, slot, seconds
        self.judged = Share(0, 0)
        self.prompts: dict[str, list[dict[str, Any]]] = {}
        self.round = self.unplayed = 0
        self.hung = False

    def grade(self, asks: Sequence[GradeRequest]) -> list[Grade]:
        """Return each reply's grade. Replies that cannot be submitted, or not in time, are marked as not reached."""
        began = time.monotonic()
        self.round += 1
        scripts = [self._script(number, ask) for number, ask in enumerate(asks)]
        told = [each for each in scripts if each]
        # A real judge answers sequentially, and each episode has its own time limit.
        at_once = FEW if any("ask" in ask.judge for ask in asks) else AT_ONCE
        groups = _groups(f"answers/{self.round}", told, at_once)
        if self.hung and self.left <= 0:  # a call that hangs has used all of it
            self.unplayed += len(told)
            return [Grade(reached=False)] * len(asks)
        got, unplayed = play_groups(self.driven, groups, max(5.0, self.left))
        self.unplayed += unplayed
        self.left -= time.monotonic() - began
        by_number = {
            int(each.trajectory.model.partition("/")[2]): each
            for episodes in got.values()
            for each in episodes
        }
        for each in by_number.values():
            if each.trajectory.prompt:
                self.prompts.setdefault(each.trajectory.label, each.trajectory.prompt)
        asked = [judged for each in by_number.values() for judged in each.seen.get("judge") or ()]
        shown = sum(bool(each.get("reply_shown")) for each in asked)
        self.judged = Share(self.judged.count + shown, self.judged.of + len(asked))
        earned = [_earned(by_number.get(number)) for number in range(len(asks))]
        self.hung = self.hung or any(each.broke.startswith(NOT_RETURNED) for each in earned)
        return earned

    def watch(self, asks: Sequence[GradeRequest]) -> list[SeenEpisode | None]:
        """Submit each reply in an episode that records which columns of the row are read. Return the episodes."""
        return self._record(asks, "watched")

    def trace(self, asks: Sequence[GradeRequest]) -> list[Trace]:
        """Submit each reply and return the lines of the grader that ran, or [] for a reply without a score."""
        seen = self._record(asks, "traced")
        return [run_lines(each.seen.get("trace", ())) if each else [] for each in seen]

    def record_slips(self, asks: Sequence[GradeRequest]) -> list[Recorded]:
        """Score each reply with operations that record slips, for a limited time."""
        began = time.monotonic()
        seen = self._record(asks, "slips", min(SLIP_SECONDS, self.left))
        self.left -= time.monotonic() - began
        return [Recorded(_earned(e).paid, e.seen.get("slips", ()) if e else ()) for e in seen]

    def _record(
        self,
        asks: Sequence[GradeRequest],
        what: Literal["watched", "traced", "slips"],
        seconds: float | None = None,
    ) -> list[SeenEpisode | None]:
        scripts = [self._script(number, ask) for number, ask in enumerate(asks)]
        told = [{**each, what: True} for each in scripts if each]
        limit = max(5.0, self.left if seconds is None else seconds)
        got, _ = play_groups(self.driven, _groups(what, told), limit)
        seen = {each.trajectory.model: each for several in got.values() for each in several}
        return [seen.get(f"answer/{number}") for number in range(len(asks))]

    def _script(self, number: int, ask: GradeRequest) -> dict[str, Any] | None:
        place = self.places[ask.task]
        call = {"tool": self.slot.tool, "arguments": self.slot.arguments(ask.reply)}
        where = {key: place[key] for key in ("split", "index", "seed")}
        script = {**where, "label": ask.task, "policy": f"answer/{number}", "calls": [call]}
        if ask.kind:
            script["kind"] = ask.kind
        if ask.program:
            script["program"] = ask.program
        if ask.judge:
            script |= {"judge": dict(ask.judge), "gold": ask.gold}
        if ask.beside:
            if not (self.driven.found or {}).get("batches"):
                return None
            script |= {"beside": self._rows_of(ask.beside), "leads": ask.first}
        if ask.thread:
            script |= {"thread": True, "crowd": self._rows_of(ask.crowd)}
        return script

    def _rows_of(self, several: Sequence[tuple[str, str]]) -> list[list[Any]]:
        """Return each reply with the index of its task's row."""
        return [[self.places[task]["index"], reply] for task, reply in several]


def _groups(key: str, scripts: Sequence[dict[str, Any]], size: int = AT_ONCE) -> list[Group]:
    """Return scripts in groups of concurrent ones, in which one that fails stops no other."""
    return [
        {"key": f"{key}/{at}", "scripts": scripts[at : at + size], "apart": True}
        for at in range(0, len(scripts), size)
    ]


def _earned(seen: SeenEpisode | None) -> Grade:
    if seen is None:
        return Grade(reached=False)
    played = seen.trajectory
    judged = tuple(seen.seen.get("judge") or ())
    if played.failure:
        return Grade(broke=f"{played.failure.kind}: {played.failure.message}"[:300], judged=judged)
    # A refused call has not reached the grader.
    reached = any(step.error is None for step in played.steps)
    return Grade(played.total, reached=reached, judged=judged)
