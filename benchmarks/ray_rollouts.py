"""10,000 episodes of Wordle over a Ray cluster of three nodes on this machine, one of them killed.

Beside it the same episodes by `skill-tools rollout` without Ray. It fails unless every episode is there
once, none failed, and all returns are those of the local run. Ray is in a venv of its own, and in a network
that has loopback alone (unshare).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TASKS, SAMPLES = 1250, 8
ALONE = [
    "unshare",
    "-rnpf",
    "--mount-proc",
    "--kill-child",
    "sh",
    "-c",
    'ip link set lo up && exec "$@"',
    "sh",
]
NODES = (1, 1, 1)
"""Processors of each node, the head's first."""
KILLED_AT = 0.3
"""Share of the episodes that are there when a node is killed."""


def main() -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=TASKS)
    parser.add_argument("--samples", type=int, default=SAMPLES)
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.inside:
        print(json.dumps(over_ray(args.inside, args.tasks, args.samples)))
        return 0
    with tempfile.TemporaryDirectory(prefix="ray-rollouts-") as scratch:
        wordle = ROOT / "reference_envs" / "wordle_env"
        left = shutil.ignore_patterns("runs", "__pycache__")
        folder = Path(shutil.copytree(wordle, Path(scratch) / "wordle", ignore=left))
        return measure(folder, args.tasks, args.samples)


def measure(folder: Path, tasks: int, samples: int) -> int:
    import skill_tools

    own = [Path(__file__), "--tasks", tasks, "--samples", samples, "--inside", folder]
    command = [*ALONE, venv(), *own]
    run = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, text=True, check=True)
    seen: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    started = time.monotonic()
    local = skill_tools.rollout(folder, "gem", indices=(0, tasks - 1), samples=samples)
    seconds = time.monotonic() - started
    kept = Path(seen["trajectories"])
    lines = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    returns = {line["label"]: line["return"] for line in lines}
    wanted = tasks * samples
    facts = {
        "episodes wanted": wanted,
        "lines": len(lines),
        "distinct episodes": len(returns),
        "failed": sum(line["end"] == "failed" for line in lines),
        "ends": dict(Counter(line["end"] for line in lines)),
        "returns other than the local run's": sum(
            returns.get(each.label) != each.total for each in local
        ),
        "batches played again": seen["again"],
        "node killed after, of seconds": f"{seen['killed']:.0f} of {seen['seconds']:.0f}",
        "the node's rollout ended after, s": f"{seen['child']:.2f}",
        "episodes a second over Ray": f"{wanted / seen['seconds']:.1f}",
        "seconds and episodes a second without Ray": f"{seconds:.0f}, {wanted / seconds:.1f}",
        "MB of JSON lines": f"{kept.stat().st_size / 1e6:.0f}",
    }
    for name, value in facts.items():
        print(f"{name:45} {value}")
    right = len(lines) == len(returns) == wanted and not facts["failed"]
    return 0 if right and not facts["returns other than the local run's"] else 1


def venv() -> Path:
    """The Python of a venv that has Ray and us."""
    from skill_tools.runtime import venvs

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["ray"], "psutil"]
    base = venvs.base([*wanted, "pyarrow"], Path(sys.executable), ["ray"])
    links = {"skill_tools": ROOT / "skill_tools", "packages": ROOT / "packages"}
    return venvs.overlay(base, "ray", links).python


def over_ray(folder: Path, tasks: int, samples: int) -> dict[str, Any]:
    """Start a cluster, play, kill a node; what was told and seen."""
    import psutil
    from ray.cluster_utils import Cluster

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    head, *others = NODES
    cluster = Cluster(
        initialize_head=True, head_node_args={"num_cpus": head, "include_dashboard": False}
    )
    nodes = [cluster.add_node(num_cpus=each) for each in others]
    command = [sys.executable, "-m", "skill_tools.cli", "rollout", str(folder), "-f", "gem"]
    command += ["--index", f"0-{tasks - 1}", "--samples", str(samples), "--cluster", "ray"]
    environment = {**os.environ, "RAY_ADDRESS": cluster.address}
    started = time.monotonic()
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, text=True
    ) as rollout:  # fmt: skip
        while kept_lines(folder) < KILLED_AT * tasks * samples and rollout.poll() is None:
            time.sleep(0.2)
        raylet = nodes[-1].all_processes["raylet"][0].process.pid
        below = psutil.Process(raylet).children(recursive=True)
        playing = [each for each in below if "rollout.py" in each.cmdline()]
        os.kill(raylet, signal.SIGKILL)
        killed = time.monotonic()
        print(f"killed a node that plays {len(playing)} batches", file=sys.stderr, flush=True)
        psutil.wait_procs(playing, timeout=60)
        child = time.monotonic() - killed
        said, _ = rollout.communicate()
    seconds = time.monotonic() - started
    cluster.shutdown()
    print(said, file=sys.stderr)
    told = {"trajectories": str(next((folder / "runs").glob("gem-*.jsonl")))}
    again = [line for line in said.splitlines() if "played again" in line]
    told["again"] = again[0].rpartition("; ")[2].partition(" ")[0] if again else "none"
    return {**told, "seconds": seconds, "killed": killed - started, "child": child}


def kept_lines(folder: Path) -> int:
    """Episodes that are kept by now."""
    return sum(path.read_bytes().count(b"\n") for path in (folder / "runs").glob("gem-*.jsonl"))


if __name__ == "__main__":
    sys.exit(main())
