"""The README's pictures: they show what real builds said, and their words say the same."""

from __future__ import annotations

import html
import re
from collections import Counter
from pathlib import Path

import pytest

from corpora.mutants.corpus import mutants
from skill_tools.checks import CHECKS
from tests.conftest import ROOT, WORDLE
from tools import picture

README = (ROOT / "README.md").read_text("utf-8")
INDEX = (ROOT / "docs" / "index.md").read_text("utf-8")


def squeezed(text: str) -> str:
    """Without any white space, which a picture keeps in no way that could be compared."""
    return re.sub(r"\s+", "", text.replace("\u00a0", " "))


def shown(path: Path) -> str:
    """The text of a committed picture."""
    texts = re.findall(r"<text[^>]*>(.*?)</text>", path.read_text("utf-8"), re.DOTALL)
    return squeezed(html.unescape("".join(texts)))


@pytest.mark.parametrize("path", picture.PICTURES, ids=lambda path: path.stem)
def test_a_picture_shows_what_was_recorded_and_nothing_else(path: Path) -> None:
    console = picture.PICTURES[path](picture.recorded())
    assert shown(path) == "skill-tools" + squeezed(console.export_text()), (
        "run: python -m tools.picture --drawing"
    )


def test_what_was_recorded_are_reports_of_all_checks_that_were_asked() -> None:
    found = picture.recorded()
    for report in (found.sound, found.broken):
        by_check = {(each.check, each.status) for each in report.findings}
        assert Counter(status for _, status in by_check) == report.counts
        asked = {check for check in CHECKS if not check.startswith(("AUD", "DAT", "GRA", "LRN"))}
        # A check that was added since is no lie yet; many are.
        assert len(asked - {check for check, _ in by_check}) <= len(asked) / 10, (
            "run: python -m tools.picture"
        )
        assert all(each.message for each in report.findings if each.status == "skip")
        assert len(report.variants) == 7
    assert found.sound.ok
    assert {each.status for each in found.sound.findings} == {"pass", "skip"}


@pytest.mark.everything("costly")
def test_the_red_finding_is_of_a_mutant_and_has_its_fix_and_its_replay() -> None:
    found = picture.recorded()
    (mutant,) = (each for each in mutants() if each.name == picture.MUTANT)
    assert (mutant.defect, mutant.on) == (found.defect, "wordle")
    (finding,) = (each for each in found.broken.findings if each.status == "fail")
    assert finding.check in mutant.finds
    assert finding.fix == CHECKS[finding.check].fix, "run: python -m tools.picture"
    for said in (finding.message, finding.fix, finding.replay, *found.replayed[-5:]):
        assert squeezed(said) in shown(picture.RED)
    assert finding.replay == f"skill-tools replay {WORDLE.name} {finding.check}"


def test_the_words_under_the_pictures_are_true_of_them() -> None:
    (green,) = re.findall(r"!\[([^\]]+)\]\(report\.svg\)", INDEX)
    (red,) = re.findall(r"!\[([^\]]+)\]\(docs/report_red\.svg\)", README)
    found = picture.recorded()
    passed, skipped = (found.sound.counts[status] for status in ("pass", "skip"))
    assert f"{passed} checks passed and {skipped} skipped" in green
    (finding,) = (each for each in found.broken.findings if each.status == "fail")
    assert f"fails on {finding.check}" in red
