"""REN: whether the files on disk match the files that the spec renders to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from skill_tools.checks.check import Check, Hit, Place
from skill_tools.checks.needs import FILES
from skill_tools.evidence.evidence import Evidence


def files_in_state(states: tuple[str, ...], words: str, evidence: Evidence) -> Iterator[Hit]:
    """Yield a hit for each rendered file whose state, such as "changed", is one of ``states``."""
    for file in FILES.of(evidence):
        if file.state in states:
            yield Hit(f"{file.path} {words}", place=Place(file=file.path))


CHECKS = (
    Check(
        "REN001",
        "edited-file",
        partial(files_in_state, ("edited",), "was edited after it was rendered"),
        fix="move the change to the domain or env.yaml, then force a new rendering",
        needs=(FILES,),
        trusts="nothing",
        says="""No rendered file was edited by hand.

        An edited variant is a different environment from its siblings. The next render would lose the edit.
        """,
    ),
    Check(
        "REN002",
        "stale-file",
        partial(
            files_in_state, ("stale",), "was rendered from an older spec or by an older release"
        ),
        fix="render again",
        needs=(FILES,),
        trusts="nothing",
        says="""Every rendered file is up to date with env.yaml and this release's templates.

        A stale variant uses an older prompt, tool schema or turn limit than the spec.
        """,
    ),
    Check(
        "REN003",
        "missing-file",
        partial(files_in_state, ("new", "missing"), "has not been rendered"),
        fix="render again",
        needs=(FILES,),
        trusts="nothing",
        says="""Every file that rendering should write exists.

        A variant with a missing file fails on the user's machine.
        """,
    ),
    Check(
        "REN004",
        "left-over-file",
        partial(files_in_state, ("orphan", "kept"), "is no longer part of the environment"),
        fix="render again; delete edited files by hand, because rendering keeps them",
        needs=(FILES,),
        trusts="nothing",
        says="""No rendered file remains that the spec no longer requests.

        A left-over variant still runs, so users believe that it is supported.
        """,
    ),
)
