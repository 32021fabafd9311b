"""Graders that others wrote, sound ones and broken ones, and what an audit says of each.

A folder has ``reward.py``, ``tasks.jsonl`` and ``about.json``: whether it is sound, and what is wrong or
unusual. Round 1 was written without a look at the answers that are given; half of it was looked at
when they were made better. Rounds 2 to 4 came later, again without a look, and were then mended by, by classes of
defects and not by cases. Nobody mends anything by round 5: what it misses says what the next grader's author may expect.
See docs/graders.md. With ``--replies`` the right replies of rounds 4 and 5, as their authors wrote them, are given as well.
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
    "arith-chains": "wrong labels, which only a solver can tell",
    "remainder-drills": "wrong labels, which only a solver can tell",
    "issue-label": "round 5: labels that the prompt does not offer; found with right replies",
    "markdown-table": "round 5: a table whose columns are aligned is refused",
    "money-word-problems": "round 5: an amount with its cents is refused",
    "shop-sql-rows": "round 5: columns under another name are refused",
    "think-answer-math": "round 5: thoughts that the prompt demands may be left out",
    "unit-conversion": "round 5: another unit is paid; found with right replies",
}
"""Broken graders in which nothing is found, and why."""
COPIES = ("ascii-frames", "fraction-forms")
"""Sound graders whose rows do have copies, which is told."""


@dataclass(frozen=True)
class Written:
    """One grader of the corpus."""

    folder: Path
    about: dict[str, Any]

    @property
    def name(self) -> str:
        """Its folder's name."""
        return self.folder.name

    @property
    def sound(self) -> bool:
        """Whether it is right."""
        return bool(self.about["sound"])

    def audited(self, *, replies: bool = False) -> Outcome:
        """What an audit says of it; ``replies``: that is given the right ones, where its author wrote some."""
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
    """All graders, by round and name."""
    files = sorted(HERE.glob("round_*/*/about.json"))
    return [Written(file.parent, json.loads(file.read_text("utf-8"))) for file in files]


def found_in(outcome: Outcome) -> list[str]:
    """The findings that count, as check and words."""
    found = outcome.report.findings
    return [f"{each.check} {each.message}" for each in found if each.status in FOUND]


def main() -> None:
    """Audit those that are named, or all, and print what is found and a table."""
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
