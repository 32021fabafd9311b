"""The numbers that a rollout prints about its trajectory files at its end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rl_env_harness.records import rollout_statistics

from skill_tools.errors import SkillToolsError
from skill_tools.evidence.trajectory import read


@dataclass(frozen=True)
class Summary:
    """The numbers of a set of episodes.

    Attributes:
        models: The numbers of each model or policy, per framework if the files have several frameworks.
        lines: The same numbers as lines of text.
        warnings: Facts to know before relying on these numbers.
    """

    models: dict[str, dict[str, Any]]
    lines: tuple[str, ...]
    warnings: tuple[str, ...]


def summarize(files: Iterable[Path | str], *, models: Iterable[str] = ()) -> Summary:
    """Summarize trajectory files, for all models or only for the given models.

    Raises RolloutError, with the line, for a line that is not a trajectory. Raises SkillToolsError if there is no
    trajectory.
    """
    wanted, rows, frameworks = set(models), [], set()
    for file in files:
        for line in read(Path(file)):
            if wanted and line.model not in wanted:
                continue
            frameworks.add(line.framework)
            said = line.model_dump(by_alias=True) | {"best": line.most}
            rows.append((line.framework, rollout_statistics.row(said)))
    if not rows:
        raise SkillToolsError("these files have no episode to summarize")
    several = len(frameworks) > 1
    each = [row | {"model": f"{row['model']} ({name})"} if several else row for name, row in rows]
    found = rollout_statistics.of(each)
    lines, warnings = rollout_statistics.as_lines(found), rollout_statistics.warnings(each)
    return Summary(found, tuple(lines), tuple(warnings))
