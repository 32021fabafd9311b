"""A domain as authors wrote it for protocol 1, with everything that such a domain imports from the package."""

import rl_env_sandbox
from rl_env_sandbox import (
    HOME,
    CellResult,
    CommandResult,
    Limits,
    SandboxFailed,
    SandboxUnavailable,
    open_sandbox,
    shown,
)
from rl_env_sandbox.computer import Computer, InvalidAction, Shown
from rl_env_sandbox.screen import PROGRAMS, Screen, ScreenLost, Window

TAKEN = (CellResult, CommandResult, Computer, InvalidAction, Screen, ScreenLost, Shown, Window)
LIMITS = Limits(
    cell_seconds=30, command_seconds=5, memory_mb=512, disk_mb=64, processes=32, cpu_seconds=60,
    output_mb=1, sandbox_seconds=600,
)  # fmt: skip


class Oldest:
    """A domain with a shell and one file."""

    def __init__(self) -> None:
        self.backend = rl_env_sandbox.backend()
        self._sandbox = open_sandbox(
            {"data/in.txt": b"1\n"}, packages=[], warm=[], seed=3, variables={"WORD": "w"},
            limits=LIMITS,
        )  # fmt: skip

    def run(self, command: str) -> str:
        """Return a command's result as a model sees it."""
        return shown.command(self._sandbox.run_command(command, 5))

    def files(self) -> list[object]:
        """Write a file. Return its content, the result of reading a missing file, and the number of restarts."""
        self._sandbox.write_file("out.txt", b"written")
        missing = self._sandbox.read_file("missing", limit=10)
        return [self._sandbox.read_file("out.txt"), missing, self._sandbox.restarts]

    def cell(self) -> str:
        """Return the outputs of a cell, or the error if ipython is missing."""
        try:
            return "\n".join(map(str, shown.cell(self._sandbox.run_code("1 + 1"))))
        except (SandboxFailed, SandboxUnavailable) as error:
            return str(error)

    def close(self) -> None:
        """End the session."""
        self._sandbox.close()


HOME_AND_LIMITS = (HOME, PROGRAMS.memory_mb)
