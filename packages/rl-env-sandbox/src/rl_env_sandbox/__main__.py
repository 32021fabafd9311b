"""Report what this machine enforces for a session: `python -m rl_env_sandbox [PACKAGE]`.

PACKAGE is the package of an environment, such as jupyter_domain. The environment's variables then apply.
"""

from __future__ import annotations

import importlib
import sys

from . import SandboxUnavailable
from .forks import MODES, fork_server


def main() -> None:
    """Print how sessions are confined on this machine. Exit with 1 if sessions cannot be confined."""
    for package in sys.argv[1:2]:
        importlib.import_module(f"{package}._shared.env_spec")
    try:
        enforced = fork_server((), ()).enforced
    except SandboxUnavailable as error:
        sys.exit(str(error))
    print(f"mode: {enforced['mode']}: {MODES[enforced['mode']]}")
    print(f"Landlock: {enforced['landlock'] or 'no'}")
    print(f"a separate user for each session: {'yes' if enforced['own_user'] else 'no'}")


if __name__ == "__main__":
    main()
