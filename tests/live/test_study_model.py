"""Studies of a model, over a real variant and an endpoint: killed in the middle, and gone on with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from skill_tools.frameworks.rules import load
from skill_tools.pipeline import render
from skill_tools.policies.loopback import HttpRequest
from skill_tools.policies.scripted import Script, Turn, as_text
from skill_tools.policies.server import EPISODE, PolicyEndpoint
from skill_tools.reference.playbook import write_scripts
from tests.conftest import write_counter
from tests.processes import MARK, kill, marked, until

SOON = 240.0
"""Seconds, of which a few are enough unless the machine has much else to do."""


class Held(PolicyEndpoint):
    """An endpoint that stops answering when so many episodes have begun, until it is let go on.

    ``began`` counts how often each episode asked for its first message.
    """

    def __init__(self, scripts: Mapping[str, Mapping[str, Script]], hold: int | None, write: Any):
        super().__init__(scripts, write)
        self.hold = hold
        self.reached, self.free = threading.Event(), threading.Event()
        self.began: Counter[str] = Counter()

    def _turn(self, request: HttpRequest, body: Mapping[str, Any], position: int) -> Turn:
        label = unquote(request.headers[EPISODE])
        self.began[label] += position == 0 and label.startswith("counter/")
        if self.began.total() == self.hold:
            self.reached.set()
            self.free.wait(SOON)
        return super()._turn(request, body, position)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = write_counter(
        tmp_path_factory.mktemp("study") / "counter",
        env=("episode:", "frameworks: [openenv]\nepisode:"),
        tasks=[
            ('"seed": i,', '"seed": i, "level": "odd" if i % 2 else "even",'),
            ("range(12)", "range(50)"),
        ],
    )
    render(place)
    return place


def mixed(folder: Path, tasks: int, samples: int) -> dict[str, dict[str, Script]]:
    """A model that solves every even task, and an odd one in every third sample."""
    scripts = write_scripts(load(folder), folder, "train", tasks).scripts
    found = {}
    for label in scripts["oracle"]:
        odd = int(label.split("/")[2]) % 2
        for sample in range(samples):
            policy = "noop" if odd and sample % 3 else "oracle"
            found[label + (f"#{sample}" if sample else "")] = scripts[policy][label]
    return {"m": found}


@pytest.mark.parametrize(
    ("tasks", "samples", "holds"),
    [
        pytest.param(12, 5, [25, 20], id="60"),
        pytest.param(
            *(50, 10, [40, 1, 200, 100, 90]),
            id="500",
            marks=pytest.mark.everything("study"),
        ),
    ],
)
def test_a_study_that_is_killed_goes_on_and_loses_nothing(
    folder: Path, tasks: int, samples: int, holds: list[int]
) -> None:
    kept = folder / "runs" / "study-m.jsonl"
    kept.unlink(missing_ok=True)
    given = [folder, "--model", "m", "--split", "train", "--num-tasks", tasks, "--samples", samples]
    given += ["--seconds", 1, "--json"]
    scripts, write = mixed(folder, tasks, samples), partial(as_text, load(folder))
    before: set[str] = set()
    for number, hold in enumerate(holds):
        mark = f"study-{os.getpid()}-{number}"
        with Held(scripts, hold, write) as endpoint:
            child = start([*given, "--base-url", endpoint.base_url], mark, kept)
            try:
                assert until(endpoint.reached.is_set, SOON), child.communicate()
                child.send_signal(signal.SIGKILL)
                child.communicate()
            finally:
                endpoint.free.set()
                gone = until(partial(nobody, mark), SOON)
                kill(marked(mark))
            assert gone
        # What was written before another kill is not asked again.
        assert not {json.loads(text)["label"] for text in before} & set(endpoint.began)
        whole, _, _ = kept.read_text("utf-8").rpartition("\n")
        assert before <= set(whole.split("\n"))
        before = set(filter(None, whole.split("\n")))
        with kept.open("a", encoding="utf-8") as file:  # a kill amid a line leaves as much
            file.write('{"format": 2, "environment": "cou')
    with Held(scripts, None, write) as endpoint:
        child = start([*given, "--base-url", endpoint.base_url], f"study-{os.getpid()}", kept)
        said, errors = child.communicate(timeout=2 * SOON)
    assert child.returncode in (0, 1), errors  # 1: what a study of the game itself found
    lines = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    episodes = Counter((line["index"], line["seed"], line["sample"]) for line in lines)
    assert episodes == {(i, i, s): 1 for i in range(tasks) for s in range(samples)}
    assert len(before) > 10
    assert before < set(kept.read_text("utf-8").split("\n"))
    assert endpoint.began.total() == len(lines) - len(before)
    (study,) = json.loads(said)["models"]
    assert (study["overall"]["episodes"], study["left"]) == (tasks * samples, 0)
    passed = sum(line["return"] == 1.0 for line in lines)
    assert study["overall"]["passed"]["1"]["mean"] == pytest.approx(passed / len(lines))
    assert [(part["level"], part["solved"]) for part in study["levels"]] == [
        ("even", tasks // 2),
        ("odd", 0),
    ]


def nobody(mark: str) -> bool:
    """Whether no process with the mark is left."""
    return not marked(mark)


def start(words: Sequence[object], mark: str, kept: Path) -> subprocess.Popen[str]:
    """A study in a process of its own; one that is there is gone on with."""
    more = ["--resume"] if kept.exists() else []
    command = [sys.executable, "-m", "skill_tools.cli", "learnability", *words, *more]
    return subprocess.Popen(
        list(map(str, command)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, MARK: mark},
        start_new_session=True,
    )
