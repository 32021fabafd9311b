"""What is told of frameworks and kinds of environments, as data."""

from __future__ import annotations

import json
from dataclasses import fields

from skill_tools.archetypes import Archetype
from skill_tools.frameworks import FRAMEWORKS, Framework
from skill_tools.report import facts
from tests.over import over


def test_every_field_that_is_told_briefly_or_held_back_is_one_that_there_is() -> None:
    known = {each.name for each in fields(Framework)}
    assert known >= facts.HELD_BACK
    assert {*facts.BRIEF_FRAMEWORK} <= known - facts.HELD_BACK | {"default"}
    assert {*facts.BRIEF_ARCHETYPE} <= {each.name for each in fields(Archetype)}


@over("name", FRAMEWORKS)
def test_all_that_is_told_of_a_framework_is_plain_data(name: str) -> None:
    reported = facts.find_framework(name)
    assert json.loads(json.dumps(reported))["name"] == name
    assert not facts.HELD_BACK & reported.keys()
