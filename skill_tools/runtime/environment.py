"""The environment that child processes get: ours, without what is secret or would change how they run."""

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
"""What is meant for another Python: one that cannot see its own folder (PYTHONSAFEPATH), that fails
on a warning (PYTHONWARNINGS) or does not end (PYTHONINSPECT) scores differently. With a second
underscore it is no variable of Python's own."""
OURS = {
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
    # As it is read here, whatever the terminal's encoding; and what cannot be printed ends nothing.
    "PYTHONIOENCODING": "utf-8:backslashreplace",
}


def withheld(text: str, keep: Collection[str] = ()) -> str:
    """What to add to an error of a child process that names a variable which was kept from it; "" if none is."""
    names = [
        name
        for name in sorted(os.environ)
        if name not in keep and SECRET.fullmatch(name) and re.search(rf"\b{name}\b", text)
    ]
    if not names:
        return ""
    several = f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'}"
    return (
        f"\n    {several} set here, but the domain's processes get no secret that env.yaml does not list"
        f"\n    fix: write `secrets: [{', '.join(names)}]` in env.yaml"
    )


def child_environment(extra: Mapping[str, str], keep: Collection[str] = ()) -> dict[str, str]:
    """Return the environment for a child process: ours without secrets and without our venv.

    What it says to this machine goes through no proxy, and its HOME can be written. Variables named in
    ``keep`` pass even if they look like secrets; ``extra`` is added last.
    """
    names = [name for name in os.environ if name in keep or not SECRET.fullmatch(name)]
    passed = {name: os.environ[name] for name in names if not ELSEWHERE.fullmatch(name)}
    spare_hosts(passed)
    return {**passed, **places.home(), **OURS, **extra}
