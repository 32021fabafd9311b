"""Which tests pytest-rerunfailures plays again when they fail, and how many of them a run may need.

Live tests start many real programs at once, and a busy machine may fail one of them. Only those of
the files in .ci/flaky.txt are played again, once. That list may only shrink: test_reruns.py holds it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LISTED = frozenset((ROOT / ".ci" / "flaky.txt").read_text("utf-8").split())
MOST = 3
"""Tests of a run that may need a second time; if there are more, something is broken."""


def may_be_played_again(item: pytest.Item) -> bool:
    """Whether a test is in a listed file."""
    path = item.path
    return path.is_relative_to(ROOT) and path.relative_to(ROOT).as_posix() in LISTED


def played_again(config: pytest.Config) -> list[str]:
    """The tests that were played again in this run, as the process knows that collects the results."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    reports = reporter.stats.get("rerun", []) if reporter else []
    return sorted({report.nodeid for report in reports})


def are_too_many(config: pytest.Config) -> bool:
    """Whether more tests were played again than a busy machine explains."""
    return len(played_again(config)) > MOST


def lines(config: pytest.Config) -> list[str]:
    """What to tell about the tests that were played again."""
    again = played_again(config)
    told = [f"failed at first, and was played again: {name}" for name in again]
    return [*told, *([f"more than {MOST}: the run fails"] if are_too_many(config) else [])]
