"""The environment variables of child processes: the variables of this process, without secrets and without
variables that change the behavior of programs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping

from rl_env_harness.servers.loopback import spare_hosts

from skill_tools.runtime import places

SECRET = re.compile(
    r".*(API_?KEY|ACCESS_KEY|PRIVATE_KEY|TOKEN|SECRET|PASSW|CREDENTIAL).*|.*_PAT", re.IGNORECASE
)
ELSEWHERE = re.compile(r"VIRTUAL_ENV|__PYVENV_LAUNCHER__|PYTHON_?[A-Z0-9]+")
"""Variables meant for another Python.

A child that cannot see its own folder (PYTHONSAFEPATH), fails on a warning (PYTHONWARNINGS) or does not end
(PYTHONINSPECT) would score differently. Names with a second underscore are not Python's own variables.
"""
OURS = {
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
    # Use our encoding, whatever the terminal's; an unprintable character must not end the process.
    "PYTHONIOENCODING": "utf-8:backslashreplace",
}


def withheld(text: str, keep: Collection[str] = ()) -> str:
    """If a child's error mentions withheld variables, return a hint that names them; otherwise return ""."""
    names = [
        name
        for name in sorted(os.environ)
        if name not in keep and SECRET.fullmatch(name) and re.search(rf"\b{name}\b", text)
    ]
    if not names:
        return ""
    several = f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'}"
    return (
        f"\n    {several} set here, but the domain's processes get only secrets that env.yaml lists"
        f"\n    fix: write `secrets: [{', '.join(names)}]` in env.yaml"
    )


def child_environment(extra: Mapping[str, str], keep: Collection[str] = ()) -> dict[str, str]:
    """Return the environment variables for a child process, without the secrets and the venv of this process.

    Requests to this machine bypass proxies, and HOME is writable. Variables named in ``keep`` are passed on even
    if they look like secrets. ``extra`` is added last.
    """
    names = [name for name in os.environ if name in keep or not SECRET.fullmatch(name)]
    passed = {name: os.environ[name] for name in names if not ELSEWHERE.fullmatch(name)}
    spare_hosts(passed)
    return {**passed, **places.home(), **OURS, **extra}
