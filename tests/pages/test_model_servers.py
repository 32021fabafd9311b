"""docs/model_servers.md: its table is the one that is played, and each row has a thread to read."""

from __future__ import annotations

import re

from tests.live.model_servers import page
from tests.live.model_servers.kinds import KINDS


def test_the_page_tells_what_is_played() -> None:
    text = page.PAGE.read_text("utf-8")
    assert page.written(text) == text, "run: python -m tests.live.model_servers.page"
    grouped = [kind.name for kinds in page.GROUPS.values() for kind in kinds]
    assert sorted(grouped) == sorted(KINDS)


def test_every_kind_names_a_thread() -> None:
    for kind in KINDS.values():
        assert re.fullmatch(r"[\w.-]+/[\w.-]+#[1-9]\d*", kind.source), kind.name
