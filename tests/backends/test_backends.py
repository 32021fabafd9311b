"""Backends: what a spec that names one renders to, what it installs, and what it asks for."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import rl_env_sandbox
from packaging.requirements import Requirement
from ruff.__main__ import find_ruff_bin

from skill_tools import backends
from skill_tools.backends import BACKENDS, lacking
from skill_tools.errors import RenderError, SpecError
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.rules import load
from skill_tools.pipeline import bundle, render
from skill_tools.render import wheel
from skill_tools.render.plan import plan, texts
from skill_tools.runtime.environment import child_environment
from skill_tools.spec.model import BACKEND_NAMES
from skill_tools.spec.surroundings import Display
from tests.conftest import snapshot, write_counter
from tests.over import over


def on(folder: Path, backend: str, *more: str) -> Path:
    """The counter's own files, on a backend, with more lines in its spec."""
    lines = "\n".join([f"backend: {backend}", *more, "episode:"])
    return write_counter(folder, env=("episode:", lines))


SANDBOX = wheel.sandbox_source() / wheel.SANDBOX.imported


@pytest.mark.parametrize("backend", BACKENDS.values(), ids=list(BACKENDS))
def test_a_backend_has_facts_and_a_module(backend: backends.Backend) -> None:
    assert BACKENDS[backend.name] is backend
    assert (SANDBOX / backend.name / "__init__.py").is_file()
    assert rl_env_sandbox.SECRETS[backend.name] == backend.secrets
    # What the module says of a backend is what the facts say.
    for secret in backend.secrets:
        assert secret in rl_env_sandbox.__doc__
    for text in (backend.title, backend.summary, backend.confines, *backend.pitfalls):
        assert text.strip() == text != ""
    assert backend.docs.startswith("https://")


@pytest.mark.everything("costly")
@pytest.mark.parametrize("name", BACKEND_NAMES)
def test_one_wheel_has_every_backend_whichever_is_named(name: str, tmp_path: Path) -> None:
    spec = load(on(tmp_path / "counter", name))
    wheels = [path for path in plan(spec) if path.startswith("vendor/")]
    assert wheels == [wheel.HARNESS.path, wheel.SANDBOX.path]
    assert (
        plan(spec)[wheel.SANDBOX.path]
        == plan(spec, [])[wheel.SANDBOX.path]
        == wheel.SANDBOX.content()
    )
    project = tomllib.loads(texts(plan(spec))["pyproject.toml"])
    assert wheel.SANDBOX.or_later in project["project"]["dependencies"]
    assert project["tool"]["uv"]["sources"] == {
        wheel.HARNESS.distribution: {"path": wheel.HARNESS.path},
        wheel.SANDBOX.distribution: {"path": wheel.SANDBOX.path},
    }


def test_a_screen_is_declared_where_there_is_one(tmp_path: Path) -> None:
    spec = load(on(tmp_path / "counter", "local"))
    with_screen = spec.model_copy(update={"display": Display(width=800, height=600)})
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
    files = texts(plan(load(counter), FRAMEWORKS))
    beside = [path for path in plan(load(counter)) if path.startswith(("vendor/", "sandbox/"))]
    assert beside == [wheel.HARNESS.path]
    assert "sandbox" not in files["README.md"] + files["pyproject.toml"]
    with pytest.raises(SpecError, match="did you mean 'local'"):
        load(on(counter, "locale"))


@pytest.mark.everything("costly")
def test_ruff_accepts_what_is_rendered_with_a_sandbox(tmp_path: Path) -> None:
    folder = on(tmp_path / "counter", "local")
    render(folder, list(FRAMEWORKS))
    ours = [folder / path for path in plan(load(folder), FRAMEWORKS) if path.endswith(".py")]
    options = ["--isolated", "--line-length", "100", "--no-cache", *map(str, ours)]
    for command in (["check"], ["format", "--check"]):
        run = subprocess.run(
            [find_ruff_bin(), *command, *options], capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stdout + run.stderr
    for path, text in wheel.SANDBOX.sources().items():
        assert "skill_tools" not in text, path


def test_the_table_of_secrets_is_the_facts() -> None:
    facts = {name: tuple(found.secrets) for name, found in BACKENDS.items()}
    assert facts == rl_env_sandbox.SECRETS


def test_a_backend_taken_out_leaves_nothing_of_ours_and_all_of_the_authors(tmp_path: Path) -> None:
    folder = on(tmp_path / "counter", "local")
    render(folder)
    mine = folder / "vendor" / "mine.txt"
    mine.write_text("mine")
    write_counter(folder)
    render(folder)
    left = [path for path in snapshot(folder) if path.startswith("vendor")]
    assert left == ["vendor/mine.txt", wheel.HARNESS.path]


def test_a_folder_that_was_copied_earlier_is_taken_away_and_an_older_wheel_replaced(
    tmp_path: Path,
) -> None:
    folder = on(tmp_path / "counter", "local")
    render(folder)
    older = "vendor/rl_env_sandbox-0.0.9-py3-none-any.whl"
    lock = json.loads((folder / "env.lock.json").read_text())
    for path, text in ((older, b"an older wheel"), ("sandbox/local.py", b"# as it was copied")):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(text)
        lock["files"][path] = hashlib.sha256(text).hexdigest()
    (folder / wheel.SANDBOX.path).write_bytes(b"another build of this version")
    lock["files"][wheel.SANDBOX.path] = hashlib.sha256(b"another build of this version").hexdigest()
    (folder / "env.lock.json").write_text(json.dumps(lock))
    found = {file.path: file.state for file in render(folder).changes}
    assert found == {older: "orphan", "sandbox/local.py": "orphan", wheel.SANDBOX.path: "stale"}
    wheels = [path for path in snapshot(folder) if path.endswith(".whl")]
    assert wheels == [wheel.HARNESS.path, wheel.SANDBOX.path]
    assert not (folder / "sandbox").exists()
    assert (folder / wheel.SANDBOX.path).read_bytes() == wheel.SANDBOX.content()


def test_who_imports_the_folder_of_before_is_told_what_to_write(tmp_path: Path) -> None:
    folder = on(tmp_path / "counter", "local")
    game = folder / "game.py"
    game.write_text(f"from .sandbox import open_sandbox\n{game.read_text()}")
    before = snapshot(folder)
    with pytest.raises(RenderError, match=r"game\.py imports \.sandbox.*\n.*from rl_env_sandbox"):
        render(folder, force=True)
    assert snapshot(folder) == before


def test_a_wheel_that_somebody_changed_is_drift(tmp_path: Path) -> None:
    folder = on(tmp_path / "counter", "local")
    render(folder)
    (folder / wheel.SANDBOX.path).write_bytes(wheel.SANDBOX.content() + b"more")
    found = {file.path: file.state for file in render(folder, dry_run=True).changes}
    assert found == {wheel.SANDBOX.path: "edited"}
    with pytest.raises(RenderError, match=r"edited by hand.*rl_env_sandbox"):
        render(folder)


@pytest.mark.parametrize(
    "field", ["domain: game:Counter", "oracle: oracle:solve", "tasks: tasks:TASKS"]
)
def test_no_module_of_the_authors_can_be_called_as_a_rendered_folder(
    tmp_path: Path, field: str
) -> None:
    kind, _, name = field.rpartition(":")
    folder = write_counter(
        tmp_path / "counter", env=(field, f"{kind.partition(':')[0]}: vendor:{name}")
    )
    with pytest.raises(SpecError, match="the module name 'vendor' is reserved"):
        load(folder)


def test_what_varies_is_named_once(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="varies: a name is listed twice"):
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
    assert "| `vendor/` |" in card
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
from counter_domain._shared.rollouts import command_line

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
        for packed in (wheel.SANDBOX, wheel.HARNESS):
            (place / packed.imported).symlink_to(packed.unpacked(folder, place / "wheels"))
    return tmp_path_factory.getbasetemp()


@pytest.mark.everything("costly")
@over(
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
    few=2,
    part="sandboxes",
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
importlib.import_module("counter_domain._shared.env_spec")
sandbox = importlib.import_module("rl_env_sandbox")
home = Path(sandbox.__file__).parent
print(json.dumps([sandbox.backend(), str(home), sorted(
    path.relative_to(home.parent).as_posix() for path in home.rglob("*.py"))]))
"""


def installed(source: Path, venv: Path) -> list:
    """The backend, the folder and the files of the sandbox package, installed in a new venv."""
    uv, python = str(Path(sys.executable).with_name("uv")), str(venv / "bin" / "python")
    done(uv, "venv", "--python", sys.executable, str(venv))
    wheels = map(str, sorted(source.glob("vendor/*.whl")))
    said = done(uv, "pip", "install", "--no-deps", "--python", python, str(source), *wheels)
    assert not re.search("ignored|deprecat", said, re.IGNORECASE)
    return json.loads(done(python, "-I", "-c", FIND).splitlines()[-1])


def done(*command: str) -> str:
    """What a command prints, run where nothing lies that could be imported."""
    run = subprocess.run(command, cwd="/", capture_output=True, text=True, check=True)
    return run.stderr + run.stdout


@pytest.mark.live
def test_the_sandbox_is_installed_with_the_domain(tmp_path: Path) -> None:
    folder = on(tmp_path / "counter", "local")
    render(folder)
    backend, home, files = installed(folder, tmp_path / "venv")
    assert backend == "local"
    assert Path(home).is_relative_to(tmp_path / "venv")
    assert files == sorted(wheel.SANDBOX.sources())


@pytest.mark.live
@pytest.mark.parametrize("name", FRAMEWORKS)
def test_a_bundle_holds_the_sandbox_and_installs_it(name: str, tmp_path: Path) -> None:
    folder = on(tmp_path / "counter", "local")
    render(folder, [name])
    made = bundle(folder, name)
    for path, text in wheel.SANDBOX.sources().items():
        assert (made.folder / path).read_text("utf-8") == text
    assert not list(made.folder.rglob("*.whl"))
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
    assert (backend, files) == ("local", sorted(wheel.SANDBOX.sources()))
