"""The evidence of the corpus, kept outside the repository, so that a changed rule can be tried without playing.

The evidence is in the cache of skill-tools (SKILL_TOOLS_CACHE), in a folder for each environment. A run
that was cut off therefore continues, and new evidence replaces the old evidence.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from corpora.mutants.corpus import Mutant, Seen, copy_environment, found, judge
from skill_tools.checks import Finding
from skill_tools.errors import SkillToolsError
from skill_tools.evidence import saved
from skill_tools.files import write_whole
from skill_tools.runtime import places
from tests.conftest import ROOT

PLAYS = (
    *("spec", "frameworks", "backends", "render", "runtime", "evidence", "policies"),
    *("reference", "worker", "graders", "probes", "rollouts"),
)
"""Rooms whose code decides what is seen; a rule, or what is said of it, decides nothing of that."""
_SUFFIX, _STOPPED = ".json.gz", ".stopped.txt"


@dataclass(frozen=True)
class Result:
    """The findings for one mutant or control, and the fingerprint of the code that played it."""

    name: str
    findings: tuple[Finding, ...]
    code: str = ""
    mutant: Mutant | None = None

    @property
    def status(self) -> str:
        """The worst status of the findings: fail, warn, or "" if there are no findings."""
        kinds = {finding.status for finding in self.findings}
        return "fail" if "fail" in kinds else "warn" if kinds else ""

    @property
    def checks(self) -> list[str]:
        """The checks with findings, in the order of the report."""
        return list(dict.fromkeys(finding.check for finding in self.findings))

    @property
    def ids(self) -> str:
        """The checks with findings as one text. A check that only warns has a question mark."""
        worst = {f.check: f.status for f in sorted(self.findings, key=lambda f: f.status == "fail")}
        return " ".join(each + ("" if worst[each] == "fail" else "?") for each in self.checks)

    @property
    def named(self) -> bool:
        """Whether at least one check with findings names the cause of the defect."""
        return bool(self.mutant and set(self.checks) & set(self.mutant.finds))

    @property
    def named_first(self) -> bool:
        """Whether the first check with findings names the cause of the defect."""
        return bool(self.mutant and self.checks and self.checks[0] in self.mutant.finds)


def keep(work: Mutant | Path, seen: Seen) -> None:
    """Keep the evidence of a mutant or control, in place of its earlier evidence."""
    # A folder of its own, because writing evidence drops all other pictures next to the file.
    folder = _folder() / work.name
    folder.mkdir(parents=True, exist_ok=True)
    before = list(folder.glob(f"{work.name}@*"))
    name = f"{work.name}@{files_key(work)}@{code_key()}"
    if seen.stopped:
        fresh = folder / (name + _STOPPED)
        write_whole(fresh, seen.stopped)
    else:
        fresh = folder / (name + _SUFFIX)
        saved.write(fresh, seen.evidence)
    for path in before:
        if path != fresh:
            path.unlink(missing_ok=True)


def read_kept(work: Mutant | Path, *, any_code: bool = False) -> tuple[Seen, str] | None:
    """Return the kept evidence of a mutant or control with its current files, and the code that played it.

    Return None if there is no such evidence. Evidence from other code counts only with ``any_code``.
    """
    code = "*" if any_code else code_key()
    for path in (_folder() / work.name).glob(f"{work.name}@{files_key(work)}@{code}.*"):
        code = path.name.split("@")[2].partition(".")[0]
        if path.name.endswith(_STOPPED):
            return Seen([], path.read_text("utf-8")), code
        try:
            return Seen(saved.read(path)), code
        except SkillToolsError:  # of another format: as if it were not there
            continue
    return None


def judge_kept(work: Mutant | Path, any_code: bool = False) -> Result | None:
    """Return the result from kept evidence, or None if the environment has to be played."""
    if (kept := read_kept(work, any_code=any_code)) is None:
        return None
    seen, code = kept
    result = as_result(work, seen, code)
    # What was red at first sight was not played; if it is no longer, that is to be done.
    return result if seen.played or result.status == "fail" else None


def as_result(work: Mutant | Path, seen: Seen, code: str) -> Result:
    """Return the result of judging the evidence, without the episodes that show the findings."""
    findings = tuple(replace(each, shown=None) for each in found(judge(seen)))
    return Result(work.name, findings, code, work if isinstance(work, Mutant) else None)


def files_key(work: Mutant | Path) -> str:
    """Return a fingerprint of the files of a mutant or control."""
    if isinstance(work, Path):
        return _hash_files(work)
    change = json.dumps([work.edits, *([] if work.examples else ["no examples"])], sort_keys=True)
    return _short(f"{_environment_key(work.on)}\n{change}".encode())


@cache
def code_key() -> str:
    """Return a fingerprint of the code that plays environments."""
    texts = [_hash_files(ROOT / "skill_tools" / room) for room in PLAYS]
    return _short("\n".join(texts).encode())


@cache
def _environment_key(name: str) -> str:
    with tempfile.TemporaryDirectory(prefix="skill-tools-mutant-") as scratch:
        copy_environment(name, Path(scratch) / "environment")
        return _hash_files(Path(scratch) / "environment")


def _hash_files(folder: Path) -> str:
    lines = [
        f"{path.relative_to(folder).as_posix()} {_short(path.read_bytes())}"
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {"runs", "__pycache__"} & set(path.relative_to(folder).parts)
    ]
    return _short("\n".join(lines).encode())


def _short(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _folder() -> Path:
    return places.place("cache") / "mutants"
