"""Every command on a page is one: its options are there, its files are there, and it is run.

A block of commands is run by a test here, or by the one that the page names before it (`<!-- played by FILE -->`),
or it is marked with what no test has (`<!-- needs a key -->`).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from skill_tools.cli.app import app
from tests.conftest import ROOT
from tests.over import over

from .commands import ELSEWHERE, PAGES, SLOW, Block, blocks, inline, ours

KNOWN = typer.main.get_command(app).commands  # type: ignore[attr-defined]
EVERY = [block for page in PAGES for block in blocks(page)]
HERE = sorted({block.page for block in EVERY if not block.needs and not block.elsewhere})
"""Pages with commands that are run here."""
QUICK = [page for page in HERE if page == "docs/tutorial.md"]
"""Of which what takes seconds is run by default."""


def options(name: str) -> set[str]:
    """Of a command of ours, all ways to write them."""
    return {word for each in KNOWN[name].params for word in (*each.opts, *each.secondary_opts)} | {
        "--help"
    }


def wrong(words: list[str]) -> str:
    """What of a command of ours is not there; "" where all is."""
    if not words or words[0].startswith("-"):
        return "" if set(words) <= {"--version", "--help"} else f"no option {words}"
    if words[0] not in KNOWN:
        return f"there is no command {words[0]}"
    given = {word.partition("=")[0] for word in words[1:] if re.match(r"--?[a-z]", word)}
    return ", ".join(sorted(given - options(words[0])))


def test_there_are_pages_with_commands_of_each_kind() -> None:
    assert len(EVERY) > 30
    assert len(HERE) >= 6
    assert {block.code for block in EVERY} == {0, 1}
    assert any(block.needs for block in EVERY)


@over("page", PAGES)
def test_the_commands_of_a_page_have_the_options_that_it_gives_them(page: str) -> None:
    lines = [line for block in blocks(page) for line in block.commands] + [*inline(page)]
    # What is left out on a page is marked by an ellipsis, or stands in capitals.
    found = {line: wrong(words) for line in lines for words in ours(line.replace("…", ""))}
    assert not {line: what for line, what in found.items() if what}


@over("block", EVERY, ids=lambda block: block.page)
def test_what_is_played_elsewhere_and_what_scripts_are_named_is_there(block: Block) -> None:
    if block.elsewhere:
        assert (ROOT / block.elsewhere).exists()
    for path in re.findall(r"(?<![\w/.-])((?:tests|\.ci|tools|benchmarks)/[\w/.]+)", block.text):
        assert (ROOT / path).exists(), path


def test_pages_of_other_tests_are_pages() -> None:
    assert set(ELSEWHERE) <= set(PAGES)


def test_a_command_that_is_not_there_is_seen() -> None:
    assert wrong(["build", "my_env", "--fast"]) == "--fast"
    assert wrong(["biuld", "my_env"]) == "there is no command biuld"
    assert not wrong(["rollout", "my_env", "-f", "gem", "--index", "0-9"])
    assert [*ours("cd x && KEY=… skill-tools check my_env  # y")] == [["check", "my_env"]]


@pytest.mark.everything("site")
@pytest.mark.parametrize("page", QUICK)
def test_the_quick_commands_of_a_page_run(page: str, tmp_path: Path) -> None:
    run(page, tmp_path, lambda line: not SLOW.match(line))


@pytest.mark.live
@pytest.mark.everything("site")
@pytest.mark.parametrize("page", HERE)
def test_the_commands_of_a_page_run(page: str, tmp_path: Path) -> None:
    run(page, tmp_path, lambda line: not re.match(r"python3 dev\.py test\b", line))


def run(page: str, folder: Path, wanted: Callable[[str], bool]) -> None:
    """Run a page's blocks in order, as a reader does in a folder that has what the page speaks of."""
    give(page, folder)
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    for block in blocks(page):
        if block.needs or block.elsewhere:
            continue
        lines = [line for line in block.commands if wanted(line)]
        if not lines:
            continue
        # In a clone it is the same command, which would set up .venv first.
        script = "\n".join(lines).replace("python3 dev.py", "skill-tools")
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script], cwd=folder, capture_output=True, text=True,
            env={**os.environ, "PATH": path, "COLUMNS": "200"}, check=False, timeout=900,
        )  # fmt: skip
        assert done.returncode == block.code, f"{script}\n{done.stdout}\n{done.stderr}"


def give(page: str, folder: Path) -> None:
    """Put into a folder what a page's commands take for granted."""
    text = (ROOT / page).read_text("utf-8")
    if "my_env" in text or page == "docs/publish.md":
        name = "my_env" if "my_env" in text else "my_game"
        new = ["skill-tools", "new", name, "--archetype", "pure-python-game"]
        path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
        subprocess.run(new, cwd=folder, check=True, env={**os.environ, "PATH": path})
    if page == "docs/publish.md":
        subprocess.run([ROOT / ".venv/bin/skill-tools", "render", name], cwd=folder, check=True)
    if page == "README.md":
        wordle = ROOT / "reference_envs" / "wordle_env"
        left = shutil.ignore_patterns("runs", ".venv")
        shutil.copytree(wordle, folder / "reference_envs" / "wordle_env", ignore=left)
    if page == "docs/data.md":
        for name, first in (("train", 0), ("test", 20), ("mine", 40), ("gsm8k_test", 60)):
            write_rows(folder / f"{name}.jsonl", first)
        rows = "\n".join(f"What is {n} times {n}?,{n * n}" for n in range(80, 90))
        (folder / "held_out.csv").write_text(f"problem,reward_model.ground_truth\n{rows}\n")
        write_rows(folder / "math500.jsonl", 100)
        subprocess.run(["gzip", "math500.jsonl"], cwd=folder, check=True)
        solver = (
            "def solve(row):\n    return str(eval(row['question'][8:-1].replace('times', '*')))\n"
        )
        (folder / "solver.py").write_text(solver)


def write_rows(path: Path, first: int) -> None:
    """Twenty questions with their answers, other ones for each first number."""
    rows = [
        {"question": f"What is {n} times {n + 3}?", "answer": str(n * (n + 3)),
         "problem": f"What is {n} times {n + 3}?", "reward_model": {"ground_truth": str(n * (n + 3))}}
        for n in range(first, first + 20)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
