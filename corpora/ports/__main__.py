"""Import public environments one after another, build and compare each, and write a line of JSON for each.

For some, ``rewrites`` has a domain of our own, which must play 10,000 actions as the original does. For functions
and for MCP servers, which have no tasks and no reward, ``environments`` has the rest of an environment.

usage: python -m corpora.ports SOURCES RESULTS [NAME...]

SOURCES is a folder with clones, each named OWNER+REPOSITORY. RESULTS is a file that grows. Targets that are
already in RESULTS are left out, unless they are named.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

HERE = Path(__file__).parent
REWRITES = HERE / "rewrites"
TASKS = 8
"""Tasks to import of each target."""
ACTIONS = 300
"""Actions to compare of a wrapped environment."""
REWRITTEN_ACTIONS = 10_000
"""Actions to compare of a rewritten environment."""
SECONDS = 1_800
"""Seconds that one step may take, with the installation of a venv."""
DOMAIN_SECONDS = "240"
"""Seconds for an original's first answer in an episode: some frameworks take a minute to import."""
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
            made = declared if "tools" in target else port
            found = made(sources, target, Path(scratch) / "port")
            if "rewrite" in target:
                found["rewritten"] = rewrite(sources, target, Path(scratch) / target["rewrite"])
        found["seconds"] = round(time.monotonic() - began)
        print(f"{number}/{len(left)} {json.dumps(found)[:300]}", flush=True)
        with results.open("a") as file:
            file.write(json.dumps(found).replace(str(sources.resolve()), "SOURCES") + "\n")


def port(sources: Path, target: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Wrap one target, build it in all frameworks and compare it with the original; return the results."""
    found: dict[str, Any] = {"name": target["name"], "kind": target["kind"]}
    named = ["--name", target["environment"]] if "environment" in target else []
    code, made, error = run("import", *place_of(sources, target), str(folder), *named)
    if code:
        return {**found, "imported": False, "reason": error}
    found |= {"imported": True, "tasks": made["tasks"], "solved": made["solved"]}
    found |= {"limits": made["limits"], **compared(folder, ACTIONS)}
    if "environment" in target:
        (folder / "port.json").unlink()  # the original is the server alone
        found["tools"] = complete(folder, target)
    return {**found, **built(folder)}


def declared(sources: Path, target: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Declare the functions of a package as tools, complete the environment and build it; return the results."""
    found: dict[str, Any] = {"name": target["name"], "kind": target["kind"]}
    unpacked = sources / target["package"]
    if not unpacked.exists():
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d"]
        with tempfile.TemporaryDirectory() as scratch:
            subprocess.run([*pip, scratch, target["package"]], check=True)
            shutil.unpack_archive(next(Path(scratch).glob("*.whl")), unpacked, "zip")
    module = unpacked / target["files"][target["tools"]]
    options = ["--archetype", "conversation", "--tools", str(module)]
    code, _, error = run("new", str(folder), *options)
    if code:
        return {**found, "imported": False, "reason": error}
    tools = complete(folder, target)
    for name, source in target["files"].items():
        own = rf"^from {Path(source).parts[0]}[\w.]*\.(\w+) import"
        copied = (unpacked / source).read_text("utf-8")
        copied = re.sub(own, r"from .\1 import", copied, flags=re.MULTILINE)
        (folder / name).write_text(copied, "utf-8")
    return {**found, "imported": True, "tools": tools, **built(folder)}


def complete(folder: Path, target: dict[str, Any]) -> int:
    """Add the tasks and the reward of ``environments`` to declared tools; return the number of tools."""
    yaml, text = YAML(typ="safe"), io.StringIO()
    tools = yaml.load((folder / "env.yaml").read_text("utf-8"))["tools"]
    yaml.dump({"tools": tools}, text)
    shutil.copytree(HERE / "environments" / target["environment"], folder, dirs_exist_ok=True)
    with (folder / "env.yaml").open("a") as file:
        file.write(text.getvalue())
    return len(tools)


def built(folder: Path) -> dict[str, Any]:
    """Build an environment in all frameworks; return the results."""
    found: dict[str, Any] = {}
    code, report, error = run("build", str(folder), "--quick", "-f", "all")
    if code not in (0, 1):
        found |= {"build": "broken", "reason": error}
    else:
        failed = [f for f in report["findings"] if f["status"] == "fail"]
        found["build"] = "green" if report["ok"] else "not green"
        found["failed"] = sorted({f["check"] for f in failed})
        found["messages"] = [f"{f['check']}: {f['message']}"[:LONGEST] for f in failed[:4]]
        played = [v for v in report["variants"] if v["framework"] != "domain"]
        found["variants"] = [v["framework"] for v in played]
    return found


def rewrite(sources: Path, target: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Import one target with ``--rewrite``, put our rewrite in place and compare it; return the results."""
    name = target["rewrite"]
    asked = [*place_of(sources, target), str(folder), "--rewrite", "--name", name]
    code, _, error = run("import", *asked)
    if code:
        return {"compared": "broken", "reason": error}
    ours = REWRITES / name
    for file in (*REWRITES.glob("*.py"), *ours.glob("*.py")):
        shutil.copy(file, folder)
    if (ours / "port.yaml").exists():  # the import writes one if a tool has another name here
        with (folder / "port.yaml").open("a") as rules:
            rules.write((ours / "port.yaml").read_text("utf-8"))
    if "dataset" in target:
        shutil.copy(HERE / target["dataset"], folder / "rows.jsonl")
    return compared(folder, REWRITTEN_ACTIONS)


def place_of(sources: Path, target: dict[str, Any]) -> list[str]:
    """Return the arguments that name a target on the command line."""
    place = target.get("target")
    if "npm" in target:
        npm = (sources / "npm").resolve()
        npm.mkdir(exist_ok=True)
        install = ["npm", "install", "--silent", "--prefix", str(npm), target["npm"]]
        subprocess.run(install, check=True, stdout=subprocess.DEVNULL)
        place = target["target"].replace("{npm}", str(npm / "node_modules"))
    if place is None:
        place = str(sources / target["repository"].replace("/", "+") / target["path"])
    options = ["-f", target["framework"]] if "framework" in target else []
    options += target.get("arguments", [])
    if "dataset" in target:
        options += ["--dataset", str(HERE / target["dataset"])]
    if "solutions" in target:
        options += ["--solutions", str(HERE / target["solutions"])]
    return [place, *options, "--num-tasks", str(TASKS)]


def compared(folder: Path, actions: int) -> dict[str, Any]:
    """Compare an environment with the original in its folder; return the numbers of the certificate."""
    code, seen, error = run("compare", str(folder), "--actions", str(actions), "--seconds", "1500")
    if code not in (0, 1):
        return {"compared": "broken", "reason": error}
    keys = ("actions", "agreed", "episodes", "unstable", "not_compared")
    found = {"compared": seen["verdict"], **{key: seen[key] for key in keys}}
    found["differences"] = [json.dumps(each)[:LONGEST] for each in seen["disagreements"][:2]]
    return found


def run(*arguments: str) -> tuple[int, Any, str]:
    """Run a command of skill-tools. Return its exit code, its JSON output, and the last lines of its errors."""
    command = [sys.executable, "-m", "skill_tools.cli", *arguments, "--json"]
    env = {**os.environ, "SKILL_TOOLS_DOMAIN_SECONDS": DOMAIN_SECONDS}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=SECONDS, check=False, env=env
        )
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
