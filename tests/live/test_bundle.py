"""Bundles, once the environment they came from is gone, in venvs made from what they require."""

from __future__ import annotations

import json
import shutil
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx
import pytest
from uv import find_uv_bin

from skill_tools.frameworks.rules import load
from skill_tools.pipeline import bundle
from skill_tools.policies.scripted import Script, as_text
from skill_tools.policies.server import PolicyEndpoint
from skill_tools.reference.playbook import write_scripts
from skill_tools.rollouts.options import RolloutOptions
from skill_tools.rollouts.rollout import RolloutProcess, roll_out
from skill_tools.runtime import interpreters, supervise, venvs
from skill_tools.runtime.environment import child_environment
from skill_tools.spec.model import EnvSpec
from tests.live.frameworks import FRAMEWORKS
from tests.selection import some

from .served import free_port, wait_until_it_answers

COUNT = 3
DOMAIN = "connect_four_domain"
WHEELS = ("openenv", "verifiers")
PUBLISHED = pytest.mark.everything("publishing")
SERVERS = [
    pytest.param("openenv", ["-m", "server.app"], marks=PUBLISHED),
    pytest.param("openenv", ["-m", "uvicorn", "server.app:app"], marks=PUBLISHED),
    ("ors", ["server.py"]),
    pytest.param("nemo_gym", ["server.py"], marks=PUBLISHED),
]


@dataclass(frozen=True)
class Alone:
    """Bundles by framework in one folder, and the oracle's scripts; the environment is gone."""

    root: Path
    spec: EnvSpec
    scripts: dict[str, Script]

    def folder(self, framework: str) -> Path:
        return self.root / framework

    def venv(self, framework: str) -> venvs.Base:
        """Third-party packages only: what the bundle itself says it requires."""
        facts, folder = FRAMEWORKS[framework], self.folder(framework)
        if (folder / "requirements.txt").exists():
            lines = (folder / "requirements.txt").read_text().splitlines()
            wanted = [line for line in lines if not line.startswith("#")]
        else:
            project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
            wanted = project["dependencies"]
        return venvs.base(wanted, interpreters.find(facts.python), facts.warm_imports)

    def play(self, framework: str, root: Path | None = None, url: str | None = None) -> list[float]:
        """The returns of the oracle, played by the bundle's own rollout.py."""
        with PolicyEndpoint({"oracle": self.scripts}, partial(as_text, self.spec)) as endpoint:
            played = roll_out(
                RolloutProcess(root or self.root, framework, self.venv(framework), url=url),
                ["oracle"],
                RolloutOptions(base_url=endpoint.base_url, split="train", indices=(0, COUNT - 1)),
            )
        assert not [trajectory for trajectory in played if trajectory.end == "failed"]
        return [trajectory.total for trajectory in played]


@pytest.fixture(scope="module")
def alone(game: Path, tmp_path_factory: pytest.TempPathFactory) -> Alone:
    folder = tmp_path_factory.mktemp("original") / "connect_four"
    shutil.copytree(game, folder)
    spec = load(folder)
    scripts = write_scripts(spec, folder, "train", COUNT)[1]["oracle"]
    root = tmp_path_factory.mktemp("bundles")
    for framework in FRAMEWORKS:
        bundle(folder, framework, root / framework)
    shutil.rmtree(folder)
    return Alone(root, spec, scripts)


def call(command: Sequence[str | Path], folder: Path, log: Path, **extra: str) -> str:
    """Run a command to its end; returns what it printed."""
    found = supervise.run(
        command, cwd=folder, env=child_environment(extra), timeout=300, log=log, grace=5
    )
    text = log.read_text(errors="replace")
    assert found.returncode == 0, text[-4000:]
    return text


@contextmanager
def serving(command: Sequence[str | Path], folder: Path, log: Path, **extra: str) -> Iterator[str]:
    port = free_port()
    command = [*command, "--port", str(port)]
    environment = child_environment(extra)
    with supervise.process(command, cwd=folder, env=environment, log=log) as server:
        url = f"http://127.0.0.1:{port}"
        wait_until_it_answers(url, lambda: server.running, log)
        yield url


@pytest.mark.parametrize("framework", some(FRAMEWORKS, ["gem"], "publishing"))
def test_the_oracle_wins_in_a_bundle_alone(framework: str, alone: Alone) -> None:
    assert alone.play(framework) == [1.0] * COUNT


@pytest.mark.parametrize(("framework", "command"), SERVERS)
def test_a_bundles_server_is_started_in_its_folder(
    framework: str, command: list[str], alone: Alone, tmp_path: Path
) -> None:
    start = [alone.venv(framework).python, *command]
    extra = FRAMEWORKS[framework].environment
    with serving(start, alone.folder(framework), tmp_path / "log", **extra) as url:
        assert alone.play(framework, url=url) == [1.0] * COUNT


@PUBLISHED
def test_what_openenv_push_stages_is_valid_and_plays(alone: Alone, tmp_path: Path) -> None:
    venv, folder, staged = alone.venv("openenv"), alone.folder("openenv"), tmp_path / "openenv"
    program = tmp_path / "stage.py"
    program.write_text(
        "import sys\n"
        "from pathlib import Path\n"
        "from openenv.cli.commands import push\n"
        "folder, staged = map(Path, sys.argv[1:])\n"
        "name, manifest = push._validate_openenv_directory(folder)\n"
        "assert (name, manifest['app']) == ('connect_four', 'server.app:app')\n"
        "ignored = push._load_ignore_patterns(folder, None)\n"
        "push._prepare_staging_directory(folder, name, staged, ignored)\n"
    )
    text = call([venv.python, program, folder, staged], tmp_path, tmp_path / "log")
    assert "Recommended" not in text
    assert "ENV ENABLE_WEB_INTERFACE=true\nCMD" in (staged / "Dockerfile").read_text()
    assert not (staged / "server" / "Dockerfile").exists()
    cli = [venv.python, venv.folder / "bin" / "openenv", "validate", "."]
    for place in (folder, staged):
        text = call([*cli, "--level", "static", "--skip-build"], place, tmp_path / "log")
        assert "PASS" in text
        assert "FAIL" not in text
    assert alone.play("openenv", root=tmp_path) == [1.0] * COUNT
    start = [venv.python, "-m", "server.app"]
    with serving(start, staged, tmp_path / "log", ENABLE_WEB_INTERFACE="true") as url:
        assert httpx.get(f"{url}/web/", follow_redirects=True).status_code == 200


@pytest.fixture(scope="module", params=[pytest.param(name, marks=PUBLISHED) for name in WHEELS])
def installed(
    request: pytest.FixtureRequest, alone: Alone, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path, list[str]]:
    """A framework, a fresh venv with nothing but a bundle's wheel, and the files of the wheel."""
    framework, place = request.param, tmp_path_factory.mktemp("wheel")
    uv, log = find_uv_bin(), place / "log"
    source = shutil.copytree(alone.folder(framework), place / "source")
    (source / DOMAIN / "__pycache__").mkdir()
    (source / DOMAIN / "__pycache__" / "game.pyc").touch()
    (place / ".git").mkdir()
    (place / ".gitignore").write_text(f"{DOMAIN}/\n")
    call([uv, "build", "--quiet", "--wheel", "--out-dir", place / "dist", source], place, log)
    (wheel,) = (place / "dist").glob("*.whl")
    python = interpreters.find(FRAMEWORKS[framework].python)
    call([uv, "venv", "--quiet", "--python", python, place / "venv"], place, log)
    venv = place / "venv" / "bin" / "python"
    call([uv, "pip", "install", "--quiet", "--python", venv, wheel], place, log)
    shutil.rmtree(source)
    with zipfile.ZipFile(wheel) as archive:
        return framework, venv, archive.namelist()


def test_a_wheel_of_a_bundle_has_the_domain_and_works_without_the_folder(
    installed: tuple[str, Path, list[str]], alone: Alone, tmp_path: Path
) -> None:
    framework, python, names = installed
    own = {name for name in names if ".dist-info" not in name}
    package = "connect_four" if framework == "verifiers" else "connect_four_env"
    assert {
        f"{DOMAIN}/{n}.py" for n in ("_shared/episode", "game", "_shared/blocks", "tasks")
    } <= own
    assert f"{package}/__init__.py" in own
    assert not [name for name in own if "oracle" in name or name.endswith(".pyc")]
    program = (
        f"import {package}; from {DOMAIN}._shared import task_table; print(task_table.splits())"
    )
    assert "['train', 'test']" in call([python, "-c", program], tmp_path, tmp_path / "log")
    if framework == "openenv":
        start = [python, "-m", f"{package}.server.app"]
        with serving(start, tmp_path, tmp_path / "log") as url:
            assert alone.play("openenv", url=url) == [1.0] * COUNT
        return
    with PolicyEndpoint({"oracle": alone.scripts}) as endpoint:
        options = ["-n", str(COUNT), "--model", "oracle", "--client.base-url", endpoint.base_url]
        command = [python.with_name("vf-eval"), "connect-four", *options, "--no-rich", "--no-push"]
        call([*command, "-o", tmp_path / "out"], tmp_path, tmp_path / "log")
    (traces,) = (tmp_path / "out").rglob("traces.jsonl")
    lines = [json.loads(line) for line in traces.read_text("utf-8").splitlines()]
    assert len(lines) == COUNT
    assert traces.read_text("utf-8").count('"return":1.0') == COUNT, lines[0]


@PUBLISHED
def test_nemo_gyms_runner_and_the_bundles_own_tests_pass_in_a_checkouts_layout(
    alone: Alone, tmp_path: Path
) -> None:
    venv = alone.venv("nemo_gym")
    server = tmp_path / "resources_servers" / "connect_four"
    shutil.copytree(alone.folder("nemo_gym"), server)
    assert not (server / "pyproject.toml").exists()
    extra = {**FRAMEWORKS["nemo_gym"].environment, "PYTHONPATH": str(server)}
    text = call([venv.python, "-m", "pytest", "-q"], server, tmp_path / "log", **extra)
    assert "7 passed" in text
    program = "import server, agent; print(server.env_spec.NAME, agent.__file__)"
    text = call([venv.python, "-c", program], tmp_path, tmp_path / "log", **extra)
    assert f"connect_four {server}/agent.py" in text
    output = tmp_path / "results" / "rollouts.jsonl"
    # NeMo Gym's own model server sends no header of ours: a row's `user` names its episode.
    with PolicyEndpoint({"oracle": alone.scripts}, labels_in_body=True) as endpoint:
        rows = [venv.python, "server.py", "rows", "train", "--label"]
        lines = call(rows, server, tmp_path / "log", **extra).splitlines(keepends=True)
        (tmp_path / "rows.jsonl").write_text("".join(lines[:COUNT]), "utf-8")
        run = [venv.python, "native.py", "--model", "oracle", "--output", output]
        run += ["--base-url", endpoint.base_url, "--input", tmp_path / "rows.jsonl"]
        call(run, server, tmp_path / "log", **FRAMEWORKS["nemo_gym"].environment)
    found = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert [row["reward"] for row in found] == [1.0] * COUNT
