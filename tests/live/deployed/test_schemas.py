"""What engines that do not run here are given, held against their own schemas."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from uv import find_uv_bin

from skill_tools.frameworks.rules import load
from skill_tools.render.deployment import Scale, deployment
from tests.conftest import JUPYTER, WORDLE
from tests.live.frameworks import FRAMEWORKS

pytestmark = [pytest.mark.live, pytest.mark.everything("deploy")]
SERVED = [name for name, facts in FRAMEWORKS.items() if facts.affinity]
KUBERNETES = ("kubernetes-validate@1.37.0", "--strict")
COMPOSE = ("check-jsonschema@0.39.0", "--builtin-schema", "vendor.compose-spec")
"""Each brings the official schemas with it."""
ENVIRONMENTS = (WORDLE, JUPYTER)
"""One in memory alone, and one with a backend and secrets."""


def validate(tool: tuple[str, ...], texts: dict[str, str], folder: Path) -> tuple[int, str]:
    """What the official schemas say of several files: the exit code, and the lines."""
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    files = [folder / f"{name}.yaml" for name in texts]
    command = [find_uv_bin(), "tool", "run", *tool, *files]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    return run.returncode, run.stdout + run.stderr


def rendered(target: str) -> dict[str, str]:
    """A target's YAML for several environments and each framework, by a name."""
    return {
        f"{folder.name}_{framework}": deployment(load(folder), framework, target, Scale())[
            f"{target}.yaml"
        ]
        for folder in ENVIRONMENTS
        for framework in SERVED
    }


def test_compose_takes_what_is_rendered_and_refuses_what_is_wrong(tmp_path: Path) -> None:
    texts = rendered("compose")
    code, told = validate(COMPOSE, texts, tmp_path)
    assert code == 0, told
    wrong = next(iter(texts.values())).replace("read_only: true", "read_alone: true")
    code, told = validate(COMPOSE, {"wrong": wrong}, tmp_path)
    assert code != 0
    assert "read_alone" in told


def test_kubernetes_takes_what_is_rendered(tmp_path: Path) -> None:
    texts = rendered("kubernetes")
    code, told = validate(KUBERNETES, texts, tmp_path)
    assert code == 0, told
    kinds = ("deployment/", "service/", "horizontalpodautoscaler/", "poddisruptionbudget/")
    for name in texts:
        lines = [line for line in told.splitlines() if f"/{name}.yaml passed" in line]
        for kind in (*kinds, "networkpolicy/", "configmap/"):
            assert any(kind in line for line in lines), (name, kind)


def test_kubernetes_schemas_refuse_what_is_wrong(tmp_path: Path) -> None:
    text = deployment(load(WORDLE), "ors", "kubernetes", Scale())["kubernetes.yaml"]
    wrong = {"wrong": text.replace("minReplicas: 2", "leastReplicas: 2")}
    code, told = validate(KUBERNETES, wrong, tmp_path)
    assert code != 0
    assert "leastReplicas" in told
