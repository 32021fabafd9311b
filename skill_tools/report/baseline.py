"""The baseline: known findings, identified by check and place but not by wording.

A baseline is meant only to shrink. Known findings do not fail a gate, but new findings do. An entry that no
longer matches a finding is reported as fixed.
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
"""Maximum size of a baseline file in bytes: enough for 5,000 entries, which is more than anyone maintains."""
HEAD = """\
# Known findings, for `skill-tools --baseline`: only findings not listed here fail. Remove what is
# fixed, and state why the others stay. `--write-baseline` keeps your text under `why`.
"""
_PLACES = ("task", "tool", "parameter", "file")
"""The stable parts of a place; lines move with every edit."""
Key = tuple[str, ...]


class KnownFinding(BaseModel):
    """A known finding.

    Attributes:
        level: The worst level that the finding had.
        count: The number of findings of this check at this place.
        why: The maintainer's reason for accepting the finding.
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
        """Return the check and the place of the finding."""
        return (self.check, *(getattr(self, name) for name in _PLACES))

    @property
    def words(self) -> str:
        """Return the check and the place of the finding as text."""
        return one_line(" ".join(filter(None, self.key)))


class Baseline(BaseModel):
    """All known findings."""

    model_config = ConfigDict(extra="forbid")

    known: list[KnownFinding] = []


@dataclass(frozen=True)
class Compared:
    """The result of comparing a report with a baseline.

    Attributes:
        known: The reason for each known finding, keyed by its position in the report; "" if no reason was given.
        fixed: Entries of the baseline that no longer match a finding.
        unseen: Entries of the baseline that this run did not examine.
    """

    known: dict[int, str]
    fixed: list[KnownFinding]
    unseen: list[KnownFinding]


def read(file: Path) -> Baseline:
    """Read a baseline file. Raise SkillToolsError if the file is missing or invalid."""
    fix = "write a baseline with --write-baseline FILE"
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
    """Determine which findings of a report are in the baseline.

    A finding is new if it is worse than its entry, or if it exceeds the entry's count.
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
    """Return a new baseline with the findings that now fail the gate, and the old entries that are not fixed.

    Retained entries keep their reasons.
    """
    found = compare(old, report)
    entries = {each.key: each for each in old.known if each not in found.fixed}
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
    """Write the baseline in a stable order. Raise SkillToolsError if the file cannot be written."""
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
    """Return the entries that are new or have a higher count, and the entries that are gone or have a lower count."""
    before, after = ({each.key: each for each in kept.known} for kept in (old, new))
    more = [each for key, each in after.items() if each.count > _count(before.get(key))]
    less = [each for key, each in before.items() if each.count > _count(after.get(key))]
    return more, less


def told(compared: Compared, findings: Sequence[Finding]) -> Iterable[str]:
    """Yield sentences for the user about the differences between a report and its baseline."""
    if compared.known:
        count = sum(findings[position].count for position in compared.known)
        yield f"known: {count} finding{'s' * (count > 1)} listed in the baseline"
    for entry in compared.fixed:
        yield f"fixed: {entry.words}: remove it from the baseline"
    if compared.unseen:
        yield f"not examined in this run: {len(compared.unseen)} findings in the baseline"


def _key(finding: Finding) -> Key:
    return (finding.check, *(one_line(getattr(finding.place, name)) for name in _PLACES))


def _level(entry: KnownFinding | None) -> Literal["fail", "warn", "note"]:
    return entry.level if entry else "note"


def _count(entry: KnownFinding | None) -> int:
    return entry.count if entry else 0


def _left_out(entry: KnownFinding, report: Report) -> bool:
    """Return whether an entry is about a task that this run did not play."""
    split, _, index = entry.task.partition("/")
    if not (index.isdecimal() and report.split):
        return False
    splits = report.split.split(", ")
    return split not in splits or (len(splits) == 1 and int(index) >= report.tasks)
