"""Play calls from a recording, or calls that a user types, on the current bare domain."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from skill_tools.errors import DomainError, SkillToolsError
from skill_tools.evidence.evidence import BARE
from skill_tools.evidence.trajectory import Record, Replay, Trajectory
from skill_tools.policies import scripted
from skill_tools.reference.playbook import count_tasks, label_episode, seed_of
from skill_tools.reference.process import Query, ask, one, play_job
from skill_tools.spec.model import EnvSpec

Asked = tuple[str, Mapping[str, Any]]
"""A tool call: the tool's name and its arguments."""
_NESTED = re.compile(r"(?<!\S)([A-Za-z_]\w*):=(?=[\[{])")
"""The beginning of an argument that is an object or a list."""


def play_again(spec: EnvSpec, folder: Path, recorded: Trajectory) -> Replay:
    """Play a trajectory's calls on its task, in a separate process without other episodes.

    Raises DomainError if the task is unknown, or if the author's code raises or never ends.
    """
    if recorded.split is None or recorded.index is None:
        raise DomainError(f"the task of {recorded.label} is not recorded")
    script = scripted.replay(recorded.model_dump())
    # Bare episodes without a seed use their task's own.
    seed = (recorded.seed or None) if recorded.framework == BARE else recorded.seed
    place = (recorded.split, recorded.index, seed, script)
    job = play_job(f"playing {recorded.label} again", [place], spec.episode.max_turns)
    records: list[Record] = one(spec, folder, job)
    known = recorded.model_dump(include={"model", "label", "split", "index"})
    return Replay(recorded, records[0].trajectory(**known))


def play_calls(
    spec: EnvSpec,
    folder: Path,
    calls: Sequence[Asked | str],
    *,
    index: int,
    split: str | None,
    seed: int | None,
) -> Trajectory:
    """Play calls on one task, in a separate process without other episodes.

    ``read_call`` parses calls that are given as text. Raises DomainError if the task does not exist, or if the
    author's code raises or never ends.
    """
    asked = [read_call(spec, call) if isinstance(call, str) else call for call in calls]
    sizes = count_tasks(spec, folder)
    chosen = split or next(iter(sizes), "")
    if not 0 <= index < sizes.get(chosen, 0):
        there = ", ".join(f"{name} (0 to {size - 1})" for name, size in sizes.items()) or "none"
        raise DomainError(f"there is no task {chosen}/{index}; the splits are: {there}")
    place = {"split": chosen, "index": index}
    script = scripted.oracle(asked)
    what = f"playing calls on {chosen}/{index}"
    job = play_job(what, [(chosen, index, seed, script)], spec.episode.max_turns)
    task, played = ask(spec, folder, [Query("task", "reading the task", place), job])
    if error := task.error or played.error:
        raise DomainError(f"{what} failed: {error}")
    records: list[Record] = played.value
    used = seed_of(task.value) if seed is None else seed
    known = {**place, "model": "typed", "label": label_episode(spec, chosen, index, used)}
    return records[0].trajectory(**known)


def read_call(spec: EnvSpec, text: str) -> Asked:
    r"""Parse a call: ``drop_piece column=3``, with words quoted as in a shell, or the tool's name followed by a JSON
    object.

    A value after ``name=`` is JSON if possible and otherwise text; for a string parameter, it is always text. A
    value after ``name:=`` is always JSON, such as a text with a line break (``'"a\nb"'``) or a number for a
    string parameter. Raises SkillToolsError for any other form.
    """
    tool, _, rest = text.strip().partition(" ")
    wrong = f"{text!r} cannot be read as a call"
    fix = (
        'write it as: drop_piece column=3, say text="two words", or drop_piece {"column": 3};\n'
        "    name:=VALUE accepts any JSON: say text:='\"one line\\nand another\"', say text:=7"
    )
    arguments: dict[str, Any] = {}
    try:
        if rest.lstrip().startswith("{"):
            return tool, json.loads(rest, strict=False)  # allows line breaks in texts
        rest = _take_nested(rest, arguments)
        pairs = [word.partition("=") for word in shlex.split(rest)]
    except ValueError as error:
        raise SkillToolsError(f"{wrong}: {error}\n    fix: {fix}") from error
    if not tool or not all(name and equals for name, equals, _ in pairs):
        raise SkillToolsError(f"{wrong}\n    fix: {fix}")
    known = spec.actions[tool].parameters if tool in spec.actions else {}
    texts = {name for name, parameter in known.items() if parameter.type in ("string", "enum")}
    for name, _, value in pairs:
        if name.endswith(":"):
            try:
                arguments[name[:-1]] = json.loads(value, strict=False)
            except ValueError as error:
                why = f"{wrong}: {name}:= requires JSON, and {value!r} is not JSON"
                raise SkillToolsError(f"{why}\n    fix: {fix}") from error
        else:
            arguments[name] = value if name in texts else _value(value)
    return tool, arguments


def _take_nested(text: str, arguments: dict[str, Any]) -> str:
    """Parse each object or list after ``name:=`` into ``arguments``, and return the rest of the text.

    Splitting these values as a shell does would drop their quotes.
    """
    reader = json.JSONDecoder(strict=False)
    while found := _NESTED.search(text):
        try:
            arguments[found[1]], end = reader.raw_decode(text, found.end())
        except ValueError:
            break
        text = text[: found.start()] + text[end:]
    return text


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
