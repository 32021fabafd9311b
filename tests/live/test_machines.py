"""Builds on machines that others have: behind proxies, without a home, with a reader that leaves."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from skill_tools import pipeline
from skill_tools.evidence.trajectory import read
from skill_tools.frameworks.rules import load
from skill_tools.policies.scripted import as_text
from skill_tools.policies.server import PolicyEndpoint
from skill_tools.reference.playbook import write_scripts
from skill_tools.rollouts.rollout import variant_venv
from skill_tools.runtime import interpreters, venvs
from tests.conftest import write_counter
from tests.live.frameworks import FRAMEWORKS
from tests.selection import some

DEAD = "127.0.0.1:9"
TROUBLES = {
    "proxies": {
        "HTTP_PROXY": f"http://{DEAD}",
        "https_proxy": f"http://{DEAD}",
        "ALL_PROXY": f"socks5://{DEAD}",
    },
    "socks": {"all_proxy": f"socks4://{DEAD}", "http_proxy": f"socks://{DEAD}"},
    "Python": {
        "PYTHONSAFEPATH": "1",
        "PYTHONOPTIMIZE": "2",
        "PYTHONWARNINGS": "error",
        "PYTHONDEVMODE": "1",
        "PYTHONHASHSEED": "7",
    },
    "no home": {"HOME": "/dev/null/home"},
    "latin-1": {"PYTHONIOENCODING": "latin-1", "LC_ALL": "C"},
    "a reader that leaves": {},
}
ALL = {name: value for variables in TROUBLES.values() for name, value in variables.items()}


@pytest.fixture
def counter_game(tmp_path: Path) -> Path:
    """A small environment that says what Latin-1 lacks."""
    said = 'return f"The counter is at {self.value}; the target is {self.target}."'
    return write_counter(
        tmp_path / "counter", game=(said, said.replace("The counter", "→ 数 The counter"))
    )


@pytest.mark.parametrize(
    ("trouble", "names"),
    [
        pytest.param("all of it", ["openenv", "gem"], id="all of it"),
        *(
            pytest.param(
                each, list(FRAMEWORKS), id=each, marks=pytest.mark.everything("frameworks")
            )
            for each in TROUBLES
        ),
    ],
)
def test_a_build_is_green_on_such_a_machine(
    counter_game: Path, tmp_path: Path, trouble: str, names: list[str]
) -> None:
    spec = load(counter_game)
    for name in names:  # no proxy leads to a package index here, so what is needed is there before
        variant_venv(spec, counter_game, FRAMEWORKS[name])
    pythons = [str(interpreters.find(FRAMEWORKS[name].python)) for name in names]
    environment = {
        **{name: value for name, value in os.environ.items() if not name.lower().endswith("proxy")},
        "SKILL_TOOLS_CACHE": str(venvs.cache_folder()),
        "SKILL_TOOLS_PYTHON": os.pathsep.join(dict.fromkeys(pythons)),
        "TMPDIR": str(tmp_path),
        **TROUBLES.get(trouble, ALL),
    }
    only = [word for name in names for word in ("-f", name)]
    command = [
        sys.executable,
        "-m",
        "skill_tools.cli",
        "build",
        str(counter_game),
        "--num-tasks",
        "1",
    ]
    with subprocess.Popen(
        [*command, *only], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as build:
        assert build.stdout is not None
        reported = build.stdout.readline()
        if trouble in ("all of it", "a reader that leaves"):
            build.stdout.close()
        else:
            reported += build.stdout.read()
        code = build.wait(timeout=500)
    report = (counter_game / "runs" / "report.md").read_text("utf-8")
    assert report.startswith("# Counter: green"), report[:3000]
    assert code == 0, reported.decode(errors="replace")
    assert b"Traceback" not in reported


@pytest.mark.parametrize("name", some(FRAMEWORKS, ["openenv"]))
def test_a_rollout_that_is_started_by_hand_takes_no_proxy_and_finds_its_own_files(
    counter_game: Path, tmp_path: Path, name: str
) -> None:
    pipeline.render(counter_game, [name])
    spec, output = load(counter_game), tmp_path / "played.jsonl"
    oracle = {"oracle": write_scripts(spec, counter_game, "train", 1).scripts["oracle"]}
    venv = variant_venv(spec, counter_game, FRAMEWORKS[name])
    with PolicyEndpoint(oracle, partial(as_text, spec)) as endpoint:
        command = [venv.python, "rollout.py", "--model", "oracle", "--output", output]
        ended = subprocess.run(
            [*command, "--base-url", endpoint.base_url],
            cwd=counter_game / name,
            env=os.environ | TROUBLES["proxies"] | TROUBLES["socks"] | {"PYTHONSAFEPATH": "1"},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert [trajectory.total for trajectory in read(output)] == [1.0]
