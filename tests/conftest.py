"""Fixtures: the smallest environment, written into a temporary folder."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings

from skill_tools.evidence import saved
from skill_tools.evidence.evidence import Evidence
from skill_tools.policies.server import PolicyEndpoint
from skill_tools.reference.children import kept
from skill_tools.render import wheel

from . import reruns, selection, strict
from .parts import PARTS
from .selection import Plan

PolicyEndpoint.refusals = staticmethod(strict.refusals)

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


PLAN = pytest.StashKey[Plan]()
SMOKE = "test_smoke.py"
"""The live tests of a plain run."""
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
    options.addoption("--everything", action="store_true", help="play all tests")
    options.addoption(
        "--changed",
        action="store_true",
        help="also play the parts that cover files that differ from what has landed",
    )
    options.addoption(
        "--parts",
        metavar="PART,...",
        help=f"play these parts and nothing else: {', '.join(PARTS)}",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose the parts to play; take test names with the group behind an @ that xdist prints."""
    config.args = [selection.ungrouped(arg) for arg in config.args]
    if hasattr(config, "workerinput"):
        fast, *parts = config.workerinput["plan"]
        config.stash[PLAN] = Plan(fast, *map(frozenset, parts))
    else:
        config.stash[PLAN] = plan_for(config)


def plan_for(config: pytest.Config) -> Plan:
    """What the command asks for."""
    given = config.args_source is pytest.Config.ArgsSource.ARGS
    if config.getoption("everything") or (given and selection.named(config.args)):
        return selection.EVERYTHING
    if parts := config.getoption("parts"):
        names = frozenset(parts.split(","))
        if unknown := names - set(PARTS):
            raise pytest.UsageError(f"no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
        return Plan(fast=False, whole=names)
    return selection.plan_of(selection.parts_changed() if config.getoption("changed") else [])


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """All workers of xdist play the same, whatever becomes of the files meanwhile."""
    plan = node.config.stash[PLAN]
    node.workerinput["plan"] = [plan.fast, [*plan.core], [*plan.whole]]


def pytest_report_header(config: pytest.Config) -> str:
    """Say what is played."""
    return f"plays {config.stash[PLAN]}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Read no live tests where none of their parts is played: they import much."""
    live = collection_path.parent == ROOT / "tests" / "live" and collection_path.name != SMOKE
    return True if live and config.stash[PLAN] == Plan() else None


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what was not asked for; play slow tests first, and together what shares much."""
    played = [item for item in items if config.stash[PLAN].plays(item)]
    if left_out := set(items) - set(played):
        config.hook.pytest_deselected(items=list(left_out))
    items[:] = played
    for item in items:
        if name := selection.group(item):
            item.add_marker(pytest.mark.xdist_group(name))
        if selection.is_live(item):
            item.add_marker(pytest.mark.live)
        if reruns.may_be_played_again(item):
            item.add_marker(pytest.mark.flaky(reruns=1))
    items.sort(key=lambda item: not selection.is_live(item))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run in which more tests needed a second time than a busy machine explains."""
    if reruns.are_too_many(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Name what was played again, for whoever reads the log."""
    for line in reruns.lines(config):
        terminalreporter.write_line(line)


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


@pytest.fixture(scope="session")
def good(tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    """What is seen of the counter, with all that is tried on it: played once, read by each worker."""
    from tests.checks.played import evidence_of  # what plays is not needed by every run

    def play(folder: Path) -> None:
        saved.write(
            folder / saved.EVIDENCE_FILE,
            [evidence_of(write_counter(folder / "counter"), exploring=True)],
        )

    folder = once(tmp_path_factory, "good", play)
    (evidence,) = saved.read(folder / saved.EVIDENCE_FILE, folder / "counter")
    return evidence


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that the first worker that asks for it makes, and that all workers of a run share."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"once-{name}"
    made = folder.with_suffix(".made")
    with FileLock(folder.with_suffix(".lock")):
        if not made.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            made.touch()
    return folder


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
