"""Size limits for the library's results: no result of an MCP tool exceeds 10,000 bytes of JSON.

Clients cut longer results in the middle, or refuse them. Lists are paged, long texts are clipped
with a note of the missing part, and ``within`` enforces the limit as a last resort.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from skill_tools.errors import SkillToolsError, SpecError

LIMIT = 10_000
"""Maximum bytes of JSON, in the most wasteful of the common encodings."""
LONG = 2500
"""Maximum bytes of an important text: a result has room for three or four."""
SHORT = 600
"""Maximum bytes of a secondary text, such as a title or a path."""
LONGEST_ERROR = 3500
"""Maximum bytes of an error message, which often lists several problems."""
MOST_STEPS = 5000
"""Maximum steps of a rollout to keep for reading."""
_Answer = TypeVar("_Answer", bound=BaseModel | dict[str, Any])
_Item = TypeVar("_Item")
_HARDER = ((2000, 100), (600, 50), (300, 30), (150, 20), (60, 10), (30, 5), (10, 2))
"""Limits for text bytes and list items, applied in turn until a result fits."""


def size(value: Any) -> int:
    """Return the size of a result, or of plain data, as JSON in bytes."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json")
    return len(json.dumps(value))


def clip(text: str, most: int, *, end: bool = False) -> str:
    """Return the start (or, with ``end``, the end) of a text, with a note of the missing part.

    The result has at most ``most`` bytes as JSON.
    """
    # A lone surrogate, as in broken output, has no UTF-8.
    text = text.encode("utf-8", "replace").decode("utf-8")
    if len(text) <= most and size(text) <= most:
        return text
    low, high = 0, min(len(text), most)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if size(_cut(text, middle, end)) <= most else (low, middle - 1)
    return _cut(text, low, end)


def _cut(text: str, kept: int, end: bool) -> str:
    note = f"[{len(text) - kept} more characters]"
    return f"{note} ... {text[len(text) - kept :]}" if end else f"{text[:kept]} ... {note}"


def page(
    items: Sequence[_Item],
    offset: int,
    limit: int,
    make: Callable[[Sequence[_Item], int | None], _Answer],
) -> _Answer:
    """Return the result of ``make`` for as many items as fit, starting from ``offset``.

    ``make`` receives the items and the next offset; the offset is None on the last page. Raises SkillToolsError for an
    offset past the end.
    """
    if offset and offset >= len(items):
        last = f"the last offset is {len(items) - 1}" if items else "there are no entries"
        raise SkillToolsError(f"offset {offset} is past the end: {last}; start again with offset 0")
    most = min(limit, len(items) - offset)

    def fits(count: int) -> bool:
        return size(_page(items, offset, count, make)) <= LIMIT

    # The longest page that fits, with at least one item, so that a caller can get past it. Found
    # from below: an answer holds little, while the list may be very long.
    low, high = min(1, most), min(2, most)
    while high < most and fits(high):
        low, high = high, min(2 * high, most)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return _page(items, offset, low, make)


def _page(
    items: Sequence[_Item],
    offset: int,
    count: int,
    make: Callable[[Sequence[_Item], int | None], _Answer],
) -> _Answer:
    until = offset + count
    return make(items[offset:until], until if until < len(items) else None)


def lines_of(text: str) -> list[str]:
    """Return the lines of a file with their line ends; lines longer than a page are clipped."""
    return [clip(line, LIMIT // 2) for line in text.splitlines(keepends=True)]


def within(answer: _Answer) -> _Answer:
    """Return the result, or a version with shorter texts and lists that does not exceed LIMIT.

    Raises SkillToolsError if even the shortened version is too long.
    """
    if size(answer) <= LIMIT:
        return answer
    data = answer.model_dump(mode="json") if isinstance(answer, BaseModel) else answer
    for text, items in _HARDER:
        shorter = _shortened(data, text, items)
        if size(shorter) <= LIMIT:
            return type(answer)(**shorter)
    raise SkillToolsError("the answer is too long even with shortened parts; request fewer entries")


def _shortened(value: Any, text: int, items: int) -> Any:
    if isinstance(value, str):
        return clip(value, text)
    if isinstance(value, list):
        return [_shortened(item, text, items) for item in value[:items]]
    if isinstance(value, dict):
        return {key: _shortened(item, text, items) for key, item in list(value.items())[:items]}
    return value


def plain(value: Any, most: int = LONG) -> Any:
    """Return a result of the library as JSON data, with long texts clipped and numbers rounded.

    Infinities and NaN become null.
    """
    if isinstance(value, BaseModel):
        fields = type(value).model_fields.items()
        return {field.alias or name: plain(getattr(value, name), most) for name, field in fields}
    if is_dataclass(value):
        return plain(vars(value), most)
    if isinstance(value, str):
        return clip(value, most)
    if isinstance(value, float):
        return round(value, 4) if isfinite(value) else None
    if isinstance(value, Mapping):
        return {clip(str(key), SHORT): plain(item, most) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, most) for item in value]
    return str(value) if isinstance(value, Path) else value


def plain_report(report: Any) -> dict[str, Any]:
    """Return a Report as plain data, with all findings except passed ones, the worst first.

    All skipped checks form one finding, with a line per reason; report.md has the details. The limit is low because
    some clients cut a result of 8,000 characters, and the result is sent twice, as text and as structured content.
    """
    findings = _reported(report.findings)
    skipped: dict[str, list[str]] = {}
    for finding in report.findings:
        if finding.status == "skip":
            skipped.setdefault(finding.message, []).append(finding.check)
    if skipped:
        lines = "\n".join(f"{', '.join(checks)}: {why}" for why, checks in skipped.items())
        count = sum(map(len, skipped.values()))
        findings.append(
            {"check": f"{count} checks", "status": "skip", "message": clip(lines, SHORT)}
        )
    data = plain(report.model_copy(update={"findings": []}), SHORT)
    for row, variant in zip(data["variants"], report.variants, strict=True):
        row["broken"] = clip(variant.broken, SHORT, end=True)
    untold = [name for name in _OF_AUDITS if name in data]
    untold += [name for name in _IF_ANY if name in data and not data[name]]
    return {**{k: v for k, v in data.items() if k not in untold}, "findings": findings}


_OF_AUDITS = ("audited", "not_for_audits")
"""Fields of a report that do not apply to environments that skill-tools renders."""
_IF_ANY = ("ported", "unjudged", "measures")
"""Fields that are included only if they are not empty."""


def _reported(findings: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the findings that need action or are declared exceptions, the worst first."""
    order = ("fail", "warn", "note", "excepted")
    return [_plain_finding(f) for status in order for f in findings if f.status == status]


def _plain_finding(finding: Any) -> dict[str, Any]:
    """Return a finding without empty fields, without a ``count`` of 1, and without its episode (see ``replay``)."""
    data = plain(replace(finding, shown=None, count=finding.count if finding.count > 1 else 0))
    data["place"] = {key: value for key, value in data["place"].items() if value}
    return {key: value for key, value in data.items() if value}


_IN_THE_PAGE = ("by_task", "models")
"""Fields of a study that an MCP result omits, because the HTML page shows them."""


def plain_study(study: Any) -> dict[str, Any]:
    """Return a Study as plain data, without its rows of tasks and with only the best blind players."""
    best = sorted(study.lazy, key=lambda each: -each.mean)[:3]
    short = study.model_copy(update={"lazy": best, "by_task": [], "models": [], "findings": []})
    data: dict[str, Any] = plain(short, SHORT)
    for name in _IN_THE_PAGE:
        del data[name]
    data["findings"] = _reported(study.findings)
    rungs = {curve["level"]: curve for curve in data.pop("curves")}
    data["curves"] = {
        level: {f"{rung['epsilon']:g}": rung["mean"] for rung in curve["rungs"]}
        for level, curve in rungs.items()
    }
    return data


_IN_THE_FILE = ("tools", "messages", "turns")
"""Fields of a trajectory that an MCP result omits, because the trajectories' file has them."""


def plain_episodes(played: Sequence[Any]) -> list[dict[str, Any]]:
    """Return trajectories without the tools' schemas, with at most MOST_STEPS steps in total.

    Conversations are left out, because they repeat the steps and some clients cut a result of 8,000 characters; they
    remain in the file.
    """
    left, episodes = MOST_STEPS, []
    for trajectory in played:
        emptied: dict[str, list[Any]] = {name: [] for name in ("steps", *_IN_THE_FILE)}
        head = plain(trajectory.model_copy(update=emptied))
        for name in _IN_THE_FILE:
            del head[name]
        steps = [_plain_step(step) for step in trajectory.steps[:left]]
        episodes.append({**head, "steps": steps})
        left -= len(steps)
    return episodes


def _plain_step(step: Any) -> dict[str, Any]:
    arguments = step.arguments
    if size(arguments) > LONG or not _is_json(arguments):
        arguments = clip(json.dumps(arguments), LONG)
    shown = {"arguments": arguments, "observation": clip(step.text, LONG)}
    rest = step.model_copy(update={"arguments": None, "observation": []})
    return {**plain(rest, SHORT), **shown}


def _is_json(value: Any) -> bool:
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except ValueError:
        return False
    return True


def word(error: SkillToolsError) -> str:
    """Return the message of an expected error as an MCP client sees it: the problem, and the tool to call next."""
    text = clip(str(error), LONGEST_ERROR)
    if isinstance(error, SpecError) and len(error.problems) > 3:
        some = clip("\n".join(map(str, error.problems[:3])), LONGEST_ERROR)
        text = f"{some}\nand {len(error.problems) - 3} more: call check_spec, which lists all"
    elif (remedy := error.remedy) and remedy.verb == "render":
        more = f", frameworks={list(remedy.frameworks)}" if remedy.frameworks else ""
        more += ", force=true" if remedy.force else ""
        text += f"; call render_env with env_path={str(remedy.folder)!r}{more}"
    elif remedy:
        text += "; read_exemplar shows files to start from"
    return text
