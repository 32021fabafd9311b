"""Terminal output other than reports: lists of options, facts about this machine, and errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from rich.text import Text

from skill_tools.errors import Remedy, SkillToolsError, SpecError


def tell_archetypes(rows: Sequence[Mapping[str, Any]], *, everything: bool) -> Iterator[Text]:
    """For each archetype, yield the situations that call for it; with ``everything``, also advice for its design."""
    for row in rows:
        yield Text.assemble((row["name"], "bold"), f"\n  {row['when']}")
        if everything:
            yield from _details(row)


def _details(row: Mapping[str, Any]) -> Iterator[Text]:
    parts = {
        "not when": [f"{sign}: {other}" for sign, other in row["not_when"].items()],
        "hallmarks": row["hallmarks"],
        "questions (and default answers)": [
            f"{q['ask']} ({q['default']})" for q in row["questions"]
        ],
        "rewards": row["reward_shapes"],
        "risks": [f"{risk['gamed']} {risk['answer']}" for risk in row["risks"]],
        "checks that matter most": [f"{check}: {why}" for check, why in row["checks"].items()],
    }
    for head, lines in parts.items():
        yield Text(head, style="bold")
        yield from (Text(f"  - {line}") for line in lines)


def tell_exemplars(rows: Sequence[Mapping[str, Any]], *, files: bool) -> Iterator[Text]:
    """Yield the exemplars; with ``files``, also each file and its length."""
    for row in rows:
        yield Text.assemble((row["name"], "bold"), f"  {row['title']}\n  {row['about']}")
        if files:
            yield from (Text(f"  {file['lines']:5} lines  {file['path']}") for file in row["files"])


def tell_frameworks(rows: Sequence[Mapping[str, Any]]) -> Iterator[Text]:
    """Yield each framework's description and its pinned release."""
    for row in rows:
        release = f"  {' '.join(row['requirements'])}, Python {row['python']}"
        yield Text.assemble((row["name"], "bold"), release)
        yield Text(f"  {row['summary']}\n  {row['docs']}")


def tell_checks(rows: Sequence[Mapping[str, Any]]) -> Iterator[Text]:
    """Yield a line for each check, grouped by family, with the user's own checks at the end."""
    for family, several in groupby(rows, itemgetter("family")):
        yield Text(family, style="bold")
        yield from (Text(f"  {row['id']} {row['name']}: {row['what']}") for row in several)


def tell_check(row: Mapping[str, Any]) -> Iterator[Text]:
    """Yield a check's purpose, reason, level, requirements and fix."""
    head = (f"{row['id']} {row['name']}", "bold")
    yield Text.assemble(head, f" ({row['level']})\n\n{row['what']}\n\n{row['why']}\n")
    if row["needs"]:
        yield Text(f"needs: {'; '.join(row['needs'])}")
    if row["plays"]:
        yield Text(f"passes only if played: {', '.join(row['plays'])}")
    if row["bound"]:
        yield Text(f"bound: {row['bound']}; `bounds` in env.yaml may raise it, with a reason")
    yield Text(f"fix: {row['fix']}")


def tell_machine(rows: Sequence[Any]) -> Iterator[str]:
    """For each requirement, yield a line that states whether this machine meets the requirement."""
    yield from (f"{'ok  ' if row.ok else 'LACK'} {row.what}: {row.found}" for row in rows)


def tell_error(error: SkillToolsError) -> Iterator[Text]:
    """Yield an expected error, and the command that fixes the error if there is one."""
    if isinstance(error, SpecError):
        files = {Path(each.where.partition(":")[0]).name for each in error.problems}
        head = f"error: {len(error.problems)} problem(s) in {', '.join(sorted(files))}"
        yield Text(head, style="bold red")
        yield Text(str(error))
    else:
        yield Text(f"error: {error}")
    if error.remedy:
        yield Text(f"    run: {_command(error.remedy)}")


def _command(remedy: Remedy) -> str:
    if remedy.verb == "new":
        return "skill-tools new DIR --archetype NAME"
    words = ["skill-tools", remedy.verb, str(remedy.folder)]
    words += [f"-f {name}" for name in remedy.frameworks] + ["--force"] * remedy.force
    return " ".join(words)
