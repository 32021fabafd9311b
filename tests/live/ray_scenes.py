"""Scenes on a real Ray cluster; run by test_ray.py in Ray's venv and in a network of its own.

usage: python ray_scenes.py SCENE FOLDER ROOM

Each scene prints what was seen as one JSON object in its last line. FOLDER is Wordle, rendered.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from ray.cluster_utils import Cluster

from skill_tools.frameworks.rules import load
from skill_tools.policies.loopback import HttpAnswer, HttpRequest, Loopback
from skill_tools.reference.playbook import write_scripts
from skill_tools.rollouts.single import serve_scripts

KEY = "key-of-nobody-7f3a"
"""A secret, which no log may have."""
SOON = 120.0
"""Seconds, of which a few are enough unless the machine has much else to do."""
Seen = dict[str, Any]


@contextmanager
def cluster(head: int, *nodes: int) -> Iterator[tuple[Cluster, list[Any]]]:
    """A head and nodes with so many processors each."""
    found = Cluster(
        initialize_head=True, head_node_args={"num_cpus": head, "include_dashboard": False}
    )
    try:
        yield found, [found.add_node(num_cpus=each) for each in nodes]
    finally:
        found.shutdown()


def start(address: str | None, *words: object, **more: str) -> subprocess.Popen[str]:
    """The command, on its way; a rollout where a folder comes first."""
    words = ("rollout", words[0], "-f", "gem", *words[1:]) if words[0] != "learnability" else words
    command = [sys.executable, "-m", "skill_tools.cli", *words]
    environment = {**os.environ, **({"RAY_ADDRESS": address} if address else {}), **more}
    return subprocess.Popen(
        list(map(str, command)), env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def end(command: subprocess.Popen[str]) -> Seen:
    """How it ended."""
    started = time.monotonic()
    said, errors = command.communicate(timeout=4 * SOON)
    seconds = time.monotonic() - started
    return {"code": command.returncode, "said": said, "errors": errors, "seconds": seconds}


def until(condition: Callable[[], Any]) -> Any:
    """What the condition comes to be in time."""
    deadline = time.monotonic() + SOON
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(0.02)
    raise TimeoutError(f"{condition} did not come to hold")


def rollouts(folder: Path, under: int | None = None) -> list[psutil.Process]:
    """The processes that play the variant; of them those that another started, however far up."""
    every = (
        psutil.process_iter() if under is None else psutil.Process(under).children(recursive=True)
    )
    found = []
    for process in every:
        try:
            if process.cwd() == str(folder / "gem") and "rollout.py" in process.cmdline():
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return found


def gone(processes: list[psutil.Process]) -> bool:
    """Whether all have ended."""
    return not any(each.is_running() and each.status() != "zombie" for each in processes)


def raylet(node: Any) -> int:
    """The process that is a node."""
    return node.all_processes["raylet"][0].process.pid


def kept(folder: Path) -> Path | None:
    """The file of the rollout."""
    return next((folder / "runs").glob("gem-*.jsonl"), None)


def killed(folder: Path, room: Path) -> Seen:
    """A worker is killed while it plays, then a node; then a part of the file is lost, and gone on with."""
    words = ["--index", "0-149", "--samples", "2", "--cluster", "ray"]
    with cluster(1, 1, 1) as (found, (first, second)):
        command = start(found.address, folder, *words, "--json")
        playing = until(lambda: rollouts(folder, raylet(first)))
        workers = [p for p in playing[0].parents() if p.cmdline()[0].startswith("ray::")]
        workers[0].kill()
        until(lambda: gone(playing))
        playing = until(lambda: rollouts(folder, raylet(second)))
        os.kill(raylet(second), signal.SIGKILL)
        died = time.monotonic()
        until(lambda: gone(playing))
        seconds = time.monotonic() - died
        seen = end(command) | {"child_gone_after": seconds, "worker": workers[0].pid}
        seen["left"] = [p.cmdline() for p in rollouts(folder)]
        path = Path(json.loads(seen["said"])["trajectories"])
        whole = path.read_text("utf-8").splitlines()
        # What a kill amid writing leaves: some lines lack, and one is half.
        rest = [line for place, line in enumerate(whole) if place % 7]
        path.write_text("".join(f"{line}\n" for line in rest) + whole[0][:100], "utf-8")
        again = end(start(found.address, folder, *words, "--json", "--resume", path))
        third = end(start(found.address, folder, *words, "--json", "--resume", path))
    return {"first": seen, "whole": whole, "rest": len(rest), "again": again, "third": third}


def interrupted(folder: Path, room: Path) -> Seen:
    """The command itself is killed; then another is interrupted as by Ctrl-C."""
    words = ["--index", "0-149", "--samples", "2", "--cluster", "ray"]
    codes = []
    with cluster(2) as (found, _):
        for number in (signal.SIGKILL, signal.SIGINT):
            command = start(found.address, folder, *words)
            playing = until(lambda: rollouts(folder))
            below = psutil.Process(command.pid).children(recursive=True)
            command.send_signal(number)
            command.communicate()
            codes.append(command.returncode)
            until(lambda: gone(playing + below))  # noqa: B023 - called here
            until(lambda: not rollouts(folder))
    return {"codes": codes}


def full(folder: Path, room: Path) -> Seen:
    """The disk on which results are written is full; then there is room."""
    words = ["--index", "0-59", "--cluster", "ray", "--resume", room / "kept.jsonl"]
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "none", room], check=True)
    (room / "kept.jsonl").touch()
    with cluster(1) as (found, _):
        first = end(start(found.address, folder, *words))
        lines = (room / "kept.jsonl").read_text("utf-8")
        left = [p.cmdline() for p in rollouts(folder)]
        subprocess.run(["mount", "-o", "remount,size=64m", room], check=True)
        second = end(start(found.address, folder, *words))
        whole = (room / "kept.jsonl").read_text("utf-8").splitlines()
    return {"first": first, "lines": lines, "left": left, "second": second, "whole": whole}


def lacking(folder: Path, room: Path) -> Seen:
    """No cluster, no such address, and a cluster to which no node comes."""
    words = ["--index", "0-3", "--cluster"]
    none = end(start(None, folder, *words, "ray"))
    wrong = end(start(None, folder, *words, "ray://127.0.0.1:1"))
    stale = end(start("127.0.0.1:2", folder, *words, "ray"))
    with cluster(0) as (found, _):
        idle = end(start(found.address, folder, *words, "ray", SKILL_TOOLS_NODE_SECONDS="4"))
    return {"none": none, "wrong": wrong, "stale": stale, "idle": idle, "file": str(kept(folder))}


def asked(folder: Path, room: Path) -> Seen:
    """A model that wants a key is asked by the nodes; then the file is gone on with in another way."""
    spec = load(folder)
    keys: set[str] = set()

    def answer(request: HttpRequest) -> HttpAnswer:
        keys.add(request.headers.get("authorization", ""))
        return endpoint.answer(request)

    scripts = write_scripts(spec, folder, "test", 20).scripts["oracle"]
    endpoint = serve_scripts(spec, {"m": scripts}, 3)
    server = Loopback(answer)
    words = ["--model", "m", "--base-url", f"{server.open()}/v1", "--split", "test"]
    words += ["--index", "3-19", "--samples", "2", "--cluster", "ray"]
    with cluster(1, 1) as (found, _):
        more = ["--temperature", "0.5"]
        first = end(start(found.address, folder, *words, *more, "--json", ROLLOUT_API_KEY=KEY))
        path = Path(json.loads(first["said"])["trajectories"])
        lines = path.read_text("utf-8").splitlines()
        path.write_text("".join(f"{line}\n" for line in lines[5:]), "utf-8")
        more = ["--temperature", "0.7", "--resume", str(path)]
        second = end(start(found.address, folder, *words, *more, ROLLOUT_API_KEY=KEY))
        after = path.read_text("utf-8").splitlines()
        words = ["learnability", folder, "-f", "gem", *words[:6], "--num-tasks", 12, "--samples", 3]
        words += ["--seconds", 1, "--json", "--cluster", "ray"]
        studied = end(start(found.address, *words))
    server.close()
    ray_logs = Path(os.environ["RAY_TMPDIR"]) if "RAY_TMPDIR" in os.environ else Path("/tmp/ray")
    logs = [*ray_logs.glob("session_latest/logs/*")]
    told = [path.name for path in logs if path.is_file() and KEY.encode() in path.read_bytes()]
    seen = {"first": first, "lines": lines, "second": second, "after": after == lines[5:]}
    return seen | {"keys": sorted(keys), "logs": len(logs), "told": told, "study": studied}


def started(folder: Path, room: Path) -> Seen:
    """A cluster as a person starts it, which wants a token: from its machine, and from elsewhere."""
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": KEY * 2}
    ray = Path(sys.executable).with_name("ray")
    begin = [ray, "start", "--head", "--node-ip-address=127.0.0.1", "--num-cpus=1"]
    subprocess.run(begin, env={**os.environ, **token}, stdout=sys.stderr, check=True)
    words = ["--index", "0-3", "--json", "--cluster"]
    here = end(start(None, folder, *words, "ray", **token))
    elsewhere = end(start(None, folder, *words, "ray://127.0.0.1:10001", **token))
    subprocess.run([ray, "stop", "--force"], stdout=sys.stderr, check=True)
    return {"here": here, "elsewhere": elsewhere}


if __name__ == "__main__":
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    scene = {each.__name__: each for each in (killed, interrupted, full, lacking, asked, started)}[
        sys.argv[1]
    ]
    print(json.dumps(scene(Path(sys.argv[2]), Path(sys.argv[3]))))
