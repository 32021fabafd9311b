"""Environments that others published, written anew: each is the same in every framework that can play it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import skill_tools
from skill_tools import pipeline
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.rules import load
from tests.conftest import ROOT
from tests.reports import unwanted

pytestmark = pytest.mark.everything("frameworks")
PUBLIC = sorted(path.parent for path in ROOT.glob("tests/live/public_envs/*/env.yaml"))


@pytest.mark.parametrize("published", PUBLIC, ids=lambda path: path.name)
def test_a_published_environment_is_green_in_every_framework(
    published: Path, tmp_path: Path
) -> None:
    folder = tmp_path / published.name
    shutil.copytree(published, folder)
    found = pipeline.build(folder, load(folder).frameworks, count=6)
    assert [each for each in unwanted(found.report) if each.status != "excepted"] == []
    assert len(found.report.variants) == 1 + len(load(folder).frameworks)


def word_problem(n: int) -> dict[str, Any]:
    """A row like those of GSM8K: a solution in words that ends with the number."""
    each = n % 7 + 2
    asked = f"{n} bags hold {each} nuts each. How many nuts are there?"
    return {"question": asked, "answer": f"{n} times {each} is {n * each}.\n#### {n * each}"}


def choice(n: int) -> dict[str, Any]:
    """A row with four options, of which a letter names the right one."""
    base = 7 * (n + 3)
    options = [base + 1 + 9 * at for at in range(4) if (1 + 9 * at) % 7]
    options.insert(n % 4, base)
    asked = f"Which of these is a multiple of 7 (question {n})?"
    return {"question": asked, "choices": [str(o) for o in options[:4]], "answer": "ABCD"[n % 4]}


def expression(n: int) -> dict[str, Any]:
    """A row like those of MATH: the answer is an expression in LaTeX."""
    return {"problem": f"Simplify {2 * n}/{4 * n + 2}.", "answer": f"\\frac{{{n}}}{{{2 * n + 1}}}"}


@pytest.mark.parametrize("row", [word_problem, choice, expression])
def test_rows_become_an_environment_that_is_green_in_every_framework(
    row: Callable[[int], dict[str, Any]], tmp_path: Path
) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps(row(n)) + "\n" for n in range(11, 51)), "utf-8")
    skill_tools.new_from_rows(tmp_path / "rows_env", rows)
    found = pipeline.build(tmp_path / "rows_env", list(FRAMEWORKS), count=6)
    assert unwanted(found.report) == []
