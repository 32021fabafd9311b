"""What is right, or another defect, is not called by a wrong name; each was, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from skill_tools import pipeline
from skill_tools.checks import Finding
from tests.conftest import ROOT, write_counter

CONTROLS = ROOT / "tests" / "mutants" / "controls"


def told(folder: Path) -> dict[str, Finding]:
    """What asks for something to be done, by check."""
    findings = pipeline.check(folder, play=True).report.findings
    return {f.check: f for f in findings if f.status in ("fail", "warn")}


def test_bounds_that_depend_on_each_other_and_less_for_more_moves_are_right() -> None:
    assert told(CONTROLS / "peak-in-window") == {}


@pytest.mark.parametrize("split_pay", [0.5, 0.25])
def test_an_oracle_that_earns_a_part_at_the_end_is_the_oracles_fault(
    split_pay: float, tmp_path: Path
) -> None:
    pays = ("self.reward = 1.0\n", f"self.reward = {split_pay}\n")
    found = told(write_counter(tmp_path / "counter", game=pays))
    assert "REW002" in found
    assert "REW018" not in found
