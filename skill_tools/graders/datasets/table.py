"""The table of rows: hashes of their forms and excerpts of their texts. A row of 60 words takes about 0.9 kB."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from zlib import crc32

from skill_tools.evidence.grading.contrast import clause, facts_of
from skill_tools.evidence.grading.rows import EXCERPT, MOST_EXAMPLES, RowCount, RowExample
from skill_tools.graders.datasets.fields import Fields, Row, told
from skill_tools.graders.datasets.normalization import (
    SHORT,
    canonical,
    digest,
    is_of_one_case,
    tight,
    without_names,
    words,
)

MOST_WORDS = 400
"""Number of a question's words to compare for near copies: texts that are equal up to there count as equal."""
MOST_COMPARED = 300
"""Number of rows, and of other rows, that are compared for what they have in common."""
NUMBERS = "0123456789"
"""The characters that begin a number."""
LONG = 20
"""Number of words in a question from which the order of its numbers says little: in `3 - 5` it is decisive."""


@dataclass(frozen=True)
class Text:
    """The texts of one row: its question with and without context, its words and its answer. Discarded after use."""

    question: str
    whole: str
    words: list[str]
    answer: str
    said: str


@dataclass
class Table:
    """All rows, by column. A row has the same index in every column, counted from 0.

    Attributes:
        split, number: The row's split and its number in the split.
        exact, loose, tight, renamed: Hashes of the question's forms; 0 if a form cannot be used.
        answer: Hash of the answer; 0 without an answer.
        short: Whether the answer is short enough to be a label.
        numbers: A hash of the numbers in the question.
        cased: Whether the case of the question's letters is meaningful.
        rest: A hash of the other fields.
        features: Distinct hashes of the question's words and word pairs.
    """

    splits: list[str] = field(default_factory=list)
    split: array[int] = field(default_factory=lambda: array("H"))
    number: array[int] = field(default_factory=lambda: array("L"))
    exact: array[int] = field(default_factory=lambda: array("Q"))
    loose: array[int] = field(default_factory=lambda: array("Q"))
    tight: array[int] = field(default_factory=lambda: array("Q"))
    renamed: array[int] = field(default_factory=lambda: array("Q"))
    renamed_answer: array[int] = field(default_factory=lambda: array("Q"))
    answer: array[int] = field(default_factory=lambda: array("Q"))
    rest: array[int] = field(default_factory=lambda: array("Q"))
    numbers: array[int] = field(default_factory=lambda: array("L"))
    length: array[int] = field(default_factory=lambda: array("L"))
    short: bytearray = field(default_factory=bytearray)
    cased: bytearray = field(default_factory=bytearray)
    features: list[array[int]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.split)

    def add(self, split: str, row: Row, fields: Fields) -> Text:
        """Add a row and return its texts, which the table does not keep."""
        if split not in self.sizes:
            self.splits.append(split)
        text = read_texts(row, fields)
        self.split.append(self.splits.index(split))
        self.number.append(self.sizes.get(split, 0))
        self.sizes[split] = self.sizes.get(split, 0) + 1
        asked = bool(text.question.strip())
        self.exact.append(digest(text.whole) if asked else 0)
        self.loose.append(digest(" ".join(text.words)) if text.words else 0)
        self.tight.append(digest(tight(text.whole)) if asked else 0)
        nameless, its_answer = without_names(text.whole, text.said)
        self.renamed.append(digest(nameless) if nameless else 0)
        self.renamed_answer.append(digest(its_answer))
        self.answer.append(digest(text.answer) if text.answer else 0)
        self.rest.append(digest("\n".join(told(row.get(name)) for name in fields.rest)))
        self.numbers.append(hash_numbers(text.words))
        self.length.append(len(text.question))
        self.short.append(bool(text.answer) and text.answer.count(" ") < SHORT)
        self.cased.append(not is_of_one_case(text.question))
        self.features.append(features_of(text.words[:MOST_WORDS]))
        self.texts.append(excerpt(text.question))
        self.answers.append(excerpt(text.said or text.answer, EXCERPT // 2))
        return text

    def of(self, row: int) -> str:
        """Return the name of a row, which is its split and number, such as "train/3"."""
        return f"{self.splits[self.split[row]]}/{self.number[row]}"

    def example(self, row: int, other: int | None = None) -> RowExample:
        """Return a row as an example, optionally paired with another row."""
        one = (self.of(row), self.texts[row], self.answers[row])
        if other is None:
            return RowExample(*one)
        return RowExample(*one, self.of(other), self.texts[other], self.answers[other])

    def count(
        self,
        kind: str,
        pairs: Iterable[tuple[int, int | None] | tuple[int, int]],
        of: int | None = None,
    ) -> list[RowCount]:
        """Count rows of a kind by split and, if the rows are paired with other rows, by the other row's split."""
        groups: dict[tuple[str, str], list[tuple[int, int | None]]] = {}
        for row, beside in pairs:
            other = "" if beside is None else self.splits[self.split[beside]]
            groups.setdefault((self.splits[self.split[row]], other), []).append((row, beside))
        return [
            RowCount(
                kind,
                split,
                len(several),
                self.sizes[split] if of is None else of,
                other,
                tuple(self.example(*pair) for pair in self.shortest(several)),
                shared=self.shared(several, split),
            )
            for (split, other), several in groups.items()
        ]

    def shared(self, pairs: Sequence[tuple[int, int | None]], split: str) -> str:
        """Return a fact that the pairs' first rows have in common and that the split's other rows lack, or "".

        The pairs' second rows belong to neither group.
        """
        rows, beside = ({pair[side] for pair in pairs} for side in (0, 1))
        if not 2 <= len(rows) <= MOST_COMPARED or len(rows) == self.sizes[split]:
            return ""
        own = [row for row in range(len(self)) if self.splits[self.split[row]] == split]
        others = [row for row in own if row not in rows and row not in beside]
        if not others:
            return ""
        looked = {*(row for row, _ in pairs), *others[:: -(-len(others) // MOST_COMPARED)]}
        facts = {self.of(row): facts_of(self.texts[row], self.answers[row]) for row in looked}
        return clause(facts, {self.of(row) for row, _ in pairs}, facts, "rows")

    def shortest(self, several: Sequence[tuple[int, int | None]]) -> list[tuple[int, int | None]]:
        """Return a few pairs with the shortest questions."""
        return sorted(several, key=lambda pair: (self.length[pair[0]], pair[0]))[:MOST_EXAMPLES]


def read_texts(row: Row, fields: Fields) -> Text:
    """Return the texts of a row that are compared with other rows."""
    question = fields.question_of(row)
    about = fields.context_of(row)
    whole = f"{question}\n{about}" if about else question
    said = fields.answer_of(row)
    return Text(question, whole, words(whole), canonical(said), told(said))


def hash_numbers(found: Sequence[str]) -> int:
    """Return a hash of the numbers among some words. In a long text, the order of the numbers does not matter."""
    numbers = [word for word in found if word[0] in NUMBERS]
    return crc32(" ".join(numbers if len(found) < LONG else sorted(numbers)).encode())


def features_of(found: Sequence[str]) -> array[int]:
    """Return 32-bit hashes of all words and of all pairs of consecutive words."""
    hashes, before = set(), 0
    for word in found:
        code = word.encode("utf-8", "surrogatepass")
        hashes.add(crc32(code))
        hashes.add(crc32(code, before))
        before = crc32(code, 1)
    return array("I", sorted(hashes))


def excerpt(text: str, most: int = EXCERPT) -> str:
    """Return the start of a text on one line, without control characters."""
    line = " ".join(text[: most * 4].split())
    if not line.isprintable():
        line = "".join(c if c.isprintable() else "\ufffd" for c in line)
    return line if len(line) <= most else line[: most - 1] + "\u2026"
