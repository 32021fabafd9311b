"""What was seen of the corpus, kept outside of the repository: a change of a rule is judged, and plays nothing.

It lies in the cache of skill-tools (SKILL_TOOLS_CACHE), one file for each environment: a run that was
cut goes on, and what is played again replaces what was there.
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
    """What was found of one mutant or control, which was played by the code of a fingerprint."""

    name: str
    findings: tuple[Finding, ...]
    code: str = ""
    mutant: Mutant | None = None

    @property
    def status(self) -> str:
        """The worst that was found: fail, warn or nothing."""
        kinds = {finding.status for finding in self.findings}
        return "fail" if "fail" in kinds else "warn" if kinds else ""

    @property
    def checks(self) -> list[str]:
        """The checks that found something, in the order in which they are told."""
        return list(dict.fromkeys(finding.check for finding in self.findings))

    @property
    def ids(self) -> str:
        """The same as one text, those that only warn with a question mark."""
        worst = {f.check: f.status for f in sorted(self.findings, key=lambda f: f.status == "fail")}
        return " ".join(each + ("" if worst[each] == "fail" else "?") for each in self.checks)

    @property
    def named(self) -> bool:
        """Whether a check that names the cause is among those that found something."""
        return bool(self.mutant and set(self.checks) & set(self.mutant.finds))

    @property
    def named_first(self) -> bool:
        """Whether what is told first names the cause."""
        return bool(self.mutant and self.checks and self.checks[0] in self.mutant.finds)


def keep(work: Mutant | Path, seen: Seen) -> None:
    """Keep what was seen of a mutant or control, in place of what was seen of it before."""
    folder = _folder()
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
    """What is kept of a mutant or control as its files are now, and the code that saw it.

    None where nothing is, or only what other code saw, unless ``any_code`` will do.
    """
    code = "*" if any_code else code_key()
    for path in _folder().glob(f"{work.name}@{files_key(work)}@{code}.*"):
        code = path.name.split("@")[2].partition(".")[0]
        if path.name.endswith(_STOPPED):
            return Seen([], path.read_text("utf-8")), code
        try:
            return Seen(saved.read(path)), code
        except SkillToolsError:  # of another format: as if it were not there
            continue
    return None


def judge_kept(work: Mutant | Path, any_code: bool = False) -> Result | None:
    """What is found of what is kept; None where it has to be played."""
    if (kept := read_kept(work, any_code=any_code)) is None:
        return None
    seen, code = kept
    result = as_result(work, seen, code)
    # What was red at first sight was not played; if it is no longer, that is to be done.
    return result if seen.played or result.status == "fail" else None


def as_result(work: Mutant | Path, seen: Seen, code: str) -> Result:
    """What is found of what was seen, without the episodes that show it."""
    findings = tuple(replace(each, shown=None) for each in found(judge(seen)))
    return Result(work.name, findings, code, work if isinstance(work, Mutant) else None)


def files_key(work: Mutant | Path) -> str:
    """A fingerprint of the files of a mutant or control."""
    if isinstance(work, Path):
        return _hash_files(work)
    change = json.dumps([work.edits, *([] if work.examples else ["no examples"])], sort_keys=True)
    return _short(f"{_environment_key(work.on)}\n{change}".encode())


@cache
def code_key() -> str:
    """A fingerprint of the code that plays."""
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
