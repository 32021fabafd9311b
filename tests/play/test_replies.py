"""What comes back across the pipe: each job's answer has a model, and what does not fit is named."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from skill_tools.errors import DomainError
from skill_tools.evidence.surveyed import Opened, Solved, Wandered
from skill_tools.evidence.trajectory import Tried
from skill_tools.frameworks.rules import load
from skill_tools.play.bare_runs import play_domain
from skill_tools.play.reference.children import CHILD
from skill_tools.play.reference.process import Query, one
from skill_tools.play.reference.replies import ANSWERS, fit
from tests.conftest import write_counter

TRIED = {"steps": [], "return": None, "end": "failed", "failure": None, "slowest": 0.0}
SOLVED = {
    "split": "train", "index": 3, "seed": None, "steps": 1, "end": "terminated", "return": 1.0,
    "failure": None,
}  # fmt: skip
WORDS = {
    "split": "train",
    "index": 0,
    "id": "a",
    "seed": 1,
    "fields": {},
    "prompt": "",
    "error": "",
}


def jobs() -> set[str]:
    """The names in the JOBS of the child's modules."""
    found = set()
    for path in (CHILD / "skill_tools_jobs").glob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "JOBS":
                found |= {ast.literal_eval(key) for key in node.value.keys}
    return found


def test_every_job_has_a_model_of_its_answer() -> None:
    assert jobs() == set(ANSWERS)


@pytest.mark.parametrize(
    ("do", "value", "field"),
    [
        ("count", {"train": "many"}, "train"),
        ("solve", [["add", {"amount": 1}], ["add"]], "1.1"),
        ("play", [{"steps": [], "return": 1.0, "end": "ended"}], "0.end"),
        ("try", [None, {**TRIED, "slowest": None}], "1.slowest"),
        ("try", [{**TRIED, "slow": 1.0}], "0.slow"),
        ("solve_seeds", [SOLVED, {**SOLVED, "return": "x"}], "1.return"),
        ("solve_seeds", [{**SOLVED, "shown": TRIED}], "0.shown"),
        ("survey_play", {"opened": [{**WORDS, "seed": "no"}]}, "opened.0.seed"),
        ("survey_play", {"opened": []}, "solved"),
        ("foresee", {"solved": [], "loose": [{"split": "a"}]}, "loose.0.index"),
        ("endure", {"episodes": 3}, "before"),
        ("wander_all", [{"split": "a", "index": 0}], "0.return"),
        ("inspect", {"tools": {}, "missing": [], "closes": False}, "invalid_action"),
        ("count", None, "(all of it)"),
    ],
)
def test_an_answer_that_does_not_fit_names_the_job_and_the_field(
    do: str, value: Any, field: str
) -> None:
    with pytest.raises(DomainError) as caught:
        fit(do, "asking it", value)
    assert str(caught.value).startswith(
        f"the answer of {do} (asking it) does not fit: field {field}: "
    )


def test_a_domain_that_writes_other_answers_into_ours_is_told_so(tmp_path: Path) -> None:
    """Its code runs where the answers are written."""
    other = (
        'import json\n\njson.dumps = lambda value, **_: \'{"value": {"train": null}}\'\nTASKS = {'
    )
    folder = write_counter(tmp_path / "counter", tasks=("TASKS = {", other))
    with pytest.raises(DomainError, match=r"answer of count \(reading the tasks\).*field train: "):
        one(load(folder), folder, Query("count", "reading the tasks"))


def test_what_was_probed_has_types_and_its_episodes_are_trajectories(counter: Path) -> None:
    found = play_domain(load(counter), counter, count=3).probed
    assert {type(each) for each in found.opened} == {Opened}
    assert {type(each) for each in found.solved} == {Solved}
    assert {type(each) for each in found.wandered} == {Wandered}
    assert {type(each) for each in found.endured.again} == {Tried}
    kept = [each for each in found.solved if each.shown]
    assert kept
    for each in kept:
        assert each.shown.label == f"counter/{each.task}/{each.shown.seed}"
        assert (each.shown.model, each.shown.total) == ("oracle", each.total)
        assert len(each.shown.steps) == each.steps
