"""What the pages of the checks show of a variant that somebody changed by hand is found by the check."""

from __future__ import annotations

from pathlib import Path

import pytest

from skill_tools import pipeline
from tests.conftest import WORDLE
from tests.selection import some
from tools.check_examples import by_hand, wordle_with

SHOWN = [check for check, said in by_hand().items() if said.framework]


@pytest.mark.parametrize("check", some(SHOWN, []))
def test_a_variant_that_is_edited_as_shown_is_found(check: str, tmp_path: Path) -> None:
    said = by_hand()[check]
    folder = wordle_with(said, tmp_path / WORDLE.name)
    report = pipeline.validate(folder, [said.framework], count=2).report
    assert check in {finding.check for finding in report.findings if finding.status == "fail"}
