"""What varies: exactly what is declared is left out of a comparison, and nothing beside it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from skill_tools.audit.audit import VARIES
from skill_tools.checks.reading.variation import PATTERNS, comparable
from skill_tools.spec.model import VARYING_NAMES
from tests.over import over

ALL = list(PATTERNS)


def test_there_is_a_pattern_for_every_name_of_a_spec() -> None:
    assert set(PATTERNS) == set(VARYING_NAMES)


@over(
    ("name", "text", "expected"),
    [
        ("address", "<Counter object at 0x7f3a5c01d2e0>", "<Counter object at <address>>"),
        ("address", "<weakref at 0x7F3A; to 'X' at 0x55d1>", "<weakref at <address>; to 'X' at <address>>"),
        ("address", "0xdeadbeef, that 0xdeadbeef", "0xdeadbeef, that 0xdeadbeef"),
        ("address", "at 0x12345678901234567", "at 0x12345678901234567"),
        ("time", "2024-01-31T09:15:00.123456+02:00.", "<time>."),
        ("time", "2024-01-31 09:15:00Z to 23:59", "<time> to <time>"),
        ("time", "Nov 22 11:44 notes.txt", "Nov 22 <time> notes.txt"),
        ("time", "09:15:00,123 INFO", "<time> INFO"),
        ("time", "2024-01-31 09:15:00,42,A", "<time>,42,A"),
        ("time", "2024-01-31, 24:00, 1:30, 10:75 and 1:10:20:3", "2024-01-31, 24:00, 1:30, 10:75 and 1:10:20:3"),
        ("duration", "Wall time: 5.48 µs, 5.48 μs", "Wall time: <duration>, <duration>"),
        ("duration", "real\t0m0.012s", "real\t<duration>"),
        ("duration", "passed in 0.01s; 1e-05 s; 3 seconds", "passed in <duration>; <duration>; <duration>"),
        ("duration", "12.3 ms ± 1.2 ms per loop", "<duration> ± <duration> per loop"),
        ("duration", "3 sheep, v2s, 4 mst, 5.", "3 sheep, v2s, 4 mst, 5."),
        ("path", 'File "/tmp/ipykernel_7/12.py", line 3', 'File "<path>", line 3'),
        ("path", "/home/user/data.csv:3 and file:///var/x-y/z~", "<path>:3 and file://<path>"),
        ("path", "/tmp and /root/", "<path> and <path>"),
        ("path", "data/tmp/x /usr/tmp /tmpfile ./home/x", "data/tmp/x /usr/tmp /tmpfile ./home/x"),
    ],
)  # fmt: skip
def test_a_pattern_replaces_what_it_describes_and_nothing_else(
    name: str, text: str, expected: str
) -> None:
    assert comparable(text, [name]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"execution_time": 0.00164, "n": 0.5}', '{"execution_time": <measured>, "n": 0.5}'),
        ("{'elapsed': 1e-05, 'wall_seconds': 2.5}", "{'elapsed': <measured>, 'wall_seconds': <measured>}"),
        (r'"{\"latency_ms\": 3.25}"', r'"{\"latency_ms\": <measured>}"'),
        ('"time": 0.5, "turn_time": 5, "seconds": 5, "timeline": 1.5', ('"time": 0.5, "turn_time": 5, '
                                                                       '"seconds": 5, "timeline": 1.5')),
    ],
)  # fmt: skip
def test_in_an_audit_a_measured_time_is_known_by_its_field(text: str, expected: str) -> None:
    assert comparable(text, VARIES) == expected
    assert comparable(text, ALL) == text


def test_without_a_declaration_nothing_is_replaced() -> None:
    blocks = [{"type": "text", "text": "at 0x7f3a5c01d2e0, 12:00:00, 3 ms, /tmp/x"}]
    assert comparable(blocks, []) is blocks


def test_blocks_and_messages_are_read_and_images_are_not() -> None:
    image = {"type": "image", "data": "12:00/tmp/x", "mime_type": "image/png"}
    text = {"type": "text", "text": "12:00"}
    assert comparable([text, image], ALL) == [{"type": "text", "text": "<time>"}, image]
    messages = [{"role": "user", "content": [text]}, {"role": "system", "content": "12:00"}]
    assert comparable(messages, ALL) == [
        {"role": "user", "content": [{"type": "text", "text": "<time>"}]},
        {"role": "system", "content": "<time>"},
    ]


HOSTILE = (
    "0", "1.", "12:", "12:34:", "2024-01-", "at 0x", "at 0x7f", "/tmp/", "/tmp", "/tmp/.",
    "/", "/tmp/a.-", "1m ", "1e", "1e5", "9 m", "1.1 ", "+00:", "23:59:59.1", "at ", "\u0663",
)  # fmt: skip


READ = """
import sys
from skill_tools.checks.reading.variation import PATTERNS, comparable

for piece in sys.argv[1:]:
    print(piece, flush=True)
    comparable(piece * (1_000_000 // len(piece)) + "!", list(PATTERNS))
"""


@pytest.mark.live
def test_a_megabyte_of_anything_is_read_once() -> None:
    """All of it takes seconds; reading one in squared time would take hours."""
    command = [sys.executable, "-c", READ, *HOSTILE]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert tuple(run.stdout.splitlines()) == HOSTILE
