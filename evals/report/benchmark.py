"""benchmark.json, in the format that skill-creator's viewer and aggregation read."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from evals.report.model import Report
from evals.report.result import Result

SKILL = "rl-env-from-description"


def render(report: Report) -> str:
    """Return benchmark.json. Runs with our skills are called ``with_skill``; every other run has its own name."""
    runs = [
        _run(each, report.cases.index(each.case) + 1)
        for each in report.results
        if each.expectations
    ]
    configurations = list(dict.fromkeys(run["configuration"] for run in runs))
    summaries: dict[str, Any] = {
        name: _summary([run for run in runs if run["configuration"] == name])
        for name in configurations
    }
    if {"with_skill", "without_skill"} <= set(configurations):
        summaries["delta"] = _delta(summaries["with_skill"], summaries["without_skill"])
    metadata = {
        "skill_name": SKILL, "skill_path": f"skills/{SKILL}", "executor_model": "see the logs",
        "analyzer_model": "none", "timestamp": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "evals_run": sorted({run["eval_id"] for run in runs}),
        "runs_per_configuration": max((each.epoch for each in report.results), default=1),
    }  # fmt: skip
    whole = {
        "metadata": metadata,
        "runs": runs,
        "run_summary": summaries,
        "notes": report.surprises,
    }
    return json.dumps(whole, indent=1)


def configuration(solver: str) -> str:
    """Return with_skill or without_skill for an agent, or another solver's own name."""
    _, _, how = solver.partition("+")
    return {"with": "with_skill", "without": "without_skill"}.get(how, solver)


def _run(result: Result, number: int) -> dict[str, Any]:
    scored = [each for each in result.expectations if each.held is not None]
    passed = sum(bool(each.held) for each in scored)
    summary = {
        "pass_rate": result.score or 0.0, "passed": passed, "failed": len(scored) - passed,
        "total": len(scored), "time_seconds": result.effort.get("seconds", 0.0),
        "tokens": result.effort.get("tokens", 0), "tool_calls": result.effort.get("tool_calls", 0),
        "errors": int(bool(result.error)),
    }  # fmt: skip
    listed = [
        {"text": each.key, "passed": bool(each.held), "evidence": each.found} for each in scored
    ]
    return {
        "eval_id": number, "eval_name": result.sample, "configuration": configuration(result.solver),
        "run_number": result.epoch, "result": summary, "expectations": listed,
        "notes": [result.explanation],
    }  # fmt: skip


def _summary(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {
        name: _spread([run["result"][name] for run in runs])
        for name in ("pass_rate", "time_seconds", "tokens")
    }


def _spread(values: Sequence[float]) -> dict[str, float]:
    return {
        "mean": statistics.fmean(values), "stddev": statistics.pstdev(values),
        "min": min(values), "max": max(values),
    }  # fmt: skip


def _delta(ours: dict[str, Any], other: dict[str, Any]) -> dict[str, str]:
    formats = {"pass_rate": "+.2f", "time_seconds": "+.1f", "tokens": "+.0f"}
    return {n: format(ours[n]["mean"] - other[n]["mean"], how) for n, how in formats.items()}
