"""The page on evaluating a model: its options exist, and it has every field and every end."""

from __future__ import annotations

import re
from typing import get_args

import typer

from skill_tools.cli.app import app
from skill_tools.evidence.trajectory import Trajectory
from tests.conftest import ROOT
from tests.pages.snippets import blocks

PAGE = ROOT / "docs" / "evaluate.md"
TEXT = PAGE.read_text("utf-8")


def options(command: str) -> set[str]:
    """The long and short options of a command of ours."""
    found = typer.main.get_command(app).commands[command]  # type: ignore[attr-defined]
    return {name for parameter in found.params for name in parameter.opts}


def test_the_commands_have_the_options_that_the_page_gives_them() -> None:
    shell = "\n".join(text for kind, text in blocks(PAGE) if kind == "bash").replace("\\\n", " ")
    lines = re.findall(r"^skill-tools (\w+)(.*)$", shell, re.MULTILINE)
    assert {command for command, _ in lines} >= {"doctor", "rollout", "summary", "export", "build"}
    for command, rest in lines:
        assert set(re.findall(r"(?<=\s)--?[a-z][a-z-]*", rest)) <= options(command), command
    rows = TEXT.partition("## 2. Play")[2].partition("## 3.")[0]
    reported = set(re.findall(r"`(--[a-z-]+)", rows)) - {"--output"}  # rollout.py's own
    assert reported <= options("rollout")


def test_every_field_of_a_trajectory_is_explained() -> None:
    table = TEXT.partition("## 4. Read a line")[2].partition("## 5.")[0]
    first = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    reported = set(re.findall(r"`(\w+)`", " ".join(first)))
    fields = {field.alias or name for name, field in Trajectory.model_fields.items()}
    assert reported == fields | {"format"}


def test_every_end_and_every_limit_is_explained() -> None:
    table = TEXT.partition("| end |")[2].partition("\n\n")[0]
    reported = set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE))
    assert reported == set(get_args(Trajectory.model_fields["end"].annotation))
    limits = get_args(get_args(Trajectory.model_fields["limit"].annotation)[0])
    assert all(f"`{limit}`" in table for limit in limits)
