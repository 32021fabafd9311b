"""Which batches the nodes of a cluster are given, and the file in which their episodes come together."""

from __future__ import annotations

import json
import os
import resource
import signal
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skill_tools.errors import RolloutError, SkillToolsError
from skill_tools.frameworks.rules import load
from skill_tools.rollouts.kept_episodes import KeptEpisodes
from skill_tools.rollouts.node_batch import BATCH, Episode, NodeWork, batch_size, plan_batches
from skill_tools.rollouts.options import RolloutOptions


@pytest.fixture
def work(counter: Path) -> NodeWork:
    return NodeWork(
        spec=load(counter),
        folder=counter,
        framework="gem",
        models=["a", "b"],
        labels={index: f"counter/train/{index}/{index}" for index in range(10)},
        options=RolloutOptions(split="train", max_turns=6, samples=3),
    )


def line(work: NodeWork, episode: Episode, **changes: Any) -> str:
    """As rollout.py writes it, of what is looked at."""
    model, label = episode
    known = {"environment": "counter", "framework": "gem", "sampling": {}, "end": "terminated"}
    known |= {"model": model, "label": label, "split": "train", "index": int(label.split("/")[2])}
    known |= {"max_turns": 6, "steps": [{"reward": 1.0}], "return": 1.0}
    known["sample"] = int(label.partition("#")[2] or 0)
    return json.dumps({**known, **changes})


def planned(
    work: NodeWork, there: Mapping[Episode, str], size: int
) -> Iterator[tuple[Episode, bool]]:
    """Every episode of every batch, and whether it is among those that are there already."""
    for batch in plan_batches(work, there, size):
        known = {there[each]: each for each in there}
        stubs = {known[text] for text in batch.there}
        every = [
            each
            for index in range(batch.first, batch.last + 1)
            for each in work.episodes(batch.model, index)
        ]
        assert batch.missing == len(every) - len(stubs)
        assert batch.missing <= max(size, work.options.samples)
        yield from ((each, each in stubs) for each in every)


@pytest.mark.parametrize("size", [1, 7, 12, 1000])
@pytest.mark.parametrize("each", [1, 2, 5, 1000])
def test_batches_have_every_missing_episode_once_and_know_the_others(
    work: NodeWork, size: int, each: int
) -> None:
    there = {episode: str(n) for n, episode in enumerate(work.wanted()) if n % each == each - 1}
    found = list(planned(work, there, size))
    missing = [episode for episode, known in found if not known]
    assert missing == [episode for episode in work.wanted() if episode not in there]
    assert len(found) == len(set(found))


def test_no_batch_reaches_over_tasks_that_nobody_asked_for(work: NodeWork) -> None:
    chosen = {index: work.labels[index] for index in (0, 1, 4, 5, 6, 9)}
    batches = plan_batches(replace(work, labels=chosen), {}, 1000)
    assert [(each.first, each.last) for each in batches] == [(0, 1), (4, 6), (9, 9)] * 2


def test_where_all_is_there_nothing_is_planned(work: NodeWork) -> None:
    assert plan_batches(work, dict.fromkeys(work.wanted(), ""), 10) == []


def test_a_batch_is_neither_too_large_nor_smaller_than_what_one_processor_plays_at_once() -> None:
    assert batch_size(10_000, 4, 16) == BATCH
    assert batch_size(1000, 10, 16) == 25
    assert batch_size(1000, 1000, 16) == 16
    assert batch_size(1000, 0, 16) == 250  # no node has come yet


def test_an_episode_that_comes_twice_is_kept_once(work: NodeWork, tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    first, second, *rest = [line(work, episode) for episode in work.wanted()]
    with KeptEpisodes(path, work) as kept:
        assert kept.add([first, second, second]) == 2
        assert kept.add([second, rest[0]]) == 1
        assert kept.left == len(rest) - 1
    assert path.read_text("utf-8").splitlines() == [first, second, rest[0]]


def test_what_failed_is_played_again_and_what_is_of_others_stays(
    work: NodeWork, tmp_path: Path
) -> None:
    path = tmp_path / "kept.jsonl"
    first, second, *_ = work.wanted()
    failed = line(work, second, end="failed", **{"return": None})
    other = line(work, ("c", "counter/train/0/0"))
    half = line(work, first)[:40]
    path.write_text(f"{line(work, first)}\n{failed}\n{other}\n{half}", "utf-8")
    with KeptEpisodes(path, work) as kept:
        assert list(kept.there) == [first]
        assert json.loads(kept.there[first])["steps"] == []
        assert kept.left == len(work.wanted()) - 1
        with pytest.raises(SkillToolsError, match="another rollout"):
            KeptEpisodes(path, work)
    assert path.read_text("utf-8").splitlines() == [line(work, first), other]
    assert (tmp_path / "kept-failed.jsonl").read_text("utf-8") == failed + "\n"


@pytest.mark.parametrize("changes", [{"framework": "ors"}, {"environment": "other"}])
def test_a_file_of_something_else_is_refused(
    work: NodeWork, tmp_path: Path, changes: dict[str, str]
) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text(line(work, work.wanted()[0], **changes) + "\n", "utf-8")
    with pytest.raises(SkillToolsError, match="was played with"):
        KeptEpisodes(path, work)


def test_what_nobody_asked_for_is_no_result(work: NodeWork, tmp_path: Path) -> None:
    with KeptEpisodes(tmp_path / "kept.jsonl", work) as kept:
        with pytest.raises(RolloutError, match="was not requested"):
            kept.add([line(work, ("a", "counter/train/11/11"))])
        with pytest.raises(RolloutError, match="was not requested"):
            kept.add([line(work, work.wanted()[0], max_turns=3)])
        assert not (tmp_path / "kept.jsonl").stat().st_size


def test_a_file_that_takes_no_more_keeps_whole_batches(work: NodeWork, tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    lines = [line(work, episode) for episode in work.wanted()]
    child = os.fork()
    if not child:  # a limit cannot be raised again, and is of a process
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        code = 1
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            with KeptEpisodes(path, work) as kept:
                kept.add(lines[:3])
                kept.add(lines[3:])
        except SkillToolsError as error:
            code = 0 if "the file has 3 of 60 episodes" in str(error) else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert path.read_text("utf-8").splitlines() == lines[:3]
