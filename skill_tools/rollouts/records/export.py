"""Export trajectories as data for training and statistics, as JSON lines or rows."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from skill_tools.errors import SkillToolsError, nearest
from skill_tools.evidence.trajectory import Trajectory, read
from skill_tools.files import write_whole
from skill_tools.rollouts.records.conversation import (
    ArgumentsForm,
    Unfit,
    acts_in_text,
    conversation,
)
from skill_tools.rollouts.records.episode_table import as_parquet, as_table
from skill_tools.rollouts.records.rewards import of_messages
from skill_tools.rollouts.records.tokens import rows as token_rows

Kind = Literal["sft", "preferences", "tokens", "table"]
KINDS: tuple[Kind, ...] = get_args(Kind)
FORMS: tuple[ArgumentsForm, ...] = get_args(ArgumentsForm)
LEAST = 1e-9
"""Returns that differ by less are equal."""
PARQUET = ".parquet"
Row = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True)
class Exported:
    """The result of an export.

    Attributes:
        output: The file; None if no row was written.
        episodes: Number of episodes in the rows.
        left_out: Number of episodes that are not in the rows, keyed by reason.
    """

    kind: Kind
    output: Path | None
    rows: int
    episodes: int
    left_out: dict[str, int] = field(default_factory=dict)


# One parameter per option of the command, all described in the docstring.
def export(
    kind: Kind,
    files: Iterable[Path | str],
    output: Path | str,
    *,
    models: Sequence[str] = (),
    min_return: float | None = None,
    keep_refused: bool = False,
    arguments: ArgumentsForm | None = None,
) -> Exported:
    """Write data made from trajectory files to a new file, completely or not at all.

    - ``sft``: a conversation per line, ``{"messages", "tools", "rewards"}`` in OpenAI's chat form, for episodes
      with a return of at least ``min_return``. The default is the maximum of the episode's task. If this maximum
      is not recorded, the default is the highest return of any episode on the same task, if that return is above
      0. Episodes with a refused call are left out unless ``keep_refused`` is set. The reason is that each message
      is an example, and a refused call is an example of a mistake.
    - ``preferences``: ``{"prompt", "chosen", "rejected", "tools"}``, pairs of episodes with the same task, seed
      and opening and with different returns. The best episode is paired with the worst, the second best with the
      second worst, and so on. An episode is in at most one pair. ``chosen_rewards`` and ``rejected_rewards`` are
      the rewards of the two episodes.
    - ``tokens``: ``{"ids", "mask", "logprobs", "rewards", "return", "group"}`` and the episode's identity, a row
      for each run of tokens, for policy gradients. Episodes of one group have the same task, seed and opening.
      The rows cover every scored episode for which the server reported tokens.
    - ``table``: a flat row per episode, including failed episodes, with a column for each metric. The file is
      Parquet if ``output`` has that suffix.

    ``rewards`` has one number for each message of the model, and the numbers add up to the return. In ``tokens``,
    the number is at the last token of each message, and all other tokens have 0. ``rewards`` is None if the file
    does not record which steps a message made. ``arguments`` is the form of a call's arguments in ``sft`` and
    ``preferences``: ``object`` (default), which most chat templates need, or ``text``, which OpenAI's API uses
    and DeepSeek V3's template needs.

    ``models`` are the models or policies whose episodes count; if it is empty, all episodes count. An episode
    with a call whose arguments are not a JSON object is not exported as a conversation. Raises RolloutError, with
    the line, for a line that is not a trajectory. Raises SkillToolsError if ``output`` exists or an option does
    not apply.
    """
    output = Path(output)
    _check(kind, output, min_return, keep_refused, arguments)
    found = [line for file in files for line in read(Path(file))]
    known = sorted({line.model for line in found})
    for name in models:
        if name not in known:
            raise SkillToolsError(
                f"no episode was played by the model {name!r}{nearest(name, known)}"
            )
    found = [line for line in found if not models or line.model in models]
    left_out: Counter[str] = Counter()
    columns: dict[str, type] = {}
    if kind == "table":
        columns, rows = as_table(found)
    elif kind == "sft":
        rows = list(_examples(found, min_return, keep_refused, arguments or "object", left_out))
    elif kind == "tokens":
        rows = list(_sequences(found, left_out))
    else:
        rows = list(_pairs(found, arguments or "object", left_out))
    if not rows:
        return Exported(kind, None, 0, len(found), dict(left_out))
    if output.suffix == PARQUET:
        data: str | bytes = as_parquet(rows, columns)
    else:
        data = "".join(json.dumps(row, allow_nan=False) + "\n" for row in rows)
    try:
        write_whole(output, data)
    except OSError as error:
        raise SkillToolsError(f"{output} cannot be written: {error.strerror or error}") from error
    return Exported(kind, output, len(rows), len(found), dict(left_out))


def _check(
    kind: str, output: Path, min_return: float | None, keep_refused: bool, arguments: str | None
) -> None:
    if kind not in KINDS:
        raise SkillToolsError(f"there is no export {kind!r}{nearest(kind, KINDS)}")
    if kind != "sft" and (min_return is not None or keep_refused):
        raise SkillToolsError("a minimum return and refused calls can only be set for sft")
    if arguments is not None and arguments not in FORMS:
        raise SkillToolsError(
            f"arguments cannot be written as {arguments!r}{nearest(arguments, FORMS)}"
        )
    if arguments is not None and kind not in ("sft", "preferences"):
        raise SkillToolsError("the format of arguments can only be set for sft and preferences")
    if output.exists() or output.is_symlink():
        raise SkillToolsError(f"{output} exists\n    fix: name a new file, or move this one")
    if output.suffix == PARQUET and kind != "table":
        raise SkillToolsError(
            f"{kind} is written as JSON lines\n    fix: name the file {output.with_suffix('.jsonl')}"
        )


def _task(line: Trajectory) -> tuple[Any, ...]:
    """Return an episode's task and seed, which do not depend on the player."""
    name = line.label.removesuffix(f"#{line.sample}") if line.sample else line.label
    return (line.environment or name.partition("/")[0], line.split, line.index, name, line.seed)


def _good_enough(
    found: Sequence[Trajectory], min_return: float | None
) -> Callable[[Trajectory], bool]:
    """Return a function that decides whether a scored episode is a good example; see ``export``."""
    best: dict[tuple[Any, ...], float] = defaultdict(float)
    for line in found:
        best[_task(line)] = max(best[_task(line)], line.total or 0.0)

    def good(line: Trajectory) -> bool:
        paid = line.total or 0.0
        if min_return is not None:
            return paid >= min_return - LEAST
        if line.most is not None:
            return paid >= line.most - LEAST
        return paid > LEAST and paid >= best[_task(line)] - LEAST

    return good


def _examples(
    found: Sequence[Trajectory],
    min_return: float | None,
    keep_refused: bool,
    arguments: ArgumentsForm,
    left_out: Counter[str],
) -> Iterator[Row]:
    good = _good_enough(found, min_return)
    example = partial(_example, arguments=arguments)
    said = set()
    for line in found:
        if line.total is None or line.end == "failed":
            left_out["failed: no score"] += 1
        elif not good(line):
            left_out["its return is too low"] += 1
        elif line.end == "cut_off" or any(turn.get("cut") for turn in line.turns):
            left_out["a message that was cut off"] += 1
        elif not keep_refused and any(step.error for step in line.steps):
            left_out["a refused call"] += 1
        elif (row := _fit(line, example, left_out)) is None:
            continue
        elif (text := json.dumps(_without_ids(row))) in said:
            left_out["the same conversation as another episode"] += 1
        else:
            said.add(text)
            yield row


def _sequences(found: Sequence[Trajectory], left_out: Counter[str]) -> Iterator[Row]:
    for line in found:
        if line.total is None or line.end == "failed":
            left_out["failed: no score"] += 1
            continue
        opened = line.turns[0].get("tokens", {}).get("prompt_ids") if line.turns else None
        group = json.dumps([line.model, line.framework, _task(line), opened])
        name = hashlib.sha256(group.encode()).hexdigest()[:16]
        yield from _fit(line, partial(token_rows, group=name), left_out) or ()


def _without_ids(row: Row) -> Any:
    """Return a row without the ids that servers assign arbitrarily."""
    messages = [{k: v for k, v in m.items() if k != "tool_call_id"} for m in row["messages"]]
    for message in messages:
        if calls := message.get("tool_calls"):
            message["tool_calls"] = [call["function"] for call in calls]
    return messages, row["tools"]


def _pairs(
    found: Sequence[Trajectory], arguments: ArgumentsForm, left_out: Counter[str]
) -> Iterator[Row]:
    groups: dict[str, list[tuple[float, Row]]] = defaultdict(list)
    for line in found:
        if line.total is None or line.end == "failed":
            left_out["failed: no score"] += 1
        elif row := _fit(line, partial(_example, arguments=arguments), left_out):
            place = [_task(line), row["messages"][: line.opened], row["tools"]]
            groups[json.dumps(place)].append((line.total, row))
    for shared, several in groups.items():
        opened = len(json.loads(shared)[1])
        several.sort(key=lambda each: -each[0])
        pairs = zip(several[: len(several) // 2], several[::-1], strict=False)
        better = [(a, b) for (more, a), (less, b) in pairs if more - less > LEAST]
        if left := len(several) - 2 * len(better):
            left_out["no episode with the same task and opening has a different return"] += left
        yield from (_pair(opened, *pair) for pair in better)


def _pair(opened: int, chosen: Row, rejected: Row) -> Row:
    sides = {"chosen": chosen, "rejected": rejected}
    messages = {name: side["messages"][opened:] for name, side in sides.items()}
    rewards = {f"{name}_rewards": side["rewards"] for name, side in sides.items()}
    return {"prompt": chosen["messages"][:opened], **messages, "tools": chosen["tools"], **rewards}


def _example(line: Trajectory, arguments: ArgumentsForm) -> Row:
    tools = [] if acts_in_text(line) else line.tools
    offered = [{"type": "function", "function": tool} for tool in tools]
    messages = conversation(line, arguments)
    count = sum(message["role"] == "assistant" for message in messages[line.opened :])
    return {"messages": messages, "tools": offered, "rewards": of_messages(line, count)}


def _fit(line: Trajectory, make: Callable[[Trajectory], T], left_out: Counter[str]) -> T | None:
    try:
        return make(line)
    except Unfit as why:
        left_out[str(why)] += 1
        return None
