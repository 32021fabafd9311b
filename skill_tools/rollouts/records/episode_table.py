"""An episode as a flat row. Each column has the same type, or None, in every row."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from skill_tools.errors import SkillToolsError
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.rollouts.records.conversation import Unfit, conversation

COLUMNS: dict[str, type] = {
    "environment": str,
    "framework": str,
    "model": str,
    "label": str,
    "task_id": str,
    "split": str,
    "index": int,
    "seed": int,
    "sample": int,
    "return": float,
    "best": float,
    "end": str,
    "limit": str,
    "turns": int,
    "calls": int,
    "refusals": int,
    "input_tokens": int,
    "output_tokens": int,
    "seconds": float,
    "finish_reason": str,
    "server_model": str,
    "server_url": str,
    "sampling": str,
    "failure": str,
    "messages": str,
}
"""The columns' names and types; ``task_id`` is JSON unless it is text, ``sampling`` and ``messages`` are JSON."""


def as_table(lines: Iterable[Trajectory]) -> tuple[dict[str, type], list[dict[str, Any]]]:
    """Return the columns and rows of a table of episodes. The columns are COLUMNS and one column per metric."""
    found = list(lines)
    metrics = dict.fromkeys(name for line in found for name in line.metrics or ())
    rows = [as_row(line) | {m: (line.metrics or {}).get(m) for m in metrics} for line in found]
    return COLUMNS | dict.fromkeys(metrics, float), rows


def as_row(line: Trajectory) -> dict[str, Any]:
    """Return an episode's row. Turns, tokens and finish reason are None if no model server was queried."""
    row = {
        **{name: getattr(line, name, None) for name in COLUMNS},
        "task_id": line.task_id if isinstance(line.task_id, str | None) else _json(line.task_id),
        "return": line.total,
        "best": line.most,
        "turns": len(line.turns) if line.messages else None,
        "calls": len(line.steps),
        "refusals": sum(step.error is not None for step in line.steps),
        "input_tokens": _sum(line.turns, "input_tokens"),
        "output_tokens": _sum(line.turns, "output_tokens"),
        "finish_reason": line.turns[-1].get("finish_reason") if line.turns else None,
        "server_model": line.server.get("model"),
        "server_url": line.server.get("url"),
        "sampling": _json(line.sampling),
        "failure": line.failure.message if line.failure else None,
        "messages": _json(_messages(line)),
    }
    return {name: None if row[name] is None else kind(row[name]) for name, kind in COLUMNS.items()}


def as_parquet(
    rows: Iterable[Mapping[str, Any]], columns: Mapping[str, type] | None = None
) -> bytes:
    """Return rows as a Parquet file, with the given columns or, by default, the columns of the rows.

    Raises SkillToolsError if pyarrow is not installed.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise SkillToolsError(
            "a Parquet file needs pyarrow, which is not installed next to skill-tools\n"
            "    fix: install it there (pip install pyarrow), or name a file that ends with .jsonl"
        ) from error
    kinds = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64()}
    named = [(name, kinds[kind]) for name, kind in (columns or {}).items()]
    schema = pyarrow.schema(named) if named else None
    file = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(list(rows), schema=schema), file)
    return file.getvalue()


def _messages(line: Trajectory) -> list[dict[str, Any]]:
    """Return the recorded messages with pictures as references. If no messages were recorded, build them from the
    steps, or return [] if this is not possible.
    """
    if line.messages:
        return line.messages
    try:
        return conversation(line)
    except Unfit:
        return []


def _sum(turns: Sequence[Mapping[str, Any]], name: str) -> int | None:
    """Return the sum of a token count over turns, or None if no server counted tokens."""
    counts = [turn["usage"][name] for turn in turns if name in (turn.get("usage") or {})]
    return sum(counts) if counts else None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
