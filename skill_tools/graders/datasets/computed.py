"""Compute the answers to prompts that state a computation, and find the rows that give another answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from statistics import median
from typing import Any

from skill_tools.evidence.grading.contrast import clause, columns_of, facts_of
from skill_tools.evidence.grading.rows import RowCount, RowExample
from skill_tools.graders.arithmetic import value_in
from skill_tools.graders.datasets.fields import Row
from skill_tools.graders.datasets.normalization import canonical
from skill_tools.graders.datasets.table import Table, excerpt
from skill_tools.graders.templates.dates import WRITTEN, read_date

LONGEST = 4_000
"""Maximum characters of a prompt to read."""
CLOSE = Fraction(1, 10**6)
"""Relative difference within which numbers are equal."""
ENOUGH = 3
"""Rows whose labels all differ from the computed values, from which on the labels are in doubt."""
Value = Fraction | date
WORDS = (
    (r"\bmultiplied by\b|\btimes\b|[\u00d7\u00b7]|\\times\b|\\cdot\b|(?<=\d) ?x ?(?=\d)", "*"),
    (r"\bdivided by\b|\u00f7|\\div\b", "/"),
    (r"\bplus\b", "+"),
    (r"\bminus\b|\u2212", "-"),
    (r"\bmodulo\b|\bmod\b|\\bmod\b", "%"),
    (r"\bto the power of\b|\^", "**"),
    (r"\$|\\\(|\\\)", ""),
)
"""Signs and words for operations, and the operators."""
UNUSUAL = re.compile(
    r"(?i)\bleft to right\b|\bprecedence\b|\bdefin|\boperator\b|\bsuppose\b|\bassum|\bbinary\b|\bhex|\boctal\b"
    r"|\bbase[- ]?\d|\broman\b|\bestimat|\bapprox|\bclock\b|\bquotient\b|\binteger part\b|\bfloor|\btruncat"
    r"|\bround(?:ed)? (?:up|down)\b"
)
"""Matches a prompt in which signs may mean something else, or in which a value is not the answer."""
CUE = (
    r"(?:what(?: i|')s|how much is|compute|calculate|evaluate|work out|find|determine|reduce|give)\b:?"
    r"(?: (?:the|exact|least|non-negative|numerical|value|result|remainder|residue|of))*"
)
EXPRESSION = r"(?P<expression>[-(]*\d[\d .,+\-*/%()]{0,200})"
END = r"(?=\s*(?:[?.:;=\n]|$)|(?<=[\d) ])(?:in the range|rounded|to the nearest|as an?)\b)"
ASKED = re.compile(rf"(?i)\b{CUE}\s+{EXPRESSION}{END}")
"""Matches a request to compute an expression."""
NUMBER = r"-?\d{1,20}(?:,\d{3}(?!\d))*(?:\.\d{1,20})?"
LISTED = re.compile(
    r"(?i)\b(?P<what>sum|total|mean|average|median|maximum|largest|minimum|smallest)(?: number| value)? of"
    r"(?: (?:the )?(?:following )?(?:numbers|values|integers))?:? "
    rf"\[?(?P<list>{NUMBER}(?:(?:, and|,| and) {NUMBER}){{1,60}})(?![\w%]|,? (?:and )?-?\d)"
)
"""Matches a request for the sum, or another summary, of listed numbers."""
PERCENT = re.compile(
    rf"(?i)\bwhat(?: i|')s ({NUMBER}) ?(?:%|percent|per cent) of ({NUMBER})(?![\w%]|\.\d)"
)
SHIFTED = re.compile(
    r"(?i)\b(\d{1,5}) (day|week)s? (after|before|from) ((?:[A-Za-z]+ )?\d[\w ,-]{5,20}?)"
    r"(?=[?.;\n]|$| \(|,? (?:write|give|as)\b)"
)
"""Matches a date that is some days from another."""
COLUMN = re.compile(
    r"(?i)\b(?:sum|total) of (?:all )?(?:the )?(?:values in (?:the )?)?[\"'`*]*(?P<column>[A-Za-z][\w ]{0,30}?)[\"'`*]*"
    r"(?: column| values)?(?=[?.:,]| in the table)"
)
"""Matches a request for the sum of a column."""
SUMMARIES: Mapping[str, Callable[[list[Fraction]], Fraction]] = {
    "sum": lambda several: sum(several, Fraction(0)),
    "total": lambda several: sum(several, Fraction(0)),
    "mean": lambda several: sum(several, Fraction(0)) / len(several),
    "average": lambda several: sum(several, Fraction(0)) / len(several),
    "median": median,
    "maximum": max,
    "largest": max,
    "minimum": min,
    "smallest": min,
}


def computed(prompt: str) -> Value | None:
    """Return the value of the computation that a prompt asks for; None for no value or several values."""
    if len(prompt) > LONGEST or UNUSUAL.search(prompt):
        return None
    found = {each for read in READERS for each in read(prompt)}
    return found.pop() if len(found) == 1 else None


def _expressions(prompt: str) -> Iterator[Value]:
    text = prompt
    for pattern, sign in WORDS:
        text = re.sub(f"(?i){pattern}", sign, text)
    for each in ASKED.finditer(text):
        expression = each["expression"].strip().rstrip(".,")
        if not re.search(r"[\d)] ?(?:[-+*/%]|\*\*) ?[-(\d]", expression):
            continue
        if (value := value_in(expression)) is not None:
            yield value


def _lists(prompt: str) -> Iterator[Value]:
    for each in LISTED.finditer(prompt):
        numbers = [
            Fraction(n.replace(",", "")) for n in re.findall(r"-?\d+(?:\.\d+)?", each["list"])
        ]
        if summary := SUMMARIES.get(each["what"].lower()):
            yield summary(numbers)


def _percents(prompt: str) -> Iterator[Value]:
    for share, whole in PERCENT.findall(prompt):
        yield Fraction(share.replace(",", "")) * Fraction(whole.replace(",", "")) / 100


def _dates(prompt: str) -> Iterator[Value]:
    for count, unit, side, text in SHIFTED.findall(prompt):
        found = read_date(text)
        if found and found.form in WRITTEN:
            days = int(count) * (7 if unit.lower() == "week" else 1)
            try:
                yield found.day + timedelta(days=-days if side.lower() == "before" else days)
            except OverflowError:
                continue


def _columns(prompt: str) -> Iterator[Value]:
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|" if "|" in line else ",")]
        for line in prompt.split("\n")
        if line.count("|") > 1 or line.count(",") > 0
    ]
    for each in COLUMN.finditer(prompt):
        name = each["column"].strip().casefold()
        head = next((n for n, row in enumerate(rows) if name in map(str.casefold, row)), None)
        if head is None:
            continue
        at, width = [cell.casefold() for cell in rows[head]].index(name), len(rows[head])
        cells = [row[at] for row in rows[head + 1 :] if len(row) == width]
        values = [value_in(cell) for cell in cells if not re.fullmatch(r":?-+:?", cell)]
        known = [value for value in values if value is not None]
        if len(known) == len(values) > 1:
            yield sum(known, Fraction(0))


READERS: tuple[Callable[[str], Iterator[Value]], ...] = (
    *(_expressions, _lists, _percents, _dates, _columns),
)
"""The kinds of computations that a prompt may contain."""


def agrees(value: Value, label: str) -> bool | None:
    """Return whether a label equals a computed value, possibly rounded; None if the label is unreadable."""
    if isinstance(value, date):
        found = read_date(label)
        return None if not found or found.form not in WRITTEN else found.day == value
    said = value_in(label)
    if said is None:
        return None
    decimals = len(label.partition(".")[2].rstrip("% "))
    rounded = Fraction(1, 2 * 10**decimals) if value.denominator > 1 else Fraction(0)
    return abs(said - value) <= max(
        rounded, CLOSE * abs(value) if value.denominator > 1 else Fraction(0)
    )


class Computed:
    """The rows whose prompts state the computation of the answer, collected while the rows are read."""

    def __init__(self) -> None:
        self.values: dict[int, Value] = {}
        self.columns: dict[str, dict[int, tuple[str, bool]]] = {}

    def add(self, at: int, prompt: str, answer: Any, row: Row) -> None:
        """Compute a row's answer and compare it with the row's label.

        The answer is also compared with the row's short columns, because the label's column may be unknown.
        """
        value = computed(prompt)
        if value is None:
            return
        self.values[at] = value
        labels = [("", str(answer)), ("", canonical(answer)), *columns_of(row)]
        for name, label in labels if answer is not None else labels[2:]:
            same = agrees(value, label)
            if same is not None:
                self.columns.setdefault(name, {}).setdefault(at, (label, same))

    @property
    def labels(self) -> dict[int, tuple[str, bool]]:
        """Return, by row, the label and whether it equals the computed value.

        Without an answer field, the label is the column that equals the computed value most often, if this holds for
        more than half of the rows. If only a few rows have labels and all labels differ from the computed values,
        return an empty dict, because such labels answer something else, such as the next question.
        """
        if "" in self.columns:
            own = self.columns[""]
            return own if len(own) >= ENOUGH or any(same for _, same in own.values()) else {}
        agreed = {
            name: sum(same for _, same in rows.values()) for name, rows in self.columns.items()
        }
        best = max(agreed, key=lambda name: agreed[name], default="")
        return self.columns[best] if best and agreed[best] > len(self.values) / 2 else {}

    def counted(self, table: Table) -> list[RowCount]:
        """Count, by split, the rows whose answer differs from the result of the computation in the prompt."""
        found, labels = [], self.labels
        for number, split in enumerate(table.splits):
            own = {at: label for at, label in labels.items() if table.split[at] == number}
            wrong: list[tuple[int, int | None]] = [(at, None) for at in own if not own[at][1]]
            if wrong:
                shown = table.shortest(wrong)
                examples = tuple(self._example(table, at, own[at][0]) for at, _ in shown)
                facts = {table.of(at): facts_of(table.texts[at], own[at][0]) for at in own}
                shared = clause(facts, [table.of(at) for at, _ in wrong], facts, "rows")
                count = RowCount("computed", split, len(wrong), len(own), "", examples)
                found.append(replace(count, shared=shared))
        return found

    def _example(self, table: Table, at: int, label: str) -> RowExample:
        one, value = table.example(at), self.values[at]
        written = value.isoformat() if isinstance(value, date) else _written(value)
        return RowExample(one.row, one.text, excerpt(label), "its value", "", written)


def _written(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.10g}"
