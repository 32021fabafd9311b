"""Run untrusted programs in another process: a right program and its mutants on the same inputs."""

from __future__ import annotations

import ast
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from skill_tools.graders.programs.examples import ProgramExample
from skill_tools.runtime import supervise
from skill_tools.runtime.environment import child_environment

SECONDS = 30.0
"""Seconds for the programs of all tasks: 25 tasks with 60 mutants take five seconds."""
STARTING = 10.0
"""Seconds for starting the process, and for finishing its current program."""
CHILD = Path(__file__).with_name("run_programs.py")


@dataclass(frozen=True)
class Gave:
    """The result of a program for an input.

    Attributes:
        kind: "value", "raised" or "late".
        plain: A normal form in which 1 equals 1.0, or the exception's name.
        written: The value in Python's notation, or "" if it is long.
    """

    kind: str
    plain: str
    written: str

    @property
    def words(self) -> str:
        """Return a description of the result."""
        if self.kind == "raised":
            return f"raises {self.plain}"
        return f"gives {self.written or self.plain}"


@dataclass(frozen=True)
class Runs:
    """Programs of one task, with the right program first, and the inputs to run them on."""

    programs: Sequence[str]
    inputs: Sequence[ProgramExample]


Outcome = list[Gave | None]
"""A program's result for each input; None for an input on which the right program is late."""


def run_all(tasks: Sequence[Runs], seconds: float = SECONDS) -> list[list[Outcome]]:
    """Run each task's programs and return their results.

    If time runs out, the last tasks are missing. A task that ended the process has no results.
    """
    with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch:
        asked, results = Path(scratch, "tasks"), Path(scratch, "results")
        asked.write_text("".join(f"{json.dumps(_request(each))}\n" for each in tasks), "utf-8")
        work = Path(scratch, "work")
        work.mkdir()
        supervise.run(
            [sys.executable, "-I", "-B", CHILD, asked, results, str(seconds)],
            cwd=work,
            env=child_environment({"PYTHONHASHSEED": "0", "HOME": str(work), "TMPDIR": str(work)}),
            timeout=seconds + STARTING,
            log=Path(scratch, "log"),
        )
        lines = results.read_text("utf-8").splitlines() if results.exists() else []
    return [[_outcome(program) for program in json.loads(line)] for line in lines]


def _request(runs: Runs) -> dict[str, object]:
    inputs = [
        {"stdin": each.stdin}
        if each.stdin is not None
        else {"before": each.before, "ask": each.expression}
        for each in runs.inputs
    ]
    return {"programs": list(runs.programs), "inputs": inputs}


def _outcome(program: list[list[str] | None]) -> Outcome:
    return [Gave(*each) if each else None for each in program]


def is_plain(written: str) -> bool:
    """Return whether a value's notation can be used in a test."""
    try:
        ast.literal_eval(written)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return False
    return True
