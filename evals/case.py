"""A case: one folder with the description, the requirements, solutions, and tests of hidden behavior."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from ruamel.yaml import YAML

from evals.episode import Episode

CASES = Path(__file__).parent / "cases"
FRAMEWORKS = ("openenv", "ors", "verifiers", "nemo_gym", "skyrl_gym", "gem")


Read = TypeVar("Read", bound=BaseModel)
"""The content of a case's file."""


class CaseError(Exception):
    """An error in the folder of a case. The message gives the place, the expected content, and the fix."""


class Strict(BaseModel):
    """A model that treats unknown fields as mistakes."""

    model_config = ConfigDict(extra="forbid")


class Execution(Strict):
    """The agent's instructions. The fields have the names of ``claude plugin eval``."""

    prompt: str
    timeout_seconds: int = 3600
    max_turns: int = 200


class HandWritten(Strict):
    """The requirements for the solution in ``handwritten/``, which supports fewer frameworks."""

    frameworks: list[str]


class Answer(Strict):
    """The requirements for the last message if nothing is to be built: one case-insensitive pattern for each."""

    says: dict[str, str]


class Asks(Strict):
    """The requirements in the description."""

    kind: Literal["build", "answer", "trigger"] = "build"
    archetype: str | None = None
    frameworks: list[str] = []
    tools: list[str] = []
    """Tools that the description names; empty if the author may choose the names."""
    tags: dict[str, str] = {}
    """The description's text format of each tool's calls, with ``{argument}`` in place of each argument."""
    handwritten: HandWritten | None = None
    checks: bool = True
    """Whether our checks are part of the score."""
    reference: str = ""
    """The folder of the author's files, relative to the case, if it is not `reference/`."""
    answer: Answer | None = None
    published: bool = False
    """Whether our MCP server shows the reference, so that the reference is not secret."""
    given: dict[str, str] = {}
    """Files for the agent: the path in the case's folder, and the path in the agent's folder."""
    programs: list[str] = []
    """Programs that playing the case requires, such as Xvfb. Without one of them, the case is unscored."""


class Sentence(Strict):
    """A sentence that a user says, and the skill that should load for it, if any."""

    says: str
    skill: str | None


class CaseFile(Strict):
    """The content of case.yaml, with the fields of ``claude plugin eval``."""

    schema_version: str
    name: str
    description: str
    tags: list[str] = []
    execution: Execution
    graders: list[dict[str, Any]] = []


class Mutant(Strict):
    """A defect in the reference solution, and the points that the defect costs. The points name no framework."""

    file: str
    old: str
    new: str
    because: str
    costs: list[str] = Field(min_length=1)


class Case:
    """One folder of ``cases/``. Its files are read on first access."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = folder.name

    @cached_property
    def file(self) -> CaseFile:
        """The content of case.yaml, which ``claude plugin eval`` reads too."""
        return self._read("case.yaml", CaseFile)

    @cached_property
    def asks(self) -> Asks:
        """The requirements of the case, for our scorers."""
        return self._read("asks.yaml", Asks)

    @property
    def prompt(self) -> str:
        """The user's prompt."""
        return self.file.execution.prompt

    @cached_property
    def sentences(self) -> list[Sentence]:
        """The sentences that decide which skill loads. Only cases about the loading of skills have sentences."""
        path = self.folder / "sentences.yaml"
        return [Sentence(**each) for each in _yaml(path)] if path.is_file() else []

    @cached_property
    def episodes(self) -> Sequence[Episode]:
        """The episodes that test the hidden behavior, in the order of the file."""
        path = self.folder / "behaviour.py"
        if not path.is_file():
            return ()
        spec = importlib.util.spec_from_file_location(f"evals_behaviour_{self.name}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found = [each for each in vars(module).values() if isinstance(each, Episode)]
        if not found:
            raise CaseError(f"{path}: no function is marked with @episode; mark at least one")
        return found

    @property
    def missing(self) -> list[str]:
        """The programs that the case needs and that this machine lacks."""
        return [program for program in self.asks.programs if not shutil.which(program)]

    @property
    def mutants(self) -> dict[str, Mutant]:
        """The case's mutants (defects in the reference solution), keyed by the names of their files."""
        paths = sorted((self.folder / "mutants").glob("*.yaml"))
        return {path.stem: self._read(f"mutants/{path.name}", Mutant) for path in paths}

    def _read(self, name: str, model: type[Read]) -> Read:
        path = self.folder / name
        try:
            return model(**_yaml(path))
        except FileNotFoundError as error:
            raise CaseError(f"{path} is missing; evals/README.md says what a case holds") from error
        except (ValidationError, TypeError) as error:
            raise CaseError(f"{path}: {error}\nevals/README.md says what a case holds") from error


def _yaml(path: Path) -> Any:
    return YAML(typ="safe").load(path.read_text("utf-8"))


def every(folder: Path = CASES) -> dict[str, Case]:
    """Return all cases, keyed by name."""
    return {path.parent.name: Case(path.parent) for path in sorted(folder.glob("*/case.yaml"))}


def find(name: str, folder: Path = CASES) -> Case:
    """Return the case with this name. For an unknown name, raise CaseError with a list of the cases."""
    found = every(folder)
    if name not in found:
        raise CaseError(f"there is no case {name!r}; there are: {', '.join(found)}")
    return found[name]
