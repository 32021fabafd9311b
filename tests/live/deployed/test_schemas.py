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
VALIDATOR = "kubernetes-validate==1.37.0"


def validate(texts: dict[str, str], folder: Path) -> tuple[int, str]:
    """What the official schemas say of several files: the exit code, and the lines."""
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    files = [folder / f"{name}.yaml" for name in texts]
    command = [find_uv_bin(), "tool", "run", "--from", VALIDATOR, "kubernetes-validate"]
    run = subprocess.run(
        [*command, "--strict", *files], capture_output=True, text=True, check=False, timeout=120
    )
    return run.returncode, run.stdout + run.stderr


def test_kubernetes_takes_what_is_rendered(tmp_path: Path) -> None:
    texts = {
        f"{folder.name}_{framework}": deployment(load(folder), framework, "kubernetes", Scale())[
            "kubernetes.yaml"
        ]
        for folder in (WORDLE, JUPYTER)
        for framework in SERVED
    }
    code, told = validate(texts, tmp_path)
    assert code == 0, told
    kinds = ("deployment/", "service/", "horizontalpodautoscaler/", "poddisruptionbudget/")
    for name in texts:
        lines = [line for line in told.splitlines() if f"/{name}.yaml passed" in line]
        for kind in (*kinds, "networkpolicy/", "configmap/"):
            assert any(kind in line for line in lines), (name, kind)


def test_the_schemas_refuse_what_is_wrong(tmp_path: Path) -> None:
    text = deployment(load(WORDLE), "ors", "kubernetes", Scale())["kubernetes.yaml"]
    code, told = validate({"wrong": text.replace("minReplicas: 2", "leastReplicas: 2")}, tmp_path)
    assert code != 0
    assert "leastReplicas" in told
