"""The tasks of a split as a dataset for a trainer, with one row per task in the trainer's own format.

A row has the task's split, index, seed and opening. It contains no field that env.yaml hides.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rl_env_harness.models.responses import as_items
from rl_env_harness.rollouts import openings

from skill_tools.errors import DomainError, SkillToolsError, nearest
from skill_tools.files import write_whole
from skill_tools.reference.playbook import count_tasks, seed_of
from skill_tools.reference.process import Query, ask, play_job
from skill_tools.render import text_actions
from skill_tools.rollouts.records.episode_table import as_parquet
from skill_tools.spec.model import EnvSpec

AT_ONCE = 16
"""Number of worlds that are open at the same time while their openings are read."""
ASKED = 8192
"""Number of tasks whose openings are in memory at the same time if rows are written one by one."""
SUFFIXES = (".jsonl", ".parquet")
Row = dict[str, Any]


@dataclass(frozen=True)
class Dataset:
    """A written dataset: the file, or the folder with a file per split, and the number of rows per split."""

    trainer: str
    output: Path
    rows: dict[str, int]


def write_dataset(
    spec: EnvSpec, folder: Path, output: Path, trainer: str = "plain", split: str | None = None
) -> Dataset:
    """Write the tasks of one split, or of all splits, as rows for a trainer.

    ``output`` ends in .jsonl or .parquet, or is a new folder of Parquet files that `load_dataset` of Hugging
    Face's `datasets` can read. If no split is given, a folder gets all splits, and a file gets the first split.
    Raises SkillToolsError for an unknown split or trainer, and DomainError if a task cannot be opened.
    """
    shape = _shape(trainer)
    if output.exists() or output.is_symlink():
        raise SkillToolsError(f"{output} exists\n    fix: name a new file, or move this one")
    if output.suffix and output.suffix not in SUFFIXES:
        raise SkillToolsError(
            f"{output.suffix} is not a format for datasets\n"
            f"    fix: use a file name that ends in {' or '.join(SUFFIXES)}, or name a folder, without a suffix"
        )
    if trainer == "nemo_gym" and output.suffix != ".jsonl":
        raise SkillToolsError("NeMo Gym reads JSON lines\n    fix: end the name in .jsonl")
    sizes = count_tasks(spec, folder)
    if split is not None and split not in sizes:
        raise SkillToolsError(f"there is no split {split!r}{nearest(split, sizes)}")
    chosen = [split] if split else list(sizes) if not output.suffix else list(sizes)[:1]

    def rows(name: str) -> Iterator[Row]:
        return (shape(spec, opened) for opened in _openings(spec, folder, name, sizes[name]))

    if output.suffix == ".jsonl":
        lines = (json.dumps(row, allow_nan=False) + "\n" for row in rows(chosen[0]))
        _save(output, lines)
    elif output.suffix:
        _save(output, as_parquet(list(rows(chosen[0]))))
    else:
        for name, found in {name: as_parquet(list(rows(name))) for name in chosen}.items():
            _save(output / "data" / f"{name}.parquet", found)
        _save(output / "README.md", _card(spec, chosen))
    return Dataset(trainer, output, {name: sizes[name] for name in chosen})


@dataclass(frozen=True)
class _Opened:
    """A task's opening messages, its tools, and its place (split, index and own seed)."""

    place: Row
    prompt: list[Row]
    tools: list[Row]


def _openings(spec: EnvSpec, folder: Path, split: str, size: int) -> Iterator[_Opened]:
    """Open and close every task of a split, and yield the openings."""
    for at in range(0, size, ASKED):
        yield from _opened(spec, folder, split, range(size)[at : at + ASKED])


def _opened(spec: EnvSpec, folder: Path, split: str, indices: range) -> Iterator[_Opened]:
    count = len(indices)
    parts = [indices[at : at + AT_ONCE] for at in range(0, count, AT_ONCE)]
    reading = [
        Query("task", f"reading task {split}/{index}", {"split": split, "index": index})
        for index in indices
    ]
    opening = [
        play_job(f"opening {split}", [(split, index, None, ()) for index in part], 1)
        for part in parts
    ]
    replies = ask(spec, folder, [*reading, *opening])
    for job, reply in zip([*reading, *opening], replies, strict=True):
        if reply.error:
            raise DomainError(f"{job.what} failed: {reply.error}")
    records = [record for reply in replies[count:] for record in reply.value]
    for index, task, record in zip(indices, replies[:count], records, strict=True):
        if record.failure:
            raise DomainError(f"{split}/{index} cannot be opened: {record.failure.message}")
        place = {"split": split, "index": index, "seed": seed_of(task.value)}
        yield _Opened(place, record.prompt, record.offered if spec.offer else spec.tool_schemas())


def _shape(trainer: str) -> Callable[[EnvSpec, _Opened], Row]:
    if trainer not in _SHAPES:
        raise SkillToolsError(f"there is no row format for {trainer!r}{nearest(trainer, TRAINERS)}")
    return _SHAPES[trainer]


def _plain(spec: EnvSpec, opened: _Opened) -> Row:
    """Return a row with the whole prompt and the tools, for a custom trainer."""
    return {"prompt": opened.prompt, "tools": json.dumps(opened.tools), **opened.place}


def _trl(spec: EnvSpec, opened: _Opened) -> Row:
    """Return a row for TRL. `reset()` receives the columns, and returns the opening that follows the prompt."""
    if spec.one_message:  # for a plain reward function
        return {"prompt": opened.prompt, **opened.place}
    return {"prompt": [*opened.prompt[:-1], {"role": "user", "content": ""}], **opened.place}


def _skyrl(spec: EnvSpec, opened: _Opened) -> Row:
    """Return a row in the format that the SkyRL Gym variant writes."""
    return {
        "data_source": spec.name,
        "env_class": spec.name,
        "prompt": _in_text(spec, opened),
        "extra_info": opened.place,
        "reward_spec": {"method": "rule", "ground_truth": None},
    }


def _nemo_gym(spec: EnvSpec, opened: _Opened) -> Row:
    """Return a row in the format that the NeMo Gym variant writes."""
    sent = opened.prompt if spec.one_message else openings.apart(opened.prompt)[0]
    items = [item for message in sent for item in as_items(message)]
    tools = [{"type": "function", "strict": False, **tool} for tool in opened.tools]
    return {"responses_create_params": {"input": items, "tools": tools}, **opened.place}


def _verl(spec: EnvSpec, opened: _Opened) -> Row:
    """Return a row for verl. ``agent_name`` selects the agent loop, which plays through text (docs/train.md)."""
    return {
        "data_source": spec.name,
        "agent_name": spec.name,
        "prompt": _in_text(spec, opened),
        "ability": "agent",
        "reward_model": {"style": "rule", "ground_truth": ""},
        "extra_info": opened.place,
    }


_SHAPES: dict[str, Callable[[EnvSpec, _Opened], Row]] = {
    "trl": _trl,
    "verl": _verl,
    "skyrl": _skyrl,
    "nemo_gym": _nemo_gym,
    "plain": _plain,
}
TRAINERS = tuple(_SHAPES)
"""Trainers whose rows can be written; plain: the whole prompt and the tools."""


def _in_text(spec: EnvSpec, opened: _Opened) -> list[Any]:
    """Return the opening messages, with the instructions for text actions at the end of the system message."""
    rules, tags = text_actions.instructions(spec), text_actions.tags(spec)
    return openings.in_text(opened.prompt, rules, tags, text_actions.contents(spec), opened.tools)


def _save(file: Path, data: str | bytes | Iterator[str]) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, data)
    except OSError as error:
        raise SkillToolsError(f"{file} cannot be written: {error.strerror or error}") from error


def _card(spec: EnvSpec, splits: Sequence[str]) -> str:
    """Return the dataset card, whose front matter assigns files to splits."""
    files = "".join(f"      - {{split: {name}, path: data/{name}.parquet}}\n" for name in splits)
    head = f"---\nconfigs:\n  - config_name: default\n    data_files:\n{files}---\n"
    return f"{head}\nTasks of {spec.name}, written by `skill-tools tasks`.\n"
