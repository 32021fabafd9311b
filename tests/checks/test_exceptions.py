"""Declared exceptions: by check and place, and never of a check that there is none of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skill_tools import checks, pipeline
from skill_tools.checks import Finding
from skill_tools.errors import SpecError
from skill_tools.evidence.declaration import Excepted
from skill_tools.evidence.evidence import Evidence
from skill_tools.pipeline.collection import inspect_domain
from tests.conftest import write_counter

from .exploited import EXPLORED, NUMBERS_REVEAL, declared


def excepting(evidence: Evidence, check: str, **places: Any) -> list[Finding]:
    """The findings where one exception is declared, except for passes and what is skipped."""
    one = Excepted(check=check, because="it is right in this one", **places)
    found = checks.run(declared(exceptions=[one])(evidence))
    return [f for f in found if f.check in (check, "SPE006") and f.status not in ("pass", "skip")]


def statuses(found: list[Finding]) -> set[tuple[str, str]]:
    return {(f.check, f.status) for f in found}


def test_an_exception_of_a_place_leaves_all_other_places(good: Evidence) -> None:
    broken = EXPLORED["EPI007"][0](good)
    first = next(iter(broken.probed.attempts["edge"])).trajectory
    for task in (f"{first.split}/{first.index}", first.label):
        found = excepting(broken, "EPI007", task=task)
        assert statuses(found) == {("EPI007", "excepted"), ("EPI007", "fail")}
        assert [f.shown for f in found if f.status == "excepted"] == [first]
    assert statuses(excepting(broken, "EPI007", tool="add")) == {("EPI007", "excepted")}
    for other in ({"tool": "ad"}, {"task": "train"}, {"tool": "add", "file": "game.py"}):
        assert statuses(excepting(broken, "EPI007", **other)) == {
            ("EPI007", "fail"),
            ("SPE006", "warn"),
        }


@pytest.mark.everything("checks")
def test_an_exception_of_a_split_is_of_that_one_and_is_not_missed_where_another_was_played(
    good: Evidence,
) -> None:
    broken = EXPLORED["EPI007"][0](good)
    assert broken.reference.tasks
    assert broken.reference.tasks.split == "train"
    assert statuses(excepting(broken, "EPI007", split="train")) == {("EPI007", "excepted")}
    # What the split that was not played needs is nothing to remove.
    for place in ({"split": "test"}, {"task": "test/3"}, {"task": "counter/test/3/7"}):
        assert statuses(excepting(broken, "EPI007", **place)) == {("EPI007", "fail")}
        assert excepting(good, "EPI007", **place) == []
    assert statuses(excepting(good, "EPI007", split="train")) == {("SPE006", "warn")}
    missing = [found.message for found in excepting(good, "EPI007", split="tests")]
    assert any("the split 'tests', which does not exist; splits: train, test" in m for m in missing)


def test_an_exception_is_told_once_with_how_often_it_applied(good: Evidence) -> None:
    broken = EXPLORED["EPI007"][0](good)
    all_of_them = [f for f in checks.run(broken) if f.check == "EPI007"]
    (told,) = [f for f in excepting(broken, "EPI007") if f.status == "excepted"]
    assert told.message.count("it is right in this one") == 1
    assert all_of_them[0].message in told.message
    if len(all_of_them) > 1:
        assert "more (an exception: " in told.message


def test_an_exception_of_a_parameter_is_of_that_one(tmp_path: Path) -> None:
    env = (", description: How much to add.", "")
    folder = write_counter(tmp_path / "counter", env=env)
    seen = inspect_domain(pipeline.load(folder), folder)
    found = excepting(seen, "SPE002", tool="add", parameter="amount")
    assert statuses(found) == {("SPE002", "excepted")}
    assert ("SPE002", "fail") in statuses(excepting(seen, "SPE002", tool="add", parameter="note"))


def test_words_of_a_message_are_still_read_and_said_to_be_deprecated(good: Evidence) -> None:
    found = excepting(EXPLORED["EPI007"][0](good), "EPI007", where="IndexError")
    assert statuses(found) == {("EPI007", "excepted"), ("SPE006", "note")}


@pytest.mark.parametrize(
    ("check", "nearest"), [("ISO099", "ISO019"), ("edge-break-episode", "edge-breaks-episode")]
)
def test_an_exception_of_no_check_is_an_error_that_names_the_nearest(
    check: str, nearest: str, tmp_path: Path
) -> None:
    said = f'exceptions: [{{check: {check}, because: "it is right in this one"}}]\nepisode:'
    folder = write_counter(tmp_path / "counter", env=("episode:", said))
    for run_code in (True, False):
        found = pipeline.check(folder, run_code=run_code).report
        (reported,) = [f for f in found.findings if f.check == "SPE006"]
        assert reported.status == "fail"
        assert not found.ok
        assert f"{check!r}; did you mean {nearest!r}?" in reported.message
    with pytest.raises(SpecError, match=nearest):
        pipeline.render(folder)


def test_an_exception_may_name_a_check_that_another_replaced(good: Evidence) -> None:
    shown = NUMBERS_REVEAL["is the task's best return"](good)
    one = Excepted(check="ISO018", because="it is right in this one")
    found = checks.run(declared(exceptions=[one])(shown))
    assert ("ISO014", "excepted") in statuses(found)
    assert ("SPE006", "pass") in statuses(found)
