"""What checks need, and what is said of one that was skipped because it was not there."""

from __future__ import annotations

from skill_tools.checks.check import Check
from skill_tools.evidence.evidence import Evidence

SEEN: dict[str, str] = {
    "files": "the rendered files were not compared with the spec",
    "spec": "there is no env.yaml",
    "imports": "the author's files were not read",
    "domain": "the domain class was not looked at",
    "survey": "the tasks of all splits were not read",
    "tasks": "the tasks were not read",
    "with_tasks": "which task an episode was about is not known",
    "played": "nothing was played",
    "scored": "no episode that was played has a return",
    "reference": "there is no reference run of the bare domain",
    "repeat": "the reference run was not repeated in another process",
    "interleaved": "no episodes were played in alternation in one process",
    "reversed": "no episodes were played in reverse order",
    "reseeded": "nothing was played under other seeds",
    "explored": "nothing was tried beyond the policies: episodes cost too much, or none was solved",
    "worked": "no worked examples were declared and played",
    "secrets": "no task field is declared hidden: there is nothing to look for",
    "exceptions": "no exceptions are declared",
    "audited": "this is no audit: the environment is one that we render",
    "replayed": "no episode was played again in another process",
    "other_seeds": "its framework resets with no seed, or nothing was played with another",
    "side_by_side": "no two sessions were played at once",
    "states": "its framework has no state to look at",
    "fillers": "no tool takes free text, or no call with any was played",
    "variants": "no variant was to be played",
    "rollouts": "no variant was played",
    "baseline": "there is nothing to compare with: no reference run of the bare domain, and no "
    "scripted policy that was played in two variants",
}
"""By attribute of ``Evidence``; one that is empty or None was not seen."""
IN_AUDITS: dict[str, str] = {
    "explored": "this is an audit: what exploits a world is tried on those that we render alone",
    "reference": "this is an audit: only what we render has a bare domain to play",
}
"""What is said instead in an audit, where there was another reason."""
DECLARED: dict[str, str] = {
    "tools": "no tools are declared",
    "prompt": "no prompt is declared",
    "reward_range": "no range of returns is declared",
    "reward_timing": "nothing is declared of when reward is paid",
    "max_turns": "no turn limit is declared",
    "hidden": "nothing is declared of which task fields are hidden",
    "examples": "nobody can have declared worked examples",
    "said": "no example says which words it shows",
    "seed_used": "nothing is declared of whether the seed is used",
}
"""By attribute of ``Declaration``; one that is None was not declared."""


def find_unmet(check: Check, evidence: Evidence) -> str:
    """Why a check cannot be made: the first of its needs that is not there, or ""."""
    for name in check.needs:
        if name in DECLARED and getattr(evidence.declaration, name) is None:
            return DECLARED[name]
        if name in SEEN and not getattr(evidence, name):
            return (IN_AUDITS if evidence.audited else {}).get(name, SEEN[name])
    return ""


def find_unplayed(check: Check, evidence: Evidence) -> str:
    """Why a check that found nothing has not passed: a policy that was not played, or ""."""
    there = {trajectory.model for trajectory in evidence.every}
    missing = [policy for policy in check.plays if policy not in there]
    return f"the policy {missing[0]} was not played" if missing else ""
