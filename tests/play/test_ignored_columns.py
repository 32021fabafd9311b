"""Columns whose numbers change no reward."""

from __future__ import annotations

import json
import math
from typing import Any

from skill_tools.graders.ignored_columns import CHANGES, _with_numbers
from tests.over import over

QUARTER, DOUBLE = CHANGES


@over(
    ("value", "changed"),
    [
        (8, 2),
        (3, 1),
        (0.5, 0.125),
        ("12", "3"),
        ("2.5", "0.625"),
        ({"tea": 8, "kind": "leaf", "hot": True}, {"tea": 2, "kind": "leaf", "hot": True}),
        ([[4, "a"], None], [[1, "a"], None]),
        (json.dumps({"cap": 8}), json.dumps({"cap": 2})),
        ("[not json", "[not json"),
        ("12 eggs", "12 eggs"),
        (10**400, 10**400),
        (math.inf, math.inf),
    ],
)
def test_all_numbers_of_a_value_are_changed_and_nothing_else(value: Any, changed: Any) -> None:
    assert _with_numbers(value, QUARTER) == changed


def test_a_number_is_also_made_larger() -> None:
    assert _with_numbers({"cap": [8, "3"], "most": "3"}, DOUBLE) == {"cap": [17, "3"], "most": "7"}
