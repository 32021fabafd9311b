"""Try repros. Keep a script if it shows the defect in two runs with the same output."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skill_tools.audit.groups import play_groups
from skill_tools.audit.repros.repro import BY_CHANCE, Defect, NoRepro, Repro
from skill_tools.audit.repros.repro_claims import claim
from skill_tools.audit.repros.repro_replies import Argument
from skill_tools.audit.repros.repro_script import TEMPLATE, Written, write_script
from skill_tools.audit.token import hide_token, token_variables
from skill_tools.errors import RolloutError, SkillToolsError
from skill_tools.evidence.evidence import Evidence
from skill_tools.files import write_whole
from skill_tools.runtime import supervise
from skill_tools.runtime.environment import child_environment
from skill_tools.runtime.progress import Progress

SECONDS = 90.0
"""Seconds for one run of a script: importing a framework takes up to ten, an episode one."""
IN_ALL = 600.0
"""Seconds for all scripts of an audit."""
TRIES = 2
"""Number of findings with the same message on different tasks for which a script is tried."""
MOST_OUTPUT = 4 << 20
"""Maximum bytes of a script's output: a larger output is an endless loop in the environment."""
LIMITS = 'ulimit -d 6291456; ulimit -f 2097152; exec "$0" "$@"'
"""6 GB of memory and 1 GB per file, as for drivers; the shell counts in units of 1,024 and 512
bytes."""
MARK = re.compile(r"skill-tools \d")
"""Text in the second line of each script, which identifies scripts from earlier audits."""
CHANGES = re.compile(r"0x[0-9a-f]{4,}|(?<=127\.0\.0\.1:)\d+|(?<=/)tmp\w+")
"""Varying parts of equal errors: memory addresses, ports, names of temporary folders."""


@dataclass(frozen=True)
class TriedRepro:
    """The result for one finding: the script's file, or the reason why there is no script."""

    file: Path | None = None
    why: str = ""


def prepare_folder(folder: Path) -> None:
    """Create the folder for scripts, and remove the scripts of an earlier audit.

    Raises SkillToolsError if the folder cannot be written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in folder.glob("*.py"):
            with file.open(encoding="utf-8", errors="replace") as lines:
                head = [lines.readline(), lines.readline()]
            if MARK.search(head[1]) and "Exit code 1" in head[1]:
                file.unlink()
    except OSError as error:
        raise SkillToolsError(
            f"{folder} cannot be written: {error.strerror}\n    fix: name a folder that you can write to"
        ) from None


def try_repros(
    defects: Sequence[Defect],
    evidence: Evidence,
    written: Written,
    argument: Argument | None,
    folder: Path,
    progress: Progress,
) -> list[TriedRepro]:
    """Write a script for each defect to ``folder``. Return each script's file, or the reason for its absence.

    ``argument`` is the argument that receives the replies.
    """
    name = written.driven.target.framework.name
    until = time.monotonic() + IN_ALL
    found: list[TriedRepro] = []
    before: dict[tuple[str, str], list[TriedRepro]] = {}
    for number, defect in enumerate(defects, 1):
        progress(name, f"running the script for {defect.check}, {number} of {len(defects)}")
        made = claim(defect, evidence, argument)
        if isinstance(made, NoRepro):
            found.append(TriedRepro(why=made.why))
            continue
        same = before.setdefault((defect.check, made.shows), [])
        # The same defect on another task needs no second script.
        if len(same) < TRIES and not any(each.file for each in same):
            late = TriedRepro(why=f"the {IN_ALL:g} s for all scripts were used up")
            in_time = time.monotonic() < until
            same.append(_try(defect, made, written, folder) if in_time else late)
        found.append(same[-1])
    return found


def _try(defect: Defect, repro: Repro, written: Written, folder: Path) -> TriedRepro:
    facts = written.driven.target.framework
    if not (facts.folder / TEMPLATE).is_file():
        return TriedRepro(why=f"skill-tools writes no scripts for {facts.title}")
    try:
        arguments = _arguments(repro, written)
        text = write_script(defect, repro, written, arguments)
    except (ValueError, SyntaxError) as error:
        return TriedRepro(why=f"the calls cannot be written down: {error}")
    why, first = _run(text, written)
    if not why:
        why, second = _run(text, written)
    if why:
        return TriedRepro(why=why)
    shown = [_compared(each, repro) for each in (first, second)]
    if shown[0] != shown[1]:
        return TriedRepro(
            why="the script showed the defect twice, with a different message each time"
        )
    file = _free_name(folder, f"{defect.check}-{defect.name}".lower())
    write_whole(file, text)
    return TriedRepro(file)


def _run(text: str, written: Written) -> tuple[str, str]:
    """Run a script in a fresh process and folder.

    Returns two texts: the reason why the run does not count, or "", and the script's output.
    """
    driven = written.driven
    facts = driven.target.framework
    printed = 0

    def bound(line: str) -> None:
        nonlocal printed
        printed += len(line)
        if printed > MOST_OUTPUT:
            raise RolloutError("the script prints without limit")

    with tempfile.TemporaryDirectory(prefix="skill-tools-") as scratch:
        script, log = Path(scratch) / "repro.py", Path(scratch) / "log"
        script.write_text(text, "utf-8")
        # Only the packages, which a maintainer has after installing them.
        command: list[str | Path] = ["/bin/sh", "-c", LIMITS, driven.venv.base.python, script]
        try:
            ended = supervise.run(
                command,
                cwd=Path(scratch),
                env=child_environment({**facts.environment, **token_variables(driven.target.url)}),
                timeout=SECONDS,
                log=log,
                on_line=bound,
            )
        except RolloutError as error:
            return str(error), ""
        said = hide_token(log.read_text("utf-8", "replace"))
    if ended.timed_out:
        return f"the script took longer than {SECONDS:g} s", said
    if ended.returncode == 0:
        return "the script did not show the defect again", said
    if ended.returncode != 1 or "DEFECT: " not in said:
        last = (said.strip().splitlines() or ["it printed nothing"])[-1]
        return f"the script failed: {_printable(last)[:300]}", said
    return "", said


def _compared(said: str, repro: Repro) -> list[str]:
    """Return the output lines that must be equal in both runs: from the title to the verdict."""
    lines = said.splitlines()
    last = max(n for n, line in enumerate(lines) if line.startswith("DEFECT: "))
    first = last - len(repro.runs) * (2 if repro.kind in BY_CHANCE else 1) - 1
    shown = [lines[last]] if repro.kind in BY_CHANCE else lines[max(first, 0) : last + 1]
    return [CHANGES.sub("…", each) for each in shown]


def _arguments(repro: Repro, written: Written) -> list[list[Any]]:
    """Return a reward function's arguments in each run, as its driver reports them. Return [] for other targets."""
    if written.driven.target.framework.name != "reward_function":
        return []
    script = {"policy": "repro", "tells": True}
    groups = [
        {
            "key": str(number),
            "scripts": [
                {
                    **script,
                    **run.place,
                    "calls": list(run.calls),
                    "beside": [list(each) for each in run.beside],
                }
            ],
        }
        for number, run in enumerate(repro.runs)
    ]
    got, _ = play_groups(written.driven, groups, SECONDS)
    told = [got[each["key"]][0].seen.get("arguments") for each in groups if each["key"] in got]
    arguments = [each for each in told if isinstance(each, list) and len(each) == 2]
    if len(arguments) != len(repro.runs):
        raise ValueError("the arguments of the function are not known")
    return arguments


def _free_name(folder: Path, stem: str) -> Path:
    """Return the path of a file, named after ``stem``, that does not exist yet in the folder."""
    stem, number = re.sub(r"[^a-z0-9-]", "-", stem)[:80], 1
    file = folder / f"{stem}.py"
    while file.exists():
        number += 1
        file = folder / f"{stem}-{number}.py"
    return file


def _printable(text: str) -> str:
    return "".join(each if each.isprintable() else " " for each in text)
