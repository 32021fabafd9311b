"""The environment that child processes get: ours, without secrets and without our venv."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping

SECRET = re.compile(
    r".*(API_?KEY|ACCESS_KEY|PRIVATE_KEY|TOKEN|SECRET|PASSW|CREDENTIAL).*|.*_PAT", re.IGNORECASE
)
ELSEWHERE = ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "__PYVENV_LAUNCHER__")


def child_environment(extra: Mapping[str, str], keep: Collection[str] = ()) -> dict[str, str]:
    """Return the environment for a child process: ours without secrets and without our venv.

    Variables named in ``keep`` pass even if they look like secrets; ``extra`` is added last.
    """
    names = [name for name in os.environ if name in keep or not SECRET.fullmatch(name)]
    passed = {name: os.environ[name] for name in names if name not in ELSEWHERE}
    return {**passed, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1", **extra}
