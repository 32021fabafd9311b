"""uv as the installer of venvs: one command at a time, and what to tell when it fails."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from uv import find_uv_bin

from skill_tools.errors import InstallError
from skill_tools.runtime import places, supervise
from skill_tools.runtime.environment import SECRET, child_environment

SECONDS = 1800.0
UNREACHABLE = re.compile(r"error sending request|network was disabled|timed out|server error \(5")
"""How uv says that there is no network."""


def run_uv(arguments: Sequence[str | Path]) -> str:
    """Run uv; return nothing, or the end of what it said when it failed."""
    # By default it retries three times: 12 seconds on a machine without network.
    retries = {"UV_HTTP_RETRIES": os.environ.get("UV_HTTP_RETRIES", "1")}
    index = [name for name in os.environ if name.startswith(("UV_", "NETRC"))]  # its password, too
    # The user's settings for uv are in their own HOME, even where that cannot be written.
    home = {name: os.environ[name] for name in ("HOME",) if name in os.environ}
    environment = child_environment({**retries, **home, **places.for_uv("uv")}, keep=index)
    command = [find_uv_bin(), *arguments]
    with tempfile.TemporaryDirectory() as folder:  # where no project's settings for uv apply
        here, log = Path(folder), Path(folder, "uv.log")
        result = supervise.run(command, cwd=here, env=environment, timeout=SECONDS, log=log)
    if result.timed_out:
        return f"{result.log_tail}\ntimed out after {SECONDS:g} s"
    return f"{result.log_tail}\nexit code {result.returncode}" if result.returncode else ""


def install_error(what: str, output: str) -> InstallError:
    """The error to raise for what uv said: its end, without secrets, and what to do about it."""
    fix = ["fix: no network: connect, or set UV_INDEX_URL to a reachable package index"]
    fix = fix if UNREACHABLE.search(output) else []
    ours = {"UV_HTTP_RETRIES", *places.CHOSEN.values()}
    if found := sorted(name for name in os.environ if name.startswith("UV_") and name not in ours):
        fix.append(f"set in your environment, and used by uv: {', '.join(found)}")
    lines = [what, *fix, "uv said:", *output.splitlines()[-12:]]
    return InstallError(redact("\n    ".join(lines)))


def redact(text: str) -> str:
    """``text`` without passwords in addresses and without values of secret variables."""
    for name, value in os.environ.items():
        if SECRET.fullmatch(name) and len(value) > 5:
            text = text.replace(value, "***")
    return re.sub(r"//[^/@\s]+@", "//***@", text)
