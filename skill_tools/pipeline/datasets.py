"""Tasks of an environment as a dataset for a trainer."""

from __future__ import annotations

from pathlib import Path

from skill_tools.files import find_environment
from skill_tools.frameworks import rules
from skill_tools.rollouts import datasets


def write_dataset(
    folder: Path | str, output: Path | str, trainer: str = "plain", split: str | None = None
) -> datasets.Dataset:
    """Write the tasks as the rows that a trainer reads, to a new file or a folder of splits.

    ``trainer`` is one of ``play.datasets.TRAINERS``. See ``play.datasets`` for formats and errors.
    """
    folder = find_environment(folder)
    return datasets.write_dataset(rules.load(folder), folder, Path(output), trainer, split)
