"""A survey of a dataset's rows: counts, and the shortest examples of each kind."""

from __future__ import annotations

from dataclasses import dataclass, field

MOST_EXAMPLES = 3
"""Maximum number of examples kept for each kind; findings show the first."""
EXCERPT = 160
"""Number of characters kept from a text: enough to recognize it."""
KINDS = {
    "exact": "the same question",
    "normalised": "the same question except for case, whitespace, punctuation or character forms",
    "near": "nearly the same question, with the same answer and numbers",
    "renamed": "the same question except for names, with the same answer and numbers",
    "asked_again": "the same question and answer, though other fields differ",
    "conflict": "the same question, with a different answer",
    "loose_conflict": "the same question except for case or punctuation, with a different answer",
    "other_fields": "the same question with a different answer, though other fields differ as well",
    "many_answers": "a question that has other answers elsewhere, as do most repeated questions",
    "solver": "an answer that the solver does not give",
    "solver_raised": "a row for which the solver raised or ran out of time",
    "computed": "an answer that is not the value of the computation in the question",
    "ngram": "runs of words that also occur in a file that must not overlap",
    "whole": "a question that also occurs in a file that must not overlap",
    "near_apart": "a question that is nearly identical to one in a file that must not overlap",
    "no_question": "no question",
    "no_answer": "no answer",
    "long": "a question far longer than others",
    "script": "a question mostly in another script",
    "in_question": "an answer that is contained in its question",
}
"""The kinds that a row, or a pair of rows, may be counted as, in words."""


@dataclass(frozen=True)
class RowExample:
    """A row of a dataset, and the row or text to compare it with.

    Texts and answers are excerpts. ``row`` has the form split/number, counted from 0. ``other`` has the same form, or
    is a file name with a row number.
    """

    row: str
    text: str
    answer: str = ""
    other: str = ""
    other_text: str = ""
    other_answer: str = ""


@dataclass(frozen=True)
class RowCount:
    """The number of rows of one kind in a split, with the shortest examples.

    Attributes:
        kind: The kind of row, one of KINDS.
        of: Number of rows examined for this kind.
        other: The split or file of the other row; for copies within one split, the same split.
        shared: A fact that exactly these rows have in common, as a clause for a message; "" if there is none.
    """

    kind: str
    split: str
    rows: int
    of: int
    other: str = ""
    examples: tuple[RowExample, ...] = ()
    detail: str = ""
    shared: str = ""


@dataclass(frozen=True)
class AnswerCount:
    """The most frequent answer in a split.

    ``rows`` of the ``of`` rows have this answer. The split has ``distinct`` different answers.
    """

    answer: str
    rows: int
    of: int
    distinct: int


@dataclass(frozen=True)
class RowSurvey:
    """A survey of the rows of all splits.

    Attributes:
        sizes: Number of rows by split.
        question: The field read as the question, or "".
        answer: The field read as the answer, or "".
        found: Number of rows of each kind.
        answers: The most frequent answer in each split, if answers are short.
        against: Files whose texts must not occur in the rows.
        solver: The solver that was asked for answers, or "".
        solved: Number of rows that the solver was asked to answer.
        left: Number of rows beyond the maximum, which were not read.
        computed: Number of rows whose question states the computation of its answer.
    """

    sizes: dict[str, int]
    question: str = ""
    answer: str = ""
    found: tuple[RowCount, ...] = ()
    answers: dict[str, AnswerCount] = field(default_factory=dict)
    against: tuple[str, ...] = ()
    solver: str = ""
    solved: int = 0
    left: int = 0
    computed: int = 0

    def of_kind(self, *kinds: str) -> list[RowCount]:
        """Return the counts of these kinds, in the order of the arguments."""
        return [each for kind in kinds for each in self.found if each.kind == kind]

    @property
    def told(self) -> str:
        """Return a sentence about the rows that were read, with their number and their fields."""
        sizes = ", ".join(f"{count} rows of {split}" for split, count in self.sizes.items())
        answers = (
            f"answers in {self.answer!r}" if self.answer else "no field with answers was found"
        )
        left = f"; {self.left} more were not read" if self.left else ""
        return f"{sizes} were read (questions in {self.question!r}, {answers}){left}"
