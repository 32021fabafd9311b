"""An example of each check: a defect that the check reports, as a diff to the sound files.

The example is the edit with which the tests break the counter environment, if they edit its files. Otherwise
it is a mutant of the corpus, or a handwritten example in ``check_examples.yaml``.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from difflib import unified_diff
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from corpora.mutants.corpus import Mutant, copy_environment, mutant_of
from tests.checks.broken import CLASS, FILES, PLAYED, PREPARED, with_changes
from tests.conftest import WORDLE, write_counter

NAMES = {"connect_four": "connect four", "wordle": "Wordle", "jupyter": "the Jupyter agent"}
"""Environments that mutants are of, but for starters."""
AROUND = 1
"""Lines of a file that a diff shows before and after what differs."""


@dataclass(frozen=True)
class Part:
    """The diff of one file of an example: ``-`` is the defect, ``+`` is sound."""

    file: str
    diff: str


@dataclass(frozen=True)
class Example:
    """An example of a check.

    Attributes:
        says: A sentence about the defect, or "".
        of: The environment.
        left_out: The number of edits that are not shown.
    """

    says: str
    of: str
    parts: list[Part]
    left_out: int = 0


@dataclass(frozen=True)
class ByHand:
    """A handwritten example: a diff, or a text in a file of Wordle and its replacement.

    Attributes:
        framework: The variant in which the defect is found, if the check needs a variant.
    """

    says: str
    file: str
    diff: str = ""
    find: str = ""
    put: str = ""
    framework: str = ""


@cache
def written() -> dict[str, Any]:
    """Return the content of check_examples.yaml."""
    read: dict[str, Any] = YAML(typ="safe").load(Path(__file__).with_name("check_examples.yaml"))
    return read


def by_hand() -> dict[str, ByHand]:
    """Return the handwritten examples, keyed by check."""
    return {check: ByHand(**said) for check, said in written()["by_hand"].items()}


def shown_names() -> dict[str, str]:
    """Return the name of the mutant for each check that has a mutant."""
    return {
        check: said["mutant"] if isinstance(said, dict) else said
        for check, said in written()["mutants"].items()
    }


@cache
def shown_mutants() -> dict[str, tuple[Mutant, list[int]]]:
    """Return the mutant for each check that has a mutant, and the indices of the edits to show."""
    found = {}
    for check, said in written()["mutants"].items():
        mutant = mutant_of(shown_names()[check])
        every = list(range(len(mutant.edits)))
        found[check] = (mutant, said["edits"] if isinstance(said, dict) else every)
    return found


@cache
def examples() -> dict[str, Example]:
    """Return the example for each check that has an example."""
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as opened:
        opened.callback(_files.cache_clear)
        folder = Path(scratch)
        found = {check: _of_counter(folder / check, check) for check in [*FILES, *CLASS, *PLAYED]}
        said = written()["mutants_say"]
        found |= {c: _of_mutant(folder, *m, said.get(c, "")) for c, m in shown_mutants().items()}
    return found | {check: _by_hand(said) for check, said in by_hand().items()}


def _of_counter(folder: Path, check: str) -> Example:
    before = PREPARED.get(check, {})
    change = {"game": CLASS[check]} if check in CLASS else (FILES | PLAYED)[check]
    sound = write_counter(folder / "sound", **with_changes(before))
    broken = write_counter(folder / "broken", **with_changes(before, change))
    files = sorted(path.name for path in sound.iterdir())
    texts = ((name, (broken / name).read_text(), (sound / name).read_text()) for name in files)
    of = "a guessing game" if "guess" in str(before) else "a counting game"
    return Example("", of, list(_parts(texts)))


def _of_mutant(scratch: Path, mutant: Mutant, shown: list[int], says: str) -> Example:
    folder = _files(scratch / mutant.on.replace("-", "_"), mutant.on)
    sound: dict[str, str] = {}
    broken: dict[str, str] = {}
    for number in shown:
        edit = mutant.edits[number]
        name = edit["file"]
        text = sound.setdefault(name, (folder / name).read_text("utf-8"))
        broken[name] = broken.get(name, text).replace(edit["find"], edit["put"])
    of = NAMES.get(mutant.on) or f"the {mutant.on.replace('starter-', '')} starter"
    parts = list(_parts((name, broken[name], sound[name]) for name in sound))
    return Example(says or mutant.defect, of, parts, len(mutant.edits) - len(shown))


@cache
def _files(folder: Path, name: str) -> Path:
    copy_environment(name, folder)
    return folder


def _by_hand(said: ByHand) -> Example:
    if said.diff:
        return Example(said.says, "", [Part(said.file, said.diff.rstrip("\n"))])
    sound = (WORDLE / said.file).read_text("utf-8")
    return Example(said.says, "Wordle", list(_parts([(said.file, _broken(said, sound), sound)])))


def wordle_with(said: ByHand, folder: Path) -> Path:
    """Copy Wordle into a folder, with one rendered file edited as an example says. Return the folder."""
    shutil.copytree(WORDLE, folder)
    path = folder / said.file
    path.write_text(_broken(said, path.read_text("utf-8")), "utf-8")
    return folder


def _broken(said: ByHand, sound: str) -> str:
    if sound.count(said.find) != 1:
        raise ValueError(f"{said.find!r} is not once in {said.file} of Wordle")
    return sound.replace(said.find, said.put)


def _parts(texts: Iterable[tuple[str, str, str]]) -> Iterator[Part]:
    for name, broken, sound in texts:
        lines = unified_diff(broken.splitlines(), sound.splitlines(), n=AROUND, lineterm="")
        hunks = "\n".join(list(lines)[2:]).split("\n@@")
        shown = [_bare(hunk.partition("\n")[2]) for hunk in hunks]
        if any(shown):
            yield Part(name, "\n@@\n".join(shown))


def _bare(hunk: str) -> str:
    """Return a hunk of a diff without an empty line at its start and end."""
    return hunk.removeprefix(" \n").removesuffix("\n ")


def lines_of(example: Example) -> Mapping[str, int]:
    """Return the number of lines of each diff, keyed by file."""
    return {part.file: len(part.diff.splitlines()) for part in example.parts}
