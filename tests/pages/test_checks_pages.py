"""The pages of the checks: an example for each, which is one that is tested, and links that lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corpora.mutants.corpus import found, play
from skill_tools import checks
from skill_tools.checks import CHECKS, FAMILIES, catalogue
from skill_tools.frameworks.rules import load
from skill_tools.pipeline.bare_runs import DEFAULT_TASKS
from skill_tools.pipeline.collection import compare_files
from tests.checks.broken import CLASS, FILES, PLAYED
from tests.conftest import ROOT, WORDLE
from tests.corpora.test_mutants import FOUND
from tests.over import over
from tests.selection import some
from tools import __main__ as tools
from tools import checks_page
from tools.check_examples import (
    by_hand,
    examples,
    lines_of,
    shown_mutants,
    shown_names,
    wordle_with,
)

DOCS = ROOT / "docs"
LONGEST = 16
"""Lines of an example's diff: more would not be read."""
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)")
OTHERS = [check for check, name in shown_names().items() if FOUND.get(name) != check]
"""Checks whose mutant is not played for them in the tests of the corpus."""


def slugs(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    kept = (re.sub(r"[^\w\- ]", "", head.lower()) for head in HEADING.findall(page.read_text()))
    return {head.replace(" ", "-") for head in kept}


@pytest.mark.everything("costly")
@over("path", ["checks.md", *checks_page.paths().values()])
def test_a_page_is_as_it_is_generated_and_its_links_lead_somewhere(path: str) -> None:
    text = (DOCS / path).read_text("utf-8")
    assert text == tools.PAGES[f"docs/{path}"](), "run: python -m tools"
    for file, anchor in LINK.findall(text):
        other = (DOCS / path).parent / file if file else DOCS / path
        assert other.is_file(), file
        assert not anchor or anchor in slugs(other), anchor


def test_there_is_a_page_of_each_family_and_no_other() -> None:
    assert set(checks_page.paths()) == set(FAMILIES)
    there = {f"checks/{path.name}" for path in (DOCS / "checks").iterdir()}
    assert there == set(checks_page.paths().values())


@over("entry", catalogue.entries(), ids=lambda entry: entry.id)
def test_a_check_is_listed_and_told_in_four_parts(entry: catalogue.Entry) -> None:
    listed = (DOCS / "checks.md").read_text("utf-8")
    assert re.search(rf"^\| \[{entry.id}\].* \| {entry.level} \| ", listed, re.MULTILINE)
    page = (DOCS / checks_page.paths()[entry.id[:3]]).read_text("utf-8")
    _, _, rest = page.partition(f"\n## {entry.id} {entry.name}\n")
    reported = rest.partition("\n## ")[0]
    parts = re.findall(r"^\*\*(.+)\*\*$", reported, re.MULTILINE)
    assert parts == ["What must be true", "Why it matters", "Example", "What to do"]
    for said in (entry.what, entry.why, f"- Level: {entry.level}", *entry.needs, *entry.plays):
        assert said in reported
    assert CHECKS[entry.id].fix[1:] in reported


NO_EXAMPLE = "give it one in tools/check_examples.yaml; docs/contributing.md says how"


def test_every_check_has_one_example_that_is_short_and_shows_a_defect() -> None:
    hand, shown = by_hand(), shown_mutants()
    kinds = [*FILES, *CLASS, *PLAYED, *shown, *hand]
    assert len(kinds) == len(set(kinds))
    assert set(kinds) == set(CHECKS), NO_EXAMPLE
    for check, example in examples().items():
        assert 0 < sum(lines_of(example).values()) <= LONGEST, check
        changed = [line for part in example.parts for line in part.diff.splitlines()]
        assert any(line.startswith(("-", "+")) for line in changed), check
        assert all(line[:1] in ("-", "+", " ", "@", "") for line in changed), check
        assert example.says or check in {*FILES, *CLASS, *PLAYED}


@over("check", shown_names())
def test_a_mutant_that_is_shown_was_found_by_the_check(check: str) -> None:
    mutant, _ = shown_mutants()[check]
    assert check in mutant.finds
    if FOUND.get(mutant.name) != check:
        rows = (DOCS / "mutants.md").read_text("utf-8").splitlines()
        defect = mutant.defect.replace("|", "\\|")
        ids = [row.split(" | ")[2] for row in rows if row.startswith(f"| {mutant.on} | {defect} |")]
        assert any(check in reported for reported in ids), ids


@pytest.mark.parametrize("check", some(OTHERS, [], "mutants"))
def test_a_mutant_that_is_shown_is_found_by_the_check(check: str) -> None:
    mutant, _ = shown_mutants()[check]
    # It sleeps at each guess: ten tasks take nine minutes.
    count = 1 if check == "RES001" else DEFAULT_TASKS
    assert check in {finding.check for finding in found(play(mutant, count))}


@pytest.mark.parametrize(
    "check", [c for c, said in by_hand().items() if said.find and c[:3] == "REN"]
)
def test_a_rendered_file_that_is_edited_as_shown_is_found(check: str, tmp_path: Path) -> None:
    folder = wordle_with(by_hand()[check], tmp_path / WORDLE.name)
    reported = {
        f.check for f in checks.run(compare_files(load(folder), folder)) if f.status == "fail"
    }
    assert reported == {check}
