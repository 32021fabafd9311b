"""DAT: whether a dataset's rows are distinct problems with right answers, and whether its splits are separate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from skill_tools.checks.check import Check, Hit, Level, Place, Status, check, skip
from skill_tools.checks.needs import ROWS
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.grading.rows import KINDS, RowCount, RowExample, RowSurvey

Judge = Callable[[Evidence, RowCount], Status | None]
"""The severity of a count; None if it is not reported."""


@dataclass(frozen=True)
class Told:
    """A report about rows of certain kinds.

    Attributes:
        kinds: The counted kinds of rows (``KINDS``).
        words: The message after the number of rows. Its placeholders are ``kind`` (as text), ``other`` (a split
            or file), ``text`` or ``pair`` (the shortest example), ``detail``, ``question`` and ``answer``.
    """

    kinds: tuple[str, ...]
    words: str
    level: Status | Judge = "fail"


def rows_of_kinds(
    told: tuple[Told, ...], unasked: Callable[[RowSurvey], str], evidence: Evidence
) -> Iterator[Hit]:
    """Yield a hit for each kind of row in ``told`` that was found, or one skip if ``unasked`` gives a reason."""
    survey = ROWS.of(evidence)
    if why := unasked(survey):
        yield skip(why)
        return
    counted = ((row, each) for row in told for each in survey.of_kind(*row.kinds))
    for row, each in counted:
        level = row.level(evidence, each) if callable(row.level) else row.level
        if level:
            words = row.words.format(
                kind=KINDS[each.kind],
                other=each.other,
                pair=_pair(each),
                text=_text(each),
                detail=f" ({each.detail})" if each.detail else "",
                question=survey.question,
                answer=survey.answer,
            )
            message = f"{each.rows} of {each.of} rows of {each.split}{words}{each.shared}"
            yield Hit(message, None, Place(task=_first(each).row), level)


def _always_asked(_: RowSurvey) -> str:
    return ""


def _one_split(survey: RowSurvey) -> str:
    return "there is only one split" if len(survey.sizes) < 2 else ""


def _no_solver(survey: RowSurvey) -> str:
    unnamed = "no solver was named (--solver path.py:function)"
    return "" if survey.solver or survey.computed else unnamed


def _nothing_apart(survey: RowSurvey) -> str:
    return "" if survey.against else "no file to compare with was named (--against FILE)"


def _across(evidence: Evidence, each: RowCount) -> Status | None:
    """Return the severity for rows that also occur in another split, or None if the rows are in the same split."""
    if each.other == each.split:
        return None
    survey = ROWS.of(evidence)
    mild = _may_be_meant(survey, each) and not _is_copied(survey, each)
    return "note" if _made(evidence, each) else "warn" if mild else "fail"


def _within(evidence: Evidence, each: RowCount) -> Status | None:
    """Return the severity for rows that occur twice in one split, or None if the copies are in different splits."""
    if each.other != each.split:
        return None
    meant = _may_be_meant(ROWS.of(evidence), each) or _made(evidence, each)
    return "note" if meant else "warn"


def _on_most(most: Status | None, fewer: Status | None) -> Judge:
    """Return a function that gives severity ``most`` if over half of the rows are affected, and otherwise ``fewer``."""
    return lambda evidence, each: most if each.rows > each.of * OFTEN else fewer


def _on_nearly_all(_: Evidence, each: RowCount) -> Status | None:
    return "note" if each.of >= LEAST and each.rows >= each.of * NEARLY_ALL else None


def _may_be_meant(survey: RowSurvey, each: RowCount) -> bool:
    return each.kind in MILD or (each.kind == "near" and _few_answers(survey, each.split))


def _made(evidence: Evidence, each: RowCount) -> bool:
    """Return whether rows resemble each other because one world generated all of them from few words."""
    return evidence.spec is not None and each.kind == "near"


def _is_copied(survey: RowSurvey, each: RowCount) -> bool:
    """Return whether more rows of a split occur in the other split than chance or a shared template explains.

    Rows that are similar by chance are also similar within a split."""
    own = sum(c.rows for c in survey.of_kind(each.kind) if c.split == c.other == each.other)
    return each.rows >= COPIED * each.of and own <= CHANCE * survey.sizes[each.other]


def _few_answers(survey: RowSurvey, split: str) -> bool:
    """Return whether a split has so few distinct answers that two rows often have the same answer by chance."""
    counted = survey.answers.get(split)
    return counted is not None and counted.distinct <= min(FEW, counted.of // 2)


def _first(each: RowCount) -> RowExample:
    return each.examples[0] if each.examples else RowExample(each.split, "")


def _text(each: RowCount) -> str:
    one = _first(each)
    return f"{one.row} {one.text!r}" if one.text else one.row


def _pair(each: RowCount) -> str:
    one = _first(each)
    answer = f" \u2192 {one.answer!r}" if one.answer and one.answer != one.other_answer else ""
    if not one.other:
        return f"{_text(each)}{answer}"
    text = f" {one.other_text!r}" if one.other_text not in ("", one.text) else ""
    said = f" \u2192 {one.other_answer!r}" if answer and one.other_answer else ""
    if not said:
        answer = ""
    return f"{_text(each)}{answer}, {one.other}{text}{said}"


@check(
    "DAT007",
    "one-answer-dominates",
    fix="add rows with other answers until no single answer is right for most rows",
    needs=[ROWS],
    trusts="nothing",
)
def one_answer_dominates(evidence: Evidence) -> Iterator[Hit]:
    """No single answer dominates the rows of a split.

    A policy that always gives this answer gets a high reward without reading the question.
    """
    survey = ROWS.of(evidence)
    if not survey.answers:
        yield skip("there are no short answers to count")
    some_vary = any(each.distinct > 1 for each in survey.answers.values())
    for split, each in survey.answers.items():
        most = MOSTLY if each.distinct > 2 else MOSTLY_OF_TWO
        if each.of >= LEAST and each.rows > each.of * most:
            always = each.distinct == 1 and each.rows == each.of
            level: Status = "fail" if always and not some_vary else "warn"
            message = f"{each.rows} of {each.of} rows of {split} have the answer {each.answer!r}"
            yield Hit(message, None, Place(task=split), level)


COPIES = ("exact", "normalised", "near", "renamed", "asked_again")
"""Kinds of copies, the most certain first."""
MILD = frozenset({"renamed", "asked_again"})
"""Kinds of copies that may be intended."""
FEW = 10
"""Maximum number of distinct answers that counts as few, as with letters, if there are at least twice as many rows."""
COPIED = 0.5
"""Share of a split found in the other from which one counts as copied from the other."""
CHANCE = 0.1
"""Maximum share of repeated rows within a split for that conclusion."""
OFTEN = 0.5
"""Share of rows without an answer from which this counts as intended, as with held-back answers."""
MOSTLY = 0.7
"""Share of rows with the same answer from which a policy learns just that answer."""
MOSTLY_OF_TWO = 0.85
"""That share if there are two answers: the rarer one often has three rows in ten."""
LEAST = 8
"""Minimum number of rows: in fewer, one answer may dominate by chance."""
NEARLY_ALL = 0.9
"""Share of answers found in their questions from which this counts as the design of the rows."""


def _row(
    identity: str,
    name: str,
    *told: Told,
    fix: str,
    says: str,
    level: Level = "fail",
    unasked: Callable[[RowSurvey], str] = _always_asked,
) -> Check:
    """Return a check that reports rows of the kinds in ``told``."""
    find = partial(rows_of_kinds, told, unasked)
    return Check(identity, name, find, fix, (ROWS,), level=level, trusts="nothing", says=says)


CHECKS = (
    _row(
        "DAT001",
        "rows-across-splits",
        Told(COPIES, " are in {other}, as {kind}: {pair}", _across),
        fix="remove these rows from one split, then split by question instead of by row",
        unasked=_one_split,
        says="""No question occurs in two splits, not even reformatted, slightly changed or with different names.

        Otherwise the held-out split would measure memorization. For copies with other names or fields, and for near
        copies if there are few different answers, the check only warns. If such copies make up half of a split, it
        gives an error, unless the other split also repeats many of its own questions.
        """,
    ),
    _row(
        "DAT002",
        "copies-within-a-split",
        Told(COPIES, " repeat an earlier row, as {kind}: {pair}", _within),
        fix="keep one copy of each row, or document why some rows count more",
        level="warn",
        says="""No two rows of a split have the same question and answer, not even reformatted or slightly changed.

        Copies weigh too much in averages and make the split look larger than it is.
        """,
    ),
    _row(
        "DAT003",
        "conflicting-labels",
        Told(("conflict",), " ask {kind}: {pair}"),
        Told(("loose_conflict", "other_fields", "many_answers"), " ask {kind}: {pair}", "note"),
        fix="find out which answer is right; if several answers are right, put them into one row as a list",
        says="""No question has two answers with different meanings.

        Otherwise one answer is wrong, and a model that gives the right one is not rewarded. The check compares numbers
        by value and ignores case and list order. If most repeated questions have several answers, it gives a note.
        """,
    ),
    _row(
        "DAT004",
        "labels-solver-disagrees",
        Told(("solver", "computed"), " have {kind}: {pair}", _on_most(None, "fail")),
        Told(
            ("solver",),
            " have {kind}: {pair}; with a share this large the solver may be wrong",
            _on_most("fail", None),
        ),
        Told(("computed",), " have {kind}, like most rows: {pair}", _on_most("note", None)),
        Told(("solver_raised",), ": {kind}: {pair}", "note"),
        fix="solve the reported question by hand; fix the label, or the solver if the label is right",
        unasked=_no_solver,
        says="""The author's solver, or the computation in the question, agrees with the answer in each row.

        A wrong label rewards wrong answers and rejects right ones, and no other check detects it. No solver is needed
        if the question contains its computation (`What is 17 + 25?`, a column of numbers, a date plus days).
        """,
    ),
    _row(
        "DAT005",
        "contaminated-rows",
        Told(("whole", "near_apart"), " have {kind}, {other}: {pair}"),
        Told(("ngram",), " share 13 or more consecutive words with {other}: {pair}"),
        fix="remove these rows, or measure on other data",
        unasked=_nothing_apart,
        says="""No question is in a file that the author keeps separate, such as a public benchmark.

        Otherwise a score on that file would measure memorization. The check finds equal questions, equal runs of
        thirteen words, and questions with the same numbers and most of the same words. It ignores case, punctuation and
        text that many rows share.
        """,
    ),
    _row(
        "DAT006",
        "empty-fields",
        Told(("no_question",), " have {kind} in {question!r}"),
        Told(("no_answer",), " have {kind} in {answer!r}: {text}", _on_most("note", "warn")),
        fix="fill in the empty fields, or remove these rows",
        says="""Every row has a question. It also has an answer if the other rows of its split have answers.

        An empty question cannot be answered, and a grader rewards an empty reply if the expected answer is empty.
        """,
    ),
    one_answer_dominates,
    _row(
        "DAT008",
        "unusual-rows",
        Told(("long", "script"), " have {kind}{detail}: {text}", "note"),
        Told(("in_question",), " have {kind}: {pair}", _on_nearly_all),
        fix="read the examples; if they are intended, change nothing",
        level="note",
        says="""No question is far longer than the others or written in another script, and none contains its answer.

        The program that wrote such a row may have erred. The row may also be too easy, or intended by its author.
        """,
    ),
)
