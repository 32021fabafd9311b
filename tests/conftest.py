"""Fixtures: the smallest environment, written into a temporary folder."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from skill_tools.reference.children import kept
from skill_tools.render import wheel

from . import selection

# How long an example takes says how busy the machine is.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # So for what a shell runs in the background; what we start would inherit it, deaf to Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def link_harness(folder: Path) -> None:
    """Put rl-env-harness into a folder that is on the path of what imports an environment."""
    found = wheel.HARNESS.unpacked(folder, folder / "wheels")
    (folder / wheel.HARNESS.imported).symlink_to(found, target_is_directory=True)


PARTS = pytest.StashKey[list[str]]()
THIRD = pytest.StashKey[str | None]()
ROOT = Path(__file__).parent.parent
WORDLE = ROOT / "reference_envs" / "wordle_env"
JUPYTER = ROOT / "reference_envs" / "jupyter_env"
CONNECT_FOUR = ROOT / "evals" / "cases" / "connect_four" / "reference"

SPEC = """\
name: counter
title: Counter
description: The agent counts up to a hidden target.
archetype: pure-python-game
domain: game:Counter
tasks: tasks:TASKS
oracle: oracle:solve
hidden: [target_word]
prompt:
  system: Count to the target.
  user: "{observation}"
tools:
  add:
    description: Add to the counter.
    parameters:
      amount: {type: integer, minimum: 1, maximum: 9, description: How much to add.}
      note: {type: string, max_length: 5, default: "", description: Any remark.}
  look:
    description: Look at the counter.
episode: {max_turns: 6}
"""

GAME = '''\
import random


class InvalidAction(Exception):
    """Not allowed by the rules."""


class Counter:
    def __init__(self, task, seed):
        self.value = 0
        self.target = random.Random(seed).randint(5, 30)
        self.reward = 0.0
        self.done = False
        self.word = task["target_word"]

    def observe(self):
        return f"The counter is at {self.value}; the target is {self.target}."

    def add(self, amount, note=""):
        if self.value + amount > self.target:
            raise InvalidAction(f"{amount} is too much; add at most {self.target - self.value}")
        self.value += amount
        if self.value == self.target:
            self.done = True
            self.reward = 1.0
        return f"The counter is at {self.value}. {note}"

    def look(self):
        return self.observe()
'''

TASKS = """\
TASKS = {
    "train": [
        {"id": f"train-{i}", "seed": i, "target_word": f"word{i}word"} for i in range(12)
    ],
    "test": [{"id": "test-0", "seed": 99, "target_word": "zebra"}],
}
"""

ORACLE = """\
from .game import Counter


def solve(task, seed):
    left = Counter(task, seed).target
    calls = []
    while left:
        amount = min(9, left)
        calls.append(("add", {"amount": amount}))
        left -= amount
    return calls
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options that say how much is played; see selection.py."""
    options = parser.getgroup("rl-env-skills")
    options.addoption(
        "--everything",
        action="store_true",
        help=f"also play what is left out otherwise: {', '.join(selection.PARTS)}",
    )
    options.addoption(
        "--changed",
        action="store_true",
        help="of what --everything adds, play what covers files that differ from what has landed,"
        f" and a third of it where these are more than {selection.WIDE} parts",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose the parts to play; take test names with the group behind an @ that xdist prints."""
    config.args = [selection.ungrouped(arg) for arg in config.args]
    config.stash[THIRD] = None
    if hasattr(config, "workerinput"):
        config.stash[PARTS] = config.workerinput["parts"]
        config.stash[THIRD] = config.workerinput["third"]
    elif config.getoption("everything") or any(".py" in arg for arg in config.args):
        config.stash[PARTS] = list(selection.PARTS)
    else:
        config.stash[PARTS] = selection.parts_changed() if config.getoption("changed") else []
        config.stash[THIRD] = selection.third(config.stash[PARTS])


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """All workers of xdist play the same, whatever becomes of the files meanwhile."""
    node.workerinput["parts"] = node.config.stash[PARTS]
    node.workerinput["third"] = node.config.stash[THIRD]


def pytest_report_header(config: pytest.Config) -> str:
    """Say what is left out."""
    share = "third" if config.stash[THIRD] else "all"
    return (
        f"of what only --everything plays: {share} of {', '.join(config.stash[PARTS]) or 'nothing'}"
    )


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what was not asked for; play slow tests first, and together what shares much."""
    asked = config.stash[PARTS], config.stash[THIRD]
    played = [item for item in items if selection.wanted(item, *asked)]
    if left_out := set(items) - set(played):
        config.hook.pytest_deselected(items=list(left_out))
    items[:] = played
    for item in items:
        if name := selection.group(item):
            item.add_marker(pytest.mark.xdist_group(name))
        if selection.is_live(item):
            item.add_marker(pytest.mark.live)
    items.sort(key=lambda item: not selection.is_live(item))


def write_counter(folder: Path, **changes: tuple[str, str] | list[tuple[str, str]]) -> Path:
    """Write the counter environment; ``changes`` maps a file to (old text, new text), or several."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {"env.yaml": SPEC, "game.py": GAME, "tasks.py": TASKS, "oracle.py": ORACLE}
    for name, text in files.items():
        key = name.partition(".")[0]
        wanted = changes.get(key, [])
        for old, new in [wanted] if isinstance(wanted, tuple) else wanted:
            assert old in text, f"{old!r} is not in {name}"
            text = text.replace(old, new)
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture(autouse=True, scope="session")
def _own_data(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What the tests agree to run is not what the user agreed to."""
    os.environ["SKILL_TOOLS_DATA"] = str(tmp_path_factory.mktemp("data"))


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call() -> Any:
    """Take the test's name from the environment: what stays for the next test has the same."""
    os.environ.pop("PYTEST_CURRENT_TEST", None)
    return (yield)


@pytest.fixture(autouse=True, scope="module")
def _stay() -> Iterator[None]:
    """What runs the author's code stays for the tests of a module: most ask for little of it."""
    with kept():
        yield


@pytest.fixture
def counter(tmp_path: Path) -> Path:
    """The counter environment's author's files."""
    return write_counter(tmp_path / "counter")


@pytest.fixture
def connect_four(tmp_path: Path) -> Path:
    """A copy of the connect-four reference: the author's files only."""
    return Path(shutil.copytree(CONNECT_FOUR, tmp_path / "connect_four"))


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, to show that nothing changed."""
    return {
        os.fspath(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
