"""Start the MCP server; without the extra `serve`, report the install command."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from skill_tools.errors import InstallError

EXTRA = "serve"
"""The extra that the server needs."""
DISTRIBUTION = "rl-env-skills"
"""The name of skill-tools in package indexes."""


def serve(roots: Sequence[Path] = ()) -> None:
    """Serve until stdin ends. Raises InstallError with the install command if FastMCP is missing."""
    try:
        from skill_tools.mcp.app import serve as run
    except ModuleNotFoundError as error:
        if error.name != "fastmcp":
            raise
        raise InstallError(
            f"the MCP server needs {DISTRIBUTION}[{EXTRA}], but {DISTRIBUTION} is installed without that extra"
            f"\n    fix: {_command()}"
        ) from None
    run(roots)


def _command() -> str:
    """Return the command that installs the extra's packages for the running Python."""
    from packaging.requirements import Requirement
    from uv import find_uv_bin

    try:
        declared = [Requirement(text) for text in metadata.requires(DISTRIBUTION) or ()]
    except metadata.PackageNotFoundError:
        declared = []
    wanted = [
        f"{each.name}{each.specifier}"
        for each in declared
        if each.marker and each.marker.evaluate({"extra": EXTRA})
    ]
    install = [find_uv_bin(), "pip", "install", "--python", sys.executable]
    return shlex.join([*install, *(wanted or ["fastmcp"])])
