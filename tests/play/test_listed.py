"""Lists that a domain ships are found in its files, and what of them is like a right answer."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from skill_tools.frameworks.rules import load
from skill_tools.probes.word_lists import alike, shipped_lists
from tests.checks.test_false_alarms import CONTROLS, reported
from tests.selection import few

WORDS = [f"{first}{rest}" for first in "bcdfgh" for rest in ("all", "end", "ill", "old")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An environment whose list of words stands in its module."""
    return Path(shutil.copytree(CONTROLS / "begins-as-asked", tmp_path / "words"))


def ship(folder: Path, name: str, text: str) -> list[tuple[str, ...]]:
    """The lists of an environment that ships a file besides."""
    (folder / name).write_text(text, "utf-8")
    spec = folder / "env.yaml"
    spec.write_text(f"{spec.read_text()}include: [{name}]\n")
    return shipped_lists(load(folder), folder)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("words.txt", "\n".join(WORDS)),
        ("words.json", json.dumps({"five": {"easy": WORDS}})),
        ("words.json", json.dumps([{"word": word, "rank": 1} for word in WORDS])),
        ("more.py", f"WORDS = {WORDS!r}\n"),
        ("more.py", f"WORDS = '''{' '.join(WORDS)}'''.split()\n"),
    ],
)
def test_a_list_is_found_however_it_is_written(folder: Path, name: str, text: str) -> None:
    assert tuple(WORDS) in ship(folder, name, text)


@pytest.mark.parametrize(
    ("name", "text"), [("bad.json", "{"), ("few.txt", "one\ntwo"), ("deep.json", "[" * 100_000)]
)
def test_a_file_that_cannot_be_read_or_is_short_has_no_lists(
    folder: Path, name: str, text: str
) -> None:
    before = shipped_lists(load(folder), folder)
    assert before
    assert ship(folder, name, text) == before


def test_what_is_like_an_answer_has_its_letters_its_beginning_or_its_end() -> None:
    lists = [("stale", "least", "state", "scale", "crown"), ("tales",)]
    assert dict(alike("stale", lists)) == {
        "letters": "least",
        "begins": "state",
        "ends": "scale",
    }


@pytest.mark.everything("graders")
def test_a_likeness_that_the_task_does_not_ask_for_is_not_to_be_paid(folder: Path) -> None:
    assert reported(folder) == {}
    spec = folder / "env.yaml"
    asked = "    {observation}\n"
    assert asked in spec.read_text()
    hidden = folder / "world.py"
    hidden.write_text(hidden.read_text().replace("{self._start!r}", "what you know"))
    assert "REW011" in reported(folder)


@pytest.mark.everything("costly")
@pytest.mark.parametrize(
    ("rule", "named"),
    few(
        [
            ("' '.join(WORDS)", "a part of an item"),
            ("''.join(WORDS)", "text where two items meet"),
            ("WORDS", ""),
        ],
        1,
        "checks",
    ),
)
def test_what_a_list_lacks_is_tried_where_only_its_items_are_taken(
    folder: Path, rule: str, named: str
) -> None:
    world = folder / "world.py"
    done = "        self.done = True\n"
    refused = f"        if word not in {rule}:\n            raise InvalidAction('unknown')\n"
    assert done in world.read_text()
    world.write_text(world.read_text().replace(done, refused + done))
    if "part" in named:
        spec = folder / "env.yaml"
        assert "min_length: 5" in spec.read_text()
        spec.write_text(spec.read_text().replace("min_length: 5", "min_length: 1"))
    found = reported(folder)
    assert [named in each.message for each in [found.get("EPI011")] if each] == [True] * bool(named)
