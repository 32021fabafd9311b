"""A certificate: the results of a comparison of two environments, as kept in port.json."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from skill_tools.errors import SkillToolsError

CERTIFICATE_FILE = "port.json"
"""The file of a certificate, next to env.yaml."""
Part = Literal["opening", "tools", "observation", "reward", "done", "error", "end", "metrics"]


class Seen(BaseModel):
    """The output of one environment: after an action, at the opening, or at the end of an episode."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    observation: str = ""
    reward: float = 0.0
    done: bool = False
    error: str | None = None


class Scripted(BaseModel):
    """A script: its task and its actions.

    Attributes:
        split, index, seed: The task of the environment.
        place: The task of the original, in the original's own terms.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    split: str
    index: int
    seed: int | None = None
    place: dict[str, Any] = {}
    calls: list[tuple[str, dict[str, Any]]]


class Disagreement(BaseModel):
    """The first difference between the two environments in an episode.

    Attributes:
        step: The number of the action, from 1; 0 for the opening.
        ours, theirs: The differing values, as text.
        alone: Whether the difference also occurs if the script is played alone. Otherwise an earlier episode left
            something behind.
        after: The episode before this episode, if that episode is enough to cause the difference.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    script: Scripted
    step: int
    part: Part
    ours: str
    theirs: str
    after: Scripted | None = None
    alone: bool = True

    @property
    def words(self) -> str:
        """The difference as a sentence without the final period."""
        where = f"action {self.step}" if self.step else "before the first action"
        left = "" if self.alone else ", but not if the script is played alone"
        return f"{self.script.key}, {where}: the {self.part} is {self.ours}, and {self.theirs} in the original{left}"


class KeptEpisode(BaseModel):
    """An episode of the original that can be compared again without the original."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    script: Scripted
    opening: str
    steps: list[Seen]
    total: float | None


class Certificate(BaseModel):
    """The compared parts of two environments, and the differences.

    Attributes:
        actions, agreed: The number of compared actions, and the number of actions after which nothing differed.
        by_policy: The same two numbers for each kind of script.
        not_compared: The parts that could not be compared, with the reasons.
        kept: Episodes that ``validate`` compares again.
        sources: A hash of each of the author's files.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    skill_tools: str
    ours: str
    theirs: str
    original: dict[str, Any] = {}
    episodes: int = 0
    actions: int = 0
    agreed: int = 0
    by_policy: dict[str, tuple[int, int]] = {}
    tools_differ: str = ""
    disagreements: list[Disagreement] = []
    not_compared: list[str] = []
    unstable: str = ""
    rules: dict[str, Any] = {}
    sources: dict[str, str] = {}
    kept: list[KeptEpisode] = []

    @property
    def verdict(self) -> Literal["equal", "different", "not comparable"]:
        """The verdict: whether both environments are the same, as far as they were played."""
        if self.unstable or not (self.actions or self.disagreements):
            return "not comparable"
        return "different" if self.disagreements or self.tools_differ else "equal"


class PortRun(BaseModel):
    """A certificate, and whether it still holds.

    Attributes:
        changed: The author's files that changed after the comparison.
        replayed: The number of kept episodes that were compared again because of changed files.
        again: The kept episodes that differ now.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    certificate: Certificate
    changed: list[str] = []
    replayed: int = 0
    again: list[Disagreement] = []


def read_certificate(folder: Path) -> Certificate | None:
    """Return the certificate in an environment's folder, or None.

    Raises SkillToolsError if the file is broken.
    """
    file = folder / CERTIFICATE_FILE
    if not file.is_file():
        return None
    try:
        return Certificate.model_validate_json(file.read_bytes())
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise SkillToolsError(
            f"{file} is not a certificate: {place}: {first['msg']}\n"
            "    fix: write it again with skill-tools compare, or delete it"
        ) from error
