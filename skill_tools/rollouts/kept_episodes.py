"""The file that collects the episodes from many machines. It contains each episode only once."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Self

from rl_env_harness.records import rollout_files

from skill_tools.errors import RolloutError, SkillToolsError
from skill_tools.rollouts.node_batch import Episode, NodeWork, shortened


class KeptEpisodes:
    """A trajectory file with a single writer, to be used as a context manager.

    Episodes that the file already contains are not played again, except failed episodes. Failed episodes are set
    aside as in rollout.py, and retried. ``there`` has a shortened line for each scored episode.
    """

    def __init__(self, path: Path, work: NodeWork) -> None:
        """Open the file. Raise SkillToolsError if the file holds other data, or if another process writes to it."""
        self._path, self._work = path, work
        try:
            self._file, lines = rollout_files.begin(path, resume=True)
            rollout_files.check(path, lines, _settings(work, lines))
        except rollout_files.WrongFile as error:
            raise SkillToolsError(f"{error}\n    fix: name another file with --resume") from error
        wanted = set(work.wanted())
        self.there: dict[Episode, str] = {}
        for line in lines:
            named = work.named(line)
            if named in wanted:
                self.there[named] = shortened(line)
        self._known = set(self.there)
        self._open = wanted - self._known
        self.failed = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def left(self) -> int:
        """The number of missing episodes."""
        return len(self._open)

    @property
    def go_on(self) -> str:
        """Return advice on how to continue once the cause of an early end is fixed: resume the file, or start again if
        it has no episodes."""
        return f"continue with --resume {self._path}" if self._known else "start again"

    def add(self, lines: Iterable[str]) -> int:
        """Add the lines of new episodes, either all or none. Return the number of lines added.

        Raises RolloutError for a line that does not belong to the work, and SkillToolsError if the file cannot be
        written.
        """
        fresh: dict[Episode, str] = {}
        failed = 0
        for text in lines:
            line = json.loads(text)
            named = self._work.named(line)
            if named not in self._open and named not in self._known:
                raise RolloutError(f"a node played {line.get('label')!r}, which was not requested")
            if named in self._open and named not in fresh:
                fresh[named] = text
                failed += line["end"] == "failed"
        try:
            rollout_files.add(self._file, *fresh.values(), synced=True)
        except rollout_files.FullFile as error:
            kept = f"the file has {len(self._known)} of {len(self._known) + self.left} episodes"
            raise SkillToolsError(
                f"{self._path} cannot be written: {error.__cause__}; {kept}\n"
                f"    fix: free some space, and {self.go_on}"
            ) from error
        self._open -= fresh.keys()
        self._known |= fresh.keys()
        self.failed += failed
        return len(fresh)


def _settings(work: NodeWork, lines: list[dict[str, object]]) -> dict[str, object]:
    """Return the settings that all lines in the file must share. rollout.py itself checks the sampling settings of a
    model."""
    sampling = lines[0].get("sampling") if lines else None
    return {
        "environment": work.spec.name,
        "framework": work.framework,
        "sampling": sampling,
    }
