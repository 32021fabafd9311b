"""Graders that other authors wrote, sound and broken, and an audit's findings about each grader.

A folder has ``reward.py``, ``tasks.jsonl`` and ``about.json``, which says whether the grader is sound and
describes its defects and peculiarities. No author had seen the answers that an audit submits. Half of round
1, and the other rounds after their first audit, were used to improve the audit, except rounds 5 and 6. An author of a
new grader should expect about as many misses as in these two. See docs/graders.md. ``--replies`` also supplies the
right replies that the authors wrote since round 4. Rounds 12 to 15 were not kept.
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skill_tools.audit.options import AuditOptions
from skill_tools.pipeline.audits import audit
from skill_tools.report.outcome import Outcome

HERE = Path(__file__).parent
FOUND = ("fail", "warn")
"""Levels of a finding that count as found."""
MISSED = {
    "anagram-desk": "round 3: the first score of a row is kept, so that no answer is known; found with right replies",
    "issue-label": "round 5: labels that the prompt does not offer; found with right replies",
    "markdown-table": "round 5: a table whose columns are aligned is refused",
    "money-word-problems": "round 5: an amount with its cents is refused",
    "shop-sql-rows": "round 5: columns under another name are refused",
    "think-answer-math": "round 5: thoughts that the prompt demands may be left out",
    "shop-queries": "round 6: query results are cached across databases",
    "train-times": "round 6: noon and midnight are exchanged on the 12-hour clock",
    "constrained-writing": "round 7: words with capitals are never found; found with right replies",
    "schedule": "round 7: rows are cached by an id that occurs twice; found with right replies",
    "sql-updates": "round 7: a database is shared between replies; found with right replies",
    "text-transform": "round 7: wrong labels; found with right replies",
    "timezone-meetings": "round 7: wrong labels; found with right replies",
    "calendar-dates": "round 8: wrong labels; found with right replies",
    "geometry-units": "round 8: areas converted like lengths; found with right replies",
    "history-order": "round 8: wrong labels; found with right replies",
    "sql-edits": "round 8: a database is shared between replies; found with right replies",
    "nli-labels": "round 9: wrong labels; found with right replies",
    "sentence-rewrites": "round 9: a forbidden word before a comma is allowed",
    "set-expressions": "round 9: an unreadable reply is an empty set; found with right replies",
    "sort-traces": "round 9: traces are cached by list alone; found with right replies",
    "stdin-scripts": "round 9: tests on which a program raises are left out; found with right replies",
    "toml-service-config": "round 9: missing settings cost nothing; found with right replies",
    "train-timetable": "round 9: times are compared as texts; found with right replies",
    "gps-coordinates": "round 10: wrong labels; found with right replies",
    "python-classes": "round 10: programs cannot use their own imports; found with right replies",
    "subset-sum": "round 10: a number may be used twice",
    "json-patches": "round 10: a patched document is cached; found with right replies",
    "molecule-counting": "round 10: wrong labels; found with right replies",
    "algebra-factoring": "round 11: a product need not be factored completely",
    "bank-statement-categories": "round 11: labels are cached by month alone; found with right replies",
    "cooking-table": "round 11: wrong labels; found with right replies",
    "historical-dates": "round 11: wrong labels; found with right replies",
    "molar-masses": "round 11: a relative tolerance; found with right replies",
    "ranking-with-ties": "round 11: missing names cost nothing; found with right replies",
    "train-changes": "round 11: the minimum time for a change is not applied",
    "access-log-window": "round 16: time zones are overwritten; found with right replies",
    "kinship-lines": "round 16: a constraint is not applied",
    "latin-forms": "round 16: wrong labels; found with right replies",
    "star-distances": "round 16: infinity is within a relative tolerance; found with right replies",
    "flight-connections-17": "round 17: negative waits count as long ones",
    "inventory-reconciliation": "round 17: a report may be incomplete; found with right replies",
    "summary-facts": "round 17: the whole reply is searched for facts; found with right replies",
    "unit-prices": "round 17: halves are rounded to even; found with right replies",
    "futoshiki-grids": "round 18: some constraints are overwritten",
    "python-classes-18": "round 18: checks that were not reached do not count",
    "train-timetables": "round 18: times are compared as texts; found with right replies",
    "unit-conversion-18": "round 18: units in another case are other units; found with right replies",
    "weather-records": "round 18: parsed rows are cached by too small a key; found with right replies",
    "argument-validity": "round 19: arrows group to the wrong side; found with right replies",
    "budget-allocation": "round 19: caps are never applied; found with right replies",
    "grammar-correction": "round 19: apostrophes are removed; found with right replies",
    "nutrition-labels": "round 19: halves are rounded to even; found with right replies",
    "thin-optics": "round 19: a minus sign is not read; found with right replies",
    "balance-sheet-lines": "round 20: amounts in brackets are positive; found with right replies",
    "counter-queues": "round 20: schedules are cached by too small a key; found with right replies",
    "dice-and-card-odds": "round 20: an absolute tolerance for tiny probabilities; found with right replies",
    "fermi-intervals": "round 20: a negative end makes any interval tight; found with right replies",
    "java-like-tracing": "round 20: remainders have the wrong sign; found with right replies",
    "bridge-scoring": "round 21: a cached object is changed; found with right replies",
    "cipher-decoding": "round 21: the best of several answers counts",
    "insurance-claims": "round 21: wrong labels; found with right replies",
    "markdown-tables": "round 21: rows of a table may be cut short",
    "percent-changes": "round 21: a minus sign is dropped; found with right replies",
    "word-limited-descriptions": "round 21: forbidden words with capitals are allowed",
    "counting-rhymes": "round 22: wrong labels; found with right replies",
    "email-headers": "round 22: dates; found with right replies",
    "shift-rosters": "round 22: constraint not applied to absent items",
    "thermostat-trace": "round 22: shared state between calls; found with right replies",
    "build-stages": "round 23: cached state is mutated; found with right replies",
    "function-composition": "round 23: exceptions skip the comparison; found with right replies",
    "iso-week-arithmetic": "round 23: wrong labels in some rows; found with right replies",
    "maze-paths": "round 23: out-of-range index wraps around; found with right replies",
    "small-sample-statistics": "round 23: tolerance taken from the reply; found with right replies",
    "meeting-slots": "round 24: constraint hole",
    "network-latency": "round 24: shared state; found with right replies",
    "vaccination-dates": "round 24: wrong labels; found with right replies",
    "water-bills": "round 24: rounding, right answers refused; found with right replies",
    "class-schedules": "round 25: constraint never applied; found with right replies",
    "electricity-tariffs": "round 25: wrong labels; found with right replies",
    "ledger-reconciliation": "round 25: duplicates / recall by count; found with right replies",
    "regex-golf": "round 25: right answers refused; found with right replies",
    "captions-with-limits": "round 26: constraint never applied; found with right replies",
    "family-relations": "round 26: wrong labels; found with right replies",
    "lattice-paths": "round 26: bounds; found with right replies",
    "patent-deadlines": "round 26: dates; found with right replies",
    "queue-orders": "round 26: shared state; found with right replies",
    "contract-deadlines": "round 27: right answers refused by normalisation; found with right replies",
    "emission-factors": "round 27: tolerance in the wrong unit; found with right replies",
    "league-tables-27": "round 27: equality that ignores order; found with right replies",
    "meal-planning": "round 27: constraint applied at the wrong scope",
    "money-rounding": "round 27: wrong labels in some rows; found with right replies",
    "arrival-times": "round 28: dates; found with right replies",
    "evidence-quotes": "round 28: constraint applied to the part instead of the whole",
    "filter-pipelines": "round 28: shared mutable state in executed code; found with right replies",
    "money-in-words": "round 28: right answers refused; found with right replies",
    "polynomial-factors-28": "round 28: equality / weak test of a property; found with right replies",
    "bus-timetables": "round 29: clock times; found with right replies",
    "byte-orders": "round 29: precision without recall; found with right replies",
    "discounts-in-sequence": "round 29: wrong labels; found with right replies",
    "escape-sequences": "round 29: encodings; found with right replies",
    "exam-timetables": "round 29: constraint never applied; found with right replies",
    "job-queues": "round 29: cache key; found with right replies",
    "morse": "round 29: extraction; found with right replies",
    "council-votes": "round 30: wrong labels; found with right replies",
    "doses-per-weight": "round 30: encodings; found with right replies",
    "hash-maps": "round 30: caches and shared state; found with right replies",
    "maps-with-scales": "round 30: tolerance; found with right replies",
    "tongue-twisters": "round 30: constraints never applied; found with right replies",
    "trigonometry-equations": "round 30: distinctness; found with right replies",
    "beam-loads": "round 31: tolerance defeated by overflow to infinity; found with right replies",
    "deadlines": "round 31: wrong labels in some rows; found with right replies",
    "equations-of-lines": "round 31: equality on a degenerate value; found with right replies",
    "ingredients": "round 31: multiplicity; found with right replies",
    "playlists": "round 31: constraint never applied; found with right replies",
    "plant-keys": "round 24: a line that lists every species; found with right replies",
    "vector-arithmetic": "round 25: NaN as the first component passes; found with right replies",
    "letter-frequencies": "round 28: wrong labels; found with right replies",
    "coordinates-of-stars": "round 32: sign lost in parsing; found with right replies",
    "menu-allergies": "round 32: precision without recall; found with right replies",
    "phone-numbers": "round 32: pattern composition, right answers refused; found with right replies",
    "quorum-rules": "round 32: wrong labels in some rows; found with right replies",
    "toll-roads": "round 32: cache key too narrow; found with right replies",
    "word-ladders-32": "round 32: constraint never applied; found with right replies",
    "entity-linking": "round 33: precision without recall; found with right replies",
    "lens-formulas": "round 33: tolerance; found with right replies",
    "mazes-of-words": "round 33: cache and shared state; found with right replies",
    "offsets-of-time-zones": "round 33: wrong labels; found with right replies",
    "rounding-of-currencies": "round 33: precision of computed truth (binary floats); found with right replies",
    "binary-trees": "round 34: executed code that dies early; found with right replies",
    "chronologies": "round 34: repeats not refused (set instead of multiset); found with right replies",
    "concentration-units": "round 34: tolerance; found with right replies",
    "moves-of-robots": "round 34: simulation boundary (negative index); found with right replies",
    "shopping-lists": "round 34: shared state in a cache; found with right replies",
    "weekday-rules": "round 34: wrong labels in some rows; found with right replies",
    "anniversaries": "round 35: wrong labels in some rows; found with right replies",
    "catalogue-numbers": "round 35: precision not enforced (decoys from the source text pass); found with right replies",
    "lens-prescriptions": "round 35: wrap-around at the edge of a range (right answers refused); found with right replies",
    "turnstile-machines": "round 35: cache with an incomplete key (state shared between rows); found with right replies",
    "tutor-assignments": "round 35: denominator taken from the reply (completeness never required); found with right replies",
}
"""Broken graders in which nothing is found, and why."""
ALARMED = {
    "assistant-calls": "round 6, GRA003: the audit writes a label of JSON in a form that the grader refuses",
    "marked-quiz": "round 6, GRA002: other spellings of a choice, which the prompt rules out",
    "film-credits": "round 10, GRA003: one column is taken for the answer of every row",
    "regex-languages": "round 8, GRA001: another expression for the same strings",
    "short-verse": "round 8, GRA001: rules taken for an answer, because parts of them earn a share",
}
"""Sound graders that get a warning, and which one."""
COPIES = ("ascii-frames", "fraction-forms", "shell-pipelines", "unicode-counts", "word-order")
"""Sound graders whose rows do have copies, as the audit reports."""


@dataclass(frozen=True)
class Written:
    """One grader of the corpus."""

    folder: Path
    about: dict[str, Any]

    @property
    def name(self) -> str:
        """The name of the grader's folder."""
        return self.folder.name

    @property
    def sound(self) -> bool:
        """Whether the grader is sound."""
        return bool(self.about["sound"])

    def audited(self, *, replies: bool = False) -> Outcome:
        """Audit the grader.

        Args:
            replies: Whether the audit also gets the right replies, if the grader's author wrote some.
        """
        target, tasks = f"{self.folder}/{self.about['function']}", self.folder / "tasks.jsonl"
        if not replies or "gold" not in self.about:
            return audit(target, options=AuditOptions(dataset=tasks))
        solutions = [
            {"split": "rows", "index": index, "seed": 0, "calls": [{"text": reply}]}
            for index, reply in enumerate(self.about["gold"])
        ]
        with tempfile.TemporaryDirectory() as scratch:
            file = Path(scratch) / "replies.json"
            file.write_text(json.dumps(solutions), "utf-8")
            return audit(target, options=AuditOptions(dataset=tasks, solutions=file))


def corpus() -> list[Written]:
    """Return all graders of the corpus, in the order of round and name."""
    files = sorted(HERE.glob("round_*/*/about.json"))
    return [Written(file.parent, json.loads(file.read_text("utf-8"))) for file in files]


def found_in(outcome: Outcome) -> list[str]:
    """Return the findings that fail or warn, as texts with check and message."""
    found = outcome.report.findings
    return [f"{each.check} {each.message}" for each in found if each.status in FOUND]


def main() -> None:
    """Audit the named graders, or all graders. Print the findings and a table."""
    counts = dict.fromkeys(("found", "missed", "false alarms", "quiet"), 0)
    replies = "--replies" in sys.argv
    names = [name for name in sys.argv[1:] if name != "--replies"]
    for each in corpus():
        if (names and each.name not in names) or (replies and "gold" not in each.about):
            continue
        outcome = each.audited(replies=replies)
        found = found_in(outcome)
        kind = ("quiet", "false alarms") if each.sound else ("missed", "found")
        counts[kind[bool(found)]] += 1
        print(
            f"{kind[bool(found)]:13} {each.folder.parent.name} {each.name}: {each.about['class']}"
        )
        for line in found:
            print(f"    {line[:300]}")
    print(counts)


if __name__ == "__main__":
    main()
