"""An audit's result as an OpenEnv RFC 008 report, with the ids of the RFC's local checks.

OpenEnv's own code runs in its venv (``package_checks``). It runs the checks that need a package's files, and
builds the report with OpenEnv's schema and policy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from skill_tools.checks import Finding
from skill_tools.checks.needs import AUDITED
from skill_tools.checks.own import every_check
from skill_tools.checks.reading.episodes import cause
from skill_tools.checks.rules.audits.protocol import state_defects
from skill_tools.errors import RolloutError
from skill_tools.evidence.audited import AFTER_END, is_nonsense
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import return_of
from skill_tools.report.outcome import Outcome

MARGIN = 0.1
"""Minimum distance between the best return and the floor, unless a manifest requires more."""
NOT_HERE = {
    "runtime.rubric_introspectable": "a rubric cannot be seen from outside the server",
    "runtime.reward_attribution": "a rubric cannot be seen from outside the server",
    "runtime.network_policy": "no container's network is measured",
    "runtime.host_containment": "no container is started here",
    "semantic.verifier_portability": "no container's network is blocked",
}
Verdict = tuple[str, str, str]
"""Status, evidence, and fix."""


def make_validation(
    outcome: Outcome, folder: Path | None, ask: Callable[[dict[str, Any]], dict[str, Any] | None]
) -> dict[str, Any]:
    """Return the RFC 008 report as JSON data. Raise RolloutError if the report cannot be made."""
    evidence = outcome.evidence
    audited = AUDITED.of(evidence)
    results = {name: _as_result(make(evidence, outcome)) for name, make in RESULTS.items()}
    unseen = {**NOT_HERE, **UNLESS_DECLARED}
    skipped = {name: _as_result(("skip", why, "")) for name, why in unseen.items()}
    observations = [raw for seen in audited.seen.values() for raw in seen.get("raw") or []]
    seen = {
        "results": {**skipped, **results},
        "observations": observations[:40],
        "schemas": audited.facts.get("schemas"),
        "found": {k: audited.found.get(k) for k in ("tools", "splits", "odd_tasks")},
        "memory_mb": audited.memory_mb,
        "slowest": max((t.seconds for t in evidence.every), default=0.0),
        "folder": str(folder) if folder else None,
    }
    found = ask(seen)
    if found is None:
        raise RolloutError(
            f"{outcome.report.environment}: OpenEnv's own report could not be written"
        )
    return found


def _startup(evidence: Evidence, outcome: Outcome) -> Verdict:
    audited = AUDITED.of(evidence)
    good = f"the server replied {audited.startup:.1f} s after its start"
    return _verdict(audited.broken, good, "make the server start and reply")


def _rewards(evidence: Evidence, outcome: Outcome) -> Verdict:
    bad = [t for t in evidence.every if t.failure and t.failure.kind == "reward"]
    # If the server refused the episode, there is no evidence.
    unrewarded = [t for t in evidence.every if AUDITED.of(evidence).of(t).get("unrewarded")]
    low, high = evidence.declaration.reward_range or (float("-inf"), float("inf"))
    out = [t for t in evidence.scored if any(not low <= s.reward <= high for s in t.steps)]
    wrong = (
        (bad and cause(bad[0]))
        or (unrewarded and f"{len(unrewarded)} episodes have steps whose reward is None")
        or (out and f"{len(out)} episodes have step rewards outside [{low:g}, {high:g}]")
    )
    good = f"every reward of {len(evidence.scored)} episodes is a finite number"
    return _played(evidence, _verdict(wrong, good, "give every step a number"))


def _state(evidence: Evidence, outcome: Outcome) -> Verdict:
    states = [
        seen.get("states") for seen in AUDITED.of(evidence).seen.values() if seen.get("states")
    ]
    if not states:
        return "skip", "the server reported no state", ""
    wrong = "; ".join(next(filter(None, map(state_defects, states)), {}).values())
    good = f"the states of {len(states)} episodes count their steps"
    return _verdict(wrong, good, "store episode_id and count steps in step_count")


def _record(evidence: Evidence, outcome: Outcome) -> Verdict:
    failed = [t for t in evidence.every if t.end == "failed"]
    wrong = f"{len(failed)} episodes failed: {cause(failed[0])}" if failed else ""
    good = f"{len(evidence.every)} trajectories were recorded completely"
    return _played(evidence, _verdict(wrong, good, "make sure that no call breaks an episode"))


def _by_checks(
    criterion: str, good: str, levels: Sequence[str] = ("fail", "warn")
) -> Callable[..., Verdict]:
    """Return a function that judges a criterion from the findings of its checks.

    The verdict is "skip" if no check failed but at least one check did not pass.
    """

    def judge(evidence: Evidence, outcome: Outcome) -> Verdict:
        checks = {each.id for each in every_check().values() if criterion in each.criteria}
        found = [f for f in outcome.report.findings if f.check in checks]
        wrong = [f for f in found if f.status in levels]
        if wrong:
            return "fail", f"{wrong[0].check} {wrong[0].name}: {wrong[0].message}", wrong[0].fix
        unsure = [f for f in found if f.status != "pass"]
        return ("pass", good, "") if found and not unsure else ("skip", _why(unsure), "")

    return judge


def _why(found: Iterable[Finding]) -> str:
    return next((f.message for f in found if f.message), "the criterion was not examined")


def _oracle_max(evidence: Evidence, outcome: Outcome) -> Verdict:
    solved = [t for t in evidence.scored if t.model == "oracle"]
    if not solved:
        fix = "provide a solution with --solutions, and declare the oracle in openenv.yaml"
        return "fail", "no oracle shows that the maximum reward can be reached", fix
    high = _high(evidence)
    least = min(map(return_of, solved))
    wrong = f"a solution earned {least:g} of {high:g}" if least < high - 1e-9 else ""
    return _verdict(wrong, f"{len(solved)} solutions earned {high:g}", "fix the task or the reward")


def _floor(
    evidence: Evidence, outcome: Outcome, players: Callable[[str], bool] | None = None
) -> Verdict:
    chosen = players or (lambda policy: policy in ("noop", "random") or is_nonsense(policy))
    floor = [t for t in evidence.scored if chosen(t.model)]
    if not floor or not evidence.scored:
        return "skip", "no unskilled player has a return", ""
    high, most = _high(evidence), max(map(return_of, floor))
    unknown = not AUDITED.of(evidence).solved and evidence.declaration.reward_range is None
    if unknown and (most < high - MARGIN or most <= 0):
        return "skip", f"an unskilled player earned {most:g}; the maximum is not known", ""
    wrong = f"an unskilled player earns {most:g} of {high:g}" if high - most < MARGIN else ""
    good = f"an unskilled player earns {most:g} of {high:g}"
    return _verdict(wrong, good, "reward only results")


def _canaries(evidence: Evidence, outcome: Outcome) -> Verdict:
    return _floor(evidence, outcome, is_nonsense)


def _high(evidence: Evidence) -> float:
    declared = evidence.declaration.reward_range
    within = (return_of(t) for t in evidence.scored if t.model not in AFTER_END)
    return declared[1] if declared else max(within, default=0.0)


def _played(evidence: Evidence, verdict: Verdict) -> Verdict:
    return verdict if evidence.every else ("skip", "unmet dependency: runtime.startup", "")


def _verdict(wrong: Any, good: str, fix: str) -> Verdict:
    return ("fail", str(wrong), fix) if wrong else ("pass", good, "")


def _as_result(verdict: Verdict) -> dict[str, Any]:
    return {"status": verdict[0], "evidence": [verdict[1]], "remediation": verdict[2]}


RESULTS: dict[str, Callable[[Evidence, Outcome], Verdict]] = {
    "runtime.startup": _startup,
    "runtime.reward_well_formed": _rewards,
    "runtime.state_contract": _state,
    "runtime.trajectory_record": _record,
    "semantic.oracle_max": _oracle_max,
    "semantic.floor_gap": _floor,
    "semantic.canary_floor": _canaries,
    "semantic.verifier_determinism": _by_checks(
        "semantic.verifier_determinism", "the same calls earned the same reward", levels=("fail",)
    ),
    **{
        criterion: _by_checks(criterion, good)
        for criterion, good in {
            "runtime.seed_control": "another seed gave a different episode",
            "runtime.episode_determinism": "the same seed and calls gave the same episode",
            "runtime.episode_isolation": "two sessions did not affect each other",
            "semantic.no_solution_leakage": "no prompt contains a solution",
            "semantic.replayability": "recorded episodes had the same result when replayed",
        }.items()
    },
}
UNLESS_DECLARED = {
    "runtime.tool_declaration_accuracy": "no tools were discovered",
    "runtime.task_declaration_accuracy": "no tasks are declared or listed",
    "runtime.resource_bounds": "no resources are declared, or the server was started elsewhere",
    "runtime.oracle_containment": "no oracle is declared",
    "semantic.resource_envelope": "no resources are declared, or the server was started elsewhere",
}
