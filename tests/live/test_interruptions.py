"""Whatever ends us ends all that we started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from skill_tools.frameworks.rules import load
from skill_tools.rollouts.rollout import prepare
from tests.live.frameworks import FRAMEWORKS
from tests.processes import MARK, commands, kill, marked, until

SLOWLY = """\
        if os.path.basename(sys.argv[0]) != 'child':
            open(os.path.join({folder!r}, os.path.basename(os.getcwd())), "w").close()
            time.sleep(1)
"""
ENDINGS = [
    signal.SIGINT,
    *(
        pytest.param(each, marks=pytest.mark.everything("frameworks"))
        for each in (signal.SIGKILL, signal.SIGTERM)
    ),
]
SOME = ["openenv", "gem"]  # one that is served, and one that is not


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(SOME, id="two"),
        pytest.param([*FRAMEWORKS], id="all", marks=pytest.mark.everything("frameworks")),
    ],
)
@pytest.mark.parametrize("ending", ENDINGS, ids=str)
@pytest.mark.everything("frameworks")
def test_nothing_outlives_a_build_that_is_ended(
    ending: signal.Signals, names: list[str], own_game: Path, tmp_path: Path
) -> None:
    # Every tool call takes a second, so that all rollouts are in the middle of an episode.
    rules = own_game / "game.py"
    text = rules.read_text("utf-8")
    head = "def drop_piece(self, column: int) -> str:\n"
    assert head in text
    prepare(load(own_game), own_game, names, lambda who, what: None)
    # Slow only in a variant: the bare episodes run in our own interpreter, under 3.12's name.
    (playing := tmp_path / "playing").mkdir()
    rules.write_text(
        "import os, sys, time\n" + text.replace(head, head + SLOWLY.format(folder=str(playing))),
        "utf-8",
    )
    mark = f"{os.getpid()}-{ending}"
    only = [word for name in names for word in ("-f", name)]
    child = subprocess.Popen(
        [sys.executable, "-m", "skill_tools.cli", "build", str(own_game), *only],
        stderr=(said := tmp_path / "said").open("w"),
        stdout=subprocess.DEVNULL,
        env={**os.environ, MARK: mark},
        start_new_session=True,
    )

    def all_playing() -> bool:
        return {path.name for path in playing.iterdir()} == set(names) or child.poll() is not None

    try:
        assert until(all_playing, 180), commands(marked(mark))
        assert child.poll() is None, said.read_text()
        there = commands(marked(mark))
        assert sum("rollout.py" in line for line in there) >= 2 * len(names), there
        child.send_signal(ending)
        assert until(lambda: child.poll() is not None)
        assert until(lambda: not marked(mark)), commands(marked(mark))
        assert "Traceback" not in said.read_text()
    finally:
        kill(marked(mark))
        child.wait()
