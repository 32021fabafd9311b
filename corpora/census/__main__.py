"""Audit the targets of the census, one after another, and write a line of JSON for each target.

usage: python -m corpora.census SOURCES RESULTS [NAME...]

SOURCES is a folder with clones, each named OWNER+REPOSITORY. RESULTS is a file that grows. Targets that are
already in RESULTS are left out, unless they are named.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

HERE = Path(__file__).parent
AUDIT_SECONDS = 120
"""Seconds that an audit may play."""
WHOLE_SECONDS = 360
"""Seconds that an audit may take with the installation of its venv."""
LONGEST_ERROR = 600
"""Characters of an error to keep."""


def targets() -> list[dict[str, Any]]:
    """Return the targets, with name, repository, path in the repository, framework and further arguments."""
    found: list[dict[str, Any]] = YAML(typ="safe").load((HERE / "targets.yaml").read_text("utf-8"))
    return found


def main(sources: Path, results: Path, names: list[str]) -> None:
    """Audit the targets that have no result yet, or the named targets."""
    done = {json.loads(line)["name"] for line in results.open()} if results.exists() else set()
    left = [t for t in targets() if t["name"] in names or not (names or t["name"] in done)]
    for number, target in enumerate(left, 1):
        found = audit(sources, target)
        print(
            f"{number}/{len(left)} {found['name']}: {found['verdict']} ({found['seconds']} s)",
            flush=True,
        )
        with results.open("a") as file:
            file.write(json.dumps(found) + "\n")


def audit(sources: Path, target: dict[str, Any]) -> dict[str, Any]:
    """Return the verdict and the findings of one target, or the reason why there are none."""
    path = sources / target["repository"].replace("/", "+") / target["path"]
    dataset = [] if "dataset" not in target else ["--dataset", str(HERE / target["dataset"])]
    command = [
        *(sys.executable, "-m", "skill_tools.cli", "audit", str(path), "--json"),
        *(["-f", target["framework"]] if "framework" in target else []),
        *("--seconds", str(AUDIT_SECONDS), *dataset, *map(str, target.get("arguments", ()))),
    ]
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    found: dict[str, Any] = {"name": target["name"], "verdict": "no report", "findings": []}
    with tempfile.TemporaryDirectory() as scratch:
        try:
            run = subprocess.run(
                command,
                cwd=scratch,
                capture_output=True,
                text=True,
                timeout=WHOLE_SECONDS,
                check=False,
            )
            found["exit"] = run.returncode
            report = json.loads(run.stdout)
        except subprocess.TimeoutExpired:
            found["error"] = f"not finished after {WHOLE_SECONDS} s"
        except ValueError:
            found["error"] = run.stderr.strip()[-LONGEST_ERROR:]
        else:
            found["verdict"] = report.get("verdict", "no report")
            found["unjudged"] = report.get("unjudged", [])
            found["error"] = report.get("error", "")
            found["findings"] = [
                {key: each[key] for key in ("check", "name", "status", "message")}
                for each in report.get("findings", [])
                if each["status"] in ("fail", "warn", "note")
            ]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {**found, "seconds": round(time.monotonic() - began, 1), "cpu": round(cpu, 1)}


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
