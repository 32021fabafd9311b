"""Tests of how the package finds the environment that opens a session, and of the environment's protocol."""

from __future__ import annotations

import importlib
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest
from rl_env_sandbox import PROTOCOL, SandboxUnavailable, environment

SOURCES = Path(environment.__file__).parent
ASKING = """\
from rl_env_sandbox import environment


def asked():
    return environment.calling()
"""


def written(folder: Path, name: str, *lines: str) -> ModuleType:
    """Return the module `asking` of a new environment in its own package."""
    package = folder / f"{name}_domain"
    (package / "_shared").mkdir(parents=True)
    (package / "asking.py").write_text(ASKING)
    (package / "_shared" / "env_spec.py").write_text("\n".join([f"NAME = {name!r}", *lines]))
    return importlib.import_module(f"{name}_domain.asking")


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the packages in the test's folder importable, and forget the packages that other tests imported."""
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if ".env_spec" in name or "_domain" in name]:
        monkeypatch.delitem(sys.modules, name)


def test_it_is_the_one_whose_code_asks(tmp_path: Path) -> None:
    screen = "DISPLAY = {'size': (320, 240)}"
    one, two = written(tmp_path, "one", "BACKEND = 'e2b'"), written(tmp_path, "two", screen)
    assert (one.asked().name, one.asked().backend) == ("one", "e2b")
    assert one.asked().folders == (str(tmp_path / "one_domain"),)
    assert (two.asked().screen["size"], two.asked().screen["format"]) == ((320, 240), "png")
    assert two.asked().variable("BACKEND") == "TWO_BACKEND"
    assert one.asked() != two.asked()


def test_code_of_no_environment_is_nobodys() -> None:
    assert environment.calling() == environment.NOBODY
    assert environment.NOBODY.variable("CONFINE") == "SANDBOX_CONFINE"


def test_a_thread_that_begins_in_the_package_has_the_only_one_there_is(tmp_path: Path) -> None:
    found: list[object] = []

    def asked_in_a_thread() -> object:
        def ask() -> None:
            try:
                found.append(environment.calling().name)
            except SandboxUnavailable as error:
                found.append(str(error))

        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()
        return found.pop()

    written(tmp_path, "one").asked()
    assert asked_in_a_thread() == "one"
    written(tmp_path, "two").asked()
    assert "is unclear: one, two\n    fix: call open_sandbox from" in str(asked_in_a_thread())


@pytest.mark.parametrize(
    ("spoken", "fix"), [(PROTOCOL + 1, "install a newer"), (0, "render it again")]
)
def test_an_environment_of_another_protocol_is_refused(
    tmp_path: Path, spoken: int, fix: str
) -> None:
    asking = written(tmp_path, "other", f"SANDBOX_PROTOCOL = {spoken}")
    with pytest.raises(
        SandboxUnavailable, match=f"rendered for protocol {spoken} .*\n    fix: {fix}"
    ):
        asking.asked()


def test_it_imports_nothing_of_skill_tools() -> None:
    assert not [path for path in SOURCES.rglob("*.py") if "skill_tools" in path.read_text("utf-8")]


def test_it_needs_nothing_but_the_standard_library_and_says_what_is_enforced() -> None:
    modules = [path.stem for path in SOURCES.glob("*.py") if not path.stem.startswith("__")]
    code = f"import sys; sys.path.insert(0, {str(SOURCES.parent)!r})\n"
    code += "\n".join(f"import rl_env_sandbox.{name}" for name in modules)
    code += "\nfrom rl_env_sandbox import __main__; __main__.main()"
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False
    )
    assert run.stdout.startswith("mode: ") or "cannot confine" in run.stderr, run.stderr
