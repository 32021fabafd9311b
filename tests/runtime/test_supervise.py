"""Real processes: whatever ends a command, nothing it started is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path

import pytest

from skill_tools.errors import PlatformError
from skill_tools.runtime import supervise
from tests.processes import kill, named, until

ROOT = Path(__file__).parents[2]

# A child, a grandchild, and a daemon that left the session: each shows the mark in its arguments.
FAMILY = """
import os, subprocess, sys, time
mark = sys.argv[1]
sleeper = [sys.executable, "-c", "import time; time.sleep(60)", mark]
subprocess.Popen(sleeper)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, sleeper)
    os._exit(0)
os.wait()
print("up", flush=True)
time.sleep(float(sys.argv[2]))
"""

CALLER = """
import os, sys
from pathlib import Path
from skill_tools.runtime import supervise
def show(line): print(line, flush=True)
folder, *command = sys.argv[1:]
supervise.run(command, cwd=Path(folder), env=os.environ, timeout=60, log=Path(folder, "log"),
              on_line=show)
"""


@pytest.fixture
def mark():
    mark = f"mark-{uuid.uuid4().hex}"
    yield mark
    kill(named(mark))


def assert_gone(mark: str, seconds: float = 0.0) -> None:
    until(lambda: not named(mark), seconds)
    assert named(mark) == []


def family(mark: str, seconds: float) -> list[str]:
    return [sys.executable, "-c", FAMILY, mark, str(seconds)]


def run(command: list[str], folder: Path, timeout: float = 30, **more) -> supervise.Result:
    log = folder / "logs" / "log"
    return supervise.run(command, cwd=folder, env=os.environ, timeout=timeout, log=log, **more)


@pytest.mark.parametrize(
    ("script", "code"), [("exit 0", 0), ("exit 3", 3), ("kill -9 $$", 137), ("kill -15 $$", 143)]
)
def test_exit_codes_pass_through(tmp_path, script, code):
    assert run(["sh", "-c", script], tmp_path).returncode == code


def test_a_command_that_does_not_exist_says_so(tmp_path):
    result = run(["no-such-command"], tmp_path)
    assert result.returncode == 127
    assert "no-such-command" in result.log_tail


def test_output_goes_to_the_log_and_line_by_line(tmp_path):
    lines: list[str] = []
    script = "pwd; echo out; echo error >&2; cat; printf 'no newline'"
    result = run(["sh", "-c", script], tmp_path, on_line=lines.append)
    assert lines == [str(tmp_path), "out", "error", "no newline"]
    assert (tmp_path / "logs" / "log").read_text().splitlines() == lines
    assert result.log_tail.splitlines() == lines


def test_daemons_are_gone_after_success(tmp_path, mark):
    result = run(family(mark, 0), tmp_path)
    assert (result.returncode, result.timed_out, result.log_tail) == (0, False, "up")
    assert_gone(mark)


def test_timeout_ends_everything(tmp_path, mark):
    result = run(family(mark, 60), tmp_path, timeout=0.5)
    assert result.timed_out
    assert result.log_tail == "up"
    assert 0.5 <= result.seconds < 5
    assert_gone(mark)


def test_a_command_that_ignores_sigterm_is_killed(tmp_path):
    command = ["sh", "-c", "trap '' TERM; while :; do sleep 1; done"]
    result = run(command, tmp_path, timeout=0.3, grace=0.2)
    assert (result.returncode, result.timed_out) == (137, True)
    assert result.seconds < 3


def test_a_command_has_time_to_tidy_up(tmp_path):
    script = "trap 'echo tidied; exit 5' TERM; echo up; while :; do sleep 0.05; done"
    result = run(["sh", "-c", f"exec 2>/dev/null; {script}"], tmp_path, timeout=0.5, grace=5)
    assert (result.returncode, result.log_tail) == (5, "up\ntidied")


def test_an_error_in_on_line_ends_the_command_and_is_raised(tmp_path, mark):
    def refuse(line: str) -> None:
        raise RuntimeError(line)

    with pytest.raises(RuntimeError, match="up"):
        run(family(mark, 60), tmp_path, on_line=refuse)
    assert_gone(mark)


def test_leaving_the_block_by_an_exception_ends_everything(tmp_path, mark):
    up, children, log = threading.Event(), [], tmp_path / "log"

    def leave_by_exception() -> None:
        with supervise.process(
            family(mark, 60), cwd=tmp_path, env=os.environ, log=log, on_line=lambda _: up.set()
        ) as child:
            children.append(child)
            assert up.wait(10)
            assert child.running
            assert len(named(mark)) >= 3
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        leave_by_exception()
    child = children[0]
    assert not child.running
    assert child.terminate().returncode == 143
    assert_gone(mark)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_when_the_caller_is_killed(tmp_path, mark, number):
    caller = subprocess.Popen(
        [sys.executable, "-c", CALLER, str(tmp_path), *family(mark, 60)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert caller.stdout is not None
    assert caller.stdout.readline() == b"up\n"
    assert len(named(mark)) >= 4
    caller.send_signal(number)
    _, errors = caller.communicate(timeout=30)
    assert (b"KeyboardInterrupt" in errors) == (number == signal.SIGINT)
    assert_gone(mark, seconds=5)


def test_a_killed_supervisor_takes_the_command_along(tmp_path, mark):
    command = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(60)", mark]

    def kill_supervisor(_: str) -> None:
        next(p for p in named(mark) if "supervisor.py" in " ".join(p.cmdline())).kill()

    assert run(command, tmp_path, on_line=kill_supervisor).returncode == -signal.SIGKILL
    assert_gone(mark, seconds=5)


def test_elsewhere_than_on_linux_it_says_so_and_starts_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(
        PlatformError, match=r"needs Linux, but this is darwin: .*Not started: touch"
    ):
        run(["touch", str(tmp_path / "started")], tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_many_threads_at_once(tmp_path):
    results: dict[int, supervise.Result] = {}

    def one(number: int) -> None:
        results[number] = run(["sh", "-c", f"echo {number}; exit {number}"], tmp_path / str(number))

    threads = [threading.Thread(target=one, args=(n,)) for n in range(8)]
    for number, thread in enumerate(threads):
        (tmp_path / str(number)).mkdir()
        thread.start()
    for thread in threads:
        thread.join()
    assert {n: (r.returncode, r.log_tail) for n, r in results.items()} == {
        n: (n, str(n)) for n in range(8)
    }


def test_supervision_costs_little(tmp_path):
    seconds = []
    for _ in range(5):
        started = time.perf_counter()
        run(["true"], tmp_path)
        seconds.append(time.perf_counter() - started)
    # 40 ms when measured alone; the bound allows for a busy machine.
    assert min(seconds) < 0.25
