"""The baseline: findings that are known, by check and place and not by wording.

It is a file that only shrinks: what it knows does not fail a gate, what is new does, and an entry
that nothing matches any more is reported as fixed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from skill_tools.checks import Finding
from skill_tools.errors import SkillToolsError
from skill_tools.files import write_whole
from skill_tools.report.gate import LEVELS, Gate
from skill_tools.report.model import Report
from skill_tools.report.plain_text import one_line

LARGEST = 1_000_000
"""Bytes of a baseline that is read: 5,000 entries, which nobody would keep."""
HEAD = """\
# Findings that are known, of `skill-tools --baseline`: they fail nothing, new ones do. Take out what is
# fixed, and say why the others stay. `--write-baseline` keeps what you write under `why`.
"""
_PLACES = ("task", "tool", "parameter", "file")
"""What of a place is stable; lines move with every edit."""
Key = tuple[str, ...]


class KnownFinding(BaseModel):
    """A finding that is known: its check, the worst level it had, and its place.

    count: how many findings of this check are at this place. why: of whoever keeps the file.
    """

    model_config = ConfigDict(extra="forbid", coerce_numbers_to_str=False)

    check: str
    level: Literal["fail", "warn", "note"]
    task: str = ""
    tool: str = ""
    parameter: str = ""
    file: str = ""
    count: int = Field(1, ge=1)
    why: str = ""

    @property
    def key(self) -> Key:
        """The check and the place."""
        return (self.check, *(getattr(self, name) for name in _PLACES))

    @property
    def words(self) -> str:
        """The same, for a reader."""
        return one_line(" ".join(filter(None, self.key)))


class Baseline(BaseModel):
    """All that is known."""

    model_config = ConfigDict(extra="forbid")

    known: list[KnownFinding] = []


@dataclass(frozen=True)
class Compared:
    """A report next to a baseline.

    known: why a finding is known, by its position in the report; "" where nobody said why. fixed:
    entries that nothing matches any more. unseen: entries of what was not looked at this time.
    """

    known: dict[int, str]
    mended: list[KnownFinding]
    unseen: list[KnownFinding]


def read(file: Path) -> Baseline:
    """The baseline of a file; raises SkillToolsError where there is none, or it is something else."""
    fix = "write one with --write-baseline FILE"
    try:
        if file.stat().st_size > LARGEST:
            raise SkillToolsError(f"{file} has over {LARGEST:,} bytes\n    fix: {fix}")
        loaded = YAML(typ="safe", pure=True).load(file.read_text("utf-8"))
        found = Baseline.model_validate(loaded or {})
    except FileNotFoundError:
        raise SkillToolsError(f"there is no baseline {file}\n    fix: {fix}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise SkillToolsError(
            f"{file} is not a baseline: {where}: {first['msg']}\n    fix: correct it, or {fix}"
        ) from None
    except (YAMLError, UnicodeDecodeError, ValueError, OSError) as error:
        raise SkillToolsError(
            f"{file} cannot be read as YAML: {one_line(str(error))}\n    fix: correct it, or {fix}"
        ) from None
    return found


def compare(baseline: Baseline, report: Report) -> Compared:
    """What of a report the baseline knows.

    A finding worse than its entry is new, and so are more of them than the entry counts.
    """
    entries = {each.key: each for each in baseline.known}
    left = {key: each.count for key, each in entries.items()}
    known, met = {}, set()
    for position, finding in enumerate(report.findings):
        entry = entries.get(_key(finding)) if finding.status in LEVELS else None
        if entry is None or LEVELS.index(finding.status) < LEVELS.index(entry.level):
            continue
        met.add(entry.key)
        if (size := finding.count) <= left[entry.key]:
            left[entry.key] -= size
            known[position] = entry.why
    looked = {each.check for each in report.findings if each.status != "skip"}
    missing = [each for each in entries.values() if each.key not in met]
    there = [each for each in missing if each.check in looked and not _left_out(each, report)]
    return Compared(known, there, [each for each in missing if each not in there])


def grown(old: Baseline, report: Report, gate: Gate) -> Baseline:
    """The baseline of a report: what its gate counts, and what it was not looked at this time.

    Of what stays, the reasons are kept.
    """
    found = compare(old, report)
    entries = {each.key: each for each in old.known if each not in found.mended}
    sizes: dict[Key, int] = {}
    for finding in report.findings:
        if gate.counts(finding) or (_key(finding) in entries and finding.status in LEVELS):
            key = _key(finding)
            sizes[key] = sizes.get(key, 0) + finding.count
            level = min(finding.status, _level(entries.get(key)), key=LEVELS.index)
            why = entries[key].why if key in entries else ""
            places = {name: one_line(getattr(finding.place, name)) for name in _PLACES}
            entries[key] = KnownFinding(
                check=finding.check, level=level, **places, count=sizes[key], why=why
            )
    return Baseline(known=sorted(entries.values(), key=lambda each: each.key))


def write(file: Path, baseline: Baseline) -> None:
    """Write it, in an order that does not change; raises SkillToolsError where it cannot be."""
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style, yaml.allow_unicode, yaml.width = False, True, 10_000
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]  # it says None for unset
    rows = [
        {k: v for k, v in each.model_dump().items() if k == "why" or v not in ("", 1)}
        for each in baseline.known
    ]
    stream = StringIO()
    yaml.dump({"known": rows}, stream)
    try:
        write_whole(file, HEAD + stream.getvalue())
    except OSError as error:
        raise SkillToolsError(
            f"{file} cannot be written: {error.strerror}\n    fix: name a file in a folder that you can write to"
        ) from None


def difference(old: Baseline, new: Baseline) -> tuple[list[KnownFinding], list[KnownFinding]]:
    """The entries that are new or count more, and those that are gone or count less."""
    before, after = ({each.key: each for each in kept.known} for kept in (old, new))
    more = [each for key, each in after.items() if each.count > _count(before.get(key))]
    less = [each for key, each in before.items() if each.count > _count(after.get(key))]
    return more, less


def told(compared: Compared, findings: Sequence[Finding]) -> Iterable[str]:
    """What a reader is told of a baseline, a line each."""
    if compared.known:
        count = sum(findings[position].count for position in compared.known)
        yield f"known: {count} finding{'s' * (count > 1)} listed in the baseline"
    for entry in compared.mended:
        yield f"fixed: {entry.words}: remove it from the baseline"
    if compared.unseen:
        yield f"not examined this time: {len(compared.unseen)} findings of the baseline"


def _key(finding: Finding) -> Key:
    return (finding.check, *(one_line(getattr(finding.place, name)) for name in _PLACES))


def _level(entry: KnownFinding | None) -> Literal["fail", "warn", "note"]:
    return entry.level if entry else "note"


def _count(entry: KnownFinding | None) -> int:
    return entry.count if entry else 0


def _left_out(entry: KnownFinding, report: Report) -> bool:
    """Whether an entry is of a task that was not played this time."""
    split, _, index = entry.task.partition("/")
    if not (index.isdecimal() and report.split):
        return False
    splits = report.split.split(", ")
    return split not in splits or (len(splits) == 1 and int(index) >= report.tasks)
