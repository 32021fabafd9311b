"""The command line in a process of its own, forked off one that has imported it already.

What Python and the imports take is more than half of most commands. Tests of streams, of signals
and of Python's own variables start a new Python instead.
"""

from __future__ import annotations

import os
import sys
import tempfile
from multiprocessing import get_context
from pathlib import Path
from subprocess import CompletedProcess

import pytest

FORKS = get_context("forkserver")
FORKS.set_forkserver_preload(["skill_tools.cli.app", "skill_tools.pipeline", "skill_tools.checks"])
WIDE = ("COLUMNS", "200")


def skill_tools(*arguments: object, **environment: str) -> CompletedProcess[str]:
    """What a command says, and its exit code."""
    words, settings = [*map(str, arguments)], {**os.environ, **dict([WIDE]), **environment}
    with tempfile.TemporaryDirectory() as scratch:
        out, err = (Path(scratch, name) for name in ("out", "err"))
        process = FORKS.Process(target=_run, args=(words, settings, Path.cwd(), out, err))
        with pytest.MonkeyPatch.context() as changed:
            changed.setenv(*WIDE)  # if this is the first: some look when imported
            process.start()
        process.join()
        said = (path.read_text("utf-8") for path in (out, err))
        return CompletedProcess(words, process.exitcode, *said)


def _run(words: list[str], settings: dict[str, str], cwd: Path, out: Path, err: Path) -> None:
    from skill_tools.cli.app import main

    for number, path in ((1, out), (2, err)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
    os.environ.clear()
    os.environ.update(settings)
    os.chdir(cwd)
    sys.argv = ["skill-tools", *words]
    main()
