"""Former names of commands and options: accepted for one release, with a notice on standard error.

A former name is rewritten before the command line is parsed, so no list of options and no help text shows it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperGroup

COMMANDS = {
    "serve": "mcp",
    "judge": "recheck",
    "try": "step",
    "brief": "blind-review",
    "study": "learnability",
}
"""Former names of commands."""
SILENT = {"serve"}
"""Former names that stay valid: published plugin files start the MCP server by such a name."""
PLAYED = {"--tasks": "--num-tasks", "--save": "--output"}
"""Former options of each command that plays tasks and writes a report."""
OPTIONS: dict[str, dict[str, str]] = {
    "check": PLAYED,
    "validate": PLAYED,
    "build": {**PLAYED, "--fresh": "--no-cache"},
    "recheck": {"--save": "--output"},
    "data": {"--save": "--output"},
    "audit": {
        "--tasks": "--dataset",
        "--data": "--dataset",
        "--tasks-played": "--num-tasks",
        "--actions": "--solutions",
        "--with": "--requirement",
        "--save": "--output",
        "--output": "--output-dir",
    },
    "rollout": {
        "--actions": "--action-api",
        "--space": "--coordinates",
        "--on": "--cluster",
        "--drop-reasoning": "--strip-reasoning",
    },
    "blind-review": {"--tasks": "--num-tasks"},
    "learnability": {
        "--tasks": "--num-tasks",
        "--on": "--cluster",
        "--narrow": "--ci-halfwidth",
        "--bound": "--blind-threshold",
        "--fresh": "--restart",
    },
    "tasks": {"--for": "--trainer"},
}
"""Former options of each command, by the command's current name."""
REPORT = re.compile(r"[a-z]+=.")
"""The beginning of FORMAT=FILE, the value of `--output`. The option used to name the folder of an audit."""


def rewrite(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return a command line with current names, and a notice for each former name."""
    found = list(words)
    notices: list[str] = []
    if not found:
        return found, notices
    command = found[0] = COMMANDS.get(words[0], words[0])
    if command != words[0] and words[0] not in SILENT:
        notices.append(f"`skill-tools {words[0]}` is now `skill-tools {command}`")
    former = OPTIONS.get(command, {})
    for place in range(1, len(found)):
        if found[place] == "--":
            break
        option, equals, value = found[place].partition("=")
        given = value if equals else "".join(found[place + 1 : place + 2])
        if option not in former or (option in former.values() and REPORT.match(given)):
            continue
        found[place] = former[option] + equals + value
        notices.append(f"{option} is now {former[option]}")
    return found, list(dict.fromkeys(notices))


class Commands(TyperGroup):
    """The commands, which also accept their former names."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse a command line after replacing its former names."""
        words, notices = rewrite(args)
        for notice in notices:
            typer.echo(notice, err=True)
        return super().parse_args(ctx, words)
