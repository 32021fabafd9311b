"""A question as it is asked, with its reply template and the answers of other tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import Question

CANDIDATES = 12
"""Number of answers in a list of all candidates."""
FLIPPED = {"yes": "no", "no": "yes", "true": "false", "false": "true"}


@dataclass(frozen=True)
class AskedQuestion:
    """A question with its reply template and the right answers of other tasks, which are wrong for this question."""

    question: Question
    others: Sequence[str]
    frame: Template

    @property
    def gold(self) -> str:
        """Return the right answer."""
        return self.question.gold

    @property
    def other(self) -> str:
        """Return the first of the other tasks' answers."""
        return self.others[0]

    @property
    def flipped(self) -> str:
        """Return the opposite of a yes-or-no answer."""
        return FLIPPED[self.gold.lower()]

    @cached_property
    def candidates(self) -> list[str]:
        """Return candidate answers with the right answer in the middle; for a choice, return the letters in order."""
        several = list(dict.fromkeys(self.others))[:CANDIDATES]
        middle = len(several) // 2
        every = [*several[:middle], self.gold, *several[middle:]]
        if self.question.kind == "choice":
            every = sorted({*every, *dict(self.question.options)})
        return every

    @property
    def between(self) -> bool:
        """Return whether the right answer is neither the first nor the last of several candidates."""
        several = self.candidates
        return len(several) > 2 and self.gold not in (several[0], several[-1])

    def joined(self, mark: str) -> str | None:
        """Return all candidate answers, joined with a mark; None if there are at most two candidates."""
        return mark.join(self.candidates) if len(self.candidates) > 2 else None

    @property
    def framed(self) -> bool:
        """Return whether the reply template has a place for the answer."""
        return not self.frame.bare

    def hold(self, answer: str) -> str:
        """Return the reply with this answer."""
        return self.frame.hold(answer)
