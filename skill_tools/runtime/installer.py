"""uv as the installer of venvs: running a uv command, and explaining its failure."""

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
"""uv's messages for a missing network."""


def run_uv(arguments: Sequence[str | Path]) -> str:
    """Run uv. Return "" if it succeeded, otherwise the end of its output."""
    # The default of three retries takes 12 seconds on a machine without network.
    retries = {"UV_HTTP_RETRIES": os.environ.get("UV_HTTP_RETRIES", "1")}
    index = [
        name for name in os.environ if name.startswith(("UV_", "NETRC"))
    ]  # including its password
    # The user's uv settings are in their own HOME, even if that is read-only.
    home = {name: os.environ[name] for name in ("HOME",) if name in os.environ}
    environment = child_environment({**retries, **home, **places.for_uv("uv")}, keep=index)
    command = [find_uv_bin(), *arguments]
    with tempfile.TemporaryDirectory() as folder:  # a folder without a project's uv settings
        here, log = Path(folder), Path(folder, "uv.log")
        result = supervise.run(command, cwd=here, env=environment, timeout=SECONDS, log=log)
    if result.timed_out:
        return f"{result.log_tail}\ntimed out after {SECONDS:g} s"
    return f"{result.log_tail}\nexit code {result.returncode}" if result.returncode else ""


def install_error(what: str, output: str) -> InstallError:
    """Return the error for a failed uv command, with the end of its output (without secrets) and the fix."""
    fix = ["fix: no network: connect, or set UV_INDEX_URL to a reachable package index"]
    fix = fix if UNREACHABLE.search(output) else []
    ours = {"UV_HTTP_RETRIES", *places.CHOSEN.values()}
    if found := sorted(name for name in os.environ if name.startswith("UV_") and name not in ours):
        fix.append(f"set in your environment, and used by uv: {', '.join(found)}")
    lines = [what, *fix, "uv said:", *output.splitlines()[-12:]]
    return InstallError(redact("\n    ".join(lines)))


def redact(text: str) -> str:
    """Return a text without the passwords in addresses and without the values of secret variables."""
    for name, value in os.environ.items():
        if SECRET.fullmatch(name) and len(value) > 5:
            text = text.replace(value, "***")
    return re.sub(r"//[^/@\s]+@", "//***@", text)
