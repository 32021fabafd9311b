"""The expectations of readers who saw no code, played: `python -m corpora.mutants.readers [NAME ...]`.

Five agents that had seen nothing of this project got only the output of `skill-tools blind-review`, for six
or seven environments each, and did not know which environments are correct. Their expectations are in
``readings/``. They cover controls, and the mutants of rounds 9 and 11 that no check found without worked
examples.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from corpora.mutants.corpus import (
    HERE,
    build,
    copy_environment,
    found,
    leave_out_examples,
    look,
    mutants,
)
from skill_tools.checks import Finding

READINGS = HERE / "readings"
"""One file for each mutant or environment that was read, by its name."""
EXPECTED_OTHERWISE = "EXA006"
"""The check that tells of readings."""


def names() -> list[str]:
    """Return the names of the environments that readers read."""
    return sorted(path.stem for path in READINGS.glob("*.yaml"))


def defect(name: str) -> str:
    """Return the defect of the environment that was read, or "" if it is correct."""
    return next((each.defect for each in mutants() if each.name == name), "")


def play(name: str) -> list[Finding]:
    """Return the findings for a mutant or an environment, played with its readings and without worked examples."""
    mutant = next((each for each in mutants() if each.name == name), None)
    with tempfile.TemporaryDirectory(prefix="skill-tools-read-") as scratch:
        folder = Path(scratch) / (mutant.on if mutant else name).replace("-", "_")
        if mutant:
            build(mutant, folder)
        else:
            copy_environment(name, folder)
        leave_out_examples(folder)
        shutil.copy(READINGS / f"{name}.yaml", folder / "readings.yaml")
        return look(folder)


def of_readers(findings: list[Finding]) -> list[Finding]:
    """Return the findings that come from readings."""
    return [each for each in found(findings) if each.check == EXPECTED_OTHERWISE]


def main() -> None:
    """Play the named environments, or all environments, and print a line and the first findings for each."""
    for name in sys.argv[1:] or names():
        told = of_readers(play(name))
        kind = "defect" if defect(name) else "right"
        print(f"{name} ({kind}): {len(told)} findings of the reader", flush=True)
        for each in told[:2]:
            print(f"    {each.message[:300]}")


if __name__ == "__main__":
    main()
