"""The brief of an environment, which describes played tasks to a reader who sees no code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from skill_tools.errors import DomainError, SkillToolsError
from skill_tools.evidence.levels import find_levels
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.files import READINGS_FILE, find_environment, write_whole
from skill_tools.frameworks import rules
from skill_tools.policies import scripted
from skill_tools.policies.scripted import Script
from skill_tools.reference.children import kept
from skill_tools.reference.playbook import count_tasks, label_episode, seed_of
from skill_tools.reference.process import Query, Reply, ask, play_job
from skill_tools.report.brief.brief import BriefTask, write_brief
from skill_tools.report.storage.runs import pictures
from skill_tools.rollouts.reader import ask_reader
from skill_tools.spec.model import EnvSpec
from skill_tools.spec.readers.salvaged import Salvaged, salvage

DEFAULT_TASKS = 4
"""Tasks in a brief: enough for levels and splits to differ, and few enough to read closely."""
NO_LEVEL = "all"
"""The level that ``find_levels`` reports for tasks without one."""
Place = tuple[str, int]
"""Split and index of a task."""


@kept()
def brief(folder: Path | str, count: int = DEFAULT_TASKS, output: Path | None = None) -> str:
    """Return a Markdown brief for a reader who sees only the prompts and then writes readings.yaml.

    The oracle and a random player play ``count`` tasks of mixed levels and splits. If ``output`` is given, the brief is
    written to this file, with its pictures next to it. Raises SpecError for an invalid env.yaml, and DomainError if the
    author's tasks cannot be read or a call never ends.
    """
    folder = find_environment(folder)
    if output is not None and (output.is_dir() or not output.parent.is_dir()):
        raise SkillToolsError(
            f"{output} cannot be written: it is a folder, or its folder does not exist\n"
            "    fix: name a file in an existing folder, such as brief.md"
        )
    spec = rules.load(folder)
    sizes = count_tasks(spec, folder)
    if not sizes:
        raise DomainError("no split has a task\n    fix: write tasks, then run the command again")
    tasks = play_for_brief(spec, folder, sizes, count)
    if output is None:
        return write_brief(spec, tasks, sizes)
    kept = f"{output.stem}-pictures"
    for task in tasks:
        for player, played in task.played.items():
            if isinstance(played, Trajectory):
                place = output.parent / task.pictures(kept, player)
                for name, data in pictures(played):
                    place.mkdir(parents=True, exist_ok=True)
                    write_whole(place / name, data)
    text = write_brief(spec, tasks, sizes, kept)
    write_whole(output, text)
    return text


def have_read(
    folder: Path | str,
    model: str,
    base_url: str,
    count: int = DEFAULT_TASKS,
    max_tokens: int | None = None,
) -> Salvaged:
    """Let a model read the brief, and write its reply to readings.yaml.

    ``base_url`` is an OpenAI-compatible endpoint, whose key is in ROLLOUT_API_KEY. Parts of the reply in
    the wrong form are left out and reported. Raises SkillToolsError if readings.yaml exists, if the
    model's reply is incomplete, or if no part of the reply can be read.
    """
    folder = find_environment(folder)
    path = folder / READINGS_FILE
    if path.exists():
        raise SkillToolsError(
            f"{path} exists and may be somebody's work\n    fix: move or delete the file"
        )
    said = ask_reader(brief(folder, count), model, base_url, max_tokens)
    found = salvage(said, model)
    if not found.examples + found.contradictions:
        left = f": {'; '.join(found.left_out[:3])}" if found.left_out else ""
        raise SkillToolsError(
            f"{model} wrote no playable example{left}\n    fix: try again, or name another model"
        )
    write_whole(path, found.text)
    return found


def play_for_brief(
    spec: EnvSpec, folder: Path, sizes: dict[str, int], count: int
) -> list[BriefTask]:
    """Choose ``count`` tasks of mixed levels and splits, and play each task with the oracle and at random."""
    return _play(spec, folder, _choose(spec, folder, sizes, count))


def _choose(
    spec: EnvSpec, folder: Path, sizes: dict[str, int], count: int
) -> list[tuple[Place, str]]:
    """Return the chosen tasks with their levels; the choice repeats levels and splits as little as possible."""
    jobs = [
        Query("read_settings", f"reading the tasks of {each}", {"split": each}) for each in sizes
    ]
    settings: list[dict[str, Any]] = []
    places: list[Place] = []
    for split, reply in zip(sizes, ask(spec, folder, jobs), strict=True):
        if reply.error:
            raise DomainError(f"reading the tasks of {split} failed: {reply.error}")
        settings += reply.value
        places += [(split, index) for index in range(len(reply.value))]
    levels = find_levels(settings, spec.hidden).of
    firsts: dict[tuple[str, str], list[Place]] = {}
    for place, level in zip(places, levels, strict=True):
        firsts.setdefault((place[0], level), []).append(place)
    chosen: list[tuple[Place, str]] = []
    of_level: Counter[str] = Counter()
    of_split: Counter[str] = Counter()
    while firsts and len(chosen) < count:
        split, level = min(firsts, key=lambda key: (of_level[key[1]], of_split[key[0]]))
        several = firsts[split, level]
        chosen.append((several.pop(0), "" if level == NO_LEVEL else level))
        of_level[level] += 1
        of_split[split] += 1
        if not several:
            del firsts[split, level]
    order = list(sizes)
    return sorted(chosen, key=lambda each: (order.index(each[0][0]), each[0][1]))


def _play(spec: EnvSpec, folder: Path, chosen: Sequence[tuple[Place, str]]) -> list[BriefTask]:
    """Play each task, and record its opening and an episode of each player."""
    limits, asked = spec.episode, []
    for (split, index), _ in chosen:
        place: dict[str, Any] = {"split": split, "index": index}
        what = f"task {split}/{index}"
        asked.append(Query("task", f"reading {what}", place))
        asked.append(Query("solve", f"the oracle on {what}", place))
        asked.append(
            Query("wander", f"valid_calls() on {what}", {**place, "max_turns": limits.max_turns})
        )
    told = ask(spec, folder, asked)
    played: list[BriefTask] = []
    for number, ((split, index), level) in enumerate(chosen):
        task, solved, wandered = told[3 * number : 3 * number + 3]
        if task.error:
            raise DomainError(f"reading task {split}/{index} failed: {task.error}")
        label = label_episode(spec, split, index, seed_of(task.value))
        scripts = {
            "oracle": None if solved.error else scripted.oracle(solved.value),
            "random": _random(spec, label, wandered),
        }
        episodes = _episodes(spec, folder, (split, index), label, scripts)
        opening = next((t.prompt for t in episodes.values() if isinstance(t, Trajectory)), [])
        played.append(BriefTask(f"{split}/{index}", task.value, level, opening, episodes))
    return played


def _random(spec: EnvSpec, label: str, wandered: Reply) -> Script:
    if not wandered.error and wandered.value is not None:
        return scripted.oracle(wandered.value)
    samples = {name: tool.samples() for name, tool in spec.actions.items()}
    return scripted.sampled(spec.tool_rules(), label, spec.episode.most_calls, samples=samples)


def _episodes(
    spec: EnvSpec, folder: Path, place: Place, label: str, scripts: dict[str, Script | None]
) -> dict[str, Trajectory | str]:
    """Return an episode for each player, or the reason for a missing episode, without quoting the author's code."""
    turns = spec.episode.max_turns
    there = {name: script for name, script in scripts.items() if script is not None}
    jobs = [
        play_job(f"playing {name} on {label}", [(*place, None, script)], turns)
        for name, script in there.items()
    ]
    none = "the author's player has no solution for this task"
    found: dict[str, Trajectory | str] = dict.fromkeys(scripts, none)
    for name, reply in zip(there, ask(spec, folder, jobs), strict=True):
        known = {"model": name, "label": label, "split": place[0], "index": place[1]}
        broke = "the world broke in this episode, which has no score"
        found[name] = broke if reply.error else reply.value[0].trajectory(**known)
    return found
