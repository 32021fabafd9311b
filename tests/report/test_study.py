"""Numbers, findings, advice and the verdict of a study, on episodes that are made up."""

from __future__ import annotations

import pytest

from skill_tools.checks.reading.curves import draw_curves, rank_correlation, slope
from skill_tools.errors import DomainError
from skill_tools.evidence.studied import Studied
from skill_tools.learnability import summary
from skill_tools.learnability.model import Study
from skill_tools.learnability.text import tell_study
from tests.checks.studied import seen, steady, study_of
from tests.over import over


def make_study(studied: Studied, bound: float | None = None) -> Study:
    return summary.make_study(study_of(studied, bound))


def found(study: Study) -> dict[str, str]:
    return {finding.name: finding.status for finding in study.reported}


def message(study: Study, name: str) -> str:
    return next(finding.message for finding in study.findings if finding.name == name)


def fix(study: Study, name: str) -> str:
    return next(finding.fix for finding in study.findings if finding.name == name)


def test_a_curve_has_the_numbers_of_its_episodes() -> None:
    (curve,) = draw_curves(seen())
    assert [rung.mean for rung in curve.rungs] == [1.0, 0.875, 0.875, 0.75, 0.5, 0.125]
    assert [rung.flat_share for rung in curve.rungs] == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    assert [rung.episodes for rung in curve.rungs] == [12, *[96] * 5]
    assert (curve.random.half, curve.random.solved_share, curve.random.mean_steps) == (0, 0.125, 4)
    assert curve.rank == pytest.approx(0.9856, abs=1e-4)
    assert (curve.bottom, curve.mistake_cost, curve.mistakes) == (0.375, 0.5, 48)


def test_levels_have_curves_of_their_own_and_half_widths_are_over_tasks() -> None:
    def pays(index: int, epsilon: float, sample: int) -> float:
        return steady(index, epsilon, sample) if index % 2 else float(epsilon < 1)

    whole, easy, hard = draw_curves(seen(pays, levels=("easy", "hard")))
    assert (whole.tasks, easy.tasks, hard.tasks) == (12, 6, 6)
    assert (easy.random.mean, hard.random.mean, whole.random.mean) == (0.0, 0.125, 0.0625)
    assert (easy.random.flat_share, whole.random.flat_share) == (1.0, 0.5)
    assert whole.random.half == pytest.approx(1.96 * 0.0653 / 12**0.5, abs=1e-3)
    assert easy.random.half == 0


def test_rank_correlation_and_slope_are_what_the_books_say() -> None:
    assert rank_correlation([1, 2, 3], [10, 20, 90]) == pytest.approx(1)
    assert rank_correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert rank_correlation([1, 2, 3, 4], [1, 1, 2, 2]) == pytest.approx(0.8944, abs=1e-4)
    assert rank_correlation([1, 2, 3], [5, 5, 5]) == 0
    assert slope([0, 0.5, 1], [0, 0.25, 0.5]) == pytest.approx(0.5)


def test_a_sound_environment_is_teachable_without_findings() -> None:
    study = make_study(seen())
    assert (study.verdict, found(study), study.signal_from) == ("teachable", {}, 1.0)
    assert {finding.status for finding in study.findings} == {"pass"}
    (advice,) = study.advice
    assert advice.startswith("all tasks: 100% of a random player's groups of 8 have variance, so ")
    assert Study.model_validate_json(study.model_dump_json()) == study


def test_no_variance_at_the_bottom_makes_it_hard_to_start_from_nothing() -> None:
    study = make_study(seen(lambda i, epsilon, k: steady(i, epsilon, k) if epsilon < 1 else 0.0))
    assert (study.verdict, study.signal_from) == ("hard to start", 0.5)
    assert found(study) == {"no-variance": "note"}
    assert "export sft" in study.advice[0]
    late = make_study(seen(lambda i, epsilon, k: steady(i, epsilon, k) * (epsilon <= 0.1)))
    assert found(late) == {"no-variance": "warn"}
    assert (late.verdict, late.signal_from) == ("hard to start", 0.1)


def test_a_level_without_variance_is_named_with_its_number_and_its_lever() -> None:
    def pays(index: int, epsilon: float, sample: int) -> float:
        return steady(index, epsilon, sample) * (index % 2 == 0 or epsilon < 1)

    study = make_study(seen(pays, levels=("easy", "hard")))
    assert (study.verdict, found(study)) == ("teachable", {"no-variance": "note"})
    assert message(study, "no-variance").startswith("hard: 100% of a random player's groups of 8")
    assert study.advice[-1] == (
        "hard: with random play, 0% of the groups have variance, but 100% for easy. Begin with easy, or "
        "make some tasks of hard easier."
    )


@pytest.mark.parametrize("paid", [0.0, 0.3])
def test_a_return_that_does_not_rise_with_skill_is_flat(paid: float) -> None:
    study = make_study(seen(lambda i, epsilon, k: paid))
    assert study.verdict == "flat"
    assert found(study)["flat-reward"] == "fail"
    assert not study.ok


def test_a_return_in_no_order_is_flat_only_where_the_oracle_can_go_on() -> None:
    odd = {0.0: 1.0, 0.05: 0.0, 0.1: 0.1, 0.2: 0.2, 0.5: 0.3, 1.0: 0.4}

    def pays(index: int, epsilon: float, sample: int) -> float:
        return min(1.0, odd[epsilon] + 0.05 * (sample % 2))

    assert make_study(seen(pays)).verdict == "flat"
    scripted = make_study(seen(pays, goes_on="solve"))
    assert scripted.verdict == "teachable"
    assert found(scripted)["oracle-lost"] == "note"
    assert "flat-reward" not in found(scripted)


def test_what_random_play_earns_already_is_too_easy() -> None:
    study = make_study(seen(lambda i, epsilon, k: 1.0))
    assert study.verdict == "too easy"
    assert found(study) == {"tasks-everybody-solves": "warn"}


def test_one_mistake_that_costs_everything_is_a_cliff() -> None:
    def steep(index: int, epsilon: float, sample: int) -> float:
        return steady(index, 1.0 if epsilon == 0.5 else epsilon, sample)

    assert found(make_study(seen(steep, slipped=0.1))) == {"one-mistake-costs-all": "warn"}
    scripted = make_study(seen(steep, slipped=0.1, goes_on="solve"))
    assert found(scripted) == {"one-mistake-costs-all": "note"}
    assert "next_call" in fix(scripted, "one-mistake-costs-all")
    assert found(make_study(seen(steep, slipped=0.6))) == {}


def test_a_game_that_one_mistake_loses_may_have_a_way_up_all_the_same() -> None:
    study = make_study(seen(slipped=0.1))
    assert found(study) == {"one-mistake-costs-all": "note"}
    assert fix(study, "one-mistake-costs-all").startswith("change nothing if the rules intend this")


def test_levels_whose_names_are_in_the_wrong_order_are_found() -> None:
    def pays(index: int, epsilon: float, sample: int) -> float:
        return min(1.0, steady(index, epsilon, sample) + 0.4 * (index % 2))

    study = make_study(seen(pays, levels=("easy", "hard")))
    assert found(study)["unordered-levels"] == "warn"
    assert message(study, "unordered-levels").startswith("hard is easier than easy")
    assert found(make_study(seen(pays, levels=("hard", "easy"), ordered=False))) == {}


def test_tasks_that_nobody_or_everybody_solves_are_named() -> None:
    def pays(index: int, epsilon: float, sample: int) -> float:
        return {3: 0.0, 5: 1.0}.get(index, steady(index, epsilon, sample))

    study = make_study(seen(pays))
    assert found(study) == {"tasks-nobody-solves": "fail", "tasks-everybody-solves": "note"}
    assert "train/3" in message(study, "tasks-nobody-solves")
    assert "train/5" in message(study, "tasks-everybody-solves")
    assert found(make_study(seen(pays, luck=True)))["tasks-nobody-solves"] == "note"


@over(
    ("earns", "bound", "level"),
    [
        (0.3, None, None),
        (0.6, None, "note"),
        (0.8, None, "warn"),
        (1.0, None, "fail"),
        (0.3, 0.2, "warn"),
    ],
)
def test_a_player_who_does_not_look_is_held_against_the_bound_and_the_half_skilled(
    earns: float, bound: float | None, level: str | None
) -> None:
    study = make_study(seen(lazy={"only left()": earns}), bound)
    assert found(study).get("lazy-player") == level
    assert study.lazy[0].words == "only left()"
    assert study.lazy[0].share == pytest.approx(earns)


def test_few_tasks_say_nothing_of_a_lazy_player_and_little_of_the_rest() -> None:
    study = make_study(seen(tasks=4, lazy={"only left()": 1.0}))
    assert found(study) == {}
    assert study.advice[-1].startswith("all tasks: 4 tasks are too few to judge by")


def test_a_lazy_player_on_an_easy_level_alone_is_noted() -> None:
    study = seen(levels=("easy", "hard"), lazy={"only left()": 0.0})
    lazed = [
        each.model_copy(update={"total": 1.0})
        if each.words == "only left()" and each.index % 2 == 0
        else each
        for each in study.lazed
    ]
    judged = make_study(study.model_copy(update={"lazed": lazed}))
    assert found(judged)["lazy-player"] == "note"
    assert message(judged, "lazy-player").startswith("easy: only left(): 1.000")


def test_episodes_that_failed_have_no_return_and_are_told() -> None:
    study = make_study(seen(lambda i, epsilon, k: None if i == 2 else steady(i, epsilon, k)))
    assert found(study)["failed-episodes"] == "fail"
    assert "it broke" in message(study, "failed-episodes")
    assert study.curves[0].tasks == 12  # with one mistake it is played to its end
    assert study.curves[0].random.episodes == 88
    with pytest.raises(DomainError, match="it broke"):
        make_study(seen(lambda i, epsilon, k: None))


def test_the_terminal_is_told_the_verdict_the_curves_and_what_to_do() -> None:
    study = make_study(seen(levels=("easy", "hard"), lazy={"only left()": 0.8}))
    lines = list(tell_study(study))
    assert lines[0] == "Made up: teachable"
    assert "All tasks (12)" in "\n".join(lines)
    assert "  only left(): 0.800 ± 0.000, 80% (12 tasks)" in lines
    assert any(line.startswith("Advice, all tasks: ") for line in lines)
    assert not any("train/0" in line for line in lines)
    assert any(line.startswith("  train/0 easy") for line in tell_study(study, verbose=True))
