"""A place in which a server with the local backend can be run: a Python, packages and a domain."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skill_tools.frameworks.rules import load
from skill_tools.render import plan as render
from skill_tools.render import wheel
from skill_tools.runtime import interpreters, supervise, venvs
from skill_tools.runtime.environment import child_environment
from skill_tools.spec.surroundings import Display
from tests.conftest import write_counter

PACKAGES = ("ipython>=9,<10", "numpy", "pandas", "matplotlib")
SCREEN = ("pillow", "python-xlib", "isal")
NOBODY = 65534
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Place:
    """Folders of a place: `env` holds the author's files, `site` what is installed."""

    folder: Path
    python: Path
    site: Path

    @property
    def env(self) -> Path:
        return self.folder / "env" / "counter"

    @property
    def installed(self) -> Path:
        return self.site / "counter_domain"

    def scratch(self, user: int) -> Path:
        """A new folder that belongs to a user; the temporary folder is `tmp` in it."""
        found = Path(tempfile.mkdtemp(dir=self.folder))
        (found / "tmp").mkdir()
        for path in (found, found / "tmp"):
            path.chmod(0o755)
            os.chown(path, user, user) if os.geteuid() == 0 else None
        return found

    def command(self, user: int, script: str, *arguments: str) -> list[str]:
        """A command line that runs a script of this folder as a user."""
        change = (
            "import os, sys; user = int(sys.argv[1])\n"
            "if os.geteuid() != user:\n"
            "    os.setgroups([]); os.setresgid(user, user, user); os.setresuid(user, user, user)\n"
            "os.execv(sys.argv[2], sys.argv[2:])"
        )
        program = [str(self.python), str(self.folder / "scripts" / script), *arguments]
        return [sys.executable, "-I", "-c", change, str(user), *program]

    def run(self, user: int, scratch: Path, script: str, *arguments: str, **variables: str) -> Any:
        """What a script of this folder prints in its last line, as JSON; run by a user."""
        log = scratch / "log"
        settings = {"TMPDIR": f"{scratch}/tmp", "PYTHONPATH": str(self.site), **variables}
        done = supervise.run(
            self.command(user, script, *arguments), cwd=scratch,
            env=child_environment(settings), timeout=300, log=log,
        )  # fmt: skip
        text = log.read_text("utf-8", "replace")
        assert done.returncode == 0, text[-4000:]
        return json.loads(text.splitlines()[-1])


def link(source: str, target: str) -> None:
    """A second name for a file, or a copy where there can be none."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
        shutil.copymode(source, target)


@contextmanager
def place(mark: str, *, for_all: bool, screen: bool = False) -> Iterator[Place]:
    """A place whose tasks and oracle hold a word; `for_all` users, with a Python of its own.

    With a screen, sessions can have one.

    Its domain is installed beside the packages. Not in pytest's folders, which are for one user.
    """
    folder = Path(tempfile.mkdtemp(prefix="place-"))
    try:
        folder.chmod(0o755)
        original = interpreters.find(">=3.11,<3.15")
        warm = ("IPython", "matplotlib.pyplot", "numpy", "pandas")
        base = venvs.base((*PACKAGES, *(SCREEN if screen else ())), original, warm)
        python = _copied(original, folder / "python") if for_all else original
        site = folder / "venv" / base.site_packages.relative_to(base.folder)
        shutil.copytree(base.site_packages, site, copy_function=link)
        (folder / "venv" / "bin").mkdir()
        (folder / "venv" / "bin" / "python").symlink_to(python)
        version = "{}.{}".format(*_asked(python, "list(__import__('sys').version_info[:2])"))
        config = f"home = {python.parent}\nversion = {version}\n"
        (folder / "venv" / "pyvenv.cfg").write_text(config)
        made = Place(folder, folder / "venv" / "bin" / "python", site)
        _write_domain(made, mark, Display(width=320, height=240) if screen else None)
        if for_all:  # and with the interpreter itself, as `pip install` in an image does
            beside = folder / "python" / "lib" / f"python{version}" / "site-packages"
            shutil.copytree(made.env, beside / "counter_domain")
            shutil.copytree(site / wheel.SANDBOX.imported, beside / wheel.SANDBOX.imported)
        (folder / "scripts").mkdir()
        for path in (*HERE.glob("*_facts.py"), HERE / "attacks.py", *HERE.glob("sandbox_*.py")):
            shutil.copy(path, folder / "scripts" / path.name)
        yield made
    finally:
        shutil.rmtree(folder)


def _asked(python: Path, expression: str) -> object:
    command = [python, "-I", "-c", f"print({expression})"]
    return eval(subprocess.check_output(command, text=True))


def _copied(python: Path, folder: Path) -> Path:
    prefix = Path(str(_asked(python, "repr(__import__('sys').base_prefix)")))
    leave = shutil.ignore_patterns("site-packages", "test", "tests", "share", "idlelib", "*.a")
    shutil.copytree(prefix, folder, symlinks=True, copy_function=_copy, ignore=leave)
    return folder / python.relative_to(prefix)


def _copy(source: str, target: str) -> None:
    if os.path.islink(source):  # noqa: PTH114 - as copytree gives it
        shutil.copy2(source, target, follow_symlinks=False)
    else:
        link(source, target)


def _write_domain(place: Place, mark: str, display: Display | None) -> None:
    write_counter(place.env)
    for path in place.env.glob("*.py"):
        path.write_text(f"# {mark} of {path.name}\n{path.read_text()}")
    spec = load(place.env).model_copy(
        update={"backend": "local", "name": "counter", "display": display}
    )
    for path, text in render.plan(spec, []).items():
        target = place.env / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)
    shutil.copytree(place.env, place.installed)
    shutil.copytree(
        wheel.sandbox_source() / wheel.SANDBOX.imported, place.site / wheel.SANDBOX.imported
    )
    ours = (place.env, place.installed, place.site / wheel.SANDBOX.imported)
    for path in (*ours, *(path for folder in ours for path in folder.rglob("*"))):
        path.chmod(0o755 if path.is_dir() else 0o644)
