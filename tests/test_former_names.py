"""Former names of commands, options and keywords: they work for one release, and say the present name."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

import skill_tools as library
from skill_tools.cli.app import app
from skill_tools.cli.former_names import COMMANDS, OPTIONS, SILENT, rewrite
from tests.over import over

from .command_line import skill_tools

KNOWN = typer.main.get_command(app).commands  # type: ignore[attr-defined]
ROWS = [(command, old, new) for command, former in OPTIONS.items() for old, new in former.items()]


@pytest.mark.everything("costly")
@over(("old", "new"), COMMANDS.items())
def test_a_command_is_found_by_its_former_name_and_says_the_present_one(old: str, new: str) -> None:
    said, expected = skill_tools(old, "--help"), skill_tools(new, "--help")
    assert (said.returncode, said.stdout) == (0, expected.stdout)
    notice = f"`skill-tools {old}` is now `skill-tools {new}`\n"
    assert said.stderr == ("" if old in SILENT else notice)
    assert old not in KNOWN


@pytest.mark.everything("costly")
@over(("command", "old", "new"), ROWS)
def test_an_option_is_taken_by_its_former_name_and_says_the_present_one(
    command: str, old: str, new: str
) -> None:
    options = {word: each for each in KNOWN[command].params for word in each.opts}
    given = old if options[new].is_flag else f"{old}=folder"
    said = skill_tools(command, given, "--help")
    assert (said.returncode, said.stderr) == (0, f"{old} is now {new}\n")
    assert old not in options or old == "--output"  # of an audit: its folder before, a report now


@over(
    ("words", "expected"),
    [
        (["tasks", "DIR", "--for", "trl"], ["tasks", "DIR", "--trainer", "trl"]),
        (["tasks", "DIR", "--for=trl"], ["tasks", "DIR", "--trainer=trl"]),
        (["study", "--tasks", "3"], ["learnability", "--num-tasks", "3"]),
        (["audit", "--tasks", "rows.jsonl"], ["audit", "--dataset", "rows.jsonl"]),
        (["audit", "--output", "out"], ["audit", "--output-dir", "out"]),
        (["audit", "--output", "sarif=a.sarif"], ["audit", "--output", "sarif=a.sarif"]),
        (["audit", "--output=sarif=a.sarif"], ["audit", "--output=sarif=a.sarif"]),
        (["audit", "--save", "sarif=a.sarif"], ["audit", "--output", "sarif=a.sarif"]),
        (["step", "DIR", "--", "--on"], ["step", "DIR", "--", "--on"]),
        (["rollout", "--", "--on"], ["rollout", "--", "--on"]),
        ([], []),
    ],
)
def test_only_the_names_on_a_command_line_are_replaced(
    words: list[str], expected: list[str]
) -> None:
    assert rewrite(words)[0] == expected


@pytest.mark.everything("costly")
def test_a_former_option_does_what_it_did(counter: Path) -> None:
    said = skill_tools("check", counter, "--play", "--tasks", 2, "--save", f"json={counter}/a.json")
    assert said.returncode == 0, said.stderr
    assert "--tasks is now --num-tasks\n--save is now --output\n" in said.stderr
    assert "2 tasks" in said.stdout
    assert (counter / "a.json").is_file()


@pytest.mark.everything("costly")
def test_a_former_keyword_of_the_library_does_what_it_did(counter: Path) -> None:
    settings = {"samples": 2, "seconds": 1.0}
    with pytest.warns(DeprecationWarning, match="is now num_tasks"):
        found = library.study(counter, tasks=2, **settings)  # type: ignore[call-arg,arg-type]
    assert found.verdict == library.study(counter, num_tasks=2, **settings).verdict  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="former name tasks"):
        library.study(counter, num_tasks=2, tasks=2)  # type: ignore[call-arg]
