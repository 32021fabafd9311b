"""Tests of the harness's threads in a separate process, which closes all open episodes when it ends."""

from __future__ import annotations

import subprocess
import sys

from skill_tools.files import harness_project

NO_ROOM_FOR_A_STACK = """
import resource
import threading

from stand_in._shared.servers import threads

class Held:
    def close(self):
        print("closed")

idle = threads.EpisodeThread(Held())
usual = threading.stack_size(1 << 40)
resource.setrlimit(resource.RLIMIT_AS, (1 << 39, resource.RLIM_INFINITY))
try:
    threads.EpisodeThread()
except RuntimeError as error:
    print(error)
threading.stack_size(usual)
print(len(threads._open), "open")
"""


def test_an_episode_whose_thread_cannot_start_is_not_waited_for() -> None:
    # Not a clock: what is still registered is what the process waits for when it ends.
    command = [sys.executable, "-c", NO_ROOM_FOR_A_STACK]
    done = subprocess.run(
        command, cwd=harness_project() / "tests", capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == ["can't start new thread", "1 open", "closed"], done.stderr
