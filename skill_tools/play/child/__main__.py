"""Runs the author's code in a process of its own; started by ``reference.py``, imported by nobody.

usage: python -I probe.py REQUEST RESULTS STACKS

REQUEST is a JSON file: the environment folder, a folder with the rendered modules that an episode
imports, the package name, the names in the spec, and groups of jobs with the seconds that each may
take. Each group has a fork of this process, which has imported nothing of the author's. RESULTS
receives one JSON line per job as soon as the job is done, so that the parent can name the job that
never ended. STACKS then says where every thread was. This file imports the standard library and
the environment, never this package: it may run in another venv.
"""

import contextlib
import ctypes
import faulthandler
import importlib
import importlib.util
import inspect
import json
import os
import random
import signal
import sys
import traceback
import types
import zlib
from pathlib import Path

METHODS = ("observe",)
BESIDE = ("trying", "surveying", "enduring", "foreseeing", "breaking", "reaching")
ENDING = 10.0
"""Seconds for the process to end after its last job."""


def main() -> None:
    """Answer the groups of a request file in turn, up to one that ends before it has answered."""
    request = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    adopt_orphans()
    if len(request["groups"]) > 1:
        with contextlib.suppress(ImportError):
            importlib.import_module("jsonschema")  # half of what a group would wait for
    results = Path(sys.argv[2])
    results.touch()
    answered = 0
    for jobs in request["groups"]:
        child = os.fork()
        if not child:
            answer(request, jobs)
            return
        os.waitpid(child, 0)
        end_children()
        answered += len(jobs)
        if results.read_bytes().count(b"\n") < answered:
            sys.exit(1)


def answer(request: dict, jobs: list) -> None:
    """Work through one group of jobs, which share this process."""
    if request.get("later"):
        beside("later").put_clock_forward(request["later"], request["package"])
    package = types.ModuleType(request["package"])
    package.__path__ = [request["rendered"], request["folder"]]
    sys.modules[request["package"]] = package
    with (
        Path(sys.argv[2]).open("a", encoding="utf-8") as results,
        Path(sys.argv[3]).open("w", encoding="utf-8") as stacks,
    ):
        for job in jobs:
            # It works even while a C function holds the interpreter, and ends this process.
            faulthandler.dump_traceback_later(job["seconds"], file=stacks, exit=True)
            try:
                with contextlib.redirect_stdout(sys.stderr):
                    value = find_job(job["do"])(request, **job.get("with", {}))
                    line = json.dumps({"value": value})
            except Exception as error:  # noqa: BLE001 - whatever the author's code raises is a result
                line = json.dumps({"error": describe(error, request["folder"])})
            results.write(line + "\n")
            results.flush()
    # What the author left behind, say a thread, may end by itself, but not keep the answers back.
    faulthandler.dump_traceback_later(ENDING, exit=True)


def adopt_orphans() -> None:
    """Become the parent of what a group leaves running, so that it can be ended (prctl(2))."""
    set_child_subreaper = 36
    ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)


def end_children() -> None:
    """End what a group left running: the next one must not meet it."""
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    while left := children.read_text("utf-8").split():
        for pid in map(int, left):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def describe(error: Exception, folder: str) -> dict:
    """The error, and where in the author's files it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith(folder)]
    where = f"{Path(own[-1].filename).name}:{own[-1].lineno}" if own else ""
    if isinstance(error, SyntaxError) and error.filename:
        where = f"{Path(error.filename).name}:{error.lineno}"
    return {"kind": type(error).__name__, "message": str(error), "where": where}


def module(request: dict, name: str) -> types.ModuleType:
    """One of the environment's own modules."""
    return importlib.import_module(f"{request['package']}.{name}")


def inspect_domain(request: dict) -> dict:
    """What the domain class offers: tools with parameter names, and what it lacks."""
    domain = module(request, request["domain"][0])
    world = getattr(domain, request["domain"][1], None)
    if world is None:
        raise AttributeError(f"{request['domain'][0]}.py has no class {request['domain'][1]}")
    tools = {}
    for name in request["tools"]:
        method = getattr(world, name, None)
        if callable(method):
            parameters = list(inspect.signature(method).parameters.values())[1:]
            tools[name] = [
                "**" if p.kind is p.VAR_KEYWORD else "*" if p.kind is p.VAR_POSITIONAL else p.name
                for p in parameters
            ]
    invalid = getattr(domain, "InvalidAction", None)
    return {
        "tools": tools,
        "closes": callable(getattr(world, "close", None)),
        "missing": [name for name in METHODS if not callable(getattr(world, name, None))],
        "invalid_action": isinstance(invalid, type) and issubclass(invalid, Exception),
    }


def count_tasks(request: dict) -> dict:
    """Number of tasks in each split."""
    table = module(request, "_shared.task_table")
    if not isinstance(table.TASKS, dict):
        raise TypeError(f"the tasks are a {type(table.TASKS).__name__}, not {{split: [task, ...]}}")
    return {split: len(table.tasks(split)) for split in table.splits()}


def deal(request: dict) -> dict:
    """A checksum of every task, by split: the same in every process, if the tasks are."""
    table = module(request, "_shared.task_table")
    return {
        split: [zlib.crc32(json.dumps(t, sort_keys=True).encode()) for t in table.tasks(split)]
        for split in table.splits()
    }


def survey_tasks(request: dict) -> dict:
    """Id and field names of every task of every split; fails at the first that is no JSON object."""
    count_tasks(request)
    table = module(request, "_shared.task_table")
    found = {}
    for split in table.splits():
        found[split] = []
        for index, task in enumerate(table.tasks(split)):
            try:
                checked(task)
            except (TypeError, ValueError) as error:
                raise type(error)(f"task {index} of {split}: {error}") from error
            found[split].append([task.get("id"), sorted(task)])
    return found


def checked(task: dict) -> dict:
    """The task as JSON data; raises TypeError or ValueError if it is none."""
    if not isinstance(task, dict):
        raise TypeError(f"a task is a {type(task).__name__}, not a dict")
    return json.loads(json.dumps(task, allow_nan=False))


def read_task(request: dict, split: str, index: int) -> dict:
    """One task as JSON data; fails if it is none."""
    return checked(module(request, "_shared.task_table").task_at(split, index))


def solve(request: dict, split: str, index: int, seed: int | None = None) -> list:
    """The author's solution of one task as [[tool, arguments], ...]."""
    task = module(request, "_shared.task_table").task_at(split, index)
    oracle = getattr(module(request, request["oracle"][0]), request["oracle"][1])
    actions = oracle(task, int(task.get("seed", 0)) if seed is None else seed)
    calls = [[tool, dict(arguments)] for tool, arguments in actions]
    return json.loads(json.dumps(calls, allow_nan=False))


def wander(request: dict, split: str, index: int, max_turns: int) -> list | None:
    """Calls that a random legal player makes; None if the domain does not offer any."""
    domain = module(request, request["domain"][0])
    if not hasattr(getattr(domain, request["domain"][1], None), "valid_calls"):
        return None
    try:
        world = open_episode(request, split, index, None, max_turns)
    except RuntimeError:
        return None  # the policies will meet it, too, and then it is reported
    try:
        stroll(world, random.Random(f"0/{split}/{index}"))
    except RuntimeError:
        if not world.failure:
            raise
    finally:
        world.close()
    calls = [[step["tool"], step["arguments"]] for step in world.steps]
    return json.loads(json.dumps(calls, allow_nan=False))


def stroll(world, chance: random.Random) -> None:
    """Make random calls of those that the domain offers, up to the end."""
    while not world.over and (offered := list(world._world.valid_calls())):
        tool, arguments = chance.choice(offered)
        world.call(tool, dict(arguments))


def play(request: dict, episodes: list) -> list:
    """Play scripts on bare episodes, turn by turn in alternation, and return their records.

    One episode is played alone; several share the process, and must not notice each other.
    """
    opened = [open_episode(request, **{k: e[k] for k in OPENING}) for e in episodes]
    failures: dict = {}
    scripts = [list(e["script"]) for e in episodes]
    final = [0.0] * len(episodes)
    for turn in range(max(map(len, scripts), default=0)):
        for number, (world, script) in enumerate(zip(opened, scripts, strict=True)):
            if turn >= len(script) or world.over:
                continue
            try:
                for tool, arguments in script[turn]:
                    world.call(tool, arguments)
                if not script[turn]:
                    final[number] = world.end()
            except RuntimeError:
                # EpisodeFailed: with others beside it, only its own record is lost.
                if len(episodes) == 1:
                    raise
                failures[number] = {"kind": "EpisodeFailed", "message": world.failure}
    for number, world in enumerate(opened):
        if not world.over:
            final[number] = world.end()
        world.close()
    records = [record(w, f) for w, f in zip(opened, final, strict=True)]
    for number, failure in failures.items():
        records[number] |= {"end": "failed", "failure": failure, "return": None}
    return records


OPENING = ("split", "index", "seed", "max_turns")


def open_episode(request: dict, split: str, index: int, seed: int | None, max_turns: int):
    """A bare episode, of the environment's rendered modules."""
    task = module(request, "_shared.task_table").task_at(split, index)
    return module(request, "_shared.episode").Episode(task, seed, max_turns)


def record(world, final_reward: float) -> dict:
    """What an episode showed and paid, in the fields of a trajectory."""
    stopped = not (world.steps and world.steps[-1]["done"])
    return {
        "prompt": world.prompt,
        "steps": world.steps,
        "final_reward": final_reward,
        "return": world.total,
        "end": "stopped" if stopped else "truncated" if world.truncated else "terminated",
    }


def beside(name: str) -> types.ModuleType:
    """A module in the folder of this file, which is no place to import from."""
    place = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    found = importlib.util.module_from_spec(place)
    place.loader.exec_module(found)
    return found


def find_job(name: str):
    """What answers a job: a function of this file, or of a module beside it."""
    if name in JOBS:
        return JOBS[name]
    several = (beside(each).JOBS for each in BESIDE)
    return next(jobs[name] for jobs in several if name in jobs)


JOBS = {
    "inspect": inspect_domain,
    "count": count_tasks,
    "deal": deal,
    "survey": survey_tasks,
    "task": read_task,
    "solve": solve,
    "wander": wander,
    "play": play,
}

if __name__ == "__main__":
    main()
