"""How near policies come to the best of their tasks, as a line of the report."""

from __future__ import annotations

from skill_tools.evidence.evidence import Evidence

TOLD = ("oracle", "random", "noop")
"""The policies of which it is told; the others are no players."""


def of_the_best(evidence: Evidence) -> str:
    """What policies earn on the bare domain as a share of what their tasks pay at most; "" where all pay the same.

    As ``of_best`` in the summary of a rollout: one sum as a share of the other.
    """
    bests = evidence.tasks.bests if evidence.tasks else {}
    if len(set(bests.values())) < 2:
        return ""
    found = []
    for policy in TOLD:
        played = (evidence.reference or {}).get(policy, {})
        scored = [(t.total, bests[label]) for label, t in played.items() if label in bests]
        paid = [(total, best) for total, best in scored if total is not None]
        if (most := sum(best for _, best in paid)) > 0:
            found.append(f"{policy} {sum(total for total, _ in paid) / most:.3f}")
    return f"{', '.join(found)} of the maximum of {len(bests)} tasks" if found else ""
