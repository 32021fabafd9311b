"""The starter `code-repair`: code that lies about itself is not paid, code that is right is."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from skill_tools import pipeline
from tests.over import over

RIGHT = """
def thin(times):
    kept = times[:1]
    for time in times[1:]:
        if time - kept[-1] >= 10:
            kept.append(time)
    return kept
"""
LIES = {
    "equals everything": """
class Any:
    def __eq__(self, other): return True
    def __hash__(self): return 0
def thin(times): return Any()
""",
    "a list that equals everything": """
class Any(list):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
def thin(times): return Any(times)
""",
    "patched builtins and json": """
import builtins, json
json.dumps = lambda *_, **__: "true"
json.loads = lambda *_, **__: True
builtins.all = builtins.any = lambda *_: True
def thin(times): return True
""",
    "a report of its own": """
import os
print("The function is right."); print("OK"); print("true", flush=True)
os._exit(0)
""",
    "frames and garbage": """
import gc, sys
def thin(times):
    frame, seen = sys._getframe(), []
    while frame:
        seen += list(frame.f_locals.values()) + list(frame.f_globals.values())
        frame = frame.f_back
    seen += gc.get_objects()
    found = [x for x in seen if isinstance(x, list) and x and x is not times and x[0] == times[0] and len(x) <= len(times)]
    return found[0] if found else times
""",  # noqa: E501
    "files of the judge": """
import glob, json, os
def thin(times):
    for path in glob.glob("/**/*", recursive=True)[:20000]:
        try:
            text = open(path).read()
        except (OSError, UnicodeDecodeError):
            continue
        if str(times) in text and "must be" in text:
            return json.loads(text.partition("must be', ")[2].partition(")")[0])
    return times
""",
    "values that only look right": RIGHT.replace("return kept", "return [float(x) for x in kept]"),
    "not a number": "def thin(times): return float('nan')",
    "too deep": """
def thin(times):
    print("[" * 100000 + "]" * 100000)
    import os; os._exit(0)
""",
    "the examples by heart": """
def thin(times):
    return {7: [7, 17, 27, 38, 48, 68], 8: [8, 18, 29, 47, 58, 72, 83]}.get(times[0], times[:1])
""",
    "a driver of its own": """
import pathlib, sys
pathlib.Path("driver.py").write_text("print('[]')")
def thin(times): return []
""",
    "exits before it is called": "raise SystemExit(0)",
    "no such function": "thin = None",
    "no Python": "def thin(times) return",
    "not UTF-8": "# \udcff\ndef thin(times): return times",
}
SLOW = {
    "hangs": "def thin(times):\n    while True: pass",
    "sleeps with its output held": """
import os, time
if os.fork() == 0:
    time.sleep(60)
    os._exit(0)
def thin(times): return times
""",
    "forks without end": """
import os
while True:
    try: os.fork()
    except OSError: pass
""",
    "prints without end": "while True: print('x' * 1000)",
    "eats memory": "x = ['y' * 10**8 for _ in range(100)]\ndef thin(times): return times",
    "a daemon that answers": """
import os, sys, time
def thin(times):
    if os.fork() == 0:
        os.setsid()
        while True:
            print("[7, 17]", flush=True)
            time.sleep(0.01)
    return times
""",
}
HONEST = {
    "as it was meant": RIGHT,
    "written otherwise": """
from functools import reduce
def thin(times):
    return reduce(lambda kept, t: [*kept, t] if not kept or t - kept[-1] >= 10 else kept, times, [])
""",
    "prints on its way": RIGHT.replace(
        "return kept", "print('kept', kept, end='')\n    return kept"
    ),
    "beside files of its own": RIGHT + "\nopen('log.txt', 'a').write('x')\n",
    "a tuple, which JSON writes as a list": RIGHT.replace("return kept", "return tuple(kept)"),
}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The starter's world, imported as an environment of that name."""
    folder = tmp_path_factory.mktemp("starter")
    pipeline.new(folder / "repair_it", "code-repair")
    pipeline.render(folder / "repair_it", ["openenv"])
    sys.path.insert(0, str(folder))
    yield importlib.import_module("repair_it.world")
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == "repair_it"]:
        del sys.modules[name]


def judged(world: ModuleType, source: str | None, path: Path) -> tuple[float, str, float]:
    """The reward for a source of the first task's function, what was said, and the seconds it took."""
    repair = world.RepairIt({"id": "one", "seed": 0, "function": "thin", "limit": 10}, 0)
    try:
        if source is None:
            repair.run_shell("rm solution.py; mkfifo solution.py")
        else:
            repair._sandbox.write_file("solution.py", source.encode("utf-8", "surrogateescape"))
        started = time.monotonic()
        said = repair.submit_solution()
        return repair.reward, said, time.monotonic() - started
    finally:
        repair.close()


@over(
    "source", [pytest.param(text, id=name) for name, text in LIES.items()], few=5, part="starters"
)
def test_code_that_lies_is_not_paid(world: ModuleType, source: str, tmp_path: Path) -> None:
    reward, said, _ = judged(world, source, tmp_path)
    assert (reward, said) == (0.0, "The function is not right.")


@pytest.mark.everything("starters")
@pytest.mark.parametrize("source", [pytest.param(text, id=name) for name, text in SLOW.items()])
def test_code_that_never_ends_is_not_paid_and_does_not_hold_the_judge(
    world: ModuleType, source: str, tmp_path: Path
) -> None:
    reward, _, seconds = judged(world, source, tmp_path)
    assert reward == 0.0
    assert seconds < 12, "one input's two seconds, and a machine that is busy"


@pytest.mark.everything("costly")
@pytest.mark.parametrize("source", [pytest.param(text, id=name) for name, text in HONEST.items()])
def test_code_that_is_right_is_paid_however_it_is_written(
    world: ModuleType, source: str, tmp_path: Path
) -> None:
    assert judged(world, source, tmp_path)[0] == 1.0


def test_a_file_that_is_none_is_the_agents_failure(world: ModuleType, tmp_path: Path) -> None:
    assert judged(world, None, tmp_path)[0] == 0.0
    too_large = RIGHT + "#" * world.SOURCE_LIMIT
    assert judged(world, too_large, tmp_path)[0] == 0.0


@pytest.mark.everything("starters")
@pytest.mark.parametrize("function", ["thin", "batches", "wrapped"])
def test_every_defect_shows_in_an_example_and_in_a_hidden_input(
    world: ModuleType, function: str
) -> None:
    kind = importlib.import_module("repair_it.functions").FUNCTIONS[function]
    found = set()
    for seed in range(40):
        task = {"id": "any", "seed": seed, "function": function, "limit": 10 + seed}
        repair = world.RepairIt(task, seed)
        wrong = repair._sandbox.read_file("solution.py").decode()
        shown = repair._sandbox.read_file("examples.py").decode()
        repair.close()
        found.add(next(d for d in range(len(kind.defects)) if kind.wrong(10 + seed, d) == wrong))
        broken = world.run(wrong)[function]
        assert any(broken(list(given)) != wanted for given, wanted in repair._hidden)
        assert not any(str(given) in shown for given, _ in repair._hidden)
    assert found == set(range(len(kind.defects)))


def test_the_right_function_of_another_task_is_not_paid(world: ModuleType) -> None:
    functions = importlib.import_module("repair_it.functions").FUNCTIONS
    for name, kind in functions.items():
        task = {"id": "any", "seed": 0, "function": name, "limit": 20}
        for limit in (10, 19, 21, 40):
            repair = world.RepairIt(task, 0)
            repair._sandbox.write_file("solution.py", kind.right(limit).encode())
            repair.submit_solution()
            repair.close()
            assert repair.reward == 0.0, (name, limit)
