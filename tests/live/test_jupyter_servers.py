"""The Jupyter environment served: many notebooks at once in one process, none aware of another."""

from __future__ import annotations

import json

import pytest

from skill_tools.policies.scripted import Call, Script, Turn
from tests.conftest import JUPYTER
from tests.live.frameworks import FRAMEWORKS

from .rolled import roll

MODELS, TASKS = 4, 16
SERVERS = [name for name, known in FRAMEWORKS.items() if known.transport == "http"]
MARK = """
import os, pathlib, time
mark_{name} = {number}
os.environ["MARK_{name}"] = "{number}"
pathlib.Path("mark_{name}").touch()
pathlib.Path("folder_{name}").mkdir()
os.chdir("folder_{name}")
pathlib.Path("/tmp/mark_{name}").touch()
time.sleep(3)
"""
LOOK = """
import json
seen = [name for name in globals() if name.startswith("mark_")]
seen += [name for name in os.environ if name.startswith("MARK_")]
seen += [str(path) for path in pathlib.Path("/").glob("home/*/mark_*")]
seen += [str(path) for path in pathlib.Path("/").glob("tmp/mark_*")]
print(json.dumps([os.getcwd(), *seen]))
"""


def marked(name: str, number: int) -> Script:
    """Leave marks wherever one can, wait, and look for everybody's."""
    cells = (MARK.format(name=name, number=number), LOOK)
    return tuple(Turn((Call("add_and_execute_code_cell", {"code": code}),)) for code in cells)


HUNG: Script = (Turn((Call("add_and_execute_code_cell", {"code": "while True: pass"}),)),)


@pytest.mark.everything("sandboxes")
@pytest.mark.parametrize("framework", SERVERS)
def test_sixty_four_notebooks_share_nothing_and_one_that_hangs_delays_none(framework: str) -> None:
    labels = [f"jupyter/train/{index}/0" for index in range(TASKS)]
    scripts = {
        f"model{m}": {label: marked(f"{m}_{n}", n) for n, label in enumerate(labels)}
        for m in range(MODELS)
    }
    hung = ("model0", labels[0])
    scripts[hung[0]][hung[1]] = HUNG
    played = roll(JUPYTER, framework, scripts, TASKS, concurrency=MODELS * TASKS)
    assert len(played) == MODELS * TASKS
    # They are written as they end. Whoever waited for the one that hangs would end after it; where
    # the machine is busy, some need as long as it is let hang.
    (place,) = [n for n, each in enumerate(played) if (each.model, each.label) == hung]
    others = [*played[:place], *played[place + 1 :]]
    assert place > len(others) // 2, f"{len(others) - place} of {len(others)} ended after it"
    assert "stopped after 30 s; its variables are kept" in played[place].steps[0].text
    for trajectory in others:
        name = f"{trajectory.model.removeprefix('model')}_{trajectory.index}"
        assert [step.error for step in trajectory.steps] == [None, None]
        assert json.loads(trajectory.steps[1].text) == [
            f"/home/user/folder_{name}",
            f"mark_{name}",
            f"MARK_{name}",
            f"/home/user/mark_{name}",
            f"/tmp/mark_{name}",
        ]
