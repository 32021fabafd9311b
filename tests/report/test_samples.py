"""Samples of a model: the numbers against brute force, the advice, the order and budget of playing."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skill_tools.errors import RolloutError, SkillToolsError
from skill_tools.evidence.trajectory import Failure, Step, Trajectory
from skill_tools.learnability.levers import levers, tell_model
from skill_tools.learnability.sampled import Prices
from skill_tools.learnability.samples import measure, pass_at
from skill_tools.pipeline import render
from skill_tools.pipeline.studies.sampling import StudyRun
from skill_tools.pipeline.studies.study_terms import choose_tasks
from skill_tools.report.storage.runs import study_file
from skill_tools.rollouts.batches import BATCH, Budget, SampleBatch, Wanted, next_batch
from skill_tools.rollouts.records.study_file import (
    StudySettings,
    failed_file,
    read_study,
    set_aside,
)
from tests.command_line import skill_tools
from tests.conftest import write_counter
from tests.over import over


def sampled(index: int, sample: int, paid: float | None, **more: Any) -> Trajectory:
    """An episode that earned so much; None is one that failed."""
    failure = Failure(kind="Error", message="the world broke") if paid is None else None
    known: dict[str, Any] = {"best": 1.0, "end": "failed" if failure else "terminated"}
    known |= {"label": f"count/train/{index}/{index}" + (f"#{sample}" if sample else "")}
    known |= {"environment": "count", "model": "m", "split": "train", "framework": "openenv"}
    place = {"index": index, "seed": index, "task_id": index, "sample": sample, "max_turns": 6}
    return Trajectory(**{**known, **place, "failure": failure, "return": paid, **more})


def table(*tasks: str) -> list[Trajectory]:
    """Episodes of tasks, each a text of a sample a letter: 1 passed, 0 earned nothing, h half."""
    paid = {"1": 1.0, "0": 0.0, "h": 0.5}
    return [
        sampled(index, sample, paid[letter])
        for index, said in enumerate(tasks)
        for sample, letter in enumerate(said)
    ]


@over("samples", [1, 2, 5, 7])
def test_pass_at_k_is_the_share_of_all_subsets_in_which_one_passes(samples: int) -> None:
    for right in range(samples + 1):
        passed = [True] * right + [False] * (samples - right)
        for k in range(1, samples + 1):
            subsets = list(itertools.combinations(passed, k))
            share = sum(map(any, subsets)) / len(subsets)
            assert pass_at(k, right, samples) == pytest.approx(share)
    with pytest.raises(ValueError, match="needs at least"):
        pass_at(samples + 1, 0, samples)


def test_k_are_powers_of_two_over_the_tasks_that_have_so_many_samples() -> None:
    found = measure(table("1100", "0000", "11")).overall
    assert list(found.passed) == [1, 2, 4]
    assert [found.passed[k].tasks for k in (1, 2, 4)] == [3, 3, 2]
    assert found.passed[1].mean == pytest.approx(0.5)
    assert found.passed[2].mean == pytest.approx((5 / 6 + 0 + 1) / 3)
    assert found.passed[4].mean == 0.5
    assert found.passed[1].half == pytest.approx(1.96 * 0.5 / 3**0.5)
    assert measure(table("10")).overall.passed[1].half is None


def test_passing_is_earning_the_most_of_the_task_or_a_threshold() -> None:
    episodes = [sampled(0, 0, 0.5, best=0.5), sampled(1, 0, 0.5, best=0.8)]
    assert measure(episodes).overall.passed[1].mean == 0.5
    assert measure(episodes, threshold=0.4).overall.passed[1].mean == 1.0
    assert measure([sampled(0, 0, 0.5, best=None)]).overall.passed == {}


def test_groups_whose_samples_earn_the_same_have_no_gradient() -> None:
    found = measure(table("1111", "0000", "hhhh", "1000", "0")).overall
    groups = found.groups
    assert groups.groups == 4  # a single sample is no group
    assert (groups.zero_gradient, groups.passed, groups.lowest, groups.between) == (
        *(0.75, 0.25, 0.25, 0.25),
    )
    assert (found.solved, found.unsolved) == (1, 3)


def test_an_episode_that_failed_is_counted_and_has_no_part_in_groups_and_rates() -> None:
    found = measure([*table("11"), sampled(0, 2, None)]).overall
    assert (found.episodes, found.scored, found.ends["failed"]) == (3, 2, 1)
    assert found.passed[1].mean == 1.0
    assert found.errors["failed"].times == 1


def test_errors_are_counted_by_kind_and_by_episode() -> None:
    def step(error: str | None) -> Step:
        return Step(tool="add", arguments={}, observation=[], reward=0, done=False, error=error)

    bad = [step("invalid_arguments"), step("invalid_arguments"), step("unreadable"), step(None)]
    episodes = [
        sampled(0, 0, 0.0, steps=bad, turns=[{"cut": True, "usage": {}}]),
        sampled(0, 1, 0.0, limit="context_full", end="truncated", steps=[step("invalid_action")]),
    ]
    study = measure(episodes)
    errors = {kind: (e.times, e.episodes) for kind, e in study.overall.errors.items()}
    assert errors == {
        "invalid_arguments": (2, 1),
        "unreadable": (1, 1),
        "invalid_action": (1, 1),
        "cut_off": (1, 1),
        "context_full": (1, 1),
    }
    advice = " ".join(levers(study))
    assert "40% of 5 calls have arguments that do not match the schema" in advice
    assert "50% of 2 episodes fill the model's context" in advice


def test_tokens_seconds_and_cost_are_told_by_episode_and_the_context_by_turn() -> None:
    def usage(read: int) -> dict[str, Any]:
        return {"usage": {"input_tokens": read, "output_tokens": 10}}

    first = sampled(0, 0, 1.0, seconds=2.0, turns=[usage(100), usage(500)])
    other = sampled(0, 1, 1.0, seconds=4.0, turns=[usage(200)])
    found = measure([first, other], prices=Prices(prompt=1000.0, completion=100.0)).expense
    assert (found.prompt, found.completion, found.tokens) == (400.0, 15.0, 830)
    assert (found.seconds, found.turns, found.context) == (3.0, 1.5, [150.0, 500.0])
    assert found.cost == pytest.approx(0.8 + 0.003)
    uncounted = measure([sampled(0, 0, 1.0)], prices=Prices(prompt=1.0, completion=1.0)).expense
    assert (uncounted.prompt, uncounted.cost) == (None, None)


@over(
    ("tasks", "said"),
    [
        (["11"] * 9 + ["10"], "too easy: every sample of 9 of 10 tasks is solved"),
        (
            ["00"] * 9 + ["10"],
            "too hard: no sample of 9 of 10 tasks is solved, and 90% of 10 groups",
        ),
        (["00"] * 3 + ["10"] * 2, "60% of 5 groups have no variance, most of them at the lowest"),
        (
            ["11"] * 3 + ["10"] * 2,
            "60% of 5 groups have no variance, and in most of these every sample passed",
        ),
        (
            ["hh"] * 3 + ["10"] * 2,
            "60% of 5 groups have no variance, most of them at one intermediate return",
        ),
        (["10", "01"], ""),
        (["1", "1"], ""),
    ],
)
def test_advice_names_the_lever(tasks: list[str], said: str) -> None:
    advice = levers(measure(table(*tasks)))
    assert [line.startswith("all tasks: ") and said in line for line in advice] == [True] * bool(
        said
    )


def test_levels_are_told_apart_in_the_order_of_their_tasks() -> None:
    levels = {("train", 0): "hard", ("train", 1): "easy"}
    study = measure(table("00", "10"), levels=levels)
    assert [part.level for part in study.levels] == ["hard", "easy"]
    assert [part.passed[1].mean for part in study.levels] == [0.0, 0.5]
    assert [line.partition(":")[0] for line in levers(study)] == ["hard"]
    assert any(line.startswith("  hard: 2 episodes on 1 tasks") for line in tell_model(study))


def drained(wanted: Wanted, size: int, before: Iterable[tuple[int, int]] = ()) -> list[SampleBatch]:
    """The batches of a study in which nothing fails."""
    there = set(before)
    found = []
    while batch := next_batch(wanted, there, {}, size):
        assert not there & set(batch.places)
        assert len(batch.places) <= size
        there |= set(batch.places)
        found.append(batch)
    assert len(there) == wanted.episodes
    return found


def test_sample_0_of_every_task_comes_before_sample_1_of_any() -> None:
    order = [place for batch in drained(Wanted(range(10), 3), 4) for place in batch.places]
    assert [sample for _, sample in order] == [0] * 10 + [1] * 10 + [2] * 10
    assert len(drained(Wanted(range(10), 3), 20)) == 2  # rounds that are small are played together


def test_a_batch_lacks_no_more_than_it_says_when_rollout_py_fills_its_range() -> None:
    there = {(0, 0), (2, 0), (0, 1)}
    batch = next_batch(Wanted(range(3), 2), there, {(1, 0): 1}, 2)
    assert batch
    every = {(i, s) for i in range(batch.first, batch.last + 1) for s in range(batch.samples)}
    assert every - there == set(batch.places)


def test_what_a_kill_left_of_several_rounds_is_played_together() -> None:
    there = {(i, s) for i in range(8) for s in range(5)} | {(9, 0)}
    (batch,) = drained(Wanted(range(12), 5), 64, there)
    assert (batch.first, batch.last, batch.samples, len(batch.places)) == (8, 11, 5, 19)


def test_what_fails_twice_is_left_out_with_its_task() -> None:
    assert next_batch(Wanted(range(1), 2), {(0, 0)}, {(0, 1): 1}, 9) == SampleBatch(
        0, 0, 2, ((0, 1),)
    )
    assert next_batch(Wanted(range(1), 2), {(0, 0)}, {(0, 1): 2}, 9) is None
    around = next_batch(Wanted(range(3), 1), set(), {(1, 0): 2}, 9)
    assert around
    assert around.places == ((0, 0),)


def test_a_budget_bounds_the_next_batch() -> None:
    assert Budget().size(0, 0, 8) == BATCH
    assert Budget(episodes=10).size(7, 0, 8) == 3
    assert Budget(episodes=10).size(10, 0, 8) == 0
    assert Budget(tokens=1000).size(0, 0, 8) == 8
    assert Budget(tokens=1000).size(8, 800, 8) == 2
    assert Budget(tokens=1000).size(9, 1000, 8) == 0


@over(
    ("levels", "most", "chosen"),
    [
        ("ababab", 4, "0123"),  # in turn: the first
        ("aaaabbbb", 4, "0145"),  # in blocks: the first of each
        ("aaabbbcccc", 6, "013467"),
        ("aaaaaaab", 4, "0127"),  # a level of one task is played, too
        ("abc", 9, "012"),
        ("", 9, ""),
    ],
)
def test_tasks_of_every_level_are_played_and_as_few_gaps_as_that_leaves(
    levels: str, most: int, chosen: str
) -> None:
    assert choose_tasks(levels, most) == tuple(map(int, chosen))


def test_no_batch_plays_a_task_that_is_not_wanted() -> None:
    batches = drained(Wanted((0, 1, 4, 5), 2), 64)
    assert [(batch.first, batch.last) for batch in batches] == [(0, 1), (4, 5)] * 2
    assert all({index for index, _ in batch.places} <= {0, 1, 4, 5} for batch in batches)


class Table:
    """Plays from a table, and writes a study's file as rollout.py does; None in it fails."""

    def __init__(
        self, path: Path, paid: Callable[[int, int], float | None], tokens: int = 0
    ) -> None:
        self.path, self.paid, self.tokens = path, paid, tokens
        self.batches: list[SampleBatch] = []

    def play(self, batch: SampleBatch, tell: Callable[[str], None]) -> None:
        self.batches.append(batch)
        usage = {"usage": {"input_tokens": self.tokens, "output_tokens": 0}} if self.tokens else {}
        kept = self.path.read_text("utf-8").splitlines() if self.path.exists() else []
        failed = [line for line in kept if json.loads(line)["end"] == "failed"]
        with failed_file(self.path).open("a", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in failed)
        lines = [line for line in kept if line not in failed]
        for index, sample in batch.places:
            seconds = float(len(self.batches))  # so that no two failures are the same line
            said = sampled(index, sample, self.paid(index, sample), turns=[usage], seconds=seconds)
            lines.append(said.model_dump_json(by_alias=True))
        self.path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        tell("playing")


def settings(tasks: Iterable[int]) -> StudySettings:
    said: dict[str, Any] = {"environment": "count", "framework": "openenv", "model": "m"}
    said |= {"split": "train", "max_turns": 6, "sampling": {}}
    said |= {"tasks": {i: (i, i) for i in tasks}}
    return StudySettings(**said)


def study(path: Path, wanted: Wanted, budget: Budget, said: list[str] | None = None) -> StudyRun:
    heard = [] if said is None else said
    return StudyRun(
        path,
        settings(wanted.tasks),
        wanted,
        budget,
        8,
        lambda seen: measure(seen.all),
        heard.append,
    )


def half(index: int, sample: int) -> float:
    return float((index + sample) % 2)


def test_a_study_plays_all_that_is_wanted_and_says_how_far_it_is(tmp_path: Path) -> None:
    table, said = Table(tmp_path / "s.jsonl", half), list[str]()
    found = study(table.path, Wanted(range(40), 3), Budget(), said).go_on(table.play)
    assert (found.overall.episodes, found.left, found.ended) == (
        120,
        0,
        "all 120 episodes were played",
    )
    assert found.overall.passed[1].mean == pytest.approx(0.5)
    assert said[1].startswith("40 of 120 episodes, pass@1 0.500 ± ")
    assert said[-1] == "done"


@over("most", [1, 5, 40, 41, 119])
def test_a_budget_of_episodes_is_kept_to_the_last(tmp_path: Path, most: int) -> None:
    table = Table(tmp_path / "s.jsonl", lambda i, s: None if (i, s) == (3, 0) else half(i, s))
    found = study(table.path, Wanted(range(40), 3), Budget(episodes=most)).go_on(table.play)
    assert sum(len(batch.places) for batch in table.batches) == most
    assert found.ended == f"{most} of {most} allowed episodes were started"
    more = study(table.path, Wanted(range(40), 3), Budget(episodes=most)).go_on(table.play)
    assert more.ended == found.ended  # the file's episodes count: nothing more is played
    assert sum(len(batch.places) for batch in table.batches) == most


def test_a_budget_of_tokens_ends_after_the_batch_in_which_it_ran_out(tmp_path: Path) -> None:
    table = Table(tmp_path / "s.jsonl", half, tokens=100)
    found = study(table.path, Wanted(range(40), 3), Budget(tokens=4250)).go_on(table.play)
    used = found.expense.tokens
    last = len(table.batches[-1].places)
    assert 4250 <= used < 4250 + 100 * last
    assert (
        found.ended
        == f"the budget of 4,250 tokens is used up: {used:,}, {used - 4250} over in the last batch of {last}"
    )
    uncounted = Table(tmp_path / "u.jsonl", half)
    with pytest.raises(SkillToolsError, match="does not report tokens"):
        study(uncounted.path, Wanted(range(4), 3), Budget(tokens=10)).go_on(uncounted.play)


def test_a_study_ends_when_its_interval_is_narrow_and_not_before_every_task_was_played(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path / "s.jsonl", half)
    found = study(table.path, Wanted(range(100), 8), Budget(ci_halfwidth=0.15)).go_on(table.play)
    assert found.overall.episodes == 100  # 64 were as narrow, of the first tasks alone
    assert found.ended.startswith("pass@1 is known to ± 0.0")
    # All the same is an interval of nothing; 3 of 20 could be others.
    same = Table(tmp_path / "same.jsonl", lambda i, s: 1.0)
    all_same = study(same.path, Wanted(range(20), 8), Budget(ci_halfwidth=0.1)).go_on(same.play)
    assert all_same.left == 0


def test_what_failed_is_tried_again_and_left_out_after_twice(tmp_path: Path) -> None:
    once: set[tuple[int, int]] = set()

    def paid(index: int, sample: int) -> float | None:
        if index == 5 or (index == 7 and (index, sample) not in once):
            once.add((index, sample))
            return None
        return half(index, sample)

    table = Table(tmp_path / "s.jsonl", paid)
    found = study(table.path, Wanted(range(40), 2), Budget()).go_on(table.play)
    assert found.ended == "the remaining tasks failed more than once: 1 tasks, such as train/5"
    assert found.overall.scored == 78
    seen = read_study(table.path, settings(range(40)))
    assert (7, 0) in seen.scored
    assert len([each for each in seen.failed if each.index == 5]) <= 4


def test_where_all_fails_a_study_ends_at_once_and_says_why(tmp_path: Path) -> None:
    table = Table(tmp_path / "s.jsonl", lambda i, s: None)
    with pytest.raises(RolloutError, match=r"all 10 episodes of a batch failed.*the world broke"):
        study(table.path, Wanted(range(10), 1), Budget()).go_on(table.play)
    assert len(table.batches) == 1


def test_half_a_line_is_no_episode_and_one_in_both_files_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    good, broken = sampled(0, 0, 1.0), sampled(1, 0, None)
    lines = [each.model_dump_json(by_alias=True) for each in (good, broken)]
    path.write_text("\n".join([*lines, lines[0][:40]]), "utf-8")
    failed_file(path).write_text(f"{lines[1]}\n{lines[1][:9]}", "utf-8")
    seen = read_study(path, settings(range(2)))
    assert (list(seen.scored), len(seen.failed), seen.started) == ([(0, 0)], 1, 2)
    path.write_text("\n".join([lines[0][:40], *lines]), "utf-8")
    with pytest.raises(RolloutError, match="line 1 is not a trajectory"):
        read_study(path, settings(range(2)))


@over(
    ("other", "said"),
    [
        ({"environment": "chess"}, "environment 'count', not 'chess'"),
        ({"split": "test"}, "split 'train', not 'test'"),
        ({"framework": "gem"}, "framework 'openenv', not 'gem'"),
        ({"sampling": {"temperature": 1.0}}, "sampling {}, not {'temperature': 1.0}"),
        ({"tasks": {0: (0, 9)}}, "a different task train/0: id 0 and seed 0, not 0 and 9"),
    ],
)
def test_a_file_that_was_played_in_another_way_is_refused(
    tmp_path: Path, other: dict[str, Any], said: str
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(sampled(0, 0, 1.0).model_dump_json(by_alias=True) + "\n", "utf-8")
    with pytest.raises(SkillToolsError) as refused:
        read_study(path, replace(settings([0]), **other))
    assert said in str(refused.value)
    assert "--restart" in str(refused.value)


def test_a_new_study_keeps_the_old_file_and_every_model_has_its_own(tmp_path: Path) -> None:
    names: Sequence[str] = ["m", "org/m:free", "org-m-free", "m-failed"]
    files = [study_file(tmp_path, name) for name in names]
    assert len({*files, *map(failed_file, files)}) == 2 * len(names)
    assert files[0] == tmp_path / "runs" / "study-m.jsonl"
    files[0].write_text("x", "utf-8")
    (moved,) = set_aside(files[0])
    assert (moved.read_text("utf-8"), files[0].exists()) == ("x", False)


@pytest.mark.everything("costly")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--episodes", 5], "needs --model"),
        (["--resume"], "needs --model"),
        (["--cluster", "ray"], "needs --model"),
        (["--model", "m", "--cluster", "ray", "--ci-halfwidth", 0.1], "a cluster plays everything"),
        (["--model", "m", "--cluster", "ray"], "pip install 'rl-env-skills[ray]'"),
        (["--model", "m", "--price-in", 3], "--price-in and --price-out belong together"),
        (["--model", "m", "--ci-halfwidth", 3], "--ci-halfwidth is 3"),
        (["--model", "m", "--resume"], "does not exist, so there is nothing to resume"),
        (["--model", "m", "--resume", "--restart"], "exclude each other"),
        (["--model", "m", "-f", "gem"], "not rendered yet: gem"),
        (["--model", "m", "--split", "nope"], "there are no tasks in split 'nope'"),
        (["--model", "m", "--base-url", "here"], "write it as http://"),
    ],
)
def test_bad_input_is_named_and_nothing_is_written(
    counter: Path, words: list[object], said: str
) -> None:
    run = skill_tools("learnability", counter, *words)
    assert run.returncode == 2
    assert said in run.stderr
    assert "fix: " in run.stderr or "skill-tools render" in run.stderr or "splits are" in run.stderr
    assert not [*(counter / "runs").glob("study*")]


@pytest.fixture(scope="module")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples") / "counter"
    write_counter(folder, env=("episode:", "frameworks: [openenv]\nepisode:"))
    render(folder)
    return folder
