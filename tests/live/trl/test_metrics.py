"""Metrics in TRL: in the log of a run, and in what a rollout records."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from skill_tools import pipeline
from tests.live.test_metrics import WRITE, alike
from tests.measured import measured_counter, measured_sums

from .test_trl import HERE, history, run

pytestmark = pytest.mark.everything("trl")
ADD = [
    f'<tool_call>\n{{"name": "add", "arguments": {{"amount": {amount}}}}}\n</tool_call>'
    for amount in (1, 5, 9)
]
LOGGED = [
    (measured_counter, ADD, ["--actions", "tools"], ("progress", "excess")),
    (measured_counter, [f"<add amount=\"{n}\"/>" for n in (1, 5, 9)], ["--actions", "text"], ("progress", "excess")),
    (measured_sums, ["Answer: 7", "Hm."], [], ("right", "form")),
]  # fmt: skip


@pytest.mark.parametrize("name", WRITE)
def test_metrics_are_those_of_the_bare_domain(name: str, tmp_path: Path) -> None:
    alike(WRITE[name](tmp_path / name), ["trl"])


@pytest.mark.parametrize(("write", "said", "options", "names"), LOGGED)
def test_the_log_of_a_run_has_the_mean_of_each_metric(
    write: Callable[[Path], Path],
    said: list[str],
    options: list[str],
    names: tuple[str, str],
    tmp_path: Path,
) -> None:
    folder = write(tmp_path / "env")
    pipeline.render(folder, ["trl"])
    run(folder, HERE / "tiny_model.py", tmp_path / "model", *said)
    asked = ["--model", tmp_path / "model", "--output", tmp_path / "out", *options]
    asked += ["--episodes", "4", "--tasks-per-step", "2", "--tokens", "200", "--steps", "2"]
    run(folder, *map(str, ["train.py", *asked]))
    log = history(tmp_path / "out")
    assert len(log) == 2
    first, second = (f"metrics/{name}" for name in names)
    assert all(0 <= line[first] <= 1 for line in log)
    assert any(line[first] or line[second] for line in log)
    assert {"reward", first, second} <= set(log[0])
