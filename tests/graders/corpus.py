"""Graders that others wrote, sound ones and broken ones, and what an audit says of each.

A folder has ``reward.py``, ``tasks.jsonl`` and ``about.json``: whether it is sound, and what is wrong or
unusual. Round 1 was written without a look at the answers that are given; half of it was looked at
when they were made better. Rounds 2 to 4 came later, again without a look, and were then mended by, by classes of
defects and not by cases. What each found at first says what the next grader's author may expect. See docs/graders.md.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skill_tools.pipeline.audits import audit
from skill_tools.report.outcome import Outcome

HERE = Path(__file__).parent
FOUND = ("fail", "warn")
"""Levels of a finding that count as found."""
MISSED = {
    "arith-chains": "wrong labels, which only a solver can tell",
    "remainder-drills": "wrong labels, which only a solver can tell",
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

    def audited(self) -> Outcome:
        """What an audit says of it."""
        target = f"{self.folder}/{self.about['function']}"
        return audit(target, tasks=self.folder / "tasks.jsonl")


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
    for each in corpus():
        if len(sys.argv) > 1 and each.name not in sys.argv[1:]:
            continue
        outcome = each.audited()
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
