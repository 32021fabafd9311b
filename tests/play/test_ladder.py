"""The ladder on real environments: a sound one is found sound, and each seeded defect is found."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import skill_tools
from skill_tools.errors import DomainError, SkillToolsError
from skill_tools.evidence.levels import ONE, choose, find_levels
from skill_tools.frameworks.rules import load
from skill_tools.probes.players.noisy_oracle import LEAST, RUNGS, affordable, play_ladder
from skill_tools.probes.surveys import sample_calls
from skill_tools.report.storage.runs import read_study
from skill_tools.runtime.progress import silent
from tests import command_line
from tests.over import over

NEXT_CALL = '''

def next_call(task, seed, steps):
    """The best dig now, from what the digs so far told."""
    world = Hunt(task, seed)
    for step in steps:
        if not step["refused"]:
            world.dig(**step["arguments"])
    if world.done:
        return None
    candidates = [
        place
        for place in places(world.size)
        if all(feel(known, place) == felt for known, felt in world.felt.items())
    ]
    row, column = max(candidates, key=lambda place: told_apart(place, candidates))
    return "dig", {"row": row, "column": column}
'''


@pytest.fixture
def hunt(tmp_path: Path) -> Path:
    """The starter of a game: a treasure hunt."""
    return skill_tools.new(tmp_path / "hunt", "pure-python-game").folder


@pytest.fixture
def sorter(tmp_path: Path) -> Path:
    """The starter of text actions, with levels that have names."""
    folder = skill_tools.new(tmp_path / "sorter", "text-action").folder
    edit(
        folder / "tasks.py",
        '"parcels": parcels,',
        '"parcels": parcels, "level": NAMES[number % 3],',
    )
    edit(folder / "tasks.py", "\nLEVELS =", '\nNAMES = ("easy", "medium", "hard")\nLEVELS =')
    return folder


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {file.name}"
    file.write_text(text.replace(old, new), "utf-8")


def study(folder: Path, tasks: int = 9, samples: int = 4) -> skill_tools.Study:
    return skill_tools.study(folder, num_tasks=tasks, samples=samples)


def found(of: skill_tools.Study) -> dict[str, str]:
    """The findings' names and levels."""
    return {finding.name: finding.status for finding in of.reported}


@pytest.mark.everything("costly")
def test_a_sound_game_is_teachable_and_its_study_is_kept(hunt: Path) -> None:
    said = study(hunt)
    assert (said.verdict, said.reported, said.signal_from) == ("teachable", [], 1.0)
    assert (said.tasks, said.size, said.samples, said.short) == (9, 24, 4, "")
    whole, *levels = said.curves
    assert [curve.level for curve in levels] == ["size 6", "size 7", "size 8"]
    assert [rung.epsilon for rung in whole.rungs] == [0, 0.05, 0.1, 0.2, 0.5, 1]
    assert whole.oracle.mean == 1.0 > whole.rungs[-2].mean > whole.random.mean
    assert whole.oracle.mean_steps < whole.random.mean_steps
    assert sum(curve.tasks for curve in levels) == whole.tasks
    assert "solve() cannot know" in said.how_oracle_goes_on
    assert read_study(hunt) == said


@pytest.mark.everything("checks")
def test_the_same_study_finds_the_same(hunt: Path) -> None:
    one, other = (study(hunt, tasks=4).model_dump() for _ in range(2))
    assert one.pop("seconds") > 0
    assert other.pop("seconds") > 0
    assert one == other


LEARNER = """
import importlib, json, math, random, sys

folder, domain, name, pool, limit = json.loads(sys.argv[1])
sys.path.insert(0, folder)
module = importlib.import_module(f"env.{domain}")
tasks = importlib.import_module("env.tasks").TASKS["train"][:6]
rng, table = random.Random(0), {}


def play(task):
    world, path = getattr(module, name)(task, task["seed"]), []
    shown = world.observe()
    while not world.done and len(path) < limit:
        key = (task["id"], len(path), shown)
        logits = table.get(key, {})
        weights = [math.exp(logits.get(place, 0)) for place in range(len(pool))]
        (place,) = rng.choices(range(len(pool)), weights)
        path.append((key, place))
        try:
            shown = getattr(world, pool[place][0])(**pool[place][1])
        except module.InvalidAction:
            shown = "refused"
    return world.reward, path


for step in range(40):
    earned = 0.0
    for task in tasks:
        group = [play(task) for _ in range(8)]
        mean = sum(reward for reward, _ in group) / 8
        earned += mean / len(tasks)
        for reward, path in group:
            for key, place in path:
                logits = table.setdefault(key, {})
                logits[place] = logits.get(place, 0) + 2 * (reward - mean)
    print(earned)
"""


def learn(folder: Path) -> tuple[float, float]:
    """What REINFORCE with a group's mean earns in its first step and its last, from random play."""
    spec = load(folder)
    drawn = sample_calls(spec, "pool")
    pool = [call for place, call in enumerate(drawn) if call not in drawn[:place]]
    folder.rename(folder.parent / "env")
    given = [
        str(folder.parent),
        spec.domain_module,
        spec.domain_class,
        pool,
        spec.episode.max_turns,
    ]
    command = [sys.executable, "-c", LEARNER, json.dumps(given)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return float(said[0]), float(said[-1])


@pytest.mark.everything("checks")
def test_what_is_teachable_is_learned_from_random_play(hunt: Path) -> None:
    assert study(hunt, tasks=12, samples=8).verdict == "teachable"
    first, last = learn(hunt)
    assert first < 0.4
    assert last > 0.7


@pytest.mark.everything("checks")
def test_what_is_hard_to_start_is_not(sorter: Path) -> None:
    assert study(sorter, tasks=12, samples=8).verdict == "hard to start"
    assert learn(sorter) == (0.0, 0.0)


@pytest.mark.everything("checks")
def test_an_oracle_that_can_go_on_is_asked_after_each_call(hunt: Path) -> None:
    with (hunt / "oracle.py").open("a", encoding="utf-8") as oracle:
        oracle.write(NEXT_CALL)
    said = study(hunt, tasks=6)
    assert "continues from the present state" in said.how_oracle_goes_on
    assert said.curves[0].oracle.mean == 1.0
    assert said.curves[0].oracle.episodes == 6
    assert said.reported == []
    edit(
        hunt / "oracle.py",
        "    if world.done:\n        return None\n",
        "    if len(steps) > 1:\n        raise LookupError('lost')\n",
    )
    lost = study(hunt, tasks=6)
    assert "next_call raised in" in {f.name: f.message for f in lost.findings}["oracle-lost"]


@pytest.mark.everything("costly")
def test_an_oracle_that_answers_with_no_call_is_an_error_that_says_so(hunt: Path) -> None:
    with (hunt / "oracle.py").open("a", encoding="utf-8") as oracle:
        oracle.write("\n\ndef next_call(task, seed, steps):\n    return solve(task, seed)\n")
    with pytest.raises(
        DomainError, match=r"next_call returned \[.*which is neither \(tool, arguments\)"
    ):
        study(hunt, tasks=2)


@pytest.mark.everything("checks")
def test_a_reward_cut_to_nothing_below_perfection_is_a_cliff(sorter: Path) -> None:
    assert "one-mistake-costs-all" not in found(study(sorter))
    world = sorter / "world.py"
    edit(world, "        if not 1 <= parcel", "        self.calls += 1\n        if not 1 <= parcel")
    edit(world, "        lines = self._read", "        self.calls += 1\n        lines = self._read")
    edit(world, "        self.parcels = len", "        self.calls = 0\n        self.parcels = len")
    edit(world, "1.0 if alike ==", "1.0 if self.calls == self.parcels + 1 and alike ==")
    said = study(sorter)
    assert (
        found(said)["one-mistake-costs-all"] == "note"
    )  # its list of calls may just not fit any more
    cost = said.curves[0].mistake_cost
    assert cost is not None
    assert cost > 0.9


@pytest.mark.everything("checks")
def test_a_table_of_levels_in_reverse_is_found(sorter: Path) -> None:
    sound = study(sorter, tasks=12)
    assert [curve.level for curve in sound.curves[1:]] == ["easy", "medium", "hard"]
    assert "unordered-levels" not in found(sound)
    edit(sorter / "tasks.py", '("easy", "medium", "hard")', '("hard", "medium", "easy")')
    said = study(sorter, tasks=12)
    assert found(said)["unordered-levels"] == "warn"
    assert "hard is easier than easy" in next(
        f.message for f in said.findings if f.name == "unordered-levels"
    )


@pytest.mark.everything("checks")
def test_one_answer_for_all_tasks_is_what_a_lazy_player_gives(hunt: Path) -> None:
    edit(
        hunt / "game.py",
        "self._treasure, self.landing = rng.sample(places(self.size), 2)",
        "self._treasure, self.landing = (2, 3), rng.choice([(1, 1), (4, 4)])",
    )
    said = study(hunt)
    assert found(said)["lazy-player"] == "fail"
    assert not said.ok
    assert said.lazy[0].words == "only dig(row=2, column=3)"
    assert (said.lazy[0].level, said.lazy[0].mean, said.lazy[0].share) == ("all", 1.0, 1.0)


@pytest.mark.everything("costly")
def test_tasks_that_nothing_solves_are_named_and_end_no_study(hunt: Path) -> None:
    edit(
        hunt / "game.py",
        "self.reward = 1.0 if found else 0.0",
        "self.reward = 1.0 if found and not self._lost else 0.0",
    )
    edit(
        hunt / "game.py",
        "self.digs_left = DIGS\n",
        "self.digs_left = DIGS\n        self._lost = task['id'] == 'train-03'\n",
    )
    edit(
        hunt / "oracle.py",
        "    world = Hunt(task, seed)\n",
        "    if task['id'] == 'train-06':\n        raise LookupError('no way')\n    world = Hunt(task, seed)\n",
    )
    said = study(hunt, tasks=24, samples=2)
    (finding,) = (f for f in said.findings if f.name == "tasks-nobody-solves")
    assert finding.status == "fail"
    assert finding.message.endswith("not even the oracle: train/3")
    (missed,) = (f for f in said.findings if f.name == "oracle-misses")
    assert missed.status == "warn"
    assert missed.message.endswith("do: train/6; it raised LookupError: no way")
    unsolved = [row for row in said.by_task if row.task in ("train/3", "train/6")]
    assert [row.means[0] for row in unsolved] == [0.0, 0.0]


@pytest.mark.everything("checks")
def test_a_domain_that_breaks_is_told_and_its_episodes_count_nowhere(hunt: Path) -> None:
    edit(
        hunt / "game.py",
        "        self.digs_left -= 1\n",
        "        self.digs_left -= 1\n        assert self.digs_left, 'worn out'\n",
    )
    said = study(hunt, tasks=6)
    message = next(f.message for f in said.findings if f.name == "failed-episodes")
    assert "worn out" in message
    assert said.curves[0].random.episodes < 24


def test_what_cannot_be_studied_is_an_error_that_says_why(hunt: Path) -> None:
    with pytest.raises(DomainError, match=r"no tasks in split 'tset'; the splits are: train"):
        skill_tools.study(hunt, split="tset")
    with pytest.raises(SkillToolsError, match="samples is 1"):
        skill_tools.study(hunt, samples=1)
    edit(
        hunt / "game.py",
        "        self.size: int",
        "        raise OSError('no disk')\n        self.size: int",
    )
    with pytest.raises(DomainError, match="no disk"):
        skill_tools.study(hunt, num_tasks=2)


@pytest.mark.everything("checks")
def test_time_that_runs_out_leaves_fewer_tasks_and_says_so(hunt: Path) -> None:
    edit(
        hunt / "game.py",
        "        self.digs_left -= 1\n",
        "        self.digs_left -= 1\n        sum(range(400_000))\n",
    )
    seen = play_ladder(
        load(hunt), hunt, split=None, tasks=24, samples=8, seconds=4.0, progress=silent
    )
    assert len(seen.tasks) < 24 or seen.samples < 8
    assert "--seconds" in seen.short
    counts = {(e.index, e.epsilon) for e in seen.climbed}
    assert {(task.index, epsilon) for task in seen.tasks for epsilon in RUNGS} <= counts
    assert seen.seconds < 12


@pytest.mark.everything("checks")
def test_the_command_tells_a_person_or_a_program(hunt: Path) -> None:
    told = command_line.skill_tools("learnability", hunt, "--num-tasks", "4", "--samples", "2")
    assert told.returncode == 0, told.stdout + told.stderr
    assert told.stdout.startswith("Hunt: ")
    assert "4 tasks are too few to judge by" in told.stdout
    assert "playing without looking" in told.stderr
    data = json.loads(
        command_line.skill_tools(
            "learnability", hunt, "--num-tasks", "4", "--samples", "2", "--json"
        ).stdout
    )
    assert data["curves"][0]["level"] == "all"
    assert command_line.skill_tools("learnability", hunt, "--split", "nope").returncode == 2


@over(("episodes", "samples"), [(1e9, 8), (44 * 6, 8), (44 * 6 - 1, 7), (100, 4), (60, LEAST)])
def test_samples_become_fewer_where_time_is_short(episodes: float, samples: int) -> None:
    assert affordable(24, 8, episodes) == samples


@over(
    ("fields", "names", "ordered"),
    [
        ([{"level": "hard"}, {"level": "easy"}], ["easy", "hard"], True),
        ([{"difficulty": 3}, {"difficulty": 1}], ["difficulty 1", "difficulty 3"], True),
        ([{"tier": "gold"}, {"tier": "silver"}], ["gold", "silver"], False),
        ([{"size": 10}, {"size": 8}] * 3, ["size 8", "size 10"], False),
        ([{"size": n} for n in range(20)], [ONE], False),
        ([{"answer": "a"}, {"answer": "b"}] * 3, [ONE], False),
        ([{}, {"level": "easy"}], [ONE], False),
    ],
)
def test_levels_are_what_the_author_names_or_what_differs(
    fields: list[dict[str, object]], names: list[str], ordered: bool
) -> None:
    levels = find_levels(fields, hidden=["answer"])
    assert (levels.names, levels.ordered) == (names, ordered)


def test_tasks_are_chosen_from_all_levels_alike() -> None:
    levels = ["easy"] * 90 + ["hard"] * 10 + ["odd"]
    chosen = choose(levels, 9)
    assert [levels[place] for place in chosen].count("odd") == 1
    assert sorted(levels[place] for place in chosen) == ["easy"] * 4 + ["hard"] * 4 + ["odd"]
    assert choose(levels[:2], 9) == [0, 1]
