"""POR: whether a ported environment behaves like its original."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import Hit, check, skip
from skill_tools.checks.needs import CERTIFICATE
from skill_tools.evidence.evidence import Evidence


@check(
    "POR001",
    "differs-from-original",
    fix="play the named script on both environments, then correct the domain, or declare in port.yaml what may differ",
    needs=[CERTIFICATE],
    trusts="nothing",
)
def differs_from_original(evidence: Evidence) -> Iterator[Hit]:
    """The same actions give the same results in the port and in its original.

    A port with a different reward or rule does not train the same model as its original. port.json states how many
    actions were compared. If the author's files have changed since then, this check replays the episodes in port.json.
    """
    port = CERTIFICATE.of(evidence)
    if port.certificate.tools_differ:
        yield Hit(f"the tools differ: {port.certificate.tools_differ}")
    # What was kept was played again, so it says what holds now.
    for each in port.again if port.replayed else port.certificate.disagreements:
        yield Hit(each.words)


@check(
    "POR002",
    "certificate-outdated",
    fix="compare the environment with its original again",
    needs=[CERTIFICATE],
    level="warn",
    trusts="nothing",
)
def certificate_outdated(evidence: Evidence) -> Iterator[Hit]:
    """The certificate, port.json, was made with the current files.

    A comparison plays thousands of actions, but its certificate keeps only a few episodes. Replaying these
    episodes cannot show every change.
    """
    port = CERTIFICATE.of(evidence)
    if port.changed:
        named = ", ".join(port.changed[:3]) + (" and others" if len(port.changed) > 3 else "")
        still = f"; {port.replayed - len(port.again)} of {port.replayed} kept episodes agree"
        yield Hit(f"changed since the comparison: {named}{still if port.replayed else ''}")


@check(
    "POR003",
    "not-comparable",
    fix="remove whatever varies in the original, or declare it in port.yaml, then compare again",
    needs=[CERTIFICATE],
    level="warn",
    trusts="nothing",
)
def not_comparable(evidence: Evidence) -> Iterator[Hit]:
    """The port and its original can be compared: each repeats its own results if the same actions are repeated.

    If an original does not repeat its own results, a difference between the port and the original proves nothing.
    """
    certificate = CERTIFICATE.of(evidence).certificate
    if certificate.verdict != "not comparable":
        yield skip("both gave the same results when played again")
        return
    yield Hit(certificate.unstable or "no action was compared")


CHECKS = (differs_from_original, certificate_outdated, not_comparable)
