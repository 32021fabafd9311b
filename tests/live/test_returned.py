"""What a domain of coroutines returns arrives whole in every framework: large text, objects, nulls."""

from __future__ import annotations

from pathlib import Path

import pytest

from skill_tools.pipeline import render, rollout
from tests.conftest import write_counter
from tests.live.frameworks import FRAMEWORK_NAMES
from tests.selection import some

WORLD = [
    ("import random", "import asyncio\nimport random"),
    ("    def observe(self):", "    async def observe(self):\n        await asyncio.sleep(0)"),
    ("    def look(", "    async def look("),
    ("        return self.observe()", "        return '~' * 7_900_000"),
    ("    def add(", "    async def add("),
    (
        '        return f"The counter is at {self.value}. {note}"',
        '        await asyncio.sleep(0)\n        return {"note": note, "at": self.value}',
    ),
]


@pytest.mark.parametrize("framework", some(FRAMEWORK_NAMES, usual=("openenv",)))
def test_large_text_objects_and_nulls_of_an_async_domain_are_the_same_in_every_variant(
    framework: str, tmp_path: Path
) -> None:
    folder = write_counter(
        tmp_path / "counter",
        game=WORLD,
        env=[
            ('default: ""', "default: null"),
            ("episode:", f"frameworks: [{framework}]\nepisode:"),
        ],
        oracle=[
            ("    calls = []", '    calls = [("look", {})]'),
            ('{"amount": amount}', '{"amount": amount, "note": None}'),
        ],
    )
    render(folder)
    (played,) = rollout(folder, framework, indices=(2, 2))
    first, *steps = played.steps
    assert first.observation[0]["text"] == "~" * 7_900_000
    target = 9 * (len(steps) - 1) + steps[-1].arguments["amount"]
    texts = [step.observation[0]["text"] for step in steps]
    assert texts == [f'{{"at":{end},"note":null}}' for end in [*range(9, target, 9), target]]
    assert (played.end, played.total) == ("terminated", 1.0)
