"""The place where a coding agent works: its own home and project folders, with no data of the user."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from skill_tools.runtime.environment import SECRET
from skill_tools.runtime.venvs import cache_folder

MARK = "SKILL_TOOLS_TEST_MARK"
PASSED = re.compile(
    r"PATH|LANG|PYENV_ROOT|(UV|PIP|SSL|SKILL_TOOLS)_.*|(NO|HTTPS?|ALL)_PROXY", re.IGNORECASE
)


def machine() -> dict[str, str]:
    """Return the environment variables that our MCP server needs, from any home folder, to build RL environments."""
    passed = {
        name: value
        for name, value in os.environ.items()
        if PASSED.fullmatch(name) and not SECRET.fullmatch(name)
    }
    uv = os.environ.get("UV_CACHE_DIR") or Path.home() / ".cache" / "uv"
    return {**passed, "SKILL_TOOLS_CACHE": str(cache_folder()), "UV_CACHE_DIR": str(uv)}


@dataclass(frozen=True)
class Desk:
    """The place where an agent works: its own home folder, an empty project, and the model's address."""

    home: Path
    project: Path
    model: str
    mark: str
    """A variable that all processes inherit that the client starts."""
    ours: bool = True
    """Whether the client gets our MCP server and the command skill-tools."""
    key: str | None = None
    """The key of a real model's API; None if a scripted model replies."""

    @property
    def server(self) -> dict[str, str]:
        """The environment variables of our MCP server. Clients do not pass on all of their own variables."""
        return {
            **machine(),
            MARK: self.mark,
            "HOME": str(self.home),
            "SKILL_TOOLS_DATA": str(self.home / "skill-tools-data"),
        }

    def environment(self) -> dict[str, str]:
        """Return the client's environment variables, with no data of the user and no network except loopback.

        If there is a key, the client uses the machine's network, because it asks a real model.
        """
        if self.key:
            return {**machine(), **self._own()}
        proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), self.model)
        return {
            **proxies,
            **{name.lower(): value for name, value in proxies.items()},
            "NO_PROXY": "127.0.0.1,localhost",
            "no_proxy": "127.0.0.1,localhost",
            **self._own(),
        }

    def _own(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "PATH": self.path,
            "TERM": "dumb",
            "DO_NOT_TRACK": "1",
            "DISABLE_TELEMETRY": "1",
            MARK: self.mark,
        }

    @property
    def path(self) -> str:
        """The folders in which programs are found. Without our tools, folders that contain skill-tools are left out."""
        places = os.environ["PATH"].split(os.pathsep)
        if not self.ours:
            places = [place for place in places if not (Path(place) / "skill-tools").exists()]
        return os.pathsep.join(places)

    def write(self, path: str, text: str) -> None:
        """Write a configuration file below the home folder."""
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
