"""Deployments: the same files each time, kept in step, and nothing half-written for bad input."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from skill_tools.errors import RenderError, SkillToolsError
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.rules import load
from skill_tools.pipeline import render
from skill_tools.pipeline.deployments import Scale, deploy
from skill_tools.render.deployment import BOUNDS, TARGETS, deployment
from tests.command_line import skill_tools
from tests.conftest import snapshot, write_counter
from tests.over import over

SERVED = [name for name, facts in FRAMEWORKS.items() if facts.affinity]
PAIRS = [
    (name, target)
    for name in SERVED
    for target in TARGETS
    if target != "spaces" or FRAMEWORKS[name].affinity.space  # type: ignore[union-attr]
]


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_counter(tmp_path_factory.mktemp("once") / "counter")
    render(folder, list(FRAMEWORKS))
    return folder


@pytest.fixture
def env(once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(once, tmp_path / "here" / "counter"))


def composed(env: Path, framework: str = "ors", **scale: Any) -> dict[str, Any]:
    files = deployment(load(env), framework, "compose", Scale(**scale))
    found: dict[str, Any] = yaml.safe_load(files["compose.yaml"])["services"]
    return found


@pytest.mark.everything("costly")
@over(("framework", "target"), PAIRS, few=4, part="deploy")
def test_the_same_spec_and_scale_give_the_same_bytes(
    framework: str, target: str, once: Path, tmp_path: Path
) -> None:
    made = deploy(once, framework, target, tmp_path / "one")
    deploy(once, framework, target, tmp_path / "two")
    assert snapshot(tmp_path / "one") == snapshot(tmp_path / "two")
    assert {file.path for file in made.files} >= {
        "README.md",
        "_bundle/rl_env_harness/servers/gate.py",
    }
    assert 8 <= len(made.steps) <= 10
    again = deploy(once, framework, target, tmp_path / "one")
    assert again.changes == ()


def test_workers_are_started_with_their_limits_and_take_a_token(env: Path) -> None:
    worker = composed(env, workers=3, sessions=100, drain=60)["worker"]
    words = " ".join(worker["command"])
    assert words.startswith("python -m ")
    assert "--max-sessions 100 --drain-seconds 60" in words
    assert worker["environment"]["COUNTER_TOKEN"] == "${COUNTER_TOKEN:-}"


def test_workers_are_bounded_and_may_do_little(env: Path) -> None:
    services = composed(env, workers=3, sessions=100, drain=60)
    for service in services.values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["user"] not in ("root", "0")
        assert {"cpus", "memory"} <= set(service["deploy"]["resources"]["limits"])
        assert service["stop_grace_period"] == "70s"
    worker = services["worker"]
    assert worker["deploy"]["replicas"] == 3
    assert worker["deploy"]["resources"]["limits"]["memory"] == "562M"
    assert worker["networks"] == ["inside"], "a world in memory reaches nothing"
    assert services["balancer"]["ports"][0].startswith("${BIND:-127.0.0.1}:")


@pytest.mark.parametrize("target", ["compose", "slurm"])
def test_whoever_lets_others_in_is_told_of_the_token(target: str, env: Path) -> None:
    readme = str(deployment(load(env), "ors", target, Scale())["README.md"])
    (others,) = [line for line in readme.splitlines() if line.startswith("others ")]
    assert "COUNTER_TOKEN" in others


@pytest.mark.everything("costly")
def test_a_secret_is_passed_on_and_never_written(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("WEATHER_KEY", "sunny-1234")
    env = write_counter(tmp_path / "counter", env=("tools:", "secrets: [WEATHER_KEY]\ntools:"))
    worker = composed(env)["worker"]
    assert worker["environment"]["WEATHER_KEY"] == "${WEATHER_KEY:?set WEATHER_KEY}"
    assert worker["networks"] == ["outside", "inside"]
    render(env, ["ors"])
    deploy(env, "ors", "kubernetes", tmp_path / "out")
    assert b"sunny-1234" not in b"".join(
        path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()
    )


def test_an_optional_secret_is_passed_on_where_it_is_set_and_needed_nowhere(
    tmp_path: Path,
) -> None:
    secrets = "secrets: [TELCO_KEY, {name: OTHER_KEY, optional: true}]\ntools:"
    env = write_counter(tmp_path / "counter", env=("tools:", secrets))
    given = composed(env)["worker"]["environment"]
    assert given["TELCO_KEY"] == "${TELCO_KEY:?set TELCO_KEY}"
    assert given["OTHER_KEY"] is None, "so compose leaves out what is not set"
    files = deployment(load(env), "ors", "kubernetes", Scale())
    _, *documents = yaml.safe_load_all(files["kubernetes.yaml"])
    (named,) = [
        {each["name"]: each["valueFrom"]["secretKeyRef"]["optional"] for each in variables}
        for variables in _variables(documents)
    ]
    assert named == {"TELCO_KEY": False, "OTHER_KEY": True, "COUNTER_TOKEN": True}
    assert "TELCO_KEY, OTHER_KEY (optional), COUNTER_TOKEN" in files["README.md"]
    spaces = deployment(load(env), "openenv", "spaces", Scale())
    assert "OTHER_KEY (optional)" in spaces["README.md"]


def _variables(documents: list[Any]) -> Iterator[list[Any]]:
    """What containers get from a Secret."""
    for document in documents:
        pod = ((document or {}).get("spec") or {}).get("template", {}).get("spec", {})
        for container in pod.get("containers", ()):
            every = container.get("env", ())
            if found := [e for e in every if "secretKeyRef" in e.get("valueFrom", ())]:
                yield found


def test_a_title_stays_in_its_comment(tmp_path: Path) -> None:
    title = 'title: "x\\n  evil: {privileged: true} # \\" ``` {{ 1 }}"'
    env = write_counter(tmp_path / "counter", env=("title: Counter", title))
    for framework, target in PAIRS:
        for path, text in deployment(load(env), framework, target, Scale()).items():
            assert "\n  evil" not in text, path
            if path.endswith(".yaml"):
                assert list(yaml.safe_load_all(text))
    assert set(composed(env)) == {"balancer", "worker"}


def test_a_batch_script_is_one_that_bash_reads(once: Path) -> None:
    for framework in SERVED:
        text = deployment(load(once), framework, "slurm", Scale())["serve.sbatch"]
        subprocess.run(["bash", "-n"], input=text, text=True, check=True)


@pytest.mark.everything("costly")
def test_a_second_time_brings_the_folder_up_to_date(env: Path) -> None:
    (env / "rules.txt").write_text("old")
    spec = env / "env.yaml"
    spec.write_text(spec.read_text() + "include: [rules.txt]\n")
    render(env, force=True)
    made = deploy(env, "ors", "compose")
    assert made.folder == env.parent / "counter_ors_compose"
    assert (made.folder / "_bundle" / "counter_domain" / "rules.txt").read_text() == "old"
    (made.folder / ".env").write_text("PORT=9000")
    spec.write_text(spec.read_text().replace("include: [rules.txt]\n", ""))
    render(env, force=True)
    dry = deploy(env, "ors", "compose", scale=Scale(workers=8), dry_run=True)
    assert {(file.path, file.state) for file in dry.changes} >= {
        ("compose.yaml", "stale"),
        ("_bundle/counter_domain/rules.txt", "orphan"),
    }
    before = snapshot(made.folder)
    deploy(env, "ors", "compose", scale=Scale(workers=8))
    assert snapshot(made.folder) != before
    assert not (made.folder / "_bundle" / "counter_domain" / "rules.txt").exists()
    assert (made.folder / ".env").read_text() == "PORT=9000"


def test_what_somebody_edited_is_kept_unless_forced(env: Path) -> None:
    made = deploy(env, "ors", "compose")
    (made.folder / "haproxy.cfg").write_text("mine")
    before = snapshot(made.folder)
    with pytest.raises(RenderError, match=r"edited by hand.*haproxy\.cfg"):
        deploy(env, "ors", "compose", scale=Scale(workers=8))
    assert snapshot(made.folder) == before
    deploy(env, "ors", "compose", scale=Scale(workers=8), force=True)
    assert (made.folder / "haproxy.cfg.orig").read_text() == "mine"


def test_a_folder_of_somebody_elses_is_left_alone(env: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    for output, expected in (
        (tmp_path / "mine", "is not empty"),
        (env, "is inside an environment"),
        (env / "out", "is inside an environment"),
        (tmp_path / "mine" / "notes.txt", "is not empty"),
    ):
        before = snapshot(tmp_path), sorted(tmp_path.rglob("*"))
        with pytest.raises(RenderError, match=expected):
            deploy(env, "ors", "compose", output)
        assert (snapshot(tmp_path), sorted(tmp_path.rglob("*"))) == before


WRONG = [
    (["ors", "--to", "compos"], "no target 'compos'; did you mean 'compose'?"),
    (["orss", "--to", "compose"], "no framework 'orss'; did you mean 'ors'?"),
    (["verifiers", "--to", "compose"], "verifiers is not served"),
    (["gem", "--to", "compose"], "deploy one of openenv, ors, nemo_gym"),
    (["skyrl_gym", "--to", "slurm"], "skyrl_gym is not served"),
    (["nemo_gym", "--to", "spaces"], "nemo_gym has no Hugging Face Space"),
    (["ors", "--to", "compose", "--image", "a b"], "not an image name"),
    *(
        (["ors", "--to", "compose", f"--{name}", str(value)], f"a number from {least} to {most}")
        for name, (least, most) in BOUNDS.items()
        for value in (least - 1, most + 1)
    ),
]


@pytest.mark.everything("deploy")
@pytest.mark.parametrize(("arguments", "expected"), WRONG)
def test_bad_input_is_told_and_nothing_is_written(
    arguments: list[str], expected: str, env: Path
) -> None:
    before = sorted(env.parent.rglob("*"))
    run = skill_tools("deploy", env, *arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert expected in run.stderr
    assert "fix:" in run.stderr or "there are:" in run.stderr
    assert sorted(env.parent.rglob("*")) == before


def test_a_name_that_no_engine_takes_is_refused(tmp_path: Path) -> None:
    env = write_counter(tmp_path / "counter", env=("name: counter", f"name: {'long' * 12}"))
    with pytest.raises(SkillToolsError, match=r"shorten `name` in env\.yaml by"):
        deployment(load(env), "nemo_gym", "kubernetes", Scale())


def test_a_variant_that_was_edited_is_not_deployed(env: Path) -> None:
    (env / "ors" / "server.py").write_text("mine")
    before = sorted(env.parent.rglob("*"))
    with pytest.raises(RenderError, match=r"differs from what env\.yaml renders to"):
        deploy(env, "ors", "compose")
    assert sorted(env.parent.rglob("*")) == before


@pytest.mark.everything("costly")
def test_the_command_says_how_to_go_on(env: Path) -> None:
    run = skill_tools("deploy", env, "ors", "--to", "compose", "--workers", "3")
    assert run.returncode == 0, run.stderr
    for word in ("start", "scale", "watch", "stop"):
        assert f"\n{word} " in run.stdout
    found = skill_tools("deploy", env, "ors", "--to", "compose", "--check", "--json")
    assert found.returncode == 1, "with two workers it would be another"
    told = json.loads(found.stdout)
    assert {file["path"] for file in told["files"] if file["state"] != "clean"} == {
        "README.md", "compose.yaml",
    }  # fmt: skip


@pytest.mark.parametrize("name", SERVED)
def test_the_autoscaler_looks_at_a_figure_that_workers_tell(env: Path, name: str) -> None:
    from stand_in._shared.servers.metrics import Metrics

    made = deployment(load(env), name, "kubernetes", Scale())["kubernetes.yaml"]
    parts = [part for part in yaml.safe_load_all(made) if part]
    (scaler,) = (part for part in parts if part["kind"] == "HorizontalPodAutoscaler")
    (wanted,) = (each["pods"] for each in scaler["spec"]["metrics"] if each["type"] == "Pods")
    told = Metrics().text()[0].decode()
    assert f"\n{wanted['metric']['name']}{{" in told
    worker = next(part for part in parts if part["metadata"]["name"].endswith("-worker"))
    pod = worker["spec"]["template"]
    assert pod["metadata"]["annotations"]["prometheus.io/path"] == "/metrics"
    assert "--metrics" in pod["spec"]["containers"][0]["command"]
