"""What a report says of episodes that were taken from an earlier build."""

from __future__ import annotations

from skill_tools.evidence.evidence import Evidence


def taken_before(evidence: Evidence) -> str:
    """Which variants' episodes were taken, how many and of when; "" where all were played."""
    taken: dict[str, list[int]] = {}
    times = []
    for framework, by_policy in evidence.origins.items():
        counts = [len(origin.keys) for origin in by_policy.values()]
        old = [origin for origin in by_policy.values() if origin.taken]
        if old:
            taken[framework] = [sum(len(origin.keys) for origin in old), sum(counts)]
            times += [origin.at for origin in old]
    if not taken:
        return ""
    whole = [name for name, (old, every) in taken.items() if old == every]
    parts = [f"all episodes of {', '.join(whole)}"] if whole else []
    parts += [f"{old} of {every} of {name}" for name, (old, every) in taken.items() if old < every]
    minutes = sorted({f"{time:%Y-%m-%d %H:%M} UTC" for time in times})
    since = f"{'the oldest ' if minutes[1:] else ''}played at {minutes[0]}"
    return (
        f"{'; '.join(parts)}, {since}: none of their inputs has changed since; "
        "build with --fresh plays them again"
    )
