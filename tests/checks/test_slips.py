"""Slips in the code of reward functions: operations that authors rarely mean."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from skill_tools.audit.driver import DRIVERS
from skill_tools.graders.nearby_replies import nearby, words_of
from tests.checks.test_graders import audited, told

CORPUS = Path(__file__).parents[2] / "corpora/graders"
Slips = Callable[[str, Any], list[dict[str, Any]]]


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> tuple[ModuleType, ModuleType]:
    """The modules that watch code, found as drivers find them."""
    monkeypatch.syspath_prepend(str(DRIVERS))
    from audit_scoring import slip_records, slip_watch

    return slip_watch, slip_records


@pytest.fixture
def slips(watch: tuple[ModuleType, ModuleType]) -> Slips:
    """The records of a function ``f`` in a text, called with some arguments."""
    slip_watch, slip_records = watch

    def run(text: str, *arguments: Any) -> list[dict[str, Any]]:
        names = dict(slip_records.OPERATIONS)
        exec(slip_watch.watched_code(text, "f.py"), names)  # noqa: S102 - our own text
        with slip_records.recording() as found:
            names["f"](*arguments)
        return [each for each in found if each["kind"] != "found"]

    return run


@pytest.mark.parametrize(
    ("text", "arguments", "kind", "values"),
    [
        ("def f(x, i):\n    return x[i]", ([1, 2], -1), "negative", "-1"),
        ("def f(x, y):\n    return list(zip(x, y))", ([1], [1, 2]), "dropped", "1 and 2"),
        ("def f(x, y):\n    return x / y", (3, -2), "divisor", "3 / -2"),
        ("def f(x):\n    y = map(abs, x)\n    return sum(y), sum(y)", ([1],), "ended", ""),
        ("def f(x):\n    y = (e for e in x)\n    return [*y, *y]", ([1],), "ended", ""),
        ("def f(x):\n    if x:\n        return 1", (0,), "zero", ""),
        ("def f(x):\n    return x.get('a') and 1", ({},), "none", ""),
        ("def f(x, y):\n    return x in y", ("hall", ["Hall"]), "missed", "'hall' is not 'Hall'"),
        ("def f(x, y):\n    return x in y", ((1, 2), [[1, 2]]), "missed", "(1, 2) is not [1, 2]"),
        ("def f(x, y):\n    return x == y", (3, "3"), "missed", "3 is not '3'"),
        ("def f(x, y):\n    return y.get(x, 9)", (3, {"3": 1}), "missed", "3 is not '3'"),
        ("def f(x, y):\n    return x in y", ("a", ["b", " a"]), "padded", "'a' is not ' a'"),
        (
            "from collections import Counter\n\ndef f(x, y):\n    return Counter(y)[x]",
            ("a", ["A"]),
            "missed",
            "'a' is not 'A'",
        ),
        (
            "def f(x):\n    try:\n        return int(x)\n    except ValueError:\n        return 0",
            ("?",),
            "caught",
            "ValueError: invalid literal for int() with base 10: '?'",
        ),
    ],
)
def test_what_authors_rarely_mean_is_recorded(
    text: str, arguments: tuple[Any, ...], kind: str, values: str, slips: Slips
) -> None:
    (found,) = slips(text, *arguments)
    assert (found["kind"], found["values"]) == (kind, values)
    assert found["line"] > 1


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("def f(x):\n    return x[-1] + x[0]", ([1, 2],)),
        ("def f(x, y):\n    return list(zip(x, y, strict=False))", ([1], [1, 2])),
        ("def f(x):\n    y = list(map(abs, x))\n    return sum(y), sum(y)", ([1],)),
        ("def f(x):\n    return x or 3", (0,)),
        ("def f(x, y):\n    return x in y", ("a", ["b"])),
        ("def f(x, y):\n    return all(e in y for e in x)", ("ab", iter("ab"))),
    ],
)
def test_what_authors_mean_is_not_recorded(
    text: str, arguments: tuple[Any, ...], slips: Slips
) -> None:
    assert slips(text, *arguments) == []


@pytest.mark.parametrize("folder", sorted(CORPUS.glob("round_31/*/")), ids=lambda path: path.name)
def test_watched_code_rewards_like_the_code_itself(
    folder: Path, watch: tuple[ModuleType, ModuleType]
) -> None:
    slip_watch, slip_records = watch
    text = (folder / "reward.py").read_text("utf-8")
    plain: dict[str, Any] = {"__name__": "plain"}
    watched = {"__name__": "watched", **slip_records.OPERATIONS}
    exec(text, plain)  # noqa: S102 - our own corpus
    exec(slip_watch.watched_code(text, "reward.py"), watched)  # noqa: S102 - our own corpus
    rows = [json.loads(line) for line in (folder / "tasks.jsonl").read_text("utf-8").splitlines()]
    replies = json.loads((folder / "about.json").read_text("utf-8"))["gold"]
    for row, reply in zip(rows, replies, strict=True):
        for each in (reply, replies[0], reply[::-1], ""):
            assert watched["reward"](each, **row) == plain["reward"](each, **row)


def test_nearby_replies_are_different_and_always_the_same() -> None:
    words = words_of({"names": ["Ann", "Bo"], "limits": {"cost": 12}, "note": "milk and tea"})
    assert words == ["names", "limits", "note", "Ann", "Bo", "cost", "12", "milk", "and", "tea"]
    made = nearby("Buy: tea, 3 eggs\nNo milk", words, 40, "seed")
    assert made == nearby("Buy: tea, 3 eggs\nNo milk", words, 40, "seed")
    assert len(made) == len({*made}) > 30
    assert "Buy: tea, 3 eggs\nNo milk" not in made
    assert any("Ann" in each or "Bo" in each for each in made)
    assert nearby("Buy: tea", [], 40, "seed") == nearby(" ", words, 40, "seed") == []


WALK = """
import re

STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}


def reward(completion, maze, **row):
    place = [0, 0]
    for name in re.findall(r"[UDLR]", completion.rpartition("Walk:")[2].upper()):
        place = [one + other for one, other in zip(place, STEPS[name])]
        if LEAVES:
            return 0.0
        try:
            if maze[place[0]][place[1]] == "#":
                return 0.0
        except IndexError:
            return 0.0
    return float(maze[place[0]][place[1]] == "G")
"""
MAZE = ["..#G", "#...", "...."]


@pytest.mark.parametrize("sound", [False, True])
def test_a_list_that_is_read_from_its_end_is_named(sound: bool, tmp_path: Path) -> None:
    asked = [
        {
            "prompt": f"Maze {n}: {' / '.join(MAZE)}. Walk from the top left to G, never leave the maze or enter #. "
            "End with a line *Walk: R, D*.",
            "maze": MAZE,
        }
        for n in range(12)
    ]
    right = ["R, D, R, R, U", "R, D, D, R, R, U, U", "R, D, R, D, R, U, U"]
    replies = [f"Walk: {right[n % 3]}" for n in range(12)]
    program = WALK.replace("LEAVES", "min(place) < 0" if sound else "not place")
    messages = told(audited(tmp_path, program, asked, replies=replies), "GRA015")
    if sound:
        assert messages == []
    else:
        assert any("`maze[place[0]]` in reward.py:14 reads from the end" in e for e in messages)


@pytest.mark.parametrize("sound", [False, True])
def test_an_iterator_that_is_read_again_is_named(sound: bool, tmp_path: Path) -> None:
    program = (
        "from itertools import pairwise\n\n\ndef reward(completion, costs, budget, **row):\n"
        "    names = map(str.strip, completion.rpartition('Buy:')[2].split(','))\n"
        "    if sum(costs.get(name, 99) for name in names) != budget:\n        return 0.0\n"
        "    return float(all(one < other for one, other in pairwise(names)))\n"
    )
    costs = {"eggs": 5, "milk": 3, "salt": 2, "tea": 7}
    asked = [
        {
            "prompt": f"List {n}: eggs 5, milk 3, salt 2, tea 7. Spend exactly {total}. Name the things in "
            "alphabetical order. End with a line *Buy: eggs, milk*.",
            "costs": costs,
            "budget": total,
        }
        for n, total in enumerate([12, 10, 15, 17] * 3)
    ]
    right = ["eggs, tea", "eggs, milk, salt", "eggs, milk, tea", "eggs, milk, salt, tea"]
    replies = [f"Buy: {right[n % 4]}" for n in range(12)]
    made = program.replace("map(str.strip,", "[*map(str.strip,").replace("(','))", "(','))]")
    outcome = audited(tmp_path, made if sound else program, asked, replies=replies)
    messages = told(outcome, "GRA015")
    if sound:
        assert messages == []
    else:
        (message,) = messages
        assert "reward.py:8 reads `map(str.strip, " in message
        assert "which gets the full reward" in message
