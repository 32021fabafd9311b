"""JUnit XML with a test case for each check and for each criterion of the gate."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from skill_tools.checks import Finding
from skill_tools.report.formats.ruled import Ruled
from skill_tools.report.plain_text import visible

Told = Sequence[tuple[Finding, str | None]]
"""The findings of one check, each with the reason why it is known."""
_ALL = ("fail", "warn", "note", "excepted", "pass", "skip")


def as_junit(ruled: Ruled) -> str:
    """Build the JUnit document. Findings that fail the gate are failures. Known findings and checks that did
    not run are skipped.
    """
    report = ruled.report
    by_check: dict[str, list[tuple[Finding, str | None]]] = {}
    for finding, known in ruled.findings(*_ALL):
        by_check.setdefault(finding.check, []).append((finding, known))
    cases = [_case(ruled, by_check[check]) for check in sorted(by_check)]
    cases += [_gate_case(each.name, each.fails) for each in ruled.rulings]
    failures = sum(case.find("failure") is not None for case in cases)
    skipped = sum(case.find("skipped") is not None for case in cases)
    counts = {"tests": str(len(cases)), "failures": str(failures), "errors": "0"}
    counts |= {"skipped": str(skipped), "time": f"{report.seconds:.2f}"}
    suites = ElementTree.Element("testsuites", {"name": "skill-tools", **counts})
    suite = ElementTree.SubElement(suites, "testsuite", {"name": visible(report.title), **counts})
    told = {"verdict": report.verdict, **{k: f"{v:g}" for k, v in report.measures.items()}}
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in [*told.items(), *(("unjudged", each) for each in report.unjudged)]:
        ElementTree.SubElement(properties, "property", {"name": name, "value": visible(value)})
    suite.extend(cases)
    ElementTree.indent(suites)
    # Everything that a terminal or a file can hold.
    made: bytes = ElementTree.tostring(suites, encoding="us-ascii", xml_declaration=True)
    return made.decode("ascii")


def _case(ruled: Ruled, told: Told) -> ElementTree.Element:
    """Build the test case of a check. All failures are in one element, because some programs read only the first
    failure element.
    """
    first = told[0][0]
    case = ElementTree.Element(
        "testcase",
        {"classname": f"skill-tools.{first.check[:3]}", "name": f"{first.check} {first.name}"},
    )
    if where := ruled.locate(first.place):
        case.set("file", visible(where[0]))
        case.set("line", str(where[1]))
    failing = [finding for finding, known in told if ruled.fails(finding, known)]
    if failing:
        failure = ElementTree.SubElement(
            case, "failure", {"message": visible(failing[0].message), "type": failing[0].status}
        )
        failure.text = "\n".join(map(_words, failing))
    elif all(finding.status == "skip" or known is not None for finding, known in told):
        why = first.message if first.status == "skip" else f"known: {told[0][1] or first.message}"
        ElementTree.SubElement(case, "skipped", {"message": visible(why)})
    others = [finding for finding, _ in told if finding.message and finding not in failing]
    if others and first.status != "skip":
        output = ElementTree.SubElement(case, "system-out")
        output.text = "\n".join(map(_words, others))
    return case


def _words(finding: Finding) -> str:
    lines = [f"{finding.status}: {finding.message}"]
    lines += [f"fix: {finding.fix}"] if finding.fix else []
    lines += [f"see: {finding.replay}"] if finding.replay else []
    lines += [f"repro: {finding.repro}"] if finding.repro else []
    return visible("\n".join(lines))


def _gate_case(name: str, fails: str) -> ElementTree.Element:
    case = ElementTree.Element("testcase", {"classname": "skill-tools.gate", "name": name})
    if fails:
        ElementTree.SubElement(
            case, "failure", {"message": visible(fails), "type": "gate"}
        ).text = visible(fails)
    return case
