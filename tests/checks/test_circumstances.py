"""GRA006: right replies that are scored once more elsewhere, at once, anew, in another order or under another label."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from skill_tools.evidence.grading.graded import Graded, GradedReply
from skill_tools.graders.circumstances import replies_elsewhere
from skill_tools.graders.grader_client import Grade, GradeRequest
from tests.audits import audit
from tests.selection import few

ROWS = [
    {"prompt": f"What is {n} times {n + 3}? Reply with the number.", "answer": str(n * (n + 3))}
    for n in range(11, 23)
]
RIGHT = "def right(said, wanted):\n    return float(said.strip().replace(',', '') == wanted)\n\n\n"
ALARM = """
import signal

def reward(solution_str, ground_truth, data_source, extra_info):
    def late(*_):
        raise TimeoutError
    try:
        signal.signal(signal.SIGALRM, late)
        signal.alarm(5)
        return right(solution_str, ground_truth)
    except Exception:
        return 0.0
    finally:
        signal.alarm(0)
"""
SHARED = """
import time
WANTED = []

def reward(completion, answer):
    WANTED[:] = [answer]
    time.sleep(0.001)
    return right(completion, WANTED[0])
"""
ON_ITSELF = """
class Grader:
    def __call__(self, completion, answer):
        self.wanted = answer
        return self.compare(completion)

    def compare(self, completion):
        return right(completion, self.wanted)

reward = Grader()
"""
CACHED = """
PAID = {}

def reward(completion, answer):
    if completion not in PAID:
        PAID[completion] = right(completion, answer)
    return PAID[completion]
"""
KEPT = """
PAID = set()

def reward(completion, answer):
    if completion in PAID:
        return 1.0
    paid = right(completion, answer)
    PAID.update([completion] * int(paid))
    return paid
"""
KEYED = """
def reward(completions, answer, **kwargs):
    paid = {said: right(said, wanted) for said, wanted in zip(completions, answer)}
    return [paid[said] for said in completions]
"""
LOCAL = """
import threading
HERE = threading.local()
HERE.table = {"," : ""}

def reward(completion, answer):
    return right(completion.translate(str.maketrans(HERE.table)), answer)
"""
CONTEXT = """
import contextvars
FORM = contextvars.ContextVar("FORM")
FORM.set(",")

def reward(completion, answer):
    return right(completion, answer) if FORM.get("") else 0.0
"""
LOOP = """
import asyncio
LOOP = asyncio.get_event_loop()

async def score(completion, answer):
    await asyncio.sleep(0)
    return right(completion, answer)

def reward(completion, answer):
    return LOOP.run_until_complete(score(completion, answer))
"""
LEFT = """
READ = [""]

def reward(completion, answer):
    if completion.strip().isdigit():
        READ[0] = completion.strip()
    return float(READ[0] == answer)
"""
BY_LENGTH = """
WANTED = {}

def reward(completion, answer):
    return right(completion, WANTED.setdefault(len(answer), answer))
"""
HASHED = """
def reward(completion, answer):
    return right(completion, answer) * (0.5 + (hash(answer) % 1000) / 2000)
"""
ORDERED = """
LAST = [0]

def reward(completion, answer):
    paid = right(completion, answer)
    worse = paid and int(answer) < LAST[0]
    LAST[0] = int(answer) if paid else LAST[0]
    return paid * (0.6 if worse else 1.0)
"""


def told(folder: Path, program: str) -> list[str]:
    (folder / "reward.py").write_text(RIGHT + program)
    (folder / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    outcome = audit(f"{folder}/reward.py:reward", dataset=folder / "rows.jsonl")
    found = [each for each in outcome.report.findings if each.check == "GRA006" and each.message]
    assert all(each.status == "fail" for each in found)
    return [each.message for each in found]


@pytest.mark.everything("costly")
@pytest.mark.parametrize(
    ("program", "where"),
    few(
        [
            (ALARM, "off the main thread"),
            (LOCAL, "off the main thread"),
            (CONTEXT, "off the main thread"),
            (LOOP, "from several threads at once"),
            (SHARED, "from several threads at once"),
            (ON_ITSELF, "from several threads at once"),
            (CACHED, "after the same text was scored under another label"),
            (KEPT, "after it was scored there"),
            (KEYED, "in one batch with the same text under another label"),
            (HASHED, "in a fresh process"),
        ],
        1,
        "graders",
    ),
    ids=[
        "alarm",
        "local",
        "context",
        "loop",
        "shared",
        "on itself",
        "cached",
        "kept",
        "keyed",
        "hashed",
    ],
)
def test_the_circumstance_in_which_a_right_reply_is_paid_otherwise_is_named(
    tmp_path: Path, program: str, where: str
) -> None:
    (message,) = told(tmp_path, program)
    assert where in message


@pytest.mark.everything("graders")
def test_an_unreadable_reply_that_is_scored_as_the_reply_before_is_named_with_the_line(
    tmp_path: Path,
) -> None:
    start = "a meaningless reply, after the right answer, earned 1, but 0 before"
    (message,) = [each for each in told(tmp_path, LEFT) if each.startswith(start)]
    assert "`return float(READ[0] == answer)`" in message


def test_a_wrong_reply_that_is_rewarded_only_after_right_ones_is_sent_again_alone() -> None:
    """The other grades come from one process, in which right answers came first."""
    replies = [
        GradedReply("t/0", "right", "right", "the right answer", "7", 1.0),
        GradedReply("t/0", "next", "wrong", "one more", "8", 1.0),
        GradedReply("t/0", "zero", "wrong", "zero", "0", 0.0),
    ]
    graded = Graded(kind="number", tasks=1, replies=tuple(replies))

    def alone(asks: Sequence[GradeRequest]) -> list[Grade]:
        return [Grade(float(ask.reply == "7")) for ask in asks]

    again = replies_elsewhere(graded, alone)
    changed = replace(graded, replies=(*graded.replies, *again)).changed
    assert [(one.paid, other.paid, other.how) for one, other in changed] == [
        (0.0, 1.0, "a wrong reply (one more), after right answers")
    ]


@pytest.mark.parametrize(
    "program", few([ORDERED, BY_LENGTH], 0, "graders"), ids=["order", "refused before"]
)
def test_the_order_in_which_right_replies_are_paid_otherwise_is_named(
    tmp_path: Path, program: str
) -> None:
    assert any("in another order" in each for each in told(tmp_path, program))


@pytest.mark.everything("graders")
@pytest.mark.parametrize(
    "program",
    few(
        [
            (
                "async def reward(completions, answer, **kwargs):\n"
                "    return [right(*each) for each in zip(completions, answer)]\n"
            ),
            (
                "import asyncio\n\nONE = asyncio.Semaphore(1)\n\n\nasync def one(completion, answer):\n"
                "    async with ONE:\n        await asyncio.sleep(0.001)\n     "
                "   return right(completion, answer)\n\n\n"
                "async def reward(completions, answer, **kwargs):\n"
                "    return await asyncio.gather(*map(one, completions, answer))\n"
            ),
            (
                "import asyncio\n\n\nasync def score(completion, answer):\n"
                "    return right(completion, answer)\n\n\n"
                "def reward(completion, answer):\n    return asyncio.run(score(completion, answer))\n"
            ),
            (
                "from functools import lru_cache\n\n\n@lru_cache(maxsize=None)\n"
                "def reward(completion, answer):\n    return right(completion, answer)\n"
            ),
        ],
        1,
        "graders",
    ),
    ids=["asynchronous", "waits for others", "runs a loop", "cached by both"],
)
def test_a_grader_that_depends_on_none_of_them_is_left_alone(tmp_path: Path, program: str) -> None:
    assert not told(tmp_path, program)
