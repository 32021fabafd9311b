"""PAR001 and 008: whether every variant runs, and whether all variants run on the same packages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from packaging.version import Version

from skill_tools.checks.check import Check, Hit, Place, Status, check, skip
from skill_tools.checks.needs import ROLLOUTS, VARIANTS
from skill_tools.checks.reading.episodes import cause, named
from skill_tools.checks.reading.probed import seen_in
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Trajectory

FIXES = (
    (r"ModuleNotFoundError|No module named", "name the missing package with --requirement"),
    (
        r"(?i)huggingface|on the hub|name resolution|ConnectionError|ConnectError|MaxRetry|Errno -[23]\b|unreachable",
        "audit it on a machine that reaches this address, or with the data in the cache",
    ),
    (
        r"KeyError|(?i:not set|environment variable)",
        "set the missing setting as an environment variable whose name does not suggest a secret",
    ),
    (
        r"FileNotFoundError|No such file",
        "run the script that makes the missing file, as the folder's README says",
    ),
)
"""Signs in an exception, each with what to do about it."""


@check(
    "PAR001",
    "variant-does-not-run",
    fix="read the log in the message; run `skill-tools doctor` to see what is missing on this machine",
    needs=[VARIANTS],
    trusts="nothing",
)
def variant_does_not_run(evidence: Evidence) -> Iterator[Hit]:
    """Every requested framework plays every requested episode.

    If a variant does not play an episode, nothing shows that this episode is right in the variant.
    """
    for framework, reason in evidence.variants.broken.items():
        # Of a foreign environment that did not start nothing is known, not even whether it is at fault.
        level: Status | None = "note" if evidence.audit.audited else None
        fix = _fix(reason) if level else ""
        yield Hit(f"{framework}: {reason}", level=level, fix=fix, frameworks=(framework,))
    expected = _expected_episodes(evidence)
    for framework, played in evidence.variants.rollouts.items():
        for policy, labels in expected.items():
            for label, trajectory in played.get(policy, {}).items():
                # Without a reference run the cause is unknown: EPI001 reports it.
                bare = (evidence.reference.episodes or {}).get(policy, {}).get(label)
                if bare and trajectory.end == "failed" and bare.end != "failed":
                    yield seen_in(trajectory, f"{named(trajectory)}: {cause(trajectory)}")
            missing = labels - set(played.get(policy, {}))
            if missing:
                message = f"{framework}: {policy} did not play {min(missing)}"
                yield Hit(message, place=Place(task=min(missing)), frameworks=(framework,))


def _fix(reason: str) -> str:
    """Return a fix for the reason why a foreign environment did not start."""
    found = (fix for sign, fix in FIXES if re.search(sign, reason))
    return next(
        found, "fix the exception; if a setting is missing, set it as an environment variable"
    )


def _expected_episodes(evidence: Evidence) -> dict[str, set[str]]:
    """Return the labels of all episodes to compare, by policy.

    All episodes of the reference run are compared. Without a reference run, these are the episodes that scripts
    played in any variant.
    """
    expected: dict[str, set[str]] = {}
    for played in (
        [evidence.reference.episodes]
        if evidence.reference.episodes
        else evidence.variants.scripted.values()
    ):
        for policy, by_label in played.items():
            asked = {label for label, each in by_label.items() if _asked(evidence, each)}
            expected.setdefault(policy, set()).update(asked)
    return expected


def _asked(evidence: Evidence, trajectory: Trajectory) -> bool:
    """Return whether variants should also play an episode. A quick build plays only some tasks in the variants."""
    return evidence.variants.most is None or (trajectory.index or 0) < evidence.variants.most


@check(
    "PAR008",
    "package-versions-differ",
    fix="pin the package under `packages` in env.yaml to versions that every variant can install",
    needs=[ROLLOUTS],
    level="note",
    trusts="nothing",
)
def package_versions_differ(evidence: Evidence) -> Iterator[Hit]:
    """Each package that env.yaml declares has the same version in every variant.

    Each framework has its own requirements. If env.yaml sets no bounds, the domain may therefore run on a different
    release in each variant.
    """
    installed = evidence.variants.packages
    names = dict.fromkeys(name for versions in installed.values() for name in versions)
    if not names:
        yield skip("no variant is known to have a package that env.yaml declares")
    for name in names:
        variants: dict[str, list[str]] = {}
        for framework, versions in installed.items():
            variants.setdefault(versions.get(name, "none"), []).append(framework)
        if len(variants) > 1:
            listed = "; ".join(f"{each} in {', '.join(who)}" for each, who in variants.items())
            first = min(Version(each) for each in variants if each != "none").major
            fix = f"pin it in env.yaml, for example `packages: [{name}>={first},<{first + 1}]`"
            yield Hit(f"{name}: {listed}", fix=fix, frameworks=tuple(installed))


CHECKS: tuple[Check, ...] = (variant_does_not_run, package_versions_differ)
