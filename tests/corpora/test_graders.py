"""Graders that others wrote: the broken ones are found, and the sound ones left alone."""

from __future__ import annotations

import pytest

from corpora.graders.corpus import COPIES, MISSED, Written, corpus, found_in

USUAL = {"country-quiz", "trivia-letters"}
"""Those that every run plays: a broken one and a sound one."""


def _params(*, sound: bool) -> list[object]:
    return [
        pytest.param(
            each,
            id=each.name,
            marks=[] if each.name in USUAL else pytest.mark.everything("graders"),
        )
        for each in corpus()
        if each.sound is sound
    ]


@pytest.mark.parametrize("grader", _params(sound=False))
def test_a_broken_grader_is_found(grader: Written) -> None:
    found = found_in(grader.audited())
    assert bool(found) is (grader.name not in MISSED), grader.about["defect"]


@pytest.mark.parametrize("grader", _params(sound=True))
def test_a_sound_grader_is_left_alone(grader: Written) -> None:
    outcome = grader.audited()
    found = [each for each in found_in(outcome) if not each.startswith("DAT002")]
    assert not found, grader.about["defect"]
    copies = [each for each in found_in(outcome) if each.startswith("DAT002")]
    assert bool(copies) <= (grader.name in COPIES)


def test_what_is_missed_and_has_copies_is_in_the_corpus() -> None:
    names = {each.name for each in corpus()}
    assert {*MISSED, *COPIES, *USUAL} <= names
    assert len(names) >= 60
