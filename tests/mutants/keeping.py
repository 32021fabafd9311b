"""What was found of the corpus, kept in a file: a run that was cut goes on, a small change plays a part."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from skill_tools.checks import Finding
from skill_tools.checks.order import by_cause
from tests.conftest import ROOT
from tests.mutants.corpus import BLIND, HERE, Mutant

KEPT = ROOT / "runs" / "mutants.jsonl"
"""One line for each that was played; the last of a name counts."""
_CODE = ("skill_tools", "reference_envs", "evals/cases/connect_four/reference")
_SUFFIXES = {".py", ".yaml", ".json", ".jinja", ".txt"}


@dataclass(frozen=True)
class Result:
    """What was found of one mutant or control, by the code of a fingerprint."""

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


def keep(result: Result) -> None:
    """Add one result to those that are kept."""
    KEPT.parent.mkdir(exist_ok=True)
    line = {
        "name": result.name,
        "code": result.code,
        "findings": list(map(asdict, result.findings)),
    }
    with KEPT.open("a", encoding="utf-8") as kept:
        kept.write(json.dumps(line, ensure_ascii=False) + "\n")


def read_kept(work: Iterable[Mutant | Path], *, any_code: bool = False) -> dict[str, Result]:
    """The last result of each, by name: only of the code as it is now, unless any will do."""
    if not KEPT.exists():
        return {}
    lines = [json.loads(line) for line in KEPT.read_text("utf-8").splitlines()]
    last = {line["name"]: line for line in lines if any_code or line["code"] == code()}
    return {
        each.name: Result(
            each.name,
            tuple(by_cause([Finding(**found) for found in last[each.name]["findings"]])),
            last[each.name]["code"],
            each if isinstance(each, Mutant) else None,
        )
        for each in work
        if each.name in last
    }


@cache
def code() -> str:
    """A fingerprint of all code and environments that a result depends on."""
    found = hashlib.sha256()
    corpus = [HERE / name for name in (*BLIND, "seeing", "controls")]
    for folder in (*(ROOT / part for part in _CODE), *corpus):
        for path in sorted(folder.rglob("*")):
            if path.suffix in _SUFFIXES and not {"runs", "__pycache__"} & set(path.parts):
                found.update(f"{path.relative_to(ROOT)}\n{_played(path)}".encode())
    return found.hexdigest()[:16]


def _played(path: Path) -> str:
    """The text of a file without what is said of a mutant and not played."""
    lines = path.read_text("utf-8", "replace").splitlines()
    return "\n".join(line for line in lines if not line.startswith("finds:"))
