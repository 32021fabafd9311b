"""Whatever ends us ends all that we started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.rules import load
from skill_tools.play.rollout import prepare
from tests.processes import MARK, commands, kill, marked, until


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM], ids=str)
def test_nothing_outlives_a_build_that_is_ended(ending: signal.Signals, own_game: Path) -> None:
    # Every tool call takes a second, so that all four rollouts are in the middle of an episode.
    rules = own_game / "game.py"
    text = rules.read_text("utf-8")
    head = "def drop_piece(self, column: int) -> str:\n"
    assert head in text
    slow = text.replace(head, head + "        __import__('time').sleep(SLOW)\n")
    prepare(load(own_game), own_game, list(FRAMEWORKS), lambda who, what: None)
    # Slow only in a variant: the bare episodes run in our own interpreter, under 3.12's name.
    probe = "\nimport sys\nSLOW = 0 if 'probe' in sys.argv[0] else 1\n"
    rules.write_text(slow + probe, "utf-8")
    mark = f"{os.getpid()}-{ending}"
    child = subprocess.Popen(
        [sys.executable, "-m", "skill_tools.cli", "build", str(own_game)],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={**os.environ, MARK: mark},
        start_new_session=True,
    )

    def all_rolling_out() -> bool:
        return sum("rollout.py" in line for line in commands(marked(mark))) >= 2 * len(FRAMEWORKS)

    try:
        assert until(all_rolling_out, 60), commands(marked(mark))
        time.sleep(6)
        assert child.poll() is None, child.stderr.read()
        child.send_signal(ending)
        assert until(lambda: child.poll() is not None)
        assert until(lambda: not marked(mark)), commands(marked(mark))
    finally:
        kill(marked(mark))
        child.wait()
