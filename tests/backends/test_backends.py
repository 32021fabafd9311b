"""Backends: what a spec that names one renders to, what it installs, and what it asks for."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from ruff.__main__ import find_ruff_bin

from skill_tools import backends
from skill_tools.backends import BACKENDS, lacking
from skill_tools.errors import SpecError
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.rules import load
from skill_tools.pipeline import bundle, render
from skill_tools.render.plan import DISPLAY_MODULES, VENDORED, plan
from skill_tools.render.vendored import sandbox as vendored
from skill_tools.runtime.environment import child_environment
from skill_tools.spec.model import BACKEND_NAMES, Display, EnvSpec
from tests.conftest import snapshot, write_counter


def on(folder: Path, backend: str, *more: str) -> Path:
    """The counter's own files, on a backend, with more lines in its spec."""
    lines = "\n".join([f"backend: {backend}", *more, "episode:"])
    return write_counter(folder, env=("episode:", lines))


def sandbox_files(files: dict[str, str]) -> dict[str, str]:
    return {path: text for path, text in files.items() if path.startswith("sandbox/")}


@pytest.mark.parametrize("backend", BACKENDS.values(), ids=list(BACKENDS))
def test_a_backend_has_facts_and_a_module(backend: backends.Backend) -> None:
    assert BACKENDS[backend.name] is backend
    assert (VENDORED / "sandbox" / f"{backend.name}.py").is_file()
    assert vendored.SECRETS[backend.name] == backend.secrets
    # What the copied module says of a backend is what the facts say.
    for secret in backend.secrets:
        assert secret in vendored.__doc__
    for text in (backend.title, backend.summary, backend.confines, *backend.pitfalls):
        assert text.strip() == text != ""
    assert backend.docs.startswith("https://")


@pytest.mark.parametrize("name", BACKEND_NAMES)
def test_every_backend_is_rendered_whichever_is_named(name: str, tmp_path: Path) -> None:
    spec = load(on(tmp_path / "counter", name))
    expected = {
        path.relative_to(VENDORED).as_posix() for path in (VENDORED / "sandbox").rglob("*.py")
    }
    assert set(sandbox_files(plan(spec, []))) == expected - DISPLAY_MODULES
    assert sandbox_files(plan(spec)) == sandbox_files(plan(spec, []))
    assert "sandbox/inside/__init__.py" not in expected  # it is run as a program


def test_what_only_a_screen_needs_is_rendered_with_one(tmp_path: Path) -> None:
    spec = load(on(tmp_path / "counter", "local"))
    with_screen = spec.model_copy(update={"display": Display(width=800, height=600)})
    added = set(sandbox_files(plan(with_screen, []))) - set(sandbox_files(plan(spec, [])))
    assert added == DISPLAY_MODULES
    assert "DISPLAY" in plan(with_screen, [])["_shared/env_spec.py"]
    assert "DISPLAY" not in plan(spec, [])["_shared/env_spec.py"]


def test_a_screen_asks_for_what_its_backend_imports(tmp_path: Path) -> None:
    spec = load(on(tmp_path / "counter", "local")).model_copy(
        update={"display": Display(), "packages": ["pillow"]}
    )
    local, e2b = (
        {Requirement(each).name for each in lacking(spec, BACKENDS[name])}
        for name in ("local", "e2b")
    )
    assert local == {"python-xlib", "isal"}
    assert e2b == {"e2b-desktop", "e2b-code-interpreter"}


def test_a_screen_without_a_backend_is_refused(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter", env=("episode:", "display: {}\nepisode:"))
    with pytest.raises(SpecError, match="a screen needs a backend"):
        load(folder)


def test_without_a_backend_there_is_no_sandbox(counter: Path) -> None:
    files = plan(load(counter), FRAMEWORKS)
    assert not sandbox_files(files)
    assert "sandbox" not in files["README.md"] + files["pyproject.toml"]
    with pytest.raises(SpecError, match="did you mean 'local'"):
        load(on(counter, "locale"))


def test_ruff_accepts_a_rendered_sandbox(tmp_path: Path) -> None:
    folder = on(tmp_path / "counter", "local")
    render(folder, list(FRAMEWORKS))
    ours = [folder / path for path in plan(load(folder), FRAMEWORKS) if path.endswith(".py")]
    options = ["--isolated", "--line-length", "100", "--no-cache", *map(str, ours)]
    for command in (["check"], ["format", "--check"]):
        run = subprocess.run(
            [find_ruff_bin(), *command, *options], capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stdout + run.stderr
    for path, text in sandbox_files(plan(load(folder))).items():
        assert "skill_tools" not in text, path


def test_the_table_of_secrets_is_the_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = on(tmp_path / "counter", "e2b")
    render(folder)
    (tmp_path / "boxes_domain").symlink_to(folder)
    monkeypatch.syspath_prepend(tmp_path)
    sandbox = importlib.import_module("boxes_domain.sandbox")
    assert {name: tuple(found.secrets) for name, found in BACKENDS.items()} == sandbox.SECRETS
    assert (sandbox.DEFAULT, sandbox.VARIABLE) == ("e2b", "COUNTER_BACKEND")


def test_a_backend_taken_out_leaves_nothing_of_ours_and_all_of_the_authors(tmp_path: Path) -> None:
    folder = on(tmp_path / "counter", "local")
    render(folder)
    mine = folder / "sandbox" / "mine.txt"
    mine.write_text("mine")
    write_counter(folder)
    render(folder)
    assert [path for path in snapshot(folder) if path.startswith("sandbox")] == ["sandbox/mine.txt"]


@pytest.mark.parametrize(
    "field", ["domain: game:Counter", "oracle: oracle:solve", "tasks: tasks:TASKS"]
)
def test_no_module_of_the_authors_can_be_called_sandbox(tmp_path: Path, field: str) -> None:
    kind, _, name = field.rpartition(":")
    folder = write_counter(
        tmp_path / "counter", env=(field, f"{kind.partition(':')[0]}: sandbox:{name}")
    )
    with pytest.raises(SpecError, match="the module name 'sandbox' is reserved"):
        load(folder)


def test_what_varies_is_named_once(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="varies: something is named twice"):
        load(on(tmp_path / "counter", "local", "varies: [time, time]"))


def test_another_backend_brings_the_requirements_that_the_spec_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (client,) = BACKENDS["e2b"].requirements
    folder = on(tmp_path / "counter", "local", "packages: [pandas]")
    spec = load(folder)
    assert backends.requirements(spec) == ["pandas"]
    assert tomllib.loads(plan(spec, [])["pyproject.toml"])["project"]["optional-dependencies"][
        "e2b"
    ] == [client]
    monkeypatch.setenv("COUNTER_BACKEND", "local")
    assert backends.requirements(spec) == ["pandas"]
    monkeypatch.setenv("COUNTER_BACKEND", "e2b")
    assert backends.requirements(spec) == ["pandas", client]
    there = spec.model_copy(update={"packages": ["E2B_code.interpreter==2.11.5"]})
    assert backends.requirements(there) == there.packages
    assert "e2b =" not in plan(there, [])["pyproject.toml"]
    without = spec.model_copy(update={"backend": "none"})
    assert backends.requirements(without) == ["pandas"]


def test_the_card_says_what_runs_where(tmp_path: Path) -> None:
    spec = load(on(tmp_path / "counter", "local", "varies: [time, path]"))
    card = plan(spec, FRAMEWORKS)["README.md"]
    assert "| backend | local; `COUNTER_BACKEND` chooses another |" in card
    assert "| not compared | time, path in observations |" in card
    assert "| `sandbox/` |" in card
    for backend in BACKENDS.values():
        assert backend.summary in card
        assert backend.confines in card
        assert all(secret in card for secret in backend.secrets)
    assert "`skill-tools doctor` says it" in card
    assert "export COUNTER_BACKEND=e2b E2B_API_KEY=" in card


PARSE = """\
import sys
from pathlib import Path

sys.path.insert(0, sys.argv.pop(1))
from counter_domain._shared import command_line

command_line.parse("here", "HERE_URL")
print("parsed")
"""


@pytest.fixture(scope="module")
def rollable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the packages of a local and of a cloud environment can be imported from."""
    for backend in BACKEND_NAMES:
        folder = tmp_path_factory.mktemp("rollable") / "counter"
        render(on(folder, backend, "secrets: [E2B_API_KEY, COUNTER_KEY]"))
        place = tmp_path_factory.getbasetemp() / backend
        place.mkdir()
        (place / "counter_domain").symlink_to(folder)
    return tmp_path_factory.getbasetemp()


@pytest.mark.parametrize(
    ("backend", "arguments", "variables", "expected"),
    [
        ("local", [], {"COUNTER_KEY": "x"}, "parsed"),
        ("local", [], {}, "error: COUNTER_KEY is not set; this environment needs it"),
        ("e2b", [], {"COUNTER_KEY": "x", "E2B_API_KEY": "x"}, "parsed"),
        ("e2b", [], {"COUNTER_KEY": "x"}, "error: E2B_API_KEY is not set"),
        ("e2b", [], {"COUNTER_KEY": "x", "COUNTER_BACKEND": "local"}, "parsed"),
        ("local", [], {"COUNTER_KEY": "x", "COUNTER_BACKEND": "e2b"}, "error: E2B_API_KEY is not"),
        ("local", [], {"COUNTER_KEY": "x", "COUNTER_BACKEND": "moon"}, "error: COUNTER_BACKEND is"),
        ("e2b", ["--url", "http://127.0.0.1:9"], {"COUNTER_KEY": "x"}, "parsed"),
    ],
)
def test_a_rollout_asks_for_what_its_backend_needs_and_no_more(
    rollable: Path,
    tmp_path: Path,
    backend: str,
    arguments: list[str],
    variables: dict[str, str],
    expected: str,
) -> None:
    command = [sys.executable, "-c", PARSE, str(rollable / backend)]
    command += ["--model", "any", "--base-url", "http://127.0.0.1:9", *arguments]
    run = subprocess.run(
        command, cwd=tmp_path, env=child_environment(variables),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (run.stdout + run.stderr).startswith(expected)
    assert run.returncode == (0 if expected == "parsed" else 1)


FIND = """\
import importlib, json
from pathlib import Path
sandbox = importlib.import_module("counter_domain.sandbox")
home = Path(sandbox.__file__).parent
print(json.dumps([sandbox.backend(), str(home), sorted(
    path.relative_to(home.parent).as_posix() for path in home.rglob("*.py"))]))
"""


def installed(source: Path, venv: Path) -> list:
    """The backend, the folder and the files of the sandbox package, installed in a new venv."""
    uv, python = str(Path(sys.executable).with_name("uv")), str(venv / "bin" / "python")
    done(uv, "venv", "--python", sys.executable, str(venv))
    said = done(uv, "pip", "install", "--no-deps", "--python", python, str(source))
    assert not re.search("ignored|deprecat", said, re.IGNORECASE)
    return json.loads(done(python, "-I", "-c", FIND).splitlines()[-1])


def done(*command: str) -> str:
    """What a command prints, run where nothing lies that could be imported."""
    run = subprocess.run(command, cwd="/", capture_output=True, text=True, check=True)
    return run.stderr + run.stdout


@pytest.mark.live
def test_the_domains_package_holds_the_sandbox_once_installed(tmp_path: Path) -> None:
    folder = on(tmp_path / "counter", "local")
    render(folder)
    backend, home, files = installed(folder, tmp_path / "venv")
    assert backend == "local"
    assert Path(home).is_relative_to(tmp_path / "venv")
    assert files == sorted(sandbox_files(plan(load(folder))))


@pytest.mark.live
@pytest.mark.parametrize("name", FRAMEWORKS)
def test_a_bundle_holds_the_sandbox_and_installs_it(name: str, tmp_path: Path) -> None:
    folder = on(tmp_path / "counter", "local")
    render(folder, [name])
    planned = plan(EnvSpec.model_validate(load(folder).model_dump()), [name])
    made = bundle(folder, name)
    for path, text in sandbox_files(planned).items():
        assert (made.folder / "counter_domain" / path).read_text("utf-8") == text
    project = made.folder / "pyproject.toml"
    if project.is_file() and "build-system" in tomllib.loads(project.read_text("utf-8")):
        backend, home, files = installed(made.folder, tmp_path / "venv")
        assert Path(home).is_relative_to(tmp_path / "venv")
    else:  # it is run where it lies
        run = subprocess.run(
            [sys.executable, "-c", FIND], cwd=made.folder, env={**os.environ, "PYTHONPATH": "."},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        backend, home, files = json.loads(run.stdout)
    assert (backend, files) == ("local", sorted(sandbox_files(planned)))
