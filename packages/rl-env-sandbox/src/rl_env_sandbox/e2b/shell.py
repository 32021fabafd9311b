"""Commands in a cloud sandbox: the script that runs a command, and the parser of its output.

E2B's client starts each command in a login shell and waits until no process holds the command's output open.
The script therefore runs the agent's command in its own shell and reports the end of that shell, even if
programs continue in the background.
"""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable

from .. import HOME

NOWHERE = {"HOME": "/nonexistent"}
"""Variables that stop the login shell from running a profile file that the agent wrote."""


def kill_group(leader: int, signal: str) -> str:
    """Return a command that signals a process, and the process's group if the process leads a group."""
    return f"kill -{signal} -- -{leader} 2>/dev/null || kill -{signal} {leader}"


class Command:
    """An agent's command, with its script and its results so far."""

    def __init__(self, command: str, seconds: float, most: int) -> None:
        """Prepare a command that may run for `seconds` and print up to `most` characters."""
        self.leader = 0
        self.code: int | None = None
        self.flooded = False
        self._mark = secrets.token_hex(16)
        self._parts: list[str] = []
        self._rest = ""
        self._most = most
        self._size = 0
        # `timeout` leads its own process group, which it kills; its number comes first.
        first = f"printf '%s%d\\n' {self._mark} $$; exec \"$@\""
        inner = ["timeout", "-s", "KILL", f"{seconds:g}", "env", f"HOME={HOME}"]
        bash = ["bash", "--noprofile", "--norc", "-c", command]
        started = shlex.join(["sh", "-c", first, "sh", *inner, *bash])
        ended = f"printf '%s%d\\n' {self._mark} $?"
        self.script = f"exec 2>/dev/null; {started} 2>&1 </dev/null; {ended}"

    @property
    def output(self) -> str:
        """The text that the command printed."""
        return "".join(self._parts)

    def take(self, text: str, kill: Callable[[int], None]) -> bool:
        """Add output. Return whether the command is over."""
        self._rest += text
        while not self.leader or self.code is None:
            before, mark, after = self._rest.partition(self._mark)
            number, line, rest = after.partition("\n")
            if not line:  # the marker, or the number after it, may still arrive
                kept = len(before) if mark else max(0, len(before) - len(self._mark) + 1)
                self._add(before[:kept], kill)
                self._rest = self._rest[kept:]
                return False
            self._add(before, kill)
            self._rest = rest
            if self.leader:
                self.code = int(number)
            else:
                self.leader = int(number)
        return True

    def _add(self, text: str, kill: Callable[[int], None]) -> None:
        room = self._most - self._size
        self._size += len(text)
        self._parts.append(text[: max(0, room)])
        if self._size > self._most and not self.flooded:
            self.flooded = True
            kill(self.leader)
