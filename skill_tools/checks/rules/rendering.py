"""REN: whether the files on disk are what the spec renders to."""

from __future__ import annotations

from collections.abc import Iterator

from skill_tools.checks.check import Hit, Place, check
from skill_tools.checks.needs import FILES
from skill_tools.evidence.evidence import Evidence


def _in_state(evidence: Evidence, *wanted: str) -> Iterator[str]:
    for file in FILES.of(evidence):
        if file.state in wanted:
            yield file.path


@check(
    "REN001",
    "edited-file",
    fix="move the change to the domain or env.yaml, then render again with force",
    needs=[FILES],
    trusts="nothing",
)
def edited_file(evidence: Evidence) -> Iterator[Hit]:
    """No rendered file was edited by hand.

    An edited variant is another environment than its siblings. The next render would lose the
    edit.
    """
    for path in _in_state(evidence, "edited"):
        yield Hit(f"{path} is not what was rendered", place=Place(file=path))


@check("REN002", "stale-file", fix="render again", needs=[FILES], trusts="nothing")
def stale_file(evidence: Evidence) -> Iterator[Hit]:
    """Every rendered file is up to date with env.yaml and this release's templates.

    A stale variant plays by an older prompt, tool schema or turn limit than the spec says.
    """
    for path in _in_state(evidence, "stale"):
        yield Hit(
            f"{path} was rendered from an older spec or by an older release", place=Place(file=path)
        )


@check("REN003", "missing-file", fix="render again", needs=[FILES], trusts="nothing")
def missing_file(evidence: Evidence) -> Iterator[Hit]:
    """Every planned file is there.

    A variant that lacks a file fails on the user's machine.
    """
    for path in _in_state(evidence, "new", "missing"):
        yield Hit(f"{path} has not been rendered", place=Place(file=path))


@check(
    "REN004",
    "left-over-file",
    fix="render again; delete by hand what it keeps because it was edited",
    needs=[FILES],
    trusts="nothing",
)
def left_over_file(evidence: Evidence) -> Iterator[Hit]:
    """No file of an earlier rendering is left that the spec no longer asks for.

    A left-over variant still runs, and is mistaken for a supported one.
    """
    for path in _in_state(evidence, "orphan", "kept"):
        yield Hit(f"{path} is no longer part of the environment", place=Place(file=path))


CHECKS = (edited_file, stale_file, missing_file, left_over_file)
