"""The npm packages that the tests need, installed once per machine into the user's cache."""

from __future__ import annotations

import functools
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

from filelock import FileLock

from skill_tools.runtime.venvs import cache_folder

INSTALL_SECONDS = 600
PLATFORM = "{}-{}".format(
    sys.platform, {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
)
NODE = (f"node-{PLATFORM}@22.23.3", f"node-{PLATFORM}/bin/node")


class CannotInstall(Exception):
    """Raised because npm could not install a package that the live suite needs."""


def install(package: str) -> Path:
    """Return the node_modules folder with an npm package (``name@version``). Install the package at most once."""
    folder = cache_folder() / "clients" / re.sub(r"[^\w.-]+", "_", package).strip("_")
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / "lock"):
        if not (folder / "complete").is_file():
            shutil.rmtree(folder / "node_modules", ignore_errors=True)
            _npm_install(package, folder)
            (folder / "complete").touch()
    return folder / "node_modules"


def _npm_install(package: str, folder: Path) -> None:
    # npm's own cache would keep everything a second time.
    cache = folder / "npm-cache"
    command = [
        shutil.which("npm") or "npm", "install", package, "--prefix", str(folder), "--cache",
        str(cache), "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier",
        "--loglevel=error",
    ]  # fmt: skip
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=INSTALL_SECONDS)
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", None) or ""
        raise CannotInstall(f"{package}: {error}\n{said}") from error
    finally:
        shutil.rmtree(cache, ignore_errors=True)


@functools.cache
def node() -> Path:
    """Return a recent Node: the machine's Node, or a Node from npm if the machine's Node is missing or too old."""
    found = shutil.which("node")
    if found:
        said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True)
        if tuple(map(int, said.stdout.strip().lstrip("v").split("."))) >= (22, 20):
            return Path(found)
    package, binary = NODE
    return install(package) / binary
