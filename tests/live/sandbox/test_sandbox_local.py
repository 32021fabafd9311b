"""The local backend: sessions of a server process, from their start to whatever ends them."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from skill_tools.runtime.environment import child_environment
from tests.processes import kill
from tests.selection import some

from .sandbox_cases import CASES
from .sandbox_place import Place, place

MODES = ("namespaces", "landlock")


class Local:
    """A place and a way to confine sessions; runs parts of local_facts.py there."""

    def __init__(self, place: Place, mode: str) -> None:
        self.place = place
        self.mode = mode
        self.scratch = place.scratch(os.geteuid())

    def environment(self, **variables: str) -> dict[str, str]:
        extra = {"COUNTER_CONFINE": self.mode, "TMPDIR": f"{self.scratch}/tmp"}
        return child_environment({**extra, "PYTHONPATH": str(self.place.site), **variables})

    def command(self, *arguments: str) -> list[str]:
        return self.place.command(os.geteuid(), "local_facts.py", *arguments)

    def run(self, *arguments: str, **variables: str) -> Any:
        """What a part prints; nothing of it is left in the temporary folder."""
        settings = {"COUNTER_CONFINE": self.mode, **variables}
        found = self.place.run(os.geteuid(), self.scratch, "local_facts.py", *arguments, **settings)
        assert self.files() == []
        return found

    def files(self) -> list[str]:
        return sorted(path.name for path in (self.scratch / "tmp").iterdir())


@pytest.fixture(scope="module")
def made() -> Iterator[Place]:
    with place("the oracle", for_all=False) as found:
        yield found


@pytest.fixture(scope="module", params=some(MODES, ["namespaces"], "sandboxes"))
def local(request: pytest.FixtureRequest, made: Place) -> Local:
    return Local(made, request.param)


@pytest.fixture(scope="module")
def played(local: Local) -> dict[str, Any]:
    return local.run("cases")


@pytest.mark.parametrize("name", [case.name for case in CASES])
def test_case(name: str, played: dict[str, Any]) -> None:
    assert not played[name], played[name]


def test_the_mode_that_was_asked_for_is_used(local: Local, played: dict[str, Any]) -> None:
    assert played["mode"] == local.mode
    assert not played[""]


def test_sixty_four_sessions_at_once_see_nothing_of_each_other(local: Local) -> None:
    sessions = 64
    found, left = local.run("together", str(sessions))
    for n, (names, places, variables, shell) in enumerate(found):
        assert (names, places) == (f"x{n}\n", f"d{n} d{n} f{n} g{n}")
        assert (variables, shell) == ("E" + f"{n}\n", f"d{n}\nf{n}\ng{n}\nt{n}\n")
    assert len(found) == sessions
    assert not left


def test_a_hung_cell_delays_no_other_session_and_ends_when_closed(local: Local) -> None:
    found = local.run("hanging")
    closed = "SandboxFailed: the sandbox was closed meanwhile"
    assert found["events"] == ["0", "1", "2", "'new'", closed, "'after'"]
    assert not found["left"]


def test_closing_ends_all_that_was_started_and_can_be_repeated(local: Local) -> None:
    found = local.run("closing")
    assert found["close"] == found["again"] == "returned None"
    assert not found["left"]
    for action in ("cell", "command", "read"):
        assert found[action] == "SandboxFailed: the sandbox is closed"


def test_a_session_that_is_dropped_ends(local: Local) -> None:
    assert local.run("dropped") == [1, []]


def test_counts_go_on_over_errors_and_begin_again_in_a_new_kernel(local: Local) -> None:
    lost = "its kernel died (exit code 2); its variables are lost, and a new kernel takes its place"
    assert local.run("restarted") == [
        ["ok", 1, ""], ["error", 2, ""], ["ok", 3, ""],
        ["error", 4, "stopped after 5 s; its variables are kept"],
        ["ok", 5, ""], ["lost", None, lost], ["error", 1, ""], ["ok", 2, ""],
    ]  # fmt: skip


def test_tracebacks_have_no_frames_of_ours(local: Local) -> None:
    for text in local.run("traced"):
        assert text != "no error"
        for ours in ("kernel.py", "keeper.py", "inside", "sandbox", "site-packages", "place-"):
            assert ours not in text, text


def test_what_is_displayed_and_printed_keeps_its_order(local: Local) -> None:
    assert local.run("ordered") == "0 0 1 1 2 2 'end'"


def test_the_end_of_the_fork_server_is_a_failure_and_a_new_one_takes_its_place(
    local: Local,
) -> None:
    found = local.run("forker_killed")
    assert found["cell"].startswith("SandboxFailed: the fork server ended")
    assert found["new"] == "42"
    assert found["close"] == "returned None"
    assert not found["left"]
    assert found["processes"] == []
    assert found["folder"] is False


def test_a_fork_of_the_server_has_its_own_sessions_and_holds_none_of_its_parents(
    local: Local,
) -> None:
    found = local.run("forked")
    assert found["child"][0].startswith("SandboxFailed: ")
    assert found["child"][1] == "'own'"
    assert (found["parent"], found["after"]) == ("'here'", "'after'")
    assert not found["left"]


def test_an_answer_that_nobody_waited_for_is_not_the_next_ones(local: Local) -> None:
    assert local.run("interrupted_call") == ["KeyboardInterrupt", "'next'"]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
@pytest.mark.everything("sandboxes")
def test_nothing_is_left_of_a_server_that_is_ended(local: Local, number: int) -> None:
    command = local.command("serving")
    with subprocess.Popen(
        command, cwd=local.scratch, env=local.environment(), stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as server:  # fmt: skip
        there: list[psutil.Process] = []
        try:
            assert server.stdout.readline() == b"ready\n"
            there = psutil.Process(server.pid).children(recursive=True)
            # The fork server, and of each of three sessions its keeper and what runs in it.
            assert len(there) >= 1 + 3 * 2
            server.send_signal(number)
            server.wait(60)
            _, alive = psutil.wait_procs(there, timeout=20)
            assert alive == []
        finally:
            kill([psutil.Process(server.pid)] if server.poll() is None else there)
    for _ in range(300):
        if not local.files():
            break
        time.sleep(0.1)
    assert local.files() == []


def test_what_cannot_be_had_is_named_with_what_to_do(local: Local) -> None:
    package, code, file = local.run("refused")
    assert package.startswith("SandboxUnavailable: no_such-package is not installed\n")
    assert "fix: add it to `packages` in env.yaml" in package
    assert code == "SandboxFailed: run_code needs ipython among the packages of open_sandbox"
    assert file.startswith("SandboxFailed: a session did not start: ")
    assert "/proc/none/x" in file


def test_an_unknown_mode_and_an_unknown_backend_are_named(local: Local) -> None:
    reported = local.run("opened_at_all", COUNTER_CONFINE="moon")
    assert reported == (
        "SandboxUnavailable: COUNTER_CONFINE is 'moon'; it must be one of namespaces, landlock, none"
    )
    reported = local.run("opened_at_all", COUNTER_BACKEND="moon")
    assert reported == (
        "SandboxUnavailable: COUNTER_BACKEND is 'moon'; the backends are local and e2b"
    )


def test_a_server_says_how_it_confines(local: Local) -> None:
    command = [str(local.place.python), "-m", "rl_env_sandbox", "counter_domain"]
    reported = subprocess.run(
        command, cwd=local.scratch, env=local.environment(), capture_output=True, text=True,
        check=True, timeout=120,
    ).stdout  # fmt: skip
    assert reported.startswith(f"mode: {local.mode}: ")
    assert Path("/proc/sys/kernel/ostype").read_text() == "Linux\n"


def test_files_that_are_too_large_are_refused_before_anything_is_opened(local: Local) -> None:
    facts = local.run("sizes")
    assert "ValueError: the file large has 33,554,433 bytes; the maximum is 32 MB" in facts["one"]
    assert "disk_mb of Limits allows 48 MB" in facts["all"]
    assert "File too large: 'large'" in facts["later"]
    assert facts["left"] == "small\n"


def test_a_file_is_written_whole_or_not_at_all(local: Local) -> None:
    facts = local.run("whole_writes")
    assert facts["full"].startswith("OSError: [Errno ")
    assert facts["kept"] == "old\n"
    assert "Is a directory: 'folder'" in facts["folder"]
    assert "this is not a valid path" in facts["no path"]
    assert facts["written"] == "new\necho newecho newfolder\nlink\npipe\nrun.sh\n"


def test_modules_and_absolute_paths_are_found_as_in_a_notebook(local: Local) -> None:
    facts = local.run("places")
    assert facts["cell"] == facts["command"] == "3 /home/user/lib/there.py\n"
    assert facts["absolute"] == "x = 1\n"
    assert facts["in bash"] == "x = 1/tmp/x\n"
    assert facts["read"] == "x = 1"
    assert facts["python"] == "/opt/bin/python3\n"


def test_no_signal_of_the_agents_begins_the_session_anew(local: Local) -> None:
    assert local.run("signals") == {"there": "first\nsecond\n", "restarts": 0}
