"""Two environments in one venv: neither overwrites a module of the other, and both play."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import partial
from pathlib import Path

import pytest
from uv import find_uv_bin

from skill_tools.frameworks.rules import load
from skill_tools.pipeline import render
from skill_tools.policies import scripted
from skill_tools.policies.server import PolicyEndpoint
from skill_tools.reference.playbook import write_scripts
from skill_tools.rollouts.rollout import variant_venv
from skill_tools.runtime import interpreters
from skill_tools.runtime.environment import child_environment
from tests.conftest import CONNECT_FOUR, write_counter
from tests.live.frameworks import FRAMEWORKS
from tests.selection import some

OPENED = {
    "openenv": """
from counter_env.server.app import CounterEnvironment
from connect_four_env.server.app import ConnectFourEnvironment
for world in (CounterEnvironment(), ConnectFourEnvironment()):
    print(world.reset().result["data"].splitlines()[0])
""",
    "verifiers": """
import connect_four, counter
for made in (counter.CounterTaskset(counter.CounterConfig(id="counter")),
             connect_four.ConnectFourTaskset(connect_four.ConnectFourConfig(id="connect-four"))):
    print(next(iter(made.load())).data.name)
""",
    "skyrl_gym": """
import connect_four_skyrl, counter_skyrl, skyrl_gym
for name in ("counter", "connect_four"):
    env = skyrl_gym.make(name, extras={"extra_info": {"split": "train", "index": 0}})
    print(env.init([])[0][-1]["content"].splitlines()[0])
""",
    "gem": """
import connect_four_gem, counter_gem, gem
for name in ("counter", "connect_four"):
    print(gem.make(f"{name}:train", index=0).reset()[0].splitlines()[0])
""",
}
"""Opens an episode of both in one process, where a variant is a package that a trainer imports."""


@pytest.mark.parametrize("framework", some(FRAMEWORKS, []))
def test_two_environments_in_one_venv_both_play(framework: str, tmp_path: Path) -> None:
    first = write_counter(tmp_path / "counter")
    second = Path(shutil.copytree(CONNECT_FOUR, tmp_path / "connect_four"))
    python = tmp_path / "venv" / "bin" / "python"

    def call(*command: str | Path, cwd: Path = tmp_path) -> str:
        environment = child_environment(FRAMEWORKS[framework].environment)
        run = subprocess.run(
            command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-4000:]
        return run.stdout

    for folder in (first, second):
        render(folder, [framework])
    interpreter = interpreters.find(FRAMEWORKS[framework].python)
    call(find_uv_bin(), "venv", "--quiet", "--python", interpreter, "venv")
    packages = [first, second, *first.glob("vendor/*.whl")]  # the same harness for both
    if framework in OPENED:
        packages += [folder / framework for folder in (first, second)]
    install = [find_uv_bin(), "pip", "install", "--quiet", "--no-deps", "--python", python]
    call(*install, *packages)
    # What both require is in the venv that builds use.
    required = variant_venv(load(first), first, FRAMEWORKS[framework]).base.site_packages
    (site_packages,) = (tmp_path / "venv" / "lib").glob("python3.*/site-packages")
    (site_packages / "required.pth").write_text(
        f"import site; site.addsitedir({str(required)!r})", "utf-8"
    )
    if framework in OPENED:
        one, other = call(python, "-c", OPENED[framework]).splitlines()[-2:]
        assert one != other
    for folder in (first, second):
        spec = load(folder)
        _, scripts = write_scripts(spec, folder, "train", 1)
        output = tmp_path / f"{spec.name}.jsonl"
        with PolicyEndpoint(
            {"oracle": scripts["oracle"]}, partial(scripted.as_text, spec)
        ) as endpoint:
            options = ["--model", "oracle", "--base-url", endpoint.base_url, "--output", output]
            call(python, "rollout.py", *options, cwd=folder / framework)
        (line,) = output.read_text("utf-8").splitlines()
        assert (json.loads(line)["environment"], json.loads(line)["return"]) == (spec.name, 1.0)
