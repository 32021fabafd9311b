"""A question as it is asked, with its reply template and the answers of other tasks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from skill_tools.graders.perturbations.operators import UNREDUCED, Operator
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import FRACTION, MEASURED, Question

CANDIDATES = 12
"""Number of answers in a list of all candidates."""
FORBIDDING = re.compile(
    r"(?i)\b(?:do not|don't|must not|may not|never|avoid|without|forbidden|taboo|banned)\b"
    r"[^.!?\n]{0,60}\b(?:words?|terms?|mention)\b([^.!?\n]{1,300})"
)
"""Matches a sentence of the prompt that forbids words; its group has the words."""
MOVES = ("UDLR", "NESW")
"""The letters of moves on a grid."""
SHORTEST = re.compile(r"(?i)\b(?:shortest|fewest|as few)\b")
BRACKETED = re.compile(r" \([-+]?\d{1,4}[^()]{0,20}\)$")
"""Matches a number in brackets at the end of an answer, such as a number of days."""
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

    @property
    def forbidden(self) -> str | None:
        """Return the right answer with a word of the row that the prompt forbids in place of its last long word."""
        rules = " ".join(each[1] for each in FORBIDDING.finditer(self.question.prompt)).casefold()
        words = [value for _, value in self.question.row if value.isalpha() and len(value) > 2]
        banned = [each for each in words if re.search(rf"\b{each.casefold()}\b", rules)]
        kept = {each.casefold() for each in words}
        own = [
            each for each in re.findall(r"[^\W\d_]{4,}", self.gold) if each.casefold() not in kept
        ]
        held = any(each.casefold() in self.gold.casefold() for each in banned)
        if not banned or not own or held:
            return None
        before, _, after = self.gold.rpartition(own[-1])
        return f"{before}{banned[0]}{after}"

    @property
    def unbracketed(self) -> str | None:
        """Return the right answer without a number in brackets at its end, if the prompt asks for it."""
        found = BRACKETED.search(self.gold)
        return (
            self.gold[: found.start()]
            if found and found[0].strip() in self.question.prompt
            else None
        )

    @property
    def unreduced(self) -> str | None:
        """Return a fraction of the right value, if the prompt asks for lowest terms."""
        found = FRACTION.fullmatch(self.gold) if "lowest" in self.question.says else None
        return f"{int(found[1]) * 6}/{int(found[2]) * 6}" if found else None

    @property
    def other_units(self) -> list[str]:
        """Return the units of other tasks' answers, if the right answer is not zero and has another unit."""
        own = MEASURED.match(self.gold)  # words may follow the unit, as in 3 t CO2e
        if not own or not re.search("[1-9]", own["number"]):
            return []
        units = [found["unit"] for each in self.others if (found := MEASURED.match(each))]
        return [each for each in dict.fromkeys(units) if each != own["unit"]]

    @property
    def shorter_paths(self) -> list[str]:
        """Return all paths of one or two moves, if the prompt asks for a shortest path and the right one is longer."""
        moves = next((each for each in MOVES if {*self.gold.upper()} <= {*each}), "")
        if not moves or len(self.gold) < 4 or not SHORTEST.search(self.question.prompt):
            return []
        written = moves if self.gold.isupper() else moves.lower()
        return [*written, *(one + two for one in written for two in written)]


STRICT = re.compile(r"\bmust\b|\botherwise\b|\bnothing\b")
"""Matches a prompt that insists on its rules."""
# fmt: off
BROKEN_RULES: tuple[Operator[AskedQuestion], ...] = (
    Operator("unbracketed", "the answer without the number in brackets", lambda a: a.unbracketed),
    Operator("forbidden", "a word that the prompt forbids in place of another", lambda a: a.forbidden),
    Operator(UNREDUCED, "a fraction that is not in lowest terms", lambda a: a.unreduced, lambda a: "wrong" if STRICT.search(a.question.prompt) else "doubtful"),
)
# fmt: on
"""Answers that break a rule of the prompt, whichever answers are right."""
