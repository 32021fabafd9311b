"""Environments that others published, written anew: each is the same in every framework that can play it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from skill_tools import pipeline
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
    assert unwanted(found.report) == []
    assert len(found.report.variants) == 1 + len(load(folder).frameworks)


SUMS = [
    {"question": f"{n} bags hold {n % 7 + 2} nuts each. How many nuts are there?", "answer": f"{n} times {n % 7 + 2} is {n * (n % 7 + 2)}.\n#### {n * (n % 7 + 2)}"}
    for n in range(11, 51)
]
"""Rows like those of GSM8K: a solution in words that ends with the number."""
CAPITALS = [("Norway", "Oslo"), ("Peru", "Lima"), ("Ghana", "Accra"), ("Japan", "Tokyo"), ("Kenya", "Nairobi")]
CHOICES = [
    {"id": f"c{n}", "question": f"Which of these is the capital of {land}?", "choices": [CAPITALS[(n + at * 2 + at * n) % 5][1] if at != n % 4 else city for at in range(4)], "answer": "ABCD"[n % 4]}
    for n, (land, city) in ((n, CAPITALS[n % 5]) for n in range(40))
]
