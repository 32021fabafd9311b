"""Graders that others wrote: the broken ones are found, and the sound ones left alone."""

from __future__ import annotations

import pytest

from corpora.graders.corpus import ALARMED, COPIES, MISSED, Written, corpus, found_in

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


@pytest.mark.everything("costly")
@pytest.mark.parametrize("grader", _params(sound=True))
def test_a_sound_grader_is_left_alone(grader: Written) -> None:
    found = found_in(grader.audited())
    copies = [each for each in found if each.startswith("DAT002")]
    alarms = [each for each in found if not each.startswith("DAT002")]
    assert bool(alarms) is (grader.name in ALARMED), grader.about["defect"]
    assert bool(copies) <= (grader.name in COPIES)


def test_the_listed_exceptions_are_in_the_corpus() -> None:
    names = {each.name for each in corpus()}
    assert {*MISSED, *ALARMED, *COPIES, *USUAL} <= names
    assert len(names) >= 60
