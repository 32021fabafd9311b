"""The corpus: defects are found, what is right is not called red."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora.mutants.corpus import HERE, controls, found, look, mutants, play
from skill_tools.checks import CHECKS, Finding
from skill_tools.checks.engine import in_order
from tests.selection import some

FOUND = {
    "peak-in-window-fog-has-a-code": "ISO019",
    "undo-buttons-test-is-one-press-away": "TAS007",
    "starter-pure-python-game-landing-on-the-treasure": "REW009",
    "starter-text-action-decimal-number-crashes": "EPI007",
    "starter-vision-computer-use-alt-text-gives-places": "OBS007",
    "starter-vision-computer-use-pale-yellow-on-white": "OBS001",
    "starter-text-action-partial-credit-high-baseline": "REW013",
    "wordle-statistics-field-spells-letters": "ISO009",
    "connect_four-open-columns-counted-from-zero": "EPI012",
    "connect_four-greedy-misspelt": "CON011",
    "wordle-holdout-dealt-without-seed": "DET005",
    "starter-text-action-slow-reset": "RES001",
    "starter-vision-computer-use-feedback-leaks-position": "ISO014",
    "starter-vision-computer-use-indistinguishable-colours": "OBS001",
    "starter-vision-computer-use-targets-always-in-same-places": "REW013",
    "starter-stateful-sandbox-pooled-sandbox-left-over-files": "ISO016",
    "starter-stateful-sandbox-graded-from-files-agent-can-write": "REW023",
    "jupyter-broken-session-scored-as-zero": "EPI013",
    "jupyter-list-needs-comma-and-space": "REW022",
    "wordle-answer-in-id": "ISO007",
    "connect_four-description-from-zero": "WOR002",
    "starter-pure-python-game-eight-digs": "WOR005",
    "connect_four-boards-kept": "RES003",
    "starter-pure-python-game-refusal-spends": "EPI008",
    "starter-pure-python-game-seed-of-day": "DET001",
    "wordle-blank-crash": "EPI007",
    "starter-pure-python-game-huge-last": "EPI010",
    "starter-pure-python-game-compass-in-refusal": "ISO012",
    "starter-pure-python-game-cold-crash": "EPI001",
    "starter-pure-python-game-one-size": "TAS005",
    "starter-pure-python-game-seed-modulo": "TAS001",
    "starter-pure-python-game-log-grows": "RES005",
    "starter-vision-computer-use-six-turns": "WOR005",
    "starter-text-action-popped-task": "ISO010",
    "starter-text-action-serial-number": "ISO013",
    "starter-text-action-open-after-wrong": "WOR011",
    "starter-text-action-heavier-parcels": "OBS005",
    "starter-vision-computer-use-pale-yellow": "OBS002",
    "starter-vision-computer-use-origin-below": "WOR012",
    "starter-stateful-sandbox-checksum-file": "ISO011",
    "starter-stateful-sandbox-two-seconds": "WOR009",
    "connect_four-oracle-few-tries": "REW019",
    "wordle-anagram-wins": "REW011",
    "wordle-refusals-cost": "WOR004",
    "starter-stateful-sandbox-shell-state-promised": "WOR010",
    "starter-vision-computer-use-target-list-text": "OBS007",
    "jupyter-database-not-shipped": "CON009",
    "jupyter-task-file": "ISO011",
    "starter-stateful-sandbox-closed-only-when-done": "RES002",
    "wordle-answer-not-guessable": "REW008",
    "wordle-non-words-taken": "EPI011",
    "connect_four-wrong-side": "WOR014",
    "starter-vision-computer-use-triangles-upside-down": "OBS008",
    "starter-stateful-sandbox-local-days": "DET006",
    "connect_four-test-without-greedy": "TAS006",
    "starter-pure-python-game-logging-switched-off": "RES006",
    "starter-pure-python-game-tiny-islands": "REW021",
    "starter-pure-python-game-warm-grows-with-island": "RES008",
    "starter-text-action-indented-line-refused": "REW022",
    "starter-text-action-labels-escaped": "OBS009",
    "starter-text-action-log-beside-the-code": "RES007",
    "starter-text-action-long-rule-scored": "ISO012",
    "starter-vision-computer-use-colour-does-not-matter": "REW011",
    "starter-vision-computer-use-gif-called-png": "OBS010",
    "wordle-puzzle-number-is-alphabetical": "ISO014",
    "wordle-refusals-promised-unlimited": "WOR013",
    "wordle-repeat-not-counted": "WOR008",
    "wordle-test-of-one-word": "TAS004",
    "connect_four-no-diagonals": "EXA003",
    "starter-pure-python-game-prompt-rules-out-the-shore": "EXA004",
    "starter-pure-python-game-progress-reward-farmable": "REW024",
    "starter-pure-python-game-near-miss-farming": "REW025",
    "starter-pure-python-game-mirror-landing-leak": "ISO014",
    "starter-pure-python-game-wall-clock-limit": "DET001",
    "starter-text-action-unhandled-operator-crash": "EPI007",
    "starter-vision-computer-use-miss-tells-distance": "ISO014",
    "starter-vision-computer-use-order-not-enforced": "WOR015",
    "starter-vision-computer-use-wall-clock-deadline": "DET001",
    "starter-vision-computer-use-cached-layout-is-emptied": "RES004",
    "starter-stateful-sandbox-refusal-tells-too-high-or-too-low": "ISO012",
    "wordle-informative-refusal": "ISO012",
    "wordle-slow-pays-more": "REW020",
    "barn-sale-best-too-low": "REW026",
    "barn-sale-best-too-high": "REW002",
    "barn-sale-best-below-zero": "REW027",
    "barn-sale-best-of-another-seed": "REW009",
    "barn-sale-best-in-opening": "ISO014",
    "open-card-oracle-always-stands": "REW028",
    "open-card-oracle-hits-too-long": "REW028",
    "open-card-oracle-peeks": "REW029",
    "open-card-oracle-tries-all": "REW029",
    "open-card-hands-chosen": "REW030",
    "refund-desk-status-tells-the-hour": "CON012",
    "refund-desk-status-forgets-refusals": "EXA001",
    "refund-desk-no-line-after-the-end": "EPI001",
    "refund-desk-pays-who-stops": "EXA001",
}
"""Mutants of which each was missed at some time, and the check that names the cause."""


@pytest.mark.parametrize("name", some(FOUND, [], "mutants"))
def test_a_defect_is_found_by_the_check_that_names_it(name: str) -> None:
    mutant = next(each for each in mutants() if each.name == name)
    assert FOUND[name] in {finding.check for finding in found(play(mutant))}


@pytest.mark.parametrize("folder", some([f.name for f in controls()], [], "mutants"))
def test_what_is_right_is_neither_called_red_nor_warned_of(folder: str) -> None:
    findings = look(HERE / "controls" / folder)
    assert [f"{f.check} {f.message}" for f in found(findings)] == []


@pytest.mark.everything("costly")
def test_the_corpus_is_large_and_every_edit_is_of_a_file_that_is_there() -> None:
    every = mutants()
    assert len(every) >= 150
    assert len({mutant.kind for mutant in every}) >= 60
    assert len(controls()) >= 30
    assert all(mutant.defect and mutant.edits for mutant in every)
    assert {check for mutant in every for check in mutant.finds} <= set(CHECKS)


def test_what_names_a_cause_is_told_before_what_follows() -> None:
    order = ["ISO001", "WOR005", "REW012", "EXA001", "REW002", "EXA003"]
    reported = [Finding(check, "", "fail") for check in reversed(order)]
    assert [each.check for each in in_order(reported)] == order


@pytest.mark.everything("costly")
def test_the_page_of_what_is_found_is_of_this_corpus() -> None:
    page = (Path(__file__).parents[2] / "docs" / "mutants.md").read_text("utf-8")
    assert f"{len(mutants())} environments with one defect each" in page
    assert "| correct, reported as a failure | 0 of " in page
