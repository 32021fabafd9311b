"""What a judge is asked, and how its answer is read; the evals' own venv asks the model."""

from __future__ import annotations

from typing import Any

from evals import judge
from tests.over import over


def played(*said: str, problem: str = "") -> dict[str, Any]:
    steps = [{"said": each, "seen": f"saw {each}", "reward": None, "done": None} for each in said]
    return {"episode": "e", "framework": "ors", "steps": steps, "problem": problem}


def test_the_longest_episode_that_came_to_its_end_is_asked_about() -> None:
    broken = played("a", "b", "c", "d", problem="it broke")
    asked = judge.question([played("open"), played("open", "guess(number=5)"), broken])
    assert "> guess(number=5)\nsaw guess(number=5)" in asked
    assert "> d" not in asked
    assert judge.question([broken, played()]) == ""


def test_what_no_model_is_shown_is_told_as_such_and_rewards_are_told() -> None:
    last = {"said": "end", "seen": None, "reward": 0.5, "done": True}
    asked = judge.question([{**played(), "steps": [last]}])
    assert "> end\n(nothing is shown)\n(reward 0.5, the end)" in asked


def test_an_endless_episode_is_cut() -> None:
    assert len(judge.question([played("x" * 10**6)])) < judge.LONGEST + len(judge.QUESTION)


@over(
    ("answer", "grade"),
    [
        ("Tell the goal.\nGRADE: 3", 0.75),
        ("GRADE: 0 is what I would say, but no.\nGRADE: 4", 1.0),
        ("GRADE: 5", None),
        ("GRADE: 10", None),
        ("good", None),
    ],
)
def test_the_last_grade_of_an_answer_counts(answer: str, grade: float | None) -> None:
    assert judge.grade(answer) == grade
