"""Import public environments one after another, build and compare each, and write a line of JSON for each.

usage: python -m corpora.ports SOURCES RESULTS [NAME...]

SOURCES is a folder with clones, each named OWNER+REPOSITORY. RESULTS is a file that grows. Targets that are
already in it are left out, unless they are named.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

HERE = Path(__file__).parent
FRAMEWORKS = ("openenv", "ors", "verifiers", "nemo_gym")
TASKS = 8
"""Tasks to import of each target."""
ACTIONS = 300
"""Actions to compare."""
SECONDS = 600
"""Seconds that one step may take, with the installation of a venv."""
LONGEST = 400
"""Characters of an error to keep."""


def main(sources: Path, results: Path, names: list[str]) -> None:
    """Import the targets that have no result yet, or the named targets."""
    targets: list[dict[str, Any]] = YAML(typ="safe").load(
        (HERE / "targets.yaml").read_text("utf-8")
    )
    done = {json.loads(line)["name"] for line in results.open()} if results.exists() else set()
    left = [t for t in targets if t["name"] in names or not (names or t["name"] in done)]
    for number, target in enumerate(left, 1):
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as scratch:
            found = port(sources, target, Path(scratch) / "port")
        found["seconds"] = round(time.monotonic() - began)
        print(f"{number}/{len(left)} {json.dumps(found)[:300]}", flush=True)
        with results.open("a") as file:
            file.write(json.dumps(found) + "\n")


def port(sources: Path, target: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Import, build and compare one target. Return the results."""
    place = target.get("target")
    if place is None:
        place = str(sources / target["repository"].replace("/", "+") / target["path"])
    found: dict[str, Any] = {"name": target["name"], "kind": target["kind"]}
    options = ["-f", target["framework"]] if "framework" in target else []
    options += target.get("arguments", [])
    if "dataset" in target:
        options += ["--dataset", str(HERE / target["dataset"])]
    code, made, error = run("import", place, str(folder), *options, "--num-tasks", str(TASKS))
    if code:
        return {**found, "imported": False, "reason": error}
    found |= {"imported": True, "tasks": made["tasks"], "solved": made["solved"]}
    found["limits"] = made["limits"]
    asked = [part for name in FRAMEWORKS for part in ("-f", name)]
    code, report, error = run("build", str(folder), "--quick", *asked)
    if code not in (0, 1):
        found |= {"build": "broken", "reason": error}
    else:
        failed = [f for f in report["findings"] if f["status"] == "fail"]
        found["build"] = "green" if report["ok"] else "not green"
        found["failed"] = sorted({f["check"] for f in failed})
        found["messages"] = [f"{f['check']}: {f['message']}"[:LONGEST] for f in failed[:4]]
        played = [v for v in report["variants"] if v["framework"] != "domain"]
        found["variants"] = [v["framework"] for v in played]
    code, seen, error = run("compare", str(folder), "--actions", str(ACTIONS))
    if code not in (0, 1):
        return {**found, "compared": "broken", "reason": error}
    keys = ("actions", "agreed", "episodes", "unstable", "not_compared")
    found |= {"compared": seen["verdict"], **{key: seen[key] for key in keys}}
    found["differences"] = [json.dumps(each)[:LONGEST] for each in seen["disagreements"][:2]]
    return found


def run(*arguments: str) -> tuple[int, Any, str]:
    """Run a command of skill-tools. Return its exit code, its JSON output, and the last lines of its errors."""
    command = [sys.executable, "-m", "skill_tools.cli", *arguments, "--json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return 9, None, f"not finished after {SECONDS} s"
    try:
        data = json.loads(done.stdout)
    except ValueError:
        data = None
    lines = [line for line in done.stderr.splitlines() if " s  " not in line[:12]]
    code = done.returncode if data is not None or done.returncode else 3
    return code, data, "\n".join(lines)[-LONGEST:].strip()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
