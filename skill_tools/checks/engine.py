"""The engine: runs every check and turns the hits into findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import get_args

from skill_tools.checks.check import (
    Check,
    Finding,
    Hit,
    Stage,
    Status,
    bounded_names,
    no_bound,
)
from skill_tools.checks.needs import Need
from skill_tools.checks.own import every_check, is_foreign
from skill_tools.checks.rules import CHECKS
from skill_tools.errors import closest
from skill_tools.evidence.declaration import PLACES, Excepted
from skill_tools.evidence.evidence import Evidence

MOST = 5
"""Maximum number of findings per check; the rest are only counted."""
MOST_HITS = 1000
"""Maximum number of hits requested from a check."""
_STAGES: tuple[Stage, ...] = get_args(Stage)


def run(evidence: Evidence) -> list[Finding]:
    """Return the findings of all checks, at least one finding per check.

    Findings that need action come first, and each group is sorted by stage.
    """
    asked = checks_for(evidence)
    known = {each.id: each for each in asked}
    unmet = {each.id: need for each in asked if (need := _unmet(each, evidence))}
    hits = {
        each.id: list(islice(each.find(evidence), MOST_HITS))
        for each in asked
        if each.id not in unmet
    }
    failed = {
        key
        for key, several in hits.items()
        if any(_fails(known[key], one, evidence) for one in several)
    }
    made = [
        finding
        for each in asked
        for finding in _findings(each, evidence, unmet.get(each.id), hits.get(each.id, []), failed)
    ]
    more = _of_exceptions(evidence, made, hits, known)
    passed = [f for f in made if more and f.check == "SPE006" and f.status in ("pass", "skip")]
    return _in_order([*(f for f in made if f not in passed), *more], known)


def in_order(findings: Sequence[Finding]) -> list[Finding]:
    """Sort findings so that findings that need action come first, and causes come before consequences."""
    return _in_order(findings, every_check())


def _in_order(findings: Sequence[Finding], known: Mapping[str, Check]) -> list[Finding]:
    def rank(finding: Finding) -> tuple[int, int]:
        reported = finding.status in ("fail", "warn")
        each = known.get(finding.check)
        return (not reported, _STAGES.index(each.stage) if reported and each else 0)

    return sorted(findings, key=rank)


def checks_for(evidence: Evidence) -> list[Check]:
    """Return the checks to run, with custom checks last.

    If the evidence has rows but no environment, only the checks of rows run. If it has only a study or only a
    review, only the checks for studies or for reviews run.
    """
    audit = evidence.audit
    parts = {"AUD": audit.audited, "DAT": audit.rows, "GRA": audit.graded, "LRN": evidence.studied}
    every = every_check().values()
    if not (evidence.reference.domain or evidence.every):
        rows_alone = audit.rows is not None and not (evidence.spec or audit.audited)
        alone = "LRN" if evidence.studied else "DAT" if rows_alone else ""
        alone = "REV" if evidence.review and not audit.audited else alone
        if alone:
            return [each for each in every if each.family == alone]
    return [each for each in every if parts.get(each.family, True)]


def _unmet(each: Check, evidence: Evidence) -> Need[object] | None:
    return next((need for need in each.needs if need.unmet(evidence)), None)


def _unplayed(each: Check, evidence: Evidence) -> str:
    """If the check needs a policy that was not played, return a text that names the policy, otherwise ""."""
    there = {trajectory.model for trajectory in evidence.every}
    missing = [policy for policy in each.plays if policy not in there]
    return f"the policy {missing[0]} was not played" if missing else ""


def _fails(each: Check, hit: Hit, evidence: Evidence) -> bool:
    level = hit.level or each.level
    return level == "fail" and not _exception(each, hit, evidence)


def _exception(each: Check, hit: Hit, evidence: Evidence) -> Excepted | None:
    """Return the declared exception that covers a hit, or None."""
    places = _places(hit, evidence)
    return evidence.declaration.exception_for(each.names, hit.message, places)


def _places(hit: Hit, evidence: Evidence) -> dict[str, set[str]]:
    """Return all names for the place of a hit, by kind of name (task, tool, split and so on).

    The names are the hit's own names, the label and split/index of the hit's episode, and the split.
    """
    named = {name: {value} for name in PLACES if (value := getattr(hit.place, name, ""))}
    if hit.shown is not None:
        shown = {hit.shown.label, f"{hit.shown.split}/{hit.shown.index}"}
        named["task"] = named.get("task", set()) | shown
    splits = {split for task in named.get("task", ()) for split in _splits_in(task, evidence)}
    if evidence.reference.tasks and not splits:
        splits = {evidence.reference.tasks.split}
    return {**named, "split": splits}


def _splits_in(task: str, evidence: Evidence) -> set[str]:
    """Return the splits in a task's name, such as train for ``train/3``.

    In a label, the environment's name comes first.
    """
    known = evidence.reference.tasks.sizes if evidence.reference.tasks else {}
    parts = task.split("/")
    return {part for part in parts[:2] if part in known} or set(parts[:1])


def _left_out(exception: Excepted, evidence: Evidence) -> bool:
    """Return whether an exception concerns a split that was not played this time."""
    if not evidence.reference.tasks:
        return False
    about = {exception.split} | _splits_in(exception.task, evidence)
    named = about & set(evidence.reference.tasks.sizes)
    return bool(named) and evidence.reference.tasks.split not in named


def _of_exceptions(
    evidence: Evidence,
    made: list[Finding],
    hits: dict[str, list[Hit]],
    known: Mapping[str, Check],
) -> list[Finding]:
    """Return the findings about exceptions and bounds in env.yaml.

    An exception fails if it names an unknown check, and gives a warning if it matches no finding. An exception
    gives a note if its id belongs to a package that is not installed. A bound fails if its check does not take a
    bound.
    """
    each, found = CHECKS["SPE006"], []
    names = [name for one in every_check().values() for name in one.names]
    judged = [known[f.check] for f in made if f.status != "skip"]
    seen = {name for one in judged for name in one.names}
    for e in evidence.declaration.exceptions:
        if e.check not in names and is_foreign(e.check):
            message = f"{e.check} belongs to a package that is not installed, so its exception was not examined"
            found.append(Finding(each.id, each.name, "note", message, each.fix))
        elif e.check not in names:
            close = closest(e.check, names)
            guess = f"; did you mean {close!r}?" if close else ""
            message = f"there is no check {e.check!r}{guess}"
            found.append(Finding(each.id, each.name, "fail", message, each.fix))
        elif e.check in seen and not (_left_out(e, evidence) or _applied(e, evidence, hits, known)):
            message = f"the exception for {e.check} never applied"
            found.append(
                Finding(each.id, each.name, "warn", message, each.fix, in_every_split=True)
            )
    return [*found, *_of_bounds(evidence, known)]


def _of_bounds(evidence: Evidence, known: Mapping[str, Check]) -> list[Finding]:
    """Return a failure for each bound in env.yaml whose check does not exist or takes no bound."""
    each, names = CHECKS["SPE006"], bounded_names(known)
    return [
        Finding(each.id, each.name, "fail", f"bounds: {no_bound(name, names)}", each.fix)
        for name in evidence.declaration.bounds
        if name not in names
    ]


def _applied(
    exception: Excepted,
    evidence: Evidence,
    hits: dict[str, list[Hit]],
    known: Mapping[str, Check],
) -> bool:
    return any(
        exception.applies(known[key].names, hit.message, _places(hit, evidence))
        for key, several in hits.items()
        for hit in several
    )


def _findings(
    each: Check, evidence: Evidence, unmet: Need[object] | None, hits: list[Hit], failed: set[str]
) -> list[Finding]:
    if unmet:
        why, untimed = unmet.unmet(evidence), unmet.is_untimed(evidence)
        return [Finding(each.id, each.name, "skip", why, untimed=untimed)]
    if blamed := [
        other for other in each.explained_by if other in failed and _masks(other, evidence)
    ]:
        return [Finding(each.id, each.name, "skip", f"after {blamed[0]}, which failed")]
    if not hits:
        unplayed = _unplayed(each, evidence)
        return [Finding(each.id, each.name, "skip" if unplayed else "pass", unplayed)]
    fix = (evidence.audit.audited and each.fix_elsewhere) or each.fix
    by_status: dict[Status, list[Finding]] = {}
    excepted: dict[Excepted, list[Hit]] = {}
    for hit in hits:
        level: Status = hit.level or each.level
        if level == "skip":
            assert len(hits) == 1, f"{each.id} skips but yields hits"
            return [Finding(each.id, each.name, "skip", hit.message, untimed=hit.untimed)]
        if exception := _exception(each, hit, evidence):
            excepted.setdefault(exception, []).append(hit)
            continue
        by_status.setdefault(level, []).append(
            Finding(
                *(each.id, each.name, level, hit.message, _with_place(hit, hit.fix or fix)),
                place=hit.place,
                shown=hit.shown,
                details=hit.details,
                frameworks=hit.frameworks or ((hit.shown.framework,) if hit.shown else ()),
            )
        )
    least = "at least " if len(hits) == MOST_HITS else ""
    made = [one for several in by_status.values() for one in _shortened(several, least)]
    return [*made, *(_as_excepted(each, fix, *pair) for pair in excepted.items())]


def _with_place(hit: Hit, fix: str) -> str:
    """Return the fix for a hit.

    If an exception may cover the hit, add the tool and the parameter that the exception has to name.
    """
    named = [f"{k}: {v}" for k in ("tool", "parameter") if (v := getattr(hit.place, k))]
    if named and "exception" in fix + hit.message:
        return f"{fix} (an exception for this finding has `{', '.join(named)}`)"
    return fix


def _as_excepted(each: Check, fix: str, exception: Excepted, hits: list[Hit]) -> Finding:
    """Return one finding for a declared exception, regardless of how many hits the exception covers."""
    first, count = hits[0], len(hits)
    more = f" and {count - 1} more" if count > 1 else ""
    message = f"{first.message}{more} (an exception: {exception.because})"
    return Finding(
        *(each.id, each.name, "excepted", message, fix),
        place=first.place,
        shown=first.shown,
        count=count,
    )


def _masks(other: str, evidence: Evidence) -> bool:
    """Return whether a failure of the check ``other`` hides the checks that list it under ``after``. In an audit,
    EPI001 (a failed episode) hides nothing as long as some episode has a score: checks ignore failed episodes."""
    return not (other == "EPI001" and evidence.audit.audited and evidence.scored)


def _shortened(several: list[Finding], least: str) -> list[Finding]:
    left = len(several) - MOST
    if left <= 0:
        return several
    first = several[0]
    details = tuple(each.message for each in several[MOST:])
    told = f"and {least}{left} more"
    about = {name: None for each in several[MOST:] for name in each.frameworks}
    rest = Finding(
        *(first.check, first.name, first.status, told, first.fix),
        count=left,
        details=details,
        frameworks=tuple(about),
    )
    return [*several[:MOST], rest]
